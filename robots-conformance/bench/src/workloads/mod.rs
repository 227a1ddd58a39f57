//! The workloads that are measured.

mod adversarial;
mod batch;
mod outcome;
mod reading;
mod verdicts;

use robots_bench::arguments::Arguments;
use robots_bench::corpus::{self, Site, UNNAMED_AGENT};
use robots_bench::implementation::{Implementation as _, Robots, Url};

use crate::workloads::adversarial::adversarial;
pub(crate) use crate::workloads::adversarial::probe;
use crate::workloads::batch::batch;
pub(crate) use crate::workloads::outcome::Outcome;
use crate::workloads::reading::{compile, read};
use crate::workloads::verdicts::{Order, from_body, readable, verdicts};

/// All workloads, or those that were asked for.
pub(crate) fn all(sites: &[Site], arguments: &Arguments) -> Vec<Outcome> {
    let (wanted, rounds) = (|name: &str| arguments.wants(name), arguments.rounds);
    let mut outcomes = Vec::new();
    if wanted("read") {
        outcomes.push(read(sites, rounds));
    }
    let counts: Vec<usize> =
        [1, 10, 100].into_iter().filter(|count| wanted(&format!("body to {count} verdicts"))).collect();
    if !counts.is_empty() {
        let cases = readable(sites);
        outcomes.extend(counts.into_iter().map(|count| from_body(&cases, rounds, count)));
    }
    if wanted("compile") {
        outcomes.push(compile(sites, rounds, "compile", |_| Some(UNNAMED_AGENT.to_owned())));
        outcomes.push(compile(sites, rounds, "compile, agent named", |site| site.named.clone()));
    }
    for (name, order) in [("verdict, site order", Order::Sites), ("verdict, shuffled", Order::Shuffled)] {
        if wanted(name) {
            outcomes.push(verdicts(sites, rounds, name, order));
        }
    }
    if wanted("verdict, encoded paths") {
        let sites = corpus::with_encoded_paths(sites);
        outcomes.push(verdicts(&sites, rounds, "verdict, encoded paths", Order::Sites));
    }
    let mut growth = Vec::new();
    for (name, count, rule) in [
        ("verdict, 1,000 plain rules", 1_000, corpus::plain as fn(&mut corpus::Random) -> String),
        ("verdict, 10,000 plain rules", 10_000, corpus::plain),
        ("verdict, 5,000 wildcard rules", 5_000, corpus::wild),
        ("verdict, 20,000 rules of both kinds", 20_000, |random| {
            if random.below(2) == 0 { corpus::plain(random) } else { corpus::wild(random) }
        }),
    ] {
        if wanted(name) {
            let site = large_site(count, rule);
            let outcome = verdicts(std::slice::from_ref(&site), rounds, name, Order::Sites);
            growth.push(outcome.figures[0].1);
            outcomes.push(outcome);
        }
    }
    if let [small, large, ..] = growth[..] {
        outcomes.push(Outcome {
            workload: "growth of a verdict from 1,000 to 10,000 plain rules".to_owned(),
            unit: "times",
            rate: false,
            figures: vec![(Robots::NAME, large / small)],
            differing: Vec::new(),
            note: String::new(),
        });
    }
    if wanted("batch") {
        outcomes.extend(batch(sites, rounds));
    }
    if wanted("adversarial") {
        outcomes.extend(adversarial(rounds));
    }
    outcomes
}

fn large_site(count: usize, rule: fn(&mut corpus::Random) -> String) -> Site {
    let mut site = corpus::large(count, rule);
    let mut random = corpus::Random::new(7);
    let more = (0..100).flat_map(|_| Site::new(site.body.clone(), &mut random).urls.into_iter().take(4));
    let more: Vec<Url> = more.collect();
    site.urls.extend(more);
    site
}
