//! The state of a site, for programs.

use std::time::SystemTime;

use robots_fetch::{Entry, Origin};
use serde_json::{Value, json};

use super::changes::{changes, held};
use super::time::time;
use crate::body::Body;
use crate::network::age_in_cache;

/// Returns what is known of a site as JSON. All times are in UTC.
pub(crate) fn json(origin: &Origin, entry: &Entry, now: SystemTime) -> Value {
    let hops: Vec<Value> =
        entry.hops().iter().map(|hop| json!({ "url": hop.url.as_str(), "status": hop.status })).collect();
    let file = held(entry, now).map(|file| {
        json!({
            "url": file.url.as_str(),
            "bytes": file.robots.body().len(),
            "dropped": file.dropped(),
            "body": Body::of(&file.robots).json(),
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
        "cause": entry.cause().map(|cause| json!({
            "code": cause.code(),
            "text": cause.to_string(),
            "local": entry.is_local_failure(),
        })),
        "bytes": entry.body_bytes(),
        "file": file,
        "access": entry.access(now).name(),
        "received": time(entry.received()),
        "age": age_in_cache(entry, now).map(|age| age.as_secs()),
        "fresh": entry.is_fresh(now),
        "until": time(entry.fresh_until()),
        "next": time(entry.next_retrieval()),
        "lifetime": entry.lifetime().as_secs(),
        "asked": entry.asked_lifetime().as_secs(),
        "basis": entry.lifetime_source(),
        "outage": entry.outage().map(|outage| json!({
            "since": time(outage.since),
            "last": time(outage.last),
            "attempts": outage.attempts,
        })),
        "changes": changes(entry),
    })
}
