//! Lints: every page's examples hold, and corrections change no verdict.

#![cfg(feature = "lint")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::std_instead_of_alloc,
    reason = "helpers of tests are tests"
)]

mod pages;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use robots_match::lint::{Lint, LintContext, LintReport, Severity};
use robots_match::{Builder, Crawler, Document, Profile, RuleSet};

fn lints(report: &LintReport) -> Vec<Lint> {
    report.findings.iter().map(|finding| finding.lint).collect()
}

/// The context in which all lints report, and about all parsers.
fn all() -> LintContext<'static> {
    let mut context = LintContext::default();
    context.all = true;
    context
}

fn names(body: &str) -> Vec<&'static str> {
    all().lint(body.as_bytes()).findings.iter().map(|finding| finding.lint.name()).collect()
}

#[test]
fn every_page_shows_a_file_with_the_finding_and_one_without() {
    for &kind in Lint::ALL {
        let examples = pages::examples(kind.page());
        let found = examples.iter().filter(|example| example.is_found).count();
        assert!(0 < found && found < examples.len(), "{kind}");
        for example in examples {
            let mut context = all();
            context.url = pages::fact(&example.info, "url");
            context.content_type = pages::fact(&example.info, "content-type");
            context.missing = pages::fact(&example.info, "missing");
            let paths = pages::paths(&example.info);
            context.paths = &paths;
            let report = context.lint(&example.body);
            assert_eq!(lints(&report).contains(&kind), example.is_found, "{kind}: {:?}", report.findings);
        }
    }
}

#[test]
fn lints_are_found_by_their_names() {
    for &kind in Lint::ALL {
        assert_eq!(Lint::from_name(kind.name()), Some(kind));
    }
    assert_eq!(Lint::from_name("nothing"), None);
}

#[test]
fn a_correct_file_has_no_findings() {
    let body = "# Welcome\nUser-agent: *\nAllow: /private/open\nDisallow: /private\n\nUser-agent: ExampleBot\n\
                User-agent: OtherBot\nDisallow: /private\nDisallow: /*.gif$\n\nSitemap: https://example.com/sitemap.xml\n";
    assert_eq!(names(body), [""; 0]);
    assert_eq!(names(""), [""; 0]);
}

#[test]
fn findings_name_their_documents_and_places() {
    let body = b"User-agent: *\nDisalow: /a\nDisallow: /b\nAllow: /b/c\n";
    let report = all().lint(body);
    let [misspelt, shadowed] = &report.findings[..] else { panic!("{:?}", report.findings) };
    assert_eq!(misspelt.readers, [Document::Rfc9309, Document::DraftKosterRep00, Document::Koster1996]);
    assert_eq!(misspelt.span.of(body), b"Disalow");
    assert_eq!(shadowed.readers, [Document::Koster1996]);
    assert_eq!((shadowed.line, shadowed.span.of(body)), (4, &b"/b/c"[..]));
    assert_eq!(shadowed.other.as_ref().unwrap().0.of(body), b"/b");
}

#[test]
fn a_file_that_is_not_text_has_one_finding() {
    assert_eq!(names("\n <HTML>\nfoo bar\nbaz: x\n"), ["not-text"]);
    assert_eq!(LintContext::default().lint(b"\xFF\xFEa\0:\0").findings.len(), 1);
}

#[test]
fn findings_are_bounded() {
    let body = format!("User-agent: *\nDisallow: /a\n{}", "x\n".repeat(50_000));
    let report = LintContext::default().lint(body.as_bytes());
    assert_eq!(report.findings.len(), LintReport::MAX_PER_LINT);
    assert_eq!(
        report.left_out,
        BTreeMap::from([((Lint::UnreadableLine, Severity::Warning), 50_000 - LintReport::MAX_PER_LINT)])
    );
}

