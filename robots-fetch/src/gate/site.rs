//! The state of one origin.

use alloc::collections::VecDeque;
use core::net::IpAddr;
use core::time::Duration;
use std::time::SystemTime;

use robots_match::Verdict;
use url::Url;

use super::policy::GatePolicy;
use super::rules::{SiteRules, after, is_for_now};
use crate::message::head::Head;
use crate::origin::Origin;

/// For how long rules serve a first request at least, even if their robots.txt is due; or for twice the delay, if that is longer.
/// Without this, an origin whose delay exceeds the lifetime of its robots.txt would be asked for nothing else.
const FIRST_USE: Duration = Duration::from_secs(5 * 60);

/// One origin: its waiting URLs, its rules, and its requests.
pub(super) struct Site<T> {
    pub(super) origin: Origin,
    pub(super) waiting: VecDeque<(Url, T)>,
    pub(super) place: Place,
    pub(super) address: Option<IpAddr>,
    /// How many requests are running.
    pub(super) running: u32,
    /// The last permit: its time and its number.
    pub(super) last: Option<SystemTime>,
    pub(super) last_number: u64,
    /// The number of the permit to ask for the rules, while it is out.
    pub(super) asking: Option<u64>,
    rules: Option<SiteRules>,
    learned: SystemTime,
    /// Whether a request was permitted since the rules were learned.
    used: bool,
    first: First,
    paused_until: SystemTime,
    failures: u32,
    failed: Option<SystemTime>,
}

/// Where a site is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Nowhere: something has to happen first.
    None,
    /// In the queue, under this key.
    Queue(SystemTime, u64),
    /// Among those without URLs, which may be forgotten from this time on.
    Idle(SystemTime),
    /// In the line of its address.
    Line,
}

/// The verdict of the first waiting URL.
#[derive(Clone, Copy, Debug)]
enum First {
    Unchecked,
    Allowed,
    /// Disallowed until the robots.txt can be retrieved.
    Parked(Verdict),
}

/// The next action for a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// No URL waits.
    Idle,
    /// A permit has to come back first.
    Blocked,
    /// Check the first URL.
    Check,
    /// Hand out the first URL, because the site may not be asked before this time.
    GiveUp(SystemTime, Option<Verdict>),
    /// Ask for the rules at this time.
    Ask(SystemTime),
    /// Request the first URL at this time.
    Request(SystemTime),
}

impl<T> Site<T> {
    pub(super) const fn new(origin: Origin) -> Self {
        Self {
            origin,
            waiting: VecDeque::new(),
            place: Place::None,
            address: None,
            running: 0,
            last: None,
            last_number: 0,
            asking: None,
            rules: None,
            learned: SystemTime::UNIX_EPOCH,
            used: false,
            first: First::Unchecked,
            paused_until: SystemTime::UNIX_EPOCH,
            failures: 0,
            failed: None,
        }
    }

    /// Returns the next action, as things are at `now`.
    pub(super) fn plan(&self, policy: &GatePolicy, now: SystemTime) -> Plan {
        if self.waiting.is_empty() {
            return Plan::Idle;
        }
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
                    let obstacle = rules.opening(policy, unpaused.max(rules.until()));
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
        if obstacle.duration_since(now).is_ok_and(|wait| wait > policy.max_wait) {
            return Plan::GiveUp(obstacle, verdict);
        }
        match plan {
            Plan::Ask(_) | Plan::Request(_) if self.running >= policy.origin_requests.max(1) => Plan::Blocked,
            plan => plan,
        }
    }

    /// Returns the verdict for `url` if the rules are known and apply at `now`, and not only until the robots.txt can be
    /// retrieved.
    pub(super) fn refuses(&self, url: &Url, now: SystemTime) -> Option<Verdict> {
        let rules = self.rules.as_ref().filter(|rules| now < rules.until())?;
        Some(rules.check(url)).filter(|verdict| !verdict.is_allowed() && !is_for_now(verdict))
    }

