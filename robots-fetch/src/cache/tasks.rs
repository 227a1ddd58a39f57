//! The async cache.

use alloc::sync::Arc;
use core::fmt;
#[cfg(feature = "gate")]
use std::time::SystemTime;

use robots_match::{Crawler, Verdict};
use tokio::runtime::Handle;
use url::Url;

use crate::access::Permission;
use crate::cache::decision::Decision;
use crate::cache::options::CacheOptions;
#[cfg(feature = "gate")]
use crate::cache::requests::RecentRequests;
use crate::cache::shared::Hit;
use crate::cache::single_flight::Role;
use crate::cache::task_retrieval::Inner;
use crate::cache::times::Wanted;
use crate::entry::Entry;
use crate::map::key::Key;
use crate::origin::{Origin, UnsupportedUrl};
use crate::retrieval::fetch::AsyncFetch;
use crate::store::Store;
use crate::store::limits::StoreLimits;

/// The async twin of [`Cache`](crate::Cache): callers that wait do not block a thread.
///
/// # Callers that give up
///
/// Each retrieval is a task on the runtime of the caller that asked first. A caller may give up, for example because of a
/// timeout: the retrieval goes on within the client's own deadline, and its entry serves all who ask during or after the
/// retrieval. [`RetrievalLimits::detached`](crate::RetrievalLimits::detached) bounds the retrievals that no caller waits for.
/// If the client panics, so does the caller that asked first, and another one retrieves again.
///
/// Retrievals in the background, as [`Cache`](crate::Cache) has them, are tasks, too. All tasks are aborted when the cache is
/// dropped. If the runtime of a retrieval is shut down, another caller retrieves again. Each runtime makes its own retrievals: a caller
/// does not wait for one of another runtime, which may not be polled any more.
///
/// Outside of a tokio runtime the cache works, too: then each caller makes its own retrievals, which end if it gives up, and waits
/// for those that are due in the background. Operations of a store that [blocks](Store::blocks) and has no
/// [async form](Store::as_async) block the task's thread, and so does a pause for the limit of retrievals per second. Within a
/// runtime, such a store is used on tokio's threads for blocking work.
///
/// ```
/// use robots_fetch::{AsyncCache, AsyncTransport, CacheOptions, Failure, Head, Origin, Request, Retrieval, SiteProfile};
/// use robots_fetch::retrieve_async;
///
/// // In place of an HTTP client: no site has a robots.txt.
/// struct NoFiles;
///
/// impl AsyncTransport for NoFiles {
///     type Body = ();
///
///     async fn send(&mut self, _: &Request) -> Result<(Head, ()), Failure> {
///         Ok((Head::new(404), ()))
///     }
///
///     async fn read(&mut self, _: &mut (), _: &mut [u8]) -> Result<usize, Failure> {
///         Ok(0)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), robots_fetch::UnsupportedUrl> {
/// let fetch = |retrieval: Retrieval| async move {
///     let Retrieval { origin, validators, profile, .. } = &retrieval;
///     retrieve_async(&mut NoFiles, origin, validators, profile).await
/// };
/// let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
/// let entry = cache.get(&Origin::parse("https://example.com")?).await;
/// assert_eq!(entry.status(), Some(404));
/// # Ok(())
/// # }
/// ```
pub struct AsyncCache<F, S = ()>(Arc<Inner<F, S>>);

impl<F: AsyncFetch + 'static, S: Store + 'static> AsyncCache<F, S> {
    /// Creates a cache that retrieves by `fetch`.
    #[must_use]
    pub fn new(options: CacheOptions<S>, fetch: F) -> Self {
        Self(Arc::new(Inner::new(options, fetch)))
    }

    /// Returns the entry of an origin: the one in memory, or a new one if there is none or it is due. Concurrent callers wait for
    /// the retrieval in progress.
    ///
    /// `fetch` must not call this for the same origin: it would wait for itself.
    pub async fn get(&self, origin: &Origin) -> Arc<Entry> {
        match self.0.core.usable(origin) {
            Some((entry, false)) => entry,
            Some((entry, true)) if self.refresh_in_background(origin) => entry,
            Some(_) => self.0.retrieve(origin, Wanted::Early).await,
            None => self.0.retrieve(origin, Wanted::Current).await,
        }
    }

    /// Retrieves a new entry of an origin, even if the one in memory is fresh. Concurrent callers wait for the retrieval in
    /// progress.
    pub async fn refresh(&self, origin: &Origin) -> Arc<Entry> {
        self.0.retrieve(origin, Wanted::Anew).await
    }

    /// Returns the entry of an origin in memory or in the store, due or not.
    pub async fn peek(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.0.held(origin, Wanted::Current).await
    }

    /// Removes the entry of an origin from memory and from the store.
    pub async fn forget(&self, origin: &Origin) {
        let core = &self.0.core;
        core.sites.remove(&origin.key());
        let removed = match core.store.as_async() {
            Some(store) => store.remove(origin).await,
            None => self.0.with_store(origin, |store, origin| store.remove(origin)).await,
        };
        core.noting(removed);
    }

