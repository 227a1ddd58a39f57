//! A store in front of another.

use alloc::sync::Arc;
use core::time::Duration;

use crate::entry::Entry;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::store::Claim;
use crate::store::error::StoreError;
use crate::store::{AsyncStore, Store, StoreFuture};

/// A store in front of another that is larger, slower, lasts longer or is shared: memory in front of a disk or a server.
///
/// [`local`](Store::local) returns the entry in front. [`get`](Store::get) asks the store at the back, because the entry in
/// front may be stale there too, and copies its entry to the front. So a cache asks the back only for entries that are missing
/// or due.
///
/// The store in front keeps entries even if the other fails: a full disk does not cause a request before every page.
///
/// A [`Cache`](crate::Cache) or an [`AsyncCache`](crate::AsyncCache) keeps entries in memory itself, and does not need one in front
/// of its store.
#[derive(Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "complete by definition")]
pub struct Tiered<F, B> {
    /// The store in front. It must not block.
    pub front: F,
    /// The store that is asked for entries that the first one does not have, or whose entry is due.
    pub back: B,
}

impl<F: Store, B: Store> Tiered<F, B> {
    /// Creates a store of `front` and `back`.
    #[must_use]
    pub const fn new(front: F, back: B) -> Self {
        Self { front, back }
    }

    /// Returns the later one of the entry in front and the one of the back, which becomes the one in front.
    fn later(&self, origin: &Origin, back: Option<Arc<Entry>>) -> Result<Option<Arc<Entry>>, StoreError> {
        let front = self.front.get(origin)?;
        match (front, back) {
            (Some(front), Some(back)) if front.is_later_than(&back) => Ok(Some(front)),
            (_, Some(back)) => {
                self.front.put(origin, &back)?;
                Ok(Some(back))
            }
            (front, None) => Ok(front),
        }
    }
}

impl<F: Store, B: Store> Store for Tiered<F, B> {
    fn local(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.front.local(origin)
    }

    fn profile(&self) -> Option<&SiteProfile> {
        self.back.profile().or_else(|| self.front.profile())
    }

    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        self.later(origin, self.back.get(origin)?)
    }

    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        let front = self.front.put(origin, entry);
        self.back.put(origin, entry).and(front)
    }

    fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        let front = self.front.remove(origin);
        self.back.remove(origin).and(front)
    }

    fn claim(&self, origin: &Origin) -> Result<Claim, StoreError> {
        self.back.claim(origin)
    }

    fn wait(&self, origin: &Origin, at_most: Duration) -> Result<(), StoreError> {
        self.back.wait(origin, at_most)
    }

    fn claim_lifetime(&self) -> Duration {
        self.back.claim_lifetime()
    }

    fn blocks(&self) -> bool {
        self.front.blocks() || self.back.blocks()
    }

    fn as_async(&self) -> Option<&dyn AsyncStore> {
        self.back.as_async().is_some().then_some(self)
    }
}

/// The back in its async form, or else blocking.
impl<F: Store, B: Store> AsyncStore for Tiered<F, B> {
    fn get<'a>(&'a self, origin: &'a Origin) -> StoreFuture<'a, Option<Arc<Entry>>> {
        Box::pin(async move {
            let back = match self.back.as_async() {
                Some(back) => back.get(origin).await?,
                None => self.back.get(origin)?,
            };
            self.later(origin, back)
        })
    }

    fn put<'a>(&'a self, origin: &'a Origin, entry: &'a Arc<Entry>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let Some(back) = self.back.as_async() else { return Store::put(self, origin, entry) };
            let front = self.front.put(origin, entry);
            back.put(origin, entry).await.and(front)
        })
    }

    fn remove<'a>(&'a self, origin: &'a Origin) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let Some(back) = self.back.as_async() else { return Store::remove(self, origin) };
            let front = self.front.remove(origin);
            back.remove(origin).await.and(front)
        })
    }

    fn claim<'a>(&'a self, origin: &'a Origin) -> StoreFuture<'a, Claim> {
        match self.back.as_async() {
            Some(back) => back.claim(origin),
            None => Box::pin(async move { self.back.claim(origin) }),
        }
    }

    fn wait<'a>(&'a self, origin: &'a Origin, at_most: Duration) -> StoreFuture<'a, ()> {
        match self.back.as_async() {
            Some(back) => back.wait(origin, at_most),
            None => Box::pin(async move { self.back.wait(origin, at_most) }),
        }
    }
}
