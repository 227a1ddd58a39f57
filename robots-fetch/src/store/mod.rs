//! Stores of entries.

#[cfg(feature = "disk")]
pub(crate) mod disk;
pub(crate) mod error;
pub(crate) mod memory;
#[cfg(feature = "redis")]
pub(crate) mod redis;
#[cfg(test)]
pub(crate) mod tests;

use alloc::sync::Arc;
use core::fmt;
use core::pin::Pin;
use core::time::Duration;

use crate::entry::Entry;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::store::error::StoreError;

/// The lifetime of a claim: a little longer than the 30 s that a client takes at most by default.
const CLAIM_LIFETIME: Duration = Duration::from_secs(35);

/// A store of entries by origin. It may drop any entry at any time, but must not change one.
///
/// A store that several processes or machines share also hands out [claims](Self::claim), so that one of them retrieves a
/// robots.txt while the others wait for its entry. A cache asks such a store as follows:
///
/// 1. [`local`](Self::local), if the cache has no entry in its own memory;
/// 2. [`get`](Self::get), if that entry is missing or due, once for all callers of the process that wait for it;
/// 3. [`claim`](Self::claim), if the entry that was found is due. If the store [blocks](Self::blocks), a caller with the claim
///    calls `get` once more, because another process may have stored an entry meanwhile. Then it retrieves, calls [`put`](Self::put) and drops the claim. Any other caller
///    [waits](Self::wait), and begins again with `get`.
///
/// A store in a file or on a server belongs to one access policy, and keeps the entries of others apart: `SiteProfile::key`
/// is the key for that, [`Entry::weight`] the size of an entry, and [`Entry::is_storable`] says what must not be written.
///
/// ```
/// use robots_fetch::{Memory, Origin, Store};
///
/// let store = Memory::default();
/// assert!(store.get(&Origin::parse("https://example.com")?).unwrap().is_none());
/// # Ok::<(), robots_fetch::UnsupportedUrl>(())
/// ```
pub trait Store: Send + Sync {
    /// Returns the entry of an origin from the memory of this process, if it is there. Never waits for a disk, a network or
    /// another process. By default `None`.
    fn local(&self, origin: &Origin) -> Option<Arc<Entry>> {
        let _ = origin;
        None
    }

    /// Returns the profile that the store was opened for; `None` if it keeps the entries of any. A cache with another profile reports
    /// [`StoreError::OtherProfile`] once, and does without the store.
    fn profile(&self) -> Option<&SiteProfile> {
        None
    }

    /// Returns the entry of an origin, if there is one. May wait for a disk or a network ([`Self::blocks`]), and does not
    /// stop at an entry in memory that another process may have replaced.
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

    /// Claims the retrieval of an origin among all that share the store. Does not wait for other claims. By default, each
    /// claim is granted.
    ///
    /// # Errors
    ///
    /// The store failed. A cache then retrieves without a claim.
    fn claim(&self, origin: &Origin) -> Result<Claim, StoreError> {
        let _ = origin;
        Ok(Claim::default())
    }

    /// Waits until the claim on an origin has ended, because it was dropped or has expired; at most this long. Returns at once
    /// if the origin has no claim.
    ///
    /// # Errors
    ///
    /// The store failed. A cache then retrieves without a claim.
    fn wait(&self, origin: &Origin, at_most: Duration) -> Result<(), StoreError> {
        let _ = (origin, at_most);
        Ok(())
    }

    /// Returns the longest time for which a claim lasts if its holder does not end it. A cache waits for the claims of others for
    /// at most twice as long in all: for the claim of a process that was killed, and for that of the process that comes after it.
    /// Then it reports [`StoreError::Claimed`], and retrieves without a claim. By default 35 s.
    fn claim_lifetime(&self) -> Duration {
        CLAIM_LIFETIME
    }

    /// Returns whether the methods except [`Self::local`] may wait for a disk, a network or another process. An async cache
    /// then calls them on threads for blocking work, unless there is an async form ([`Self::as_async`]).
    fn blocks(&self) -> bool {
        false
    }

