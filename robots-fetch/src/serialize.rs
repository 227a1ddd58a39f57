//! Entries, refusals and rules as documents for programs (feature `serde`), and their JSON schemas (feature `schema`).
//!
//! Each type is written as a document with the same name, which derives its schema.

use std::time::SystemTime;

use robots_match::{AccessResult, Verdict, VerdictDocument};
use serde::ser::{Serialize, Serializer};

use crate::cache::decision::Decision;
use crate::entry::file::File;
use crate::entry::{Entry, Outage};
use crate::failure::Cause;
use crate::gate::refusal::{Refusal, RefusalReason};
use crate::gate::rules::SiteRules;
use crate::gate::serialize::SiteRulesDocument;
use crate::retrieval::outcome::Hop;
use crate::text::without_secrets;

/// Implements `Serialize` and `JsonSchema` for types by their documents.
macro_rules! written_as {
    ($($of:ty => $document:ident,)*) => { $(
        impl Serialize for $of {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $document::from(self).serialize(serializer)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $of {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                $document::schema_name()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $document::json_schema(generator)
            }
        }
    )* };
}

written_as! {
    Cause => CauseDocument,
    Decision => DecisionDocument,
    Entry => EntryDocument,
    File => FileDocument,
    Hop => HopDocument,
    Outage => OutageDocument,
    Refusal => RefusalDocument,
    SiteRules => SiteRulesDocument,
}

/// What is known of a robots.txt file, without its text. Times are in seconds since 1970. To read entries again, use the feature
/// `stored`.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Entry"))]
struct EntryDocument<'e> {
    /// The requests of the last retrieval, in order. The answers to all except the last were redirects.
    requests: &'e [Hop],
    /// The status of the last answer; null without an answer.
    status: Option<u16>,
    result: AccessResult,
    /// The reason why the file is missing.
    cause: Option<&'e Cause>,
    /// The number of bytes of the body that were read.
    bytes: usize,
    /// The last file that was retrieved.
    file: Option<&'e File>,
    received: u64,
    /// The time until which the answer is fresh.
    until: u64,
    /// For how many seconds the answer is fresh, or how many seconds pass before the next attempt.
    lifetime: u64,
    /// What determines the lifetime, such as `max-age`.
    source: &'static str,
    outage: Option<Outage>,
}

impl<'e> From<&'e Entry> for EntryDocument<'e> {
    fn from(entry: &'e Entry) -> Self {
        Self {
            requests: entry.hops(),
            status: entry.status(),
            result: entry.access_result(),
            cause: entry.cause(),
            bytes: entry.body_bytes(),
            file: entry.good_file(),
            received: seconds(entry.received()),
            until: seconds(entry.fresh_until()),
            lifetime: entry.lifetime().as_secs(),
            source: entry.lifetime_source(),
            outage: entry.outage(),
        }
    }
}

/// A request and the status of its answer.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Request"))]
struct HopDocument {
    /// Without user, password and query.
    url: String,
    /// Null without an answer.
    status: Option<u16>,
}

impl From<&Hop> for HopDocument {
    fn from(hop: &Hop) -> Self {
        Self { url: without_secrets(&hop.url), status: hop.status }
    }
}

/// The reason why a file is missing.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Cause"))]
struct CauseDocument {
    code: &'static str,
    /// The reason for people.
    text: String,
}

impl From<&Cause> for CauseDocument {
    fn from(cause: &Cause) -> Self {
        Self { code: cause.code(), text: cause.to_string() }
    }
}

/// Facts about a file, without its text.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "File"))]
struct FileDocument<'f> {
    /// The URL of the file, after all redirects, without user, password and query.
    url: String,
    bytes: usize,
    /// What kind of thing the body is, such as `rules` or `html`.
    kind: &'static str,
    retrieved: u64,
    confirmed: u64,
    etag: &'f Option<String>,
    last_modified: &'f Option<String>,
    content_type: &'f Option<String>,
}

impl<'f> From<&'f File> for FileDocument<'f> {
    fn from(file: &'f File) -> Self {
        Self {
            url: without_secrets(&file.url),
            bytes: file.robots.body().len(),
            kind: file.kind().name(),
            retrieved: seconds(file.retrieved),
            confirmed: seconds(file.confirmed),
            etag: &file.fields.etag,
            last_modified: &file.fields.last_modified,
            content_type: &file.fields.content_type,
        }
    }
}

/// Failures in a row.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Outage"))]
struct OutageDocument {
    since: u64,
    last: u64,
    attempts: u32,
}

impl From<&Outage> for OutageDocument {
    fn from(outage: &Outage) -> Self {
        Self { since: seconds(outage.since), last: seconds(outage.last), attempts: outage.attempts }
    }
}

/// The reason why a gate does not let a request pass.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Refusal"))]
struct RefusalDocument {
    code: &'static str,
    /// The URL without user, password and query; null if it can't be read.
    url: Option<String>,
    /// 0 for the URL of a request, and n for the target of its nth redirect.
    hop: usize,
    verdict: Option<Verdict>,
    /// The time from which on the site may be asked, for `not-now`, in seconds since 1970.
    until: Option<u64>,
    /// For how many seconds the URL waited, for `stalled` and `timed-out`.
    waited: Option<u64>,
    /// What the URL waited for, for `stalled` and `timed-out`: `rules`, `answer`, `body` or `turn`.
    awaited: Option<&'static str>,
    /// The reason for people.
    text: String,
}

impl From<&Refusal> for RefusalDocument {
    fn from(refusal: &Refusal) -> Self {
        let until = match refusal.reason() {
            RefusalReason::NotNow { until, .. } => Some(seconds(*until)),
            _ => None,
        };
        let (waited, awaited) = match refusal.reason() {
            RefusalReason::Stalled { waited, awaited } | RefusalReason::TimedOut { waited, awaited } => {
                (Some(waited.as_secs()), Some(awaited.code()))
            }
            _ => (None, None),
        };
        Self {
            code: refusal.code(),
            url: refusal.url().map(without_secrets),
            hop: refusal.hop(),
            verdict: refusal.verdict(),
            until,
            waited,
            awaited,
            text: refusal.to_string(),
        }
    }
}

/// What a crawler needs to know about a URL.
#[derive(serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Decision"))]
struct DecisionDocument<'d> {
    #[serde(flatten)]
    verdict: VerdictDocument,
    /// When to ask again about a URL that may not be accessed now, in seconds since 1970.
    ask_again: Option<u64>,
    result: AccessResult,
    received: u64,
    /// Whether the answer of the site is fresh.
    fresh: bool,
    /// The time until which it is or was fresh.
    until: u64,
    /// When the robots.txt is retrieved next.
    next_retrieval: u64,
    /// What the file says besides rules; null without the feature `records`.
    facts: Option<&'d Facts>,
}

#[cfg(feature = "records")]
type Facts = robots_match::records::CrawlFacts;
#[cfg(not(feature = "records"))]
type Facts = ();

impl<'d> From<&'d Decision> for DecisionDocument<'d> {
    fn from(decision: &'d Decision) -> Self {
        #[cfg(feature = "records")]
        let facts = Some(&*decision.facts);
        #[cfg(not(feature = "records"))]
        let facts = None;
        Self {
            verdict: VerdictDocument::new(&decision.verdict),
            ask_again: decision.ask_again.map(seconds),
            result: decision.result,
            received: seconds(decision.received),
            fresh: decision.is_fresh,
            until: seconds(decision.fresh_until),
            next_retrieval: seconds(decision.next_retrieval),
            facts,
        }
    }
}

/// Returns the seconds since 1970; 0 for earlier times.
pub(crate) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}
