//! The task that drives a gate.

use alloc::sync::{Arc, Weak};
use core::time::Duration;

use tokio::sync::Notify;
use tokio::task::{JoinHandle, yield_now};
use tokio::time::timeout;

use super::shared::{HeldPermit, Shared};
use crate::gate::step::{GateStep, Permit};
use crate::origin::Origin;

/// How many steps the driver does before other tasks get their turn.
const STEPS: usize = 64;

/// Starts the driver on the current runtime if there is none, or its runtime has ended.
pub(super) fn start(shared: &Arc<Shared>) {
    let mut state = shared.state();
    if state.driver.as_ref().is_none_or(JoinHandle::is_finished) {
        let (weak, wake) = (Arc::downgrade(shared), Arc::clone(&shared.wake));
        state.driver = Some(tokio::spawn(drive(weak, wake)));
    }
}

/// Does the steps of a gate until the gate is dropped.
async fn drive(shared: Weak<Shared>, wake: Arc<Notify>) {
    while let Some(strong) = shared.upgrade() {
        let next = steps(&strong);
        drop(strong);
        match next {
            Next::Step => yield_now().await,
            Next::Wait(pause) => drop(timeout(pause, wake.notified()).await),
            Next::Idle => wake.notified().await,
        }
    }
}

enum Next {
    Step,
    Wait(Duration),
    Idle,
}

/// Does the steps that can be done now.
fn steps(shared: &Arc<Shared>) -> Next {
    for _ in 0..STEPS {
        let now = shared.clock.now();
        // The lock is not kept, because a permit that is dropped takes it.
        let step = shared.state().gate.next(now);
        match step {
            GateStep::Ask(permit) => drop(tokio::spawn(ask(Asking::new(shared, permit)))),
            GateStep::Request(permit, reply) => {
                // A permit whose task has given up comes back by being dropped.
                let _ = reply.send(Ok(HeldPermit::new(Arc::clone(shared), permit)));
            }
            GateStep::Refused { item: reply, refusal, .. } => {
                let _ = reply.send(Err(refusal));
            }
            GateStep::Wait(time) => return Next::Wait(time.duration_since(now).unwrap_or_default()),
            GateStep::Idle => return Next::Idle,
        }
    }
    Next::Step
}

/// Asks for the rules of an origin.
async fn ask(mut asking: Asking) {
    let Some(permit) = &asking.permit else { return };
    let shared = &asking.shared;
    let Ok(origin) = Origin::from_url(permit.url()) else { return };
    let Ok((rules, was_sent)) = shared.source.rules(&origin, shared.clock.now()).await else { return };
    let now = shared.clock.now();
    let mut state = shared.state();
    state.gate.learn(permit, rules, now);
    if let Some(permit) = asking.permit.take() {
        if was_sent {
            state.gate.release(&permit, now);
        } else {
            state.gate.cancel(permit, now);
        }
    }
}

/// A permit to ask. If the task that asks panics or ends with its runtime, the origin is paused.
struct Asking {
    shared: Arc<Shared>,
    permit: Option<Permit>,
}

impl Asking {
    fn new(shared: &Arc<Shared>, permit: Permit) -> Self {
        Self { shared: Arc::clone(shared), permit: Some(permit) }
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        if let Some(permit) = self.permit.take() {
            let now = self.shared.clock.now();
            self.shared.state().gate.finish(permit, None, now);
        }
        self.shared.wake.notify_one();
    }
}
