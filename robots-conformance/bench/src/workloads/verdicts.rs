//! Verdicts with a rule set, and from a body to some verdicts.

use std::hint::black_box;
use std::thread;

use robots_bench::corpus::{Random, Site, UNNAMED_AGENT};
#[cfg(feature = "googlebot")]
use robots_bench::implementation::Googlebot;
use robots_bench::implementation::{
    Cylon, Implementation, Robots, Robotstxt, Robotxt, TextingRobots, Url, one_shot,
};
use robots_bench::turns::{Candidate, medians};

use crate::workloads::outcome::{AGAIN, Outcome, PATH};

/// The order of the questions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// All URLs of a file, then those of the next.
    Sites,
    /// The URLs of all files mixed, as in a log.
    Shuffled,
}

/// The rules of each file. One implementation compiles all files before the next one does, so that its rules are beside each
/// other in memory, as in a program that uses only this implementation.
fn compiled<C: Implementation<Rules: Send>>(sites: &[&Site]) -> Vec<C::Rules> {
    let compile =
        |site: &&Site| C::compile(&site.body, UNNAMED_AGENT).expect("each implementation compiles these");
    // With the usual allocator of Linux, the memory of a new thread is not mixed with what others freed. On the main thread, the
    // first of two copies was up to 27 % slower than the second.
    thread::scope(|scope| {
        let compiling = scope.spawn(|| sites.iter().map(compile).collect());
        compiling.join().expect("no implementation panics")
    })
}

pub(super) fn verdicts(sites: &[Site], rounds: usize, name: &str, order: Order) -> Outcome {
    let compile = |site: &&Site| {
        let agent = UNNAMED_AGENT;
        TextingRobots::compile(&site.body, agent).is_some() && Cylon::compile(&site.body, agent).is_some()
    };
    let sites: Vec<&Site> = sites.iter().filter(compile).collect();
    let own = compiled::<Robots>(&sites);
    let robotxt = compiled::<Robotxt>(&sites);
    // Compiled again, because the second copy would otherwise find the rules of the first in the caches of the processor.
    let again = compiled::<Robots>(&sites);
    let texting = compiled::<TextingRobots>(&sites);
    let cylon = compiled::<Cylon>(&sites);
    let mut questions: Vec<(usize, &Url)> = sites
        .iter()
        .enumerate()
        .flat_map(|(number, site)| site.urls.iter().map(move |url| (number, url)))
        .collect();
    if order == Order::Shuffled {
        Random::new(77).shuffle(&mut questions);
    }
    let count = questions.len();
    let questions = &*questions;
    macro_rules! candidate {
        ($name:expr, $implementation:ty, $rules:ident) => {
            Candidate::new($name, |_| {
                for (number, url) in questions {
                    black_box(<$implementation>::is_allowed(&$rules[*number], black_box(url)));
                }
            })
        };
    }
    macro_rules! differing {
        ($implementation:ty, $rules:ident) => {{
            let differs = |(number, url): &&(usize, &Url)| {
                <$implementation>::is_allowed(&$rules[*number], url) != Robots::is_allowed(&own[*number], url)
            };
            (<$implementation>::NAME, questions.iter().filter(differs).count(), count)
        }};
    }
    let candidates = [
        candidate!(Robots::NAME, Robots, own),
        candidate!(Robotxt::NAME, Robotxt, robotxt),
        candidate!(AGAIN, Robots, again),
        candidate!(TextingRobots::NAME, TextingRobots, texting),
        Candidate::new(PATH, |_| {
            for (_, url) in questions {
                let bytes = black_box(url).path().bytes();
                black_box(bytes.fold(0_u64, |sum, byte| sum.rotate_left(1) ^ u64::from(byte)));
            }
        }),
        candidate!(Cylon::NAME, Cylon, cylon),
    ];
    let differing =
        vec![differing!(Robotxt, robotxt), differing!(TextingRobots, texting), differing!(Cylon, cylon)];
    let figures = medians(&candidates, rounds)
        .into_iter()
        .map(|(name, time)| (name, time / count as f64 * 1e9))
        .collect();
    let note = format!("{count} URLs, {} files that all implementations compile", sites.len());
    Outcome { workload: name.to_owned(), unit: "ns", rate: false, figures, differing, note }
}

