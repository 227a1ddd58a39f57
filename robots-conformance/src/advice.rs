//! Properties of what is said about files beyond verdicts: findings, corrections, explanations, other records, and
//! files that are written. Each function panics where its property does not hold.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

use robots_fetch::matching::explain::verdicts_by_profile;
use robots_fetch::matching::lint::{Facts, MOST, fixed, lint};
use robots_fetch::matching::records::Records;
use robots_fetch::matching::syntax::Grammar;
use robots_fetch::matching::{Builder, Crawler, ProductToken, Profile, Robots};

/// Findings are about places of the file, and corrections change no verdict and no other record.
pub fn linting(path: &[u8], agents: &[u8], file: &[u8]) {
    let names = String::from_utf8_lossy(agents);
    let mut facts = Facts::default();
    facts.url = names.contains("://").then_some(&*names);
    facts.content_type = names.contains('/').then_some(&*names);
    for (_, profile) in Profile::NAMED.into_iter().skip(file.len() % 4).take(1) {
        facts.profile = profile;
        let report = lint(file, &facts);
        assert!(report.findings.is_sorted_by_key(|finding| finding.span.start()));
        for finding in &report.findings {
            assert!(finding.span.end() <= file.len() && finding.line >= 1, "{finding:?}");
            one_line(&finding.to_string());
            finding.help.iter().for_each(|help| one_line(help));
            if let Some((span, what)) = &finding.other {
                assert!(span.end() <= file.len());
                one_line(what);
            }
            let same = report.findings.iter().filter(|other| other.code == finding.code).count();
            assert!(same <= MOST);
        }
        assert_eq!(report.severest().is_none(), report.findings.is_empty());
        let (mended, made) = fixed(file, &report);
        assert!(made > 0 || mended == file);
        same_answers(path, &names, file, &mended);
    }
}

/// Two files say the same to every profile, for a path and names.
fn same_answers(path: &[u8], names: &str, before: &[u8], after: &[u8]) {
    for (profile_name, profile) in Profile::NAMED {
        let tokens: Vec<ProductToken<'_>> =
            names.split(',').filter_map(|name| ProductToken::admitted(name, &profile.groups).ok()).collect();
        let [first, second] = [before, after].map(|file| {
            let robots = Robots::new(file, profile);
            let allowed = robots.rules(Crawler::new(&tokens)).check(path).is_allowed();
            let others: Vec<(Vec<u8>, Vec<u8>)> = robots
                .other_records()
                .map(|(key, value)| (key.bytes().to_ascii_lowercase(), value.bytes().to_vec()))
                .collect();
            (allowed, others)
        });
        assert_eq!(first, second, "{profile_name} {} {}", before.escape_ascii(), after.escape_ascii());
    }
}

/// An explanation says what the verdict says, and tells of its rule where it stands.
pub fn explaining(url: &[u8], agents: &[u8], file: &[u8]) {
    let names = String::from_utf8_lossy(agents);
    let names: Vec<&str> = names.split(',').collect();
    for ((name, profile), answer) in Profile::NAMED.into_iter().zip(verdicts_by_profile(file, &names, url)) {
        let robots = Robots::new(file, profile);
        let tokens: Vec<ProductToken<'_>> =
            names.iter().filter_map(|name| ProductToken::admitted(name, &profile.groups).ok()).collect();
        let crawler = Crawler::new(&tokens);
        let rules = robots.rules(crawler);
        let verdict = rules.check_text(url);
        let explained = robots.explain(crawler, url);
        assert_eq!((name, verdict.is_allowed()), (answer.profile, answer.is_allowed));
        assert_eq!(explained.is_allowed(), verdict.is_allowed(), "{name} {explained:?} {verdict:?}");
        assert_eq!(explained.winner().map(|rule| rule.line), verdict.line(), "{name} {explained:?}");
        assert_eq!(answer.line.map(|(line, _)| line), verdict.line());
        assert_eq!(explained.decision.code(), verdict.reason().code());
        assert_eq!((explained.basis, answer.basis), (rules.basis(), rules.basis()));
        let applied: Vec<usize> = explained.applied().map(|rule| rule.line()).collect();
        let selected: Vec<usize> = robots.groups().select(crawler).rules().map(|rule| rule.line()).collect();
        assert_eq!(applied, selected);
        assert_eq!(explained.groups.len(), robots.groups().len());
    }
}

/// Other records are those of the file, whatever their values are.
pub fn recording(file: &[u8]) {
    for (_, profile) in Profile::NAMED {
        let robots = Robots::new(file, profile);
        let groups = robots.groups();
        let records = Records::new(&robots, &groups);
        let found: Vec<&[u8]> = records.all().iter().map(|record| record.key.bytes()).collect();
        let read: Vec<&[u8]> = robots.other_records().map(|(key, _)| key.bytes()).collect();
        assert_eq!(found, read);
        assert!(records.sitemaps().count() <= found.len());
        assert!(records.hosts().count() + records.clean_params().count() <= found.len());
        for (record, problem) in records.problems() {
            one_line(&format!("{problem:?} {:?}", record.kind));
        }
        let selection = groups.select(Crawler::unnamed());
        let mine = records.for_crawler(&selection);
        let shown = (mine.crawl_delay(), mine.iter().count(), mine.licenses().count());
        assert!(shown.1 <= found.len() && shown.2 <= found.len());
        mine.visit_times().for_each(|window| {
            let inside = (0..24).filter(|&hour| window.contains(hour, 30)).count();
            assert!(inside <= 24);
        });
        assert!(mine.request_rates().all(|rate| !rate.period().is_zero()));
        assert!(mine.content_signals().count() <= found.len());
        let [signal, again] = [b"/", b"/"].map(|path| mine.signal("search", path));
        assert_eq!(signal, again);
    }
}

/// What is written reads back: lines of `data` are tried as a name, a pattern, a comment and another record.
pub fn building(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut builder = Builder::new();
    let (mut agents, mut rules) = (0, 0);
    for (index, line) in text.split('\n').enumerate() {
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        match index % 4 {
            0 => {
                let Ok(mut group) = builder.group([key, "*"]) else { continue };
                assert!(key == "*" || ProductToken::new(key).is_ok(), "{key:?} is not the name of a crawler");
                agents += 2;
                let done = group.allow(value.as_bytes()).is_ok();
                rules += usize::from(done);
                // A group without rules is written with an empty rule.
                rules += usize::from(!done);
            }
            1 => drop(builder.comment(line).map(|_| ())),
            2 => drop(builder.sitemap(line).map(|_| ())),
            _ => drop(builder.record(key, value).map(|_| ())),
        }
    }
    let written = builder.text();
    assert_eq!(Grammar::Rfc9309.check(written.as_bytes()), Ok(()), "{written:?}");
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
