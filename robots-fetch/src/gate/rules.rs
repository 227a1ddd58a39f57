//! The rules of one origin for a gate.

use core::time::Duration;
use std::time::SystemTime;

#[cfg(feature = "records")]
use robots_match::records::CrawlFacts;
use robots_match::{AccessResult, Reason, Verdict};
use url::Url;

use super::hours::{Hours, opening};
use super::policy::GatePolicy;
use crate::access::Permission;
#[cfg(feature = "gate")]
use crate::cache::decision::Decision;
use crate::failure::{Cause, FailureKind};
use crate::message::freshness::later;

/// The most request rates and the most spans of visit times of an origin that count: the first ones of the file.
#[cfg(feature = "records")]
const MOST_RECORDS: usize = 32;

/// The rules of one origin for one crawler: what may be accessed, how often, and when to ask for the robots.txt again.
///
/// `AsyncGate` makes them from the entries of a cache. To make them yourself, pass on the permission and the facts of an
/// entry; a [`Gate`](crate::Gate) obeys the facts as its policy says.
///
/// ```
/// use robots_fetch::matching::Crawler;
/// use robots_fetch::{Entry, SiteProfile, SiteRules};
/// use std::time::SystemTime;
///
/// fn rules(entry: &Entry, bot: &Crawler, now: SystemTime) -> SiteRules {
///     let rules = SiteRules::new(entry.permission(bot, now), entry.next_retrieval());
///     match entry.robots(now) {
///         # #[cfg(feature = "records")]
///         // With the feature `records`:
///         Some(robots) => rules.with_facts(&robots_fetch::matching::records::CrawlFacts::new(robots, bot)),
///         _ => rules,
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct SiteRules {
    permission: Permission,
    until: SystemTime,
    pub(super) crawl_delay: Option<Duration>,
    pub(super) rates: Vec<Rate>,
    pub(super) visits: Vec<Hours>,
    /// The decision about the robots.txt itself, from a cache.
    #[cfg(feature = "gate")]
    decision: Option<Box<Decision>>,
}

/// A delay that applies at some hours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    pub(super) delay: Duration,
    pub(super) hours: Option<Hours>,
}

impl SiteRules {
    /// Creates rules without records. `until` is the time from which the robots.txt has to be asked for again
    /// ([`Entry::next_retrieval`](crate::Entry::next_retrieval)).
    #[must_use]
    pub const fn new(permission: Permission, until: SystemTime) -> Self {
        Self {
            permission,
            until,
            crawl_delay: None,
            rates: Vec::new(),
            visits: Vec::new(),
            #[cfg(feature = "gate")]
            decision: None,
        }
    }

    /// Sets the delay between two requests, as by `Crawl-delay`.
    #[must_use]
    pub fn with_crawl_delay(self, delay: Duration) -> Self {
        Self { crawl_delay: Some(delay), ..self }
    }

    /// Sets the crawl delay, the request rates and the visit times. At most 32 rates and 32 visit times count.
    #[cfg(feature = "records")]
    #[must_use]
    pub fn with_facts(self, facts: &CrawlFacts) -> Self {
        let hours = |window: robots_match::records::TimeWindow| Hours::new(window.from(), window.until());
        let rates = facts.request_rates.iter().filter_map(|&(requests, period, window)| {
            let hours = match window {
                Some(window) => Some(hours(window)?),
                None => None,
            };
            Some(Rate { delay: each(requests, period), hours })
        });
        let visits = facts.visit_times.iter().copied().filter_map(hours);
        Self {
            crawl_delay: facts.crawl_delay,
            rates: rates.take(MOST_RECORDS).collect(),
            visits: visits.take(MOST_RECORDS).collect(),
            ..self
        }
    }

    /// Sets the facts of a decision of a cache about the robots.txt, and keeps it.
    #[cfg(feature = "gate")]
    pub(crate) fn with_decision(self, decision: Decision) -> Self {
        let rules = self.with_facts(&decision.facts);
        Self { decision: Some(Box::new(decision)), ..rules }
    }

    /// Returns the decision about a URL, if the rules come from a cache.
    #[cfg(feature = "gate")]
    pub(crate) fn decide(&self, url: &Url) -> Option<Decision> {
        let decision = self.decision.as_deref()?.clone();
        Some(decision.about(url, self.permission.check_url(url), &self.permission))
    }

