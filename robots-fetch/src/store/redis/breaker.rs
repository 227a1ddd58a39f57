//! When a server is asked again after it did not answer.

use core::time::Duration;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::backoff;

/// The pause after the first failure, and the longest one.
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(10);

/// A circuit breaker: after a failure, commands are refused for a pause. After the pause one command is a trial, and the others
/// are refused until it succeeds or the next pause has passed. Pauses double up to [`LONGEST`].
#[derive(Debug, Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Until when commands are refused; `None` if the server answers.
    until: Option<Instant>,
    /// How often it failed in a row.
    failures: u32,
}

impl Breaker {
    /// Returns how much longer commands are refused; `None` if this command may be sent.
    pub(super) fn refuses(&self, now: Instant) -> Option<Duration> {
        let mut state = self.state();
        let until = state.until?;
        if now < until {
            return Some(until - now);
        }
        state.open(now);
        None
    }

    /// Notes that the server did not answer.
    pub(super) fn failed(&self, now: Instant) {
        let mut state = self.state();
        // Commands that were sent together fail together, and count once.
        if state.until.is_none_or(|until| until <= now) {
            state.open(now);
        }
    }

    /// Notes that the server answered.
    pub(super) fn answered(&self) {
        *self.state() = State::default();
    }

    // Nothing that is done under this lock can panic half way.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn open(&mut self, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        self.until = Some(now + backoff::pause(FIRST, LONGEST, self.failures));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_command_in_each_pause_is_a_trial() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(breaker.refuses(at(0)), None);
        // Many commands fail at once.
        (0..100).for_each(|_| breaker.failed(at(1)));
        assert_eq!(breaker.refuses(at(1)), Some(FIRST));
        let mut pauses = Vec::new();
        let mut last = 1;
        for second in 2..60 {
            if breaker.refuses(at(second)).is_none() {
                assert!(breaker.refuses(at(second)).is_some());
                breaker.failed(at(second));
                pauses.push(second - last);
                last = second;
            }
        }
        assert_eq!(pauses, [1, 2, 4, 8, 10, 10, 10, 10]);
        breaker.answered();
        assert_eq!(breaker.refuses(at(last)), None);
        breaker.failed(at(60));
        assert_eq!(breaker.refuses(at(60)), Some(FIRST));
    }
}
