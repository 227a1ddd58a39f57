//! Reading lines, and compiling rule sets.

use std::hint::black_box;

use robots_bench::corpus::Site;
use robots_bench::implementation::{Cylon, Implementation, Robots, Robotxt, TextingRobots};
use robots_bench::turns::{Candidate, medians};

use crate::workloads::outcome::{AGAIN, Outcome};

pub(super) fn read(sites: &[Site], rounds: usize) -> Outcome {
    let bytes: usize = sites.iter().map(|site| site.body.len()).sum();
    let mut policy = robots_match::Profile::RFC9309.syntax;
    policy.max_size = None;
    let own = |_| {
        for site in sites {
            for line in robots_match::syntax::Lines::new(&site.body, &policy) {
                black_box(line.record);
            }
        }
    };
    let candidates = [
        Candidate::new(Robots::NAME, own),
        Candidate::new("memchr lines", |_| {
            for site in sites {
                let mut start = 0;
                for end in memchr::memchr2_iter(b'\r', b'\n', &site.body) {
                    black_box(&site.body[start..end]);
                    start = end + 1;
                }
            }
        }),
        Candidate::new(AGAIN, own),
    ];
    let note = "all lines of every file, compared with only splitting lines";
    rates("read", bytes, medians(&candidates, rounds), note)
}

fn rates(workload: &str, bytes: usize, times: Vec<(&'static str, f64)>, note: &str) -> Outcome {
    let figures = times.into_iter().map(|(name, time)| (name, bytes as f64 / time / 1e6)).collect();
    Outcome {
        workload: workload.to_owned(),
        unit: "MB/s",
        rate: true,
        figures,
        differing: Vec::new(),
        note: note.to_owned(),
    }
}

pub(super) fn compile(
    sites: &[Site],
    rounds: usize,
    name: &str,
    agent: impl Fn(&Site) -> Option<String>,
) -> Outcome {
    let cases: Vec<(&Site, String)> = sites.iter().filter_map(|site| Some((site, agent(site)?))).collect();
    let bytes: usize = cases.iter().map(|(site, _)| site.body.len()).sum();
    fn candidate<'a, C: Implementation>(
        name: &'static str,
        cases: &'a [(&'a Site, String)],
    ) -> Candidate<'a> {
        Candidate::new(name, move |_| {
            for (site, agent) in cases {
                black_box(C::compile(&site.body, agent));
            }
        })
    }
    let fast = [
        candidate::<Robots>(Robots::NAME, &cases),
        candidate::<Robotxt>(Robotxt::NAME, &cases),
        candidate::<Robots>(AGAIN, &cases),
    ];
    let mut times = medians(&fast, rounds);
    // These take a hundred times as long, so they get a tenth of the files.
    let some: Vec<(&Site, String)> = cases.iter().step_by(10).cloned().collect();
    let share = some.iter().map(|(site, _)| site.body.len()).sum::<usize>() as f64 / bytes as f64;
    let slow =
        [candidate::<TextingRobots>(TextingRobots::NAME, &some), candidate::<Cylon>(Cylon::NAME, &some)];
    times.extend(medians(&slow, rounds).into_iter().map(|(name, time)| (name, time / share)));
    let note = format!("{} files; texting_robots and cylon on every tenth of them", cases.len());
    rates(name, bytes, times, &note)
}
