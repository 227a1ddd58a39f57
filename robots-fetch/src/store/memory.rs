//! A store in memory.

use alloc::sync::Arc;

use crate::entry::Entry;
use crate::map::{OriginMap, StoreLimits};
use crate::origin::Origin;
use crate::store::Store;
use crate::store::error::StoreError;

/// A store in memory, with up to 64 locks, each of which is held for less than a microsecond. An entry that was not used for a
/// long time is dropped first.
///
/// A cache keeps entries in memory without a store. This one is for entries outside of caches, or that several caches share.
pub struct Memory(OriginMap<Arc<Entry>>);

impl Memory {
    /// Creates an empty store.
    #[must_use]
    pub fn new(bounds: StoreLimits) -> Self {
        Self(OriginMap::new(bounds))
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the store is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of bytes, counted as in [`StoreLimits`].
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new(StoreLimits::DEFAULT)
    }
}

debug!([] Memory as "Memory", |memory| "entries": memory.len(), "bytes": memory.bytes());

impl Store for Memory {
    fn local(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.0.find(&origin.key(), |entry| Arc::clone(entry))
    }

    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        Ok(self.local(origin))
    }

    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        self.0.insert(&origin.key(), Arc::clone(entry), entry.memory());
        Ok(())
    }

    fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        self.0.remove(&origin.key());
        Ok(())
    }
}
