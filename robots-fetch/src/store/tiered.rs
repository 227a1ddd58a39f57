//! A store in front of another.

use alloc::sync::Arc;

use crate::entry::Entry;
use crate::origin::Origin;
use crate::store::Store;
use crate::store::error::StoreError;

/// A store in front of another that is larger, slower or lasts longer: memory in front of a disk.
///
/// The store in front keeps entries even if the other fails: a full disk does not cause a request before every page.
#[derive(Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "complete by definition")]
pub struct Tiered<F, B> {
    /// The store that is asked first.
    pub front: F,
    /// The store that is asked for entries that the first one does not have.
    pub back: B,
}

impl<F: Store, B: Store> Tiered<F, B> {
    /// Creates a store of `front` and `back`.
    #[must_use]
    pub const fn new(front: F, back: B) -> Self {
        Self { front, back }
    }
}

impl<F: Store, B: Store> Store for Tiered<F, B> {
    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        if let Some(entry) = self.front.get(origin)? {
            return Ok(Some(entry));
        }
        let entry = self.back.get(origin)?;
        if let Some(entry) = &entry {
            self.front.put(origin, entry)?;
        }
        Ok(entry)
    }

    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        let front = self.front.put(origin, entry);
        self.back.put(origin, entry).and(front)
    }

    fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        let front = self.front.remove(origin);
        self.back.remove(origin).and(front)
    }

    fn blocks(&self) -> bool {
        self.front.blocks() || self.back.blocks()
    }
}
