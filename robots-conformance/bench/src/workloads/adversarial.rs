//! Files that were made to be slow.

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::contestant::{Contestant, Cylon, Robots, Robotstxt, Robotxt, TextingRobots, Url, one_shot};
use crate::corpus::STRANGER;
use crate::measure::{Way, medians};
use crate::workloads::outcome::Outcome;

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

pub(super) fn adversarial(rounds: usize) -> Vec<Outcome> {
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
