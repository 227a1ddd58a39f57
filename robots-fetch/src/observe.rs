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
use crate::map::key::Key;
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
    let outcome = retrieve();
    self::outcome(&outcome);
    outcome
}

/// Runs a retrieval within the span `retrieval`, and observes its outcome.
#[inline]
pub(crate) fn retrieval_async(
    origin: &Origin,
    retrieve: impl Future<Output = Outcome>,
) -> impl Future<Output = Outcome> {
    let observed = async move {
        let outcome = retrieve.await;
        self::outcome(&outcome);
        outcome
    };
    #[cfg(feature = "tracing")]
    let observed = tracing::Instrument::instrument(observed, span(origin));
    observed
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
