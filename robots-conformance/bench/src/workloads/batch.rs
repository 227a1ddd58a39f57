//! The rows of `robots batch` in the order of a log, beside a loop that keeps compiled sets.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::io;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use robots_bench::corpus::{Random, Site, UNNAMED_AGENT};
use robots_bench::implementation::Implementation as _;
use robots_bench::implementation::Robots;
use robots_bench::turns::{Candidate, medians};
use robots_command::{Reading, answer, answer_on};
use robots_match::{KnownCrawler, Profile, RuleSet, Target};

use crate::workloads::outcome::{AGAIN, Outcome};

/// The number of rows.
const ROWS: usize = 300_000;

/// How many rounds of one and of two threads there are for each round of the other workloads. The time of the clock differs more
/// from turn to turn than that of the processor.
const ROUNDS_BY_THE_CLOCK: usize = 3;

/// How long a new thread waits before it uses others.
const PAUSE: Duration = Duration::from_millis(3);

/// How many additions are measured beside the rows. They take about as long.
const ADDITIONS: u64 = 300_000_000;

const PROFILE: Profile = Profile::RFC9309;

/// Rows and the files that they name.
struct Rows<'a> {
    files: HashMap<Vec<u8>, &'a [u8]>,
    shuffled: Vec<u8>,
    sorted: Vec<u8>,
    pairs: usize,
}

impl<'a> Rows<'a> {
    fn new(sites: &'a [Site]) -> Self {
        let mut random = Random::new(31);
        let files = sites.iter().enumerate().map(|(number, site)| (name(number).into_bytes(), &*site.body));
        let agents = [UNNAMED_AGENT, "GPTBot", "bingbot", "AhrefsBot", "CCBot"];
        let mut rows: Vec<(usize, &str, &str)> = (0..ROWS)
            .map(|_| {
                let number = random.below(sites.len());
                let site = &sites[number];
                let own = site.named.as_deref().unwrap_or(UNNAMED_AGENT);
                let agent = *agents.get(random.below(agents.len() + 1)).unwrap_or(&own);
                (number, agent, site.urls[random.below(site.urls.len())].whole())
            })
            .collect();
        let text = |rows: &[(usize, &str, &str)]| {
            let mut text = String::new();
            for (number, agent, url) in rows {
                let _ = writeln!(text, "{}\t{agent}\t{url}", name(*number));
            }
            text.into_bytes()
        };
        let shuffled = text(&rows);
        rows.sort_unstable();
        let sorted = text(&rows);
        rows.dedup_by_key(|(number, agent, _)| (*number, *agent));
        Self { files: files.collect(), shuffled, sorted, pairs: rows.len() }
    }

    fn open(&self, name: &[u8]) -> Result<Vec<u8>, String> {
        self.files.get(name).map(|body| body.to_vec()).ok_or_else(|| "there is none".to_owned())
    }

    /// Answers rows as a program over robots-match does that keeps the compiled sets in a map.
    fn looped(&self, rows: &[u8], output: &mut Vec<u8>) {
        let mut sets: HashMap<(Vec<u8>, Vec<u8>), RuleSet> = HashMap::new();
        let mut parts = rows.split(|&byte| byte == b'\n').filter(|row| !row.is_empty());
        parts.by_ref().for_each(|row| {
            let mut fields = row.splitn(3, |&byte| byte == b'\t').map(<[u8]>::to_vec);
            let mut field = || fields.next().expect("rows have three fields");
            let (file, agent, url) = (field(), field(), field());
            let rules = sets.entry((file, agent)).or_insert_with_key(|(file, agent)| {
                let agent = std::str::from_utf8(agent).expect("agents are ASCII");
                let crawler = KnownCrawler::named(agent, &PROFILE.groups);
                let body = self.open(file).expect("each file exists");
                RuleSet::parse(&body, &crawler.expect("agents are names"), &PROFILE)
            });
            let verdict = rules.check(Target::parse(&url).expect("URLs have hosts").path());
            let word = if verdict.is_allowed() { "allowed" } else { "disallowed" };
            let _ = io::Write::write_fmt(output, format_args!("{word}\t{}\n", verdict.line().unwrap_or(0)));
        });
    }

    fn batched(&self, rows: &[u8], output: &mut Vec<u8>) {
        answer(rows, output, &Reading::new(&PROFILE), |name| self.open(name)).expect("memory can be read and written");
    }