    /// Returns what a crawler may do at the site of a URL. The rules are compiled once for all URLs of the site.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub async fn permission(&self, url: &Url, crawler: &Crawler) -> Result<Permission, UnsupportedUrl> {
        let hit = self.0.core.permission(&Key::from_url(url)?, crawler);
        match self.hit(url, hit).await? {
            Some(permission) => Ok(permission),
            None => Ok(self.0.permission(&Origin::from_url(url)?, crawler).await),
        }
    }

    /// Returns whether a crawler may access a URL, and why.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub async fn check(&self, url: &Url, crawler: &Crawler) -> Result<Verdict, UnsupportedUrl> {
        let hit = self.0.core.check(&Key::from_url(url)?, url, crawler);
        match self.hit(url, hit).await? {
            Some(verdict) => Ok(verdict),
            None => Ok(self.0.permission(&Origin::from_url(url)?, crawler).await.check_url(url)),
        }
    }

    /// Returns all that a crawler needs to know about a URL; see [`Cache::decide`](crate::Cache::decide).
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub async fn decide(&self, url: &Url, crawler: &Crawler) -> Result<Decision, UnsupportedUrl> {
        let core = &self.0.core;
        let hit = core.decide(&Key::from_url(url)?, url, crawler);
        if let Some(decision) = self.hit(url, hit).await? {
            return Ok(decision);
        }
        let origin = Origin::from_url(url)?;
        let _ = self.0.permission(&origin, crawler).await;
        match core.decide_anyway(&origin.key(), url, crawler) {
            Some(decision) => Ok(decision),
            None => Ok(core.decide_by(&*self.get(&origin).await, url, crawler)),
        }
    }

    /// Returns the permission of a crawler, and the decision about the robots.txt of the origin: by the entry in memory, or by a
    /// new one if this is wanted anew. An entry that is due at once is not retrieved twice.
    #[cfg(feature = "gate")]
    pub(crate) async fn terms(
        &self,
        origin: &Origin,
        crawler: &Crawler,
        anew: bool,
    ) -> (Permission, Decision) {
        let entry = if anew { self.refresh(origin).await } else { self.get(origin).await };
        let (core, url) = (&self.0.core, origin.robots_url());
        let permission = core.compiled(origin, crawler);
        let permission = permission.unwrap_or_else(|| entry.permission(crawler, (core.clock)()));
        let decision = core.decide_anyway(&origin.key(), url, crawler);
        (permission, decision.unwrap_or_else(|| core.decide_by(&entry, url, crawler)))
    }

    /// Returns the time by the clock of the cache.
    #[cfg(feature = "gate")]
    pub(crate) fn now(&self) -> SystemTime {
        (self.0.core.clock)()
    }

    /// Returns the last requests to origins.
    #[cfg(feature = "gate")]
    pub(crate) fn requests(&self) -> &RecentRequests {
        &self.0.core.requests
    }

    /// Returns the store.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.0.core.store
    }

    /// Returns the number of origins in memory, and the bytes that they take.
    #[must_use]
    pub fn size(&self) -> StoreLimits {
        StoreLimits { entries: self.0.core.sites.len(), bytes: self.0.core.sites.bytes() }
    }

    /// Returns how many origins were dropped from memory so far because a [limit](CacheOptions::limits) was reached.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.0.core.sites.dropped()
    }

    /// Returns the answer from memory, and starts a retrieval in the background if one is due. Without a runtime that could run
    /// it, makes the retrieval first.
    #[inline]
    async fn hit<T>(&self, url: &Url, hit: Hit<T>) -> Result<Option<T>, UnsupportedUrl> {
        let Some((answer, due)) = hit else { return Ok(None) };
        if due {
            let origin = Origin::from_url(url)?;
            if !self.refresh_in_background(&origin) {
                self.0.retrieve(&origin, Wanted::Early).await;
                return Ok(None);
            }
        }
        Ok(Some(answer))
    }

    /// Retrieves an origin in a task, unless too many are retrieved so. The next question after a second tries again. Returns
    /// `false` without a runtime.
    fn refresh_in_background(&self, origin: &Origin) -> bool {
        let Ok(runtime) = Handle::try_current() else { return false };
        if let Ok(place) = Arc::clone(&self.0.background).try_acquire_owned()
            && let Role::Leader(leader) = self.0.flight.join(origin)
        {
            leader.signal.flight().set_place(place);
            drop(self.0.start(leader, origin, Wanted::Early, &runtime));
        }
        true
    }
}

impl<F, S> Drop for AsyncCache<F, S> {
    fn drop(&mut self) {
        for flight in self.0.flight.all() {
            flight.abort();
        }
    }
}

impl<F, S: fmt::Debug> fmt::Debug for AsyncCache<F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncCache").field("store", &self.0.core.store).finish_non_exhaustive()
    }
}
