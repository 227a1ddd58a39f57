//! Dates of `unavailable_after`.

use core::fmt;

use robots_match::calendar;

use crate::knob::knob;

knob! {
    /// The moment that a date without a time is, in UTC.
    DateOnly {
        /// The start of the day.
        StartOfDay,
        /// The end of the day.
        EndOfDay,
    }
}

/// A moment: seconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// ```
/// use robots_page::Timestamp;
///
/// assert_eq!(Timestamp::new(1_659_578_233).to_string(), "2022-08-04T01:57:13Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a moment from seconds since 1970, clamped to the years from 0 to 9999.
    #[must_use]
    pub const fn new(seconds: i64) -> Self {
        const FIRST: i64 = -62_167_219_200;
        Self(if seconds < FIRST {
            FIRST
        } else if seconds > calendar::LAST_SECOND {
            calendar::LAST_SECOND
        } else {
            seconds
        })
    }

    /// Returns the seconds since 1970.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&calendar::rfc3339(self.0))
    }
}

const DAY: i64 = 24 * 60 * 60;

/// The longest text that can be a date, in bytes.
pub(crate) const LONGEST: usize = 64;

/// Reads a date: of RFC 822 and its successors, of RFC 850, of asctime, of ISO 8601, and similar ones. Two-digit years from 70
/// are in the twentieth century. A time without a zone is in UTC.
pub(crate) fn parse(text: &[u8], date_only: DateOnly) -> Option<Timestamp> {
    let text = core::str::from_utf8(text).ok()?.trim_ascii();
    if text.len() > LONGEST {
        return None;
    }
    let parts = of_numbers(text).or_else(|| of_words(text))?;
    parts.moment(date_only)
}

#[derive(Clone, Copy, Default)]
struct Parts {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    /// Seconds since midnight.
    time: Option<i64>,
    /// Seconds east of Greenwich.
    zone: Option<i64>,
}

impl Parts {
    fn moment(self, date_only: DateOnly) -> Option<Timestamp> {
        let midnight = calendar::days(self.year?, self.month?, self.day?)? * DAY;
        let time = self.time.unwrap_or(match date_only {
            DateOnly::StartOfDay => 0,
            DateOnly::EndOfDay => DAY,
        });
        Some(Timestamp::new(midnight + time - self.zone.unwrap_or(0)))
    }
}

/// `2030-01-01`, `2030/01/01`, `20300101`, each with an optional time and zone: `2030-01-01T00:00:00.5+02:00`,
/// `20300101T000000Z`.
fn of_numbers(text: &str) -> Option<Parts> {
    let (date, rest) = match text.find([' ', 'T', 't']) {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?.trim_ascii()),
        None => (text, ""),
    };
    let (year, month, day) = if date.len() == 8 && !date.contains(['-', '/']) {
        (date.get(..4)?, date.get(4..6)?, date.get(6..)?)
    } else {
        let mut fields = date.split(['-', '/']);
        let found = (fields.next()?, fields.next()?, fields.next()?);
        if fields.next().is_some() {
            return None;
        }
        found
    };
    if year.len() != 4 || month.len() > 2 || day.len() > 2 {
        return None;
    }
    let mut parts = Parts {
        year: Some(number(year)?),
        month: Some(number(month)?),
        day: Some(number(day)?),
        ..Parts::default()
    };
    if rest.is_empty() {
        return Some(parts);
    }
    let zone_at = rest.find(|char: char| !(char.is_ascii_digit() || matches!(char, ':' | '.' | ',')));
    let (time, zone) = rest.split_at(zone_at.unwrap_or(rest.len()));
    parts.time = Some(clock(time)?);
    let zone = zone.trim_ascii();
    if !zone.is_empty() {
        parts.zone = Some(offset(zone)?);
    }
    Some(parts)
}

