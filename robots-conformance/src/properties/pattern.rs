//! Properties of one pattern and one path, and of URLs as text.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

use robots_fetch::matching::syntax::{Lines, Record};
use robots_fetch::matching::{Crawler, Form, MatchPolicy, Profile, ReservedBytes, RuleSet, path_of};

use super::input::rooted;
use crate::model::oracle;
use crate::suite::names::READING_PROFILES;

/// A pattern matches a path as the oracle says, in a file with only this rule.
pub fn pattern(pattern: &[u8], path: &[u8]) {
    let path = &*rooted(path);
    for (_, profile) in READING_PROFILES {
        let Some(rules) = with_one_rule(b"disallow", pattern, &profile) else { continue };
        let policy = &profile.matching;
        let whole = if path.is_empty() { b"/" } else { path };
        let formed = oracle::path_in(policy.path, whole);
        let compiled = oracle::pattern_in(policy.pattern, policy.wildcards, pattern);
        let is_met = !compiled.is_empty()
            && oracle::applies(&compiled, &formed, policy)
            && !(policy.robots_txt_always_allowed && formed == b"/robots.txt");
        assert_eq!(
            rules.check(path).is_allowed(),
            !is_met,
            "{} {}",
            pattern.escape_ascii(),
            path.escape_ascii()
        );
    }
}

/// Compiles one rule for all crawlers; `None` if a line can't contain the whole `pattern`.
fn with_one_rule(key: &[u8], pattern: &[u8], profile: &Profile) -> Option<RuleSet> {
    let file = [b"user-agent: *\n", key, b": ", pattern, b"\n"].concat();
    let mut rules = Lines::new(&file, &profile.syntax).skip(1).filter_map(|line| match line.record {
        Record::Rule(rule) => Some(rule),
        _ => None,
    });
    let rule = rules.next()?;
    (rule.pattern.bytes() == pattern && rules.next().is_none())
        .then(|| RuleSet::parse(&file, &Crawler::unnamed(), profile))
}

/// Canonical forms are idempotent, and the encoding of a path changes no verdict unless the profile compares paths as
/// written.
pub fn canonical(pattern: &[u8], path: &[u8]) {
    let path = &*rooted(path);
    for (_, profile) in READING_PROFILES {
        let policy = &profile.matching;
        let Some(rules) = with_one_rule(b"disallow", pattern, &profile) else { continue };
        for rule in rules.compiled_rules() {
            let formed = oracle::pattern_in(policy.pattern, policy.wildcards, pattern);
            let formed = match policy.reserved {
                ReservedBytes::Equal => oracle::reserved_decoded(&formed, policy.wildcards),
                _ => formed,
            };
            assert_eq!(rule.pattern, formed);
            if let Some(again) = with_one_rule(b"disallow", rule.pattern, &profile) {
                let again = again.compiled_rules();
                assert_eq!(again.first().map(|rule| rule.pattern), Some(rule.pattern));
            }
        }
        let verdict = rules.check(path).is_allowed();
        if policy.path == Form::AsWritten {
            continue;
        }
        let units = oracle::units(path);
        // Bytes that may be encoded: those that are not delimiters; if the policy decodes all, all bytes except the
        // slash.
        let rewritten: Vec<u8> = units
            .iter()
            .enumerate()
            .flat_map(|(index, &oracle::Unit { encoded, byte, .. })| {
                let may = match policy.path {
                    Form::Normal => {
                        byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || !byte.is_ascii()
                    }
                    _ => byte != b'/' && byte != b'%',
                };
                match (encoded || may && index % 3 != 1, index % 2 == 0) {
                    (false, _) => vec![byte],
                    (true, false) => format!("%{byte:02X}").into_bytes(),
                    (true, true) => format!("%{byte:02x}").into_bytes(),
                }
            })
            .collect();
        // An empty path means `/`; no other text does.
        assert_eq!(
            rules.check(&rewritten).is_allowed(),
            verdict,
            "{} {}",
            path.escape_ascii(),
            rewritten.escape_ascii()
        );
        let formed = oracle::path_in(policy.path, path);
        assert_eq!(rules.check(&formed).is_allowed(), verdict);
    }
}

/// The path of a URL as text is the part between its authority and its fragment.
pub fn url_text(url: &[u8]) {
    for semicolon in [false, true] {
        let mut policy = MatchPolicy::RFC9309;
        policy.semicolon_ends_authority = semicolon;
        let ends = |byte: u8| matches!(byte, b'/' | b'?') || semicolon && byte == b';';
        let text: Vec<u8> = url.iter().copied().take_while(|&byte| byte != b'#').collect();
        let scheme_end =
            (0..text.len()).find(|&at| text.get(at..).is_some_and(|rest| rest.starts_with(b"://")));
        let authority_at = match scheme_end {
            _ if text.starts_with(b"//") => 2,
            Some(end) if !text.iter().take(end).any(|&byte| ends(byte)) => end + 3,
            _ => 0,
        };
        let mut expected: Vec<u8> =
            text.into_iter().skip(authority_at).skip_while(|&byte| !ends(byte)).collect();
        if expected.first() != Some(&b'/') {
            expected.insert(0, b'/');
        }
        assert_eq!(path_of(url, &policy), expected, "{}", url.escape_ascii());
    }
}
