//! The difference of large rule sets: few states for each rule, and the verdicts about all short paths.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]

use robots_match::{Change, Crawler, Difference, Profile, RuleSet};

fn rules(lines: &str) -> RuleSet {
    RuleSet::parse(format!("user-agent: *\n{lines}").as_bytes(), &Crawler::unnamed(), &Profile::RFC9309)
}

/// A linear congruential generator: the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// The results of the removal of each rule.
#[derive(Debug, Default)]
struct Counts {
    nothing: usize,
    changed: usize,
    undecided: usize,
    states: usize,
}

fn removals(rules: &RuleSet) -> Counts {
    let mut counts = Counts::default();
    for (_, difference) in rules.removals(Difference::MAX_STATES) {
        counts.states += difference.states;
        let both = [&difference.newly_disallowed, &difference.newly_allowed];
        if both.contains(&&Change::Undecided) {
            counts.undecided += 1;
        } else if difference.is_nothing() {
            counts.nothing += 1;
        } else {
            counts.changed += 1;
        }
    }
    counts
}

/// Rules that all begin with `/*/` can match one path, so an index of prefixes does not distinguish them.
#[test]
fn ten_thousand_rules_with_stars_are_removed_in_turn() {
    // A build without optimizations takes long.
    let count = if cfg!(debug_assertions) { 200 } else { 10_000 };
    let different: String = (0..count).map(|number| format!("disallow: /*/p{number}/\n")).collect();
    let counts = removals(&rules(&different));
    assert_eq!((counts.changed, counts.nothing, counts.undecided), (count, 0, 0));
    assert!(counts.states <= count, "{counts:?}");
    // `/*/p1` has the paths of `/*/p10` and `/*/p100`.
    let nested: String = (1..=count).map(|number| format!("disallow: /*/p{number}\n")).collect();
    let counts = removals(&rules(&nested));
    assert_eq!((counts.changed, counts.nothing, counts.undecided), (9, count - 9, 0));
    assert!(counts.states <= count, "{counts:?}");
    let mixed: String =
        (0..count).map(|number| format!("{}: /*/p{number}-\n", ["allow", "disallow"][number % 2])).collect();
    let counts = removals(&rules(&mixed));
    assert_eq!(counts.undecided, 0);
    assert!(counts.states <= 40 * count, "{counts:?}");
}

/// Returns all texts of up to `most` of these bytes.
fn words(bytes: &[u8], most: usize) -> Vec<String> {
    let mut words = vec!["/".to_owned()];
    let mut from = 0;
    for _ in 0..most {
        let to = words.len();
        for at in from..to {
            for byte in bytes {
                words.push(format!("{}{}", words[at], char::from(*byte)));
            }
        }
        from = to;
    }
    words
}

#[test]
fn many_forbidden_rules_agree_with_all_short_paths() {
    let paths = words(b"ab/z", 5);
    let mut numbers = Numbers(14);
    let rounds = if cfg!(debug_assertions) { 6 } else { 60 };
    let mut counts = [0, 0];
    for _ in 0..rounds {
        let mut file = String::from("disallow: /*a\n");
        for _ in 0..90 {
            let effect = ["allow", "disallow"][numbers.below(2)];
            let mut pattern = String::from("/*");
            for _ in 0..1 + numbers.below(4) {
                pattern.push_str(["a", "b", "/", "*", "ab"][numbers.below(5)]);
            }
            let end = ["", "$"][numbers.below(2)];
            file += &format!("{effect}: {pattern}{end}\n");
        }
        let before = rules(&file);
        for (rule, difference) in before.removals(Difference::MAX_STATES).step_by(9) {
            let without: String = file
                .lines()
                .zip(2..)
                .map(
                    |(line, number)| if number == rule.line { "#\n".to_owned() } else { format!("{line}\n") },
                )
                .collect();
            let after = rules(&without);
            for (change, allows) in [(&difference.newly_disallowed, false), (&difference.newly_allowed, true)]
            {
                let first = paths.iter().find(|path| {
                    before.check(path).is_allowed() != allows && after.check(path).is_allowed() == allows
                });
                match (change, first) {
                    (Change::Nothing, None) => counts[0] += 1,
                    (Change::Path(witness), Some(first)) => {
                        counts[1] += 1;
                        assert!(witness.is_shortest);
                        assert_eq!(witness.path.len(), first.len(), "{file} without line {}", rule.line);
                    }
                    // A path with more bytes than were tried.
                    (Change::Path(witness), None) => assert!(witness.path.len() > 6),
                    other => panic!("{other:?}: {file} without line {}", rule.line),
                }
            }
        }
    }
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
}

#[test]
fn any_limit_is_safe() {
    let many: String =
        (0..300).map(|number| format!("disallow: /*{number}*x\nallow: /*x*{number}\n")).collect();
    for file in ["", "disallow: /a\n", "disallow: /*a\nallow: /*b\n", &many] {
        let (before, after) = (rules(file), rules("disallow: /*a*b\nallow: /*c$\n"));
        let none = before.difference(&after, 0);
        let all = before.difference(&after, usize::MAX);
        assert_eq!(none.states, 0);
        for (one, other) in
            [(none.newly_disallowed, all.newly_disallowed), (none.newly_allowed, all.newly_allowed)]
        {
            assert_ne!(other, Change::Undecided);
            // A smaller limit may leave more undecided, and never proves another result.
            match one {
                Change::Nothing => assert_eq!(other, Change::Nothing),
                Change::Path(_) => assert!(other.witness().is_some()),
                _ => {}
            }
        }
    }
}
