//! The deadline of a retrieval.

use core::time::Duration;
use std::time::Instant;

use crate::failure::{Failure, FailureKind};

/// The time at which a retrieval has to end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline(Instant);

impl Deadline {
    pub(super) fn after(whole: Duration) -> Self {
        const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        let now = Instant::now();
        Self(now.checked_add(whole.min(CENTURY)).unwrap_or(now))
    }

    /// Returns how long a step may take: `step`, or the time that is left if that is less.
    ///
    /// # Errors
    ///
    /// No time is left.
    pub(super) fn allows(self, step: Duration) -> Result<Duration, Failure> {
        let left = self.0.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Failure::new(FailureKind::Timeout, "the whole retrieval took too long"));
        }
        Ok(step.min(left).max(Duration::from_millis(1)))
    }
}