#[test]
fn only_harmless_corrections_are_made() {
    let body = b"User-agent: ExampleBot/1.0\nUser-agent: a, b\nDisalow: /x\nDisallow: /%7Eb%2f\nDisallow: /c\nDisallow: /c\n\
                 Disallow: /c # kept\nAllow: /t*\nDisallow: /my files";
    let report = LintContext::default().lint(body);
    let (after, made) = report.fix(body);
    let expected = "User-agent: ExampleBot/1.0\nUser-agent: a, b\nDisalow: /x\nDisallow: /%7Eb%2F\nDisallow: /c\n\
                    Disallow: /c # kept\nAllow: /t*\nDisallow: /my files\n";
    assert_eq!(String::from_utf8(after.clone()).unwrap(), expected);
    assert_eq!(made, 3);
    assert_eq!(LintContext::default().lint(&after).fix(&after), (after, 0));
}

/// Corrections, and as many findings as there are, over real files, where they lie beside the project.
#[test]
fn corrections_change_no_verdict_over_real_files() {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/sites");
    let Ok(files) = fs::read_dir(sites) else {
        println!("skipped: no files at ../shared/corpus/sites");
        return;
    };
    let (mut counts, mut changed) = (BTreeMap::<&str, usize>::new(), 0);
    for (index, file) in files.enumerate() {
        let body = fs::read(file.unwrap().path()).unwrap();
        if index % 20 != 0 || body.len() > 64 * 1024 {
            continue;
        }
        let report = all().lint(&body);
        for finding in &report.findings {
            assert!(finding.span.end() <= body.len());
            *counts.entry(finding.lint.name()).or_default() += 1;
        }
        let (after, made) = report.fix(&body);
        changed += usize::from(made > 0);
        assert_eq!(made > 0, after != body);
        for profile in Document::ALL.map(Profile::from) {
            let groups = robots_match::groups::Groups::parse(&body, &profile.syntax, &profile.groups);
            let agents = groups.iter().flat_map(|group| group.agents());
            let name = |value: &[u8]| core::str::from_utf8(value).ok().map(str::to_owned);
            let named = agents.filter_map(|agent| Crawler::new(&name(agent.bytes())?).ok());
            let unnamed = Crawler::new("UnnamedBot").unwrap();
            for crawler in named.take(6).chain([unnamed]) {
                let rules = |body: &[u8]| RuleSet::parse(body, &crawler, &profile);
                let (before, after) = (rules(&body), rules(&after));
                assert_eq!(before.basis(), after.basis());
                for rule in before.compiled_rules().iter().chain(&after.compiled_rules()) {
                    let path: Vec<u8> =
                        rule.pattern.iter().copied().filter(|byte| !b"*$".contains(byte)).collect();
                    for path in [&path[..], &[&path[..], b"x"].concat()] {
                        let (a, b) = (before.check(path), after.check(path));
                        assert_eq!(a.is_allowed(), b.is_allowed(), "{}", path.escape_ascii());
                    }
                }
            }
        }
    }
    println!("{changed} files corrected; findings: {counts:#?}");
    assert!(changed > 0);
}

/// Escapes, special characters, and characters other than spaces and tabs stay as they are written.
#[test]
fn a_space_is_corrected_by_its_escape() {
    let body = "User-agent: *\nDisallow: /my %20f\u{ef}les\t*$\n".as_bytes();
    let report = LintContext::default().lint(body);
    let fix = report.findings.iter().find(|finding| finding.lint.name() == "space-in-pattern");
    let fix = fix.and_then(|finding| finding.suggestion.as_ref()).unwrap();
    assert_eq!(fix.replacement, "/my%20%20f\u{ef}les%09*$".as_bytes());
    // The builder writes a pattern that means the same.
    let mut file = Builder::new();
    file.group(["*"]).unwrap().disallow(fix.span.of(body)).unwrap();
    assert!(file.text().ends_with("Disallow: /my%20%20f%C3%AFles%09*$\n"));
}

