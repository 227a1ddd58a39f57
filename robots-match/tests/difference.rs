//! The difference of two rule sets, compared with the verdicts about all short paths.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on ends")]

mod changes;

use std::collections::HashMap;

use robots_match::{Change, Difference, Form, MatchPolicy, Precedence, Profile, ReservedBytes, RuleSet};

use crate::changes::{changed, rules};

/// Returns RFC 9309's profile with a changed policy.
fn with(change: impl FnOnce(&mut MatchPolicy)) -> Profile {
    let mut profile = Profile::RFC9309;
    change(&mut profile.matching);
    profile
}

#[test]
fn both_directions_have_a_shortest_path() {
    struct Case {
        before: &'static str,
        after: &'static str,
        disallowed: Option<&'static str>,
        allowed: Option<&'static str>,
    }
    let cases = [
        Case { before: "", after: "", disallowed: None, allowed: None },
        Case { before: "", after: "disallow: /", disallowed: Some("/"), allowed: None },
        Case { before: "disallow: /a", after: "disallow: /b", disallowed: Some("/b"), allowed: Some("/a") },
        Case {
            before: "disallow: /a\ndisallow: /a/b",
            after: "disallow: /a*",
            disallowed: None,
            allowed: None,
        },
        Case { before: "disallow: /a$", after: "disallow: /a", disallowed: Some("/ax"), allowed: None },
        Case { before: "allow: /*a$", after: "disallow: /*a$", disallowed: Some("/a"), allowed: None },
        Case { before: "disallow: /%7ea", after: "disallow: /~a", disallowed: None, allowed: None },
        Case { before: "disallow: foo", after: "", disallowed: None, allowed: None },
        Case { before: "disallow: /robots.txt$", after: "", disallowed: None, allowed: None },
        Case { before: "disallow: /robots.txt", after: "", disallowed: None, allowed: Some("/robots.txtx") },
        Case { before: "disallow: /a b", after: "disallow: /a%20b", disallowed: None, allowed: None },
        Case { before: "disallow: /a%zz", after: "", disallowed: None, allowed: Some("/a%zz") },
        Case { before: "disallow: /a%", after: "", disallowed: None, allowed: Some("/a%00") },
        Case { before: "disallow: /?u=%2F", after: "disallow: /?u=/", disallowed: None, allowed: None },
        Case {
            before: "disallow: /u=%2F",
            after: "disallow: /u=/",
            disallowed: Some("/u=/"),
            allowed: Some("/u=%2F"),
        },
        // A byte that no rule has is needed between two that rules have.
        Case {
            before: "disallow: /*a*b\nallow: /*ab***",
            after: "allow: /*ab***",
            disallowed: None,
            allowed: Some("/azb"),
        },
        // Two patterns share a byte of the path, and another path is nearly as short.
        Case {
            before: "disallow: /\nallow: /*ba\ndisallow: /*ab*\nallow: /*qqqq\ndisallow: /*qqqq*",
            after: "disallow: /\nallow: /*ba\nallow: /*qqqq",
            disallowed: None,
            allowed: Some("/aba"),
        },
    ];
    for Case { before, after, disallowed, allowed } in cases {
        let (old, new) = (rules(before, &Profile::RFC9309), rules(after, &Profile::RFC9309));
        let expected = [disallowed, allowed].map(|path| path.map(str::to_owned));
        assert_eq!(changed(&old, &new), expected, "{before:?} {after:?}");
    }
}

/// A linear congruential generator: the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn rule(&mut self, pieces: &[&str]) -> String {
        let effect = ["allow", "disallow"][self.below(2)];
        let start = ["/", "/", "/", "/", "*", "/*", ""][self.below(7)];
        let middle: String = (0..self.below(5)).map(|_| pieces[self.below(pieces.len())]).collect();
        let end = ["", "", "$", "*"][self.below(4)];
        format!("{effect}: {start}{middle}{end}\n")
    }

    fn rules(&mut self, pieces: &[&str], most: usize) -> String {
        (0..self.below(most + 1)).map(|_| self.rule(pieces)).collect()
    }
}

