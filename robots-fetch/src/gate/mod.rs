//! A gate in front of the requests of a crawler: which URL may be requested now, and when the next one.

#![cfg_attr(
    not(all(feature = "redis", feature = "reqwest-middleware")),
    allow(dead_code, reason = "the gate for tasks and its middlewares use a part each")
)]

mod address_queue;
pub(crate) mod fleet;
mod hours;
pub(crate) mod origin_queue;
pub(crate) mod policy;
pub(crate) mod refusal;
pub(crate) mod rules;
#[cfg(feature = "serde")]
pub(crate) mod serialize;
pub(crate) mod step;
mod url_queue;

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use core::mem;
use core::net::IpAddr;
use core::time::Duration;
use std::collections::HashMap;
use std::time::SystemTime;

use url::Url;

use self::address_queue::AddressQueue;
use self::origin_queue::{Listing, Obstacle, OriginQueue, Plan};
use self::policy::GatePolicy;
use self::refusal::{Refusal, RefusalReason};
use self::rules::SiteRules;
use self::step::{GateStep, OpenBody, Permit, Ticket};
use self::url_queue::bytes_of;
use crate::failure::FailureKind;
use crate::message::freshness::later;
use crate::message::head::Head;
use crate::origin::{Origin, UnsupportedUrl};

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
// The queue of those that something can be done for is ordered by the time from which an origin is ready, then by the order of entry. So an origin that has waited longer
// is always first, and an origin that got a permit enters with a later time. An origin in the queue is planned anew when its time
// comes, because it may have been paused since.
//
// Another list has the times at which first URLs have waited for too long. An origin that made progress since is listed anew when
// its time comes.
pub struct Gate<T = ()> {
    policy: GatePolicy,
    now: SystemTime,
    ids: HashMap<Origin, u64>,
    origins: HashMap<u64, OriginQueue<T>>,
    addresses: HashMap<IpAddr, AddressQueue>,
    queue: BTreeSet<(SystemTime, u64, Key)>,
    /// The origins without URLs, by the time from which they may be forgotten.
    idle: BTreeSet<(SystemTime, u64)>,
    /// Those of them that have no rules to keep.
    bare: BTreeSet<(SystemTime, u64)>,
    deadlines: BTreeSet<(SystemTime, u64)>,
    /// The last number that was given to an origin, a URL, a permit or an entry of the queue.
    last_number: u64,
    waiting: usize,
    bytes: usize,
}

impl<T> Gate<T> {
    /// Creates a gate without URLs.
    #[must_use]
    pub fn new(policy: GatePolicy) -> Self {
        Self {
            policy,
            now: SystemTime::UNIX_EPOCH,
            ids: HashMap::new(),
            origins: HashMap::new(),
            addresses: HashMap::new(),
            queue: BTreeSet::new(),
            idle: BTreeSet::new(),
            bare: BTreeSet::new(),
            deadlines: BTreeSet::new(),
            last_number: 0,
            waiting: 0,
            bytes: 0,
        }
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
        let now = self.advance(now);
        let origin = match Origin::from_url(&url) {
            Ok(origin) => origin,
            Err(error) => return Err((item, Refusal::new(url, RefusalReason::Unsupported(error)))),
        };
        if let Some(verdict) = self.origin(&origin).and_then(|origin| origin.refuses(&url, now)) {
            return Err((item, Refusal::new(url, RefusalReason::Disallowed(verdict))));
        }
        match self.admit(&origin, bytes_of::<T>(&url)) {
            Some(id) => {
                let number = self.number();
                self.insert(id, number, url, item, since);
                Ok(Ticket { origin: id, number })
            }
            None => Err((item, Refusal::new(url, RefusalReason::Full))),
        }
    }

    /// Removes a URL that does not have to be requested any more. Returns `None` if [`Self::next`] has returned it.
    pub fn withdraw(&mut self, ticket: Ticket, now: SystemTime) -> Option<(Url, T)> {
        self.advance(now);
        let (url, item, _) = self.take(ticket.origin, Some(ticket.number))?;
        self.place(ticket.origin);
        Some((url, item))
    }

