//! The order of permits.

use alloc::collections::BTreeSet;
use core::mem;
use core::net::IpAddr;
use std::collections::HashMap;
use std::time::SystemTime;

use robots_match::Verdict;
use url::Url;

use super::line::Line;
use super::policy::GatePolicy;
use super::refusal::Refusal;
use super::rules::SiteRules;
use super::site::{Place, Plan, Site, bytes_of};
use super::step::{GateStep, Permit};
use crate::message::head::Head;
use crate::origin::Origin;

/// The sites, and the queue of those that something can be done for.
///
/// The queue is ordered by the time from which a site is ready, then by the order of entry. So a site that has waited longer
/// is always first, and a site that got a permit enters with a later time. A site in the queue is planned anew when its time
/// comes, because it may have been paused since.
pub(super) struct Schedule<T> {
    policy: GatePolicy,
    now: SystemTime,
    ids: HashMap<Origin, u64>,
    sites: HashMap<u64, Site<T>>,
    lines: HashMap<IpAddr, Line>,
    queue: BTreeSet<(SystemTime, u64, Key)>,
    idle: BTreeSet<(SystemTime, u64)>,
    /// The last number that was given to a site, a permit or an entry of the queue.
    last_number: u64,
    pub(super) waiting: usize,
    pub(super) bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Site(u64),
    Line(IpAddr),
}

impl<T> Schedule<T> {
    pub(super) fn new(policy: GatePolicy) -> Self {
        Self {
            policy,
            now: SystemTime::UNIX_EPOCH,
            ids: HashMap::new(),
            sites: HashMap::new(),
            lines: HashMap::new(),
            queue: BTreeSet::new(),
            idle: BTreeSet::new(),
            last_number: 0,
            waiting: 0,
            bytes: 0,
        }
    }

    /// Sets the time, which never goes back, and returns it.
    pub(super) fn advance(&mut self, now: SystemTime) -> SystemTime {
        self.now = self.now.max(now);
        self.now
    }

    pub(super) fn site(&self, origin: &Origin) -> Option<&Site<T>> {
        self.sites.get(self.ids.get(origin)?)
    }

    /// Returns the site of an origin, which is new or known, if there is room for it and for `bytes` more.
    pub(super) fn admit(&mut self, origin: &Origin, bytes: usize) -> Option<u64> {
        if let Some(&id) = self.ids.get(origin)
            && self.make_room(bytes, Some(id))
        {
            return Some(id);
        }
        let site = Site::new(origin.clone());
        let own = site.bytes();
        if self.ids.contains_key(origin) || !self.make_room(bytes + own, None) {
            return None;
        }
        let id = self.number();
        self.bytes += own;
        self.ids.insert(origin.clone(), id);
        self.sites.insert(id, site);
        Some(id)
    }

    /// Adds a URL to a site.
    pub(super) fn add(&mut self, id: u64, url: Url, item: T) {
        let Some(site) = self.sites.get_mut(&id) else { return };
        self.bytes += bytes_of::<T>(&url);
        self.waiting += 1;
        site.waiting.push_back((url, item));
        if site.waiting.len() == 1 {
            self.place(id);
        }
    }

    pub(super) fn locate(&mut self, origin: &Origin, address: IpAddr) {
        let Some(&id) = self.ids.get(origin) else { return };
        let Some(site) = self.sites.get_mut(&id) else { return };
        let before = site.address.replace(address);
        if before == Some(address) {
            return;
        }
        self.lines.entry(address).or_default().sites += 1;
        // Lines that sites have left are kept until they are rested.
        if self.lines.len() > 2 * self.sites.len() + 16 {
            let (policy, now) = (&self.policy, self.now);
            self.lines.retain(|_, line| !line.is_over(policy, now));
        }
        let Some(site) = self.sites.get_mut(&id) else { return };
        if site.place == Place::Line {
            site.place = Place::None;
            self.place(id);
        }
        self.leave(before);
    }

    pub(super) fn learn(&mut self, id: u64, rules: SiteRules) {
        let Some(site) = self.sites.get_mut(&id) else { return };
        let new = rules.bytes();
        let old = site.learn(rules, &self.policy, self.now);
        self.bytes = (self.bytes + new).saturating_sub(old);
        self.place(id);
    }

