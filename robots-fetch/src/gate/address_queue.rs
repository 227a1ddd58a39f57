//! The requests to one address.

use alloc::collections::VecDeque;
use std::time::SystemTime;

use super::policy::GatePolicy;
use super::rules::after;

/// One address, and the origins there that wait for their turn.
#[derive(Default)]
pub(super) struct AddressQueue {
    /// The origins in the order in which they became ready. An origin may be listed that has left; its listing says so.
    pub(super) waiting: VecDeque<u64>,
    running: Running,
    pub(super) last: Option<SystemTime>,
    pub(super) last_number: u64,
    /// The time and the number under which the address is in the queue of the schedule.
    pub(super) listed: Option<(SystemTime, u64)>,
    /// How many origins are at this address.
    pub(super) origins: usize,
}

impl AddressQueue {
    /// Returns when the next request may be sent.
    pub(super) fn ready(&self, policy: &GatePolicy, now: SystemTime) -> SystemTime {
        let rested = self.last.map_or(now, |last| after(last, policy.address_delay).max(now));
        let Some(most) = policy.address_requests else { return rested };
        rested.max(self.running.free_at(most, policy, now))
    }

    /// Returns whether the address may be forgotten without an early request to it later.
    pub(super) fn is_over(&self, policy: &GatePolicy, now: SystemTime) -> bool {
        let is_rested = self.ready(policy, now) <= now;
        self.origins == 0 && self.running.is_empty() && self.listed.is_none() && is_rested
    }

    /// Notes a permit at `now`. Returns the time of the one before.
    pub(super) fn start(&mut self, number: u64, now: SystemTime) -> Option<SystemTime> {
        self.running.start(number, now);
        self.last_number = number;
        self.last.replace(now)
    }

    pub(super) fn end(&mut self, number: u64) {
        self.running.end(number);
    }

    /// Changes all times.
    pub(super) fn shift(&mut self, shifted: impl Fn(SystemTime) -> SystemTime) {
        self.listed = self.listed.map(|(time, number)| (shifted(time), number));
        self.excuse(shifted);
    }

    /// Changes the times that delays are counted from.
    pub(super) fn excuse(&mut self, shifted: impl Fn(SystemTime) -> SystemTime) {
        self.last = self.last.map(&shifted);
        self.running.shift(shifted);
    }
}

/// The requests that are running: their numbers, and when they began.
#[derive(Default)]
pub(super) struct Running(Vec<(u64, SystemTime)>);

impl Running {
    pub(super) fn start(&mut self, number: u64, now: SystemTime) {
        self.0.push((number, now));
    }

    /// Returns whether the request was running.
    pub(super) fn end(&mut self, number: u64) -> bool {
        let before = self.0.len();
        self.0.retain(|(running, _)| *running != number);
        self.0.len() < before
    }

    /// Returns when the last one began.
    pub(super) fn last(&self) -> Option<SystemTime> {
        self.0.last().map(|(_, started)| *started)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the first time from `now` on at which fewer than `most` requests count, if none ends before: a request counts
    /// for [`GatePolicy::max_request`].
    pub(super) fn free_at(&self, most: u32, policy: &GatePolicy, now: SystemTime) -> SystemTime {
        let most = usize::try_from(most.max(1)).unwrap_or(usize::MAX);
        // In the order in which they began, so that the last `most` of them end last.
        match self.0.len().checked_sub(most).and_then(|index| self.0.get(index)) {
            Some((_, started)) => after(*started, policy.max_request).max(now),
            None => now,
        }
    }

    pub(super) fn shift(&mut self, shifted: impl Fn(SystemTime) -> SystemTime) {
        for (_, started) in &mut self.0 {
            *started = shifted(*started);
        }
    }
}