    /// Sets the address of an origin whose URLs wait, so that the limits for addresses apply to it. Without a call, they do not.
    /// Has no effect for an origin that the gate does not know.
    pub fn locate(&mut self, origin: &Origin, address: IpAddr) {
        let Some(&id) = self.ids.get(origin) else { return };
        let Some(origin) = self.origins.get_mut(&id) else { return };
        let before = origin.address.replace(address);
        if before == Some(address) {
            return;
        }
        self.addresses.entry(address).or_default().origins += 1;
        // Addresses that origins have left are kept until they are rested.
        if self.addresses.len() > 2 * self.origins.len() + 16 {
            let (policy, now) = (&self.policy, self.now);
            self.addresses.retain(|_, address| !address.is_over(policy, now));
        }
        let Some(origin) = self.origins.get_mut(&id) else { return };
        if origin.listing == Listing::Address {
            origin.listing = Listing::None;
            self.place(id);
        }
        self.leave(before);
    }

    /// Returns the next action at `now`.
    pub fn next(&mut self, now: SystemTime) -> GateStep<T> {
        self.advance(now);
        self.forget_rested();
        loop {
            let ready = self.queue.first().copied();
            let due = ready.map(|(time, ..)| time);
            if let Some(&(deadline, id)) = self.deadlines.first()
                && due.is_none_or(|due| due > self.now && deadline < due)
            {
                // The origin may have made progress since it was listed.
                self.place_deadline(id);
                let listed = self.origins.get(&id).and_then(|origin| origin.deadline);
                if listed != Some(deadline) {
                    continue;
                }
                if deadline > self.now {
                    return GateStep::Wait(deadline);
                }
                match self.expire(id) {
                    Some(step) => return step,
                    None => continue,
                }
            }
            let Some((time, number, key)) = ready else { return GateStep::Idle };
            if time > self.now {
                return GateStep::Wait(time);
            }
            self.queue.remove(&(time, number, key));
            let step = match key {
                Key::Origin(id) => {
                    self.leave_listing(id);
                    self.visit(id, false)
                }
                Key::Address(address) => self.visit_address(address),
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    /// Sets the rules of the origin of a permit that [`GateStep::Ask`] gave. The permit still has to come back.
    pub fn learn(&mut self, permit: &Permit, rules: SiteRules, now: SystemTime) {
        self.advance(now);
        let Some(origin) = self.origins.get_mut(&permit.origin) else { return };
        let (old, new) = origin.learn(rules, &self.policy, self.now);
        self.bytes = (self.bytes + new).saturating_sub(old);
        self.place(permit.origin);
    }

    /// Takes back the permit of a request whose answer has come, or will not come, and what the head of the answer says: `None`
    /// without an answer.
    ///
    /// Status 429 and 503 and missing answers pause the origin, for as long as `Retry-After` says or longer with each failure
    /// in a row. So does a redirect with `Retry-After` (RFC 9110, section 10.2.3).
    pub fn finish(&mut self, permit: Permit, head: Option<&Head>, now: SystemTime) {
        self.note(&permit, head, now);
        self.release(&permit, now);
    }

    /// As [`Self::finish`], for an answer whose body is read now. If the policy limits the bodies that are read at a time, the
    /// body counts until [`Self::end_body`].
    pub fn begin_body(&mut self, permit: Permit, head: &Head, now: SystemTime) -> OpenBody {
        self.note(&permit, Some(head), now);
        self.at(permit.origin, |origin, _, now| origin.begin_body(permit.number, now));
        self.release(&permit, now);
        OpenBody { origin: permit.origin, number: permit.number }
    }

    /// Ends a body, which was read or dropped.
    pub fn end_body(&mut self, body: OpenBody, now: SystemTime) {
        self.advance(now);
        self.at(body.origin, |origin, _, now| origin.end_body(body.number, now));
        self.place(body.origin);
    }

    /// Takes back a permit that was not used. It does not count as a request.
    pub fn cancel(&mut self, permit: Permit, now: SystemTime) {
        self.advance(now);
        self.undo(&permit);
        self.release(&permit, now);
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
        self.advance(now);
        self.undo(&permit);
        self.at(permit.origin, |origin, _, _| origin.wait_until(until, obstacle));
        if let Some(item) = item {
            self.insert(permit.origin, permit.place, permit.url.clone(), item, permit.since);
        }
        self.release(&permit, now);
    }

    /// Notes a request to an origin at `time` that was made without a permit, so that the next permit waits for the delay after
    /// it. Has no effect for an origin that the gate does not know.
    pub fn count(&mut self, origin: &Origin, time: SystemTime) {
        let Some(&id) = self.ids.get(origin) else { return };
        self.at(id, |origin, policy, _| origin.count(time, policy));
    }

    /// Notes that the request of a permit counts as one of `time`.
    pub(crate) fn began(&mut self, permit: &Permit, time: SystemTime) {
        self.at(permit.origin, |origin, policy, _| origin.began(permit.number, time, policy));
        if let Some(address) = permit.address.and_then(|address| self.addresses.get_mut(&address))
            && address.last_number == permit.number
        {
            address.last = Some(time);
        }
    }

    /// Notes whether the retrieval that a permit is for waits for its turn, and until when its queue has moved.
    pub(crate) fn queue(
        &mut self,
        permit: &Permit,
        is_queued: bool,
        moved: Option<SystemTime>,
        now: SystemTime,
    ) {
        self.advance(now);
        self.at(permit.origin, |origin, _, now| origin.queue(is_queued, moved, now));
    }

    /// Returns the address of an origin, if it was set.
    pub(crate) fn address(&self, origin: &Origin) -> Option<IpAddr> {
        self.origin(origin)?.address
    }

    /// Returns the ticket and the item of the URL that waits first for the rules of a permit's origin.
    pub(crate) fn first_of(&self, permit: &Permit) -> Option<(Ticket, &T)> {
        self.first(permit.origin)
    }

    /// Returns the items of the URLs whose turn may have become another one by what was done for a ticket's origin, or at its
    /// address: the first of the origin, and the first of the origin that is first at the address.
    pub(crate) fn next_of(&self, ticket: Ticket) -> [Option<&T>; 2] {
        let item = |id| self.first(id).map(|(_, item)| item);
        let address = self.origins.get(&ticket.origin).and_then(|origin| origin.address);
        let neighbour = address.and_then(|address| self.addresses.get(&address)?.waiting.front().copied());
        [item(ticket.origin), neighbour.and_then(item)]
    }

    /// Returns when something can be done for a ticket, if that is known and its URL is the first of its origin; and how many
    /// URLs of the origin wait.
    pub(crate) fn turn(&self, ticket: Ticket) -> (Option<SystemTime>, usize) {
        let Some(origin) = self.origins.get(&ticket.origin) else { return (None, 0) };
        match origin.is_first(ticket.number) {
            true => (self.due(ticket.origin), 0),
            false => (None, origin.waiting()),
        }
    }

    fn first(&self, id: u64) -> Option<(Ticket, &T)> {
        let (number, item) = self.origins.get(&id)?.first()?;
        Some((Ticket { origin: id, number }, item))
    }

    /// Sets the clock of the gate back: all times are earlier by this much.
    pub(crate) fn set_back(&mut self, by: Duration) {
        let shifted = |time: SystemTime| time.checked_sub(by).unwrap_or(SystemTime::UNIX_EPOCH);
        self.now = shifted(self.now);
        for origin in self.origins.values_mut() {
            origin.shift(shifted);
            origin.deadline = origin.deadline.map(shifted);
            origin.listing = match origin.listing {
                Listing::Queue(time, number) => Listing::Queue(shifted(time), number),
                Listing::Idle(time) => Listing::Idle(shifted(time)),
                other => other,
            };
        }
        self.addresses.values_mut().for_each(|address| address.shift(shifted));
        self.queue = mem::take(&mut self.queue)
            .into_iter()
            .map(|(time, number, key)| (shifted(time), number, key))
            .collect();
        for list in [&mut self.idle, &mut self.bare, &mut self.deadlines] {
            *list = mem::take(list).into_iter().map(|(time, id)| (shifted(time), id)).collect();
        }
    }

    /// Does not count this time, by which the clock was set forward or in which the machine slept, as one in which URLs waited, or
    /// delays and pauses passed.
    pub(crate) fn excuse(&mut self, by: Duration) {
        let shifted = |time| later(time, by);
        for origin in self.origins.values_mut() {
            origin.excuse(shifted);
            if let Listing::Idle(time) = &mut origin.listing {
                *time = shifted(*time);
            }
        }
        self.addresses.values_mut().for_each(|address| address.excuse(shifted));
        for list in [&mut self.idle, &mut self.bare] {
            *list = mem::take(list).into_iter().map(|(time, id)| (shifted(time), id)).collect();
        }
    }

    /// Notes the answer to a request that goes on.
    pub(crate) fn note(&mut self, permit: &Permit, head: Option<&Head>, now: SystemTime) {
        self.advance(now);
        self.at(permit.origin, |origin, policy, now| origin.note(head, permit.started, policy, now));
    }

    /// Makes the origin of a permit rest until a time, because another process was asked for a pause.
    pub(crate) fn pause(&mut self, permit: &Permit, until: SystemTime) {
        self.at(permit.origin, |origin, _, _| origin.pause(until));
    }

    /// Ends a request.
    pub(crate) fn release(&mut self, permit: &Permit, now: SystemTime) {
        self.advance(now);
        self.at(permit.origin, |origin, _, now| origin.end(permit.number, now));
        if let Some(address) = permit.address {
            if let Some(queue) = self.addresses.get_mut(&address) {
                queue.end(permit.number);
            }
            self.place_address(address);
            self.drop_address(address);
        }
        self.place(permit.origin);
    }

    /// Returns the policy.
    #[must_use]
    pub const fn policy(&self) -> &GatePolicy {
        &self.policy
    }

    /// Returns the number of origins that the gate knows.
    #[must_use]
    pub fn origins(&self) -> usize {
        self.origins.len()
    }

    /// Returns the number of URLs that wait at sites whose robots.txt is unreachable.
    ///
    /// # Complexity
    ///
    /// Linear in the number of origins.
    #[must_use]
    pub fn parked(&self) -> usize {
        self.origins.values().filter(|origin| origin.is_parked()).map(OriginQueue::waiting).sum()
    }

    /// Returns the number of URLs that wait.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.waiting
    }

    /// Returns the number of URLs of an origin that wait.
    pub(crate) fn waiting_at(&self, origin: &Origin) -> usize {
        self.origin(origin).map_or(0, OriginQueue::waiting)
    }

    /// Returns about how many bytes the waiting URLs and the origins take, which [`GatePolicy::max_bytes`] bounds: twice the
    /// size of each URL, and about 2 KiB and 100 bytes per rule for each origin. Memory that items own elsewhere does not
    /// count.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Sets the time, which never goes back, and returns it.
    fn advance(&mut self, now: SystemTime) -> SystemTime {
        self.now = self.now.max(now);
        self.now
    }

    /// Calls `act` with an origin, if it is known, the policy and the time.
    fn at(&mut self, id: u64, act: impl FnOnce(&mut OriginQueue<T>, &GatePolicy, SystemTime)) {
        if let Some(origin) = self.origins.get_mut(&id) {
            act(origin, &self.policy, self.now);
        }
    }

    fn origin(&self, origin: &Origin) -> Option<&OriginQueue<T>> {
        self.origins.get(self.ids.get(origin)?)
    }

    /// Returns when something can be done for an origin, if that is known.
    fn due(&self, id: u64) -> Option<SystemTime> {
        let origin = self.origins.get(&id)?;
        let ready = match origin.listing {
            Listing::Queue(time, _) => Some(time),
            Listing::Address => {
                let address = self.addresses.get(&origin.address?)?;
                Some(address.ready(&self.policy, self.now))
            }
            Listing::None | Listing::Idle(_) => None,
        };
        ready.into_iter().chain(origin.deadline).min()
    }

    /// Returns the queue of an origin, which is new or known, if there is room for it and for `bytes` more.
    fn admit(&mut self, origin: &Origin, bytes: usize) -> Option<u64> {
        let known = self.ids.get(origin).copied();
        let (taken, own) = match known.and_then(|id| self.origins.get(&id)) {
            Some(known) => (known.url_bytes, 0),
            None => (0, OriginQueue::<T>::new(origin.clone()).bytes()),
        };
        if !self.make_room(bytes + own, known) {
            return None;
        }
        // The share of one origin: as much as is left for others. The first URLs always fit.
        let left = self.policy.max_bytes.saturating_sub(self.bytes + own);
        if taken > 0 && taken.saturating_add(bytes) > left && !self.make_room(taken + bytes, known) {
            return None;
        }
        Some(known.unwrap_or_else(|| {
            let id = self.number();
            self.bytes += own;
            self.ids.insert(origin.clone(), id);
            self.origins.insert(id, OriginQueue::new(origin.clone()));
            id
        }))
    }

    fn insert(&mut self, id: u64, number: u64, url: Url, item: T, since: SystemTime) {
        let Some(origin) = self.origins.get_mut(&id) else { return };
        self.bytes += bytes_of::<T>(&url);
        self.waiting += 1;
        origin.push(number, url, item, since);
        if origin.is_first(number) {
            self.place(id);
            self.place_deadline(id);
        }
    }

    /// Makes a permit not count, if it is still the last one.
    fn undo(&mut self, permit: &Permit) {
        self.at(permit.origin, |origin, _, _| origin.undo(permit.number, &permit.before.0));
        if let Some(address) = permit.address.and_then(|address| self.addresses.get_mut(&address))
            && address.last_number == permit.number
        {
            address.last = permit.before.1;
        }
    }

    /// Does what can be done for an origin, or lists it where it has to wait.
    fn visit(&mut self, id: u64, is_turn: bool) -> Option<GateStep<T>> {
        if self.bytes > self.policy.max_bytes && !self.make_room(0, Some(id)) && self.is_large(id) {
            return self.refuse(id, RefusalReason::Full);
        }
        loop {
            let origin = self.origins.get_mut(&id)?;
            match origin.plan(&self.policy, self.now) {
                Plan::Check => {
                    if let Some(verdict) = origin.check() {
                        return self.refuse(id, RefusalReason::Disallowed(verdict));
                    }
                }
                Plan::GiveUp(until, verdict) => {
                    let is_unsupported = origin.rules().and_then(|rules| rules.local_failure())
                        == Some(FailureKind::UnsupportedScheme);
                    let scheme = origin.origin.robots_url().scheme();
                    let reason = match is_unsupported {
                        true => RefusalReason::Unsupported(UnsupportedUrl::Client(scheme.to_owned())),
                        false => RefusalReason::NotNow { until, verdict },
                    };
                    return self.refuse(id, reason);
                }
                Plan::Ask(time) | Plan::Request(time) if time <= self.now => {
                    let Some(address) = origin.address.filter(|_| !is_turn) else { break };
                    origin.listing = Listing::Address;
                    self.addresses.entry(address).or_default().waiting.push_back(id);
                    self.place_address(address);
                    return None;
                }
                _ => {
                    self.place(id);
                    return None;
                }
            }
        }
        self.permit(id)
    }

    /// Gives the first origin of an address its turn.
    fn visit_address(&mut self, address: IpAddr) -> Option<GateStep<T>> {
        let queue = self.addresses.get_mut(&address)?;
        queue.listed = None;
        if queue.ready(&self.policy, self.now) > self.now {
            self.place_address(address);
            return None;
        }
        let first = queue.waiting.pop_front();
        let is_here = |origin: &&mut OriginQueue<T>| {
            origin.listing == Listing::Address && origin.address == Some(address)
        };
        let origin = first.and_then(|id| Some((id, self.origins.get_mut(&id).filter(is_here)?)));
        let step = match origin {
            Some((id, origin)) => {
                origin.listing = Listing::None;
                self.visit(id, true)
            }
            None => None,
        };
        self.place_address(address);
        step
    }

    /// Gives the permit that the plan of an origin allows now.
    fn permit(&mut self, id: u64) -> Option<GateStep<T>> {
        let number = self.number();
        let now = self.now;
        let origin = self.origins.get_mut(&id)?;
        let is_request = matches!(origin.plan(&self.policy, now), Plan::Request(_));
        let (address, delay) = (origin.address, origin.delay(&self.policy));
        let rules = origin.rules().filter(|_| is_request).map(Arc::clone);
        let is_retry = !is_request && origin.is_retry();
        let before = origin.start(number, now, is_request, &self.policy);
        let robots_url = origin.origin.robots_url().clone();
        let queue = address.and_then(|address| self.addresses.get_mut(&address));
        let before = (before, queue.and_then(|queue| queue.start(number, now)));
        let mut permit = Permit {
            url: robots_url,
            origin: id,
            number,
            started: now,
            address,
            before,
            rules,
            delay,
            is_retry,
            since: now,
            place: 0,
        };
        let step = if is_request {
            let place = self.origins.get(&id)?.first()?.0;
            let (url, item, since) = self.take(id, Some(place))?;
            (permit.url, permit.since, permit.place) = (url, since, place);
            GateStep::Request(permit, item)
        } else {
            GateStep::Ask(permit)
        };
        self.place(id);
        Some(step)
    }

    /// Hands out the first URL of an origin, which has waited for too long.
    fn expire(&mut self, id: u64) -> Option<GateStep<T>> {
        let (since, awaited) = self.origins.get(&id)?.first_awaits(&self.policy);
        let waited = self.now.duration_since(since).unwrap_or_default();
        let reason = match self.policy.max_wait {
            Some(most) if waited >= most => RefusalReason::TimedOut { waited, awaited },
            _ => RefusalReason::Stalled { waited, awaited },
        };
        self.refuse(id, reason)
    }

    fn refuse(&mut self, id: u64, reason: RefusalReason) -> Option<GateStep<T>> {
        let (url, item, _) = self.take(id, None)?;
        self.place(id);
        Some(GateStep::Refused { item, refusal: Refusal::new(url, reason) })
    }

    /// Removes a URL, or the first one, without placing its origin anew.
    fn take(&mut self, id: u64, number: Option<u64>) -> Option<(Url, T, SystemTime)> {
        let origin = self.origins.get_mut(&id)?;
        let number = match number {
            Some(number) => number,
            None => origin.first()?.0,
        };
        let was_first = origin.is_first(number);
        let (url, item, since) = origin.remove(number)?;
        self.waiting -= 1;
        self.bytes = self.bytes.saturating_sub(bytes_of::<T>(&url));
        if was_first {
            self.place_deadline(id);
        }
        Some((url, item, since))
    }

    /// Lists an origin where its plan says.
    fn place(&mut self, id: u64) {
        let Some(origin) = self.origins.get(&id) else { return };
        let plan = origin.plan(&self.policy, self.now);
        let time = match plan {
            Plan::Check | Plan::GiveUp(..) => Some(self.now),
            Plan::Ask(time) | Plan::Request(time) | Plan::BlockedUntil(time) => Some(time),
            Plan::Idle | Plan::Blocked => None,
        };
        match (origin.listing, time) {
            (Listing::Address, _) => return,
            // It keeps its turn, and is planned anew when it comes.
            (Listing::Queue(listed, _), Some(time)) if listed <= time => return,
            _ => {}
        }
        self.leave_listing(id);
        let number = self.number();
        let Some(origin) = self.origins.get_mut(&id) else { return };
        if let Some(time) = time {
            origin.listing = Listing::Queue(time, number);
            self.queue.insert((time, number, Key::Origin(id)));
        } else if plan == Plan::Idle
            && let Some(time) = origin.forgettable(&self.policy)
        {
            origin.listing = Listing::Idle(time);
            let list = if origin.has_rules(self.now) { &mut self.idle } else { &mut self.bare };
            list.insert((time, id));
        }
    }

    /// Lists an origin for the time at which its first URL has waited for too long.
    fn place_deadline(&mut self, id: u64) {
        let Some(origin) = self.origins.get(&id) else { return };
        let turn = match (origin.listing, origin.address) {
            (Listing::Address, Some(address)) => self.addresses.get(&address).and_then(|queue| queue.last),
            _ => None,
        };
        let deadline = origin.first_overdue(&self.policy, turn);
        let Some(origin) = self.origins.get_mut(&id) else { return };
        let before = mem::replace(&mut origin.deadline, deadline);
        if before == deadline {
            return;
        }
        if let Some(before) = before {
            self.deadlines.remove(&(before, id));
        }
        if let Some(deadline) = deadline {
            self.deadlines.insert((deadline, id));
        }
    }

    fn leave_listing(&mut self, id: u64) {
        let Some(origin) = self.origins.get_mut(&id) else { return };
        match mem::replace(&mut origin.listing, Listing::None) {
            Listing::Queue(time, number) => self.queue.remove(&(time, number, Key::Origin(id))),
            Listing::Idle(time) => self.idle.remove(&(time, id)) | self.bare.remove(&(time, id)),
            Listing::None | Listing::Address => false,
        };
    }

    /// Lists an address with waiting origins for the time at which it is ready.
    fn place_address(&mut self, address: IpAddr) {
        let number = self.number();
        let Some(queue) = self.addresses.get_mut(&address) else { return };
        let ready = queue.ready(&self.policy, self.now);
        if queue.waiting.is_empty() || queue.listed.is_some_and(|(listed, _)| listed <= ready) {
            return;
        }
        if let Some((listed, number)) = queue.listed.replace((ready, number)) {
            self.queue.remove(&(listed, number, Key::Address(address)));
        }
        self.queue.insert((ready, number, Key::Address(address)));
    }

    /// Returns whether an origin takes at least the share of memory that each would have if all were alike.
    fn is_large(&self, id: u64) -> bool {
        let share = self.policy.max_bytes / self.origins.len().max(1);
        self.origins.get(&id).is_some_and(|origin| origin.bytes() + origin.url_bytes >= share)
    }

    /// Forgets origins without URLs, the longest rested first, until there is room for `bytes` more. Keeps the origin `except`.
    fn make_room(&mut self, bytes: usize, except: Option<u64>) -> bool {
        while self.bytes.saturating_add(bytes) > self.policy.max_bytes {
            let mut idle = self.bare.iter().chain(&self.idle).filter(|(_, id)| Some(*id) != except);
            let Some(&(time, id)) = idle.next().filter(|(time, _)| *time <= self.now) else { return false };
            self.forget(time, id);
        }
        true
    }

    /// Forgets some origins without URLs and without rules, if they have rested.
    fn forget_rested(&mut self) {
        for _ in 0..2 {
            let Some(&(time, id)) = self.bare.first().filter(|(time, _)| *time <= self.now) else { return };
            self.forget(time, id);
        }
    }

    /// Forgets an origin that is listed as one without URLs.
    fn forget(&mut self, time: SystemTime, id: u64) {
        self.idle.remove(&(time, id));
        self.bare.remove(&(time, id));
        let Some(origin) = self.origins.remove(&id) else { return };
        self.bytes = self.bytes.saturating_sub(origin.bytes());
        self.ids.remove(&origin.origin);
        self.leave(origin.address);
        if self.origins.capacity() > 64 && self.origins.len() < self.origins.capacity() / 4 {
            self.origins.shrink_to(2 * self.origins.len());
            self.ids.shrink_to(2 * self.ids.len());
        }
    }

    /// Notes that an origin is no longer at an address.
    fn leave(&mut self, address: Option<IpAddr>) {
        let Some(address) = address else { return };
        if let Some(queue) = self.addresses.get_mut(&address) {
            queue.origins = queue.origins.saturating_sub(1);
        }
        self.drop_address(address);
    }

    /// Forgets an address without origins and requests.
    fn drop_address(&mut self, address: IpAddr) {
        if self.addresses.get(&address).is_some_and(|queue| queue.is_over(&self.policy, self.now)) {
            self.addresses.remove(&address);
        }
    }

    fn number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Origin(u64),
    Address(IpAddr),
}

debug!([T] Gate<T> as "Gate", |gate| "waiting": gate.waiting(), "bytes": gate.bytes());
