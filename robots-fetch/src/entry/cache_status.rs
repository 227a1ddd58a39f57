//! Whether an entry is fresh at a time.

use core::time::Duration;
use std::time::SystemTime;

use crate::http::freshness::{Freshness, later};

/// Whether an entry is fresh at a time, and when to retrieve again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStatus {
    /// Whether the last answer is fresh. It never is during an outage or while the site limits requests.
    pub fresh: bool,
    /// Until when the last answer is or was fresh.
    pub until: SystemTime,
    /// When to retrieve the robots.txt next: when the answer is stale, or when the server asks for, or after a pause that
    /// doubles with the failed attempts.
    pub next: SystemTime,
    /// Whether [`Self::next`] has come.
    pub due: bool,
}

/// How far a clock may go back before an entry counts as stale.
pub(crate) const TOLERANCE: Duration = Duration::from_secs(60 * 60);

impl CacheStatus {
    /// Returns the status of an answer with this freshness.
    pub(crate) fn of(freshness: &Freshness, now: SystemTime) -> Self {
        let until = freshness.until();
        let of_this_time = later(now, TOLERANCE) >= freshness.received;
        let fresh = of_this_time && now < until;
        Self { fresh, until, next: until, due: !fresh }
    }
}
