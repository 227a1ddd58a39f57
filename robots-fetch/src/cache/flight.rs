//! One retrieval at a time for each origin, however many callers ask, and the steps of the caller that retrieves for all: store,
//! claim, retrieval, and store again. Both caches follow them.

use alloc::sync::Arc;
use core::hash::Hash;
use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cache::core::Core;
use crate::cache::site::Wanted;
use crate::entry::Entry;
use crate::origin::Origin;
use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::Retrieval;
use crate::store::Claim;
use crate::store::Store;
use crate::store::error::StoreError;

/// The way in which a leader signals to its followers that it has finished. Dropping the signal without [`Self::finish`] means that the
/// leader failed.
pub(super) trait Signal {
    /// The value that a follower waits for.
    type Follower: Clone;

    /// Where a retrieval runs. A caller elsewhere does not wait for it, because it may never go on there.
    type Runtime: Clone + Eq + Hash;

    /// Returns the runtime of the caller.
    fn runtime() -> Self::Runtime;

    fn new() -> (Self, Self::Follower)
    where
        Self: Sized;

    fn finish(&self, entry: Arc<Entry>);
}

/// The retrievals in flight. Memory grows with their number.
pub(super) struct SingleFlight<S: Signal>(Arc<InFlight<S>>);

type InFlight<S> = Mutex<Flights<S>>;

type Flights<S> = HashMap<(Origin, <S as Signal>::Runtime), <S as Signal>::Follower>;

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
    key: (Origin, S::Runtime),
    pub(super) signal: S,
}

impl<S: Signal> SingleFlight<S> {
    /// Makes the caller a follower if a retrieval of `origin` is in flight, and the leader otherwise.
    pub(super) fn join(&self, origin: &Origin) -> Role<S> {
        let key = (origin.clone(), S::runtime());
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
        self.in_flight().get(&(origin.clone(), S::runtime())).cloned()
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

/// How often a caller waits for claims of others, if each of them ends and another one follows.
const MOST_WAITS: usize = 8;

/// The next act of the caller. Its result is the [`Answer`] of the same name.
#[expect(clippy::large_enum_variant, reason = "there is one at a time, and it is moved on at once")]
pub(super) enum Ask {
    /// Look into memory, and into the store if the entry there is missing or due.
    Get,
    /// Claim the origin.
    Claim,
    /// Wait for the claim of another, at most this long.
    Wait(Duration),
    /// Wait for the turn, and retrieve.
    Fetch(Retrieval),
    /// Store the entry.
    Put(Arc<Entry>),
    /// Return the entry.
    Done(Arc<Entry>),
}

/// The result of an [`Ask`]. `None` stands for an error of the store, which was reported.
#[expect(clippy::large_enum_variant, reason = "there is one at a time, and it is moved on at once")]
pub(super) enum Answer {
    Get(Option<Arc<Entry>>),
    Claim(Option<Claim>),
    /// How long the caller waited.
    Wait(Option<Duration>),
    Fetch(Outcome),
    Put(Arc<Entry>),
}

/// A caller that retrieves. It begins with [`Ask::Get`].
pub(super) struct Lead<'c, S> {
    core: &'c Arc<Core<S>>,
    origin: &'c Origin,
    wanted: Wanted,
    before: Option<Arc<Entry>>,
    /// The claim; `None` while it is not known whether there is one. It ends with this value.
    claim: Option<Claim>,
    waits: usize,
    waited: Duration,
}

impl<'c, S: Store + 'static> Lead<'c, S> {
    pub(super) const fn new(core: &'c Arc<Core<S>>, origin: &'c Origin, wanted: Wanted) -> Self {
        Self { core, origin, wanted, before: None, claim: None, waits: 0, waited: Duration::ZERO }
    }

    /// Returns the next act.
    pub(super) fn next(&mut self, answer: Answer) -> Ask {
        match answer {
            Answer::Get(found) => {
                self.before = found;
                if self.claim.is_some() || self.wanted.is_anew() {
                    self.fetch()
                } else {
                    self.enough().map_or(Ask::Claim, Ask::Done)
                }
            }
            Answer::Claim(Some(Claim::Held)) => match &self.before {
                // The entry can be used until another process has stored the next one.
                Some(before) if self.wanted == Wanted::Early => Ask::Done(Arc::clone(before)),
                _ => self.wait(),
            },
            Answer::Claim(Some(granted)) => {
                self.claim = Some(granted);
                // Another process may have stored an entry meanwhile.
                if self.core.store.blocks() { Ask::Get } else { self.fetch() }
            }
            Answer::Wait(Some(waited)) => {
                self.waited = self.waited.saturating_add(waited);
                self.waits += 1;
                Ask::Get
            }
            Answer::Claim(None) | Answer::Wait(None) => self.fetch(),
            Answer::Fetch(outcome) => {
                let (entry, is_new) = self.core.next(self.origin, self.before.as_ref(), outcome, self.wanted);
                if is_new { Ask::Put(entry) } else { Ask::Done(entry) }
            }
            Answer::Put(entry) => Ask::Done(entry),
        }
    }

    /// Waits for the claim of another process: for its lifetime, and then once more for the claim of the process that comes
    /// after one that was killed.
    fn wait(&mut self) -> Ask {
        let lifetime = self.core.store.claim_lifetime();
        let left = lifetime.saturating_mul(2).saturating_sub(self.waited).min(lifetime);
        if !left.is_zero() && self.waits < MOST_WAITS {
            return Ask::Wait(left);
        }
        let error = StoreError::Claimed { origin: self.origin.to_string(), waited: self.waited };
        self.core.noting::<()>(Err(error));
        self.fetch()
    }

    fn fetch(&mut self) -> Ask {
        match self.enough() {
            Some(entry) => Ask::Done(entry),
            None => Ask::Fetch(self.core.retrieval(self.origin, self.before.as_deref())),
        }
    }

    /// Returns the entry, if it is good enough.
    fn enough(&self) -> Option<Arc<Entry>> {
        self.before.clone().filter(|before| self.core.is_enough(before, self.wanted))
    }
}
