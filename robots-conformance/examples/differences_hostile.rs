//! Compares rule sets that were made to be hard to compare, and prints how many states and how much time that takes.
//!
//! ```text
//! cargo run --release -p robots-conformance --example differences_hostile
//! ```

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "an example that can't go on ends"
)]

use std::time::Instant;

use robots_fetch::matching::{Change, Crawler, Difference, Profile, RuleSet};

/// The size of a file, in bytes.
const SIZE: usize = 500_000;

/// A linear congruential generator: the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// Returns rules whose patterns consist of a few letters and of stars.
    fn rules(&mut self, pieces: usize) -> String {
        let mut file = String::new();
        while file.len() < SIZE {
            file += ["allow: /*", "disallow: /*"][self.below(2)];
            for _ in 0..pieces {
                file += ["a", "b", "*", "/"][self.below(4)];
            }
            file += ["\n", "$\n"][self.below(2)];
        }
        file
    }

    /// Returns a formula of three literals for each clause as rules. A path has two letters for each variable, and their
    /// order is its value. A rule forbids the orders that a clause excludes.
    fn formula(&mut self, variables: usize, clauses: usize) -> String {
        let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
        let letter = |variable: usize, value: bool| letters[2 * variable + usize::from(value)];
        let all = |value: bool| -> String {
            (0..variables).map(|variable| format!("*{}", letter(variable, value))).collect()
        };
        let padding = "*".repeat(4 * variables);
        let mut file = format!("disallow: /\nallow: /{}\n", all(false));
        for variable in 1..variables {
            for value in [false, true] {
                let (late, early) = (letter(variable, value), letter(variable - 1, !value));
                file += &format!("disallow: /*{late}*{early}{padding}\n");
            }
        }
        for _ in 0..clauses {
            let mut chosen: Vec<usize> = (0..3).map(|_| self.below(variables)).collect();
            chosen.sort_unstable();
            chosen.dedup();
            let orders: String = chosen
                .into_iter()
                .map(|variable| {
                    let value = self.below(2) == 0;
                    format!("*{}*{}", letter(variable, value), letter(variable, !value))
                })
                .collect();
            file += &format!("disallow: /{orders}{padding}\n");
        }
        file + &format!("disallow: /{}*\n", all(true))
    }
}

fn main() {
    let rfc = |lines: &str| rules(lines, &Profile::RFC9309);
    let google = |lines: &str| rules(lines, &Profile::GOOGLE);
    let mut numbers = Numbers(3);
    for (variables, clauses) in [(20, 130), (25, 2_500)] {
        let file = numbers.formula(variables, clauses);
        let without: Vec<&str> = file.lines().collect();
        let without = without[..without.len() - 1].join("\n");
        show(&format!("a formula of {clauses} clauses, one rule removed"), &rfc(&file), &rfc(&without));
    }
    for pieces in [8, 60, 1_900] {
        let (one, other) = (numbers.rules(pieces), numbers.rules(pieces));
        show(&format!("two files of random patterns of {pieces} pieces"), &rfc(&one), &rfc(&other));
        show(&format!("the same, and the second as Google reads it ({pieces})"), &rfc(&one), &google(&other));
        show(&format!("one file as two documents read it ({pieces})"), &rfc(&one), &google(&one));
    }
    let [one, other] = ["*a", "*b"].map(|piece| piece.repeat(SIZE / 4));
    let other = format!("allow: /{other}\ndisallow: /\n");
    show("two patterns of 250 KB", &rfc(&format!("disallow: /{one}\n")), &rfc(&other));
}

fn rules(lines: &str, profile: &Profile) -> RuleSet {
    RuleSet::parse(format!("user-agent: *\n{lines}").as_bytes(), &Crawler::unnamed(), profile)
}

fn show(name: &str, before: &RuleSet, after: &RuleSet) {
    let start = Instant::now();
    let difference = before.difference(after, Difference::MAX_STATES);
    let time = start.elapsed();
    let [disallowed, allowed] = [&difference.newly_disallowed, &difference.newly_allowed].map(result);
    println!(
        "{name}: {} and {} rules, {} states, newly disallowed {disallowed}, newly allowed {allowed}, {time:.2?}",
        before.len(),
        after.len(),
        difference.states
    );
}

fn result(change: &Change) -> &'static str {
    match change {
        Change::Nothing => "nothing",
        Change::Path(witness) if witness.is_shortest => "shortest path",
        Change::Path(_) => "path",
        _ => "undecided",
    }
}
