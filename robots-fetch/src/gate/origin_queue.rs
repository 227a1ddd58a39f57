//! The waiting URLs, the rules and the requests of one origin.

use alloc::sync::Arc;
use core::net::IpAddr;
use core::time::Duration;
use std::time::SystemTime;

use robots_match::Verdict;
use url::Url;

use super::address_queue::Running;
use super::policy::{Feedback, GatePolicy};
use super::refusal::Awaited;
use super::rules::{SiteRules, after, is_for_now};
use super::url_queue::{UrlQueue, Waiting, bytes_of};
use crate::message::head::Head;
use crate::origin::Origin;

/// For how long rules serve a first request at least, even if their robots.txt is due; or for twice the delay, if that is longer.
/// Without this, an origin whose delay exceeds the lifetime of its robots.txt would be asked for nothing else.
const FIRST_USE: Duration = Duration::from_secs(5 * 60);

/// One origin: its waiting URLs, its rules, and its requests.
pub(super) struct OriginQueue<T> {
    pub(super) origin: Origin,
    waiting: UrlQueue<T>,
    /// How many bytes the waiting URLs take.
    pub(super) url_bytes: usize,
    pub(super) listing: Listing,
    /// The time under which it is listed as one whose first URL may have waited for too long.
    pub(super) deadline: Option<SystemTime>,
    pub(super) address: Option<IpAddr>,
    running: Running,
    bodies: Running,
    /// The last permit: its time and its number.
    last: Option<SystemTime>,
    last_number: u64,
    /// No request before this time, because others request the origin, too, or a server that shares the delays is away.
    not_before: SystemTime,
    /// The number of the permit to ask for the rules, while it is out.
    asking: Option<u64>,
    rules: Option<Arc<SiteRules>>,
    /// Until when the rules apply.
    until: SystemTime,
    learned: SystemTime,
    /// How many times in a row the robots.txt was asked for without an answer.
    attempts: u32,
    /// Whether a request was permitted since the rules were learned.
    used: bool,
    first: First,
    paused_until: SystemTime,
    failures: u32,
    failed: Option<SystemTime>,
    /// When the origin last made progress: a request of a page began or ended, or usable rules came.
    progress: SystemTime,
    /// While a retrieval of the robots.txt waits for its turn in a queue that moves: until when that wait was not counted.
    queued: Option<SystemTime>,
    /// Until when the delay after the last progress lasts, which does not count as a wait. A question for the robots.txt whose
    /// answer does not decide is not progress.
    excused_until: SystemTime,
}

/// Where an origin is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listing {
    /// Nowhere: something has to happen first.
    None,
    /// In the queue, under this key.
    Queue(SystemTime, u64),
    /// Among those without URLs, which may be forgotten from this time on.
    Idle(SystemTime),
    /// In the queue of its address.
    Address,
}

/// What a permit changes in its origin, in case it is not used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    last: Option<SystemTime>,
    progress: SystemTime,
    excused_until: SystemTime,
}

/// Why a permit can't be used now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// Others request the origin, too.
    Others,
    /// The server that shares the delays does not answer.
    NoServer,
}

/// The verdict of the first waiting URL.
#[derive(Clone, Copy, Debug)]
enum First {
    Unchecked,
    Allowed,
    /// Disallowed until the robots.txt can be retrieved.
    Parked(Verdict),
}

/// The next action for an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// No URL waits.
    Idle,
    /// A permit or a body has to come back first.
    Blocked,
    /// A permit has to come back first, or the time has to come at which it does not count any more.
    BlockedUntil(SystemTime),
    /// Check the first URL.
    Check,
    /// Hand out the first URL, because the site may not be asked before this time.
    GiveUp(SystemTime, Option<Verdict>),
    /// Ask for the rules at this time.
    Ask(SystemTime),
    /// Request the first URL at this time.
    Request(SystemTime),
}

