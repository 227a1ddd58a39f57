//! Reading lines, and compiling rule sets.

use std::hint::black_box;

use crate::contestant::{Contestant, Cylon, Robots, Robotxt, TextingRobots};
use crate::corpus::Site;
use crate::measure::{Way, medians};
use crate::workloads::outcome::Outcome;

pub(super) fn read(sites: &[Site], rounds: usize) -> Outcome {
    let octets: usize = sites.iter().map(|site| site.body.len()).sum();
    let mut policy = robots_match::Profile::RFC9309.syntax;
    policy.max_size = None;
    let ways = vec![
        Way::new(Robots::NAME, || {
            for site in sites {
                for line in robots_match::syntax::lines(&site.body, &policy) {
                    black_box(line.record);
                }
            }
        }),
        Way::new("memchr lines", || {
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
        octets,
        medians(ways, rounds),
        "all lines of every file, against splitting lines alone",
    )
}

fn rates(
    workload: &str,
    unit: &'static str,
    octets: usize,
    times: Vec<(&'static str, f64)>,
    note: &str,
) -> Outcome {
    let figures = times.into_iter().map(|(name, time)| (name, octets as f64 / time / 1e6)).collect();
    Outcome { workload: workload.to_owned(), unit, rate: true, figures, note: note.to_owned() }
}

pub(super) fn compile(
    sites: &[Site],
    rounds: usize,
    name: &str,
    agent: impl Fn(&Site) -> Option<String>,
) -> Outcome {
    let cases: Vec<(&Site, String)> = sites.iter().filter_map(|site| Some((site, agent(site)?))).collect();
    let octets: usize = cases.iter().map(|(site, _)| site.body.len()).sum();
    fn way<'a, C: Contestant>(cases: &'a [(&'a Site, String)]) -> Way<'a> {
        Way::new(C::NAME, move || {
            for (site, agent) in cases {
                black_box(C::compile(&site.body, agent));
            }
        })
    }
    let mut times = medians(vec![way::<Robots>(&cases), way::<Robotxt>(&cases)], rounds);
    // These take a hundred times as long: a part of the files tells as much.
    let some: Vec<(&Site, String)> = cases.iter().step_by(10).cloned().collect();
    let share = some.iter().map(|(site, _)| site.body.len()).sum::<usize>() as f64 / octets as f64;
    let slow = medians(vec![way::<TextingRobots>(&some), way::<Cylon>(&some)], rounds);
    times.extend(slow.into_iter().map(|(name, time)| (name, time / share)));
    let note = format!("{} files; texting_robots and cylon on every tenth of them", cases.len());
    rates(name, "MB/s", octets, times, &note)
}
