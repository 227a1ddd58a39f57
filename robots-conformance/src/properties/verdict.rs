//! Properties of verdicts.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

use robots_fetch::matching::syntax::Record;
use robots_fetch::matching::{CompiledRule, Crawler, Profile, Reason, Robots, RuleSet, path_of};

use super::input::rooted;
use crate::model::{self, oracle};
use crate::properties::input::{crawler_from_list, same_rules, shown};
use crate::suite::names::READING_PROFILES;

/// Compiled rules are the canonical rules of the file. The verdict is that of the first rule that
/// matches, with the line and span of this rule in the file.
pub fn verdict(path: &[u8], agents: &[u8], body: &[u8]) {
    let text = path;
    let path = &*rooted(path);
    for (name, profile) in READING_PROFILES {
        let robots = Robots::new(body, profile);
        let crawler = crawler_from_list(agents);
        let rules = robots.rules(&crawler);
        let groups = robots.groups();
        let selection = groups.select(&crawler);
        // One pass over the lines and a selection from all groups give the same rules.
        assert_eq!(rules, RuleSet::compile(&selection, &profile.matching));
        same_rules(&rules, &oracle::compiled(selection.rules(), &profile.matching));
        for path in [text, path, &*path_of(path, &profile.matching)] {
            assert_eq!(robots.check(&crawler, path), rules.check(path));
        }
        // A text that is neither a path nor a URL has no rules, and is not allowed.
        if !text.starts_with(b"/") && !text.windows(3).any(|bytes| bytes == b"://") {
            assert_eq!(rules.check(text).reason(), Reason::NotUrl);
        }
        let compiled = rules.compiled_rules();
        assert_eq!((rules.len(), rules.is_empty()), (compiled.len(), compiled.is_empty()));
        oracle::check_as_scanned(&rules, &compiled, path);
        oracle::check_as_scanned(&rules, &compiled, &path_of(path, &profile.matching));
        let verdict = rules.check(path);
        shown(&format!("{verdict} {verdict:?}"));
        if let Some(deciding) = verdict.rule() {
            let line =
                robots.lines().nth(deciding.line - 1).expect("the line that decided is one of the file");
            let Record::Rule(rule) = line.record else { panic!("the line that decided is a rule") };
            assert_eq!((rule.effect, rule.pattern.span()), (deciding.effect, deciding.span));
            assert_eq!(deciding.span.of(robots.body()), rule.pattern.bytes());
        }
        if name == "rfc9309" {
            agrees_with_model(path, agents, &robots);
        }
        among_others(&compiled, path, &profile);
    }
}

/// Rules decide the same among many others, where they are found in another way.
fn among_others(compiled: &[CompiledRule<'_>], path: &[u8], profile: &Profile) {
    const OTHERS: usize = 200;
    let mut file = b"user-agent: *\n".to_vec();
    // A line can't contain some decoded bytes.
    for rule in compiled.iter().filter(|rule| rule.pattern.iter().all(|byte| *byte > b'#')) {
        file.extend_from_slice(&[rule.effect.to_string().as_bytes(), b": ", rule.pattern, b"\n"].concat());
    }
    if file.len() > 400_000 {
        return;
    }
    let single = RuleSet::parse(&file, &Crawler::unnamed(), profile);
    for number in 0..OTHERS {
        file.extend_from_slice(format!("disallow: /another-{number}/\n").as_bytes());
    }
    let among = RuleSet::parse(&file, &Crawler::unnamed(), profile);
    assert_eq!(single.len() + OTHERS, among.len());
    let another = among.deciding_rule(path).is_some_and(|rule| rule.pattern.starts_with(b"/another-"));
    if !another {
        assert_eq!(single.check(path), among.check(path));
    }
}

/// The implementation agrees with the model of RFC 9309, for the first two of `agents`.
pub fn agrees_with_model(path: &[u8], agents: &[u8], robots: &Robots) {
    let path = &*rooted(path);
    let all = robots.lines();
    let read = robots.body().get(all.skipped().end()..all.dropped().start()).unwrap_or_default();
    let agents = String::from_utf8_lossy(agents);
    for (name, crawler) in agents.split(',').filter_map(|name| Some((name, Crawler::new(name).ok()?))).take(2)
    {
        let rules = robots.rules(&crawler);
        let verdict = rules.check(path);
        let found = (verdict.is_allowed(), verdict.line());
        assert_eq!(found, model::verdict(read, name, path), "{name} {}", path.escape_ascii());
    }
}
