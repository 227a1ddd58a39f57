//! The signal that threads wait for.

use alloc::sync::Arc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::cache::single_flight::Signal;
use crate::entry::Entry;

/// The signal that threads wait for.
#[derive(Default)]
pub(super) struct Slot {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
enum State {
    #[default]
    InFlight,
    Finished(Arc<Entry>),
    Failed,
}

/// The leader's side of a [`Slot`].
pub(super) struct SlotSignal(Arc<Slot>);

impl Slot {
    /// Blocks until the leader has finished; `None` if it failed.
    pub(super) fn wait(&self) -> Option<Arc<Entry>> {
        let in_flight = |state: &mut State| matches!(state, State::InFlight);
        let state = self.ended.wait_while(self.state(), in_flight).unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::Finished(entry) => Some(Arc::clone(entry)),
            State::InFlight | State::Failed => None,
        }
    }

    // Nothing that is done under this lock can panic half way.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Signal for SlotSignal {
    type Follower = Arc<Slot>;
    type Place = ();

    fn place() {}

    fn new() -> (Self, Arc<Slot>) {
        let slot = Arc::new(Slot::default());
        (Self(Arc::clone(&slot)), slot)
    }

    fn finish(&self, entry: Arc<Entry>) {
        *self.0.state() = State::Finished(entry);
    }
}

impl Drop for SlotSignal {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if matches!(*state, State::InFlight) {
            *state = State::Failed;
        }
        drop(state);
        self.0.ended.notify_all();
    }
}