/// `Wed, 03 Dec 2025 13:09:53 GMT`, `Wednesday, 25-Jun-25 15:00:00 GMT`, `Sun Nov  6 08:49:37 1994`, `25 Jun 2010 3:00 PM PST`.
fn of_words(text: &str) -> Option<Parts> {
    let mut parts = Parts::default();
    let words = text.split(|char: char| char == ',' || char.is_ascii_whitespace());
    for word in words.filter(|word| !word.is_empty()) {
        let mut fields = word.split('-');
        if let (Some(day), Some(named), Some(year), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        {
            if let Some(named) = month(named) {
                set(&mut parts.day, number(day)?)?;
                set(&mut parts.month, named)?;
                set(&mut parts.year, full_year(year)?)?;
                continue;
            }
        }
        if word.contains(':') && word.starts_with(|char: char| char.is_ascii_digit()) {
            let zone_at = word.find(|char: char| !(char.is_ascii_digit() || matches!(char, ':' | '.')));
            let (time, rest) = word.split_at(zone_at.unwrap_or(word.len()));
            set(&mut parts.time, clock(time)?)?;
            if rest.eq_ignore_ascii_case("am") || rest.eq_ignore_ascii_case("pm") {
                half_day(&mut parts, rest)?;
            } else if !rest.is_empty() {
                set(&mut parts.zone, offset(rest)?)?;
            }
        } else if word.eq_ignore_ascii_case("am") || word.eq_ignore_ascii_case("pm") {
            half_day(&mut parts, word)?;
        } else if let Some(named) = month(word) {
            set(&mut parts.month, named)?;
        } else if is_weekday(word) {
        } else if word.bytes().all(|byte| byte.is_ascii_digit()) {
            match (word.len(), parts.day) {
                (1 | 2, None) => parts.day = Some(number(word)?),
                _ => set(&mut parts.year, full_year(word)?)?,
            }
        } else {
            set(&mut parts.zone, offset(word)?)?;
        }
    }
    Some(parts)
}

/// Sets a part that is not set yet.
fn set(part: &mut Option<i64>, value: i64) -> Option<()> {
    if part.is_some() {
        return None;
    }
    *part = Some(value);
    Some(())
}

fn half_day(parts: &mut Parts, half: &str) -> Option<()> {
    let time = parts.time?;
    let hour = time / 3_600;
    if !(1..=12).contains(&hour) {
        return None;
    }
    let of_half = time - hour * 3_600 + hour % 12 * 3_600;
    parts.time = Some(if half.eq_ignore_ascii_case("pm") { of_half + DAY / 2 } else { of_half });
    Some(())
}

fn number(text: &str) -> Option<i64> {
    let is_number = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

fn full_year(text: &str) -> Option<i64> {
    let year = number(text)?;
    match text.len() {
        2 => Some(if year >= 70 { 1_900 + year } else { 2_000 + year }),
        4 => Some(year),
        _ => None,
    }
}

/// `15:00`, `15:00:00`, `15:00:00.5`, and in the basic format of ISO 8601 `15`, `1500`, `150000`, `150000.5`, in seconds.
fn clock(text: &str) -> Option<i64> {
    let (hour, minute, second) = match text.split_once(':') {
        Some((hour, rest)) => {
            let (minute, second) = rest.split_once(':').unwrap_or((rest, "0"));
            (hour, minute, second.split(['.', ',']).next().unwrap_or_default())
        }
        None => {
            let two = |at: usize| text.get(at..at + 2);
            match (text.len(), text.get(6..)) {
                (2, _) => (text, "0", "0"),
                (4, _) => (two(0)?, two(2)?, "0"),
                (_, Some(rest)) if rest.is_empty() || rest.starts_with(['.', ',']) => {
                    (two(0)?, two(2)?, two(4)?)
                }
                _ => return None,
            }
        }
    };
    let (hour, minute, second) = (number(hour)?, number(minute)?, number(second)?);
    let is_time = hour < 24 && minute < 60 && second <= 60;
    is_time.then_some(hour * 3_600 + minute * 60 + second)
}

/// `Z`, `GMT`, `PST`, `+0200`, `-08:00`, `GMT+2`, in seconds.
fn offset(text: &str) -> Option<i64> {
    const ZONES: [(&str, i64); 24] = [
        ("z", 0),
        ("gmt", 0),
        ("ut", 0),
        ("utc", 0),
        ("wet", 0),
        ("west", 1),
        ("bst", 1),
        ("cet", 1),
        ("cest", 2),
        ("eet", 2),
        ("eest", 3),
        ("msk", 3),
        ("jst", 9),
        ("kst", 9),
        ("aest", 10),
        ("aedt", 11),
        ("est", -5),
        ("edt", -4),
        ("cst", -6),
        ("cdt", -5),
        ("mst", -7),
        ("mdt", -6),
        ("pst", -8),
        ("pdt", -7),
    ];
    let sign_at = text.find(['+', '-']).unwrap_or(text.len());
    let (name, shift) = text.split_at(sign_at);
    let base = match ZONES.iter().find(|(zone, _)| zone.eq_ignore_ascii_case(name)) {
        Some((_, hours)) => hours * 3_600,
        None if name.is_empty() => 0,
        None => return None,
    };
    if shift.is_empty() {
        return (!name.is_empty()).then_some(base);
    }
    let digits = shift.get(1..)?;
    let (hours, minutes) = match digits.split_once(':') {
        Some(fields) => fields,
        None if digits.len() == 4 => digits.split_at(2),
        None => (digits, "0"),
    };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    if hours >= 24 || minutes >= 60 {
        return None;
    }
    let shift_seconds = hours * 3_600 + minutes * 60;
    Some(if shift.starts_with('-') { base - shift_seconds } else { base + shift_seconds })
}

fn month(word: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let found = MONTHS.iter().position(|month| abbreviates(word, month))?;
    i64::try_from(found).ok().map(|index| index + 1)
}

fn is_weekday(word: &str) -> bool {
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        .iter()
        .any(|day| abbreviates(word, day))
}

/// Returns whether `word` is `name` or begins it with three or more letters; a full stop may end it.
fn abbreviates(word: &str, name: &str) -> bool {
    let word = word.strip_suffix('.').unwrap_or(word);
    word.len() >= 3 && name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Returns whether `text` is the name of a day, after which a date continues after a comma.
pub(crate) fn begins_with_weekday(text: &[u8]) -> bool {
    core::str::from_utf8(text).is_ok_and(is_weekday)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    fn read(text: &str) -> Option<String> {
        parse(text.as_bytes(), DateOnly::StartOfDay).map(|time| time.to_string())
    }

    #[test]
    fn common_forms_of_dates() {
        for (text, expected) in [
            ("25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00Z"),
            ("25-Aug-2007 15:00:00 EST", "2007-08-25T20:00:00Z"),
            ("Wednesday, 25-Jun-25 15:00:00 GMT", "2025-06-25T15:00:00Z"),
            ("Wednesday, 25-Jun-70 15:00:00 GMT", "1970-06-25T15:00:00Z"),
            ("Wed, 03 Dec 2025 13:09:53 GMT", "2025-12-03T13:09:53Z"),
            ("Wed, 03 Dec 2025 13:09:53 +0200", "2025-12-03T11:09:53Z"),
            ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
            ("2020-09-21", "2020-09-21T00:00:00Z"),
            ("2020/9/1", "2020-09-01T00:00:00Z"),
            ("20200229", "2020-02-29T00:00:00Z"),
            ("2030-01-01T00:00:00+02:00", "2029-12-31T22:00:00Z"),
            ("2030-01-01 10:30", "2030-01-01T10:30:00Z"),
            ("2030-01-01T10:30:59.123z", "2030-01-01T10:30:59Z"),
            ("September 21, 2020", "2020-09-21T00:00:00Z"),
            ("21 Sep 2020 3:05 PM GMT+1", "2020-09-21T14:05:00Z"),
            ("1 Jan 2026 12:00am", "2026-01-01T00:00:00Z"),
            ("0001-01-01", "0001-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59-12:00", "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_dates() {
        for text in [
            "soon",
            "",
            "2021-02-29",
            "2020-13-01",
            "32 Jan 2020",
            "25 Jun",
            "Jun 2020",
            "2020",
            "12:00",
            "-",
            "2020-09-21T25:00",
            "2020-09-21T10:00 XYZ",
            "2027-01-01 unavailable_after: 2026-06-01",
            "1 2 3",
            "25 Jun 2010 2011",
            "é-é-é",
            "2020-09-21-1",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_is_shown_as_it_is_read() {
        for day in (-719_000..2_900_000).step_by(17) {
            let moment = Timestamp::new(day * DAY);
            assert_eq!(parse(moment.to_string().as_bytes(), DateOnly::StartOfDay), Some(moment));
        }
    }
}