/// Returns all paths of up to `most` bytes that consist of `/` and units, the shortest first.
fn paths(units: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::from("/")];
    let mut next = 0;
    while let Some(path) = all.get(next).cloned() {
        all.extend(units.iter().map(|unit| format!("{path}{unit}")).filter(|path| path.len() <= most));
        next += 1;
    }
    all.sort_by_key(String::len);
    all
}

/// Asserts that the difference is what the verdicts about `paths` show. These are all paths of up to `most` bytes, or some
/// paths if `most` is 0. Another path is allowed, if the rule sets confirm it.
fn agrees(before: &RuleSet, after: &RuleSet, paths: &[String], most: usize, what: &str) -> [bool; 2] {
    let difference = before.difference(after, Difference::MAX_STATES);
    let verdicts: Vec<(bool, bool)> =
        paths.iter().map(|path| (before.check(path).is_allowed(), after.check(path).is_allowed())).collect();
    [(&difference.newly_disallowed, false), (&difference.newly_allowed, true)].map(|(change, to_allowed)| {
        let expected =
            paths.iter().zip(&verdicts).find(|(_, verdicts)| **verdicts == (!to_allowed, to_allowed));
        match (change, expected) {
            (Change::Nothing, None) => false,
            (Change::Path(found), expected) => {
                assert!(found.is_shortest, "{what}");
                let allowed = [before, after].map(|rules| rules.check(&found.path).is_allowed());
                assert_eq!(allowed, [!to_allowed, to_allowed], "{what} {}", found.path);
                let shortest = expected.map_or(usize::MAX, |(path, _)| path.len());
                assert!(found.path.len() <= shortest, "{what} {} {expected:?}", found.path);
                let is_shorter = found.path.len() < shortest.min(most + 1);
                assert!(most == 0 || !is_shorter, "{what} {} {expected:?}", found.path);
                true
            }
            (change, expected) => panic!("{what} {change:?} {expected:?}"),
        }
    })
}

/// Returns how many random rule sets of each kind are tried. More are tried with `PROPTEST_CASES`, as in other tests.
fn rounds() -> usize {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(60).max(60)
}

struct Alphabet {
    profile: Profile,
    pieces: &'static [&'static str],
    units: &'static [&'static str],
    most: usize,
}

fn alphabets() -> Vec<Alphabet> {
    let first = with(|policy| policy.precedence = Precedence::First);
    let first_empty = with(|policy| {
        policy.precedence = Precedence::First;
        policy.empty_pattern = true;
    });
    let plain = &["a", "b", "/", "*", "a", "b"][..];
    vec![
        Alphabet { profile: Profile::RFC9309, pieces: plain, units: &["a", "b", "/", "x"], most: 7 },
        Alphabet { profile: first, pieces: plain, units: &["a", "b", "/", "x"], most: 6 },
        Alphabet { profile: first_empty, pieces: plain, units: &["a", "b", "/", "x"], most: 6 },
        Alphabet {
            profile: Profile::GOOGLE,
            pieces: &["a", "/", "*", "$", "%2f", "/index.html", "index.htm"],
            units: &["a", "/", "x", "$", "%2F", "%2f", "index.htm", "l"],
            most: 7,
        },
        Alphabet {
            profile: Profile::KOSTER_1996,
            pieces: &["a", "/", "*", "$", "%2f", "%2a", "%25", "<"],
            units: &["a", "/", "x", "$", "%2F", "*", "%25", "%3C"],
            most: 7,
        },
        // Queries that also match in decoded form.
        Alphabet {
            profile: Profile::RFC9309,
            pieces: &["a", "?", "/", "*", "%2F", "%2C", ",", "?"],
            units: &["a", "?", "/", "x", "%2F", "%2C", ","],
            most: 8,
        },
        Alphabet {
            profile: with(|policy| policy.path = Form::AsWritten),
            pieces: &["a", "?", "/", "*", "%2F", ",", "?"],
            units: &["a", "?", "/", "x", "%2F", "%2f", ",", "%2C", "%2c"],
            most: 8,
        },
        // Digits that are also part of an escape.
        Alphabet {
            profile: Profile::RFC9309,
            pieces: &["2", "?", "C", "*", "%2C", "?", ","],
            units: &["2", "?", "C", "x", "%2C", ","],
            most: 8,
        },
    ]
}

