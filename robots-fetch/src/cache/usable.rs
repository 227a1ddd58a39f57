//! The store of a cache, as far as the cache can use it.

use alloc::sync::Arc;
use core::time::Duration;

use crate::entry::Entry;
use crate::origin::Origin;
use crate::profile::SiteProfile;
#[cfg(feature = "tokio")]
use crate::store::AsyncStore;
use crate::store::Store;
use crate::store::claim::Claim;
use crate::store::error::StoreError;

/// A store that is not asked if it was opened for another profile than that of the cache: its entries would answer for other rules,
/// and those of the cache would replace what others keep there.
pub(super) struct Usable<S> {
    store: S,
    is_usable: bool,
}

impl<S> Usable<S> {
    /// Returns the store, whether or not it is used.
    pub(super) const fn store(&self) -> &S {
        &self.store
    }
}

impl<S: Store> Usable<S> {
    pub(super) fn new(store: S, profile: &SiteProfile) -> Self {
        let is_usable = store.profile().is_none_or(|of| of == profile);
        Self { store, is_usable }
    }

    pub(super) const fn is_usable(&self) -> bool {
        self.is_usable
    }

    pub(super) fn local(&self, origin: &Origin) -> Option<Arc<Entry>> {
        if self.is_usable { self.store.local(origin) } else { None }
    }

    pub(super) fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        if self.is_usable { self.store.get(origin) } else { Ok(None) }
    }

    pub(super) fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        if self.is_usable { self.store.put(origin, entry) } else { Ok(()) }
    }

    pub(super) fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        if self.is_usable { self.store.remove(origin) } else { Ok(()) }
    }

    pub(super) fn claim(&self, origin: &Origin) -> Result<Claim, StoreError> {
        if self.is_usable { self.store.claim(origin) } else { Ok(Claim::default()) }
    }

    pub(super) fn wait(&self, origin: &Origin, at_most: Duration) -> Result<(), StoreError> {
        if self.is_usable { self.store.wait(origin, at_most) } else { Ok(()) }
    }

    pub(super) fn claim_lifetime(&self) -> Duration {
        self.store.claim_lifetime()
    }

    pub(super) fn blocks(&self) -> bool {
        self.is_usable && self.store.blocks()
    }

    #[cfg(feature = "tokio")]
    pub(super) fn as_async(&self) -> Option<&dyn AsyncStore> {
        if self.is_usable { self.store.as_async() } else { None }
    }
}
