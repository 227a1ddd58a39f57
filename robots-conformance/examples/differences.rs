//! Compares each file of a folder with itself without each of its rules in turn, with other files, and under each two
//! profiles, and prints how many states and how much time that takes.
//!
//! ```text
//! cargo run --release -p robots-conformance --example differences FOLDER [SECOND_PROVER_STATES [files|profiles]]
//! ```
//!
//! With a number of states, a second prover decides each comparison too, and prints where it does not agree. It takes a quarter of an
//! hour for 2,000 files. The last argument leaves out one half of the comparisons.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "an example that can't go on ends"
)]

extern crate alloc;

use alloc::collections::BTreeMap;
use core::time::Duration;
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use robots_conformance::PROFILES;
use robots_conformance::model::difference::{Limit, PlainDifference, Prover};
use robots_fetch::SiteProfile;
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
    not_compared: BTreeMap<String, usize>,
    wrong: usize,
    plain_time: Duration,
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
        if self.proved_twice + self.wrong > 0 {
            println!(
                "    second prover: {} agree, {} WRONG, not compared: {:?}, {:?}",
                self.proved_twice, self.wrong, self.not_compared, self.plain_time
            );
        }
    }

    /// Compares the result with that of the plain search.
    fn check(
        &mut self,
        what: &str,
        found: &Difference,
        second: impl FnOnce() -> Result<PlainDifference, Limit>,
    ) {
        let start = Instant::now();
        let plain = second();
        let time = start.elapsed();
        self.plain_time += time;
        if time > Duration::from_millis(100) {
            println!("    {what}: the second prover needs {time:?}");
        }
        let both = [&found.newly_disallowed, &found.newly_allowed];
        let is_decided = |change: &&Change| {
            change.is_nothing() || change.witness().is_some_and(|witness| witness.is_shortest)
        };
        let reason = match plain {
            Ok(plain) if both.iter().all(is_decided) => {
                let len = |change: &Change| change.witness().map(|witness| witness.path.len());
                if both.map(len) == [plain.newly_disallowed, plain.newly_allowed] {
                    self.proved_twice += 1;
                } else {
                    self.wrong += 1;
                    println!("    WRONG: {what}: {found:?} {plain:?}");
                }
                return;
            }
            Ok(_) => "undecided by the first".to_owned(),
            Err(limit) => format!("{limit:?}"),
        };
        println!("    {what}: not compared: {reason}");
        *self.not_compared.entry(reason).or_default() += 1;
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
    let most: usize = arguments.next().map_or(0, |states| states.parse().unwrap());
    let part = arguments.next();
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for (name, profile) in PROFILES.iter().filter(|_| part.as_deref() != Some("profiles")) {
        of_files(name, profile, &paths, most);
    }
    if part.as_deref() == Some("files") {
        return;
    }
    for (index, (name, profile)) in PROFILES.iter().enumerate() {
        for (other_name, other) in PROFILES.iter().skip(index + 1) {
            of_profiles(&format!("{name} against {other_name}"), [profile, other], &paths, most);
        }
    }
}

/// Compares each rule set with itself without each of its rules, and with the one before it.
fn of_files(name: &str, profile: &SiteProfile, paths: &[PathBuf], most: usize) {
    let (mut removals, mut whole, mut shared) = (Counts::default(), Counts::default(), Counts::default());
    let mut last: Option<RuleSet> = None;
    let mut prover = Prover::new([&profile.rules.matching; 2]);
    for (index, path) in paths.iter().enumerate() {
        prover.forget();
        if most > 0 && index % 200 == 0 {
            println!("    {name}: file {index}");
        }
        let robots = Robots::new(fs::read(path).unwrap(), profile.rules);
        for rules in rule_sets(&robots) {
            let plain = (most > 0).then(|| prover.rules(&rules, false));
            let start = Instant::now();
            let mut iterator = rules.removals(Difference::MAX_STATES);
            let set_up = start.elapsed();
            let mut count = 0;
            loop {
                let start = Instant::now();
                let Some((rule, difference)) = iterator.next() else { break };
                let time = start.elapsed();
                count += 1;
                let what = || format!("{name}: {} line {}", path.display(), rule.line);
                if time > Duration::from_millis(50) || difference.states > 20_000 {
                    println!("    {}: {} states, {time:?}", what(), difference.states);
                }
                removals.add(&difference, time);
                if let Some(plain) = &plain {
                    removals.check(&what(), &difference, || match plain {
                        Ok(plain) => prover.removal(plain, rule.line, most),
                        Err(limit) => Err(*limit),
                    });
                }
            }
            drop(iterator);
            shared.times.push(set_up);
            shared.states.push(count);
            shared.changed += 1;
            if let Some(last) = &last {
                let what = format!("{name}: {} with the one before", path.display());
                compare(&mut whole, &what, &mut prover, [last, &rules], most);
            }
            last = Some(rules);
        }
    }
    removals.print(&format!("{name}: rules removed"));
    shared.print(&format!("{name}: prepared rule sets (rules instead of states)"));
    whole.print(&format!("{name}: rule sets of different groups or files"));
}

/// Compares the rules of each file as two documents read them.
fn of_profiles(name: &str, profiles: [&SiteProfile; 2], paths: &[PathBuf], most: usize) {
    let mut counts = Counts::default();
    let mut prover = Prover::new(profiles.map(|profile| &profile.rules.matching));
    for (index, path) in paths.iter().enumerate() {
        prover.forget();
        if most > 0 && index % 200 == 0 {
            println!("    {name}: file {index}");
        }
        let body = fs::read(path).unwrap();
        let [one, two] = profiles.map(|profile| Robots::new(&body, profile.rules));
        for crawler in crawlers(&one) {
            let (before, after) = (one.rules(&crawler), two.rules(&crawler));
            let what = format!("{name}: {} {crawler:?}", path.display());
            compare(&mut counts, &what, &mut prover, [&before, &after], most);
        }
    }
    counts.print(name);
}

/// Compares two rule sets, and a second time with another prover if it has states.
fn compare(
    counts: &mut Counts,
    what: &str,
    prover: &mut Prover,
    [before, after]: [&RuleSet; 2],
    most: usize,
) {
    let start = Instant::now();
    let difference = before.difference(after, Difference::MAX_STATES);
    let time = start.elapsed();
    let is_undecided =
        [&difference.newly_disallowed, &difference.newly_allowed].contains(&&Change::Undecided);
    if is_undecided || time > Duration::from_millis(50) {
        let remark = if is_undecided { ", undecided" } else { "" };
        println!("    {what}: {} states, {time:?}{remark}", difference.states);
    }
    counts.add(&difference, time);
    if most > 0 {
        counts.check(what, &difference, || {
            let (before, after) = (prover.rules(before, false)?, prover.rules(after, true)?);
            prover.difference(&before, &after, most)
        });
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
