//! The difference of rule sets agrees with a plain search over all paths, on generated rules, and on real files if there
//! are any.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests")]

use core::cell::RefCell;
use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use robots_conformance::PROFILES;
use robots_conformance::model::difference::Prover;
use robots_fetch::matching::{Change, Crawler, Difference, Form, MatchPolicy, Profile, RuleSet};

/// Returns the length of the path that changes; panics if the search was not finished.
fn len(change: &Change) -> Option<usize> {
    assert_ne!(*change, Change::Undecided);
    let witness = change.witness()?;
    assert!(witness.is_shortest);
    Some(witness.path.len())
}

/// Calls `work` with the prover of these policies. The alphabet of a prover takes more time than most comparisons, so each is made once.
fn with_prover<T>(policies: [&MatchPolicy; 2], work: impl FnOnce(&mut Prover) -> T) -> T {
    thread_local! {
        static PROVERS: RefCell<Vec<([Form; 2], Prover)>> = const { RefCell::new(Vec::new()) };
    }
    let forms = policies.map(|policy| policy.path);
    PROVERS.with_borrow_mut(|provers| {
        let at = provers.iter().position(|(known, _)| *known == forms).unwrap_or_else(|| {
            provers.push((forms, Prover::new(policies)));
            provers.len() - 1
        });
        let (_, prover) = provers.get_mut(at).unwrap();
        prover.forget();
        work(prover)
    })
}

/// Compares the removal of each line with the plain search. Returns how many removals both decided.
fn check_removals(rules: &RuleSet, most: usize) -> usize {
    with_prover([rules.policy(); 2], |prover| removals_decided(prover, rules, most))
}

fn removals_decided(prover: &mut Prover, rules: &RuleSet, most: usize) -> usize {
    let Ok(plain_rules) = prover.rules(rules, false) else { return 0 };
    let mut count = 0;
    for (rule, difference) in rules.removals(Difference::MAX_STATES) {
        let found = (len(&difference.newly_disallowed), len(&difference.newly_allowed));
        let Ok(plain) = prover.removal(&plain_rules, rule.line, most) else { continue };
        let expected = (plain.newly_disallowed, plain.newly_allowed);
        assert_eq!(found, expected, "{difference:?} without {rule:?} of {rules:#?}");
        count += 1;
    }
    count
}

/// Compares two rule sets with both searches. Returns whether both decided.
fn check_pair(before: &RuleSet, after: &RuleSet, most: usize) -> bool {
    let difference = before.difference(after, Difference::MAX_STATES);
    let found = (len(&difference.newly_disallowed), len(&difference.newly_allowed));
    let plain = with_prover([before.policy(), after.policy()], |prover| {
        let (before, after) = (prover.rules(before, false).ok()?, prover.rules(after, true).ok()?);
        prover.difference(&before, &after, most).ok()
    });
    let Some(plain) = plain else { return false };
    let expected = (plain.newly_disallowed, plain.newly_allowed);
    assert_eq!(found, expected, "{difference:?} {before:#?} {after:#?}");
    true
}

fn parse(rules: &[String], profile: &Profile) -> RuleSet {
    let file = format!("user-agent: *\n{}", rules.concat());
    RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), profile)
}

/// A rule. Its pattern may contain a part of an escape.
fn rule() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ab/]{1,3}",
        3 => Just("*".to_owned()),
        1 => "[$?,24%]",
        1 => prop::sample::select(vec!["%2F", "%2c", "%25", "%41", "%", "%4"]).prop_map(str::to_owned),
        1 => Just("/index.html".to_owned()),
    ];
    let parts = ("(allow|disallow): ", "(/|/|/[*]|)", vec(piece, 0..4), "[$]?");
    parts.prop_map(|(effect, start, pieces, end)| format!("{effect}{start}{}{end}\n", pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn difference_agrees_with_the_plain_search_for_generated_rules(
        before in vec(rule(), 0..5),
        after in vec(rule(), 0..4),
        keeps in any::<bool>(),
    ) {
        let after = if keeps { [&before[..], &after[..]].concat() } else { after };
        for (_, profile) in PROFILES {
            let [before, after] = [&before, &after].map(|rules| parse(rules, &profile.rules));
            check_pair(&before, &after, 20_000);
            check_removals(&before, 20_000);
        }
    }

    #[test]
    fn profiles_agree_with_the_plain_search_for_generated_rules(rules in vec(rule(), 0..5), others in vec(rule(), 0..3)) {
        for (_, one) in PROFILES {
            for (_, other) in PROFILES {
                let before = parse(&rules, &one.rules);
                for after in [&rules, &others] {
                    check_pair(&before, &parse(after, &other.rules), 20_000);
                }
            }
        }
    }
}

/// Each two profiles are compared on reduced files, and on real ones if there are any.
#[test]
fn profiles_are_compared_on_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for (folder, step) in [("corpus", 1), ("../../shared/corpus/sites", 40)] {
        match fs::read_dir(root.join(folder)) {
            Ok(entries) => {
                let mut found: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
                found.sort();
                paths.extend(found.into_iter().step_by(step));
            }
            Err(_) => println!("skipped: the folder {folder} does not exist"),
        }
    }
    let (mut decided, mut undecided) = (0, 0);
    for path in &paths {
        let body = fs::read(path).unwrap();
        for (_, one) in PROFILES {
            for (_, other) in PROFILES {
                let [before, after] =
                    [one, other].map(|profile| RuleSet::parse(&body, &Crawler::unnamed(), &profile.rules));
                let difference = before.difference(&after, Difference::MAX_STATES);
                let both = [&difference.newly_disallowed, &difference.newly_allowed];
                for change in both {
                    if *change == Change::Undecided {
                        undecided += 1;
                    } else {
                        decided += 1;
                    }
                    if let Some(witness) = change.witness() {
                        assert_eq!(before.check(&witness.path), witness.before);
                        assert_eq!(after.check(&witness.path), witness.after);
                    }
                }
            }
        }
    }
    println!("{decided} directions decided, {undecided} undecided");
    assert!(undecided * 500 <= decided);
}

/// The removal of each rule of real files is decided. A sample of them is decided a second time; the example
/// `differences` does so for all of them.
#[test]
fn difference_decides_the_removal_of_every_rule_of_real_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/sites");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: this workspace has no corpus next to it");
        return;
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut counts = [0, 0];
    for (index, path) in paths.iter().enumerate().step_by(30) {
        let body = fs::read(path).unwrap();
        for (_, profile) in PROFILES {
            let rules = RuleSet::parse(&body, &Crawler::unnamed(), &profile.rules);
            if rules.len() > 300 {
                continue;
            }
            let most = if index % 60 == 0 && rules.len() < 20 { 300 } else { 0 };
            counts[0] += rules.len();
            counts[1] += check_removals(&rules, most);
        }
    }
    println!("{} rules, {} of them compared with the plain search", counts[0], counts[1]);
    assert!(counts[1] > 0);
}