impl<T> OriginQueue<T> {
    pub(super) fn new(origin: Origin) -> Self {
        Self {
            origin,
            waiting: UrlQueue::new(),
            url_bytes: 0,
            listing: Listing::None,
            deadline: None,
            address: None,
            running: Running::default(),
            bodies: Running::default(),
            last: None,
            last_number: 0,
            not_before: SystemTime::UNIX_EPOCH,
            asking: None,
            rules: None,
            until: SystemTime::UNIX_EPOCH,
            learned: SystemTime::UNIX_EPOCH,
            attempts: 0,
            used: false,
            first: First::Unchecked,
            paused_until: SystemTime::UNIX_EPOCH,
            failures: 0,
            failed: None,
            progress: SystemTime::UNIX_EPOCH,
            excused_until: SystemTime::UNIX_EPOCH,
            queued: None,
        }
    }

    /// Returns the next action, as things are at `now`.
    pub(super) fn plan(&self, policy: &GatePolicy, now: SystemTime) -> Plan {
        let Some((_, waiting)) = self.waiting.first() else { return Plan::Idle };
        if self.asking.is_some() {
            return Plan::Blocked;
        }
        let (rested, unpaused) = (self.rested(policy).max(now), self.paused_until.max(now));
        let from = rested.max(unpaused);
        let (plan, obstacle, verdict) = match &self.rules {
            None => (Plan::Ask(from), unpaused, None),
            Some(rules) => match self.first {
                First::Unchecked if now < self.expiry(rules, policy) => return Plan::Check,
                First::Parked(verdict) => {
                    let obstacle = rules.opening(policy, unpaused.max(self.until));
                    if rules.had_no_answer() && now < self.until {
                        return Plan::GiveUp(obstacle, Some(verdict));
                    }
                    (Plan::Ask(obstacle.max(rules.opening(policy, from))), obstacle, Some(verdict))
                }
                _ => {
                    let time = rules.opening(policy, from);
                    let plan =
                        if time < self.expiry(rules, policy) { Plan::Request(time) } else { Plan::Ask(time) };
                    (plan, rules.opening(policy, unpaused), None)
                }
            },
        };
        if obstacle > now && self.overdue(waiting, policy, None).is_some_and(|overdue| obstacle > overdue) {
            return Plan::GiveUp(obstacle, verdict);
        }
        if policy.origin_bodies.is_some_and(|most| self.bodies.len() >= usize_of(most)) {
            return Plan::Blocked;
        }
        match (plan, self.running.free_at(policy.origin_requests, policy, now)) {
            (_, free) if free > now => Plan::BlockedUntil(free),
            (plan, _) => plan,
        }
    }

    /// Returns from when on the first URL has waited for too long. `turn` is the last permit of its address, if the origin waits
    /// for its turn there.
    pub(super) fn first_overdue(&self, policy: &GatePolicy, turn: Option<SystemTime>) -> Option<SystemTime> {
        self.overdue(self.waiting.first()?.1, policy, turn)
    }

    fn overdue(
        &self,
        waiting: &Waiting<T>,
        policy: &GatePolicy,
        turn: Option<SystemTime>,
    ) -> Option<SystemTime> {
        let progress = self.base(waiting);
        let progress = turn.map_or(progress, |turn| progress.max(turn));
        let stalled = (policy.max_stall < Duration::MAX).then(|| after(progress, policy.max_stall));
        let late = policy.max_wait.map(|most| after(waiting.since, most));
        stalled.into_iter().chain(late).min()
    }

    /// Returns since when a URL waits without progress.
    fn base(&self, waiting: &Waiting<T>) -> SystemTime {
        waiting.since.max(self.progress).max(self.excused_until)
    }

