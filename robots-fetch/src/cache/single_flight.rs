//! One retrieval at a time for each origin, however many callers ask.

use alloc::sync::Arc;
use core::hash::Hash;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::entry::Entry;
use crate::origin::Origin;

/// The way in which a leader signals to its followers that it has finished. Dropping the signal without [`Self::finish`] means that the
/// leader failed.
pub(super) trait Signal {
    /// The value that a follower waits for.
    type Follower: Clone;

    /// Where a retrieval runs. A caller elsewhere does not wait for it, because it may never go on there.
    type Place: Clone + Eq + Hash;

    /// Returns the place of the caller.
    fn place() -> Self::Place;

    fn new() -> (Self, Self::Follower)
    where
        Self: Sized;

    fn finish(&self, entry: Arc<Entry>);
}

/// The retrievals in flight. Memory grows with their number.
pub(super) struct SingleFlight<S: Signal>(Arc<InFlight<S>>);

type InFlight<S> = Mutex<Flights<S>>;

type Flights<S> = HashMap<(Origin, <S as Signal>::Place), <S as Signal>::Follower>;

/// The role of a caller.
pub(super) enum Role<S: Signal> {
    /// Retrieve.
    Leader(Leader<S>),
    /// Wait for the leader.
    Follower(S::Follower),
}

/// The caller that retrieves. When it is dropped, the retrieval is no longer in flight.
pub(super) struct Leader<S: Signal> {
    flight: SingleFlight<S>,
    key: (Origin, S::Place),
    pub(super) signal: S,
}

impl<S: Signal> SingleFlight<S> {
    /// Makes the caller a follower if a retrieval of `origin` is in flight, and the leader otherwise.
    pub(super) fn join(&self, origin: &Origin) -> Role<S> {
        let key = (origin.clone(), S::place());
        let mut in_flight = self.in_flight();
        if let Some(follower) = in_flight.get(&key) {
            return Role::Follower(follower.clone());
        }
        let (signal, follower) = S::new();
        in_flight.insert(key.clone(), follower);
        Role::Leader(Leader { flight: Self(Arc::clone(&self.0)), key, signal })
    }

    // Nothing that is done under this lock can panic half way.
    fn in_flight(&self) -> MutexGuard<'_, Flights<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the followers' handles of all retrievals in flight.
    #[cfg(feature = "tokio")]
    pub(super) fn all(&self) -> Vec<S::Follower> {
        self.in_flight().values().cloned().collect()
    }

    /// The follower's handle of the retrieval in flight.
    #[cfg(test)]
    pub(super) fn follower(&self, origin: &Origin) -> Option<S::Follower> {
        self.in_flight().get(&(origin.clone(), S::place())).cloned()
    }
}

impl<S: Signal> Default for SingleFlight<S> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<S: Signal> Leader<S> {
    /// Gives the entry to all followers, and returns it.
    pub(super) fn finish(self, entry: Arc<Entry>) -> Arc<Entry> {
        self.signal.finish(Arc::clone(&entry));
        entry
    }
}

impl<S: Signal> Drop for Leader<S> {
    fn drop(&mut self) {
        // The signal is dropped after this: a caller that comes from now on starts a new retrieval.
        self.flight.in_flight().remove(&self.key);
    }
}
