//! Rules of origins as documents for programs (feature `serde`).

use core::time::Duration;
use std::time::SystemTime;

use super::hours::Hours;
use super::rules::SiteRules;

/// The rules of an origin for a gate.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SiteRules"))]
pub(crate) struct SiteRulesDocument {
    /// The time until which the rules are valid, in seconds since 1970.
    until: u64,
    /// Milliseconds between two requests.
    crawl_delay: Option<u64>,
    request_rates: Vec<RateDocument>,
    visit_times: Vec<HoursDocument>,
}

#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Rate"))]
struct RateDocument {
    /// Milliseconds between two requests.
    delay: u64,
    hours: Option<HoursDocument>,
}

/// A part of each day.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Hours"))]
struct HoursDocument {
    /// Hours and minutes in UTC, such as `0600`.
    from: String,
    until: String,
}

impl From<&SiteRules> for SiteRulesDocument {
    fn from(rules: &SiteRules) -> Self {
        let until = rules.until().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let rate = |rate: &super::rules::Rate| RateDocument {
            delay: millis(rate.delay),
            hours: rate.hours.as_ref().map(HoursDocument::from),
        };
        Self {
            until: until.as_secs(),
            crawl_delay: rules.crawl_delay.map(millis),
            request_rates: rules.rates.iter().map(rate).collect(),
            visit_times: rules.visits.iter().map(HoursDocument::from).collect(),
        }
    }
}

impl From<&Hours> for HoursDocument {
    fn from(hours: &Hours) -> Self {
        let time = |minute: u16| format!("{:02}{:02}", minute / 60, minute % 60);
        Self { from: time(hours.from), until: time(hours.until) }
    }
}

/// Returns the duration in milliseconds, rounded up.
fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}
