//! Verdicts with a rule set, and from a file to one verdict.

use std::hint::black_box;

use crate::corpus::{Site, UNNAMED_AGENT};
use crate::implementation::{
    Cylon, Implementation, Robots, Robotstxt, Robotxt, TextingRobots, Url, one_shot,
};
use crate::medians::{Candidate, medians};
use crate::workloads::outcome::Outcome;

pub(super) fn verdicts(sites: &[Site], rounds: usize, name: &str) -> Outcome {
    struct Case<'a> {
        urls: &'a [Url],
        own: <Robots as Implementation>::Rules,
        robotxt: <Robotxt as Implementation>::Rules,
        texting: <TextingRobots as Implementation>::Rules,
        cylon: <Cylon as Implementation>::Rules,
    }
    let cases: Vec<Case<'_>> = sites
        .iter()
        .filter_map(|site| {
            Some(Case {
                urls: &site.urls,
                own: Robots::compile(&site.body, UNNAMED_AGENT)?,
                robotxt: Robotxt::compile(&site.body, UNNAMED_AGENT)?,
                texting: TextingRobots::compile(&site.body, UNNAMED_AGENT)?,
                cylon: Cylon::compile(&site.body, UNNAMED_AGENT)?,
            })
        })
        .collect();
    let count: usize = cases.iter().map(|case| case.urls.len()).sum();
    macro_rules! candidate {
        ($implementation:ty, $field:ident) => {
            Candidate::new(<$implementation>::NAME, || {
                for case in &cases {
                    for url in case.urls {
                        black_box(<$implementation>::is_allowed(&case.$field, black_box(url)));
                    }
                }
            })
        };
    }
    let candidates = vec![
        candidate!(Robots, own),
        candidate!(Robotxt, robotxt),
        candidate!(TextingRobots, texting),
        candidate!(Cylon, cylon),
    ];
    let figures = medians(candidates, rounds)
        .into_iter()
        .map(|(name, time)| (name, time / count as f64 * 1e9))
        .collect();
    let note = format!("{count} URLs, {} files that all implementations compile", cases.len());
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
    fn candidate<'a, C: Implementation>(cases: &'a [&'a Site]) -> Candidate<'a> {
        Candidate::new(C::NAME, move || {
            for site in cases {
                black_box(one_shot::<C>(&site.body, UNNAMED_AGENT, &site.urls[0]));
            }
        })
    }
    let per = |cases: &[&Site], times: Vec<(&'static str, f64)>| {
        let count = cases.len() as f64;
        times.into_iter().map(move |(name, time)| (name, time / count * 1e9)).collect::<Vec<_>>()
    };
    let fast =
        vec![candidate::<Robots>(&cases), candidate::<Robotxt>(&cases), candidate::<Robotstxt>(&cases)];
    let mut figures = per(&cases, medians(fast, rounds));
    let some: Vec<&Site> = cases.iter().step_by(10).copied().collect();
    figures.extend(per(
        &some,
        medians(vec![candidate::<TextingRobots>(&some), candidate::<Cylon>(&some)], rounds),
    ));
    let note = format!(
        "{} files that all implementations read; texting_robots and cylon on every tenth of them",
        cases.len()
    );
    Outcome { workload: "one shot".to_owned(), unit: "ns", rate: false, figures, note }
}

/// Whether an implementation reads a file and answers, without a panic.
fn answers<C: Implementation>(body: &[u8], url: &Url) -> bool {
    let asked = || C::compile(body, UNNAMED_AGENT).map(|rules| black_box(C::is_allowed(&rules, url)));
    std::panic::catch_unwind(asked).is_ok_and(|answer| answer.is_some())
}
