//! The times of lines.

use robots_match::calendar::{self, days};

/// A time in milliseconds since 1970 in UTC, and how exactly it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogTime {
    /// Milliseconds since the beginning of 1970 in UTC.
    pub millis: i64,
    /// The unit of the text in milliseconds: 1,000 where it has whole seconds. Two times differ by up to one unit more than
    /// their texts do.
    pub unit: u16,
}

impl LogTime {
    /// Creates a time of whole seconds.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        Self { millis: seconds.saturating_mul(1000), unit: 1000 }
    }

    /// Reads a time as Apache and nginx write it: `10/Nov/2025:10:00:00 +0000`. Without an offset, it is in the zone `zone`, in
    /// seconds east of UTC.
    #[must_use]
    pub fn parse_common(text: &[u8], zone: i64) -> Option<Self> {
        let (date, rest) = text.split_at_checked(20)?;
        let [d1, d2, b'/', m1, m2, m3, b'/', y1, y2, y3, y4, b':' | b' ', h1, h2, b':', n1, n2, b':', s1, s2] =
            *date
        else {
            return None;
        };
        let month = 1 + MONTHS.iter().position(|month| *month == [m1, m2, m3])? as i64;
        let day = days(digits(&[y1, y2, y3, y4])?, month, digits(&[d1, d2])?)?;
        let seconds = clock(digits(&[h1, h2])?, digits(&[n1, n2])?, digits(&[s1, s2])?)?;
        let (millis, unit, rest) = fraction(rest);
        let zone = match rest {
            [] => zone,
            [b' ', offset @ ..] => offset_of(offset)?,
            _ => return None,
        };
        Some(Self { millis: (day * 86_400 + seconds - zone) * 1000 + millis, unit })
    }

    /// Reads a time of RFC 3339, or a date, which is its first second. A space may separate date, time and offset, and slashes the
    /// parts of the date. Without an offset, it is in the zone `zone`, in seconds east of UTC.
    ///
    /// ```
    /// use robots_fetch::log::LogTime;
    ///
    /// let time = LogTime::parse_iso(b"2025-11-10T10:00:00.5Z", 0).unwrap();
    /// assert_eq!((time.millis, time.unit), (1_762_768_800_500, 100));
    /// assert_eq!(LogTime::parse_iso(b"2025-11-10", 0).unwrap().millis, 1_762_732_800_000);
    /// assert_eq!(LogTime::parse_iso(b"yesterday", 0), None);
    /// ```
    #[must_use]
    pub fn parse_iso(text: &[u8], zone: i64) -> Option<Self> {
        let (date, rest) = text.split_at_checked(10)?;
        // As Caddy writes it, with slashes.
        let [y1, y2, y3, y4, s1 @ (b'-' | b'/'), m1, m2, s2, d1, d2] = *date else { return None };
        if s1 != s2 {
            return None;
        }
        let day = days(digits(&[y1, y2, y3, y4])?, digits(&[m1, m2])?, digits(&[d1, d2])?)?;
        let start = day * 86_400;
        let Some((_, rest)) =
            rest.split_first().filter(|(first, _)| matches!(first, b'T' | b't' | b' ' | b'_' | b'\t'))
        else {
            return rest.is_empty().then_some(Self::from_seconds(start - zone));
        };
        let (time, rest) = rest.split_at_checked(8)?;
        let [h1, h2, b':', n1, n2, b':', s1, s2] = *time else { return None };
        let seconds = clock(digits(&[h1, h2])?, digits(&[n1, n2])?, digits(&[s1, s2])?)?;
        let (millis, unit, rest) = fraction(rest);
        let zone = match rest {
            [] => zone,
            b"Z" | b"z" | b" UTC" => 0,
            [b' ', offset @ ..] | offset => offset_of(offset)?,
        };
        Some(Self { millis: (start + seconds - zone) * 1000 + millis, unit })
    }

    /// Reads a number of seconds, milliseconds, microseconds or nanoseconds since 1970, which differ by their size.
    #[must_use]
    pub fn parse_number(text: &[u8]) -> Option<Self> {
        let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
        let (whole, rest) = text.split_at_checked(end)?;
        if whole.is_empty() || whole.len() > 19 {
            return None;
        }
        let number = whole
            .iter()
            .try_fold(0_i64, |number, digit| number.checked_mul(10)?.checked_add(i64::from(digit - b'0')))?;
        let (fraction, unit, rest) = fraction(rest);
        if !rest.is_empty() && !matches!(rest.first(), Some(b'e' | b'E')) {
            return None;
        }
        // As in `1.7627688005e9`.
        if !rest.is_empty() {
            let seconds: f64 = core::str::from_utf8(text).ok()?.parse().ok()?;
            #[expect(clippy::cast_possible_truncation, reason = "a conversion of a float saturates")]
            let millis = (seconds * 1000.0) as i64;
            return (0..MOST_MILLIS).contains(&millis).then_some(Self { millis, unit: 1 });
        }
        Some(match number {
            // Until the year 5138.
            0..100_000_000_000 => Self { millis: number * 1000 + fraction, unit },
            100_000_000_000..100_000_000_000_000 => Self { millis: number, unit: 1 },
            100_000_000_000_000..100_000_000_000_000_000 => Self { millis: number / 1000, unit: 1 },
            _ => Self { millis: number / 1_000_000, unit: 1 },
        })
    }

    /// Returns the number of the day since 1970.
    #[must_use]
    pub const fn day(self) -> i64 {
        self.millis.div_euclid(86_400_000)
    }
}

