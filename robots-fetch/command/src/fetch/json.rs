//! The state of a site, for programs.

use std::time::SystemTime;

use robots_fetch::{Access, AccessResult, Entry, File, Hop, Origin, Outage};
use robots_match::Document;
use schemars::JsonSchema;
use serde::Serialize;

use super::changes::{changes, held};
use super::time::time;
use crate::body::{Body, refusal_note};
use crate::network::age_in_cache;

/// The output of `robots fetch --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'e> {
    pub(super) version: u8,
    pub(super) profile: Document,
    #[serde(flatten)]
    pub(super) site: SiteDocument<'e>,
}

/// The answer of a site to the request for its robots.txt, and what it means now. Times are in UTC, such as
/// `2026-11-20T18:04:05Z`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Site")]
pub(crate) struct SiteDocument<'e> {
    /// Scheme, host and port, such as `https://example.com`.
    site: &'e str,
    /// The requests of the last retrieval, in order. The answers to all except the last were redirects.
    requests: &'e [Hop],
    /// The status of the last answer; null without an answer.
    status: Option<u16>,
    class: AccessResult,
    /// The reason why the file is missing.
    cause: Option<CauseDocument>,
    /// What it means that the server refuses access to the file, for people.
    note: Option<String>,
    /// The number of bytes of the body that were read.
    bytes: usize,
    /// The file whose rules apply.
    file: Option<FileDocument<'e>>,
    /// What crawlers may access now: what the `rules` allow, `everything`, or `nothing`.
    access: &'static str,
    received: String,
    /// The age of an answer from the cache, in seconds; null if the site was asked.
    age: Option<u64>,
    /// Whether the answer is still fresh.
    fresh: bool,
    /// The time until which the answer is fresh.
    until: String,
    /// The time of the next request.
    next: String,
    /// For how many seconds the answer is fresh, or how many seconds pass before the next attempt.
    lifetime: u64,
    /// The number of seconds that the server asked for.
    asked: u64,
    /// What determines the lifetime, such as `max-age`.
    basis: &'static str,
    outage: Option<OutageDocument>,
    /// What happens next, as text for people.
    changes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Cause")]
struct CauseDocument {
    code: &'static str,
    /// The reason for people.
    text: String,
    /// Whether the failure is not the site's, but of the crawler, its network or its options.
    local: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "File")]
struct FileDocument<'f> {
    /// The URL of the file, after all redirects.
    url: &'f str,
    bytes: usize,
    /// The number of bytes that were dropped because of the size limit.
    dropped: usize,
    /// Whether the server sent more bytes than its `Content-Length` says, which were not read.
    excess: bool,
    body: Body,
    retrieved: String,
    confirmed: String,
    etag: Option<&'f str>,
    last_modified: Option<&'f str>,
    content_type: Option<&'f str>,
    /// `Cache-Control` as it was sent; several lines are joined.
    cache_control: Option<&'f str>,
    /// `Expires` as it was sent.
    expires: Option<&'f str>,
    /// `Age` as it was sent: for how long a cache on the way has had the answer.
    sent_age: Option<&'f str>,
}

/// Failures in a row.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Outage")]
struct OutageDocument {
    since: String,
    last: String,
    attempts: u32,
}

impl<'e> SiteDocument<'e> {
    /// Creates the document of what is known of a site.
    pub(crate) fn new(origin: &'e Origin, entry: &'e Entry, now: SystemTime) -> Self {
        let file = |file: &'e File| FileDocument {
            url: file.url.as_str(),
            bytes: file.robots.body().len(),
            dropped: file.dropped(),
            excess: file.has_excess,
            body: Body::of(&file.robots),
            retrieved: time(file.retrieved),
            confirmed: time(file.confirmed),
            etag: file.fields.etag.as_deref(),
            last_modified: file.fields.last_modified.as_deref(),
            content_type: file.fields.content_type.as_deref(),
            cache_control: file.fields.cache_control.as_deref(),
            expires: file.fields.expires.as_deref(),
            sent_age: file.fields.age.as_deref(),
        };
        let outage = |outage: Outage| OutageDocument {
            since: time(outage.since),
            last: time(outage.last),
            attempts: outage.attempts,
        };
        Self {
            site: origin.as_str(),
            requests: entry.hops(),
            status: entry.status(),
            class: entry.access_result(),
            cause: entry.cause().map(|cause| CauseDocument {
                code: cause.code(),
                text: cause.to_string(),
                local: entry.is_local_failure(),
            }),
            note: refusal_note(entry).filter(|_| matches!(entry.access(now), Access::Everything(..))),
            bytes: entry.body_bytes(),
            file: held(entry, now).map(file),
            access: entry.access(now).name(),
            received: time(entry.received()),
            age: age_in_cache(entry, now).map(|age| age.as_secs()),
            fresh: entry.is_fresh(now),
            until: time(entry.fresh_until()),
            next: time(entry.next_retrieval()),
            lifetime: entry.lifetime().as_secs(),
            asked: entry.asked_lifetime().as_secs(),
            basis: entry.lifetime_source(),
            outage: entry.outage().map(outage),
            changes: changes(entry),
        }
    }
}
