//! Delays, request rates and visit times.

use core::fmt;
use core::time::Duration;

use robots_groups::syntax::Field;

use super::field::first_word;
use super::problem::{ProblemKind, RecordProblem};

/// Reads the seconds of a `Crawl-delay`: digits, with at most one decimal point. Fractions of a nanosecond are dropped.
pub(super) fn delay(raw: Field<'_>) -> Result<Duration, RecordProblem> {
    let wrong = |wrong| RecordProblem::new(wrong, raw.span());
    let bytes = raw.bytes();
    let point = memchr::memchr(b'.', bytes).unwrap_or(bytes.len());
    let (whole, fraction) = bytes.split_at(point);
    let fraction = fraction.get(1..).unwrap_or_default();
    let are_digits = whole.iter().chain(fraction).all(u8::is_ascii_digit);
    if !are_digits || whole.is_empty() && fraction.is_empty() {
        return Err(wrong(ProblemKind::NoSeconds));
    }
    let seconds = if whole.is_empty() { Some(0) } else { number(whole) };
    let nanos = fraction
        .iter()
        .chain(core::iter::repeat(&b'0'))
        .take(9)
        .fold(0, |nanos, digit| nanos * 10 + u32::from(digit - b'0'));
    seconds.map(|seconds| Duration::new(seconds, nanos)).ok_or_else(|| wrong(ProblemKind::TooLarge))
}

/// Reads a number; `None` without digits, with other bytes, or if the number is larger than `u64`.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |number, digit| {
        let digit = digit.is_ascii_digit().then(|| u64::from(digit - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

/// Reads the value of `Request-rate`: a number of requests in a period, and the hours for it. The period is in seconds, or
/// in the unit `s`, `m`, `h` or `d` that follows the number.
pub(super) fn request_rate(raw: Field<'_>) -> Result<(u64, Duration, Option<TimeWindow>), RecordProblem> {
    let (rate, window) = first_word(raw);
    let wrong = |wrong| RecordProblem::new(wrong, rate.span());
    let slash = memchr::memchr(b'/', rate.bytes()).ok_or_else(|| wrong(ProblemKind::NoRate))?;
    let (requests, period) = rate.bytes().split_at(slash);
    let (digits, unit) = match period.get(1..).unwrap_or_default() {
        [digits @ .., b's' | b'S'] => (digits, 1),
        [digits @ .., b'm' | b'M'] => (digits, 60),
        [digits @ .., b'h' | b'H'] => (digits, 60 * 60),
        [digits @ .., b'd' | b'D'] => (digits, 24 * 60 * 60),
        digits => (digits, 1),
    };
    let are_digits = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    if !are_digits(requests) || !are_digits(digits) {
        return Err(wrong(ProblemKind::NoRate));
    }
    let seconds = number(digits).and_then(|period| period.checked_mul(unit));
    let (Some(requests), Some(seconds)) = (number(requests), seconds) else {
        return Err(wrong(ProblemKind::TooLarge));
    };
    if requests == 0 || seconds == 0 {
        return Err(wrong(ProblemKind::ZeroRate));
    }
    let window = if window.is_empty() { None } else { Some(TimeWindow::read(window)?) };
    Ok((requests, Duration::from_secs(seconds), window))
}

/// A span of hours of each day, in UTC, such as `0600-0845` (`Visit-time` in the extended standard of 2002).
///
/// ```
/// use robots_match::records::{Records, RecordValue};
/// use robots_match::{Profile, Robots};
///
/// let robots = Robots::new(&b"User-agent: *\nVisit-time: 2200-0145\n"[..], Profile::RFC9309);
/// let groups = robots.groups();
/// let records = Records::new(&robots, &groups);
/// let Some(RecordValue::VisitTime(window)) = &records.all()[0].value else { panic!("a span of hours") };
/// assert!(window.contains(23, 0) && window.contains(1, 45) && !window.contains(12, 0));
/// assert_eq!(window.to_string(), "2200-0145");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeWindow {
    from: Minute,
    until: Minute,
}

/// A minute of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Minute {
    hour: u8,
    minute: u8,
}

impl TimeWindow {
    pub(super) fn read(raw: Field<'_>) -> Result<Self, RecordProblem> {
        let window = match raw.bytes() {
            &[a, b, c, d, b'-', e, f, g, h] => Minute::of([a, b, c, d])
                .zip(Minute::of([e, f, g, h]))
                .map(|(from, until)| Self { from, until }),
            _ => None,
        };
        window.ok_or_else(|| RecordProblem::new(ProblemKind::NoWindow, raw.span()))
    }

