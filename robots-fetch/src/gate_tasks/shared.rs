//! The gate that tasks share. It is driven by the tasks that wait.

use alloc::collections::VecDeque;
use core::mem;
use core::task::Waker;
use core::time::Duration;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::SystemTime;

use tokio::runtime::{Handle, Id};
use tokio::time::Instant;
use url::Url;

use super::clock::{Change, Clock};
use super::fleet::SharedDelays;
use super::look_ups::LookUps;
use super::source::Source;
use super::timer::contained;
use crate::common::lock;
use crate::gate::Gate;
use crate::gate::origin_queue::Obstacle;
use crate::gate::policy::GatePolicy;
use crate::gate::refusal::{Refusal, RefusalReason};
use crate::gate::step::{GateStep, Permit, Ticket};
use crate::message::freshness::later;
use crate::observe;
use crate::origin::Origin;

/// For how long a task may leave a permit, or a question that it has to ask, before another task gets it.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// The longest time after which a waiter looks whether others do what they have to.
const MOST_BEAT: Duration = Duration::from_secs(4);

/// The gate, its source of rules, and its state.
pub(super) struct Shared {
    state: Mutex<WaitingGate>,
    pub(super) limits_addresses: bool,
    pub(super) look_ups: LookUps,
    /// The name of the crawler, which its gauges have.
    name: String,
    pub(super) source: Box<dyn Source>,
    /// The delays that the processes of a fleet share.
    pub(super) delays: Option<SharedDelays>,
}

/// The state of a gate, under its lock.
pub(super) struct WaitingGate {
    pub(super) gate: Gate<u64>,
    clock: Clock,
    pub(super) now: SystemTime,
    runtime_now: Instant,
    waiters: HashMap<u64, Waiter>,
    last_waiter: u64,
    /// The waiters that were given a permit, and until when they have to come for it.
    given: VecDeque<(Instant, u64, Permit)>,
    /// The waiters that ask for rules.
    asking: Vec<u64>,
    /// Until when waiters look more often, because others do not come for what they were given.
    suspicious: Option<Instant>,
    /// The tasks that are woken when the lock is free.
    wakers: Vec<Waker>,
    /// The wakers that are dropped when the lock is free: a task may end with its last waker, and have permits.
    replaced: Vec<Waker>,
    /// Since when the server that shares the delays can't be used although URLs wait for it, and the first error.
    pub(super) without_server: Option<(SystemTime, String)>,
    /// How many permits were dropped without a note.
    pub(super) unnoted: u64,
    /// When the gauges were set last.
    observed: Option<Instant>,
}

/// A task that waits.
struct Waiter {
    ticket: Option<Ticket>,
    waker: Option<Waker>,
    slot: Slot,
    /// When the task will look again.
    expected: Instant,
    /// The runtime that polled it last.
    runtime: Option<Id>,
}

/// What a waiter was given.
pub(super) enum Slot {
    /// Nothing yet.
    Waiting,
    Granted(Permit),
    Refused(Refusal),
    /// It has to ask for the rules of its origin.
    Ask(Permit),
    /// It asks for the rules, with this permit.
    Asking(Permit),
    /// It did not come for what it was given, so it has no place any more.
    Aside,
}

impl Shared {
    pub(super) fn new(source: Box<dyn Source>, name: String, policy: GatePolicy) -> Self {
        let limits_addresses = policy.address_requests.is_some() || !policy.address_delay.is_zero();
        let (now, runtime_now) = (source.now(), Instant::now());
        let state = WaitingGate {
            gate: Gate::new(policy),
            clock: Clock::new(now, runtime_now),
            now,
            runtime_now,
            waiters: HashMap::new(),
            last_waiter: 0,
            given: VecDeque::new(),
            asking: Vec::new(),
            suspicious: None,
            wakers: Vec::new(),
            replaced: Vec::new(),
            without_server: None,
            unnoted: 0,
            observed: None,
        };
        Self {
            state: Mutex::new(state),
            limits_addresses,
            look_ups: LookUps::new(),
            name,
            source,
            delays: None,
        }
    }

