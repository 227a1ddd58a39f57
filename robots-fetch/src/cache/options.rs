//! Options of caches.

use core::fmt;
use std::time::SystemTime;

use robots_match::Crawler;

use crate::profile::SiteProfile;
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::limits::StoreLimits;
use crate::store::memory::Memory;

/// The options of a cache: profile, store, clock, and the limits of compiled rule sets.
///
/// ```
/// use robots_fetch::{AccessPolicy, CacheOptions, Memory, SiteProfile, StoreLimits};
/// use std::time::{Duration, SystemTime};
///
/// // The access policy decides where a profile leaves a choice.
/// let mut profile = SiteProfile::GOOGLE;
/// profile.access.error_page_may_be_404 = true;
/// profile.access.outage = AccessPolicy::FILE_AT_ONCE;
/// let tomorrow = || SystemTime::now() + Duration::from_secs(24 * 60 * 60);
/// let store = Memory::new(StoreLimits { entries: 100, bytes: 1 << 20 });
/// let options = CacheOptions::new(profile).store(store).clock(tomorrow);
/// ```
pub struct CacheOptions<S = Memory> {
    pub(super) profile: SiteProfile,
    pub(super) store: S,
    pub(super) clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    pub(super) rule_sets: StoreLimits,
    pub(super) crawler: Crawler,
    pub(super) on_store_error: Box<dyn Fn(&StoreError) + Send + Sync>,
}

impl CacheOptions {
    /// Creates options with this profile and the defaults: a store in memory ([`Memory::default`]), the system clock, compiled
    /// rule sets within [`StoreLimits::DEFAULT`], and no function for store errors.
    #[must_use]
    pub fn new(profile: SiteProfile) -> Self {
        Self {
            profile,
            store: Memory::default(),
            clock: Box::new(SystemTime::now),
            rule_sets: StoreLimits::DEFAULT,
            crawler: Crawler::unnamed(),
            on_store_error: Box::new(|_| ()),
        }
    }
}

impl<S> CacheOptions<S> {
    /// Uses another store. A store that fails to keep entries causes a retrieval for each question; put a store in memory
    /// [in front](crate::Tiered) of one that can fail.
    #[must_use]
    pub fn store<T: Store>(self, store: T) -> CacheOptions<T> {
        let Self { profile, clock, rule_sets, crawler, on_store_error, .. } = self;
        CacheOptions { profile, store, clock, rule_sets, crawler, on_store_error }
    }

    /// Uses another clock. It has to be the clock of the retrievals ([`Transport::now`](crate::Transport::now)).
    #[must_use]
    pub fn clock(self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self { clock: Box::new(clock), ..self }
    }

    /// Sets the limits for compiled rule sets. Each counts as 256 bytes, 24 for each rule, and the bytes of its file.
    #[must_use]
    pub fn rule_set_limits(self, limits: StoreLimits) -> Self {
        Self { rule_sets: limits, ..self }
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
        shown.field("store", &self.store).field("rule_sets", &self.rule_sets).finish_non_exhaustive()
    }
}
