//! One retrieval at a time for each origin, however many callers ask, and the steps of the caller that retrieves for all: store,
//! claim, retrieval, and store again. Both caches follow them.

use alloc::sync::Arc;
use core::hash::Hash;
use core::time::Duration;
use std::collections::HashMap;
use std::sync::Mutex;

use crate::cache::core::Core;
use crate::common::lock;
use crate::entry::Entry;
use crate::origin::Origin;
use crate::store::Store;
use crate::store::error::StoreError;

/// The way in which a leader signals to its followers that it has finished.
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

    /// Passes the entry on; `None` if the leader failed.
    fn finish(&self, entry: Option<Arc<Entry>>);
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
    entry: Option<Arc<Entry>>,
}

impl<S: Signal> SingleFlight<S> {
    /// Makes the caller a follower if a retrieval of `origin` is in flight, and the leader otherwise.
    pub(super) fn join(&self, origin: &Origin) -> Role<S> {
        let key = (origin.clone(), S::runtime());
        let mut in_flight = lock(&self.0);
        if let Some(follower) = in_flight.get(&key) {
            return Role::Follower(follower.clone());
        }
        let (signal, follower) = S::new();
        in_flight.insert(key.clone(), follower);
        Role::Leader(Leader { flight: Self(Arc::clone(&self.0)), key, signal, entry: None })
    }

    /// Returns the followers' handles of all retrievals in flight.
    #[cfg(feature = "tokio")]
    pub(super) fn all(&self) -> Vec<S::Follower> {
        lock(&self.0).values().cloned().collect()
    }

    /// The follower's handle of the retrieval in flight.
    #[cfg(test)]
    pub(super) fn follower(&self, origin: &Origin) -> Option<S::Follower> {
        lock(&self.0).get(&(origin.clone(), S::runtime())).cloned()
    }
}

impl<S: Signal> Default for SingleFlight<S> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<S: Signal> Leader<S> {
    /// Gives the entry to all followers, and returns it.
    pub(super) fn finish(mut self, entry: Arc<Entry>) -> Arc<Entry> {
        self.entry = Some(Arc::clone(&entry));
        entry
    }
}

impl<S: Signal> Drop for Leader<S> {
    fn drop(&mut self) {
        // First, so that a caller that comes after the signal starts a new retrieval.
        lock(&self.flight.0).remove(&self.key);
        self.signal.finish(self.entry.take());
    }
}

/// How often a caller waits for claims of others, if each of them ends and another one follows.
const MOST_WAITS: u32 = 8;

/// The waits of a caller for the claims of other processes.
#[derive(Default)]
pub(super) struct Waits {
    count: u32,
    waited: Duration,
}

impl Waits {
    /// Returns how long the next wait may take: the lifetime of a claim, and then once more for the claim of the process that comes
    /// after one that was killed. `None`, after a report, if the caller has waited for long enough.
    pub(super) fn next<S: Store>(&mut self, core: &Core<S>, origin: &Origin) -> Option<Duration> {
        let lifetime = core.store.claim_lifetime();
        let left = lifetime.saturating_mul(2).saturating_sub(self.waited).min(lifetime);
        if left.is_zero() || self.count == MOST_WAITS {
            core.noting::<()>(Err(StoreError::Claimed { origin: origin.to_string(), waited: self.waited }));
            return None;
        }
        self.count += 1;
        Some(left)
    }

    /// Notes how long the last wait took.
    pub(super) fn took(&mut self, time: Duration) {
        self.waited = self.waited.saturating_add(time);
    }
}

/// Defines the steps of the caller that retrieves: store, claim, retrieval, and store again. `$await` is `.await`, or nothing, and
/// `$stored` calls a method of the store.
macro_rules! leads {
    ($stored:ident, [$($kind:ident)?], [$($await:tt)*]) => {
        /// Returns the permission of a crawler, after a retrieval if the entry in memory is missing or due.
        $($kind)? fn permission(self: &Arc<Self>, origin: &Origin, crawler: &Crawler) -> Permission {
            loop {
                let entry = match self.core.can_answer(origin) {
                    true => None,
                    false => Some(self.retrieve(origin, Wanted::Current)$($await)*),
                };
                let kept = self.core.compiled(origin, crawler);
                let permission =
                    kept.or_else(|| entry.map(|entry| entry.permission(crawler, (self.core.clock)())));
                // The entry may be dropped from memory between the two questions.
                if let Some(permission) = permission {
                    return permission;
                }
            }
        }

        /// Returns the entry in memory, or if it is not good enough, that of the store.
        $($kind)? fn held(&self, origin: &Origin, wanted: Wanted) -> Option<Arc<Entry>> {
            let local = self.core.local(origin);
            if self.core.enough(&local, wanted).is_some() {
                return local;
            }
            let found = $stored!(self, get(origin));
            self.core.found(origin, local, found)
        }

        /// Looks into the store, and retrieves if needed, under a claim of the store.
        $($kind)? fn lead(&self, origin: &Origin, wanted: Wanted) -> Arc<Entry> {
            let core = &self.core;
            let mut before = self.held(origin, wanted)$($await)*;
            let mut waits = Waits::default();
            // The claim ends with the retrieval.
            let _claim = loop {
                if let Some(entry) = core.enough(&before, wanted) {
                    return entry;
                }
                if wanted.is_anew() {
                    break None;
                }
                match core.noting($stored!(self, claim(origin))) {
                    Some(Claim::Held) => {
                        // The entry can be used until another process has stored the next one.
                        if wanted == Wanted::Early && let Some(before) = before {
                            return before;
                        }
                        let Some(at_most) = waits.next(core, origin) else { break None };
                        let since = Instant::now();
                        if core.noting($stored!(self, wait(origin, at_most))).is_none() {
                            break None;
                        }
                        waits.took(since.elapsed());
                        before = self.held(origin, wanted)$($await)*;
                    }
                    granted => {
                        // Another process may have stored an entry meanwhile.
                        if granted.is_some() && core.store().blocks() {
                            before = self.held(origin, wanted)$($await)*;
                            if let Some(entry) = core.enough(&before, wanted) {
                                return entry;
                            }
                        }
                        break granted;
                    }
                }
            };
            let retrieval = core.retrieval(origin, before.as_deref());
            let outcome = {
                let _turn = self.turn(origin, wanted)$($await)*;
                self.fetch.fetch(retrieval)$($await)*
            };
            let (entry, is_new) = core.next(origin, before.as_ref(), outcome, wanted);
            if is_new {
                let new = Arc::clone(&entry);
                core.noting($stored!(self, put(origin, &new)));
            }
            entry
        }
    };
}

pub(super) use leads;
