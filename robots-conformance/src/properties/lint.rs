//! Properties of findings, corrections, explanations, other records and written files. Each function panics if its property
//! does not hold.
#![expect(clippy::missing_panics_doc, reason = "a property panics if it does not hold")]

use robots_fetch::matching::lint::{LintContext, LintReport};
use robots_fetch::matching::records::{RecordValue, Records};
use robots_fetch::matching::syntax::Grammar;
use robots_fetch::matching::{Builder, Crawler, Profile, Robots};

use crate::properties::input::crawler_with_names;
use crate::suite::names::READING_PROFILES;

/// Findings are within the file, and corrections change no verdict and no other record.
pub fn linting(path: &[u8], agents: &[u8], file: &[u8]) {
    let names = String::from_utf8_lossy(agents);
    let mut context = LintContext::default();
    context.url = names.contains("://").then_some(&*names);
    context.content_type = names.contains('/').then_some(&*names);
    for (_, profile) in READING_PROFILES.into_iter().skip(file.len() % 4).take(1) {
        context.profile = profile;
        let report = context.lint(file);
        assert!(report.findings.is_sorted_by_key(|finding| finding.span.start()));
        for finding in &report.findings {
            assert!(finding.span.end() <= file.len() && finding.line >= 1, "{finding:?}");
            one_line(&finding.to_string());
            finding.help.iter().for_each(|help| one_line(help));
            if let Some((span, what)) = &finding.other {
                assert!(span.end() <= file.len());
                one_line(what);
            }
            let same = report.findings.iter().filter(|other| other.lint == finding.lint).count();
            assert!(same <= LintReport::MAX_PER_LINT);
        }
        assert_eq!(report.severest().is_none(), report.findings.is_empty());
        let (mended, made) = report.fix(file);
        assert!(made > 0 || mended == file);
        same_answers(path, &names, file, &mended);
    }
}

/// Two files have the same verdict for a path and names, and the same other records, under every profile.
fn same_answers(path: &[u8], names: &str, before: &[u8], after: &[u8]) {
    for (profile_name, profile) in READING_PROFILES {
        let crawler = crawler_with_names(names.split(','));
        let [first, second] = [before, after].map(|file| {
            let robots = Robots::new(file, profile);
            let allowed = robots.rules(&crawler).check(path).is_allowed();
            let others: Vec<(Vec<u8>, Vec<u8>)> = robots
                .other_records()
                .map(|(key, value)| (key.bytes().to_ascii_lowercase(), value.bytes().to_vec()))
                .collect();
            (allowed, others)
        });
        assert_eq!(first, second, "{profile_name} {} {}", before.escape_ascii(), after.escape_ascii());
    }
}

/// An explanation agrees with the verdict on the result, the rule and its line.
pub fn explaining(url: &[u8], agents: &[u8], file: &[u8]) {
    let names = String::from_utf8_lossy(agents);
    let names: Vec<&str> = names.split(',').collect();
    let crawler = crawler_with_names(names.iter().copied());
    for (name, profile) in READING_PROFILES {
        let robots = Robots::new(file, profile);
        let rules = robots.rules(&crawler);
        let verdict = rules.check(url);
        let explained = robots.explain(&crawler, url);
        assert_eq!(explained.is_allowed(), verdict.is_allowed(), "{name} {explained:?} {verdict:?}");
        assert_eq!(explained.winner().map(|rule| rule.line), verdict.line(), "{name} {explained:?}");
        assert_eq!(explained.verdict, verdict);
        assert_eq!(explained.basis, rules.basis());
        let applied: Vec<usize> = explained.applied().map(|rule| rule.line()).collect();
        let selected: Vec<usize> = robots.groups().select(&crawler).rules().map(|rule| rule.line()).collect();
        assert_eq!(applied, selected);
        assert_eq!(explained.groups.len(), robots.groups().len());
    }
}

/// All other records of the file are found, whatever their values are.
pub fn recording(file: &[u8]) {
    for (_, profile) in READING_PROFILES {
        let robots = Robots::new(file, profile);
        let groups = robots.groups();
        let records = Records::new(&robots, &groups);
        let found: Vec<&[u8]> = records.all().iter().map(|record| record.key.bytes()).collect();
        let read: Vec<&[u8]> = robots.other_records().map(|(key, _)| key.bytes()).collect();
        assert_eq!(found, read);
        assert!(records.sitemaps().count() <= found.len());
        for (record, problem) in records.problems() {
            one_line(&format!("{problem:?} {:?}", record.kind));
        }
        let selection = groups.select(&Crawler::unnamed());
        let mine = records.for_crawler(&selection);
        let shown = (mine.crawl_delay(), mine.iter().count(), mine.licenses().count());
        assert!(shown.1 <= found.len() && shown.2 <= found.len());
        mine.visit_times().for_each(|window| {
            let inside = (0..24).filter(|&hour| window.contains(hour, 30)).count();
            assert!(inside <= 24);
        });
        assert!(mine.iter().all(|record| match &record.value {
            Some(RecordValue::RequestRate { requests, period, .. }) => *requests > 0 && !period.is_zero(),
            Some(RecordValue::CleanParam { names, .. }) => names.iter().all(|name| !name.is_empty()),
            _ => true,
        }));
        assert!(mine.content_signals().count() <= found.len());
        let [signal, again] = [b"/", b"/"].map(|path| mine.signal("search", path));
        assert_eq!(signal, again);
    }
}

/// Written files read back as they were written: each line of `data` is used as a name, a pattern, a comment or another
/// record.
pub fn building(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut builder = Builder::new();
    let (mut agents, mut rules) = (0, 0);
    for (index, line) in text.split('\n').enumerate() {
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        match index % 4 {
            0 => {
                let Ok(mut group) = builder.group([key, "*"]) else { continue };
                assert!(key == "*" || Crawler::new(key).is_ok(), "{key:?} is not the name of a crawler");
                agents += 2;
                // A group without rules is written with an empty rule.
                rules += 1;
                drop(group.allow(value.as_bytes()).map(|_| ()));
            }
            1 => drop(builder.comment(line).map(|_| ())),
            2 => drop(builder.sitemap(line).map(|_| ())),
            _ => drop(builder.record(key, value).map(|_| ())),
        }
    }
    // A name with other characters is written with a warning, and departs from the grammar.
    let conforms = builder.warnings().is_empty();
    let written = builder.text();
    assert_eq!(Grammar::Rfc9309.check(written.as_bytes()).is_ok(), conforms, "{written:?}");
    let robots = Robots::new(written.as_bytes(), Profile::RFC9309);
    let groups = robots.groups();
    let (read_agents, read_rules) =
        groups.iter().fold((0, 0), |sum, group| (sum.0 + group.agents().len(), sum.1 + group.rules().len()));
    assert_eq!((read_agents, read_rules), (agents, rules), "{written:?}");
    assert!(groups.strays().is_empty());
}

fn one_line(message: &str) {
    assert!(!message.is_empty() && !message.chars().any(char::is_control), "{message:?}");
}
