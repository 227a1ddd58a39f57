//! Verdicts with a rule set, and from a file to one verdict.

use std::hint::black_box;

use crate::contestant::{Contestant, Cylon, Robots, Robotstxt, Robotxt, TextingRobots, Url, one_shot};
use crate::corpus::{STRANGER, Site};
use crate::measure::{Way, medians};
use crate::workloads::outcome::Outcome;

pub(super) fn verdicts(sites: &[Site], rounds: usize, name: &str) -> Outcome {
    struct Case<'a> {
        urls: &'a [Url],
        own: <Robots as Contestant>::Rules,
        robotxt: <Robotxt as Contestant>::Rules,
        texting: <TextingRobots as Contestant>::Rules,
        cylon: <Cylon as Contestant>::Rules,
    }
    let cases: Vec<Case<'_>> = sites
        .iter()
        .filter_map(|site| {
            Some(Case {
                urls: &site.urls,
                own: Robots::compile(&site.body, STRANGER)?,
                robotxt: Robotxt::compile(&site.body, STRANGER)?,
                texting: TextingRobots::compile(&site.body, STRANGER)?,
                cylon: Cylon::compile(&site.body, STRANGER)?,
            })
        })
        .collect();
    let count: usize = cases.iter().map(|case| case.urls.len()).sum();
    macro_rules! way {
        ($contestant:ty, $field:ident) => {
            Way::new(<$contestant>::NAME, || {
                for case in &cases {
                    for url in case.urls {
                        black_box(<$contestant>::is_allowed(&case.$field, black_box(url)));
                    }
                }
            })
        };
    }
    let ways =
        vec![way!(Robots, own), way!(Robotxt, robotxt), way!(TextingRobots, texting), way!(Cylon, cylon)];
    let figures =
        medians(ways, rounds).into_iter().map(|(name, time)| (name, time / count as f64 * 1e9)).collect();
    let note = format!("{count} URLs, {} files that all contestants compile", cases.len());
    Outcome { workload: name.to_owned(), unit: "ns", rate: false, figures, note }
}

pub(super) fn one_shots(sites: &[Site], rounds: usize) -> Outcome {
    let cases: Vec<&Site> = sites
        .iter()
        .filter(|site| {
            let url = &site.urls[0];
            answers::<Robotxt>(&site.body, url)
                && answers::<Robotstxt>(&site.body, url)
                && answers::<TextingRobots>(&site.body, url)
                && answers::<Cylon>(&site.body, url)
        })
        .collect();
    fn way<'a, C: Contestant>(cases: &'a [&'a Site]) -> Way<'a> {
        Way::new(C::NAME, move || {
            for site in cases {
                black_box(one_shot::<C>(&site.body, STRANGER, &site.urls[0]));
            }
        })
    }
    let per = |cases: &[&Site], times: Vec<(&'static str, f64)>| {
        let count = cases.len() as f64;
        times.into_iter().map(move |(name, time)| (name, time / count * 1e9)).collect::<Vec<_>>()
    };
    let fast = vec![way::<Robots>(&cases), way::<Robotxt>(&cases), way::<Robotstxt>(&cases)];
    let mut figures = per(&cases, medians(fast, rounds));
    let some: Vec<&Site> = cases.iter().step_by(10).copied().collect();
    figures.extend(per(&some, medians(vec![way::<TextingRobots>(&some), way::<Cylon>(&some)], rounds)));
    let note = format!(
        "{} files that all contestants read; texting_robots and cylon on every tenth of them",
        cases.len()
    );
    Outcome { workload: "one shot".to_owned(), unit: "ns", rate: false, figures, note }
}

/// Whether a contestant reads a file and answers, without a panic.
fn answers<C: Contestant>(body: &[u8], url: &Url) -> bool {
    let asked = || C::compile(body, STRANGER).map(|rules| black_box(C::is_allowed(&rules, url)));
    std::panic::catch_unwind(asked).is_ok_and(|answer| answer.is_some())
}