    /// Notes whether the retrieval of the robots.txt waits for its turn, and until when its queue has moved. That wait does not
    /// count: the site has not been asked.
    pub(super) fn queue(&mut self, is_queued: bool, moved: Option<SystemTime>, now: SystemTime) {
        let Some((_, waiting)) = self.waiting.first() else { return };
        let (base, began) = (self.base(waiting), self.running.last().unwrap_or(now));
        let Some(from) = self.queued.or(is_queued.then_some(began)) else { return };
        let until = moved.unwrap_or(from).clamp(from, now.max(from));
        self.progress =
            after(base, until.duration_since(from).unwrap_or_default()).min(now).max(self.progress);
        self.queued = is_queued.then_some(until);
    }

    /// Returns since when the first URL waits, and for what.
    pub(super) fn first_awaits(&self, policy: &GatePolicy) -> (SystemTime, Awaited) {
        let since = self.waiting.first().map_or(self.progress, |(_, waiting)| waiting.since);
        let awaited = if self.queued.is_some() {
            Awaited::Retrieval
        } else if self.asking.is_some() || self.rules.is_none() || matches!(self.first, First::Parked(_)) {
            Awaited::Rules
        } else if policy.origin_bodies.is_some_and(|most| self.bodies.len() >= usize_of(most)) {
            Awaited::Body
        } else if self.running.len() >= usize_of(policy.origin_requests) {
            Awaited::Answer
        } else {
            Awaited::Turn
        };
        (since, awaited)
    }

    /// Returns the verdict for `url` if the rules are known and apply at `now`, and not only until the robots.txt can be
    /// retrieved.
    pub(super) fn refuses(&self, url: &Url, now: SystemTime) -> Option<Verdict> {
        let rules = self.rules.as_ref().filter(|_| now < self.until)?;
        Some(rules.check(url)).filter(|verdict| !verdict.is_allowed() && !is_for_now(verdict))
    }

    /// Checks the first URL. Returns the verdict if the URL has to be handed out.
    pub(super) fn check(&mut self) -> Option<Verdict> {
        let (Some(rules), Some((_, Waiting { url, .. }))) = (&self.rules, self.waiting.first()) else {
            return None;
        };
        let verdict = rules.check(url);
        self.first = match verdict.is_allowed() {
            true => First::Allowed,
            false if is_for_now(&verdict) => First::Parked(verdict),
            false => return Some(verdict),
        };
        None
    }

    /// Adds a URL under a number, by which URLs are ordered.
    pub(super) fn push(&mut self, number: u64, url: Url, item: T, since: SystemTime) {
        self.url_bytes += bytes_of::<T>(&url);
        if self.waiting.first().is_none_or(|(first, _)| number < first) {
            self.first = First::Unchecked;
        }
        self.waiting.insert(number, Waiting { url, item, since });
    }

    /// Removes the URL of a number.
    pub(super) fn remove(&mut self, number: u64) -> Option<(Url, T, SystemTime)> {
        let is_first = self.is_first(number);
        let Waiting { url, item, since } = self.waiting.remove(number)?;
        if is_first {
            self.first = First::Unchecked;
        }
        self.url_bytes = self.url_bytes.saturating_sub(bytes_of::<T>(&url));
        Some((url, item, since))
    }

    /// Returns the number and the item of the first URL.
    pub(super) fn first(&self) -> Option<(u64, &T)> {
        self.waiting.first().map(|(number, waiting)| (number, &waiting.item))
    }

    pub(super) fn is_first(&self, number: u64) -> bool {
        self.waiting.first().is_some_and(|(first, _)| first == number)
    }

    pub(super) const fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(super) const fn is_parked(&self) -> bool {
        matches!(self.first, First::Parked(_))
    }

    pub(super) const fn rules(&self) -> Option<&Arc<SiteRules>> {
        self.rules.as_ref()
    }

