//! The Gregorian calendar, also for dates before it was introduced.

use alloc::format;
use alloc::string::String;

/// The last second of the year 9999, in seconds since 1970: the last one with a year of four digits.
pub const LAST_SECOND: i64 = 253_402_300_799;

const DAY: i64 = 24 * 60 * 60;

/// Returns a time in seconds since 1970 as `2026-11-20T18:04:05Z` (RFC 3339).
#[must_use]
pub fn rfc3339(seconds: i64) -> String {
    let (day, second) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let (year, month, date) = civil(day);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Returns year, month and day of a number of days since 1970.
#[must_use]
pub const fn civil(day: i64) -> (i64, i64, i64) {
    // Years begin in March, so that the leap day is the last one. There are 719,468 days from March of year 0 to 1970.
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year + era * 400 + (month <= 2) as i64, month, date)
}

/// Returns the number of days since 1970 of a date; `None` if the calendar does not have it.
#[must_use]
pub const fn days(year: i64, month: i64, date: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let most = match month {
        2 => 28 + is_leap as i64,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if date < 1 || date > most {
        return None;
    }
    let shifted = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + date - 1;
    let of_era = shifted.rem_euclid(400);
    let days = shifted.div_euclid(400) * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    Some(days - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_days_agree() {
        let mut last = civil(-800_000);
        for day in -799_999..3_000_000 {
            let (year, month, date) = civil(day);
            assert!((year, month, date) > last && days(year, month, date) == Some(day), "{day}");
            last = (year, month, date);
        }
        for (year, month, date) in [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 1, 0)]
        {
            assert_eq!(days(year, month, date), None);
        }
        assert_eq!(rfc3339(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(rfc3339(-1), "1969-12-31T23:59:59Z");
        assert_eq!(rfc3339(LAST_SECOND), "9999-12-31T23:59:59Z");
    }
}