#[test]
fn a_piece_in_the_prefix_of_another_pattern_counts_once() {
    let before = rules("disallow: //aa/*\ndisallow: /aaa*\n", &Profile::RFC9309);
    let after = rules("disallow: */\ndisallow: /**a$\nallow: *b$\nallow: /baba\n", &Profile::RFC9309);
    assert_eq!(changed(&before, &after)[1].as_deref(), Some("/aaab"));
}

#[test]
fn random_pairs_agree_with_all_short_paths() {
    let mut numbers = Numbers(1996);
    for (index, Alphabet { profile, pieces, units, most }) in alphabets().into_iter().enumerate() {
        let paths = paths(units, most.min(6));
        let mut counts: HashMap<[bool; 2], usize> = HashMap::new();
        for _ in 0..rounds() {
            let before = numbers.rules(pieces, 4);
            // Often the same rules with a few changes.
            let after = match numbers.below(4) {
                0 => numbers.rules(pieces, 4),
                3 => before.lines().rev().map(|line| format!("{line}\n")).collect(),
                1 => before.clone() + &numbers.rules(pieces, 2),
                _ => before.lines().skip(1).map(|line| format!("{line}\n")).collect(),
            };
            let what = format!("alphabet {index}: {before:?} {after:?}");
            let (before, after) = (rules(&before, &profile), rules(&after, &profile));
            *counts.entry(agrees(&before, &after, &paths, most.min(6), &what)).or_default() += 1;
        }
        assert_eq!(counts.len(), 4, "alphabet {index}: all results occur: {counts:?}");
    }
}

#[test]
fn removals_agree_with_the_file_without_the_line() {
    let mut numbers = Numbers(9309);
    for (index, Alphabet { profile, pieces, .. }) in alphabets().into_iter().enumerate() {
        let mut redundant = 0;
        for _ in 0..rounds() {
            let file = numbers.rules(pieces, 6);
            let before = rules(&file, &profile);
            let removals = before.removals(Difference::MAX_STATES);
            assert_eq!(removals.len(), removals.size_hint().0);
            for (rule, difference) in removals {
                let lines = file.lines().zip(2..);
                let without: String = lines
                    .map(|(line, number)| {
                        let text = if number == rule.line { "#".repeat(line.len()) } else { line.to_owned() };
                        text + "\n"
                    })
                    .collect();
                let after = rules(&without, &profile);
                let what = format!("alphabet {index}: {file:?} without line {}", rule.line);
                let whole = before.difference(&after, Difference::MAX_STATES);
                let both = [
                    (&difference.newly_disallowed, &whole.newly_disallowed),
                    (&difference.newly_allowed, &whole.newly_allowed),
                ];
                for (one, other) in both {
                    match (one, other) {
                        (Change::Path(one), Change::Path(other)) => {
                            assert_eq!(one.path.len(), other.path.len(), "{what}");
                            assert_eq!(one.before, before.check(&one.path), "{what}");
                            assert_eq!(one.after, after.check(&one.path), "{what}");
                        }
                        (one, other) => assert_eq!(one, other, "{what}"),
                    }
                }
                redundant += usize::from(difference.is_nothing());
            }
        }
        assert!(redundant > 0, "alphabet {index}");
    }
}