    /// Returns how long ago the last request to an origin was sent, if that is known.
    pub(super) fn age(&self, origin: &Origin) -> Option<Duration> {
        self.source.requests().age(origin, self.with(|state| state.now))
    }

    /// Sets the gauges, at most once a second, because counting takes time for each site.
    pub(super) fn observe(&self) {
        const PAUSE: Duration = Duration::from_secs(1);
        let counts = self.with(|state| {
            let now = state.runtime_now;
            if state.observed.is_some_and(|before| now.saturating_duration_since(before) < PAUSE) {
                return None;
            }
            state.observed = Some(now);
            let gate = &state.gate;
            Some([gate.waiting(), gate.parked(), gate.origins(), gate.bytes()])
        });
        if let Some(counts) = counts {
            observe::gate(&self.name, counts);
        }
    }

    /// Does something with the gate at the time of now. Afterwards, does all that can be done in the gate, and wakes the tasks that
    /// it concerns.
    pub(super) fn with<R>(&self, act: impl FnOnce(&mut WaitingGate) -> R) -> R {
        let (done, wakers, replaced) = {
            // A panic under this lock can come only from the gate, which tests show to have none.
            let mut state = lock(&self.state);
            if let Change::Forward(by) = state.read_clock(self.source.now()) {
                self.source.requests().excuse(by, state.now);
            }
            let done = act(&mut state);
            state.go_on();
            (done, mem::take(&mut state.wakers), mem::take(&mut state.replaced))
        };
        // A waker is code of the runtime, which may do anything.
        wakers.into_iter().for_each(|waker| contained(|| waker.wake()));
        replaced.into_iter().for_each(|waker| contained(|| drop(waker)));
        done
    }
}

impl WaitingGate {
    fn read_clock(&mut self, wall: SystemTime) -> Change {
        self.runtime_now = Instant::now();
        let (now, change) = self.clock.read(wall, self.runtime_now);
        self.now = now;
        match change {
            Change::None => {}
            Change::Back(by) => {
                self.gate.set_back(by);
                if let Some((since, _)) = &mut self.without_server {
                    *since = since.checked_sub(by).unwrap_or(SystemTime::UNIX_EPOCH);
                }
            }
            Change::Forward(by) => {
                self.gate.excuse(by);
                if let Some((since, _)) = &mut self.without_server {
                    *since = later(*since, by);
                }
            }
        }
        change
    }

    /// Adds a waiter without a URL.
    pub(super) fn enter(&mut self) -> u64 {
        self.last_waiter += 1;
        let waiter = Waiter {
            ticket: None,
            waker: None,
            slot: Slot::Aside,
            expected: self.runtime_now,
            runtime: None,
        };
        self.waiters.insert(self.last_waiter, waiter);
        self.last_waiter
    }

    /// Adds the URL of a waiter to the gate, since when it waits, and the address of its origin if it is known.
    pub(super) fn push(
        &mut self,
        waiter: u64,
        url: &Url,
        since: SystemTime,
        address: Option<&(Origin, core::net::IpAddr)>,
    ) -> Result<(), Refusal> {
        let pushed = self.gate.push_again(url.clone(), waiter, since, self.now);
        let ticket = pushed.map_err(|(_, refusal)| refusal)?;
        if let Some((origin, address)) = address {
            self.gate.locate(origin, *address);
        }
        if let Some(waiter) = self.waiters.get_mut(&waiter) {
            waiter.ticket = Some(ticket);
            waiter.slot = Slot::Waiting;
        }
        Ok(())
    }

    /// Removes a waiter, with all that it has.
    pub(super) fn leave(&mut self, id: u64) {
        let Some(waiter) = self.waiters.remove(&id) else { return };
        self.replaced.extend(waiter.waker);
        self.asking.retain(|asking| *asking != id);
        if self.waiters.capacity() > 64 && self.waiters.len() < self.waiters.capacity() / 4 {
            self.waiters.shrink_to(2 * self.waiters.len());
        }
        match waiter.slot {
            Slot::Granted(permit) | Slot::Ask(permit) => self.gate.cancel(permit, self.now),
            // A request may have been sent.
            Slot::Asking(permit) => self.gate.release(&permit, self.now),
            Slot::Waiting | Slot::Refused(_) | Slot::Aside => {}
        }
        if let Some(ticket) = waiter.ticket {
            self.gate.withdraw(ticket, self.now);
            self.wake_next(ticket);
        }
    }

