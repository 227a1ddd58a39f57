//! Rules of origins as documents for programs (feature `serde`).

use core::time::Duration;

use super::hours::Hours;
use super::rules::{Rate, SiteRules};
use crate::serialize::{documents, seconds};

documents! {
    /// The rules of an origin for a gate.
    "SiteRules": SiteRulesDocument<'r> of rules: SiteRules {
        /// The time until which the rules are valid, in seconds since 1970.
        until: u64 = seconds(rules.until()),
        /// Milliseconds between two requests.
        crawl_delay: Option<u64> = rules.crawl_delay.map(millis),
        request_rates: &'r [Rate] = &rules.rates,
        visit_times: &'r [Hours] = &rules.visits,
    }

    "Rate": RateDocument of rate: Rate {
        /// Milliseconds between two requests.
        delay: u64 = millis(rate.delay),
        hours: Option<Hours> = rate.hours,
    }

    /// A part of each day.
    "Hours": HoursDocument of hours: Hours {
        /// Hours and minutes in UTC, such as `0600`.
        from: String = clock(hours.from),
        until: String = clock(hours.until),
    }
}

fn clock(minute: u16) -> String {
    format!("{:02}{:02}", minute / 60, minute % 60)
}

/// Returns the duration in milliseconds, rounded up.
fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}
