//! Stores of entries.

#[cfg(feature = "redb")]
pub(crate) mod disk;
pub(crate) mod error;
pub(crate) mod limits;
pub(crate) mod lru;
pub(crate) mod memory;
#[cfg(feature = "moka")]
pub(crate) mod moka;
pub(crate) mod tiered;

use alloc::sync::Arc;

use crate::entry::Entry;
use crate::origin::Origin;
use crate::store::error::StoreError;

/// A store of entries by origin. It may drop any entry at any time, but must not change one.
///
/// ```
/// use robots_fetch::{StoreLimits, Memory, Origin, Store};
///
/// let store = Memory::new(StoreLimits { entries: 10_000, bytes: 64 << 20 });
/// assert!(store.get(&Origin::parse("https://example.com")?).unwrap().is_none());
/// # Ok::<(), robots_fetch::UnsupportedUrl>(())
/// ```
pub trait Store: Send + Sync {
    /// Returns the entry of an origin, if there is one.
    ///
    /// # Errors
    ///
    /// The store failed, or the stored entry is damaged. A cache then acts as if there were none.
    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError>;

    /// Stores the entry of an origin, and replaces the previous one.
    ///
    /// # Errors
    ///
    /// The entry is not stored. The previous one may be lost.
    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError>;

    /// Removes the entry of an origin.
    ///
    /// # Errors
    ///
    /// The entry may still be there.
    fn remove(&self, origin: &Origin) -> Result<(), StoreError>;

    /// Returns whether the methods may block on a disk or a network. An async cache then calls them on threads for blocking
    /// work.
    fn blocks(&self) -> bool {
        false
    }
}

macro_rules! store_through {
    ($($pointer:ident),*) => {$(
        impl<S: Store + ?Sized> Store for $pointer<S> {
            fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
                (**self).get(origin)
            }

            fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
                (**self).put(origin, entry)
            }

            fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
                (**self).remove(origin)
            }

            fn blocks(&self) -> bool {
                (**self).blocks()
            }
        }
    )*};
}

store_through!(Arc, Box);

#[cfg(test)]
pub(crate) mod tests;
