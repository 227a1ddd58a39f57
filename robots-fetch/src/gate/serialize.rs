//! Rules of origins as documents for programs (feature `serde`).

use core::time::Duration;
use std::time::SystemTime;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::hours::Hours;
use super::rules::{Rate, SiteRules};

/// Writes the fields `until`, `crawl_delay`, `request_rates` and `visit_times`. The schema is `robots-fetch/schema/rules.json`.
impl Serialize for SiteRules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let until = self.until().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let mut fields = serializer.serialize_struct("SiteRules", 4)?;
        fields.serialize_field("until", &until.as_secs())?;
        fields.serialize_field("crawl_delay", &self.crawl_delay.map(millis))?;
        fields.serialize_field("request_rates", &self.rates)?;
        fields.serialize_field("visit_times", &self.visits)?;
        fields.end()
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Rate", 2)?;
        fields.serialize_field("delay", &millis(self.delay))?;
        fields.serialize_field("hours", &self.hours)?;
        fields.end()
    }
}

impl Serialize for Hours {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let time = |minute: u16| format!("{:02}{:02}", minute / 60, minute % 60);
        let mut fields = serializer.serialize_struct("Hours", 2)?;
        fields.serialize_field("from", &time(self.from))?;
        fields.serialize_field("until", &time(self.until))?;
        fields.end()
    }
}

/// Returns the duration in milliseconds, rounded up.
fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}
