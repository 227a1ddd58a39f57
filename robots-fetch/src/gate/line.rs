//! The state of one address.

use alloc::collections::VecDeque;
use std::time::SystemTime;

use super::policy::GatePolicy;
use super::rules::after;

/// One address, and the sites there that wait for their turn.
#[derive(Default)]
pub(super) struct Line {
    /// The sites in the order in which they became ready. A site may be listed that has left; its place says so.
    pub(super) waiting: VecDeque<u64>,
    pub(super) running: u32,
    pub(super) last: Option<SystemTime>,
    pub(super) last_number: u64,
    /// Whether the line is in the queue.
    pub(super) queued: bool,
    /// How many sites are at this address.
    pub(super) sites: usize,
}

impl Line {
    /// Returns when the next request may be sent, unless one has to end first.
    pub(super) fn ready(&self, policy: &GatePolicy, now: SystemTime) -> Option<SystemTime> {
        if policy.address_requests.is_some_and(|most| self.running >= most.max(1)) {
            return None;
        }
        Some(self.last.map_or(now, |last| after(last, policy.address_delay).max(now)))
    }

    /// Returns whether the line may be forgotten without an early request to the address later.
    pub(super) fn is_over(&self, policy: &GatePolicy, now: SystemTime) -> bool {
        let is_rested = self.ready(policy, now).is_some_and(|ready| ready <= now);
        self.sites == 0 && self.running == 0 && !self.queued && is_rested
    }

    /// Notes a permit at `now`. Returns the time of the one before.
    pub(super) fn start(&mut self, number: u64, now: SystemTime) -> Option<SystemTime> {
        self.running += 1;
        self.last_number = number;
        self.last.replace(now)
    }
}
