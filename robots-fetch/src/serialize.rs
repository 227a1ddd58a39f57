//! Entries, refusals and rules as documents for programs (feature `serde`).

use core::fmt;
use std::time::SystemTime;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::entry::Entry;
use crate::entry::file::File;
use crate::entry::outage::Outage;
use crate::failure::Cause;
use crate::gate::refusal::{Refusal, RefusalReason};
use crate::text::without_secrets;
use crate::retrieval::outcome::Hop;

/// Writes what is known of the robots.txt, without its text. The schema is `robots-fetch/schema/entry.json`; times are in
/// seconds since 1970. Documents are for other programs: to read entries again, use the feature `stored`.
impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Entry", 11)?;
        fields.serialize_field("requests", self.hops())?;
        fields.serialize_field("status", &self.status())?;
        fields.serialize_field("result", &self.access_result())?;
        fields.serialize_field("cause", &self.cause())?;
        fields.serialize_field("bytes", &self.body_bytes())?;
        fields.serialize_field("file", &self.good_file())?;
        fields.serialize_field("received", &seconds(self.received()))?;
        fields.serialize_field("until", &seconds(self.fresh_until()))?;
        fields.serialize_field("lifetime", &self.lifetime().as_secs())?;
        fields.serialize_field("source", self.lifetime_source())?;
        fields.serialize_field("outage", &self.outage())?;
        fields.end()
    }
}

/// Writes the fields `url` and `status`.
impl Serialize for Hop {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Hop", 2)?;
        fields.serialize_field("url", self.url.as_str())?;
        fields.serialize_field("status", &self.status)?;
        fields.end()
    }
}

/// Writes the fields `code` and `text`.
impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Cause", 2)?;
        fields.serialize_field("code", self.code())?;
        fields.serialize_field("text", &Shown(self))?;
        fields.end()
    }
}

/// Writes the facts about a file, without its text.
impl Serialize for File {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("File", 8)?;
        fields.serialize_field("url", self.url.as_str())?;
        fields.serialize_field("bytes", &self.robots.body().len())?;
        fields.serialize_field("kind", self.kind().name())?;
        fields.serialize_field("retrieved", &seconds(self.retrieved))?;
        fields.serialize_field("confirmed", &seconds(self.confirmed))?;
        fields.serialize_field("etag", &self.fields.etag)?;
        fields.serialize_field("last_modified", &self.fields.last_modified)?;
        fields.serialize_field("content_type", &self.fields.content_type)?;
        fields.end()
    }
}

/// Writes the fields `since`, `last` and `attempts`.
impl Serialize for Outage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Outage", 3)?;
        fields.serialize_field("since", &seconds(self.since))?;
        fields.serialize_field("last", &seconds(self.last))?;
        fields.serialize_field("attempts", &self.attempts)?;
        fields.end()
    }
}

/// Writes the fields `code`, `url` (without user, password and query), `hop`, `verdict`, `until`, `waited` (in seconds), `awaited` and
/// `text`. The schema is `robots-fetch/schema/refusal.json`.
impl Serialize for Refusal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let until = match self.reason() {
            RefusalReason::NotNow { until, .. } => Some(seconds(*until)),
            _ => None,
        };
        let waited = match self.reason() {
            RefusalReason::Stalled { waited, awaited } | RefusalReason::TimedOut { waited, awaited } => {
                Some((waited.as_secs(), awaited.code()))
            }
            _ => None,
        };
        let mut fields = serializer.serialize_struct("Refusal", 8)?;
        fields.serialize_field("code", self.code())?;
        fields.serialize_field("url", &self.url().map(without_secrets))?;
        fields.serialize_field("hop", &self.hop())?;
        fields.serialize_field("verdict", &self.verdict())?;
        fields.serialize_field("until", &until)?;
        fields.serialize_field("waited", &waited.map(|(waited, _)| waited))?;
        fields.serialize_field("awaited", &waited.map(|(_, awaited)| awaited))?;
        fields.serialize_field("text", &Shown(self))?;
        fields.end()
    }
}

/// Text as `Display` writes it.
struct Shown<'s, T>(&'s T);

impl<T: fmt::Display> Serialize for Shown<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

/// Returns the seconds since 1970; 0 for earlier times.
pub(crate) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}
