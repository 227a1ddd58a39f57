//! Events and counters about retrievals, caches and gates.
//!
//! The functions do nothing without the features `tracing` and `metrics`, and are inlined away. The guide
//! (`guide/observing.md`) lists the names and fields, which are a part of the public interface. They are called by code that does
//! something: clients, caches and the gate for tasks. The cores, which only compute, do not call them.

#![cfg_attr(not(feature = "tracing"), expect(unused_variables, reason = "counters have no fields"))]

#[cfg(feature = "gate")]
use core::time::Duration;

#[cfg(feature = "gate")]
use url::Url;

#[cfg(feature = "gate")]
use crate::gate::refusal::Refusal;
use crate::map::Key;
use crate::origin::Origin;
use crate::retrieval::outcome::{Outcome, RetrievalResult};
use crate::retrieval::request::Request;
use crate::store::error::StoreError;
#[cfg(feature = "tracing")]
use crate::text::without_secrets;

/// Writes an event with these fields, and counts it.
macro_rules! observe {
    ($level:ident, $event:literal, $counter:literal $(, $label:literal = $value:expr)*; $($fields:tt)*) => {
        #[cfg(feature = "tracing")]
        tracing::$level!(name: $event, target: "robots_fetch", $($fields)*, $event);
        #[cfg(feature = "metrics")]
        metrics::counter!($counter $(, $label => $value)*).increment(1);
    };
}

/// Describes all metrics, with their units, to the recorder of the process. Caches and gates do so when they are made.
#[inline]
pub(crate) fn describe() {
    #[cfg(feature = "metrics")]
    {
        use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};

        for (name, what) in [
            ("robots_cache_hits_total", "questions to a cache answered from memory"),
            ("robots_cache_misses_total", "questions to a cache that wait for a store or a retrieval"),
            (
                "robots_cache_stale_total",
                "questions to a cache answered by an entry whose lifetime has ended",
            ),
            ("robots_redirects_total", "redirects of robots.txt files that are followed"),
            ("robots_retrievals_total", "retrievals of robots.txt files, by result"),
            ("robots_store_errors_total", "errors of stores"),
            ("robots_permits_total", "URLs that got a permit"),
            ("robots_permits_unnoted_total", "permits that were dropped without a note of the answer"),
            ("robots_refusals_total", "URLs that got no permit, by code"),
            ("robots_parked_total", "sites whose URLs wait until their robots.txt can be retrieved"),
            ("robots_shared_delays_errors_total", "errors of the server that shares delays"),
        ] {
            describe_counter!(name, Unit::Count, what);
        }
        for (name, what) in [
            ("robots_retrieval_seconds", "time of a retrieval, with its redirects"),
            ("robots_permit_wait_seconds", "time from asking for a permit to getting it"),
        ] {
            describe_histogram!(name, Unit::Seconds, what);
        }
        for (name, unit, what) in [
            ("robots_gate_waiting", Unit::Count, "URLs that wait at a gate, by crawler"),
            ("robots_gate_parked", Unit::Count, "URLs at sites whose robots.txt is unreachable, by crawler"),
            ("robots_gate_origins", Unit::Count, "sites that a gate knows, by crawler"),
            ("robots_gate_bytes", Unit::Bytes, "memory of a gate, by crawler"),
        ] {
            describe_gauge!(name, unit, what);
        }
    }
}

/// Whether questions to a cache are observed, so that those who do not observe them do not pay for the fields.
pub(crate) const QUESTIONS: bool = cfg!(any(feature = "tracing", feature = "metrics"));

/// A question was answered from memory.
#[inline]
pub(crate) fn hit(origin: Key<'_>) {
    observe!(trace, "hit", "robots_cache_hits_total"; origin = %origin);
}

/// A question was answered from memory by an entry whose lifetime has ended.
#[inline]
pub(crate) fn stale(origin: Key<'_>) {
    observe!(debug, "stale", "robots_cache_stale_total"; origin = %origin);
}

/// The memory has no entry that can answer a question, so the caller waits for the store or a retrieval.
#[inline]
pub(crate) fn miss(origin: &Origin) {
    observe!(debug, "miss", "robots_cache_misses_total"; origin = %origin);
}

/// A store failed. The cache goes on without it.
#[inline]
pub(crate) fn store_error(error: &StoreError) {
    observe!(warn, "store_error", "robots_store_errors_total"; error = %error);
}

/// A redirect of a robots.txt with this status is followed: `next` is the next request.
#[inline]
pub(crate) fn redirect(status: u16, next: &Request) {
    observe!(debug, "redirect", "robots_redirects_total"; status = status, to = %without_secrets(&next.url));
}

