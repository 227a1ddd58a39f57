//! A store in memory.

use alloc::sync::Arc;
use core::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::entry::Entry;
use crate::origin::Origin;
use crate::store::Store;
use crate::store::error::StoreError;
use crate::store::limits::StoreLimits;
use crate::store::lru::Lru;

/// A store in memory: a map with one lock, which is held for less than a microsecond.
pub struct Memory(Mutex<Lru<Origin, Arc<Entry>>>);

impl Memory {
    /// Creates an empty store.
    #[must_use]
    pub fn new(bounds: StoreLimits) -> Self {
        Self(Mutex::new(Lru::new(bounds)))
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.map().size().0
    }

    /// Returns whether the store is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of bytes, counted as in [`StoreLimits`].
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.map().size().1
    }

    // Nothing that can panic leaves the map half changed.
    fn map(&self) -> MutexGuard<'_, Lru<Origin, Arc<Entry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new(StoreLimits::DEFAULT)
    }
}

/// For example `Memory { entries: 3, bytes: 2047 }`.
impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, bytes) = self.map().size();
        f.debug_struct("Memory").field("entries", &entries).field("bytes", &bytes).finish()
    }
}

impl Store for Memory {
    fn local(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.map().get(origin).cloned()
    }

    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        Ok(self.local(origin))
    }

    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        self.map().put(origin.clone(), Arc::clone(entry), entry.weight());
        Ok(())
    }

    fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        self.map().remove(origin);
        Ok(())
    }
}
