//! The cache for tasks.

use alloc::sync::Arc;
use core::fmt;
use std::panic::resume_unwind;

use robots_match::Crawler;
use tokio::runtime::Handle;
use tokio::sync::watch;
use url::Url;

use crate::access::Permission;
use crate::cache::options::CacheOptions;
use crate::cache::shared::{Core, Wanted};
use crate::cache::single_flight::{Role, Signal, SingleFlight};
use crate::entry::Entry;
use crate::http::validators::Validators;
use crate::origin::{Origin, UnsupportedUrl};
use crate::profile::Profile;
use crate::retrieval::outcome::Outcome;
use crate::store::Store;
use crate::store::memory::Memory;

/// What retrieves a robots.txt in a task: a client, or a closure that takes what it needs by value and gives a future, as
/// `move |origin, validators, profile| { let client = client.clone(); async move { … } }`.
pub trait AsyncFetch: Send + Sync {
    /// One retrieval. It has to end.
    fn fetch(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &Profile,
    ) -> impl Future<Output = Outcome> + Send;
}

impl<F, T> AsyncFetch for F
where
    F: Fn(Origin, Validators, Profile) -> T + Send + Sync,
    T: Future<Output = Outcome> + Send,
{
    fn fetch(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &Profile,
    ) -> impl Future<Output = Outcome> + Send {
        self(origin.clone(), validators.clone(), *profile)
    }
}

#[cfg(feature = "reqwest")]
impl AsyncFetch for crate::client::reqwest::Client {
    fn fetch(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &Profile,
    ) -> impl Future<Output = Outcome> + Send {
        Self::fetch(self, origin, validators, profile)
    }
}

#[cfg(all(feature = "ftp", feature = "reqwest"))]
impl AsyncFetch for crate::client::ByScheme<crate::client::reqwest::Client> {
    fn fetch(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &Profile,
    ) -> impl Future<Output = Outcome> + Send {
        Self::fetch(self, origin, validators, profile)
    }
}

/// The [`Cache`](crate::Cache) for tasks: the same, but who waits holds no thread.
///
/// A retrieval belongs to the task that began it. If that is dropped or panics, the next of those who wait begins another.
///
/// It needs no runtime of its own. Where the store [waits](Store::blocks) for a disk, and tokio's runtime is there, its
/// operations run on tokio's threads for that; elsewhere they hold up the task's thread.
///
/// ```
/// use robots_fetch::{AsyncCache, AwaitingHead, CacheOptions, Head, Origin, Profile, NextStep, Validators};
/// use std::time::SystemTime;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), robots_fetch::UnsupportedUrl> {
/// // A client for the example: no site has a robots.txt.
/// let fetch = |origin: Origin, validators: Validators, profile: Profile| async move {
///     let awaiting = AwaitingHead::new(&origin, &validators, &profile, SystemTime::now());
///     let NextStep::Done(outcome) = awaiting.head(&Head::new(404), SystemTime::now()) else { unreachable!() };
///     outcome
/// };
/// let cache = AsyncCache::new(CacheOptions::new(Profile::RFC9309), fetch);
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
    /// A cache that retrieves by `fetch`.
    #[must_use]
    pub fn new(options: CacheOptions<S>, fetch: F) -> Self {
        Self { core: Arc::new(Core::new(options)), fetch, flight: SingleFlight::default() }
    }

    /// The entry of an origin: the one that is held, or a new one if there is none or it is due. Who asks while it is being
    /// retrieved waits for that.
    ///
    /// `fetch` must not ask for the same origin: it would wait for itself.
    pub async fn get(&self, origin: &Origin) -> Arc<Entry> {
        match self.held(origin).await.filter(|entry| !self.core.is_due(entry)) {
            Some(entry) => entry,
            None => self.retrieve(origin, Wanted::Current).await,
        }
    }

    /// A new entry of an origin, whatever is held. Who asks while it is being retrieved waits for that.
    pub async fn refresh(&self, origin: &Origin) -> Arc<Entry> {
        self.retrieve(origin, Wanted::Anew).await
    }

    /// The entry that is held of an origin, due or not.
    pub async fn peek(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.held(origin).await
    }

    /// Forgets the entry of an origin.
    pub async fn forget(&self, origin: &Origin) {
        let origin = origin.clone();
        self.with_core(move |core| core.forget(&origin)).await;
    }

    /// What a crawler may do at the site of a URL, with rules that are compiled once for all URLs of the site.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub async fn permission<'t>(
        &self,
        url: &Url,
        crawler: impl Into<Crawler<'t>>,
    ) -> Result<Permission, UnsupportedUrl> {
        let (origin, crawler) = (Origin::from_url(url)?, crawler.into());
        let entry = self.get(&origin).await;
        Ok(self.core.permission(&origin, &entry, crawler))
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.core.store
    }

    async fn held(&self, origin: &Origin) -> Option<Arc<Entry>> {
        if !self.core.store.blocks() {
            return self.core.held(origin);
        }
        let origin = origin.clone();
        self.with_core(move |core| core.held(&origin)).await
    }

    /// Does something that may wait for the store.
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
            // Another leader may have finished since the store was asked.
            let before = self.held(origin).await;
            if let Some(held) = &before
                && wanted == Wanted::Current
                && !self.core.is_due(held)
            {
                return leader.finish(Arc::clone(held));
            }
            let validators = before.as_deref().map(Entry::validators).unwrap_or_default();
            let outcome = self.fetch.fetch(origin, &validators, &self.core.profile).await;
            let site = origin.clone();
            let next = move |core: &Core<S>| core.next(&site, before.as_deref(), outcome);
            return leader.finish(self.with_core(next).await);
        }
    }
}

impl<F, S: fmt::Debug> fmt::Debug for AsyncCache<F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncCache").field("store", &self.core.store).finish_non_exhaustive()
    }
}

/// What tasks wait for.
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
