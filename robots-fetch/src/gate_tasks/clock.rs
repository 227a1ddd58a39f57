//! A clock that does not go back.

use core::time::Duration;
use std::time::SystemTime;

use tokio::time::Instant;

use crate::message::freshness::later;

/// The time of the system at the start, and the time of tokio since then.
pub(super) struct Clock {
    system: SystemTime,
    start: Instant,
}

impl Clock {
    pub(super) fn new() -> Self {
        Self { system: SystemTime::now(), start: Instant::now() }
    }

    pub(super) fn now(&self) -> SystemTime {
        later(self.system, self.elapsed())
    }

    /// Returns the time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
