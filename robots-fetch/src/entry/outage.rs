//! Outages.

use core::time::Duration;
use std::time::SystemTime;

/// A period in which the robots.txt is unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outage {
    /// When the first attempt failed.
    pub since: SystemTime,
    /// When the last attempt failed.
    pub last: SystemTime,
    /// The number of failed attempts.
    pub attempts: u32,
}

impl Outage {
    /// Returns the outage with one more attempt, which failed at `now`.
    pub(crate) fn with(before: Option<Self>, now: SystemTime) -> Self {
        let Some(before) = before else { return Self { since: now, last: now, attempts: 1 } };
        Self { last: now, attempts: before.attempts.saturating_add(1), ..before }
    }

    /// Returns how long the outage has lasted: from the first failed attempt to the last. Gaps without attempts do not
    /// count, so neither a sleeping crawler nor a clock change ends an outage.
    #[must_use]
    pub fn lasted(&self) -> Duration {
        self.last.duration_since(self.since).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_lasts_from_attempt_to_attempt() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let one = Outage::with(None, at(100));
        assert_eq!((one.lasted().as_secs(), one.attempts), (0, 1));
        let two = Outage::with(Some(one), at(500));
        assert_eq!((two.lasted().as_secs(), two.attempts), (400, 2));
        let back = Outage::with(Some(two), at(50));
        assert_eq!((back.lasted().as_secs(), back.attempts), (0, 3));
    }
}