    /// Takes what a waiter was given. The waiter is woken by `waker` when there is more.
    pub(super) fn take(&mut self, id: u64, waker: &Waker) -> Slot {
        let Some(waiter) = self.waiters.get_mut(&id) else { return Slot::Aside };
        if !waiter.waker.as_ref().is_some_and(|known| known.will_wake(waker)) {
            self.replaced.extend(waiter.waker.replace(waker.clone()));
        }
        waiter.expected = self.runtime_now + GRACE;
        waiter.runtime = Handle::try_current().ok().map(|runtime| runtime.id());
        let slot = mem::replace(&mut waiter.slot, Slot::Waiting);
        match &slot {
            Slot::Ask(permit) | Slot::Asking(permit) => waiter.slot = Slot::Asking(permit.duplicate()),
            Slot::Aside => waiter.slot = Slot::Aside,
            Slot::Waiting | Slot::Granted(_) | Slot::Refused(_) => {}
        }
        if matches!(slot, Slot::Ask(_)) {
            self.asking.push(id);
        }
        slot
    }

    /// Puts back a URL whose permit can't be used before `until`.
    pub(super) fn postpone(&mut self, id: u64, permit: Permit, until: SystemTime, obstacle: Obstacle) {
        self.gate.postpone_because(obstacle, permit, Some(id), until, self.now);
        if let Some(ticket) = self.waiters.get(&id).and_then(|waiter| waiter.ticket) {
            self.wake_next(ticket);
        }
    }

    /// Ends the question of a waiter for rules.
    pub(super) fn asked(&mut self, id: u64) {
        self.asking.retain(|asking| *asking != id);
        if let Some(waiter) = self.waiters.get_mut(&id)
            && matches!(waiter.slot, Slot::Asking(_))
        {
            waiter.slot = Slot::Waiting;
        }
    }

    /// Returns for how long a waiter can sleep: until its turn, or until it should look whether others do what they have to.
    ///
    /// Returns `None` if the waiter was given something.
    pub(super) fn sleep(&mut self, id: u64) -> Option<Duration> {
        let waiter = self.waiters.get_mut(&id)?;
        if !matches!(waiter.slot, Slot::Waiting | Slot::Asking(_)) {
            return None;
        }
        let (due, before) = waiter.ticket.map_or((None, 0), |ticket| self.gate.turn(ticket));
        // Those far behind look more seldom, so that the work does not grow with their number.
        let beat = GRACE.saturating_mul(u32::try_from(before + 1).unwrap_or(u32::MAX)).min(MOST_BEAT);
        let is_suspicious = self.suspicious.is_some_and(|until| self.runtime_now < until);
        let beat = if is_suspicious { GRACE } else { beat };
        let turn = due.map(|due| due.duration_since(self.now).unwrap_or_default());
        let wait = turn.map_or(beat, |turn| turn.min(beat));
        waiter.expected = self.runtime_now + wait;
        Some(wait)
    }

