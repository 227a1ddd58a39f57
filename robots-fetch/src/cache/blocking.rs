//! The blocking cache.

use alloc::sync::Arc;
use core::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use robots_match::{Crawler, Verdict};
use url::Url;

use crate::access::Permission;
use crate::cache::options::CacheOptions;
use crate::cache::shared::{Core, MOST_WAITS, WAIT, Wanted};
use crate::cache::single_flight::{Role, Signal, SingleFlight};
use crate::entry::Entry;
use crate::origin::{Origin, UnsupportedUrl};
use crate::retrieval::fetch::Fetch;
use crate::store::Store;
use crate::store::claim::Claim;
use crate::store::memory::Memory;

/// A blocking cache: retrieves a robots.txt if there is none or it is due ([`Entry::is_due`](crate::Entry::is_due)),
/// one at a time for each origin, and keeps the rules compiled. `AsyncCache` is its async twin, behind the feature `tokio`.
///
/// While the robots.txt is unreachable, the entry that says so is kept like any other until the next attempt, and
/// [`Entry::access`] returns the rules of an earlier file if the profile's schedule allows that.
///
/// ```
/// use robots_fetch::matching::Crawler;
/// use robots_fetch::{AwaitingHead, Cache, CacheOptions, Head, NextStep, Retrieval, SiteProfile};
/// use std::time::SystemTime;
///
/// // A client for the example: no site has a robots.txt.
/// let cache = Cache::new(CacheOptions::new(SiteProfile::RFC9309), |retrieval: Retrieval| {
///     let Retrieval { origin, validators, profile, .. } = &retrieval;
///     let awaiting = AwaitingHead::new(origin, validators, profile, SystemTime::now());
///     let NextStep::Done(outcome) = awaiting.head(&Head::new(404), SystemTime::now()) else { unreachable!() };
///     outcome
/// });
/// let bot = Crawler::new("ExampleBot")?;
/// let url = "https://example.com/page".parse()?;
/// let permission = cache.permission(&url, &bot)?;
/// assert!(permission.check_url(&url).is_allowed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cache<F, S = Memory> {
    pub(super) core: Arc<Core<S>>,
    fetch: F,
    pub(super) flight: SingleFlight<SlotSignal>,
}

impl<F: Fetch, S: Store + 'static> Cache<F, S> {
    /// Creates a cache that retrieves by `fetch`.
    #[must_use]
    pub fn new(options: CacheOptions<S>, fetch: F) -> Self {
        Self { core: Arc::new(Core::new(options)), fetch, flight: SingleFlight::default() }
    }

    /// Returns the entry of an origin: the stored one, or a new one if there is none or it is due. Concurrent callers wait for
    /// the retrieval in progress.
    ///
    /// `fetch` must not call this for the same origin: it would wait for itself.
    #[must_use]
    pub fn get(&self, origin: &Origin) -> Arc<Entry> {
        let held = self.core.local(origin).filter(|entry| !self.core.is_due(entry));
        held.unwrap_or_else(|| self.retrieve(origin, Wanted::Current))
    }

    /// Retrieves a new entry of an origin, even if the stored one is fresh. Concurrent callers wait for the retrieval in
    /// progress.
    pub fn refresh(&self, origin: &Origin) -> Arc<Entry> {
        self.retrieve(origin, Wanted::Anew)
    }

    /// Returns the stored entry of an origin, due or not.
    #[must_use]
    pub fn peek(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.core.held(origin)
    }

    /// Removes the entry of an origin from the store.
    pub fn forget(&self, origin: &Origin) {
        self.core.forget(origin);
    }

    /// Returns what a crawler may do at the site of a URL. The rules are compiled once for all URLs of the site.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub fn permission(&self, url: &Url, crawler: &Crawler) -> Result<Permission, UnsupportedUrl> {
        let origin = Origin::from_url(url)?;
        Ok(self.core.permission(&origin, &self.get(&origin), crawler))
    }

    /// Returns whether a crawler may access a URL, and why.
    ///
    /// To check many URLs of one site, keep the [`Self::permission`].
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub fn check(&self, url: &Url, crawler: &Crawler) -> Result<Verdict, UnsupportedUrl> {
        Ok(self.permission(url, crawler)?.check_url(url))
    }

    /// Returns the store.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.core.store
    }

    fn retrieve(&self, origin: &Origin, wanted: Wanted) -> Arc<Entry> {
        loop {
            let leader = match self.flight.join(origin) {
                Role::Follower(slot) => match slot.wait() {
                    Some(entry) => return entry,
                    // The leader failed.
                    None => continue,
                },
                Role::Leader(leader) => leader,
            };
            return leader.finish(self.lead(origin, wanted));
        }
    }

    /// Looks into the store, and retrieves if needed, under a claim of the store.
    fn lead(&self, origin: &Origin, wanted: Wanted) -> Arc<Entry> {
        let core = &self.core;
        let mut before = core.held(origin);
        let mut claim = None;
        // A caller of another process may retrieve; who waited too often retrieves without a claim.
        for _ in 0..MOST_WAITS {
            match &before {
                _ if wanted == Wanted::Anew => break,
                Some(held) if !core.is_due(held) => return Arc::clone(held),
                _ => {}
            }
            match core.noting(core.store.claim(origin)) {
                Some(Claim::Held) if core.noting(core.store.wait(origin, WAIT)).is_none() => break,
                Some(Claim::Held) => before = core.held(origin),
                Some(granted) => {
                    claim = Some(granted);
                    if core.store.blocks() {
                        before = core.held(origin);
                    }
                    break;
                }
                None => break,
            }
        }
        if let Some(held) = &before
            && wanted == Wanted::Current
            && !core.is_due(held)
        {
            return Arc::clone(held);
        }
        let outcome = self.fetch.fetch(core.retrieval(origin, before.as_deref()));
        let entry = core.next(origin, before.as_deref(), outcome);
        drop(claim);
        entry
    }
}

impl<F, S: fmt::Debug> fmt::Debug for Cache<F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("store", &self.core.store).finish_non_exhaustive()
    }
}

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
    fn wait(&self) -> Option<Arc<Entry>> {
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
