//! Median times of candidates that take turns, in time of the processor where the system reports it.
//!
//! Other programs that run at the same time change the time of the clock many times as much as that of the processor.

use std::thread;
use std::time::{Duration, Instant};

/// The shortest turn: shorter work is repeated.
const TURN: Duration = Duration::from_millis(20);

/// A candidate: a name, and a function that does the work of one of several threads.
pub struct Candidate<'a> {
    name: &'static str,
    work: Box<dyn Fn(usize) + Sync + 'a>,
}

impl<'a> Candidate<'a> {
    /// Creates a candidate whose work gets the number of its thread.
    pub fn new(name: &'static str, work: impl Fn(usize) + Sync + 'a) -> Self {
        Self { name, work: Box::new(work) }
    }
}

impl std::fmt::Debug for Candidate<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Returns the name of each candidate with its median time on one thread, in seconds. Every round runs each candidate once,
/// so that a slow phase of the machine affects all of them. The order changes, because a candidate finds in the caches of the
/// processor what the one before it left.
pub fn medians(candidates: &[Candidate<'_>], rounds: usize) -> Vec<(&'static str, f64)> {
    medians_on(1, candidates, rounds)
}

/// Does the same as [`medians`] on several threads at a time. The time is that of the slowest thread.
pub fn medians_on(threads: usize, candidates: &[Candidate<'_>], rounds: usize) -> Vec<(&'static str, f64)> {
    let turn = |candidate: &Candidate<'_>, repeats: u32| -> Duration {
        let work = |part| measured(|| (0..repeats).for_each(|_| (candidate.work)(part)));
        if threads == 1 {
            return work(0);
        }
        thread::scope(|scope| {
            let started: Vec<_> = (0..threads).map(|part| scope.spawn(move || work(part))).collect();
            let times = started.into_iter().map(|thread| thread.join().expect("no candidate panics"));
            times.max().unwrap_or_default()
        })
    };
    let repeats: Vec<u32> = candidates
        .iter()
        .map(|candidate| {
            // The first turn fills the caches of the processor. It can take several times as long as the next, which would lead
            // to too few repeats.
            turn(candidate, 1);
            let once = turn(candidate, 1).max(Duration::from_nanos(50));
            TURN.as_nanos().div_ceil(once.as_nanos()).clamp(1, 1_000_000) as u32
        })
        .collect();
    let mut times: Vec<Vec<f64>> = candidates.iter().map(|_| Vec::with_capacity(rounds)).collect();
    for round in 0..rounds.max(1) {
        for index in order(candidates.len(), round) {
            times[index]
                .push(turn(&candidates[index], repeats[index]).as_secs_f64() / f64::from(repeats[index]));
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

/// Returns the order of some candidates in a round. In `count` rounds, each directly follows every other one once if
/// `count` is even, and twice in twice as many rounds if it is odd.
fn order(count: usize, round: usize) -> impl Iterator<Item = usize> {
    let is_reversed = count % 2 == 1 && round / count.max(1) % 2 == 1;
    // From both ends in turn, so that the distances between neighbours differ.
    (0..count).map(move |place| {
        let place = if is_reversed { count - 1 - place } else { place };
        let index = if place % 2 == 0 { place / 2 } else { count - place.div_ceil(2) };
        (index + round) % count
    })
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

/// Returns the time of the processor that this thread has taken so far, if the system reports it.
#[cfg(unix)]
pub fn processor_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
}

/// Returns `None`, because the system does not report it.
#[cfg(not(unix))]
pub fn processor_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_candidate_follows_each_other_equally_often() {
        for count in 2..9 {
            let rounds = if count % 2 == 0 { count } else { 2 * count };
            let mut follows = vec![vec![0; count]; count];
            for round in 0..rounds {
                let order: Vec<usize> = order(count, round).collect();
                assert_eq!((0..count).filter(|index| order.contains(index)).count(), count);
                order.windows(2).for_each(|pair| follows[pair[0]][pair[1]] += 1);
            }
            for (before, counts) in follows.iter().enumerate() {
                let others = counts.iter().enumerate().filter(|(after, _)| *after != before);
                assert!(others.clone().all(|(_, times)| *times == rounds / count), "{count}: {follows:?}");
            }
        }
    }
}
