//! Adversarial files: written to be slow to read or to match.

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use robots_bench::corpus::UNNAMED_AGENT;
use robots_bench::implementation::{
    Cylon, Implementation, Robots, Robotstxt, Robotxt, TextingRobots, Url, one_shot,
};
use robots_bench::turns::{Candidate, medians};

use crate::workloads::outcome::Outcome;

/// How long an implementation may take for one adversarial file.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// A file that is slow to read or to match, and the path that is asked about.
struct AdversarialFile {
    name: &'static str,
    body: String,
    path: String,
}

/// All of them, each of about 500 KiB.
fn adversarial_files() -> [AdversarialFile; 7] {
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
    let any = "User-agent: *\n";
    let long = || format!("/{}", "a".repeat(1_999));
    let root = || "/".to_owned();
    [
        AdversarialFile {
            name: "wildcard rules",
            body: repeat(any, &|_| "Disallow: /*a*a*a*a*a*b\n".to_owned()),
            path: long(),
        },
        AdversarialFile {
            name: "different wildcard rules",
            body: repeat(any, &|index| format!("Disallow: /*a*a*a*a*{}b\n", "a*".repeat(index % 20))),
            path: long(),
        },
        AdversarialFile {
            name: "one pattern",
            body: format!("{any}Disallow: /{}b\n", "*a".repeat(size / 2 - 40)),
            path: long(),
        },
        AdversarialFile {
            name: "user-agent lines",
            body: repeat("", &|index| format!("User-agent: a{}\n", "b".repeat(index % 5))),
            path: root(),
        },
        AdversarialFile {
            name: "groups of one agent",
            body: repeat("", &|_| "User-agent: Zqxwbot\nAllow:/\n".to_owned()),
            path: root(),
        },
        AdversarialFile {
            name: "one line",
            body: format!("{any}Disallow: /{}\n", "a".repeat(size - 60)),
            path: long(),
        },
        AdversarialFile {
            name: "nested prefixes",
            body: repeat(any, &|index| format!("Disallow: /{}\n", "a".repeat(index % 1_000))),
            path: long(),
        },
    ]
}

/// An implementation, from a body to one verdict.
struct OneShot {
    name: &'static str,
    run: fn(&[u8], &str, &Url) -> bool,
}

impl OneShot {
    const fn of<I: Implementation>() -> Self {
        Self { name: I::NAME, run: one_shot::<I> }
    }
}

const ONE_SHOTS: &[OneShot] = &[
    OneShot::of::<Robots>(),
    OneShot::of::<Robotxt>(),
    OneShot::of::<Robotstxt>(),
    OneShot::of::<TextingRobots>(),
    OneShot::of::<Cylon>(),
    #[cfg(feature = "googlebot")]
    OneShot::of::<robots_bench::implementation::Googlebot>(),
];

/// Runs one implementation on one adversarial file. This is done in a process of its own, which can be killed.
pub(crate) fn probe(implementation: &str, file: &str) {
    let one_shot = ONE_SHOTS.iter().find(|one_shot| one_shot.name == implementation);
    let found = adversarial_files().into_iter().find(|found| found.name == file);
    if let (Some(one_shot), Some(AdversarialFile { body, path, .. })) = (one_shot, found) {
        black_box((one_shot.run)(body.as_bytes(), UNNAMED_AGENT, &Url::of_path(&path)));
    }
}

/// Returns why an implementation is left out; `None` if it answers in time.
fn left_out(implementation: &str, file: &str) -> Option<String> {
    let started = Instant::now();
    let child = std::env::current_exe().and_then(|own| {
        Command::new(own).args(["--probe", implementation, file]).stderr(Stdio::null()).spawn()
    });
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return Some(format!("{implementation} can't be started: {error}")),
    };
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return None,
            Ok(Some(_)) => return Some(format!("{implementation} panics")),
            Ok(None) if started.elapsed() < TIME_LIMIT => thread::sleep(Duration::from_millis(2)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Some(format!("{implementation} takes more than {} s", TIME_LIMIT.as_secs()));
            }
        }
    }
}

pub(super) fn adversarial(rounds: usize) -> Vec<Outcome> {
    adversarial_files()
        .into_iter()
        .map(|AdversarialFile { name: file, body, path }| {
            let (url, body) = (&Url::of_path(&path), body.as_bytes());
            let mut out = Vec::new();
            let mut candidates = Vec::new();
            for &OneShot { name, run } in ONE_SHOTS {
                match left_out(name, file) {
                    None => candidates.push(Candidate::new(name, move |_| {
                        black_box(run(body, UNNAMED_AGENT, url));
                    })),
                    Some(reason) => out.push(reason),
                }
            }
            candidates.push(Candidate::new("plain scan", |_| {
                black_box(body.iter().fold(0_u64, |sum, &byte| sum.rotate_left(5) ^ u64::from(byte)));
            }));
            let mut figures: Vec<(&'static str, f64)> =
                medians(&candidates, rounds).into_iter().map(|(name, time)| (name, time * 1e6)).collect();
            let scan = figures.pop().map_or(0.0, |(_, time)| time);
            let mut note =
                format!("{:.1} times a plain scan of the file ({scan:.1} us)", figures[0].1 / scan);
            if !out.is_empty() {
                note = format!("{note}; {}", out.join(", "));
            }
            let workload = format!("adversarial, {file}");
            Outcome { workload, unit: "us", rate: false, figures, differing: Vec::new(), note }
        })
        .collect()
}