    /// Does what can be done now.
    fn go_on(&mut self) {
        self.take_back();
        loop {
            match self.gate.next(self.now) {
                GateStep::Request(permit, id) => match self.present(id) {
                    Some(waiter) => {
                        let handle = permit.duplicate();
                        waiter.slot = Slot::Granted(permit);
                        let ticket = waiter.ticket;
                        self.give(id, handle);
                        ticket.into_iter().for_each(|ticket| self.wake_next(ticket));
                    }
                    None => self.gate.cancel(permit, self.now),
                },
                GateStep::Ask(permit) => {
                    let Some((_, &id)) = self.gate.first_of(&permit) else {
                        self.gate.cancel(permit, self.now);
                        continue;
                    };
                    match self.present(id) {
                        Some(waiter) => {
                            let handle = permit.duplicate();
                            waiter.slot = Slot::Ask(permit);
                            self.give(id, handle);
                        }
                        None => self.gate.cancel(permit, self.now),
                    }
                }
                GateStep::Refused { item: id, refusal } => {
                    let refusal = match (refusal.reason(), &self.without_server, refusal.url()) {
                        (RefusalReason::Stalled { .. }, Some((_, error)), Some(url)) => {
                            let error = error.clone();
                            Refusal::new(url.clone(), RefusalReason::NoServer { error })
                        }
                        _ => refusal,
                    };
                    let Some(waiter) = self.waiters.get_mut(&id) else { continue };
                    let before = mem::replace(&mut waiter.slot, Slot::Refused(refusal));
                    let ticket = waiter.ticket.take();
                    if let Slot::Asking(permit) | Slot::Ask(permit) = before {
                        self.gate.release(&permit, self.now);
                    }
                    self.wake(id);
                    ticket.into_iter().for_each(|ticket| self.wake_next(ticket));
                }
                GateStep::Wait(_) | GateStep::Idle => return,
            }
        }
    }

    /// Returns a waiter if its task is still there. If it is long overdue, it loses its place.
    fn present(&mut self, id: u64) -> Option<&mut Waiter> {
        let late = self.runtime_now;
        let waiter = self.waiters.get_mut(&id)?;
        if late > waiter.expected + GRACE {
            let runtime = waiter.runtime;
            self.set_aside(id);
            self.suspect(runtime);
            return None;
        }
        self.waiters.get_mut(&id)
    }

    /// Wakes all waiters of a runtime that may not be polled any more. Those that are polled come soon.
    fn suspect(&mut self, runtime: Option<Id>) {
        self.suspicious = Some(self.runtime_now + 5 * GRACE);
        for waiter in self.waiters.values_mut().filter(|waiter| waiter.runtime == runtime) {
            waiter.expected = waiter.expected.min(self.runtime_now);
            self.wakers.extend(waiter.waker.clone());
        }
    }

    fn set_aside(&mut self, id: u64) {
        let Some(waiter) = self.waiters.get_mut(&id) else { return };
        waiter.slot = Slot::Aside;
        if let Some(ticket) = waiter.ticket.take() {
            self.gate.withdraw(ticket, self.now);
            self.wake_next(ticket);
        }
    }

    fn give(&mut self, id: u64, permit: Permit) {
        self.given.push_back((self.runtime_now + GRACE, id, permit));
        self.wake(id);
    }

    /// Takes back what waiters have not come for, because their tasks are not polled.
    fn take_back(&mut self) {
        while self.given.front().is_some_and(|(until, ..)| *until < self.runtime_now) {
            let Some((_, id, given)) = self.given.pop_front() else { break };
            let Some(waiter) = self.waiters.get_mut(&id) else { continue };
            if matches!(&waiter.slot, Slot::Granted(permit) | Slot::Ask(permit) if permit.is(&given)) {
                self.gate.cancel(given, self.now);
                let runtime = waiter.runtime;
                self.set_aside(id);
                self.suspect(runtime);
            }
        }
        let mut asking = mem::take(&mut self.asking);
        asking.retain(|&id| {
            let Some(waiter) = self.waiters.get_mut(&id) else { return false };
            if waiter.expected + GRACE >= self.runtime_now {
                return true;
            }
            if let Slot::Asking(permit) = mem::replace(&mut waiter.slot, Slot::Waiting) {
                // A request may have been sent.
                self.gate.release(&permit, self.now);
            }
            self.set_aside(id);
            false
        });
        self.asking = asking;
    }

    /// Wakes the waiters whose turn may have become another one.
    pub(super) fn wake_next(&mut self, ticket: Ticket) {
        let next = self.gate.next_of(ticket).map(Option::<&u64>::copied);
        next.into_iter().flatten().for_each(|id| self.wake(id));
    }

    fn wake(&mut self, id: u64) {
        if let Some(waker) = self.waiters.get(&id).and_then(|waiter| waiter.waker.clone()) {
            self.wakers.push(waker);
        }
    }
}