    /// Returns the time of the clock for the shuffled rows on several threads, one of which is that of the caller.
    fn time_on(&self, threads: NonZeroUsize) -> f64 {
        // The thread that started this one may still be about to wait for it, and use a core. Then the system may run a second
        // thread on the core of this one for some milliseconds. A program that calls `answer_on` has no such thread.
        thread::sleep(PAUSE);
        let mut output = Vec::with_capacity(ROWS * 16);
        let started = Instant::now();
        answer_on(threads, &*self.shuffled, &mut output, &Reading::new(&PROFILE), |name| self.open(name))
            .expect("memory can be read and written");
        let time = started.elapsed().as_secs_f64();
        black_box(output);
        time
    }
}

fn name(number: usize) -> String {
    format!("sites/{number}.txt")
}

pub(super) fn batch(sites: &[Site], rounds: usize) -> Vec<Outcome> {
    let rows = &Rows::new(sites);
    let (mut own, mut other) = (Vec::new(), Vec::new());
    rows.batched(&rows.shuffled, &mut own);
    rows.looped(&rows.shuffled, &mut other);
    // The command also says what a file is that is no robots.txt.
    let fields = |output: &[u8]| {
        let rows = output.split(|&byte| byte == b'\n');
        rows.flat_map(|row| row.split(|&byte| byte == b'\t').take(2).map(<[u8]>::to_vec)).collect::<Vec<_>>()
    };
    assert!(fields(&own) == fields(&other), "both answer alike");
    let workload = |name: &str, text: &'static str, figures: Vec<(&'static str, f64)>| Outcome {
        workload: name.to_owned(),
        unit: "rows/s",
        rate: true,
        figures: figures.into_iter().map(|(name, time)| (name, ROWS as f64 / time)).collect(),
        differing: Vec::new(),
        note: format!("{ROWS} rows, {} pairs of file and agent; {text}", rows.pairs),
    };
    let mut outcomes = Vec::new();
    for (name, text) in [("batch, shuffled rows", &rows.shuffled), ("batch, sorted rows", &rows.sorted)] {
        let run = |work: fn(&Rows<'_>, &[u8], &mut Vec<u8>)| {
            move |_| {
                let mut output = Vec::with_capacity(ROWS * 16);
                work(rows, text, &mut output);
                black_box(output);
            }
        };
        let candidates = [
            Candidate::new(Robots::NAME, run(|rows, text, output| rows.batched(text, output))),
            Candidate::new("loop with a map", run(|rows, text, output| rows.looped(text, output))),
            Candidate::new(AGAIN, run(|rows, text, output| rows.batched(text, output))),
        ];
        outcomes.push(workload(name, "one thread", medians(&candidates, rounds)));
    }
    outcomes.push(on_threads(rows, ROUNDS_BY_THE_CLOCK * rounds.max(1)));
    outcomes
}

/// Compares two threads with one, by the clock, because the time of the processor is that of all threads together.
fn on_threads(rows: &Rows<'_>, rounds: usize) -> Outcome {
    let time = |threads: NonZeroUsize| {
        // A new thread gets its memory from the system. The main thread has memory that earlier rounds freed, which would favour
        // one thread.
        thread::scope(|scope| {
            scope.spawn(|| rows.time_on(threads)).join().expect("memory can be read and written")
        })
    };
    let two = NonZeroUsize::MIN.saturating_add(1);
    let turns: Vec<[f64; 4]> =
        (0..rounds).map(|_| [time(two), time(NonZeroUsize::MIN), additions_on(2), additions_on(1)]).collect();
    let median = |turn: usize| {
        let mut times: Vec<f64> = turns.iter().map(|times| times[turn]).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let rate = |turn| ROWS as f64 / median(turn);
    Outcome {
        workload: "batch, two cores".to_owned(),
        unit: "rows/s",
        rate: true,
        figures: vec![("two threads", rate(0)), ("one thread", rate(1))],
        differing: Vec::new(),
        note: format!(
            "the shuffled rows, {rounds} rounds; time of the clock, which other programs change; only additions gain {:.2} times with two threads",
            median(3) / median(2)
        ),
    }
}

/// Returns the time of the clock for many additions that are divided among threads: what more threads can gain on this machine.
fn additions_on(threads: u64) -> f64 {
    let started = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                (0..black_box(ADDITIONS) / threads).fold(0_u64, |sum, number| black_box(sum + number))
            });
        }
    });
    started.elapsed().as_secs_f64()
}
