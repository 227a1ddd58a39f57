//! Where entries are kept between retrievals.

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

/// A place where the entries of origins are kept. It may forget any of them at any time; it must not change one.
///
/// ```
/// use robots_fetch::{StoreLimits, Memory, Origin, Store};
///
/// let store = Memory::new(StoreLimits { entries: 10_000, bytes: 64 << 20 });
/// assert!(store.get(&Origin::parse("https://example.com")?).unwrap().is_none());
/// # Ok::<(), robots_fetch::UnsupportedUrl>(())
/// ```
pub trait Store: Send + Sync {
    /// The entry of an origin, if there is one.
    ///
    /// # Errors
    ///
    /// The store can't tell, or what it has is no whole entry. For a cache that is as if there were none.
    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError>;

    /// Keeps the entry of an origin, in place of that before.
    ///
    /// # Errors
    ///
    /// It could not be kept. The one before may be gone.
    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError>;

    /// Forgets the entry of an origin.
    ///
    /// # Errors
    ///
    /// It may still be there.
    fn remove(&self, origin: &Origin) -> Result<(), StoreError>;

    /// Whether these wait for a disk or a network, so that a task should not call them where other tasks need its thread.
    fn blocks(&self) -> bool {
        false
    }
}

macro_rules! store_behind {
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

store_behind!(Arc, Box);

#[cfg(test)]
pub(crate) mod tests;
