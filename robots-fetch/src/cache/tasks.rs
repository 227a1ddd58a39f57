//! The async cache.

use alloc::sync::Arc;
use core::fmt;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use robots_match::{Crawler, Verdict};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, SemaphorePermit, watch};
use tokio::task::JoinSet;
use tokio::time::sleep;
use url::Url;

use crate::access::Permission;
use crate::cache::decision::Decision;
use crate::cache::options::CacheOptions;
use crate::cache::queue::Pace;
use crate::cache::shared::{Core, Hit, MOST_WAITS, WAIT};
use crate::cache::single_flight::{Role, Signal, SingleFlight};
use crate::cache::times::Wanted;
use crate::entry::Entry;
use crate::map::key::Key;
use crate::origin::{Origin, UnsupportedUrl};
use crate::retrieval::fetch::AsyncFetch;
use crate::store::Store;
use crate::store::claim::Claim;
use crate::store::error::StoreError;
use crate::store::limits::StoreLimits;

/// The async twin of [`Cache`](crate::Cache): callers that wait do not block a thread.
///
/// A retrieval belongs to the task that started it. If that task is dropped or panics, the next task that waits starts
/// another one.
///
/// Retrievals in the background, as [`Cache`](crate::Cache) has them, are tasks of tokio. They are aborted when the cache is
/// dropped. Outside of a tokio runtime the cache works, too: then the caller that finds such a retrieval due waits for it,
/// operations of a store that [blocks](Store::blocks) and has no [async form](Store::as_async) block the task's thread, and so
/// does a pause for the limit of retrievals per second. Within a runtime, such a store is used on tokio's threads for
/// blocking work.
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
pub struct AsyncCache<F, S = ()> {
    inner: Arc<Inner<F, S>>,
    background: Mutex<JoinSet<()>>,
}

/// The parts of a cache that its tasks share.
struct Inner<F, S> {
    core: Arc<Core<S>>,
    fetch: F,
    flight: SingleFlight<TaskSignal>,
    queue: Semaphore,
    pace: Mutex<Pace>,
}

impl<F: AsyncFetch + 'static, S: Store + 'static> AsyncCache<F, S> {
    /// Creates a cache that retrieves by `fetch`.
    #[must_use]
    pub fn new(options: CacheOptions<S>, fetch: F) -> Self {
        let limits = options.retrievals;
        let inner = Inner {
            core: Arc::new(Core::new(options)),
            fetch,
            flight: SingleFlight::default(),
            queue: Semaphore::new(limits.most().min(Semaphore::MAX_PERMITS)),
            pace: Mutex::new(limits.pace()),
        };
        Self { inner: Arc::new(inner), background: Mutex::default() }
    }

    /// Returns the entry of an origin: the one in memory, or a new one if there is none or it is due. Concurrent callers wait for
    /// the retrieval in progress.
    ///
    /// `fetch` must not call this for the same origin: it would wait for itself.
    pub async fn get(&self, origin: &Origin) -> Arc<Entry> {
        match self.inner.core.usable(origin) {
            Some((entry, false)) => entry,
            Some((entry, true)) if self.refresh_in_background(origin.clone()) => entry,
            Some(_) => self.inner.retrieve(origin, Wanted::Early).await,
            None => self.inner.retrieve(origin, Wanted::Current).await,
        }
    }

    /// Retrieves a new entry of an origin, even if the one in memory is fresh. Concurrent callers wait for the retrieval in
    /// progress.
    pub async fn refresh(&self, origin: &Origin) -> Arc<Entry> {
        self.inner.retrieve(origin, Wanted::Anew).await
    }

    /// Returns the entry of an origin in memory or in the store, due or not.
    pub async fn peek(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.inner.held(origin, Wanted::Current).await
    }

    /// Removes the entry of an origin from memory and from the store.
    pub async fn forget(&self, origin: &Origin) {
        let core = &self.inner.core;
        core.sites.remove(&origin.key());
        let removed = match core.store.as_async() {
            Some(store) => store.remove(origin).await,
            None => self.inner.with_store(origin, |store, origin| store.remove(origin)).await,
        };
        core.noting(removed);
    }