/// The files that all implementations read.
pub(super) fn readable(sites: &[Site]) -> Vec<&Site> {
    let is_readable = |site: &&Site| {
        let url = &site.urls[0];
        answers::<Robotxt>(&site.body, url)
            && answers::<Robotstxt>(&site.body, url)
            && answers::<TextingRobots>(&site.body, url)
            && answers::<Cylon>(&site.body, url)
    };
    sites.iter().filter(is_readable).collect()
}

/// From a body to `count` verdicts: by the shortest call for one, and else with compiled rules.
pub(super) fn from_body(cases: &[&Site], rounds: usize, count: usize) -> Outcome {
    fn urls(site: &Site, count: usize) -> impl Iterator<Item = &Url> {
        site.urls.iter().cycle().take(count)
    }
    fn answers<C: Implementation>(site: &Site, count: usize, mut take: impl FnMut(bool)) {
        if count == 1 {
            take(one_shot::<C>(&site.body, UNNAMED_AGENT, &site.urls[0]));
        } else if let Some(rules) = C::compile(&site.body, UNNAMED_AGENT) {
            urls(site, count).for_each(|url| take(C::is_allowed(&rules, black_box(url))));
        }
    }
    fn candidate<'a, C: Implementation>(
        name: &'static str,
        cases: &'a [&'a Site],
        count: usize,
    ) -> Candidate<'a> {
        Candidate::new(name, move |_| {
            cases.iter().for_each(|site| answers::<C>(site, count, |answer| _ = black_box(answer)));
        })
    }
    fn differing<C: Implementation>(cases: &[&Site], count: usize) -> (&'static str, usize, usize) {
        let all = |found: &mut Vec<bool>, site: &Site, of_own: bool| {
            if of_own {
                answers::<Robots>(site, count, |answer| found.push(answer));
            } else {
                answers::<C>(site, count, |answer| found.push(answer));
            }
        };
        let (mut own, mut other) = (Vec::new(), Vec::new());
        for site in cases {
            all(&mut own, site, true);
            all(&mut other, site, false);
        }
        let differing = own.iter().zip(&other).filter(|(a, b)| a != b).count();
        (C::NAME, differing, own.len())
    }
    let per = |cases: &[&Site], times: Vec<(&'static str, f64)>| {
        let count = cases.len() as f64;
        times.into_iter().map(move |(name, time)| (name, time / count * 1e9)).collect::<Vec<_>>()
    };
    let mut fast = vec![
        candidate::<Robots>(Robots::NAME, cases, count),
        candidate::<Robotxt>(Robotxt::NAME, cases, count),
        candidate::<Robots>(AGAIN, cases, count),
    ];
    let mut differences = vec![differing::<Robotxt>(cases, count)];
    if count == 1 {
        // These read the body again for each verdict.
        fast.push(candidate::<Robotstxt>(Robotstxt::NAME, cases, count));
        differences.push(differing::<Robotstxt>(cases, count));
        #[cfg(feature = "googlebot")]
        {
            fast.push(candidate::<Googlebot>(Googlebot::NAME, cases, count));
            differences.push(differing::<Googlebot>(cases, count));
        }
    }
    let mut figures = per(cases, medians(&fast, rounds));
    let some: Vec<&Site> = cases.iter().step_by(10).copied().collect();
    let slow = [
        candidate::<TextingRobots>(TextingRobots::NAME, &some, count),
        candidate::<Cylon>(Cylon::NAME, &some, count),
    ];
    figures.extend(per(&some, medians(&slow, rounds)));
    let note = format!(
        "{} files that all implementations read; texting_robots and cylon on every tenth of them",
        cases.len()
    );
    let workload = format!("body to {count} verdict{}", if count == 1 { "" } else { "s" });
    Outcome { workload, unit: "ns", rate: false, figures, differing: differences, note }
}

/// Whether an implementation reads a file and answers, without a panic.
fn answers<C: Implementation>(body: &[u8], url: &Url) -> bool {
    let asked = || C::compile(body, UNNAMED_AGENT).map(|rules| black_box(C::is_allowed(&rules, url)));
    std::panic::catch_unwind(asked).is_ok_and(|answer| answer.is_some())
}