/// Suggestions are not corrections: a person decides.
#[test]
fn a_correction_that_may_be_wrong_is_a_suggestion() {
    struct Case {
        line: &'static str,
        suggestion: Option<&'static str>,
    }
    for Case { line, suggestion } in [
        Case {
            line: "User-agent: R6_FeedFetcher(www.radian6.com/crawler)",
            suggestion: Some("R6_FeedFetcher"),
        },
        Case { line: "User-agent: Mozilla/5.0 (compatible; MJ12bot/v1.4)", suggestion: Some("MJ12bot") },
        Case { line: "User-agent: Mozilla/5.0 (Windows NT 6.1) Firefox/4.0", suggestion: None },
        Case { line: "User-agent: ExampleBot/2.1", suggestion: Some("ExampleBot") },
        Case { line: "User-agent: ExampleBot (x)", suggestion: Some("ExampleBot") },
        Case { line: "User-agent: ExampleBot - (https://example.com/)", suggestion: Some("ExampleBot") },
        Case { line: "User-agent: ExampleBot/2.1 (Win98; I)", suggestion: Some("ExampleBot") },
        Case { line: "User-agent: ExampleBot/2.1 (compatible; Win16; I)", suggestion: Some("ExampleBot") },
        Case { line: "User-agent: Mozilla/5.0 ExampleBot/2.1", suggestion: Some("ExampleBot") },
        Case { line: "User-agent: Mozilla/4.0 (compatible; MSIE 4.0; Windows 95)", suggestion: None },
        Case { line: "User-agent: Mozilla/4.0 (compatible; Win32; I)", suggestion: None },
        Case { line: "User-agent: Mozilla/5.0 (X11; Linux) Gecko/20100101", suggestion: None },
        Case { line: "User-agent: Example Browser/1.2", suggestion: None },
        Case { line: "User-agent: Ex!ample 3.3 (Windows)", suggestion: None },
        Case { line: "User-agent: \"Example bot (we follow the rules)\"", suggestion: None },
        Case { line: "User-agent: Mozilla/5.0 (compatible; Good Old Bot)", suggestion: None },
        Case { line: "User-agent: Example_Spider_(X)", suggestion: None },
        Case { line: "User-agent: www.example.org/Crawler", suggestion: None },
        Case { line: "User-agent: Mozilla/5.0 (compatible; Yahoo! Slurp; x)", suggestion: Some("Slurp") },
        Case { line: "User-agent: Sogou web spider/4.0", suggestion: Some("Sogou web spider") },
        Case { line: "User-agent: Yandex/1.01 (compatible; Win16; I)", suggestion: Some("Yandex") },
        Case { line: "User-agent: A Cursor/1.0", suggestion: None },
        Case { line: "Disallow: private", suggestion: Some("/private") },
        Case { line: "Disallow: shop.example.com", suggestion: None },
        Case { line: "Disallow: shop.example.com?a", suggestion: None },
        Case { line: "Disallow: shop.example.com:8080/a", suggestion: None },
        Case { line: "Disallow: https://example.com/", suggestion: None },
        Case { line: "Disallow: https://example.com/$", suggestion: None },
        Case { line: "Disallow: .pdf", suggestion: Some("/*.pdf") },
        Case { line: "Disallow: .css", suggestion: None },
        Case { line: "Disallow: ?replytocom", suggestion: Some("/*?replytocom") },
        Case { line: "Disallow: ./a", suggestion: Some("/a") },
        Case { line: "Disallow: ^/a", suggestion: None },
        Case { line: "Disallow: /a/ /b/ /c/", suggestion: Some("/a/\nDisallow: /b/\nDisallow: /c/") },
        Case { line: "Disallow: a/ /b/", suggestion: None },
        Case { line: "Disallow: www.example.museum/a", suggestion: None },
        Case {
            line: "Disallow: Sitemap: https://example.com/a.xml",
            suggestion: Some("Disallow:\nSitemap: https://example.com/a.xml"),
        },
        Case { line: "Disallow: https://example.com/a", suggestion: None },
        Case { line: "Disallow: /a b", suggestion: Some("/a%20b") },
        Case { line: "Disallw: /a", suggestion: Some("disallow") },
        Case {
            line: "Disallow:User-agent: ExampleBot",
            suggestion: Some("Disallow:\nUser-agent: ExampleBot"),
        },
        Case { line: "Disallow: /a, b, c", suggestion: None },
        Case { line: "Disallow: /*.pdf,*.doc", suggestion: Some("/*.pdf\nDisallow: *.doc") },
        Case { line: "Disallow: \\a\\*", suggestion: Some("Disallow: /a/*") },
        Case { line: "Disallow: \\", suggestion: None },
        Case { line: "Disallow: /a&nbsp;b/", suggestion: None },
        Case { line: "Disallow: (/a/)", suggestion: Some("/a/") },
        Case { line: "Disallow: nichts", suggestion: None },
        Case { line: "Disallow: /a/\"", suggestion: Some("Disallow: /a/") },
        Case { line: "Disallow\u{FF1D}/a", suggestion: Some("Disallow: /a") },
        Case { line: "User-agent: ExampleBot, *", suggestion: None },
        Case { line: "Sitemap: htps://example.com/a.xml", suggestion: Some("https") },
    ] {
        let body = format!("User-agent: *\nAllow: /\n{line}\n");
        let report = all().lint(body.as_bytes());
        let found: Vec<_> = report.findings.iter().filter(|finding| finding.line == 3).collect();
        assert!(!found.is_empty() && found.iter().all(|finding| finding.fix.is_none()), "{line}");
        let shown = found.iter().find_map(|finding| finding.suggestion.as_ref());
        let shown = shown.map(|edit| String::from_utf8(edit.replacement.clone()).unwrap());
        assert_eq!(shown.as_deref(), suggestion, "{line}");
        assert_eq!(report.fix(body.as_bytes()), (body.clone().into_bytes(), 0), "{line}");
    }
}

