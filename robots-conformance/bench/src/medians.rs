//! Median times of several candidates for the same work, measured in turns.

use std::time::{Duration, Instant};

/// A candidate: a name, and a function that does the work once.
pub(crate) struct Candidate<'a> {
    pub(crate) name: &'static str,
    pub(crate) work: Box<dyn FnMut() + 'a>,
}

impl<'a> Candidate<'a> {
    pub(crate) fn new(name: &'static str, work: impl FnMut() + 'a) -> Self {
        Self { name, work: Box::new(work) }
    }
}

impl std::fmt::Debug for Candidate<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Returns the median time of each candidate, in seconds. Every round runs each candidate once, so that a slow phase of
/// the machine affects all of them. A candidate that takes less than 20 milliseconds is repeated within its turn.
pub(crate) fn medians(mut candidates: Vec<Candidate<'_>>, rounds: usize) -> Vec<(&'static str, f64)> {
    const TURN: Duration = Duration::from_millis(20);
    let repeats: Vec<u32> = candidates
        .iter_mut()
        .map(|candidate| {
            let started = Instant::now();
            (candidate.work)();
            let once = started.elapsed().max(Duration::from_nanos(50));
            (TURN.as_nanos() / once.as_nanos()).clamp(1, 1_000_000) as u32
        })
        .collect();
    let mut times: Vec<Vec<f64>> = candidates.iter().map(|_| Vec::with_capacity(rounds)).collect();
    for _ in 0..rounds.max(1) {
        for ((candidate, repeats), times) in candidates.iter_mut().zip(&repeats).zip(&mut times) {
            let started = Instant::now();
            for _ in 0..*repeats {
                (candidate.work)();
            }
            times.push(started.elapsed().as_secs_f64() / f64::from(*repeats));
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
