//! Hours of each day.

use core::time::Duration;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::message::freshness::later;

#[cfg(any(test, feature = "records"))]
const MINUTES: u16 = 24 * 60;
const SECONDS: u64 = 24 * 60 * 60;

/// A span of minutes of each day in UTC, with the last minute. The end may be on the next day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hours {
    pub(super) from: u16,
    pub(super) until: u16,
}

impl Hours {
    /// Creates a span from hours and minutes; `None` if it contains no minute of a day. 24:00 is the end of the day.
    #[cfg(any(test, feature = "records"))]
    pub(super) fn new(from: (u8, u8), until: (u8, u8)) -> Option<Self> {
        let minute = |(hour, minute): (u8, u8)| u16::from(hour) * 60 + u16::from(minute);
        let (from, until) = (minute(from), minute(until));
        match (from < MINUTES, from <= until) {
            (true, _) => Some(Self { from, until: until.min(MINUTES - 1) }),
            (false, true) => None,
            (false, false) => Some(Self { from: 0, until }),
        }
    }

    /// Returns whether the span contains `time`. A time before 1970 counts as 1970.
    pub(super) fn contains(self, time: SystemTime) -> bool {
        let minute = second_of_day(time) / 60;
        let (from, until) = (u64::from(self.from), u64::from(self.until));
        if from <= until { (from..=until).contains(&minute) } else { from <= minute || minute <= until }
    }

    /// Returns `time` if the span contains it, and otherwise the next start of the span.
    fn opening(self, time: SystemTime) -> SystemTime {
        if self.contains(time) {
            return time;
        }
        let start = u64::from(self.from) * 60;
        let pause = (start + SECONDS - second_of_day(time)) % SECONDS;
        let whole = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        later(UNIX_EPOCH, Duration::from_secs(whole.saturating_add(pause)))
    }
}

/// Returns the first time from `time` on that one of the spans contains; `time` without spans.
pub(super) fn opening(spans: &[Hours], time: SystemTime) -> SystemTime {
    spans.iter().map(|span| span.opening(time)).min().unwrap_or(time)
}

fn second_of_day(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % SECONDS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: u64, minute: u64, second: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(((hour * 60 + minute) * 60 + second) * 1000 + 700)
    }

    #[test]
    fn a_span_may_end_on_the_next_day() {
        let night = Hours::new((22, 0), (1, 45)).unwrap();
        assert!(
            night.contains(at(23, 0, 0)) && night.contains(at(1, 45, 59)) && !night.contains(at(1, 46, 0))
        );
        assert_eq!(night.opening(at(12, 0, 0)), UNIX_EPOCH + Duration::from_secs(22 * 60 * 60));
        assert_eq!(night.opening(at(23, 0, 0)), at(23, 0, 0));
    }

    #[test]
    fn a_day_does_not_start_at_24() {
        assert_eq!(Hours::new((24, 0), (24, 0)), None);
        let morning = Hours::new((24, 0), (6, 0)).unwrap();
        assert!(
            morning.contains(at(0, 0, 0)) && morning.contains(at(6, 0, 59)) && !morning.contains(at(7, 0, 0))
        );
        let all = Hours::new((0, 0), (24, 0)).unwrap();
        assert!(all.contains(at(23, 59, 59)));
    }

    #[test]
    fn the_first_of_several_spans_opens() {
        let spans = [Hours::new((6, 0), (7, 0)).unwrap(), Hours::new((5, 0), (5, 0)).unwrap()];
        assert_eq!(opening(&spans, at(8, 0, 0)), UNIX_EPOCH + Duration::from_secs((24 + 5) * 60 * 60));
        assert_eq!(opening(&spans, at(5, 1, 0)), UNIX_EPOCH + Duration::from_secs(6 * 60 * 60));
        assert_eq!(opening(&[], at(5, 1, 0)), at(5, 1, 0));
    }
}
