//! Checks that no suggestion of a lint changes more than it shows: `cargo run --release --example lint_suggestions FOLDER`.
//!
//! Each suggestion for each file of a folder is made by itself. Under every document and for every crawler that the file names, and
//! one that it does not, each path whose verdict changes has to match a pattern that the finding prints: in its message, in its
//! advice, or in the lines before and after the change. This is proved: rules that decide about these paths in the same way are
//! added to both rule sets, which then may not differ. A suggestion that changes a user-agent line is about which crawlers obey a
//! group, so nothing may change for crawlers that neither the finding nor its lines name.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its result")]

extern crate alloc;

use alloc::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use robots_fetch::matching::groups::Groups;
use robots_fetch::matching::groups::syntax::{Effect, Lines, Record, Rule};
use robots_fetch::matching::lint::{Edit, Finding, LintContext};
use robots_fetch::matching::{Crawler, Difference, Document, Profile, RuleSet};

/// The most crawlers of a file, and the largest files that are checked.
const MOST_CRAWLERS: usize = 4;
const LARGEST: usize = 64 * 1024;

#[derive(Default)]
struct Counts {
    proved: usize,
    about_agents: usize,
    undecided: usize,
}

fn main() -> ExitCode {
    let Some(folder) = env::args_os().nth(1) else {
        eprintln!("usage: lint_suggestions FOLDER");
        return ExitCode::FAILURE;
    };
    match check_folder(&PathBuf::from(folder)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn check_folder(folder: &PathBuf) -> std::io::Result<usize> {
    let (mut counts, mut wrong) = (BTreeMap::<&str, Counts>::new(), 0);
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let body = fs::read(entry.path())?;
        if body.len() > LARGEST {
            continue;
        }
        let mut context = LintContext::default();
        context.all = true;
        for finding in context.lint(&body).findings {
            let Some(edit) = &finding.suggestion else { continue };
            let of = counts.entry(finding.lint.name()).or_default();
            let (shown, names) = match patterns(&body, &finding, edit) {
                Some(shown) => (shown, None),
                None => (Vec::new(), Some(names(&body, &finding, edit))),
            };
            match changes(&body, &edited(&body, edit), &shown, names.as_deref()) {
                Ok(true) if names.is_some() => of.about_agents += 1,
                Ok(true) => of.proved += 1,
                Ok(false) => of.undecided += 1,
                Err(what) => {
                    wrong += 1;
                    println!(
                        "{} line {}: {}: {what}",
                        entry.file_name().display(),
                        finding.line,
                        finding.lint
                    );
                }
            }
        }
    }
    for (code, Counts { proved, about_agents, undecided }) in counts {
        println!(
            "{code}: {proved} change only the patterns that they show, {about_agents} only the crawlers that they name, {undecided} undecided"
        );
    }
    println!("{wrong} suggestions change more than they show");
    Ok(wrong)
}

fn edited(body: &[u8], edit: &Edit) -> Vec<u8> {
    let before = body.get(..edit.span.start()).unwrap_or_default();
    let after = body.get(edit.span.end()..).unwrap_or_default();
    [before, &edit.replacement, after].concat()
}

/// The lines that an edit touches, and what they become.
fn touched(body: &[u8], edit: &Edit) -> [Vec<u8>; 2] {
    let before = body.get(..edit.span.start()).unwrap_or_default();
    let after = body.get(edit.span.end()..).unwrap_or_default();
    let start = before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
    let len = after.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(after.len());
    let (head, tail) = (before.get(start..).unwrap_or_default(), after.get(..len).unwrap_or_default());
    [[head, edit.span.of(body), tail].concat(), [head, &edit.replacement, tail].concat()]
}

/// The patterns that a finding prints; `None` if it is about a user-agent line.
fn patterns(body: &[u8], finding: &Finding, edit: &Edit) -> Option<Vec<Vec<u8>>> {
    let text = format!("{} {}", finding.message, finding.help.as_deref().unwrap_or_default());
    let mut patterns: Vec<Vec<u8>> =
        text.split('`').skip(1).step_by(2).map(|quoted| quoted.as_bytes().to_vec()).collect();
    for lines in touched(body, edit) {
        for document in Document::ALL {
            let profile = Profile::from(document);
            for line in Lines::new(&lines, &profile.syntax) {
                match line.record {
                    Record::UserAgent(_) => return None,
                    Record::Rule(rule) => patterns.push(rule.pattern.bytes().to_vec()),
                    _ => {}
                }
            }
        }
    }
    patterns.retain(|pattern| matches!(pattern.first(), Some(b'/' | b'*')));
    patterns.sort();
    patterns.dedup();
    Some(patterns)
}

/// The names of crawlers that a finding and the lines of its suggestion have, in lower case.
fn names(body: &[u8], finding: &Finding, edit: &Edit) -> Vec<Vec<u8>> {
    let text = format!("{} {}", finding.message, finding.help.as_deref().unwrap_or_default());
    let mut names: Vec<Vec<u8>> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .flat_map(|quoted| quoted.split(['/', ',', '(', ';']))
        .map(|name| name.trim().as_bytes().to_ascii_lowercase())
        .collect();
    for lines in touched(body, edit) {
        for document in Document::ALL {
            for line in Lines::new(&lines, &Profile::from(document).syntax) {
                if let Record::UserAgent(agent) = line.record {
                    names.push(agent.bytes().to_ascii_lowercase());
                }
            }
        }
    }
    names
}

/// Proves that verdicts change only for paths that match one of the patterns, or only for the crawlers with one of the names. Returns
/// whether everything was decided.
fn changes(
    before: &[u8],
    after: &[u8],
    shown: &[Vec<u8>],
    names: Option<&[Vec<u8>]>,
) -> Result<bool, String> {
    // A line for `*` is about every crawler.
    if names.is_some_and(|names| names.iter().any(|name| name == b"*")) {
        return Ok(true);
    }
    let mut is_decided = true;
    for document in Document::ALL {
        let profile = Profile::from(document);
        let groups = Groups::parse(before, &profile.syntax, &profile.groups);
        let agents = groups.iter().flat_map(|group| group.agents());
        let named = agents.filter_map(|agent| Crawler::new(core::str::from_utf8(agent.bytes()).ok()?).ok());
        let unnamed = Crawler::new("UnnamedBot").ok();
        let is_meant = |crawler: &Crawler| {
            let mut tokens = crawler.names().map(|name| name.as_bytes().to_ascii_lowercase());
            names.is_some_and(|names| tokens.any(|token| names.contains(&token)))
        };
        let others = named.filter(|crawler| !is_meant(crawler));
        for crawler in unnamed.into_iter().chain(others.take(MOST_CRAWLERS)) {
            let before = with_rules(before, &crawler, &profile, shown);
            let after = with_rules(after, &crawler, &profile, shown);
            let difference = before.difference(&after, Difference::MAX_STATES);
            for (change, what) in
                [(&difference.newly_disallowed, "closes"), (&difference.newly_allowed, "opens")]
            {
                match change.witness() {
                    Some(witness) => {
                        return Err(format!("it {what} {} for {crawler:?} under {document}", witness.path));
                    }
                    None => is_decided &= change.is_nothing(),
                }
            }
        }
    }
    Ok(is_decided)
}

/// The rules of a crawler, with rules that come before all others for the patterns that are shown. Stars at the end make a pattern
/// longer, and match nothing more.
fn with_rules(body: &[u8], crawler: &Crawler, profile: &Profile, shown: &[Vec<u8>]) -> RuleSet {
    let groups = Groups::parse(body, &profile.syntax, &profile.groups);
    let selection = groups.select(crawler);
    let rules: Vec<Rule<'_>> = selection.rules().collect();
    let longest = rules.iter().map(|rule| rule.pattern.bytes().len()).max().unwrap_or_default() * 3 + 1;
    let stars = if profile.matching.wildcards { longest } else { 0 };
    let mut text = b"User-agent: *\n".to_vec();
    for pattern in shown {
        let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
        text.extend([b"Allow: ", pattern, &vec![b'*'; stars], b"\n"].concat());
    }
    for rule in &rules {
        let key: &[u8] = if rule.effect == Effect::Allow { b"Allow: " } else { b"Disallow: " };
        text.extend([key, rule.pattern.bytes(), b"\n"].concat());
    }
    RuleSet::parse(&text, &Crawler::unnamed(), profile)
}