/// Paths that only look like a list, a record or a host.
#[test]
fn usual_paths_are_right() {
    for line in [
        "Disallow: /docs/user-agent:test",
        "Disallow: /help/disallow:/path",
        "Disallow: /crawl-delay:10",
        "Disallow: /s/*/_/;/",
        "Disallow: /www.html",
        "Disallow: /www.example.com-archive/",
        "Disallow: /*\"",
        "Disallow: /index.*",
        "Disallow: /js/tests/",
    ] {
        let body = format!("User-agent: *\n{line}\n");
        let report = LintContext::default().lint(body.as_bytes());
        assert_eq!(report.findings.len(), 0, "{line}");
    }
}

/// The advice about a group depends on the crawler that it is most likely for.
#[test]
fn advice_opens_no_crawler_that_is_meant() {
    for (body, advice) in [
        (
            "User-agent: *\n# all\n\nUser-agent: ExampleBot\nDisallow: /\n",
            "if only `ExampleBot` is to be blocked",
        ),
        ("User-agent: *\nDisallow: /a/User-agent: ExampleBot\nDisallow: /\n", "first correct the line above"),
        ("User-agent: *\nDisallow: */\n", "write `Disallow:` without the slash"),
        ("User-agent: *\nDisallow: /\nAllow: images/\n", "write `Disallow:` without the slash"),
        ("User-agent: Googlebot\nUser-agent: ExampleBot\nDisallow: /\n", "remove this line"),
        (
            "User-agent: Googlebot\n\nUser-agent: ExampleBot\nDisallow: /\n",
            "a blank line does not end a group",
        ),
    ] {
        let report = LintContext::default().lint(body.as_bytes());
        let mut helps = report.findings.iter().filter_map(|finding| finding.help.as_deref());
        assert!(helps.any(|help| help.starts_with(advice)), "{body}");
    }
}

/// One correction can make another one possible, and a lint lists at most 100 findings.
#[test]
fn a_second_fix_changes_nothing() {
    let many = (0..250).map(|number| format!("Disallow: /a%2f{number}\r\nDisallow: /a%2F{number}\r\n"));
    let body = format!("User-agent: *\r\n{}Disallow: /end", many.collect::<String>());
    let (after, made) = LintContext::default().lint(body.as_bytes()).fix(body.as_bytes());
    assert_eq!(made, 501);
    assert!(after.ends_with(b"Disallow: /end\r\n") && !after.windows(3).any(|bytes| bytes == b"%2f"));
    assert_eq!(LintContext::default().lint(&after).fix(&after), (after, 0));
}

