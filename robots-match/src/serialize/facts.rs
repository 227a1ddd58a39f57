//! What a file says to a crawler besides rules, as a document for programs.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::{Serialize, Serializer};

use crate::records::{CrawlFacts, TimeWindow};

/// What a file says to a crawler besides rules.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Facts"))]
struct FactsDocument<'f> {
    /// Milliseconds between two requests.
    crawl_delay: Option<u64>,
    request_rates: Vec<RequestRateDocument>,
    /// The hours in which requests are welcome, in UTC, such as `0600-0845`; empty for all day.
    visit_times: Vec<String>,
    sitemaps: Vec<&'f str>,
}

/// How many requests a site wants at most.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RequestRate"))]
struct RequestRateDocument {
    requests: u64,
    /// Seconds.
    period: u64,
    /// The hours in which the rate counts, such as `0600-0845`.
    hours: Option<String>,
}

impl<'f> From<&'f CrawlFacts> for FactsDocument<'f> {
    fn from(facts: &'f CrawlFacts) -> Self {
        let hours = |window: &TimeWindow| {
            let ((from, first), (until, last)) = (window.from(), window.until());
            format!("{from:02}{first:02}-{until:02}{last:02}")
        };
        let rates = facts.request_rates.iter().map(|(requests, period, window)| RequestRateDocument {
            requests: *requests,
            period: period.as_secs(),
            hours: window.as_ref().map(hours),
        });
        Self {
            crawl_delay: facts.crawl_delay.map(|delay| u64::try_from(delay.as_millis()).unwrap_or(u64::MAX)),
            request_rates: rates.collect(),
            visit_times: facts.visit_times.iter().map(hours).collect(),
            sitemaps: facts.sitemaps.iter().map(url::Url::as_str).collect(),
        }
    }
}

/// Writes `crawl_delay` in milliseconds, `request_rates`, `visit_times` and `sitemaps`.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for CrawlFacts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        FactsDocument::from(self).serialize(serializer)
    }
}

#[cfg(feature = "schema")]
#[cfg_attr(docsrs, doc(cfg(feature = "schema")))]
impl schemars::JsonSchema for CrawlFacts {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        FactsDocument::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        FactsDocument::json_schema(generator)
    }
}
