//! Where entries are kept between retrievals.

use alloc::sync::Arc;
use core::fmt;

use crate::entry::Entry;
use crate::origin::Origin;

#[cfg(feature = "redb")]
mod disk;
mod lru;
mod memory;
#[cfg(feature = "moka")]
mod moka;
mod tiered;

#[cfg(feature = "redb")]
pub use disk::Disk;
pub(crate) use lru::Lru;
pub use memory::Memory;
#[cfg(feature = "moka")]
pub use moka::Moka;
pub use tiered::Tiered;

/// A place where the entries of origins are kept. It may forget any of them at any time; it must not change one.
///
/// ```
/// use robots_fetch::{Bounds, Memory, Origin, Store};
///
/// let store = Memory::new(Bounds { entries: 10_000, octets: 64 << 20 });
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
    fn waits(&self) -> bool {
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

            fn waits(&self) -> bool {
                (**self).waits()
            }
        }
    )*};
}

store_behind!(Arc, Box);

/// The most that a store keeps; what was not used for the longest time goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "complete by definition")]
pub struct Bounds {
    /// How many entries.
    pub entries: usize,
    /// How many octets: bodies, URLs and fields, and 512 octets more for each entry. An entry that alone has more is not
    /// kept.
    pub octets: usize,
}

impl Bounds {
    /// 10,000 entries, 64 MiB.
    pub const DEFAULT: Self = Self { entries: 10_000, octets: 64 << 20 };
}

impl Default for Bounds {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// How many octets an entry takes with all it holds, about.
pub(crate) fn weight(origin: &Origin, entry: &Entry) -> usize {
    const OVERHEAD: usize = 512;
    let hops: usize = entry.hops().iter().map(|hop| size_of_val(hop) + hop.url.as_str().len()).sum();
    let file = entry.good_file().or_else(|| entry.was());
    OVERHEAD + origin.as_str().len() + hops + file.map_or(0, |file| file.len() + file.facts_len())
}

/// Why a store could not do what it was asked.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// It is in use: of this name, by another process or another part of this one.
    Busy(String),
    /// It can't be read, for it is damaged or was never a store: of this name, for this reason. A new one has to be begun
    /// in its place.
    Damaged(String, String),
    /// One entry, that of this origin, is not as it was written: for this reason.
    Entry(String, String),
    /// The store of this name failed, for this reason.
    Failed(String, String),
}

impl StoreError {
    /// The failure of the store of this name, for this reason.
    #[must_use]
    pub fn failed(name: &str, why: &str) -> Self {
        Self::Failed(name.to_owned(), why.to_owned())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy(name) => write!(f, "store `{name}` is in use"),
            Self::Damaged(name, why) => write!(f, "store `{name}` is damaged or none: {why}"),
            Self::Entry(origin, why) => write!(f, "the store's entry of {origin} is damaged: {why}"),
            Self::Failed(name, why) => write!(f, "store `{name}` failed: {why}"),
        }
    }
}

impl core::error::Error for StoreError {}

#[cfg(test)]
pub(crate) mod tests;
