//! The workloads that are measured.

mod adversarial;
mod memory;
mod outcome;
mod reading;
mod verdicts;

pub(crate) use adversarial::probe;
pub(crate) use outcome::Outcome;

use adversarial::adversarial;
use memory::memory;
use reading::{compile, read};
use verdicts::{one_shots, verdicts};

use crate::corpus::{self, Site, UNNAMED_AGENT};
use crate::implementation::{Implementation, Robots, Url};

/// All workloads, or those whose names contain `only`.
pub(crate) fn all(sites: &[Site], rounds: usize, only: Option<&str>) -> Vec<Outcome> {
    let wanted = |name: &str| only.is_none_or(|only| name.contains(only));
    let mut outcomes = Vec::new();
    if wanted("read") {
        outcomes.push(read(sites, rounds));
    }
    if wanted("compile") {
        outcomes.push(compile(sites, rounds, "compile, agent not named", |_| Some(UNNAMED_AGENT.to_owned())));
        outcomes.push(compile(sites, rounds, "compile, agent named", |site| site.named.clone()));
    }
    if wanted("verdict on the corpus") {
        outcomes.push(verdicts(sites, rounds, "verdict on the corpus"));
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
            let outcome = verdicts(std::slice::from_ref(&site), rounds, name);
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
            note: String::new(),
        });
    }
    if wanted("one shot") {
        outcomes.push(one_shots(sites, rounds));
    }
    if wanted("memory") {
        outcomes.extend(memory(sites));
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