    /// Returns what a crawler may do at the site of a URL. The rules are compiled once for all URLs of the site.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub async fn permission(&self, url: &Url, crawler: &Crawler) -> Result<Permission, UnsupportedUrl> {
        let hit = self.inner.core.permission(&Key::from_url(url)?, crawler);
        match self.hit(url, hit).await? {
            Some(permission) => Ok(permission),
            None => Ok(self.inner.permission(&Origin::from_url(url)?, crawler).await),
        }
    }

    /// Returns whether a crawler may access a URL, and why.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub async fn check(&self, url: &Url, crawler: &Crawler) -> Result<Verdict, UnsupportedUrl> {
        let hit = self.inner.core.check(&Key::from_url(url)?, url, crawler);
        match self.hit(url, hit).await? {
            Some(verdict) => Ok(verdict),
            None => Ok(self.inner.permission(&Origin::from_url(url)?, crawler).await.check_url(url)),
        }
    }

    /// Returns all that a crawler needs to know about a URL; see [`Cache::decide`](crate::Cache::decide).
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub async fn decide(&self, url: &Url, crawler: &Crawler) -> Result<Decision, UnsupportedUrl> {
        let core = &self.inner.core;
        let hit = core.decide(&Key::from_url(url)?, url, crawler);
        if let Some(decision) = self.hit(url, hit).await? {
            return Ok(decision);
        }
        let origin = Origin::from_url(url)?;
        let _ = self.inner.permission(&origin, crawler).await;
        match core.decide_anyway(&origin.key(), url, crawler) {
            Some(decision) => Ok(decision),
            None => Ok(core.decide_by(&*self.get(&origin).await, url, crawler)),
        }
    }

    /// Returns the decision about the robots.txt of an origin by the entry in memory, due or not.
    #[cfg(feature = "gate")]
    pub(crate) fn known(&self, origin: &Origin, crawler: &Crawler) -> Option<Decision> {
        self.inner.core.decide_anyway(&origin.key(), origin.robots_url(), crawler)
    }

    /// Returns the store.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.inner.core.store
    }

    /// Returns the number of origins in memory, and the bytes that they take.
    #[must_use]
    pub fn size(&self) -> StoreLimits {
        StoreLimits { entries: self.inner.core.sites.len(), bytes: self.inner.core.sites.bytes() }
    }

    /// Returns how many origins were dropped from memory so far because a [limit](CacheOptions::limits) was reached.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.inner.core.sites.dropped()
    }

    /// Returns the answer from memory, and starts a retrieval in the background if one is due. Without a runtime that could run
    /// it, makes the retrieval first.
    #[inline]
    async fn hit<T>(&self, url: &Url, hit: Hit<T>) -> Result<Option<T>, UnsupportedUrl> {
        let Some((answer, due)) = hit else { return Ok(None) };
        if due {
            let origin = Origin::from_url(url)?;
            if !self.refresh_in_background(origin.clone()) {
                self.inner.retrieve(&origin, Wanted::Early).await;
                return Ok(None);
            }
        }
        Ok(Some(answer))
    }

    /// Retrieves an origin in a task, unless too many are retrieved so. The next question after a second tries again. Returns
    /// `false` without a runtime.
    fn refresh_in_background(&self, origin: Origin) -> bool {
        let Ok(runtime) = Handle::try_current() else { return false };
        // Nothing that can panic leaves the set half changed.
        let mut tasks = self.background.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        if tasks.len() < self.inner.core.retrievals.background {
            let inner = Arc::clone(&self.inner);
            let retrieve = async move { drop(inner.retrieve(&origin, Wanted::Early).await) };
            tasks.spawn_on(retrieve, &runtime);
        }
        true
    }
}

impl<F: AsyncFetch + 'static, S: Store + 'static> Inner<F, S> {
    /// Returns the permission of a crawler, after a retrieval if the entry in memory is missing or due.
    async fn permission(&self, origin: &Origin, crawler: &Crawler) -> Permission {
        loop {
            let entry = match self.core.can_answer(origin) {
                true => None,
                false => Some(self.retrieve(origin, Wanted::Current).await),
            };
            let kept = self.core.compiled(origin, crawler);
            let permission =
                kept.or_else(|| entry.map(|entry| entry.permission(crawler, (self.core.clock)())));
            // The entry may be dropped from memory between the two questions.
            if let Some(permission) = permission {
                return permission;
            }
        }
    }

    /// Returns the entry in memory, or if it is not good enough, that of the store.
    async fn held(&self, origin: &Origin, wanted: Wanted) -> Option<Arc<Entry>> {
        let local = self.core.local(origin);
        if local.as_ref().is_some_and(|entry| self.core.is_enough(entry, wanted)) {
            return local;
        }
        let found = match self.core.store.as_async() {
            Some(store) => store.get(origin).await,
            None => self.with_store(origin, |store, origin| store.get(origin)).await,
        };
        self.core.found(origin, local, found)
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
        let mut before = self.held(origin, wanted).await;
        let mut claim = None;
        // A caller of another process may retrieve; who waited too often retrieves without a claim.
        for _ in 0..MOST_WAITS {
            match &before {
                _ if wanted == Wanted::Anew => break,
                Some(held) if core.is_enough(held, wanted) => return Arc::clone(held),
                _ => {}
            }
            let store = core.store.as_async();
            let claimed = match store {
                Some(store) => store.claim(origin).await,
                None => self.with_store(origin, |store, origin| store.claim(origin)).await,
            };
            let claimed = core.noting(claimed);
            if let (Some(Claim::Held), Some(held), Wanted::Early) = (&claimed, &before, wanted) {
                // The entry can be used until another process has stored the next one.
                return Arc::clone(held);
            }
            match claimed {
                Some(Claim::Held) => {
                    let waited = match store {
                        Some(store) => store.wait(origin, WAIT).await,
                        None => self.with_store(origin, |store, origin| store.wait(origin, WAIT)).await,
                    };
                    if core.noting(waited).is_none() {
                        break;
                    }
                    before = self.held(origin, wanted).await;
                }
                Some(granted) => {
                    claim = Some(granted);
                    if core.store.blocks() {
                        before = self.held(origin, wanted).await;
                    }
                    break;
                }
                None => break,
            }
        }
        if let Some(held) = &before
            && core.is_enough(held, wanted)
        {
            return Arc::clone(held);
        }
        let turn = self.turn().await;
        let outcome = self.fetch.fetch(core.retrieval(origin, before.as_deref())).await;
        drop(turn);
        let (entry, is_new) = core.next(origin, before.as_ref(), outcome, wanted);
        if is_new {
            let put = match core.store.as_async() {
                Some(store) => store.put(origin, &entry).await,
                None => {
                    let entry = Arc::clone(&entry);
                    self.with_store(origin, move |store, origin| store.put(origin, &entry)).await
                }
            };
            core.noting(put);
        }
        drop(claim);
        entry
    }

    /// Waits for the turn of this task, in the order of the calls.
    async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        let turn = self.queue.acquire().await.ok();
        let pause = {
            let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
            pace.take(Instant::now())
        };
        match Handle::try_current() {
            _ if pause.is_zero() => {}
            Ok(_) => sleep(pause).await,
            Err(_) => thread::sleep(pause),
        }
        turn
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
        f.debug_struct("AsyncCache").field("store", &self.inner.core.store).finish_non_exhaustive()
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
