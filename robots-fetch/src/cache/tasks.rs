//! The async cache.

use alloc::sync::Arc;
use core::fmt;
use std::panic::resume_unwind;

use robots_match::{Crawler, Verdict};
use tokio::runtime::Handle;
use tokio::sync::watch;
use url::Url;

use crate::access::Permission;
use crate::cache::options::CacheOptions;
use crate::cache::shared::{Core, MOST_WAITS, WAIT, Wanted};
use crate::cache::single_flight::{Role, Signal, SingleFlight};
use crate::entry::Entry;
use crate::origin::{Origin, UnsupportedUrl};
use crate::retrieval::fetch::AsyncFetch;
use crate::store::Store;
use crate::store::claim::Claim;
use crate::store::error::StoreError;
use crate::store::memory::Memory;

/// The async twin of [`Cache`](crate::Cache): callers that wait do not block a thread.
///
/// A retrieval belongs to the task that started it. If that task is dropped or panics, the next task that waits starts
/// another one.
///
/// The cache needs no particular runtime. If the store may [block](Store::blocks) and has no [async form](Store::as_async), its
/// operations run on tokio's threads for blocking work; outside of a tokio runtime they block the task's thread.
///
/// ```
/// use robots_fetch::{AsyncCache, AwaitingHead, CacheOptions, Head, NextStep, Origin, Retrieval, SiteProfile};
/// use std::time::SystemTime;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), robots_fetch::UnsupportedUrl> {
/// // A client for the example: no site has a robots.txt.
/// let fetch = |retrieval: Retrieval| async move {
///     let Retrieval { origin, validators, profile, .. } = &retrieval;
///     let awaiting = AwaitingHead::new(origin, validators, profile, SystemTime::now());
///     let NextStep::Done(outcome) = awaiting.head(&Head::new(404), SystemTime::now()) else { unreachable!() };
///     outcome
/// };
/// let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
/// let entry = cache.get(&Origin::parse("https://example.com")?).await;
/// assert_eq!(entry.status(), Some(404));
/// # Ok(())
/// # }
/// ```
pub struct AsyncCache<F, S = Memory> {
    core: Arc<Core<S>>,
    fetch: F,
    flight: SingleFlight<TaskSignal>,
}

