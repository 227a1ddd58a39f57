//! What is measured.

use std::fmt;
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use stats_alloc::Region;

use crate::ALLOCATOR;
use crate::contestant::{Contestant, Cylon, Robots, Robotstxt, Robotxt, TextingRobots, Url, one_shot};
use crate::corpus::{self, STRANGER, Site};
use crate::measure::{Way, medians};

/// The figures of one workload.
#[derive(Debug)]
pub(crate) struct Outcome {
    workload: String,
    unit: &'static str,
    /// Whether more is better.
    rate: bool,
    figures: Vec<(&'static str, f64)>,
    /// A remark, and what this stack is measured against if that is no contestant.
    note: String,
}

impl Outcome {
    /// How many times better this stack is than the best other.
    fn ratio(&self) -> Option<(f64, &'static str)> {
        let (_, own) = self.figures.first()?;
        let others = self.figures.iter().skip(1);
        let best = if self.rate {
            others.max_by(|a, b| a.1.total_cmp(&b.1))
        } else {
            others.min_by(|a, b| a.1.total_cmp(&b.1))
        };
        best.map(|(name, figure)| (if self.rate { own / figure } else { figure / own }, *name))
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        let figures: serde_json::Map<_, _> =
            self.figures.iter().map(|(name, figure)| ((*name).to_owned(), (*figure).into())).collect();
        serde_json::json!({
            "workload": self.workload,
            "unit": self.unit,
            "figures": figures,
            "ratio": self.ratio().map(|(ratio, _)| ratio),
            "against": self.ratio().map(|(_, name)| name),
            "note": self.note,
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.workload)?;
        if let Some((ratio, name)) = self.ratio() {
            write!(f, ": {ratio:.2} times {name}")?;
        }
        writeln!(f)?;
        for (name, figure) in &self.figures {
            writeln!(f, "  {name:16} {figure:>14.1} {}", self.unit)?;
        }
        if !self.note.is_empty() {
            writeln!(f, "  {}", self.note)?;
        }
        Ok(())
    }
}

/// All workloads, or those whose names contain `only`.
pub(crate) fn all(sites: &[Site], rounds: usize, only: Option<&str>) -> Vec<Outcome> {
    let wanted = |name: &str| only.is_none_or(|only| name.contains(only));
    let mut outcomes = Vec::new();
    if wanted("read") {
        outcomes.push(read(sites, rounds));
    }
    if wanted("compile") {
        outcomes.push(compile(sites, rounds, "compile, agent not named", |_| Some(STRANGER.to_owned())));
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

fn read(sites: &[Site], rounds: usize) -> Outcome {
    let octets: usize = sites.iter().map(|site| site.body.len()).sum();
    let mut policy = robots_match::Profile::RFC9309.syntax;
    policy.max_size = None;
    let ways = vec![
        Way::new(Robots::NAME, || {
            for site in sites {
                for line in robots_match::syntax::Lines::new(&site.body, &policy) {
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

fn compile(sites: &[Site], rounds: usize, name: &str, agent: impl Fn(&Site) -> Option<String>) -> Outcome {
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

fn verdicts(sites: &[Site], rounds: usize, name: &str) -> Outcome {
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

fn one_shots(sites: &[Site], rounds: usize) -> Outcome {
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

fn memory(sites: &[Site]) -> Vec<Outcome> {
    let (mut held, mut patterns, mut rules, mut compiling, mut sets) = (0, 0, 0, 0, 0);
    let (mut checks, mut checked, mut clean) = (0, 0, 0);
    for site in sites {
        let region = Region::new(ALLOCATOR);
        let Some(set) = Robots::compile(&site.body, STRANGER) else { continue };
        let change = region.change();
        // Growth and shrinkage of blocks count among the octets allocated and freed.
        held += change.bytes_allocated as i64 - change.bytes_deallocated as i64;
        compiling += change.allocations + change.reallocations;
        sets += 1;
        rules += set.len();
        patterns += set.rulings().iter().map(|ruling| ruling.pattern.len()).sum::<usize>();
        for url in &site.urls {
            let is_clean = !url
                .path()
                .bytes()
                .any(|octet| b"%*$\"<>\\^`{|}#".contains(&octet) || !octet.is_ascii_graphic());
            let region = Region::new(ALLOCATOR);
            black_box(set.check(url.path().as_bytes()));
            checks += 1;
            if is_clean {
                clean += 1;
                checked += region.change().allocations;
            }
        }
    }
    let figure = |workload: &str, unit, figure: f64, note: String| Outcome {
        workload: workload.to_owned(),
        unit,
        rate: false,
        figures: vec![(Robots::NAME, figure)],
        note,
    };
    let (held, patterns, rules) = (held as f64, patterns as f64, rules as f64);
    vec![
        figure(
            "memory held, of what the bar of 2 x octets + 24 per rule allows",
            "of 1",
            held / (2.0 * patterns + 24.0 * rules),
            format!(
                "{held} octets held by {sets} rule sets of {rules} rules with {patterns} octets of patterns: {:.2} x octets + 12 per \
                 rule ({:.2} of 1.2 x octets + 12 per rule)",
                (held - 12.0 * rules) / patterns,
                held / (1.2 * patterns + 12.0 * rules)
            ),
        ),
        figure(
            "memory: allocations to compile",
            "per file",
            compiling as f64 / f64::from(sets),
            String::new(),
        ),
        figure(
            "memory: allocations of a verdict",
            "per URL",
            checked as f64 / f64::from(clean.max(1)),
            format!("{clean} of {checks} paths are canonical as they are"),
        ),
    ]
}

/// How long a contestant may take for a file that was made to hurt.
const PATIENCE: Duration = Duration::from_secs(1);

/// Files that were made to hurt: a name, the body, and the path that is asked about.
fn hurtful() -> [(&'static str, String, String); 7] {
    let size = 500 * 1024;
    let repeat = |start: &str, piece: &dyn Fn(usize) -> String| {
        let mut body = start.to_owned();
        let mut index = 0;
        while body.len() < size - 64 {
            body.push_str(&piece(index));
            index += 1;
        }
        body
    };
    let long = format!("/{}", "a".repeat(1_999));
    [
        (
            "wildcard rules",
            repeat("User-agent: *\n", &|_| "Disallow: /*a*a*a*a*a*b\n".to_owned()),
            long.clone(),
        ),
        (
            "different wildcard rules",
            repeat("User-agent: *\n", &|index| format!("Disallow: /*a*a*a*a*{}b\n", "a*".repeat(index % 20))),
            long.clone(),
        ),
        ("one pattern", format!("User-agent: *\nDisallow: /{}b\n", "*a".repeat(size / 2 - 40)), long.clone()),
        (
            "user-agent lines",
            repeat("", &|index| format!("User-agent: a{}\n", "b".repeat(index % 5))),
            "/".to_owned(),
        ),
        ("groups of one agent", repeat("", &|_| "User-agent: Zqxwbot\nAllow:/\n".to_owned()), "/".to_owned()),
        ("one line", format!("User-agent: *\nDisallow: /{}\n", "a".repeat(size - 60)), long.clone()),
        (
            "nested prefixes",
            repeat("User-agent: *\n", &|index| format!("Disallow: /{}\n", "a".repeat(index % 1_000))),
            long,
        ),
    ]
}

/// A contestant by its name, for a file that was made to hurt.
type Shot = (&'static str, fn(&[u8], &str, &Url) -> bool);

const SHOTS: [Shot; 5] = [
    (Robots::NAME, one_shot::<Robots>),
    (Robotxt::NAME, one_shot::<Robotxt>),
    (Robotstxt::NAME, one_shot::<Robotstxt>),
    (TextingRobots::NAME, one_shot::<TextingRobots>),
    (Cylon::NAME, one_shot::<Cylon>),
];

/// Lets one contestant answer about one file that was made to hurt, in a process that can be ended.
pub(crate) fn probe(contestant: &str, file: &str) {
    let shot = SHOTS.iter().find(|(name, _)| *name == contestant);
    let found = hurtful().into_iter().find(|(name, ..)| *name == file);
    if let (Some((_, shot)), Some((_, body, path))) = (shot, found) {
        black_box(shot(body.as_bytes(), STRANGER, &Url::of_path(&path)));
    }
}

/// Why a contestant is left out, if it is.
fn left_out(contestant: &str, file: &str) -> Option<String> {
    let started = Instant::now();
    let child = std::env::current_exe()
        .and_then(|own| Command::new(own).args(["--probe", contestant, file]).stderr(Stdio::null()).spawn());
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return Some(format!("{contestant} can't be tried: {error}")),
    };
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return None,
            Ok(Some(_)) => return Some(format!("{contestant} panics")),
            Ok(None) if started.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(2)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Some(format!("{contestant} takes more than {} s", PATIENCE.as_secs()));
            }
        }
    }
}

fn adversarial(rounds: usize) -> Vec<Outcome> {
    hurtful()
        .into_iter()
        .map(|(file, body, path)| {
            let (url, body) = (&Url::of_path(&path), body.as_bytes());
            let mut out = Vec::new();
            let mut ways = Vec::new();
            for (name, shot) in SHOTS {
                match left_out(name, file) {
                    None => ways.push(Way::new(name, move || {
                        black_box(shot(body, STRANGER, url));
                    })),
                    Some(reason) => out.push(reason),
                }
            }
            ways.push(Way::new("plain scan", || {
                black_box(body.iter().fold(0_u64, |sum, &octet| sum.rotate_left(5) ^ u64::from(octet)));
            }));
            let mut figures: Vec<(&'static str, f64)> =
                medians(ways, rounds).into_iter().map(|(name, time)| (name, time * 1e6)).collect();
            let scan = figures.pop().map_or(0.0, |(_, time)| time);
            let mut note =
                format!("{:.1} times a plain scan of the file ({scan:.1} us)", figures[0].1 / scan);
            if !out.is_empty() {
                note = format!("{note}; {}", out.join(", "));
            }
            Outcome { workload: format!("adversarial, {file}"), unit: "us", rate: false, figures, note }
        })
        .collect()
}
