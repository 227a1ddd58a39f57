//! The async cache.

use alloc::sync::Arc;
use core::fmt;
use core::pin::Pin;
use std::panic::resume_unwind;

use robots_match::{Crawler, Verdict};
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
use crate::profile::SiteProfile;
use crate::retrieval::nonblocking::IsDisallowed;
use crate::retrieval::outcome::Outcome;
use crate::store::Store;
use crate::store::memory::Memory;

/// An async source of robots.txt files: a client, or a closure that returns a future, such as
/// `move |origin, validators, profile| { let client = client.clone(); async move { … } }`.
///
/// The trait is not dyn-compatible, because its future is not boxed. To choose a client at run time, use a closure whose
/// future is boxed:
///
/// ```
/// use core::pin::Pin;
/// use robots_fetch::{AsyncCache, CacheOptions, Origin, Outcome, SiteProfile, Validators};
///
/// type Retrieval = Pin<Box<dyn Future<Output = Outcome> + Send>>;
/// type AnyClient = Box<dyn Fn(Origin, Validators, SiteProfile) -> Retrieval + Send + Sync>;
///
/// fn cache(client: AnyClient) -> AsyncCache<AnyClient> {
///     AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), client)
/// }
/// ```
pub trait AsyncFetch: Send + Sync {
    /// Makes one retrieval, for example by [`retrieve_async`](crate::retrieve_async). It has to end.
    fn fetch(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
    ) -> impl Future<Output = Outcome> + Send;

    /// As [`Self::fetch`], but stops before a redirect to a URL for which `is_disallowed` returns `true`; see
    /// [`Fetch::fetch_checked`](crate::Fetch::fetch_checked).
    fn fetch_checked<'a>(
        &'a self,
        origin: &'a Origin,
        validators: &'a Validators,
        profile: &'a SiteProfile,
        is_disallowed: &'a IsDisallowed<'a>,
    ) -> impl Future<Output = Outcome> + Send {
        let _ = is_disallowed;
        self.fetch(origin, validators, profile)
    }
}

impl<F, T> AsyncFetch for F
where
    F: Fn(Origin, Validators, SiteProfile) -> T + Send + Sync,
    T: Future<Output = Outcome> + Send,
{
    fn fetch(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
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
        profile: &SiteProfile,
    ) -> impl Future<Output = Outcome> + Send {
        Self::fetch(self, origin, validators, profile)
    }

    fn fetch_checked<'a>(
        &'a self,
        origin: &'a Origin,
        validators: &'a Validators,
        profile: &'a SiteProfile,
        is_disallowed: &'a IsDisallowed<'a>,
    ) -> impl Future<Output = Outcome> + Send {
        self.retrieve(origin, validators, profile, Some(is_disallowed))
    }
}

#[cfg(all(feature = "ftp", feature = "reqwest"))]
impl AsyncFetch for crate::client::ByScheme<crate::client::reqwest::Client> {
    fn fetch(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
    ) -> impl Future<Output = Outcome> + Send {
        Self::fetch(self, origin, validators, profile)
    }

    fn fetch_checked<'a>(
        &'a self,
        origin: &'a Origin,
        validators: &'a Validators,
        profile: &'a SiteProfile,
        is_disallowed: &'a IsDisallowed<'a>,
    ) -> impl Future<Output = Outcome> + Send {
        self.retrieve(origin, validators, profile, Some(is_disallowed))
    }
}

/// The async twin of [`Cache`](crate::Cache): callers that wait do not block a thread.
///
/// A retrieval belongs to the task that started it. If that task is dropped or panics, the next task that waits starts
/// another one.
///
/// The cache needs no particular runtime. If the store may [block](Store::blocks), its operations run on tokio's threads for
/// blocking work; outside of a tokio runtime they block the task's thread.
///
/// ```
/// use robots_fetch::{AsyncCache, AwaitingHead, CacheOptions, Head, Origin, SiteProfile, NextStep, Validators};
/// use std::time::SystemTime;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), robots_fetch::UnsupportedUrl> {
/// // A client for the example: no site has a robots.txt.
/// let fetch = |origin: Origin, validators: Validators, profile: SiteProfile| async move {
///     let awaiting = AwaitingHead::new(&origin, &validators, &profile, SystemTime::now());
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
        match self.held(origin).await.filter(|entry| !self.core.is_due(entry)) {
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

    async fn held(&self, origin: &Origin) -> Option<Arc<Entry>> {
        if !self.core.store.blocks() {
            return self.core.held(origin);
        }
        let origin = origin.clone();
        self.with_core(move |core| core.held(&origin)).await
    }

    async fn is_disallowed(&self, url: Url) -> bool {
        self.with_core(move |core| core.is_disallowed(&url)).await
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
            // Another leader may have finished since the store was asked.
            let before = self.held(origin).await;
            if let Some(held) = &before
                && wanted == Wanted::Current
                && !self.core.is_due(held)
            {
                return leader.finish(Arc::clone(held));
            }
            let validators = before.as_deref().map(Entry::validators).unwrap_or_default();
            let is_disallowed =
                |url| Box::pin(self.is_disallowed(url)) as Pin<Box<dyn Future<Output = bool> + Send + '_>>;
            let outcome =
                self.fetch.fetch_checked(origin, &validators, &self.core.profile, &is_disallowed).await;
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