    pub(super) fn note(&mut self, permit: &Permit, head: Option<&Head>) {
        if let Some(site) = self.sites.get_mut(&permit.site) {
            site.note(head, permit.started, &self.policy, self.now);
        }
    }

    /// Makes a permit not count, if it is still the last one.
    pub(super) fn undo(&mut self, permit: &Permit) {
        if let Some(site) = self.sites.get_mut(&permit.site)
            && site.last_number == permit.number
        {
            site.last = permit.before.0;
        }
        if let Some(line) = permit.address.and_then(|address| self.lines.get_mut(&address))
            && line.last_number == permit.number
        {
            line.last = permit.before.1;
        }
    }

    pub(super) fn release(&mut self, permit: &Permit) {
        if let Some(site) = self.sites.get_mut(&permit.site) {
            site.running = site.running.saturating_sub(1);
            site.asking = site.asking.filter(|asking| *asking != permit.number);
        }
        if let Some(address) = permit.address {
            if let Some(line) = self.lines.get_mut(&address) {
                line.running = line.running.saturating_sub(1);
            }
            self.place_line(address);
            self.drop_line(address);
        }
        self.place(permit.site);
    }

    /// Returns the next action.
    pub(super) fn next(&mut self) -> GateStep<T> {
        while let Some(&(time, number, key)) = self.queue.first() {
            if time > self.now {
                return GateStep::Wait(time);
            }
            self.queue.remove(&(time, number, key));
            let step = match key {
                Key::Site(id) => {
                    self.leave_place(id);
                    self.visit(id, false)
                }
                Key::Line(address) => self.visit_line(address),
            };
            if let Some(step) = step {
                return step;
            }
        }
        GateStep::Idle
    }

