//! Compares each file of a folder with itself without each of its rules in turn, with other files, and under each two
//! profiles, and prints how many states and how much time that takes.
//!
//! ```text
//! cargo run --release -p robots-conformance --example differences FOLDER [SECOND_PROVER_STATES]
//! ```

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "an example that can't go on ends"
)]

use core::time::Duration;
use std::collections::HashSet;
use std::fs;
use std::time::Instant;

use robots_conformance::PROFILES;
use robots_conformance::model::difference::difference as plain_difference;
use robots_fetch::matching::{Change, Crawler, Difference, Robots, RuleSet};

/// The counts of one kind of comparison.
#[derive(Default)]
struct Counts {
    nothing: usize,
    changed: usize,
    undecided: usize,
    not_shortest: usize,
    states: Vec<usize>,
    times: Vec<Duration>,
    proved_twice: usize,
    too_large: usize,
    wrong: usize,
}

impl Counts {
    fn add(&mut self, difference: &Difference, time: Duration) {
        let both = [&difference.newly_disallowed, &difference.newly_allowed];
        if both.iter().any(|change| **change == Change::Undecided) {
            self.undecided += 1;
        } else if difference.is_nothing() {
            self.nothing += 1;
        } else {
            self.changed += 1;
        }
        self.not_shortest +=
            both.iter().filter_map(|change| change.witness()).filter(|witness| !witness.is_shortest).count();
        self.states.push(difference.states);
        self.times.push(time);
    }

    fn print(&mut self, what: &str) {
        self.states.sort_unstable();
        self.times.sort_unstable();
        let last = self.states.len().max(1) - 1;
        let at = |part: usize| last * part / 1000;
        if self.states.is_empty() {
            return;
        }
        println!(
            "{what}: {} decided ({} equal, {} different, {} of them not shortest), {} undecided",
            self.nothing + self.changed,
            self.nothing,
            self.changed,
            self.not_shortest,
            self.undecided
        );
        println!(
            "    states: p50 {}, p99 {}, p99.9 {}, most {}; time: p50 {:?}, p99 {:?}, p99.9 {:?}, most {:?}, total {:?}",
            self.states[at(500)],
            self.states[at(990)],
            self.states[at(999)],
            self.states[last],
            self.times[at(500)],
            self.times[at(990)],
            self.times[at(999)],
            self.times[last],
            self.times.iter().sum::<Duration>()
        );
        if self.proved_twice + self.too_large > 0 {
            println!(
                "    second prover: {} agree, {} too large, {} WRONG",
                self.proved_twice, self.too_large, self.wrong
            );
        }
    }
}

/// Returns the different rule sets of a file.
fn rule_sets(robots: &Robots) -> Vec<RuleSet> {
    let mut sets: Vec<RuleSet> = vec![robots.rules(&Crawler::unnamed())];
    let groups = robots.groups();
    for group in groups.iter() {
        for agent in group.agents() {
            let name = String::from_utf8_lossy(agent.bytes()).into_owned();
            if let Ok(crawler) = Crawler::new(&name) {
                let rules = robots.rules(&crawler);
                if !sets.contains(&rules) {
                    sets.push(rules);
                }
            }
        }
    }
    sets.retain(|rules| !rules.is_empty());
    let mut seen = HashSet::new();
    sets.retain(|rules| seen.insert(rules.clone()));
    sets
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap();
    let plain_states: usize = arguments.next().map_or(0, |states| states.parse().unwrap());
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for (name, profile) in PROFILES {
        let (mut removals, mut whole, mut shared) = (Counts::default(), Counts::default(), Counts::default());
        let mut last: Option<RuleSet> = None;
        for path in &paths {
            let robots = Robots::new(fs::read(path).unwrap(), profile.rules);
            for rules in rule_sets(&robots) {
                let start = Instant::now();
                let mut iterator = rules.removals(Difference::MAX_STATES);
                let set_up = start.elapsed();
                let mut count = 0;
                loop {
                    let start = Instant::now();
                    let Some((rule, difference)) = iterator.next() else { break };
                    let time = start.elapsed();
                    count += 1;
                    if time > Duration::from_millis(50) || difference.states > 20_000 {
                        println!(
                            "    {} line {}: {} states, {time:?}",
                            path.display(),
                            rule.line,
                            difference.states
                        );
                    }
                    removals.add(&difference, time);
                    second(&rules, rule.line, &difference, plain_states, &mut removals);
                }
                drop(iterator);
                shared.times.push(set_up);
                shared.states.push(count);
                shared.changed += 1;
                if let Some(last) = &last {
                    let start = Instant::now();
                    let difference = last.difference(&rules, Difference::MAX_STATES);
                    let time = start.elapsed();
                    if time > Duration::from_millis(50) {
                        println!(
                            "    {} with the one before: {} states, {time:?}",
                            path.display(),
                            difference.states
                        );
                    }
                    whole.add(&difference, time);
                }
                last = Some(rules);
            }
        }
        removals.print(&format!("{name}: rules removed"));
        shared.print(&format!("{name}: prepared rule sets (rules instead of states)"));
        whole.print(&format!("{name}: rule sets of different groups or files"));
    }
    for (index, (name, profile)) in PROFILES.iter().enumerate() {
        for (other_name, other) in PROFILES.iter().skip(index + 1) {
            let mut counts = Counts::default();
            for path in &paths {
                let body = fs::read(path).unwrap();
                let [one, two] = [profile, other].map(|profile| Robots::new(&body, profile.rules));
                for crawler in crawlers(&one) {
                    let (before, after) = (one.rules(&crawler), two.rules(&crawler));
                    let start = Instant::now();
                    let difference = before.difference(&after, Difference::MAX_STATES);
                    counts.add(&difference, start.elapsed());
                }
            }
            counts.print(&format!("{name} against {other_name}"));
        }
    }
}

/// Returns the crawlers that a file names, and one that it does not name.
fn crawlers(robots: &Robots) -> Vec<Crawler> {
    let groups = robots.groups();
    let values = groups.iter().flat_map(|group| group.agents());
    let names: HashSet<String> =
        values.map(|agent| String::from_utf8_lossy(agent.bytes()).to_ascii_lowercase()).collect();
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort();
    names.iter().filter_map(|name| Crawler::new(name).ok()).chain([Crawler::unnamed()]).collect()
}

/// The most rules that the plain search reads: it prepares all of them again for each comparison.
const MOST_RULES: usize = 60;

/// Compares the result with that of the plain search.
fn second(rules: &RuleSet, line: usize, difference: &Difference, most: usize, counts: &mut Counts) {
    if most == 0 {
        return;
    }
    if rules.len() > MOST_RULES {
        counts.too_large += 1;
        return;
    }
    let before = rules.compiled_rules();
    let after: Vec<_> = before.iter().filter(|rule| rule.line != line).copied().collect();
    let Some(plain) = plain_difference(rules, &before, &after, most) else {
        counts.too_large += 1;
        return;
    };
    let len = |change: &Change| change.witness().map(|witness| witness.path.len());
    let found = (len(&difference.newly_disallowed), len(&difference.newly_allowed));
    if found == (plain.newly_disallowed, plain.newly_allowed) {
        counts.proved_twice += 1;
    } else {
        counts.wrong += 1;
        println!("    WRONG: line {line} of {rules:?}: {difference:?} {plain:?}");
    }
}