    /// Returns whether the site gave no answer to the request for its robots.txt, for example because its host is unknown.
    pub(super) fn had_no_answer(&self) -> bool {
        matches!(self.permission.cause(), Some(Cause::Failure(_))) && !self.permission.check("/").is_allowed()
    }

    /// Returns the verdict and the end of an outage: of a robots.txt that is unreachable for now.
    pub(crate) fn outage(&self) -> Option<(Verdict, SystemTime)> {
        let verdict = self.permission.check("/");
        is_for_now(&verdict).then_some((verdict, self.until))
    }

    /// Returns the kind of the failure because of which there is no robots.txt, if it is a local one.
    pub(super) fn local_failure(&self) -> Option<FailureKind> {
        let Some(Cause::Failure(failure)) = self.permission.cause() else { return None };
        failure.is_local().then(|| failure.kind())
    }

    /// Returns the verdict if the client could not ask because the caller has no runtime, which says nothing to other callers.
    pub(crate) fn without_runtime(&self) -> Option<Verdict> {
        let is_it = self.local_failure() == Some(FailureKind::NoRuntime);
        Some(self.permission.check("/")).filter(|verdict| is_it && !verdict.is_allowed())
    }

    /// Returns whether the site may answer soon: not if the client can't ask it at all.
    pub(super) fn may_retry(&self) -> bool {
        use FailureKind::{InvalidOption, NoRuntime, RefusedAddress, UnsupportedScheme};
        let Some(Cause::Failure(failure)) = self.permission.cause() else { return false };
        !matches!(failure.kind(), InvalidOption | NoRuntime | RefusedAddress | UnsupportedScheme)
    }

    pub(super) const fn until(&self) -> SystemTime {
        self.until
    }

    /// Returns whether a URL of the origin may be accessed, and why.
    #[must_use]
    pub fn check(&self, url: &Url) -> Verdict {
        self.permission.check_url(url)
    }

    /// Returns the delay after a request at `time`.
    pub(super) fn delay(&self, policy: &GatePolicy, time: SystemTime) -> Duration {
        let crawl_delay = self.crawl_delay.filter(|_| policy.obey_crawl_delay);
        let rates = self.rates.iter().filter(|_| policy.obey_request_rate);
        let rates = rates.filter(|rate| rate.hours.is_none_or(|hours| hours.contains(time)));
        let asked = rates.map(|rate| rate.delay).chain(crawl_delay).max();
        asked.map_or(policy.default_delay, |asked| asked.min(policy.max_delay)).max(policy.min_delay)
    }

    /// Returns the first time from `time` on at which the origin may be visited.
    pub(super) fn opening(&self, policy: &GatePolicy, time: SystemTime) -> SystemTime {
        if policy.obey_visit_time { opening(&self.visits, time) } else { time }
    }

    /// Returns about how many bytes the rules take: 256, 100 for each rule, and the records.
    pub(super) fn bytes(&self) -> usize {
        let rules = self.permission.rules().map_or(0, |rules| rules.len());
        256 + rules * 100 + self.rates.len() * size_of::<Rate>() + self.visits.len() * size_of::<Hours>()
    }
}

/// Returns whether a verdict applies only until the robots.txt can be retrieved.
pub(super) fn is_for_now(verdict: &Verdict) -> bool {
    let passing = |result| matches!(result, AccessResult::Unreachable | AccessResult::Throttled);
    matches!(verdict.reason(), Reason::Site { allowed: false, result, .. } if passing(result))
}

/// Returns the time between two of `requests` that are spread evenly over `period`, rounded up.
#[cfg(feature = "records")]
fn each(requests: u64, period: Duration) -> Duration {
    let nanos = period.as_nanos().div_ceil(u128::from(requests.max(1)));
    const SECOND: u128 = 1_000_000_000;
    let nanos_of_second = u32::try_from(nanos % SECOND).unwrap_or_default();
    Duration::new(u64::try_from(nanos / SECOND).unwrap_or(u64::MAX), nanos_of_second)
}

/// Returns the time after `time` by the longest delay, without overflow.
pub(super) fn after(time: SystemTime, delay: Duration) -> SystemTime {
    const YEARS: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
    later(time, delay.min(YEARS))
}