/// The beginning of the year 5138.
const MOST_MILLIS: i64 = 100_000_000_000_000;

/// Returns a time in milliseconds as RFC 3339 in UTC, with whole seconds.
#[must_use]
pub fn rfc3339(millis: i64) -> String {
    calendar::rfc3339(millis.div_euclid(1000))
}

/// Returns the second of a day. The last second of a day may be a leap second.
fn clock(hour: i64, minute: i64, second: i64) -> Option<i64> {
    (hour < 24 && minute < 60 && second <= 60).then_some(hour * 3600 + minute * 60 + second)
}

/// Reads `+0000`, `+00:00` or `Z`, in seconds.
pub(super) fn offset_of(text: &[u8]) -> Option<i64> {
    let (sign, h1, h2, m1, m2) = match *text {
        [b'Z' | b'z'] => return Some(0),
        [sign @ (b'+' | b'-'), h1, h2, m1, m2] | [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            (sign, h1, h2, m1, m2)
        }
        _ => return None,
    };
    let (hours, minutes) = (digits(&[h1, h2])?, digits(&[m1, m2])?);
    if hours > 23 || minutes > 59 {
        return None;
    }
    let seconds = hours * 3600 + minutes * 60;
    Some(if sign == b'-' { -seconds } else { seconds })
}

/// Reads a fraction of a second after its point: milliseconds, the unit of the text, and what follows.
fn fraction(text: &[u8]) -> (i64, u16, &[u8]) {
    let Some((b'.' | b',', rest)) = text.split_first() else { return (0, 1000, text) };
    let end = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, rest) = rest.split_at_checked(end).unwrap_or_default();
    let mut unit = 1000;
    let mut millis = 0;
    for digit in digits.iter().take(3) {
        unit /= 10;
        millis += i64::from(digit - b'0') * i64::from(unit);
    }
    (millis, unit, rest)
}

