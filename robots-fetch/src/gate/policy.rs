//! The limits of a gate.

use core::time::Duration;
use std::time::SystemTime;

use crate::backoff;
use crate::message::head::Head;

/// The limits of a [`Gate`](crate::Gate): plain data, with a default for each field.
///
/// A delay is counted from one permit to the next, because this is what a site sees; it does not depend on how long an answer
/// takes. `AsyncGate` counts from up to 25 ms later, because requests take a while to reach the site; and after a retrieval of the
/// robots.txt by a client of this crate, from the head of its answer.
///
/// ```
/// use robots_fetch::GatePolicy;
/// use std::time::Duration;
///
/// let mut policy = GatePolicy::default();
/// policy.default_delay = Duration::from_millis(500);
/// policy.address_requests = Some(4); // for all origins at one address together
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GatePolicy {
    /// The delay between two requests to an origin whose robots.txt asks for none, or is not known yet. By default 1 second.
    pub default_delay: Duration,
    /// The shortest delay, whatever a robots.txt asks for. By default zero.
    pub min_delay: Duration,
    /// The longest delay that a robots.txt can ask for. By default 1 minute.
    pub max_delay: Duration,
    /// Whether `Crawl-delay` records are obeyed. By default `true`.
    pub obey_crawl_delay: bool,
    /// Whether `Request-rate` records are obeyed: their requests are spread evenly over the period. If an origin has several
    /// rates and a crawl delay, the longest delay counts. By default `true`.
    pub obey_request_rate: bool,
    /// Whether `Visit-time` records are obeyed: requests wait for these hours, in UTC. By default `true`.
    pub obey_visit_time: bool,
    /// The most requests to an origin at a time, each from its permit to the head of its answer; 0 counts as 1. By default 1.
    pub origin_requests: u32,
    /// For how long a request counts as one at a time, if its answer does not come. After that, the next request may begin. By
    /// default 30 seconds, which is as long as the clients of this crate wait.
    pub max_request: Duration,
    /// The most bodies of an origin that are read at a time; 0 counts as 1. `None`, the default, sets no limit: the next request
    /// may begin when the head of an answer has come.
    pub origin_bodies: Option<u32>,
    /// The most requests to an address at a time, for origins whose address is known ([`Gate::locate`](crate::Gate::locate));
    /// 0 counts as 1. `None`, the default, sets no limit.
    pub address_requests: Option<u32>,
    /// The delay between two requests to an address. By default zero, which sets no limit.
    pub address_delay: Duration,
    /// The pause of an origin after status 429 (Too Many Requests) or 503 (Service Unavailable) without a `Retry-After`, and
    /// after a request without an answer. It doubles with each further failure in a row. By default 30 seconds.
    pub first_pause: Duration,
    /// The longest such pause. By default 1 hour.
    pub max_pause: Duration,
    /// The longest pause that a `Retry-After` can ask for. By default 24 hours.
    pub max_retry_after: Duration,
    /// The shortest time between two questions for the robots.txt of an origin, even if its answer may not be cached. By
    /// default 1 minute.
    pub min_rules_lifetime: Duration,
    /// How many times the robots.txt of an origin is asked for again if there was no answer, for example because the name of the
    /// host is unknown or the port is closed. After these retries, the URLs of the origin are refused with
    /// [`RefusalReason::NotNow`](crate::RefusalReason::NotNow), until the cache asks the origin again. A scheme that the client does
    /// not support is not retried. By default 2.
    pub robots_retries: u32,
    /// The pause before the first such retry. It doubles with each further one. By default 1 second.
    pub robots_retry_pause: Duration,
    /// The longest time that a URL waits while its site makes no progress: no request for a page of the site begins or ends, and no
    /// robots.txt comes that decides. So a robots.txt that answers 429 or 503 each time is not progress. The delays between requests do
    /// not count, nor does the time while others at the same address get their turns, or while other retrievals of the cache get theirs
    /// before this robots.txt ([`RetrievalLimits`](crate::RetrievalLimits)). So a queue that moves is waited for however long it is.
    /// A URL that would have to wait longer, because a `Retry-After` or the pause before the next request for the robots.txt is longer,
    /// is refused at once. By default 2 minutes; [`Duration::MAX`] sets no limit.
    pub max_stall: Duration,
    /// The longest time that a URL waits at all. `None`, the default, sets no limit.
    pub max_wait: Option<Duration>,
    /// The most memory for waiting URLs and for origins, in bytes, as [`Gate::bytes`](crate::Gate::bytes) counts it. The URLs of
    /// one origin take at most as much as is left, so that there is always room for other origins: one origin can fill half of
    /// it, and two a third each. By default 64 MiB.
    pub max_bytes: usize,
}

impl Default for GatePolicy {
    fn default() -> Self {
        Self {
            default_delay: Duration::from_secs(1),
            min_delay: Duration::ZERO,
            max_delay: Duration::from_secs(60),
            obey_crawl_delay: true,
            obey_request_rate: true,
            obey_visit_time: true,
            origin_requests: 1,
            max_request: Duration::from_secs(30),
            origin_bodies: None,
            address_requests: None,
            address_delay: Duration::ZERO,
            first_pause: Duration::from_secs(30),
            max_pause: Duration::from_secs(60 * 60),
            max_retry_after: Duration::from_secs(24 * 60 * 60),
            min_rules_lifetime: Duration::from_secs(60),
            robots_retries: 2,
            robots_retry_pause: Duration::from_secs(1),
            max_stall: Duration::from_secs(2 * 60),
            max_wait: None,
            max_bytes: 64 << 20,
        }
    }
}

/// What the answer to a request says about the next one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feedback {
    /// Whether the site is busy, or gave no answer.
    pub(crate) is_failure: bool,
    /// The pause that it asks for.
    pub(crate) asked: Option<Duration>,
}

impl GatePolicy {
    /// Returns what an answer says, or that none came.
    pub(crate) fn feedback(&self, head: Option<&Head>, now: SystemTime) -> Feedback {
        let asked = head.and_then(|head| head.fields.retry_after(now));
        let asked = asked.map(|asked| asked.min(self.max_retry_after));
        match head.map(Head::status) {
            None | Some(429 | 503) => Feedback { is_failure: true, asked },
            Some(300..400) => Feedback { is_failure: false, asked },
            Some(_) => Feedback { is_failure: false, asked: None },
        }
    }

    /// The pause after this number of failures in a row.
    pub(super) fn pause(&self, failures: u32) -> Duration {
        backoff::pause(self.first_pause, self.max_pause, failures)
    }

    /// The pause before this retry of a robots.txt, from 0.
    pub(super) fn retry_pause(&self, retry: u32) -> Duration {
        self.robots_retry_pause.saturating_mul(1_u32.checked_shl(retry).unwrap_or(u32::MAX))
    }
}