    /// Notes a permit at `now`. Returns what it changes.
    pub(super) fn start(
        &mut self,
        number: u64,
        now: SystemTime,
        is_request: bool,
        policy: &GatePolicy,
    ) -> Before {
        let before = Before { last: self.last, progress: self.progress, excused_until: self.excused_until };
        self.running.start(number, now);
        self.last_number = number;
        self.last = Some(now);
        if is_request {
            self.used = true;
            self.progress = now;
            self.excuse_delay(policy);
        } else {
            self.asking = Some(number);
        }
        before
    }

    /// Makes the request of the last permit count from `now` on.
    pub(super) fn began(&mut self, number: u64, now: SystemTime, policy: &GatePolicy) {
        if self.last_number == number {
            self.last = Some(now);
            if self.asking != Some(number) {
                self.excuse_delay(policy);
            }
        }
    }

    /// Makes a permit not count, if it is still the last one.
    pub(super) fn undo(&mut self, number: u64, before: &Before) {
        // Its end is not progress.
        self.running.end(number);
        if self.last_number == number {
            self.last = before.last;
            // A question is not progress, but its answer may have been, from a cache.
            if self.asking != Some(number) {
                self.progress = before.progress;
                self.excused_until = before.excused_until;
            }
        }
    }

    /// Does not count the delay after the last request as a wait.
    fn excuse_delay(&mut self, policy: &GatePolicy) {
        self.excused_until = self.excused_until.max(self.rested(policy));
    }

    /// Ends a request.
    pub(super) fn end(&mut self, number: u64, now: SystemTime) {
        let was_running = self.running.end(number);
        if self.asking == Some(number) {
            self.asking = None;
            self.queued = None;
        } else if was_running {
            self.progress = self.progress.max(now);
        }
    }

    pub(super) fn begin_body(&mut self, number: u64, now: SystemTime) {
        self.bodies.start(number, now);
    }

    pub(super) fn end_body(&mut self, number: u64, now: SystemTime) {
        if self.bodies.end(number) {
            self.progress = self.progress.max(now);
        }
    }

    /// Notes a request of others at `time`.
    pub(super) fn count(&mut self, time: SystemTime, policy: &GatePolicy) {
        self.last = self.last.max(Some(time));
        self.excuse_delay(policy);
    }

    /// Makes the site rest until a time, because others were asked for a pause.
    pub(super) fn pause(&mut self, until: SystemTime) {
        self.paused_until = self.paused_until.max(until);
    }

    /// Makes the origin wait until a time, because of `obstacle`.
    pub(super) fn wait_until(&mut self, time: SystemTime, obstacle: Obstacle) {
        self.not_before = self.not_before.max(time);
        // The requests of others are progress, unless they only find that the robots.txt can't be had.
        if obstacle == Obstacle::Others && self.attempts == 0 && !self.is_parked() {
            self.excused_until = self.excused_until.max(time);
        }
    }

    /// Takes new rules. Returns how many bytes the old ones took, and how many the new ones take.
    pub(super) fn learn(&mut self, rules: SiteRules, policy: &GatePolicy, now: SystemTime) -> (usize, usize) {
        self.learned = now;
        self.used = false;
        self.first = First::Unchecked;
        let is_passing = self.waiting.first().is_some_and(|(_, first)| is_for_now(&rules.check(&first.url)));
        let old = self.rules.take().map_or(0, |old| old.bytes());
        if rules.had_no_answer() && rules.may_retry() && self.attempts < policy.robots_retries {
            let pause = policy.retry_pause(self.attempts);
            self.attempts += 1;
            self.paused_until = self.paused_until.max(after(now, pause));
            // There are only so many retries.
            self.excuse_delay(policy);
            return (old, 0);
        }
        self.attempts = 0;
        self.until = rules.until().max(after(now, policy.min_rules_lifetime));
        let new = rules.bytes();
        self.rules = Some(Arc::new(rules));
        if !is_passing {
            self.progress = now;
            self.excuse_delay(policy);
        }
        (old, new)
    }

