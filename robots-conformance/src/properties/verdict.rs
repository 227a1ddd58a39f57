//! Properties of verdicts.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

use robots_fetch::matching::syntax::Record;
use robots_fetch::matching::{Crawler, ProductToken, Profile, Robots, RuleSet, Ruling, path_of};

use crate::model::{self, oracle};
use crate::properties::input::{shown, with_crawler};
use crate::properties::same::{same_answer, same_rules};

/// Compiled rules are the canonical rules of the file. The verdict is that of the first rule that
/// matches, with the line and span of this rule in the file.
pub fn verdict(path: &[u8], agents: &[u8], body: &[u8]) {
    for (name, profile) in Profile::NAMED {
        let robots = Robots::new(body, profile);
        let rules = with_crawler(agents, &profile.groups, |crawler| {
            let rules = robots.rules(crawler);
            let groups = robots.groups();
            let selection = groups.select(crawler);
            // One pass over the lines and a selection from all groups give the same rules.
            assert_eq!(rules, RuleSet::compile(&selection, &profile.matching));
            same_rules(&rules, &oracle::compiled(selection.rules(), &profile.matching));
            for path in [path, &*path_of(path, &profile.matching)] {
                same_answer(&robots.check(crawler, path), &rules.check(path));
            }
            rules
        });
        let rulings = rules.rulings();
        assert_eq!((rules.len(), rules.is_empty()), (rulings.len(), rulings.is_empty()));
        oracle::check_as_scanned(&rules, &rulings, path);
        oracle::check_as_scanned(&rules, &rulings, &path_of(path, &profile.matching));
        let verdict = rules.check(path);
        shown(&format!("{verdict} {verdict:?}"));
        if let Some(ruling) = verdict.ruling() {
            let line = robots.lines().nth(ruling.line - 1).expect("the line that decided is one of the file");
            let Record::Rule(rule) = line.record else { panic!("the line that decided is a rule") };
            assert_eq!((rule.effect, rule.pattern.span()), (ruling.effect, ruling.span));
            assert_eq!(ruling.span.of(robots.body()), rule.pattern.octets());
        }
        assert_eq!(rules.check_text(path), rules.check(&path_of(path, &profile.matching)));
        if name == "rfc9309" {
            agrees_with_model(path, agents, &robots);
        }
        among_others(&rulings, path, &profile);
    }
}

/// Rules decide the same among many others, where they are found in another way.
fn among_others(rulings: &[Ruling<'_>], path: &[u8], profile: &Profile) {
    const OTHERS: usize = 200;
    let mut file = b"user-agent: *\n".to_vec();
    // A line can't contain some decoded bytes.
    for ruling in rulings.iter().filter(|ruling| ruling.pattern.iter().all(|byte| *byte > b'#')) {
        file.extend_from_slice(
            &[ruling.effect.to_string().as_bytes(), b": ", ruling.pattern, b"\n"].concat(),
        );
    }
    if file.len() > 400_000 {
        return;
    }
    let alone = RuleSet::read(&file, Crawler::unnamed(), profile);
    for number in 0..OTHERS {
        file.extend_from_slice(format!("disallow: /another-{number}/\n").as_bytes());
    }
    let among = RuleSet::read(&file, Crawler::unnamed(), profile);
    assert_eq!(alone.len() + OTHERS, among.len());
    let (alone, among) = (alone.check(path), among.check(path));
    if !among.ruling().is_some_and(|ruling| ruling.pattern.starts_with(b"/another-")) {
        assert_eq!(alone, among);
    }
}

/// The implementation agrees with the model of RFC 9309, for the first two of `agents`.
pub fn agrees_with_model(path: &[u8], agents: &[u8], robots: &Robots) {
    let all = robots.lines();
    let read = robots.body().get(all.skipped().end()..all.dropped().start()).unwrap_or_default();
    let agents = String::from_utf8_lossy(agents);
    for token in agents.split(',').filter_map(|name| ProductToken::new(name).ok()).take(2) {
        let rules = robots.rules(&token);
        let verdict = rules.check(path);
        let found = (verdict.is_allowed(), verdict.line());
        assert_eq!(found, model::verdict(read, token.as_str(), path), "{token} {}", path.escape_ascii());
    }
}
