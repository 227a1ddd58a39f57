//! What a cache is told.

use core::fmt;
use std::time::SystemTime;

use crate::profile::Profile;
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::limits::StoreLimits;
use crate::store::memory::Memory;

/// What a cache is told: the profile, where entries are kept, which clock counts.
///
/// ```
/// use robots_fetch::{StoreLimits, CacheOptions, Memory, Profile};
/// use std::time::{Duration, SystemTime};
///
/// let tomorrow = || SystemTime::now() + Duration::from_secs(24 * 60 * 60);
/// let store = Memory::new(StoreLimits { entries: 100, bytes: 1 << 20 });
/// let options = CacheOptions::new(Profile::GOOGLE).store(store).clock(tomorrow);
/// ```
pub struct CacheOptions<S = Memory> {
    pub(super) profile: Profile,
    pub(super) store: S,
    pub(super) clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    pub(super) rules: StoreLimits,
    pub(super) told: Box<dyn Fn(&StoreError) + Send + Sync>,
}

impl CacheOptions {
    /// This profile, a store in memory, the clock of the system, at most 10,000 rule sets of 64 MiB together, and silence
    /// about errors of the store.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            store: Memory::default(),
            clock: Box::new(SystemTime::now),
            rules: StoreLimits::DEFAULT,
            told: Box::new(|_| ()),
        }
    }
}

impl<S> CacheOptions<S> {
    /// The same with another store. One that fails to keep what it is given causes a retrieval for each question: put a
    /// store in memory [in front](crate::Tiered) of one that can.
    #[must_use]
    pub fn store<T: Store>(self, store: T) -> CacheOptions<T> {
        let Self { profile, clock, rules, told, .. } = self;
        CacheOptions { profile, store, clock, rules, told }
    }

    /// The same with another clock. It has to be that by which retrievals tell when they were made.
    #[must_use]
    pub fn clock(self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self { clock: Box::new(clock), ..self }
    }

    /// The same with other bounds to the rule sets that are kept compiled. Each counts 256 bytes and those of its file.
    #[must_use]
    pub fn rules(self, bounds: StoreLimits) -> Self {
        Self { rules: bounds, ..self }
    }

    /// The same, and each error of the store is told. No answer depends on them: what can't be read is retrieved.
    #[must_use]
    pub fn on_store_error(self, told: impl Fn(&StoreError) + Send + Sync + 'static) -> Self {
        Self { told: Box::new(told), ..self }
    }
}

impl<S: fmt::Debug> fmt::Debug for CacheOptions<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CacheOptions");
        shown.field("store", &self.store).field("rules", &self.rules).finish_non_exhaustive()
    }
}