/// Returns the number that digits write.
pub(super) fn digits(text: &[u8]) -> Option<i64> {
    text.iter()
        .try_fold(0, |number: i64, byte| byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0')))
}

const MONTHS: [[u8; 3]; 12] = [
    *b"Jan", *b"Feb", *b"Mar", *b"Apr", *b"May", *b"Jun", *b"Jul", *b"Aug", *b"Sep", *b"Oct", *b"Nov",
    *b"Dec",
];

/// The last time of a log with its text, because the lines of one minute have nearly the same.
#[derive(Clone, Debug, Default)]
pub(super) struct LastTime {
    text: Vec<u8>,
    time: Option<LogTime>,
}

impl LastTime {
    pub(super) fn parse(
        &mut self,
        text: &[u8],
        parse: impl FnOnce(&[u8]) -> Option<LogTime>,
    ) -> Option<LogTime> {
        if self.text != text {
            self.time = self.in_minute(text).or_else(|| parse(text));
            self.text.clear();
            self.text.extend_from_slice(text.get(..40).unwrap_or(text));
        }
        self.time
    }

    /// Returns a time as Apache and nginx write it, if it differs from the last one only in its second.
    fn in_minute(&self, text: &[u8]) -> Option<LogTime> {
        /// The bytes of the second in `10/Nov/2025:10:00:00 +0000`.
        const SECOND: core::ops::Range<usize> = 18..20;
        let last = self.time?;
        let is_equal = self.text.len() == text.len()
            && text.get(..SECOND.start) == self.text.get(..SECOND.start)
            && text.get(SECOND.end..) == self.text.get(SECOND.end..)
            && text.get(2) == Some(&b'/');
        let second = |text: &[u8]| digits(text.get(SECOND)?).filter(|second| *second <= 60);
        let (new, old) = (second(text).filter(|_| is_equal)?, second(&self.text)?);
        Some(LogTime { millis: last.millis + (new - old) * 1000, unit: last.unit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_time_are_equal() {
        let expected = 1_762_768_800_000;
        let common = |text: &str, zone| LogTime::parse_common(text.as_bytes(), zone).map(|time| time.millis);
        let iso = |text: &str| LogTime::parse_iso(text.as_bytes(), 0).map(|time| time.millis);
        let number = |text: &str| LogTime::parse_number(text.as_bytes()).map(|time| time.millis);
        assert_eq!(common("10/Nov/2025:10:00:00 +0000", 0), Some(expected));
        assert_eq!(common("10/Nov/2025:03:00:00 -0700", 0), Some(expected));
        assert_eq!(common("10/Nov/2025:12:00:00", 7200), Some(expected));
        assert_eq!(common("10/Nov/2025:10:00:00.250 +0000", 0), Some(expected + 250));
        assert_eq!(common("10/Nov/2025 10:00:00", 0), Some(expected));
        for text in [
            "2025/11/10 10:00:00",
            "2025-11-10T10:00:00Z",
            "2025-11-10 10:00:00",
            "2025-11-10T12:00:00.000+02:00",
            "2025-11-10 12:00:00 +0200",
            "2025-11-10 10:00:00 UTC",
        ] {
            assert_eq!(iso(text), Some(expected), "{text}");
        }
        for text in
            ["1762768800", "1762768800.000", "1762768800000", "1762768800000000", "1762768800000000000"]
        {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        assert_eq!(rfc3339(expected), "2025-11-10T10:00:00Z");
    }

    #[test]
    fn other_texts_are_not_times() {
        for text in
            ["", "31/Feb/2025:10:00:00 +0000", "10/Nov/2025:24:00:00 +0000", "10/Nov/2025:10:00:00 GMT"]
        {
            assert_eq!(LogTime::parse_common(text.as_bytes(), 0), None, "{text}");
        }
        for text in ["2025-13-01", "2025-02-29", "2025-11-10T10:00", "2025-11-10T10:00:00+0", "25-11-10"] {
            assert_eq!(LogTime::parse_iso(text.as_bytes(), 0), None, "{text}");
        }
        for text in ["", "-1", "1762768800x", "99999999999999999999"] {
            assert_eq!(LogTime::parse_number(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_second_of_a_minute_is_read_alone() {
        let mut last = LastTime::default();
        let mut millis = |text: &str| {
            last.parse(text.as_bytes(), |text| LogTime::parse_common(text, 0)).map(|time| time.millis)
        };
        assert_eq!(millis("10/Nov/2025:10:00:59 +0000"), Some(1_762_768_859_000));
        assert_eq!(millis("10/Nov/2025:10:00:01 +0000"), Some(1_762_768_801_000));
        assert_eq!(millis("10/Nov/2025:10:00:61 +0000"), None);
        assert_eq!(millis("10/Nov/2025:10:00:02 +0000"), Some(1_762_768_802_000));
        assert_eq!(millis("10/Nov/2025:10:01:02 +0000"), Some(1_762_768_862_000));
        assert_eq!(millis("10/Nov/2025:10:01:02 +0100"), Some(1_762_765_262_000));
    }
}
