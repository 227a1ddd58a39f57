//! Lints: advice to remove a line never blocks a crawler that was not blocked before.

#![cfg(feature = "lint")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::std_instead_of_alloc,
    reason = "helpers of tests are tests"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use robots_match::groups::Groups;
use robots_match::lint::{Finding, Lint, LintContext};
use robots_match::{Crawler, Difference, Document, Profile, RuleSet};

/// The context in which all lints report, and about all parsers.
fn all() -> LintContext<'static> {
    let mut context = LintContext::default();
    context.all = true;
    context
}

/// The change of its line that a finding advises.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Advice {
    Remove,
    /// The line becomes `Disallow:`.
    Empty,
    /// Something else, such as to remove a character.
    Other,
}

fn advice(finding: &Finding) -> Advice {
    let help = finding.help.as_deref().unwrap_or_default();
    if finding
        .fix
        .as_ref()
        .is_some_and(|edit| finding.lint == Lint::DuplicateRule && edit.replacement.is_empty())
    {
        return Advice::Remove;
    }
    if help.contains("`Disallow:` instead") || help.contains("`Disallow:` to allow everything") {
        return Advice::Empty;
    }
    if !help.contains("remove") {
        return Advice::Other;
    }
    match finding.lint {
        Lint::AllowWithoutDisallow
        | Lint::AllowEmpty
        | Lint::RuleForRobotsTxt
        | Lint::RuleWithoutEffect
        | Lint::EmptyDisallow
        | Lint::TemplateLeftover
        | Lint::ShadowedRule
        | Lint::AgentMisspelt => Advice::Remove,
        // Other advice about these lines is only for the owner of the host.
        Lint::PatternIsUrl | Lint::PatternWithoutSlash => Advice::Remove,
        Lint::AgentIsHeader if help.starts_with("remove it:") => Advice::Remove,
        // Parts of a line, lines that are not rules, whole groups, and one of two rules that contradict each other.
        Lint::TrailingStar
        | Lint::ControlCharacter
        | Lint::ByteOrderMark
        | Lint::DoubledScheme
        | Lint::DeprecatedKey
        | Lint::SplitAgents
        | Lint::UnknownKey
        | Lint::AgentIsHeader
        | Lint::ConflictingRules
        | Lint::OptionalKey
        | Lint::CrawlDelay
        | Lint::DraftKey
        | Lint::ForeignCharacter => Advice::Other,
        // Rules about what is blocked: without them, more is allowed.
        Lint::BlocksAll | Lint::BlocksSearchEngine | Lint::BlocksHomePage => Advice::Other,
        lint => panic!("say here what `{lint}` means by: {help}"),
    }
}

