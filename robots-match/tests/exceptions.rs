//! What `Comparer::exception` proves about a pattern is what the verdicts about all short paths show.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]

use robots_match::{Change, Comparer, Crawler, Difference, Effect, Profile, RuleSet};

/// A linear congruential generator: the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pattern(&mut self) -> String {
        const PIECES: [&str; 6] = ["a", "b", "/", "*", "a", "index.htm"];
        let start = ["/", "/", "/", "*"][self.below(4)];
        let middle: String = (0..self.below(4)).map(|_| PIECES[self.below(6)]).collect();
        format!("{start}{middle}{}", ["", "", "$", "*"][self.below(4)])
    }
}

fn parse(file: &str, profile: &Profile) -> RuleSet {
    RuleSet::parse(file.as_bytes(), &Crawler::new("ExampleBot").unwrap(), profile)
}

/// Returns all paths of `/`, `a` and `b` with up to `most` bytes, the shortest first.
fn paths(most: usize) -> Vec<String> {
    let mut all = vec!["/".to_owned()];
    let mut next = 0;
    while let Some(path) = all.get(next).cloned() {
        if path.len() < most {
            all.extend(["/", "a", "b"].map(|unit| format!("{path}{unit}")));
        }
        next += 1;
    }
    all
}

#[test]
fn proofs_agree_with_all_short_paths() {
    let (mut numbers, paths) = (Numbers(43), paths(6));
    for profile in [Profile::RFC9309, Profile::GOOGLE, Profile::KOSTER_1996, Profile::DRAFT_KOSTER_REP_00] {
        let mut counts = [0, 0];
        for _ in 0..400 {
            let rules: String = (0..numbers.below(5))
                .map(|_| format!("{}: {}\n", ["allow", "disallow"][numbers.below(2)], numbers.pattern()))
                .collect();
            let pattern = numbers.pattern();
            let wanted = [Effect::Allow, Effect::Disallow][numbers.below(2)];
            let set = parse(&format!("user-agent: *\n{rules}"), &profile);
            // The policy decides which paths the pattern matches.
            let only = parse(&format!("user-agent: *\ndisallow: {pattern}\n"), &profile);
            let is_exception = |path: &str| {
                !only.check(path).is_allowed() && set.check(path).is_allowed() != (wanted == Effect::Allow)
            };
            let expected = paths.iter().find(|path| is_exception(path));
            let mut comparer = Comparer::new(Comparer::work_for(rules.len()));
            let found = comparer.exception(&set, pattern.as_bytes(), wanted, Difference::MAX_STATES);
            let what = format!("{rules:?} {pattern} {wanted:?} {found:?} {expected:?}");
            match &found {
                Change::Nothing => assert!(expected.is_none(), "{what}"),
                Change::Path(witness) => {
                    assert!(is_exception(&witness.path) && witness.is_shortest, "{what}");
                    assert_eq!(witness.before, set.check(&witness.path), "{what}");
                    let shortest = expected.map_or(usize::MAX, |path| path.len());
                    assert!(witness.path.len() <= shortest, "{what}");
                }
                _ => panic!("{what}"),
            }
            counts[usize::from(found.is_nothing())] += 1;
        }
        assert!(counts.iter().all(|&count| count > 40), "{counts:?}");
    }
}

#[test]
fn robots_txt_is_no_exception_where_it_is_always_allowed() {
    let exception = |profile: &Profile| {
        let set = parse("user-agent: *\ndisallow: /\nallow: /robots.txt\n", profile);
        let mut comparer = Comparer::new(usize::MAX);
        let found = comparer.exception(&set, b"/", Effect::Disallow, Difference::MAX_STATES);
        found.witness().map(|witness| witness.path.clone())
    };
    assert_eq!(exception(&Profile::GOOGLE).as_deref(), Some("/robots.txt"));
    // A longer path begins with the rule for the file.
    assert_eq!(exception(&Profile::RFC9309).map(|path| path.len()), Some("/robots.txt".len() + 1));
}

#[test]
fn without_work_nothing_is_proved() {
    let set = parse("user-agent: *\ndisallow: /a\n", &Profile::RFC9309);
    let found = Comparer::new(0).exception(&set, b"/b", Effect::Allow, Difference::MAX_STATES);
    assert_eq!(found, Change::Undecided);
}
