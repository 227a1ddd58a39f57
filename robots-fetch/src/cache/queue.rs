//! Limits of retrievals.

use core::time::Duration;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crate::common::lock;

/// Limits of the retrievals of a cache. A retrieval over a limit waits; those that wait take their turns in the order in which
/// they came. Each origin has at most one retrieval at a time, so an origin that is retrieved often does not delay others by
/// more than one turn.
///
/// ```
/// use robots_fetch::{CacheOptions, SiteProfile};
///
/// let mut options = CacheOptions::new(SiteProfile::RFC9309);
/// options.retrievals.per_second = Some(50);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetrievalLimits {
    /// The most retrievals at a time; 0 counts as 1. At most half of them, rounded up, are retries
    /// of a gate, whose sites did not answer before.
    pub concurrent: usize,
    /// The most retrievals that begin within a second, evenly spaced; 0 counts as 1. `None` for any number.
    pub per_second: Option<u32>,
    /// The most retrievals in the background at a time. With 0, entries are not retrieved before their lifetime ends, and not
    /// used after it.
    pub background: usize,
    /// The most retrievals at a time that go on in an `AsyncCache` although every caller has given up. Over this limit, a
    /// retrieval ends when its last caller gives up. The callers of a blocking [`Cache`](crate::Cache) can't give up.
    pub detached: usize,
}

impl RetrievalLimits {
    /// 256 at a time, any number per second, 16 in the background, 256 without a caller.
    pub const DEFAULT: Self = Self { concurrent: 256, per_second: None, background: 16, detached: 256 };

    /// Returns the most retrievals at a time, at least 1.
    pub(super) fn most(&self) -> usize {
        self.concurrent.max(1)
    }

    pub(super) fn pace(&self) -> Pace {
        let interval = self.per_second.map(|count| Duration::from_secs(1) / count.max(1));
        Pace { interval: interval.unwrap_or_default(), next: None }
    }
}

impl Default for RetrievalLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Spaces retrievals evenly. Has no clock.
#[derive(Debug)]
pub(super) struct Pace {
    interval: Duration,
    /// When the next retrieval may begin.
    next: Option<Instant>,
}

impl Pace {
    /// Takes the next turn. Returns how long after `now` it begins.
    pub(super) fn take(&mut self, now: Instant) -> Duration {
        if self.interval.is_zero() {
            return Duration::ZERO;
        }
        let begin = self.next.map_or(now, |next| next.max(now));
        self.next = begin.checked_add(self.interval);
        begin.duration_since(now)
    }
}

/// The threads that wait for their turn to retrieve.
pub(super) struct Queue {
    most: usize,
    state: Mutex<Turns>,
    changed: Condvar,
}

struct Turns {
    /// The ticket of the next thread that comes.
    next: u64,
    /// The ticket whose turn is next.
    turn: u64,
    running: usize,
    pace: Pace,
}

/// The right to retrieve. It ends when it is dropped.
pub(super) struct Turn<'q>(&'q Queue);

impl Queue {
    pub(super) fn new(limits: &RetrievalLimits) -> Self {
        let state = Turns { next: 0, turn: 0, running: 0, pace: limits.pace() };
        Self { most: limits.most(), state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Waits for the turn of this thread, in the order of the calls.
    pub(super) fn enter(&self) -> Turn<'_> {
        let mut state = lock(&self.state);
        let ticket = state.next;
        state.next += 1;
        let must_wait = |state: &mut Turns| state.turn != ticket || state.running >= self.most;
        let mut state = self.changed.wait_while(state, must_wait).unwrap_or_else(PoisonError::into_inner);
        state.turn += 1;
        state.running += 1;
        let pause = state.pace.take(Instant::now());
        drop(state);
        let turn = Turn(self);
        self.changed.notify_all();
        thread::sleep(pause);
        turn
    }

    /// Returns how many threads wait.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> u64 {
        let state = lock(&self.state);
        state.next - state.turn
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).running -= 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;

    fn limits(concurrent: usize, per_second: Option<u32>) -> RetrievalLimits {
        RetrievalLimits { concurrent, per_second, ..RetrievalLimits::DEFAULT }
    }

    proptest! {
        /// Whenever they come, no more begin within any second than the limit says, and none waits longer than those before it
        /// need.
        #[test]
        fn retrievals_are_spaced(comes in prop::collection::vec(0..3_000_u64, 1..80), per_second in 1..50_u32) {
            let start = Instant::now();
            let mut pace = limits(9, Some(per_second)).pace();
            let mut comes = comes;
            comes.sort_unstable();
            let mut begins: Vec<Duration> = Vec::new();
            for come in comes {
                let come = Duration::from_millis(come);
                let begin = come + pace.take(start + come);
                let interval = Duration::from_secs(1) / per_second;
                let earliest = begins.last().map_or(come, |last| come.max(*last + interval));
                prop_assert_eq!(begin, earliest);
                begins.push(begin);
            }
            for (at, begin) in begins.iter().enumerate() {
                let second = begins[at..].iter().take_while(|other| **other < *begin + Duration::from_millis(999));
                prop_assert!(second.count() <= per_second as usize);
            }
        }
    }

    #[test]
    fn without_a_limit_none_waits() {
        let mut pace = limits(1, None).pace();
        let now = Instant::now();
        assert!((0..100).all(|_| pace.take(now).is_zero()));
        assert_eq!(limits(0, Some(0)).most(), 1);
        let mut slowest = limits(0, Some(0)).pace();
        assert_eq!([slowest.take(now), slowest.take(now)], [Duration::ZERO, Duration::from_secs(1)]);
    }

    #[test]
    fn threads_take_turns_in_the_order_in_which_they_came() {
        let queue = Queue::new(&limits(1, None));
        let order = Mutex::new(Vec::new());
        let first = queue.enter();
        thread::scope(|scope| {
            for number in 0..20 {
                let (queue, order) = (&queue, &order);
                scope.spawn(move || {
                    let turn = queue.enter();
                    order.lock().unwrap().push(number);
                    drop(turn);
                });
                // The next one comes when this one waits.
                while queue.waiting() <= number {
                    thread::yield_now();
                }
            }
            drop(first);
        });
        assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn no_more_run_at_a_time_than_the_limit_says() {
        let queue = Queue::new(&limits(3, None));
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..30 {
                scope.spawn(|| {
                    let turn = queue.enter();
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(2));
                    running.fetch_sub(1, Ordering::SeqCst);
                    drop(turn);
                });
            }
        });
        assert_eq!(most.into_inner(), 3);
    }
}
