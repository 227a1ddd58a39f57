//! Properties of large rule sets.
#![expect(clippy::missing_panics_doc, reason = "a property panics if it does not hold")]

use robots_fetch::matching::groups::Groups;
use robots_fetch::matching::{Crawler, Form, MatchPolicy, Precedence, ReservedBytes, Robots, RuleSet};

use super::input::rooted;
use crate::model::oracle;
use crate::properties::input::same_rules;
use crate::suite::names::READING_PROFILES;

/// A large rule set decides like a scan of its rules one by one. The rules are made of the words of `data`, which
/// begins with the binary logarithm of the number of rules, knobs to change, the profile, and a seed.
pub fn ruleset(data: &[u8]) {
    let Some(([size, knobs, which, seed], text)) =
        data.split_first_chunk::<4>().map(|(head, text)| (*head, text))
    else {
        return;
    };
    let mut words: Vec<&[u8]> = text
        .split(|byte| matches!(byte, b'\n' | b'\r' | b' ' | b'\t' | b'#' | 0))
        .map(|word| word.get(..word.len().min(12)).unwrap_or_default())
        .take(64)
        .collect();
    words.extend([&b"/"[..], b"*", b"$", b"a"]);
    let mut random = u64::from(seed) << 8 | 1;
    let mut below = |most: usize| {
        // xorshift64
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random >> 33).unwrap_or_default() % most.max(1)
    };
    let phrase = |most: usize, below: &mut dyn FnMut(usize) -> usize| -> Vec<u8> {
        let mut phrase = b"/".to_vec();
        for _ in 0..below(most) + 1 {
            phrase.extend(words.get(below(words.len())).copied().unwrap_or_default());
        }
        phrase
    };
    let mut file = b"user-agent: *\n".to_vec();
    let count = (1_usize << (size % 12)) + usize::from(size >> 4);
    for _ in 0..count {
        file.extend_from_slice(if below(3) == 0 { b"allow: " } else { b"disallow: " });
        let pattern = phrase(5, &mut below);
        file.extend(match below(24) {
            0 => &[],
            1 => pattern.get(1..).unwrap_or_default(),
            _ => &pattern[..],
        });
        file.push(b'\n');
    }
    let (_, mut profile) = READING_PROFILES.into_iter().nth(usize::from(which & 3)).unwrap_or_default();
    turn(&mut profile.matching, knobs);
    let rules = RuleSet::parse(&file, &Crawler::unnamed(), &profile);
    let groups = Groups::parse(&file, &profile.syntax, &profile.groups);
    let selected = groups.select(&Crawler::unnamed());
    same_rules(&rules, &oracle::compiled(selected.rules(), &profile.matching));
    let robots = Robots::new(&file, profile);
    let compiled = rules.compiled_rules();
    for _ in 0..12 {
        let mut path = phrase(7, &mut below);
        if let Some(rule) = compiled.get(below(compiled.len() * 2)) {
            path = rule.pattern.to_vec();
            let star = phrase(3, &mut below);
            if below(2) == 0 {
                path = path.split(|&byte| byte == b'*').collect::<Vec<_>>().join(&star[..]);
            }
            path.truncate(path.len() - path.len().min(below(3)));
            if below(2) == 0 {
                path.extend(phrase(2, &mut below));
            }
        }
        let path = rooted(&path);
        oracle::check_as_scanned(&rules, &compiled, &path);
        assert_eq!(robots.check(&Crawler::unnamed(), &path), rules.check(&path));
    }
}

/// Changes the knobs of matching whose bits are set in `knobs`.
fn turn(policy: &mut MatchPolicy, knobs: u8) {
    if knobs & 1 != 0 {
        policy.precedence = match policy.precedence {
            Precedence::First => Precedence::MostBytes,
            _ => Precedence::First,
        };
    }
    if knobs & 2 != 0 {
        policy.reserved = match policy.reserved {
            ReservedBytes::Equal => ReservedBytes::AsWritten,
            _ => ReservedBytes::Equal,
        };
    }
    if knobs & 4 != 0 {
        policy.wildcards = !policy.wildcards;
    }
    // The order of two rules of one line is undefined, and so is the `$` of a directory if `$` is not special.
    let has_order = policy.precedence == Precedence::MostBytes && policy.wildcards;
    policy.index_page_allows_directory = has_order && (knobs & 8 != 0 || policy.index_page_allows_directory);
    if knobs & 16 != 0 {
        policy.empty_pattern = true;
    }
    if knobs & 32 != 0 {
        policy.robots_txt_always_allowed = false;
    }
    if knobs & 64 != 0 {
        policy.pattern = Form::AsWritten;
    }
    if knobs & 128 != 0 {
        policy.path = Form::AsWritten;
    }
}