#[test]
fn lints_that_are_left_out_find_and_correct_nothing() {
    let body = b"User-agent: *\nDisallow: /a%2f\nDisallow: /b\nDisallow: /b\n";
    let mut context = all();
    context.ignored = &[Lint::DuplicateRule];
    let report = context.lint(body);
    assert_eq!(lints(&report), [Lint::EscapeCase]);
    assert_eq!(report.fix(body).0, b"User-agent: *\nDisallow: /a%2F\nDisallow: /b\nDisallow: /b\n");
}

/// Names of the catalogue, and names in real files that are close to them and are right.
#[cfg(feature = "catalogue")]
#[test]
fn mistakes_in_names_of_the_catalogue_are_found() {
    for (written, meant) in [
        ("GPT-Bot", Some("GPTBot")),
        ("GTPBot", Some("GPTBot")),
        ("Bytespyder", Some("Bytespider")),
        ("chatgpt_user", Some("ChatGPT-User")),
        ("faceboookexternallhit", Some("facebookexternalhit")),
        ("gptbot", None),
        ("SemrushBot-SI", None),
        ("aipbot", None),
        ("archive-org.com", None),
        ("discobot", None),
        ("msrbot", None),
        ("naverbot", None),
        ("roverbot", None),
        ("sbider", None),
        ("spbot", None),
        ("vspider", None),
        ("zealbot", None),
    ] {
        let body = format!("User-agent: {written}\nDisallow: /private\n");
        let report = LintContext::default().lint(body.as_bytes());
        let found = report.findings.iter().find(|finding| finding.lint == Lint::AgentMisspelt);
        let suggestion = found.map(|finding| finding.suggestion.clone().unwrap().replacement);
        assert_eq!(suggestion.as_deref(), meant.map(str::as_bytes), "{written}");
    }
    let report = LintContext::default().lint(b"User-agent: GPTBot CCBot;ClaudeBot\nDisallow: /\n");
    assert_eq!(lints(&report), [Lint::AgentList]);
    assert_eq!(
        report.findings[0].message,
        "this line names `GPTBot`, `CCBot`, `ClaudeBot`, but a line can name only one crawler"
    );
    assert_eq!(
        report.findings[0].fix.as_ref().unwrap().replacement,
        b"GPTBot\nUser-agent: CCBot\nUser-agent: ClaudeBot"
    );
    assert!(names("User-agent: ChatGPT Agent\nDisallow: /a\n").is_empty());
}

#[test]
fn findings_that_concern_no_parser_that_matters_are_notes() {
    let body = b"User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n";
    let report = all().lint(body);
    assert_eq!(lints(&report), [Lint::ShadowedRule]);
    assert_eq!(report.severest(), Some(Severity::Note));
    let mut context = all();
    context.parsers = &Document::ALL;
    assert_eq!(context.lint(body).severest(), Some(Severity::Warning));
    // Notes do not take the place of others.
    let allow = "Allow: /a/b\n".repeat(150);
    let body = format!("User-agent: *\nDisallow: /a\n{allow}\nUser-agent: *\n\nDisallow: /\n");
    let report = all().lint(body.as_bytes());
    assert_eq!(report.left_out.get(&(Lint::ShadowedRule, Severity::Note)), Some(&50));
}

/// A path with the words of a record hides no record, so the advice is about the block itself.
#[test]
fn a_path_with_the_words_of_a_record_hides_nothing() {
    for (line, advice) in [
        ("Disallow: /docs/user-agent:test", "write `Disallow:` without the slash"),
        ("Disallow: /a/User-agent: ExampleBot", "first correct the line above"),
        ("\u{FEFF}User-agent: ExampleBot", "first correct the line above"),
        ("Allow: images/", "write `Disallow:` without the slash"),
    ] {
        let body = format!("User-agent: *\nDisallow: /b\n{line}\nDisallow: /\n");
        let report = LintContext::default().lint(body.as_bytes());
        let helps: Vec<_> = report.findings.iter().filter_map(|finding| finding.help.as_deref()).collect();
        assert!(helps.iter().any(|help| help.starts_with(advice)), "{line}: {helps:?}");
    }
    let body = "User-agent: *\nDisallow: /a\nNo-index: /b\n";
    let report = LintContext::default().lint(body.as_bytes());
    assert!(report.findings.iter().any(|finding| finding.lint == Lint::DeprecatedKey));
}