    /// Returns the hour and minute of the start.
    #[must_use]
    pub const fn from(&self) -> (u8, u8) {
        (self.from.hour, self.from.minute)
    }

    /// Returns the hour and minute of the end. An end before the start is on the next day; 24:00 is the end of the day.
    #[must_use]
    pub const fn until(&self) -> (u8, u8) {
        (self.until.hour, self.until.minute)
    }

    /// Returns whether the span contains this hour and minute. The last minute is part of the span.
    #[must_use]
    pub fn contains(&self, hour: u8, minute: u8) -> bool {
        let at = Minute { hour, minute };
        if self.from <= self.until {
            self.from <= at && at <= self.until
        } else {
            self.from <= at || at <= self.until
        }
    }
}

impl fmt::Display for TimeWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, until) = (self.from, self.until);
        write!(f, "{:02}{:02}-{:02}{:02}", from.hour, from.minute, until.hour, until.minute)
    }
}

impl Minute {
    /// Reads `hhmm`.
    fn of(digits: [u8; 4]) -> Option<Self> {
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let [a, b, c, d] = digits.map(|digit| digit - b'0');
        let (hour, minute) = (a * 10 + b, c * 10 + d);
        (minute < 60 && (hour < 24 || (hour, minute) == (24, 0))).then_some(Self { hour, minute })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_numbers_of_seconds() {
        let millis = |millis| Ok(Duration::from_millis(millis));
        for (value, expected) in [
            ("10", millis(10_000)),
            ("0", millis(0)),
            ("2.5", millis(2_500)),
            (".5", millis(500)),
            ("5.", millis(5_000)),
            ("0.0000000019", Ok(Duration::from_nanos(1))),
            ("18446744073709551615", Ok(Duration::from_secs(u64::MAX))),
            ("18446744073709551616", Err(ProblemKind::TooLarge)),
            (".", Err(ProblemKind::NoSeconds)),
            ("-1", Err(ProblemKind::NoSeconds)),
            ("10s", Err(ProblemKind::NoSeconds)),
            ("1,5", Err(ProblemKind::NoSeconds)),
            ("1.2.3", Err(ProblemKind::NoSeconds)),
            ("NaN", Err(ProblemKind::NoSeconds)),
            ("1e3", Err(ProblemKind::NoSeconds)),
        ] {
            let found = delay(Field::new(value.as_bytes(), 0)).map_err(|problem| problem.kind);
            assert_eq!(found, expected, "{value}");
        }
    }

    #[test]
    fn rates_have_units_and_hours() {
        let read = |value: &str| match request_rate(Field::new(value.as_bytes(), 0)) {
            Ok((requests, period, window)) => {
                Ok((requests, period.as_secs(), window.map(|window| (window.from(), window.until()))))
            }
            Err(found) => Err(found.kind),
        };
        assert_eq!(read("1/10s 1800-1900"), Ok((1, 10, Some(((18, 0), (19, 0))))));
        assert_eq!(read("3/15"), Ok((3, 15, None)));
        assert_eq!(read("1/2H"), Ok((1, 7_200, None)));
        assert_eq!(read("1/1d"), Ok((1, 86_400, None)));
        for (value, wrong) in [
            ("1", ProblemKind::NoRate),
            ("1/", ProblemKind::NoRate),
            ("/1", ProblemKind::NoRate),
            ("1/m", ProblemKind::NoRate),
            ("1/1w", ProblemKind::NoRate),
            ("0/1", ProblemKind::ZeroRate),
            ("1/0", ProblemKind::ZeroRate),
            ("1/18446744073709551615d", ProblemKind::TooLarge),
            ("1/10m 1300", ProblemKind::NoWindow),
        ] {
            assert_eq!(read(value), Err(wrong), "{value}");
        }
    }

    #[test]
    fn hours_are_of_one_day() {
        let read = |value: &str| TimeWindow::read(Field::new(value.as_bytes(), 0)).ok();
        let morning = read("0600-0845").unwrap();
        assert!(morning.contains(6, 0) && morning.contains(8, 45) && !morning.contains(8, 46));
        assert!(read("0000-2400").unwrap().contains(23, 59));
        for value in ["0600", "0600-2401", "0660-0700", "2500-2600", "0600 - 0845", "+600-0845"] {
            assert_eq!(read(value), None, "{value}");
        }
    }
}
