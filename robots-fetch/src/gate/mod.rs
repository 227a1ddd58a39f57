//! A gate in front of the requests of a crawler: which URL may be requested now, and when the next one.

mod address_queue;
mod hours;
pub(crate) mod origin_queue;
pub(crate) mod policy;
pub(crate) mod refusal;
pub(crate) mod rules;
mod schedule;
#[cfg(feature = "serde")]
pub(crate) mod serialize;
pub(crate) mod step;
mod url_queue;

use core::fmt;
use core::net::IpAddr;
#[cfg(feature = "gate")]
use core::time::Duration;
use std::time::SystemTime;

use url::Url;

use self::origin_queue::Obstacle;
use self::policy::GatePolicy;
use self::refusal::{Refusal, RefusalReason};
use self::rules::SiteRules;
use self::schedule::Schedule;
use self::step::{GateStep, OpenBody, Permit, Ticket};
use self::url_queue::bytes_of;
use crate::message::head::Head;
use crate::origin::Origin;

/// A gate in front of the requests of a crawler. Takes URLs, and gives a permit for each when its site may be asked.
///
/// The gate uses no clock, no socket and no runtime: each method gets the time. `AsyncGate`, behind the feature `gate`, drives a
/// gate on tokio and asks a cache. Without it, call [`Self::next`] in a loop and do what the [`GateStep`] says.
///
/// A `T` comes with each URL and is returned with it, for example its depth.
///
/// A permit is for the time from the request to the head of its answer. Call [`Self::finish`] then, or [`Self::begin_body`] if the
/// policy limits the bodies that are read at a time.
///
/// # Guarantees
///
/// * No permit is early. Between two permits for an origin is at least its delay ([`GatePolicy`]), and the request for its
///   robots.txt counts. While the origin is paused, and outside of its visit times, permits wait. There are never more
///   requests at a time than the policy says, for the origin and for its address; a request without an answer counts for
///   [`GatePolicy::max_request`].
/// * Every permit is for a URL that the rules allowed when it was given. URLs that are disallowed are handed out with the
///   verdict. URLs of a site whose robots.txt is unreachable are parked until the robots.txt can be asked for again.
/// * No URL waits without an end. It is handed out if its site makes no progress for [`GatePolicy::max_stall`], or at once if
///   that is known before. Requests for pages are progress, and a robots.txt that decides.
/// * No origin starves. From the time at which an origin is ready, every other origin gets at most one permit before it.
///   Origins at one address take turns, and the address counts as one origin. URLs of an origin come in the order in which
///   they were pushed.
/// * Memory is bounded by [`GatePolicy::max_bytes`], plus the rule sets that are learned after the bound was reached. URLs beyond
///   the bound are refused with [`RefusalReason::Full`]. An origin with many URLs leaves room for others.
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
///         GateStep::Refused { refusal, .. } => {
///             assert_eq!(refusal.to_string(), "https://example.com/private/b: disallowed by line 2");
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

    /// Adds a URL and its item. Returns the ticket by which the URL can be [withdrawn](Self::withdraw).
    ///
    /// # Errors
    ///
    /// Returns the item and the reason, if the bound of memory is reached, if the rules of the origin are known and disallow
    /// the URL, or if the URL has no origin.
    pub fn push(&mut self, url: Url, item: T, now: SystemTime) -> Result<Ticket, (T, Refusal)> {
        self.push_again(url, item, now, now)
    }

    /// Adds a URL that has waited since a time before.
    pub(crate) fn push_again(
        &mut self,
        url: Url,
        item: T,
        since: SystemTime,
        now: SystemTime,
    ) -> Result<Ticket, (T, Refusal)> {
        let now = self.schedule.advance(now);
        let origin = match Origin::from_url(&url) {
            Ok(origin) => origin,
            Err(error) => return Err((item, Refusal::new(url, RefusalReason::Unsupported(error)))),
        };
        if let Some(verdict) = self.schedule.origin(&origin).and_then(|origin| origin.refuses(&url, now)) {
            return Err((item, Refusal::new(url, RefusalReason::Disallowed(verdict))));
        }
        match self.schedule.admit(&origin, bytes_of::<T>(&url)) {
            Some(id) => Ok(self.schedule.add(id, url, item, since)),
            None => Err((item, Refusal::new(url, RefusalReason::Full))),
        }
    }

    /// Removes a URL that does not have to be requested any more. Returns `None` if [`Self::next`] has returned it.
    pub fn withdraw(&mut self, ticket: Ticket, now: SystemTime) -> Option<(Url, T)> {
        self.schedule.advance(now);
        self.schedule.withdraw(ticket)
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
        self.schedule.learn(permit.origin, rules);
    }

    /// Takes back the permit of a request whose answer has come, or will not come, and what the head of the answer says: `None`
    /// without an answer.
    ///
    /// Status 429 and 503 and missing answers pause the origin, for as long as `Retry-After` says or longer with each failure
    /// in a row. So does a redirect with `Retry-After` (RFC 9110, section 10.2.3).
    pub fn finish(&mut self, permit: Permit, head: Option<&Head>, now: SystemTime) {
        self.note(&permit, head, now);
        self.schedule.release(&permit);
    }

    /// As [`Self::finish`], for an answer whose body is read now. If the policy limits the bodies that are read at a time, the
    /// body counts until [`Self::end_body`].
    pub fn begin_body(&mut self, permit: Permit, head: &Head, now: SystemTime) -> OpenBody {
        self.note(&permit, Some(head), now);
        let body = self.schedule.begin_body(&permit);
        self.schedule.release(&permit);
        body
    }

    /// Ends a body, which was read or dropped.
    pub fn end_body(&mut self, body: OpenBody, now: SystemTime) {
        self.schedule.advance(now);
        self.schedule.end_body(&body);
    }

    /// Takes back a permit that was not used. It does not count as a request.
    pub fn cancel(&mut self, permit: Permit, now: SystemTime) {
        self.schedule.advance(now);
        self.schedule.undo(&permit);
        self.schedule.release(&permit);
    }

    /// Takes back a permit that can't be used before `until`, because others request the origin, too, and the item of a URL, which
    /// gets back its place. The permit does not count as a request.
    pub fn postpone(&mut self, permit: Permit, item: Option<T>, until: SystemTime, now: SystemTime) {
        self.postpone_because(Obstacle::Others, permit, item, until, now);
    }

    /// As [`Self::postpone`], because of `obstacle`.
    pub(crate) fn postpone_because(
        &mut self,
        obstacle: Obstacle,
        permit: Permit,
        item: Option<T>,
        until: SystemTime,
        now: SystemTime,
    ) {
        self.schedule.advance(now);
        self.schedule.undo(&permit);
        self.schedule.postpone(&permit, item, until, obstacle);
        self.schedule.release(&permit);
    }

    /// Notes a request to an origin at `time` that was made without a permit, so that the next permit waits for the delay after
    /// it. Has no effect for an origin that the gate does not know.
    pub fn count(&mut self, origin: &Origin, time: SystemTime) {
        self.schedule.count(origin, time);
    }

    /// Notes that the request of a permit counts as one of `time`.
    #[cfg(feature = "gate")]
    pub(crate) fn began(&mut self, permit: &Permit, time: SystemTime) {
        self.schedule.began(permit, time);
    }

    /// Notes whether the retrieval that a permit is for waits for its turn, and until when its queue has moved.
    #[cfg(feature = "gate")]
    pub(crate) fn queue(
        &mut self,
        permit: &Permit,
        is_queued: bool,
        moved: Option<SystemTime>,
        now: SystemTime,
    ) {
        self.schedule.advance(now);
        self.schedule.queue(permit, is_queued, moved);
    }

    /// Returns the address of an origin, if it was set.
    #[cfg(feature = "gate")]
    pub(crate) fn address(&self, origin: &Origin) -> Option<IpAddr> {
        self.schedule.origin(origin)?.address
    }

    /// Returns the ticket and the item of the URL that waits first for the rules of a permit's origin.
    #[cfg(feature = "gate")]
    pub(crate) fn first_of(&self, permit: &Permit) -> Option<(Ticket, &T)> {
        self.first(permit.origin)
    }

    /// Returns the items of the URLs whose turn may have become another one by what was done for a ticket's origin, or at its
    /// address: the first of the origin, and the first of the origin that is first at the address.
    #[cfg(feature = "gate")]
    pub(crate) fn next_of(&self, ticket: Ticket) -> [Option<&T>; 2] {
        let item = |id| self.first(id).map(|(_, item)| item);
        let address = self.schedule.by_id(ticket.origin).and_then(|origin| origin.address);
        let neighbour = address.and_then(|address| self.schedule.first_at(address));
        [item(ticket.origin), neighbour.and_then(item)]
    }

    /// Returns when something can be done for a ticket, if that is known and its URL is the first of its origin; and how many
    /// URLs of the origin wait.
    #[cfg(feature = "gate")]
    pub(crate) fn turn(&self, ticket: Ticket) -> (Option<SystemTime>, usize) {
        let Some(origin) = self.schedule.by_id(ticket.origin) else { return (None, 0) };
        match origin.is_first(ticket.number) {
            true => (self.schedule.due(ticket.origin), 0),
            false => (None, origin.waiting()),
        }
    }

    #[cfg(feature = "gate")]
    fn first(&self, id: u64) -> Option<(Ticket, &T)> {
        let (number, item) = self.schedule.by_id(id)?.first()?;
        Some((Ticket { origin: id, number }, item))
    }

    /// Sets the clock of the gate back: all times are earlier by this much.
    #[cfg(feature = "gate")]
    pub(crate) fn set_back(&mut self, by: Duration) {
        self.schedule.set_back(by);
    }

    /// Does not count this time, by which the clock was set forward or in which the machine slept, as one in which URLs waited, or
    /// delays and pauses passed.
    #[cfg(feature = "gate")]
    pub(crate) fn excuse(&mut self, by: Duration) {
        self.schedule.excuse(by);
    }

    /// Notes the answer to a request that goes on.
    pub(crate) fn note(&mut self, permit: &Permit, head: Option<&Head>, now: SystemTime) {
        self.schedule.advance(now);
        self.schedule.note(permit, head);
    }

    /// Makes the origin of a permit rest until a time, because another process was asked for a pause.
    #[cfg(all(feature = "gate", feature = "redis"))]
    pub(crate) fn pause(&mut self, permit: &Permit, until: SystemTime) {
        self.schedule.pause(permit, until);
    }

    /// Ends a request.
    #[cfg(feature = "gate")]
    pub(crate) fn release(&mut self, permit: &Permit, now: SystemTime) {
        self.schedule.advance(now);
        self.schedule.release(permit);
    }

    /// Returns the policy.
    #[must_use]
    pub const fn policy(&self) -> &GatePolicy {
        &self.schedule.policy
    }

    /// Returns the number of origins that the gate knows.
    #[must_use]
    pub fn origins(&self) -> usize {
        self.schedule.origins()
    }

    /// Returns the number of URLs that wait at sites whose robots.txt is unreachable.
    ///
    /// # Complexity
    ///
    /// Linear in the number of origins.
    #[must_use]
    pub fn parked(&self) -> usize {
        self.schedule.parked()
    }

    /// Returns the number of URLs that wait.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.schedule.waiting
    }

    /// Returns the number of URLs of an origin that wait.
    #[cfg(feature = "gate")]
    pub(crate) fn waiting_at(&self, origin: &Origin) -> usize {
        self.schedule.origin(origin).map_or(0, origin_queue::OriginQueue::waiting)
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
