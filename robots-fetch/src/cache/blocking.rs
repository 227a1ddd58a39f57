//! The blocking cache.

use alloc::sync::Arc;
use core::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use robots_match::{Crawler, Verdict};
use url::Url;

use crate::access::Permission;
use crate::cache::options::CacheOptions;
use crate::cache::shared::{Core, Wanted};
use crate::cache::single_flight::{Role, Signal, SingleFlight};
use crate::entry::Entry;
use crate::http::validators::Validators;
use crate::origin::{Origin, UnsupportedUrl};
use crate::profile::SiteProfile;
use crate::retrieval::outcome::Outcome;
use crate::store::Store;
use crate::store::memory::Memory;

/// A source of robots.txt files that may block its thread: a client, or a closure.
///
/// A retrieval has to end. If it panics, its caller gets the panic, and the next caller that waits tries again.
pub trait Fetch: Send + Sync {
    /// Makes one retrieval, for example by [`retrieve`](crate::retrieve).
    fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome;

    /// As [`Self::fetch`], but stops before a redirect to a URL for which `is_disallowed` returns `true`
    /// ([`AwaitingHead::url_to_check`](crate::AwaitingHead::url_to_check)). The clients of this crate do so; by default, as
    /// for closures, such redirects are followed.
    fn fetch_checked(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
        is_disallowed: &dyn Fn(&Url) -> bool,
    ) -> Outcome {
        let _ = is_disallowed;
        self.fetch(origin, validators, profile)
    }
}

impl<F> Fetch for F
where
    F: Fn(&Origin, &Validators, &SiteProfile) -> Outcome + Send + Sync,
{
    fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        self(origin, validators, profile)
    }
}

#[cfg(feature = "ureq")]
impl Fetch for crate::client::ureq::Client {
    fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        Self::fetch(self, origin, validators, profile)
    }

    fn fetch_checked(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
        is_disallowed: &dyn Fn(&Url) -> bool,
    ) -> Outcome {
        self.retrieve(origin, validators, profile, Some(is_disallowed))
    }
}

#[cfg(all(feature = "ftp", feature = "ureq"))]
impl Fetch for crate::client::ByScheme<crate::client::ureq::Client> {
    fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        Self::fetch(self, origin, validators, profile)
    }

    fn fetch_checked(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
        is_disallowed: &dyn Fn(&Url) -> bool,
    ) -> Outcome {
        self.retrieve(origin, validators, profile, Some(is_disallowed))
    }
}

#[cfg(feature = "ftp")]
impl Fetch for crate::client::ftp::Client {
    fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        Self::fetch(self, origin, validators, profile)
    }
}

/// A blocking cache: retrieves a robots.txt if there is none or it is due ([`Entry::is_due`](crate::Entry::is_due)),
/// one at a time for each origin, and keeps the rules compiled. `AsyncCache` is its async twin, behind the feature `tokio`.
///
/// While the robots.txt is unreachable, the entry that says so is kept like any other until the next attempt, and
/// [`Entry::access`] returns the rules of an earlier file if the profile's schedule allows that.
///
/// ```
/// use robots_fetch::matching::Crawler;
/// use robots_fetch::{AwaitingHead, Cache, CacheOptions, Head, SiteProfile, NextStep};
/// use std::time::SystemTime;
///
/// // A client for the example: no site has a robots.txt.
/// let cache = Cache::new(CacheOptions::new(SiteProfile::RFC9309), |origin: &_, validators: &_, profile: &_| {
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
    pub(super) core: Core<S>,
    fetch: F,
    pub(super) flight: SingleFlight<SlotSignal>,
}

impl<F: Fetch, S: Store> Cache<F, S> {
    /// Creates a cache that retrieves by `fetch`.
    #[must_use]
    pub fn new(options: CacheOptions<S>, fetch: F) -> Self {
        Self { core: Core::new(options), fetch, flight: SingleFlight::default() }
    }

    /// Returns the entry of an origin: the stored one, or a new one if there is none or it is due. Concurrent callers wait for
    /// the retrieval in progress.
    ///
    /// `fetch` must not call this for the same origin: it would wait for itself.
    #[must_use]
    pub fn get(&self, origin: &Origin) -> Arc<Entry> {
        let held = self.core.held(origin).filter(|entry| !self.core.is_due(entry));
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
    pub const fn store(&self) -> &S {
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
            // Another leader may have finished since the store was asked.
            let before = self.core.held(origin);
            if let Some(held) = &before
                && wanted == Wanted::Current
                && !self.core.is_due(held)
            {
                return leader.finish(Arc::clone(held));
            }
            let validators = before.as_deref().map(Entry::validators).unwrap_or_default();
            let is_disallowed = |url: &Url| self.core.is_disallowed(url);
            let outcome = self.fetch.fetch_checked(origin, &validators, &self.core.profile, &is_disallowed);
            return leader.finish(self.core.next(origin, before.as_deref(), outcome));
        }
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
