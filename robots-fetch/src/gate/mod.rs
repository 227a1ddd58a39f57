//! A gate in front of the requests of a crawler: which URL may be requested now, and when the next one.

mod hours;
mod line;
pub(crate) mod policy;
pub(crate) mod refusal;
pub(crate) mod rules;
mod schedule;
#[cfg(feature = "serde")]
mod serialize;
mod site;
pub(crate) mod step;

use core::fmt;
use core::net::IpAddr;
use std::time::SystemTime;

use url::Url;

use self::policy::GatePolicy;
use self::refusal::Refusal;
use self::rules::SiteRules;
use self::schedule::Schedule;
use self::site::bytes_of;
use self::step::{GateStep, Permit};
use crate::message::head::Head;
use crate::origin::Origin;

/// A gate in front of the requests of a crawler. Takes URLs, and gives a permit for each when its site may be asked.
///
/// The gate uses no clock, no socket and no runtime: each method gets the time. `AsyncGate`, behind the feature `gate`, drives a
/// gate on tokio and asks a cache. Without it, call [`Self::next`] in a loop and do what the [`GateStep`] says.
///
/// A `T` comes with each URL and is returned with it, for example its depth.
///
/// # Guarantees
///
/// * No permit is early. Between two permits for an origin is at least its delay ([`GatePolicy`]), and the request for its
///   robots.txt counts. While the origin is paused, and outside of its visit times, permits wait. There are never more
///   requests at a time than the policy says, for the origin and for its address.
/// * Every permit is for a URL that the rules allowed when it was given. URLs that are disallowed are handed out with the
///   verdict. URLs of a site whose robots.txt is unreachable are parked until the robots.txt can be asked for again.
/// * No origin starves. From the time at which an origin is ready, every other origin gets at most one permit before it.
///   Origins at one address take turns, and the address counts as one origin. URLs of an origin come in the order in which
///   they were pushed.
/// * Memory is bounded by [`GatePolicy::max_bytes`], plus the rule sets that are learned after the bound was reached. URLs beyond
///   the bound are refused with [`Refusal::Full`].
///
/// The guarantees are those of the times that are passed. A clock that goes back counts as one that stands still.
///
/// # Complexity
///
/// O(log *n*) for each call of a method, amortized, for *n* origins. Each URL is checked twice at most while the rules of its
/// origin stay.
///
/// ```
/// use robots_fetch::{Access, Entry, Gate, GatePolicy, GateStep, Head, Permission, SiteProfile, SiteRules};
/// use robots_fetch::matching::{Crawler, Robots};
/// use std::sync::Arc;
/// use std::time::{Duration, SystemTime};
///
/// let mut gate = Gate::new(GatePolicy::default());
/// let mut now = SystemTime::UNIX_EPOCH; // of the crawler's clock
/// for (page, depth) in [("a", 0), ("private/b", 1), ("c", 1)] {
///     gate.push(format!("https://example.com/{page}").parse()?, depth, now).unwrap();
/// }
///
/// // The first step of a new origin is to ask for its rules: here, from a file.
/// let GateStep::Ask(permit) = gate.next(now) else { unreachable!() };
/// assert_eq!(permit.url().path(), "/robots.txt");
/// let profile = SiteProfile::RFC9309;
/// let robots = Arc::new(Robots::new("User-agent: *\nDisallow: /private\n", profile.rules));
/// let permission = Permission::new(Access::Rules(&robots), &Crawler::new("ExampleBot")?, &profile);
/// let day = Duration::from_secs(24 * 60 * 60);
/// gate.learn(&permit, SiteRules::new(permission, now + day).with_crawl_delay(Duration::from_secs(5)), now);
/// gate.finish(permit, Some(&Head::new(200)), now);
///
/// let mut requested = Vec::new();
/// loop {
///     match gate.next(now) {
///         GateStep::Request(permit, depth) => {
///             requested.push((permit.url().path().to_owned(), depth, now));
///             gate.finish(permit, Some(&Head::new(200)), now);
///         }
///         GateStep::Refused { url, refusal, .. } => {
///             assert_eq!((url.path(), refusal.to_string().as_str()), ("/private/b", "disallowed by line 2"));
///         }
///         GateStep::Wait(until) => now = until, // A crawler sleeps.
///         _ => break,
///     }
/// }
/// let start = SystemTime::UNIX_EPOCH;
/// let after = |seconds| start + Duration::from_secs(seconds);
/// assert_eq!(requested, [("/a".to_owned(), 0, after(5)), ("/c".to_owned(), 1, after(10))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Gate<T = ()> {
    schedule: Schedule<T>,
}