    /// Does what can be done for a site, or lists it where it has to wait.
    fn visit(&mut self, id: u64, is_turn: bool) -> Option<GateStep<T>> {
        if self.bytes > self.policy.max_bytes && !self.make_room(0, Some(id)) {
            return self.refuse(id, Refusal::Full);
        }
        loop {
            let site = self.sites.get_mut(&id)?;
            match site.plan(&self.policy, self.now) {
                Plan::Check => {
                    if let Some(verdict) = site.check() {
                        return self.refuse(id, Refusal::Disallowed(verdict));
                    }
                }
                Plan::GiveUp(until, verdict) => return self.refuse(id, not_now(until, verdict)),
                Plan::Ask(time) | Plan::Request(time) if time <= self.now => {
                    let Some(address) = site.address.filter(|_| !is_turn) else { break };
                    site.place = Place::Line;
                    self.lines.entry(address).or_default().waiting.push_back(id);
                    self.place_line(address);
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

    /// Gives the first site of a line its turn.
    fn visit_line(&mut self, address: IpAddr) -> Option<GateStep<T>> {
        let line = self.lines.get_mut(&address)?;
        line.queued = false;
        if line.ready(&self.policy, self.now).is_none_or(|ready| ready > self.now) {
            self.place_line(address);
            return None;
        }
        let first = line.waiting.pop_front();
        let is_here = |site: &&mut Site<T>| site.place == Place::Line && site.address == Some(address);
        let site = first.and_then(|id| Some((id, self.sites.get_mut(&id).filter(is_here)?)));
        let step = match site {
            Some((id, site)) => {
                site.place = Place::None;
                self.visit(id, true)
            }
            None => None,
        };
        self.place_line(address);
        step
    }

    /// Gives the permit that the plan of a site allows now.
    fn permit(&mut self, id: u64) -> Option<GateStep<T>> {
        let number = self.number();
        let now = self.now;
        let site = self.sites.get_mut(&id)?;
        let is_request = matches!(site.plan(&self.policy, now), Plan::Request(_));
        let address = site.address;
        let before = site.start(number, now, is_request);
        let line = address.and_then(|address| self.lines.get_mut(&address));
        let before = (before, line.and_then(|line| line.start(number, now)));
        let permit = |url| Permit { url, site: id, number, started: now, address, before };
        let step = if is_request {
            let (url, item) = self.pop(id)?;
            GateStep::Request(permit(url), item)
        } else {
            GateStep::Ask(permit(site.origin.robots_url().clone()))
        };
        self.place(id);
        Some(step)
    }

    fn refuse(&mut self, id: u64, refusal: Refusal) -> Option<GateStep<T>> {
        let (url, item) = self.pop(id)?;
        self.place(id);
        Some(GateStep::Refused { url, item, refusal })
    }

    fn pop(&mut self, id: u64) -> Option<(Url, T)> {
        let (url, item) = self.sites.get_mut(&id)?.pop()?;
        self.waiting -= 1;
        self.bytes = self.bytes.saturating_sub(bytes_of::<T>(&url));
        Some((url, item))
    }

    /// Lists a site where its plan says.
    fn place(&mut self, id: u64) {
        let Some(site) = self.sites.get(&id) else { return };
        let plan = site.plan(&self.policy, self.now);
        let time = match plan {
            Plan::Check | Plan::GiveUp(..) => Some(self.now),
            Plan::Ask(time) | Plan::Request(time) => Some(time),
            Plan::Idle | Plan::Blocked => None,
        };
        match (site.place, time) {
            (Place::Line, _) => return,
            // It keeps its turn, and is planned anew when it comes.
            (Place::Queue(listed, _), Some(time)) if listed <= time => return,
            _ => {}
        }
        self.leave_place(id);
        let number = self.number();
        let Some(site) = self.sites.get_mut(&id) else { return };
        if let Some(time) = time {
            site.place = Place::Queue(time, number);
            self.queue.insert((time, number, Key::Site(id)));
        } else if plan == Plan::Idle && site.running == 0 {
            let time = site.forgettable(&self.policy);
            site.place = Place::Idle(time);
            self.idle.insert((time, id));
        }
    }

    fn leave_place(&mut self, id: u64) {
        let Some(site) = self.sites.get_mut(&id) else { return };
        match mem::replace(&mut site.place, Place::None) {
            Place::Queue(time, number) => self.queue.remove(&(time, number, Key::Site(id))),
            Place::Idle(time) => self.idle.remove(&(time, id)),
            Place::None | Place::Line => false,
        };
    }

    /// Lists a line with waiting sites for the time at which it is ready.
    fn place_line(&mut self, address: IpAddr) {
        let number = self.number();
        let Some(line) = self.lines.get_mut(&address).filter(|line| !line.queued) else { return };
        if line.waiting.is_empty() {
            return;
        }
        if let Some(ready) = line.ready(&self.policy, self.now) {
            line.queued = true;
            self.queue.insert((ready, number, Key::Line(address)));
        }
    }

    /// Forgets sites without URLs, the longest rested first, until there is room for `bytes` more. Keeps the site `except`.
    fn make_room(&mut self, bytes: usize, except: Option<u64>) -> bool {
        while self.bytes.saturating_add(bytes) > self.policy.max_bytes {
            let mut idle = self.idle.iter().filter(|(_, id)| Some(*id) != except);
            let Some(&(time, id)) = idle.next().filter(|(time, _)| *time <= self.now) else { return false };
            self.idle.remove(&(time, id));
            if let Some(site) = self.sites.remove(&id) {
                self.bytes = self.bytes.saturating_sub(site.bytes());
                self.ids.remove(&site.origin);
                self.leave(site.address);
            }
        }
        true
    }

    /// Notes that a site is no longer at an address.
    fn leave(&mut self, address: Option<IpAddr>) {
        let Some(address) = address else { return };
        if let Some(line) = self.lines.get_mut(&address) {
            line.sites = line.sites.saturating_sub(1);
        }
        self.drop_line(address);
    }

    /// Forgets an address without sites and requests.
    fn drop_line(&mut self, address: IpAddr) {
        if self.lines.get(&address).is_some_and(|line| line.is_over(&self.policy, self.now)) {
            self.lines.remove(&address);
        }
    }

    fn number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }
}

fn not_now(until: SystemTime, verdict: Option<Verdict>) -> Refusal {
    Refusal::NotNow { until, verdict }
}
