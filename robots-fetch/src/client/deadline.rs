//! The deadline of a retrieval.

use core::time::Duration;
use std::time::Instant;

use super::limits::{Limit, Limits};
use crate::failure::Failure;

/// The time at which a retrieval has to end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    end: Instant,
    limits: Limits,
}

/// How long a step may take, and which timeout says so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed {
    pub(super) time: Duration,
    #[cfg_attr(
        not(any(feature = "ftp", feature = "reqwest")),
        allow(dead_code, reason = "ureq names its timeouts itself")
    )]
    pub(super) limit: Limit,
}

impl Deadline {
    pub(super) fn new(limits: Limits) -> Self {
        const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        let now = Instant::now();
        Self { end: now.checked_add(limits.total.min(CENTURY)).unwrap_or(now), limits }
    }

    /// Returns how long a step may take: `step`, or the time that is left if that is less.
    ///
    /// # Errors
    ///
    /// No time is left.
    pub(super) fn allows(self, step: Duration, limit: Limit) -> Result<Allowed, Failure> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.limits.timed_out(Limit::Total));
        }
        let least = Duration::from_millis(1);
        Ok(if step <= left {
            Allowed { time: step.max(least), limit }
        } else {
            Allowed { time: left.max(least), limit: Limit::Total }
        })
    }
}