impl<F: AsyncFetch, S: Store + 'static> AsyncCache<F, S> {
    /// Creates a cache that retrieves by `fetch`.
    #[must_use]
    pub fn new(options: CacheOptions<S>, fetch: F) -> Self {
        Self { core: Arc::new(Core::new(options)), fetch, flight: SingleFlight::default() }
    }

    /// Returns the entry of an origin: the stored one, or a new one if there is none or it is due. Concurrent callers wait for
    /// the retrieval in progress.
    ///
    /// `fetch` must not call this for the same origin: it would wait for itself.
    pub async fn get(&self, origin: &Origin) -> Arc<Entry> {
        match self.core.local(origin).filter(|entry| !self.core.is_due(entry)) {
            Some(entry) => entry,
            None => self.retrieve(origin, Wanted::Current).await,
        }
    }

    /// Retrieves a new entry of an origin, even if the stored one is fresh. Concurrent callers wait for the retrieval in
    /// progress.
    pub async fn refresh(&self, origin: &Origin) -> Arc<Entry> {
        self.retrieve(origin, Wanted::Anew).await
    }

    /// Returns the stored entry of an origin, due or not.
    pub async fn peek(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.held(origin).await
    }

    /// Removes the entry of an origin from the store.
    pub async fn forget(&self, origin: &Origin) {
        if let Some(store) = self.core.store.as_async() {
            self.core.noting(store.remove(origin).await);
            return;
        }
        let origin = origin.clone();
        self.with_core(move |core| core.forget(&origin)).await;
    }

    /// Returns what a crawler may do at the site of a URL. The rules are compiled once for all URLs of the site.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub async fn permission(&self, url: &Url, crawler: &Crawler) -> Result<Permission, UnsupportedUrl> {
        let origin = Origin::from_url(url)?;
        let entry = self.get(&origin).await;
        Ok(self.core.permission(&origin, &entry, crawler))
    }

    /// Returns whether a crawler may access a URL, and why.
    ///
    /// To check many URLs of one site, keep the [`Self::permission`].
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub async fn check(&self, url: &Url, crawler: &Crawler) -> Result<Verdict, UnsupportedUrl> {
        Ok(self.permission(url, crawler).await?.check_url(url))
    }

    /// Returns the store.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.core.store
    }

    /// As [`Core::held`].
    async fn held(&self, origin: &Origin) -> Option<Arc<Entry>> {
        let local = self.core.local(origin);
        if local.as_ref().is_some_and(|entry| !self.core.is_due(entry)) {
            return local;
        }
        let found = match self.core.store.as_async() {
            Some(store) => store.get(origin).await,
            None => self.with_store(origin, |store, origin| store.get(origin)).await,
        };
        self.core.found(local, found)
    }

    async fn with_store<T: Send + 'static>(
        &self,
        origin: &Origin,
        act: impl FnOnce(&S, &Origin) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let origin = origin.clone();
        self.with_core(move |core| act(&core.store, &origin)).await
    }

    /// Looks into the store, and retrieves if needed, under a claim of the store.
    async fn lead(&self, origin: &Origin, wanted: Wanted) -> Arc<Entry> {
        let core = &self.core;
        let mut before = self.held(origin).await;
        let mut claim = None;
        // A caller of another process may retrieve; who waited too often retrieves without a claim.
        for _ in 0..MOST_WAITS {
            match &before {
                _ if wanted == Wanted::Anew => break,
                Some(held) if !core.is_due(held) => return Arc::clone(held),
                _ => {}
            }
            let store = core.store.as_async();
            let claimed = match store {
                Some(store) => store.claim(origin).await,
                None => self.with_store(origin, |store, origin| store.claim(origin)).await,
            };
            match core.noting(claimed) {
                Some(Claim::Held) => {
                    let waited = match store {
                        Some(store) => store.wait(origin, WAIT).await,
                        None => self.with_store(origin, |store, origin| store.wait(origin, WAIT)).await,
                    };
                    if core.noting(waited).is_none() {
                        break;
                    }
                    before = self.held(origin).await;
                }
                Some(granted) => {
                    claim = Some(granted);
                    if core.store.blocks() {
                        before = self.held(origin).await;
                    }
                    break;
                }
                None => break,
            }
        }
        if let Some(held) = &before
            && wanted == Wanted::Current
            && !core.is_due(held)
        {
            return Arc::clone(held);
        }
        let outcome = self.fetch.fetch(core.retrieval(origin, before.as_deref())).await;
        let entry = Arc::new(Entry::from_outcome(before.as_deref(), outcome, &core.profile));
        let put = match core.store.as_async() {
            Some(store) => store.put(origin, &entry).await,
            None => {
                let entry = Arc::clone(&entry);
                self.with_store(origin, move |store, origin| store.put(origin, &entry)).await
            }
        };
        core.noting(put);
        drop(claim);
        entry
    }

    /// Runs `act`, which may block on the store.
    async fn with_core<T: Send + 'static>(&self, act: impl FnOnce(&Core<S>) -> T + Send + 'static) -> T {
        let runtime = Handle::try_current().ok().filter(|_| self.core.store.blocks());
        let Some(runtime) = runtime else { return act(&self.core) };
        let core = Arc::clone(&self.core);
        match runtime.spawn_blocking(move || act(&core)).await {
            Ok(done) => done,
            Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
            // The runtime is being shut down, and this task with it.
            Err(_) => core::future::pending().await,
        }
    }

    async fn retrieve(&self, origin: &Origin, wanted: Wanted) -> Arc<Entry> {
        loop {
            let leader = match self.flight.join(origin) {
                Role::Follower(mut receiver) => {
                    match receiver.wait_for(Option::is_some).await.as_deref() {
                        Ok(Some(entry)) => return Arc::clone(entry),
                        // The leader failed.
                        _ => continue,
                    }
                }
                Role::Leader(leader) => leader,
            };
            return leader.finish(self.lead(origin, wanted).await);
        }
    }
}

impl<F, S: fmt::Debug> fmt::Debug for AsyncCache<F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncCache").field("store", &self.core.store).finish_non_exhaustive()
    }
}

/// The signal that tasks wait for.
struct TaskSignal(watch::Sender<Option<Arc<Entry>>>);

impl Signal for TaskSignal {
    type Follower = watch::Receiver<Option<Arc<Entry>>>;

    fn new() -> (Self, Self::Follower) {
        let (sender, receiver) = watch::channel(None);
        (Self(sender), receiver)
    }

    fn finish(&self, entry: Arc<Entry>) {
        self.0.send_replace(Some(entry));
    }
}