fn followed(body: &str, advice: &BTreeMap<usize, Advice>) -> String {
    let lines = body.lines().enumerate().map(|(index, line)| match advice.get(&(index + 1)) {
        Some(Advice::Remove) => String::new(),
        Some(Advice::Empty) => "Disallow:\n".to_owned(),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

/// Follows each piece of advice about a file, and all of it together. Returns how many there are.
fn check(body: &str) -> usize {
    let report = all().lint(body.as_bytes());
    let mut all = BTreeMap::new();
    for finding in &report.findings {
        let advice = advice(finding);
        if advice == Advice::Other {
            continue;
        }
        let readers: &[Document] = if finding.readers.is_empty() { &Document::ALL } else { &finding.readers };
        let after = followed(body, &BTreeMap::from([(finding.line, advice)]));
        check_change(body, &after, readers, &format!("{finding}"));
        // Some crawlers do not read the rule that is shadowed.
        if Document::CURRENT.iter().all(|document| readers.contains(document)) {
            all.insert(finding.line, advice);
        }
    }
    check_change(body, &followed(body, &all), &Document::CURRENT, "all advice together");
    all.len()
}

/// Checks that nothing is disallowed that was allowed.
fn check_change(before: &str, after: &str, readers: &[Document], what: &str) {
    for &document in readers {
        let profile = Profile::from(document);
        let groups = Groups::parse(before.as_bytes(), &profile.syntax, &profile.groups);
        let agents = groups.iter().flat_map(|group| group.agents());
        let named = agents.filter_map(|agent| Crawler::new(core::str::from_utf8(agent.bytes()).ok()?).ok());
        for crawler in named.chain([Crawler::new("UnnamedBot").unwrap()]) {
            let rules = |body: &str| RuleSet::parse(body.as_bytes(), &crawler, &profile);
            let change = rules(before).difference(&rules(after), Difference::MAX_STATES).newly_disallowed;
            // No crawler asks whether it may fetch robots.txt.
            let path = change.witness().map_or("", |witness| &*witness.path);
            assert!(
                change.is_nothing() || path.starts_with("/robots.txt"),
                "{what}: {path} is disallowed for {crawler:?} ({document})\n{before}\nafter:\n{after}"
            );
        }
    }
}

#[test]
fn removing_what_has_no_effect_blocks_no_crawler() {
    for body in [
        "User-agent: *\nAllow: /\n\nUser-agent: BadBot\nDisallow: /\n",
        "User-agent: *\nAllow: /\nSitemap: https://www.example.com/sitemap.xml\n\nUser-agent: asterias\nDisallow:/\n\n\
         User-agent: BackDoorBot/1.0\nDisallow:/\n",
        "User-agent: *\nAllow: /\n\n# Noisy crawlers\nUser-Agent: Test Certificate Info\nDisallow: /",
        "User-agent: *\nAllow: /\n\n\nUser-agent: Bingbot\nUser-agent: Googlebot\nDisallow: /t/\n",
        "User-agent: *\nAllow: /\nUser-agent: Googlebot\nDisallow: /*?desc=*&name=*\nDisallow: /share-page/*\n",
        "User-agent: *\nAllow: /robots.txt\nDisallow: /robots.txt\nAllow:\n\nUser-agent: BadBot\nDisallow: /\n",
        "User-agent: *\nDisallow: /{{a}}\nDisallow: /{{b}}\n\nUser-agent: BadBot\nDisallow: /\n",
        "User-agent: *\nDisallow: /a\n\nUser-agent: {{name}}\nDisallow: /\n",
        "User-agent: Wget\nDisallow: /\n\nUser-agent: *\nDisallow: /a\n\nUser-agent: Wget/1.6\nDisallow: /\n",
        "User-agent: *\nAllow: /a\nDisallow: /robots.txt\nAllow: /b\n\nUser-agent: BadBot\nDisallow: /\n",
        "User-agent: *\nDisallow: /\nAllow: /*a\nAllow: /**a\n",
        "User-agent: *\nAllow: /a\n\nUseragent: *\nDisallow: /\n",
        "User-agent: *\nAllow: /robots.txt.d/\nDisallow: /\n",
        "User-agent: *\nDisallow: /a\nUser-agent: b\nAllow: /c\nDisallow: /c\nUseragent: c\nDisallow: /a\nAllow: /c\n",
    ] {
        check(body);
    }
}

/// Every eighth file of two groups with up to two rules and one rule.
#[test]
fn advice_about_small_files_blocks_no_crawler() {
    const RULES: [&str; 12] = [
        "Allow: /",
        "Allow:",
        "Disallow:",
        "Disallow: /",
        "Allow: /robots.txt",
        "Disallow: /robots.txt",
        "Disallow: /a",
        "Disallow: /a*",
        "Allow: /a/b",
        "Disallow: /{{x}}",
        "Disallow: https://example.com/",
        "",
    ];
    let (mut files, mut count) = (0, 0);
    for (first, second) in [("*", "BadBot"), ("BadBot", "*"), ("*", "*")] {
        for one in RULES {
            for two in RULES {
                for three in RULES {
                    files += 1;
                    if files % 8 != 0 {
                        continue;
                    }
                    let lines = [
                        &*format!("User-agent: {first}"),
                        one,
                        two,
                        &*format!("User-agent: {second}"),
                        three,
                    ];
                    count += check(&(lines.join("\n") + "\n"));
                }
            }
        }
    }
    assert!(count > 200, "{count}");
}

/// Advice about real files, where they lie beside the project.
#[test]
fn advice_about_real_files_blocks_no_crawler() {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/sites");
    let Ok(files) = fs::read_dir(sites) else {
        println!("skipped: no files at ../shared/corpus/sites");
        return;
    };
    let bodies = files.enumerate().filter_map(|(index, file)| {
        let body = String::from_utf8(fs::read(file.unwrap().path()).unwrap()).ok()?;
        (index % 20 == 0 && body.len() < 16 * 1024 && !body.contains("\r\r")).then_some(body)
    });
    let count: usize = bodies.map(|body| check(&body)).sum();
    assert!(count > 0);
}

/// Each of two such rules makes the other one superfluous, so that many rule sets would have to be compared.
#[test]
fn rules_that_are_reported_have_no_effect_together_if_not_all_are_compared() {
    let rules = |number: usize| format!("Disallow: /p{number}**q\nDisallow: /p{number}*q\n");
    let file = format!("User-agent: *\n{}", (0..250).map(rules).collect::<String>());
    let report = all().lint(file.as_bytes());
    let reported = report.findings.iter().filter(|finding| finding.lint == Lint::RuleWithoutEffect);
    let lines: Vec<usize> = reported.map(|finding| finding.line).collect();
    assert!(!lines.is_empty() && lines.len() < 250, "{}", lines.len());
    let kept = file.lines().zip(1..).filter(|(_, number)| !lines.contains(number));
    let kept: String = kept.map(|(line, _)| format!("{line}\n")).collect();
    let rules = |file: &str| RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &Profile::RFC9309);
    assert!(rules(&file).difference(&rules(&kept), Difference::MAX_STATES).is_nothing());
}
