//! Options of caches.

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
/// use robots_fetch::{AccessPolicy, CacheOptions, SiteProfile};
/// use std::time::{Duration, SystemTime};
///
/// // The access policy decides where a profile leaves a choice.
/// let mut profile = SiteProfile::GOOGLE;
/// profile.access.error_page_may_be_404 = true;
/// profile.access.outage = AccessPolicy::FILE_AT_ONCE;
/// let tomorrow = || SystemTime::now() + Duration::from_secs(24 * 60 * 60);
/// let mut options = CacheOptions::new(profile).with_clock(tomorrow);
/// options.limits.entries = 1_000_000;
/// options.limits.bytes = 2 << 30;
/// ```
pub struct CacheOptions<S = ()> {
    /// How files and answers are read.
    pub profile: SiteProfile,
    /// How much the cache keeps in memory: origins, and the bytes that they take with their entries, compiled rules and facts. An
    /// entry that takes more than all these bytes is retrieved for each question. By default [`StoreLimits::DEFAULT`].
    pub limits: StoreLimits,
    /// The limits of retrievals. By default [`RetrievalLimits::DEFAULT`].
    pub retrievals: RetrievalLimits,
    /// The crawler whose rules decide whether a redirect of a robots.txt leads to a disallowed URL, under a profile with
    /// [`redirect_to_disallowed`](crate::AccessPolicy::redirect_to_disallowed). By default a crawler that no line names, so that
    /// the rules for `*` decide.
    pub crawler: Crawler,
    pub(super) store: S,
    pub(super) clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    pub(super) on_store_error: Box<dyn Fn(&StoreError) + Send + Sync>,
}

impl CacheOptions {
    /// Creates options with this profile and the defaults: those of the fields, no store besides the memory, the system clock, and no
    /// function for store errors.
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
    /// store keeps the entries of any profile. Otherwise as [`Self::new`] and [`Self::with_store`].
    ///
    /// ```no_run
    /// use robots_fetch::{Cache, CacheOptions, SiteProfile, StoreLimits};
    ///
    /// # #[cfg(feature = "disk")] {
    /// let disk = robots_fetch::Disk::open("robots.sqlite", SiteProfile::GOOGLE, StoreLimits::DEFAULT)?;
    /// let options = CacheOptions::from_store(disk);
    /// # }
    /// # Ok::<(), robots_fetch::StoreError>(())
    /// ```
    #[must_use]
    pub fn from_store(store: S) -> Self {
        let profile = store.profile().copied().unwrap_or_default();
        CacheOptions::new(profile).with_store(store)
    }
}

impl<S> CacheOptions<S> {
    /// Uses a store besides the memory of the cache: one that lasts longer, or that several processes share. The cache asks
    /// it for entries that are missing in memory or due, once for all callers that wait.
    ///
    /// A store that was opened for another profile is not used: the cache reports [`StoreError::OtherProfile`] when it is made.
    #[must_use]
    pub fn with_store<T: Store>(self, store: T) -> CacheOptions<T> {
        let Self { profile, clock, limits, retrievals, crawler, on_store_error, .. } = self;
        CacheOptions { profile, store, clock, limits, retrievals, crawler, on_store_error }
    }

    /// Uses another clock. It has to be the clock of the retrievals ([`Transport::now`](crate::Transport::now)).
    #[must_use]
    pub fn with_clock(self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self { clock: Box::new(clock), ..self }
    }

    /// Calls `f` for every store error. No verdict depends on these errors: an entry that can't be read is retrieved again.
    #[must_use]
    pub fn with_store_error_handler(self, f: impl Fn(&StoreError) + Send + Sync + 'static) -> Self {
        Self { on_store_error: Box::new(f), ..self }
    }
}

debug!([S: core::fmt::Debug] CacheOptions<S> as "CacheOptions", |options| "store": options.store, "limits": options.limits);