/// A retrieval has ended.
#[inline]
pub(crate) fn outcome(outcome: &Outcome) {
    let result = match &outcome.result {
        RetrievalResult::File { .. } => "file",
        RetrievalResult::NotModified => "not-modified",
        RetrievalResult::None(result, _) => result.name(),
    };
    let requests = outcome.hops.len();
    #[cfg(feature = "tracing")]
    let code = match &outcome.result {
        RetrievalResult::None(_, cause) => Some(cause.code()),
        _ => None,
    };
    observe!(debug, "outcome", "robots_retrievals_total", "result" = result;
        result = result, cause = code, status = outcome.status(), bytes = outcome.body_bytes, requests = requests);
}

/// A URL got no permit.
#[cfg(feature = "gate")]
#[inline]
pub(crate) fn refusal(url: &Url, refusal: &Refusal) {
    observe!(debug, "refusal", "robots_refusals_total", "code" = refusal.code();
        url = %without_secrets(url), code = refusal.code(), reason = %refusal.reason());
}

/// The server that shares the delays of a fleet did not answer.
#[cfg(all(feature = "gate", feature = "redis"))]
#[inline]
pub(crate) fn shared_delays_away(error: &StoreError) {
    observe!(warn, "shared_delays_away", "robots_shared_delays_errors_total"; error = %error);
}

/// A permit was dropped without a note of the answer.
#[cfg(feature = "gate")]
#[inline]
pub(crate) fn unnoted(url: &Url) {
    observe!(debug, "unnoted", "robots_permits_unnoted_total"; url = %without_secrets(url));
}

/// The URLs of a site wait until its robots.txt is asked for again.
#[cfg(feature = "gate")]
#[inline]
pub(crate) fn parked(
    origin: &Origin,
    verdict: &robots_match::Verdict,
    urls: usize,
    until: std::time::SystemTime,
) {
    observe!(info, "parked", "robots_parked_total";
        origin = %origin, reason = %verdict, urls = urls, until = %httpdate::fmt_http_date(crate::text::datable(until)));
}

/// Whether the state of gates is observed.
#[cfg(feature = "gate")]
pub(crate) const GATES: bool = cfg!(feature = "metrics");

/// The state of the gate of a crawler.
#[cfg(feature = "gate")]
#[inline]
#[cfg_attr(not(feature = "metrics"), expect(unused_variables, reason = "only metrics have gauges"))]
pub(crate) fn gate(crawler: &str, [waiting, parked, origins, bytes]: [usize; 4]) {
    #[cfg(feature = "metrics")]
    for (name, value) in [
        ("robots_gate_waiting", waiting),
        ("robots_gate_parked", parked),
        ("robots_gate_origins", origins),
        ("robots_gate_bytes", bytes),
    ] {
        #[expect(clippy::cast_precision_loss, reason = "no gate has as much")]
        metrics::gauge!(name, "crawler" => crawler.to_owned()).set(value as f64);
    }
}

/// A URL got a permit after this time.
#[cfg(feature = "gate")]
#[inline]
pub(crate) fn permit(url: &Url, waited: Duration) {
    observe!(trace, "permit", "robots_permits_total";
        url = %without_secrets(url), waited_ms = u64::try_from(waited.as_millis()).ok());
    #[cfg(feature = "metrics")]
    metrics::histogram!("robots_permit_wait_seconds").record(waited.as_secs_f64());
}

/// Runs a blocking retrieval within the span `retrieval`, and observes its outcome.
#[inline]
pub(crate) fn retrieval(origin: &Origin, retrieve: impl FnOnce() -> Outcome) -> Outcome {
    #[cfg(feature = "tracing")]
    let _entered = span(origin).entered();
    let started = std::time::Instant::now();
    let outcome = retrieve();
    self::outcome(&outcome);
    took(started);
    outcome
}

/// Runs a retrieval within the span `retrieval`, and observes its outcome.
#[inline]
pub(crate) fn retrieval_async(
    origin: &Origin,
    retrieve: impl Future<Output = Outcome>,
) -> impl Future<Output = Outcome> {
    let observed = async move {
        let started = std::time::Instant::now();
        let outcome = retrieve.await;
        self::outcome(&outcome);
        took(started);
        outcome
    };
    #[cfg(feature = "tracing")]
    let observed = tracing::Instrument::instrument(observed, span(origin));
    observed
}

/// A retrieval began at this time, and has ended.
#[inline]
#[cfg_attr(not(feature = "metrics"), expect(unused_variables, reason = "only metrics have histograms"))]
fn took(started: std::time::Instant) {
    #[cfg(feature = "metrics")]
    metrics::histogram!("robots_retrieval_seconds").record(started.elapsed().as_secs_f64());
}

/// Runs a task within the span of the caller that starts it.
#[cfg(feature = "tokio")]
#[inline]
pub(crate) fn in_span<T>(task: impl Future<Output = T>) -> impl Future<Output = T> {
    #[cfg(feature = "tracing")]
    let task = tracing::Instrument::in_current_span(task);
    task
}

#[cfg(feature = "tracing")]
fn span(origin: &Origin) -> tracing::Span {
    tracing::debug_span!(target: "robots_fetch", "retrieval", origin = %origin)
}
