//! Reading lines, and compiling rule sets.

use std::hint::black_box;

use crate::corpus::Site;
use crate::implementation::{Cylon, Implementation, Robots, Robotxt, TextingRobots};
use crate::medians::{Candidate, medians};
use crate::workloads::outcome::Outcome;

pub(super) fn read(sites: &[Site], rounds: usize) -> Outcome {
    let bytes: usize = sites.iter().map(|site| site.body.len()).sum();
    let mut policy = robots_match::Profile::RFC9309.syntax;
    policy.max_size = None;
    let candidates = vec![
        Candidate::new(Robots::NAME, || {
            for site in sites {
                for line in robots_match::syntax::Lines::new(&site.body, &policy) {
                    black_box(line.record);
                }
            }
        }),
        Candidate::new("memchr lines", || {
            for site in sites {
                let mut start = 0;
                for end in memchr::memchr2_iter(b'\r', b'\n', &site.body) {
                    black_box(&site.body[start..end]);
                    start = end + 1;
                }
            }
        }),
    ];
    rates(
        "read",
        "MB/s",
        bytes,
        medians(candidates, rounds),
        "all lines of every file, compared with only splitting lines",
    )
}

fn rates(
    workload: &str,
    unit: &'static str,
    bytes: usize,
    times: Vec<(&'static str, f64)>,
    note: &str,
) -> Outcome {
    let figures = times.into_iter().map(|(name, time)| (name, bytes as f64 / time / 1e6)).collect();
    Outcome { workload: workload.to_owned(), unit, rate: true, figures, note: note.to_owned() }
}

pub(super) fn compile(
    sites: &[Site],
    rounds: usize,
    name: &str,
    agent: impl Fn(&Site) -> Option<String>,
) -> Outcome {
    let cases: Vec<(&Site, String)> = sites.iter().filter_map(|site| Some((site, agent(site)?))).collect();
    let bytes: usize = cases.iter().map(|(site, _)| site.body.len()).sum();
    fn candidate<'a, C: Implementation>(cases: &'a [(&'a Site, String)]) -> Candidate<'a> {
        Candidate::new(C::NAME, move || {
            for (site, agent) in cases {
                black_box(C::compile(&site.body, agent));
            }
        })
    }
    let mut times = medians(vec![candidate::<Robots>(&cases), candidate::<Robotxt>(&cases)], rounds);
    // These take a hundred times as long, so they get a tenth of the files.
    let some: Vec<(&Site, String)> = cases.iter().step_by(10).cloned().collect();
    let share = some.iter().map(|(site, _)| site.body.len()).sum::<usize>() as f64 / bytes as f64;
    let slow = medians(vec![candidate::<TextingRobots>(&some), candidate::<Cylon>(&some)], rounds);
    times.extend(slow.into_iter().map(|(name, time)| (name, time / share)));
    let note = format!("{} files; texting_robots and cylon on every tenth of them", cases.len());
    rates(name, "MB/s", bytes, times, &note)
}