impl<T> Gate<T> {
    /// Creates a gate without URLs.
    #[must_use]
    pub fn new(policy: GatePolicy) -> Self {
        Self { schedule: Schedule::new(policy) }
    }

    /// Adds a URL and its item.
    ///
    /// # Errors
    ///
    /// Returns the item and the reason, if the bound of memory is reached, if the rules of the origin are known and disallow
    /// the URL, or if the URL has no origin.
    pub fn push(&mut self, url: Url, item: T, now: SystemTime) -> Result<(), (T, Refusal)> {
        let now = self.schedule.advance(now);
        let origin = match Origin::from_url(&url) {
            Ok(origin) => origin,
            Err(error) => return Err((item, Refusal::Unsupported(error))),
        };
        if let Some(verdict) = self.schedule.site(&origin).and_then(|site| site.refuses(&url, now)) {
            return Err((item, Refusal::Disallowed(verdict)));
        }
        let bytes = bytes_of::<T>(&url);
        let Some(site) = self.schedule.admit(&origin, bytes) else { return Err((item, Refusal::Full)) };
        self.schedule.add(site, url, item);
        Ok(())
    }

    /// Sets the address of an origin whose URLs wait, so that the limits for addresses apply to it. Without a call, they do not.
    /// Has no effect for an origin that the gate does not know.
    pub fn locate(&mut self, origin: &Origin, address: IpAddr) {
        self.schedule.locate(origin, address);
    }

    /// Returns the next action at `now`.
    pub fn next(&mut self, now: SystemTime) -> GateStep<T> {
        self.schedule.advance(now);
        self.schedule.next()
    }

    /// Sets the rules of the origin of a permit that [`GateStep::Ask`] gave. The permit still has to come back.
    pub fn learn(&mut self, permit: &Permit, rules: SiteRules, now: SystemTime) {
        self.schedule.advance(now);
        self.schedule.learn(permit.site, rules);
    }

    /// Takes back the permit of a request that has ended, and what the answer says: `None` without an answer.
    ///
    /// Status 429 and 503 and missing answers pause the origin, for as long as `Retry-After` says or longer with each failure
    /// in a row. So does a redirect with `Retry-After` (RFC 9110, section 10.2.3).
    pub fn finish(&mut self, permit: Permit, head: Option<&Head>, now: SystemTime) {
        self.note(&permit, head, now);
        self.release(&permit, now);
    }

    /// Takes back a permit that was not used. It does not count as a request.
    pub fn cancel(&mut self, permit: Permit, now: SystemTime) {
        self.schedule.advance(now);
        self.schedule.undo(&permit);
        self.schedule.release(&permit);
    }

    /// Returns the address of an origin, if it was set.
    #[cfg(feature = "gate")]
    pub(crate) fn address(&self, origin: &Origin) -> Option<IpAddr> {
        self.schedule.site(origin)?.address
    }

    /// Notes the answer to a request that goes on, because its body is read.
    pub(crate) fn note(&mut self, permit: &Permit, head: Option<&Head>, now: SystemTime) {
        self.schedule.advance(now);
        self.schedule.note(permit, head);
    }

    /// Ends a request.
    pub(crate) fn release(&mut self, permit: &Permit, now: SystemTime) {
        self.schedule.advance(now);
        self.schedule.release(permit);
    }

    /// Returns the number of URLs that wait.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.schedule.waiting
    }

    /// Returns about how many bytes the waiting URLs and the origins take, which [`GatePolicy::max_bytes`] bounds: twice the
    /// size of each URL, and about 2 KiB and 100 bytes per rule for each origin. Memory that items own elsewhere does not
    /// count.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.schedule.bytes
    }
}

impl<T> fmt::Debug for Gate<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Gate");
        shown.field("waiting", &self.waiting()).field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}
