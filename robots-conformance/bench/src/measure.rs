//! Measuring several ways to do the same, in turns.

use std::time::{Duration, Instant};

/// One way to do the work: a name, and what does it once.
pub(crate) struct Way<'a> {
    pub(crate) name: &'static str,
    pub(crate) work: Box<dyn FnMut() + 'a>,
}

impl<'a> Way<'a> {
    pub(crate) fn new(name: &'static str, work: impl FnMut() + 'a) -> Self {
        Self { name, work: Box::new(work) }
    }
}

impl std::fmt::Debug for Way<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The median time of each way, in seconds. Every round runs each way once, so that what slows the machine for a while
/// slows all of them; ways that take less than a few milliseconds are repeated within their turn.
pub(crate) fn medians(mut ways: Vec<Way<'_>>, rounds: usize) -> Vec<(&'static str, f64)> {
    const TURN: Duration = Duration::from_millis(20);
    let repeats: Vec<u32> = ways
        .iter_mut()
        .map(|way| {
            let started = Instant::now();
            (way.work)();
            let once = started.elapsed().max(Duration::from_nanos(50));
            (TURN.as_nanos() / once.as_nanos()).clamp(1, 1_000_000) as u32
        })
        .collect();
    let mut times: Vec<Vec<f64>> = ways.iter().map(|_| Vec::with_capacity(rounds)).collect();
    for _ in 0..rounds.max(1) {
        for ((way, repeats), times) in ways.iter_mut().zip(&repeats).zip(&mut times) {
            let started = Instant::now();
            for _ in 0..*repeats {
                (way.work)();
            }
            times.push(started.elapsed().as_secs_f64() / f64::from(*repeats));
        }
    }
    ways.iter()
        .zip(times)
        .map(|(way, mut times)| {
            times.sort_by(f64::total_cmp);
            (way.name, times[times.len() / 2])
        })
        .collect()
}
