//! The gate that tasks share, and their permits.

use alloc::sync::Arc;
use core::fmt;
use core::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use url::Url;

use super::clock::Clock;
use super::source::Source;
use crate::gate::Gate;
use crate::gate::policy::GatePolicy;
use crate::gate::refusal::Refusal;
use crate::gate::step::Permit;
use crate::message::head::Head;
use crate::origin::Origin;

/// The sender of the answer to a task that waits. If the task has given up, the permit is dropped, and comes back unused.
pub(super) type Reply = oneshot::Sender<Result<HeldPermit, Refusal>>;

/// The parts that a gate and its permits share.
pub(super) struct Shared {
    state: Mutex<State>,
    pub(super) clock: Clock,
    pub(super) limits_addresses: bool,
    pub(super) source: Box<dyn Source>,
    /// Wakes the driver.
    pub(super) wake: Arc<Notify>,
}

pub(super) struct State {
    pub(super) gate: Gate<Reply>,
    pub(super) driver: Option<JoinHandle<()>>,
}

impl Shared {
    pub(super) fn new(source: Box<dyn Source>, policy: GatePolicy) -> Self {
        let limits_addresses = policy.address_requests.is_some() || !policy.address_delay.is_zero();
        let state = Mutex::new(State { gate: Gate::new(policy), driver: None });
        Self { state, clock: Clock::new(), limits_addresses, source, wake: Arc::default() }
    }

    // A panic under this lock can come only from the gate, which tests show to have none.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a URL, and the address of its origin if it is known.
    pub(super) fn push(
        &self,
        url: Url,
        place: Option<(Origin, IpAddr)>,
        reply: Reply,
    ) -> Result<(), Refusal> {
        let mut state = self.state();
        state.gate.push(url, reply, self.clock.now()).map_err(|(_, refusal)| refusal)?;
        if let Some((origin, address)) = place {
            state.gate.locate(&origin, address);
        }
        drop(state);
        self.wake.notify_one();
        Ok(())
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.wake.notify_one();
    }
}

/// A permit for one request, from [`AsyncGate::permit`](crate::AsyncGate::permit). The request ends when the permit is dropped: keep
/// it while the body is read.
#[must_use = "the request ends when its permit is dropped"]
pub struct HeldPermit {
    shared: Arc<Shared>,
    permit: Option<Permit>,
    begun: bool,
}

impl HeldPermit {
    /// Creates a permit that does not count as a request yet.
    pub(super) const fn new(shared: Arc<Shared>, permit: Permit) -> Self {
        Self { shared, permit: Some(permit), begun: false }
    }

    /// Marks the permit as used. Until then, it does not count if it is dropped.
    pub(super) fn begin(mut self) -> Self {
        self.begun = true;
        self
    }

    /// Passes on the head of the answer, or `None` if no answer came. It can pause the origin; see
    /// [`Gate::finish`](crate::Gate::finish).
    pub fn note(&self, head: Option<&Head>) {
        if let Some(permit) = &self.permit {
            self.shared.state().gate.note(permit, head, self.shared.clock.now());
        }
    }
}

impl Drop for HeldPermit {
    fn drop(&mut self) {
        let Some(permit) = self.permit.take() else { return };
        let now = self.shared.clock.now();
        let mut state = self.shared.state();
        if self.begun {
            state.gate.release(&permit, now);
        } else {
            state.gate.cancel(permit, now);
        }
        drop(state);
        self.shared.wake.notify_one();
    }
}

impl fmt::Debug for HeldPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = self.permit.as_ref().map(|permit| permit.url().as_str());
        f.debug_struct("HeldPermit").field("url", &url).finish_non_exhaustive()
    }
}
