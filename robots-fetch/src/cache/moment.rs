//! Times as one number, so that a hit compares them in one step.

use core::time::Duration;
use std::time::SystemTime;

/// A time in nanoseconds since 1970. Times more than 292 years before or after 1970 are moved to these bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(i64);

impl Moment {
    /// A time that never comes.
    pub(super) const NEVER: Self = Self(i64::MAX);

    pub(super) fn later(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(nanos(duration)))
    }

    pub(super) fn earlier(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(nanos(duration)))
    }
}

impl From<SystemTime> for Moment {
    #[inline]
    fn from(time: SystemTime) -> Self {
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => Self(nanos(since)),
            Err(error) => Self(nanos(error.duration()).saturating_neg()),
        }
    }
}

impl From<Moment> for SystemTime {
    fn from(moment: Moment) -> Self {
        let distance = Duration::from_nanos(moment.0.unsigned_abs());
        let start = Self::UNIX_EPOCH;
        let time = if moment.0 < 0 { start.checked_sub(distance) } else { start.checked_add(distance) };
        time.unwrap_or(start)
    }
}

#[inline]
fn nanos(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_ordered_as_times_are() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::new(seconds, 5);
        let before = SystemTime::UNIX_EPOCH - Duration::from_secs(5);
        assert!(Moment::from(before) < Moment::from(SystemTime::UNIX_EPOCH));
        assert!(Moment::from(at(1)) < Moment::from(at(1) + Duration::from_nanos(1)));
        assert_eq!(Moment::from(at(1)).later(Duration::from_secs(2)), Moment::from(at(3)));
        assert_eq!(Moment::from(at(3)).earlier(Duration::from_secs(2)), Moment::from(at(1)));
        assert_eq!(Moment::from(at(1)).later(Duration::MAX), Moment::NEVER);
        assert_eq!(Moment::from(at(300 * 366 * 86_400)), Moment::NEVER);
        for time in [at(0), at(1_800_000_000), before] {
            assert_eq!(SystemTime::from(Moment::from(time)), time);
        }
    }
}