    /// Returns the async form of the store, if it has one. By default `None`.
    fn as_async(&self) -> Option<&dyn AsyncStore> {
        None
    }
}

/// The store of a cache that keeps entries only in memory: it has none.
impl Store for () {
    fn get(&self, _: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        Ok(None)
    }

    fn put(&self, _: &Origin, _: &Arc<Entry>) -> Result<(), StoreError> {
        Ok(())
    }

    fn remove(&self, _: &Origin) -> Result<(), StoreError> {
        Ok(())
    }
}

type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// The async form of a [`Store`]. Each method does what the method of this name of the store does, and waits without blocking
/// a thread. A future that is dropped leaves the store as it was, or as if the future had finished.
pub trait AsyncStore: Send + Sync {
    /// See [`Store::get`].
    fn get<'a>(&'a self, origin: &'a Origin) -> StoreFuture<'a, Option<Arc<Entry>>>;

    /// See [`Store::put`].
    fn put<'a>(&'a self, origin: &'a Origin, entry: &'a Arc<Entry>) -> StoreFuture<'a, ()>;

    /// See [`Store::remove`].
    fn remove<'a>(&'a self, origin: &'a Origin) -> StoreFuture<'a, ()>;

    /// See [`Store::claim`].
    fn claim<'a>(&'a self, origin: &'a Origin) -> StoreFuture<'a, Claim>;

    /// See [`Store::wait`].
    fn wait<'a>(&'a self, origin: &'a Origin, at_most: Duration) -> StoreFuture<'a, ()>;
}

/// Makes a pointer to a store a store, by these methods.
macro_rules! store_through {
    ($pointer:ident) => {
        store_through! { $pointer:
            local(origin: &Origin) -> Option<Arc<Entry>>,
            profile() -> Option<&SiteProfile>,
            get(origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError>,
            put(origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError>,
            remove(origin: &Origin) -> Result<(), StoreError>,
            claim(origin: &Origin) -> Result<Claim, StoreError>,
            wait(origin: &Origin, at_most: Duration) -> Result<(), StoreError>,
            claim_lifetime() -> Duration,
            blocks() -> bool,
            as_async() -> Option<&dyn AsyncStore>,
        }
    };
    ($pointer:ident: $($method:ident($($argument:ident: $kind:ty),*) -> $result:ty,)*) => {
        impl<S: Store + ?Sized> Store for $pointer<S> {
            $(fn $method(&self, $($argument: $kind),*) -> $result {
                (**self).$method($($argument),*)
            })*
        }
    };
}

store_through!(Arc);
store_through!(Box);

/// The answer of a store to a [claim](crate::Store::claim) on an origin.
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Claim {
    /// The caller retrieves the robots.txt. The claim ends when this value is dropped, or when it expires, so that another
    /// process can retrieve after one that was killed.
    Granted(Box<dyn Send + Sync>),
    /// Another caller has the claim. [`Store::wait`](crate::Store::wait) waits for its end.
    Held,
}

/// A claim that is granted and excludes no other.
impl Default for Claim {
    fn default() -> Self {
        Self::Granted(Box::new(()))
    }
}

/// `Granted` or `Held`.
impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Granted(_) => "Granted",
            Self::Held => "Held",
        })
    }
}

/// Reads the bytes that were stored for an origin. `None` if they are of another version or policy.
#[cfg(any(feature = "disk", feature = "redis"))]
fn read_stored(
    bytes: &[u8],
    origin: &Origin,
    profile: &SiteProfile,
) -> Result<Option<Arc<Entry>>, StoreError> {
    let damaged = |reason: String, source| StoreError::Entry { origin: origin.to_string(), reason, source };
    match Entry::decode(bytes, profile) {
        Err(unreadable) if unreadable.is_absent() => Ok(None),
        Err(unreadable) => Err(damaged(unreadable.to_string(), Some(unreadable.into()))),
        // The checksum does not cover the key.
        Ok(entry) if entry.hops().first().map(|hop| &hop.url) != Some(origin.robots_url()) => {
            Err(damaged("it is of another origin".to_owned(), None))
        }
        Ok(entry) => Ok(Some(Arc::new(entry))),
    }
}
