//! How an entry stands at a time.

use core::time::Duration;
use std::time::SystemTime;

use crate::http::freshness::{Freshness, later};

/// How an entry stands at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStatus {
    /// Whether the last answer holds still. It never does during an outage.
    pub fresh: bool,
    /// Until when it holds or held.
    pub until: SystemTime,
    /// When to retrieve the robots.txt next: when it is stale, or when the server asked for, or after a pause that grows
    /// with the attempts of an outage.
    pub next: SystemTime,
    /// Whether that time has come.
    pub due: bool,
}

/// How far a clock may go backwards before an entry counts as one of another time, which is stale.
pub(crate) const TOLERANCE: Duration = Duration::from_secs(60 * 60);

impl CacheStatus {
    /// That of an answer of this freshness.
    pub(crate) fn of(freshness: &Freshness, now: SystemTime) -> Self {
        let until = freshness.until();
        let of_this_time = later(now, TOLERANCE) >= freshness.received;
        let fresh = of_this_time && now < until;
        Self { fresh, until, next: until, due: !fresh }
    }
}
