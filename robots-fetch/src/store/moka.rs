//! A store in memory, over moka.

use alloc::sync::Arc;
use core::fmt;

use moka::policy::EvictionPolicy;
use moka::sync::Cache;

use crate::entry::Entry;
use crate::origin::Origin;
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::limits::StoreLimits;

/// A store in memory for many threads, over [moka](::moka), which locks only parts of its map.
///
/// Each entry counts with its bytes, but at least with the bytes of the limits divided by the entries: in a store for 100
/// entries and 1 MiB, an entry counts at least 10 KiB. So both limits hold. Entries beyond them are dropped soon after, not
/// at once.
///
/// New entries are always stored: a robots.txt that was just retrieved and is not stored would be retrieved again for the
/// next page.
pub struct Moka(Cache<Origin, Arc<Entry>>);

impl Moka {
    /// Creates an empty store.
    #[must_use]
    pub fn new(bounds: StoreLimits) -> Self {
        let least = bounds.bytes.div_ceil(bounds.entries.max(1));
        let weigh = move |_: &Origin, entry: &Arc<Entry>| {
            u32::try_from(entry.weight().max(least)).unwrap_or(u32::MAX)
        };
        let capacity = if bounds.entries == 0 { 0 } else { bounds.bytes as u64 };
        let cache = Cache::builder().max_capacity(capacity).weigher(weigh);
        Self(cache.eviction_policy(EvictionPolicy::lru()).build())
    }

    /// Returns the number of entries, after pending removals.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.run_pending_tasks();
        usize::try_from(self.0.entry_count()).unwrap_or(usize::MAX)
    }

    /// Returns whether the store is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Default for Moka {
    fn default() -> Self {
        Self::new(StoreLimits::DEFAULT)
    }
}

/// For example `Moka { entries: 3 }`.
impl fmt::Debug for Moka {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Moka").field("entries", &self.len()).finish()
    }
}

impl Store for Moka {
    fn local(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.0.get(origin)
    }

    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        Ok(self.local(origin))
    }

    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        self.0.insert(origin.clone(), Arc::clone(entry));
        Ok(())
    }

    fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        self.0.invalidate(origin);
        Ok(())
    }
}