#[test]
fn policies_are_compared() {
    let first = with(|policy| policy.precedence = Precedence::First);
    let with_robots_txt = with(|policy| policy.robots_txt_always_allowed = false);
    let without_wildcards = with(|policy| policy.wildcards = false);
    let raw_query = with(|policy| policy.reserved = ReservedBytes::AsWritten);
    struct Pair {
        before: Profile,
        after: Profile,
    }
    let pairs = [
        Pair { before: Profile::RFC9309, after: first },
        Pair { before: Profile::RFC9309, after: with_robots_txt },
        Pair { before: Profile::RFC9309, after: without_wildcards },
        Pair { before: Profile::RFC9309, after: raw_query },
        Pair { before: Profile::RFC9309, after: Profile::GOOGLE },
        Pair { before: Profile::GOOGLE, after: Profile::RFC9309 },
        Pair { before: Profile::RFC9309, after: Profile::KOSTER_1996 },
        Pair { before: Profile::KOSTER_1996, after: Profile::GOOGLE },
    ];
    let pieces = ["a", "?", "/", "*", "%2F", ",", "$", "%7e", "a"];
    let canonical = paths(&["a", "?", "/", "x", "%2F", ",", "~", "%24", "%2A", "%2C", "%3F"], 5);
    let some =
        paths(&["a", "?", "/", "x", "%2F", "%2f", ",", "$", "~", "%7E", "%7e", "%24", "%2C", "%61"], 5);
    let mut numbers = Numbers(2119);
    for (index, Pair { before, after }) in pairs.into_iter().enumerate() {
        let mut counts = [0, 0];
        for _ in 0..rounds() {
            let file = numbers.rules(&pieces, 4);
            let has_one_form = before.matching.path == after.matching.path;
            let (paths, most) = if has_one_form { (&canonical, 5) } else { (&some, 0) };
            let (before, after) = (rules(&file, &before), rules(&file, &after));
            let found = agrees(&before, &after, paths, most, &format!("pair {index}: {file:?}"));
            for is_changed in found {
                counts[usize::from(is_changed)] += 1;
            }
        }
        assert!(counts[0] > 0 && counts[1] > 0, "pair {index}: {counts:?}");
    }
}

/// The first `?` begins the query, even if no pattern needs it.
#[test]
fn a_query_begins_where_no_rule_has_a_question_mark() {
    let raw_query = with(|policy| policy.reserved = ReservedBytes::AsWritten);
    let file = "disallow: /*/?b\n";
    let (decoded, raw) = (rules(file, &Profile::RFC9309), rules(file, &raw_query));
    assert_eq!(changed(&decoded, &raw), [None, Some("/?/%3Fb".to_owned())]);
    assert_eq!(changed(&raw, &decoded), [Some("/?/%3Fb".to_owned()), None]);
}

/// A formula of three literals per clause as rules. A path has two letters for each variable, and their order is its value;
/// a rule forbids the orders that a clause excludes.
fn formula(variables: usize, clauses: usize) -> String {
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    let letter = |variable: usize, value: bool| letters[2 * variable + usize::from(value)];
    let all = |value: bool| -> String {
        (0..variables).map(|variable| format!("*{}", letter(variable, value))).collect()
    };
    let padding = "*".repeat(4 * variables);
    let mut file = format!("disallow: /\nallow: /{}\ndisallow: /{}*\n", all(false), all(true));
    for variable in 1..variables {
        for value in [false, true] {
            let (late, early) = (letter(variable, value), letter(variable - 1, !value));
            file += &format!("disallow: /*{late}*{early}{padding}\n");
        }
    }
    let mut numbers = Numbers(3);
    for _ in 0..clauses {
        let mut chosen: Vec<usize> = Vec::new();
        while chosen.len() < 3 {
            let variable = numbers.below(variables);
            if !chosen.contains(&variable) {
                chosen.push(variable);
            }
        }
        chosen.sort_unstable();
        let orders: String = chosen
            .into_iter()
            .map(|variable| {
                let value = numbers.below(2) == 0;
                format!("*{}*{}", letter(variable, value), letter(variable, !value))
            })
            .collect();
        file += &format!("disallow: /{orders}{padding}\n");
    }
    file
}

/// The removal of line 4 changes a path if the formula has a solution.
#[test]
fn a_formula_ends_undecided_or_is_solved() {
    let change = |variables, clauses, states| {
        let rules = rules(&formula(variables, clauses), &Profile::RFC9309);
        let (_, difference) = rules.removals(states).find(|(rule, _)| rule.line == 4).unwrap();
        assert!(difference.newly_disallowed.is_nothing());
        assert!(difference.states <= 2 * states);
        difference.newly_allowed
    };
    assert_eq!(change(20, 130, 2_000), Change::Undecided);
    assert_eq!(change(4, 60, 20_000), Change::Nothing);
    assert_eq!(change(6, 6, 20_000).witness().map(|witness| witness.path.len()), Some(13));
}