    /// Returns whether there are rules that apply at `now`, or that say when the origin may be visited.
    pub(super) fn has_rules(&self, now: SystemTime) -> bool {
        self.rules.as_ref().is_some_and(|rules| now < self.until || !rules.visits.is_empty())
    }

    /// Returns whether the robots.txt was asked for, and the site did not answer.
    pub(super) const fn is_retry(&self) -> bool {
        self.attempts > 0
    }

    /// Notes the answer to a request that was permitted at `started`.
    pub(super) fn note(
        &mut self,
        head: Option<&Head>,
        started: SystemTime,
        policy: &GatePolicy,
        now: SystemTime,
    ) {
        let Feedback { is_failure, asked } = policy.feedback(head, now);
        // Several requests at a time that fail are one failure.
        if self.failed.is_none_or(|failed| started >= failed) {
            self.failures = if is_failure { self.failures.saturating_add(1) } else { 0 };
            self.failed = if is_failure { Some(now) } else { self.failed };
        }
        let pause =
            asked.unwrap_or_else(|| if is_failure { policy.pause(self.failures) } else { Duration::ZERO });
        self.paused_until = self.paused_until.max(after(now, pause));
    }

    /// Returns the delay between two requests, as things are.
    pub(super) fn delay(&self, policy: &GatePolicy) -> Duration {
        match &self.rules {
            Some(rules) => rules.delay(policy, self.last.unwrap_or(self.learned)),
            None => policy.default_delay.max(policy.min_delay),
        }
    }

    /// Returns when the delay after the last request has passed.
    pub(super) fn rested(&self, policy: &GatePolicy) -> SystemTime {
        let Some(last) = self.last else { return self.not_before };
        after(last, self.delay(policy)).max(self.not_before)
    }

    /// Returns when the origin may be forgotten without an early request to it later; `None` if a request or a body is out.
    pub(super) fn forgettable(&self, policy: &GatePolicy) -> Option<SystemTime> {
        let is_over = self.running.is_empty() && self.bodies.is_empty();
        is_over.then(|| self.rested(policy).max(self.paused_until))
    }

    /// Returns how many bytes the origin takes, without its URLs: twice its size, because a map grows by doubling, the smallest
    /// queue of URLs, its name in two places, and its entries in the lists.
    pub(super) fn bytes(&self) -> usize {
        let text = self.origin.robots_url().as_str().len();
        let rules = self.rules.as_ref().map_or(0, |rules| rules.bytes());
        2 * size_of::<Self>() + 4 * size_of::<(u64, Option<Waiting<T>>)>() + 4 * text + 512 + rules
    }

    /// Changes all times, because the clock was set back.
    pub(super) fn shift(&mut self, shifted: impl Fn(SystemTime) -> SystemTime + Copy) {
        self.excuse(shifted);
        self.until = shifted(self.until);
        self.learned = shifted(self.learned);
    }

    /// Changes the times that waits, delays and pauses are counted from.
    pub(super) fn excuse(&mut self, shifted: impl Fn(SystemTime) -> SystemTime + Copy) {
        for time in
            [&mut self.progress, &mut self.excused_until, &mut self.not_before, &mut self.paused_until]
        {
            *time = shifted(*time);
        }
        for time in [&mut self.queued, &mut self.last, &mut self.failed].into_iter().flatten() {
            *time = shifted(*time);
        }
        self.running.shift(shifted);
        self.bodies.shift(shifted);
        for waiting in self.waiting.all_mut() {
            waiting.since = shifted(waiting.since);
        }
    }

    fn expiry(&self, rules: &SiteRules, policy: &GatePolicy) -> SystemTime {
        if self.used {
            return self.until;
        }
        let first_use = rules.delay(policy, self.learned).saturating_mul(2).max(FIRST_USE);
        self.until.max(after(self.learned, first_use))
    }
}

fn usize_of(most: u32) -> usize {
    usize::try_from(most.max(1)).unwrap_or(usize::MAX)
}