    /// Checks the first URL. Returns the verdict if the URL has to be handed out.
    pub(super) fn check(&mut self) -> Option<Verdict> {
        let (Some(rules), Some((url, _))) = (&self.rules, self.waiting.front()) else { return None };
        let verdict = rules.check(url);
        self.first = match verdict.is_allowed() {
            true => First::Allowed,
            false if is_for_now(&verdict) => First::Parked(verdict),
            false => return Some(verdict),
        };
        None
    }

    /// Removes the first URL.
    pub(super) fn pop(&mut self) -> Option<(Url, T)> {
        self.first = First::Unchecked;
        let popped = self.waiting.pop_front();
        // A queue that was long once does not keep its memory.
        if self.waiting.capacity() > 16 && self.waiting.len() < self.waiting.capacity() / 4 {
            self.waiting.shrink_to(self.waiting.len() * 2);
        }
        popped
    }

    /// Notes a permit at `now`. Returns the time of the one before.
    pub(super) fn start(&mut self, number: u64, now: SystemTime, is_request: bool) -> Option<SystemTime> {
        self.running += 1;
        self.last_number = number;
        self.used |= is_request;
        if !is_request {
            self.asking = Some(number);
        }
        self.last.replace(now)
    }

    /// Takes new rules. Returns how many bytes the old ones took.
    pub(super) fn learn(&mut self, rules: SiteRules, policy: &GatePolicy, now: SystemTime) -> usize {
        self.learned = now;
        self.used = false;
        self.first = First::Unchecked;
        let rules = rules.at_least_until(after(now, policy.min_rules_lifetime));
        self.rules.replace(rules).map_or(0, |old| old.bytes())
    }

    /// Notes the answer to a request that was permitted at `started`.
    pub(super) fn note(
        &mut self,
        head: Option<&Head>,
        started: SystemTime,
        policy: &GatePolicy,
        now: SystemTime,
    ) {
        let status = head.map(Head::status);
        let asked = head.and_then(|head| head.fields.retry_after(now));
        let asked = asked.map(|asked| asked.min(policy.max_retry_after));
        // Several requests at a time that fail are one failure.
        let is_news = self.failed.is_none_or(|failed| started >= failed);
        let pause = match status {
            None | Some(429 | 503) => {
                if is_news {
                    self.failures = self.failures.saturating_add(1);
                    self.failed = Some(now);
                }
                asked.unwrap_or_else(|| policy.pause(self.failures))
            }
            Some(status) => {
                if is_news {
                    self.failures = 0;
                }
                asked.filter(|_| (300..400).contains(&status)).unwrap_or_default()
            }
        };
        self.paused_until = self.paused_until.max(after(now, pause));
    }

    /// Returns when the delay after the last request has passed.
    pub(super) fn rested(&self, policy: &GatePolicy) -> SystemTime {
        let Some(last) = self.last else { return SystemTime::UNIX_EPOCH };
        let delay = match &self.rules {
            Some(rules) => rules.delay(policy, last),
            None => policy.default_delay.max(policy.min_delay),
        };
        after(last, delay)
    }

    /// Returns when the site may be forgotten without an early request to it later.
    pub(super) fn forgettable(&self, policy: &GatePolicy) -> SystemTime {
        self.rested(policy).max(self.paused_until)
    }

    /// Returns how many bytes the site takes, without its URLs: twice its size, because a map grows by doubling, the smallest queue
    /// of URLs, its name in two places, and its entries in the lists.
    pub(super) fn bytes(&self) -> usize {
        let text = self.origin.robots_url().as_str().len();
        let rules = self.rules.as_ref().map_or(0, SiteRules::bytes);
        2 * size_of::<Self>() + 4 * size_of::<(Url, T)>() + 4 * text + 512 + rules
    }

    fn expiry(&self, rules: &SiteRules, policy: &GatePolicy) -> SystemTime {
        if self.used {
            return rules.until();
        }
        let first_use = rules.delay(policy, self.learned).saturating_mul(2).max(FIRST_USE);
        rules.until().max(after(self.learned, first_use))
    }
}

/// Returns how many bytes a waiting URL takes: twice its place in the queue and its text, because both grow by doubling.
pub(super) fn bytes_of<T>(url: &Url) -> usize {
    2 * (size_of::<(Url, T)>() + url.as_str().len())
}
