//! Median times of candidates that take turns, in time of the processor where the system reports it.
//!
//! Other programs that run at the same time change the time of the clock many times as much as that of the processor.

use std::thread;
use std::time::{Duration, Instant};

/// A candidate: a name, and a function that asks all questions of one of two threads.
pub(crate) struct Candidate<'a> {
    name: &'static str,
    ask: Box<dyn Fn(usize) + Sync + 'a>,
}

impl<'a> Candidate<'a> {
    pub(crate) fn new(name: &'static str, ask: impl Fn(usize) + Sync + 'a) -> Self {
        Self { name, ask: Box::new(ask) }
    }
}

/// Returns the name of each candidate with its median time for each thread, in seconds. In a turn, each candidate asks its questions
/// this many times: the system counts in steps of a few milliseconds. Every round runs each candidate once, so
/// that a slow phase of the machine affects all of them.
pub(crate) fn medians(candidates: &[Candidate<'_>], rounds: usize, threads: usize, repeats: u32) -> Vec<(&'static str, f64)> {
    let turn = |candidate: &Candidate<'_>| {
        let times: Vec<Duration> = thread::scope(|scope| {
            let ask = |part| measured(|| (0..repeats).for_each(|_| (candidate.ask)(part)));
            let started = (0..threads).map(|part| scope.spawn(move || ask(part)));
            let started: Vec<_> = started.collect();
            started.into_iter().map(|thread| thread.join().expect("no candidate panics")).collect()
        });
        times.iter().max().copied().unwrap_or_default().as_secs_f64() / f64::from(repeats)
    };
    let mut times: Vec<Vec<f64>> = candidates.iter().map(|_| Vec::with_capacity(rounds)).collect();
    // The first round fills the caches of the processor.
    candidates.iter().for_each(|candidate| drop(turn(candidate)));
    for _ in 0..rounds.max(1) {
        for (candidate, times) in candidates.iter().zip(&mut times) {
            times.push(turn(candidate));
        }
    }
    candidates
        .iter()
        .zip(times)
        .map(|(candidate, mut times)| {
            times.sort_by(f64::total_cmp);
            (candidate.name, times[times.len() / 2])
        })
        .collect()
}

/// Returns the time of the processor that this thread takes for `work`, or else the time of the clock.
fn measured(work: impl FnOnce()) -> Duration {
    let (clock, processor) = (Instant::now(), processor_time());
    work();
    match (processor, processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => clock.elapsed(),
    }
}

/// Returns the time of the processor that this thread has taken so far, if the system is Linux.
pub(crate) fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}
