//! Options of caches.

use core::fmt;
use std::time::SystemTime;

use robots_match::Crawler;

use crate::cache::queue::RetrievalLimits;
use crate::map::StoreLimits;
use crate::profile::SiteProfile;
use crate::store::Store;
use crate::store::error::StoreError;

/// The options of a cache: profile, limits, store and clock.
///
/// ```
/// use robots_fetch::{AccessPolicy, CacheOptions, SiteProfile, StoreLimits};
/// use std::time::{Duration, SystemTime};
///
/// // The access policy decides where a profile leaves a choice.
/// let mut profile = SiteProfile::GOOGLE;
/// profile.access.error_page_may_be_404 = true;
/// profile.access.outage = AccessPolicy::FILE_AT_ONCE;
/// let tomorrow = || SystemTime::now() + Duration::from_secs(24 * 60 * 60);
/// let limits = StoreLimits { entries: 1_000_000, bytes: 2 << 30 };
/// let options = CacheOptions::new(profile).limits(limits).clock(tomorrow);
/// ```
pub struct CacheOptions<S = ()> {
    pub(super) profile: SiteProfile,
    pub(super) store: S,
    pub(super) clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    pub(super) limits: StoreLimits,
    pub(super) retrievals: RetrievalLimits,
    pub(super) crawler: Crawler,
    pub(super) on_store_error: Box<dyn Fn(&StoreError) + Send + Sync>,
}

impl CacheOptions {
    /// Creates options with this profile and the defaults: at most [`StoreLimits::DEFAULT`] in memory, no other store,
    /// [`RetrievalLimits::DEFAULT`], the system clock, and no function for store errors.
    #[must_use]
    pub fn new(profile: SiteProfile) -> Self {
        Self {
            profile,
            store: (),
            clock: Box::new(SystemTime::now),
            limits: StoreLimits::DEFAULT,
            retrievals: RetrievalLimits::DEFAULT,
            crawler: Crawler::unnamed(),
            on_store_error: Box::new(|_| ()),
        }
    }
}

impl<S: Store> CacheOptions<S> {
    /// Creates options with a store and the profile that it was opened for, so that the profile is given once; with RFC 9309 if the
    /// store keeps the entries of any profile. Otherwise as [`Self::new`] and [`Self::store`].
    ///
    /// ```no_run
    /// use robots_fetch::{Cache, CacheOptions, SiteProfile, StoreLimits};
    ///
    /// # #[cfg(feature = "disk")] {
    /// let disk = robots_fetch::Disk::open("robots.sqlite", SiteProfile::GOOGLE, StoreLimits::DEFAULT)?;
    /// let options = CacheOptions::with_store(disk);
    /// # }
    /// # Ok::<(), robots_fetch::StoreError>(())
    /// ```
    #[must_use]
    pub fn with_store(store: S) -> Self {
        let profile = store.profile().copied().unwrap_or_default();
        CacheOptions::new(profile).store(store)
    }
}

impl<S> CacheOptions<S> {
    /// Uses a store besides the memory of the cache: one that lasts longer, or that several processes share. The cache asks
    /// it for entries that are missing in memory or due, once for all callers that wait.
    ///
    /// A store that was opened for another profile is not used: the cache reports [`StoreError::OtherProfile`] when it is made.
    #[must_use]
    pub fn store<T: Store>(self, store: T) -> CacheOptions<T> {
        let Self { profile, clock, limits, retrievals, crawler, on_store_error, .. } = self;
        CacheOptions { profile, store, clock, limits, retrievals, crawler, on_store_error }
    }

    /// Uses another clock. It has to be the clock of the retrievals ([`Transport::now`](crate::Transport::now)).
    #[must_use]
    pub fn clock(self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self { clock: Box::new(clock), ..self }
    }

    /// Sets how much the cache keeps in memory: origins, and the bytes that they take with their entries, compiled rules and
    /// facts. An entry that takes more than all these bytes is retrieved for each question.
    #[must_use]
    pub fn limits(self, limits: StoreLimits) -> Self {
        Self { limits, ..self }
    }

    /// Sets the limits of retrievals.
    #[must_use]
    pub fn retrieval_limits(self, retrievals: RetrievalLimits) -> Self {
        Self { retrievals, ..self }
    }

    /// Sets the crawler whose rules decide whether a redirect of a robots.txt leads to a disallowed URL, under a profile with
    /// [`redirect_to_disallowed`](crate::AccessPolicy::redirect_to_disallowed). By default a crawler that no line names, so
    /// that the rules for `*` decide.
    #[must_use]
    pub fn crawler(self, crawler: Crawler) -> Self {
        Self { crawler, ..self }
    }

    /// Calls `f` for every store error. No verdict depends on these errors: an entry that can't be read is retrieved again.
    #[must_use]
    pub fn on_store_error(self, f: impl Fn(&StoreError) + Send + Sync + 'static) -> Self {
        Self { on_store_error: Box::new(f), ..self }
    }
}

impl<S: fmt::Debug> fmt::Debug for CacheOptions<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CacheOptions");
        shown.field("store", &self.store).field("limits", &self.limits).finish_non_exhaustive()
    }
}
