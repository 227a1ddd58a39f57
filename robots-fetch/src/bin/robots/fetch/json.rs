//! The state of a site, for programs.

use std::time::SystemTime;

use robots_fetch::{Entry, Origin};
use serde_json::{Value, json};

use super::changes::{changes, held};
use super::time::time;

/// Returns what is known of a site as JSON. All times are in UTC.
pub(crate) fn json(origin: &Origin, entry: &Entry, now: SystemTime) -> Value {
    let status = entry.cache_status(now);
    let freshness = entry.freshness();
    let hops: Vec<Value> =
        entry.hops().iter().map(|hop| json!({ "url": hop.url.as_str(), "status": hop.status })).collect();
    let file = held(entry, now).map(|file| {
        json!({
            "url": file.url.as_str(),
            "bytes": file.robots.body().len(),
            "dropped": file.dropped(),
            "looks_like_html": file.looks_like_html,
            "retrieved": time(file.retrieved),
            "confirmed": time(file.confirmed),
            "etag": file.fields.etag,
            "last_modified": file.fields.last_modified,
            "content_type": file.fields.content_type,
        })
    });
    json!({
        "site": origin.as_str(),
        "requests": hops,
        "status": entry.status(),
        "class": entry.access_result().name(),
        "cause": entry.cause().map(|cause| json!({ "code": cause.code(), "text": cause.to_string() })),
        "bytes": entry.body_bytes(),
        "file": file,
        "access": entry.access(now).name(),
        "received": time(freshness.received),
        "fresh": status.fresh,
        "until": time(status.until),
        "next": time(status.next),
        "lifetime": freshness.lifetime.as_secs(),
        "asked": freshness.asked.as_secs(),
        "basis": freshness.source.name(),
        "outage": entry.outage().map(|outage| json!({
            "since": time(outage.since),
            "last": time(outage.last),
            "attempts": outage.attempts,
        })),
        "changes": changes(entry, now),
    })
}
