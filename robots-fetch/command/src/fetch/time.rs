//! Times and durations as text.

use core::time::Duration;
use std::time::SystemTime;

use robots_match::calendar;

/// Returns a time as `2026-11-20T18:04:05Z`. Times before 1970 and after 9999 become the nearest time in that range.
pub(crate) fn time(time: SystemTime) -> String {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    calendar::rfc3339(i64::try_from(seconds).unwrap_or(i64::MAX).min(calendar::LAST_SECOND))
}

/// Returns a duration as `24 hours`, in the largest unit in which it is a whole number.
pub(super) fn span(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (count, unit) = match seconds {
        0 => (0, "second"),
        _ if seconds.is_multiple_of(86_400) && seconds > 86_400 => (seconds / 86_400, "day"),
        _ if seconds.is_multiple_of(3600) => (seconds / 3600, "hour"),
        _ if seconds.is_multiple_of(60) => (seconds / 60, "minute"),
        _ => (seconds, "second"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_agree_with_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (784_111_777, "1994-11-06T08:49:37Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_800, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(time(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
        assert_eq!(time(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn spans_are_in_the_largest_unit() {
        let spans =
            [0, 1, 60, 90, 3600, 86_400, 604_800, 86_401].map(|seconds| span(Duration::from_secs(seconds)));
        let expected = [
            "0 seconds",
            "1 second",
            "1 minute",
            "90 seconds",
            "1 hour",
            "24 hours",
            "7 days",
            "86401 seconds",
        ];
        assert_eq!(spans, expected);
    }
}
