//! Entries, refusals and rules as documents for programs (feature `serde`), and their JSON schemas (feature `schema`).
//!
//! Each type is written as a document with the same name, which derives its schema.

use core::time::Duration;
use std::time::SystemTime;

use robots_match::{AccessResult, Verdict, VerdictDocument};

use crate::cache::decision::Decision;
use crate::entry::file::File;
use crate::entry::{Entry, Outage};
use crate::failure::Cause;
use crate::gate::refusal::{Awaited, Refusal, RefusalReason};
use crate::retrieval::outcome::Hop;
use crate::text::without_secrets;

/// Makes documents of types: each with its name in schemas, and its fields with their values. Implements `Serialize` and `JsonSchema`
/// for the types by their documents.
macro_rules! documents {
    ($(
        $(#[$about:meta])*
        $name:literal: $document:ident $(<$life:lifetime>)? of $value:ident: $of:ty {
            $($(#[$about_field:meta])* $field:ident: $kind:ty = $content:expr,)*
        }
    )*) => {$(
        $(#[$about])*
        #[derive(serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = $name))]
        struct $document $(<$life>)? {
            $($(#[$about_field])* $field: $kind,)*
        }

        impl $(<$life>)? From<&$($life)? $of> for $document $(<$life>)? {
            fn from($value: &$($life)? $of) -> Self {
                Self { $($field: $content,)* }
            }
        }

        impl serde::Serialize for $of {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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
    )*};
}

pub(crate) use documents;

documents! {
    /// What is known of a robots.txt file, without its text. Times are in seconds since 1970. To read entries again, use the feature
    /// `stored`.
    "Entry": EntryDocument<'e> of entry: Entry {
        /// The requests of the last retrieval, in order. The answers to all except the last were redirects.
        requests: &'e [Hop] = entry.hops(),
        /// The status of the last answer; null without an answer.
        status: Option<u16> = entry.status(),
        result: AccessResult = entry.access_result(),
        /// The reason why the file is missing.
        cause: Option<&'e Cause> = entry.cause(),
        /// The number of bytes of the body that were read.
        bytes: usize = entry.body_bytes(),
        /// The last file that was retrieved.
        file: Option<&'e File> = entry.good_file(),
        received: u64 = seconds(entry.received()),
        /// The time until which the answer is fresh.
        until: u64 = seconds(entry.fresh_until()),
        /// For how many seconds the answer is fresh, or how many seconds pass before the next attempt.
        lifetime: u64 = entry.lifetime().as_secs(),
        /// What determines the lifetime, such as `max-age`.
        source: &'static str = entry.lifetime_source(),
        outage: Option<Outage> = entry.outage(),
    }

    /// A request and the status of its answer.
    "Request": HopDocument of hop: Hop {
        /// Without user, password and query.
        url: String = without_secrets(&hop.url),
        /// Null without an answer.
        status: Option<u16> = hop.status,
    }

    /// The reason why a file is missing.
    "Cause": CauseDocument of cause: Cause {
        code: &'static str = cause.code(),
        /// The reason for people.
        text: String = cause.to_string(),
    }

    /// Facts about a file, without its text.
    "File": FileDocument<'f> of file: File {
        /// The URL of the file, after all redirects, without user, password and query.
        url: String = without_secrets(&file.url),
        bytes: usize = file.robots.body().len(),
        /// What kind of thing the body is, such as `rules` or `html`.
        kind: &'static str = file.kind().name(),
        retrieved: u64 = seconds(file.retrieved),
        confirmed: u64 = seconds(file.confirmed),
        etag: &'f Option<String> = &file.fields.etag,
        last_modified: &'f Option<String> = &file.fields.last_modified,
        content_type: &'f Option<String> = &file.fields.content_type,
    }

    /// Failures in a row.
    "Outage": OutageDocument of outage: Outage {
        since: u64 = seconds(outage.since),
        last: u64 = seconds(outage.last),
        attempts: u32 = outage.attempts,
    }

    /// The reason why a gate does not let a request pass.
    "Refusal": RefusalDocument of refusal: Refusal {
        code: &'static str = refusal.code(),
        /// The URL without user, password and query; null if it can't be read.
        url: Option<String> = refusal.url().map(without_secrets),
        /// 0 for the URL of a request, and n for the target of its nth redirect.
        hop: usize = refusal.hop(),
        verdict: Option<Verdict> = refusal.verdict(),
        /// The time from which on the site may be asked, for `not-now`, in seconds since 1970.
        until: Option<u64> = match refusal.reason() {
            RefusalReason::NotNow { until, .. } => Some(seconds(*until)),
            _ => None,
        },
        /// For how many seconds the URL waited, for `stalled` and `timed-out`.
        waited: Option<u64> = wait(refusal).map(|(waited, _)| waited.as_secs()),
        /// What the URL waited for, for `stalled` and `timed-out`: `rules`, `answer`, `body` or `turn`.
        awaited: Option<&'static str> = wait(refusal).map(|(_, awaited)| awaited.code()),
        /// The reason for people.
        text: String = refusal.to_string(),
    }

    /// What a crawler needs to know about a URL.
    "Decision": DecisionDocument<'d> of decision: Decision {
        #[serde(flatten)]
        verdict: VerdictDocument = VerdictDocument::new(&decision.verdict),
        /// When to ask again about a URL that may not be accessed now, in seconds since 1970.
        ask_again: Option<u64> = decision.ask_again.map(seconds),
        result: AccessResult = decision.result,
        received: u64 = seconds(decision.received),
        /// Whether the answer of the site is fresh.
        fresh: bool = decision.is_fresh,
        /// The time until which it is or was fresh.
        until: u64 = seconds(decision.fresh_until),
        /// When the robots.txt is retrieved next.
        next_retrieval: u64 = seconds(decision.next_retrieval),
        /// What the file says besides rules; null without the feature `records`.
        facts: Option<&'d Facts> = facts(decision),
    }
}

/// Returns for how long a URL waited, and for what.
const fn wait(refusal: &Refusal) -> Option<(Duration, Awaited)> {
    match *refusal.reason() {
        RefusalReason::Stalled { waited, awaited } | RefusalReason::TimedOut { waited, awaited } => {
            Some((waited, awaited))
        }
        _ => None,
    }
}

#[cfg(feature = "records")]
type Facts = robots_match::records::CrawlFacts;
#[cfg(not(feature = "records"))]
type Facts = ();

#[cfg_attr(not(feature = "records"), expect(unused_variables, reason = "only records have facts"))]
fn facts(decision: &Decision) -> Option<&Facts> {
    #[cfg(feature = "records")]
    return Some(&decision.facts);
    #[cfg(not(feature = "records"))]
    None
}

/// Returns the seconds since 1970; 0 for earlier times.
pub(crate) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}
