//! The async cache.

use alloc::sync::Arc;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread;
use std::time::{Instant, SystemTime};

use robots_match::{Crawler, Verdict};
use tokio::runtime::{Handle, Id};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit, watch};
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::sleep;
use url::Url;

use crate::access::Permission;
use crate::cache::core::{Core, Hit, questions};
use crate::cache::decision::Decision;
use crate::cache::flight::{Leader, Role, Signal, SingleFlight, Waits, leads};
use crate::cache::options::CacheOptions;
use crate::cache::queue::Pace;
use crate::cache::requests::RecentRequests;
use crate::cache::site::Wanted;
use crate::common::lock;
use crate::entry::Entry;
use crate::map::Key;
use crate::observe;
use crate::origin::{Origin, UnsupportedUrl};
use crate::retrieval::request::AsyncFetch;
use crate::store::error::StoreError;
use crate::store::{Claim, Store};

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
/// use robots_fetch::Outcome;
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
///     Outcome::retrieve_async(&mut NoFiles, origin, validators, profile).await
/// };
/// let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
/// let entry = cache.get(&Origin::parse("https://example.com")?).await;
/// assert_eq!(entry.status(), Some(404));
/// # Ok(())
/// # }
/// ```
pub struct AsyncCache<F, S = ()>(Arc<InUse<F, S>>);

/// Calls a method of the store: its async form, or the method on a thread for blocking work.
macro_rules! stored {
    ($cache:expr, $method:ident($origin:expr $(, $argument:expr)?)) => {
        match $cache.core.store().as_async() {
            Some(store) => store.$method($origin $(, $argument)?).await,
            None => $cache.with_store($origin, move |store, origin| store.$method(origin $(, $argument)?)).await,
        }
    };
}

/// The part of a cache that its users hold, and its retrievals do not.
struct InUse<F, S>(Arc<CacheTasks<F, S>>);

impl<F, S> core::ops::Deref for InUse<F, S> {
    type Target = Arc<CacheTasks<F, S>>;

    fn deref(&self) -> &Arc<CacheTasks<F, S>> {
        &self.0
    }
}

/// Clones are the same cache.
impl<F, S> Clone for AsyncCache<F, S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<F: AsyncFetch + 'static, S: Store + 'static> AsyncCache<F, S> {
    /// Creates a cache that retrieves by `fetch`.
    #[must_use]
    pub fn new(options: CacheOptions<S>, fetch: F) -> Self {
        Self(Arc::new(InUse(Arc::new(CacheTasks::new(options, fetch)))))
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

    /// Returns the permission of a crawler, and the decision about the robots.txt of the origin: by the entry in memory, or by a
    /// new one if this is wanted anew. An entry that is due at once is not retrieved twice.
    pub(crate) async fn terms(
        &self,
        origin: &Origin,
        crawler: &Crawler,
        anew: bool,
    ) -> (Permission, Decision) {
        let entry = match anew {
            true => self.0.retrieve(origin, Wanted::Retry).await,
            false => self.get(origin).await,
        };
        let (core, url) = (&self.0.core, origin.robots_url());
        let permission = core.compiled(origin, crawler);
        let permission = permission.unwrap_or_else(|| entry.permission(crawler, (core.clock)()));
        let decision = core.decide_anyway(&origin.key(), url, crawler);
        (permission, decision.unwrap_or_else(|| core.decide_by(&entry, url, crawler)))
    }

    /// Returns the time by the clock of the cache.
    pub(crate) fn now(&self) -> SystemTime {
        (self.0.core.clock)()
    }

    /// Returns the `User-Agent` of the retrievals, if it is known.
    pub(crate) fn user_agent(&self) -> Option<&str> {
        self.0.fetch.user_agent()
    }

    /// Returns the last requests to origins.
    pub(crate) fn requests(&self) -> &RecentRequests {
        self.0.core.requests.as_ref().expect("every cache of tasks has them")
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

impl<F, S> Drop for InUse<F, S> {
    fn drop(&mut self) {
        for flight in self.0.flight.all() {
            flight.abort();
        }
    }
}

questions! {
    AsyncCache, AsyncFetch, stored, [async], [.await],
    /// Returns all that a crawler needs to know about a URL; see [`Cache::decide`](crate::Cache::decide).
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
}

/// The parts of a cache that its tasks share.
pub(super) struct CacheTasks<F, S> {
    pub(super) core: Arc<Core<S>>,
    fetch: F,
    pub(super) flight: SingleFlight<TaskSignal>,
    queue: Semaphore,
    /// Places for retries: half of all, rounded up, so that sites that do not answer leave room for those that were not asked yet.
    retries: Semaphore,
    pace: Mutex<Pace>,
    /// Places for retrievals in the background.
    pub(super) background: Arc<Semaphore>,
    /// Places for retrievals whose callers have given up.
    detached: Arc<Semaphore>,
}

impl<F: AsyncFetch + 'static, S: Store + 'static> CacheTasks<F, S> {
    pub(super) fn new(options: CacheOptions<S>, fetch: F) -> Self {
        let limits = options.retrievals;
        let places = |count: usize| Semaphore::new(count.min(Semaphore::MAX_PERMITS));
        let requests = cfg!(feature = "gate").then(RecentRequests::default);
        Self {
            core: Arc::new(Core::new(options, requests)),
            fetch,
            flight: SingleFlight::default(),
            queue: places(limits.most()),
            retries: places(limits.most().div_ceil(2)),
            pace: Mutex::new(limits.pace()),
            background: Arc::new(places(limits.background)),
            detached: Arc::new(places(limits.detached)),
        }
    }

    /// Runs `act`, which may block on the store, on a thread for blocking work if there is a runtime.
    pub(super) async fn with_store<T: Send + 'static>(
        &self,
        origin: &Origin,
        act: impl FnOnce(&dyn Store, &Origin) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let runtime = Handle::try_current().ok().filter(|_| self.core.store().blocks());
        let Some(runtime) = runtime else { return act(self.core.store(), origin) };
        let (core, origin) = (Arc::clone(&self.core), origin.clone());
        match runtime.spawn_blocking(move || act(core.store(), &origin)).await {
            Ok(done) => done,
            Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
            // A thread may wait for this in `Handle::block_on`, so it has to end.
            Err(_) => Err(StoreError::failed("of the cache", "the runtime is being shut down")),
        }
    }

    leads!(stored, [async], [.await]);

    /// Waits for the turn of this task, in the order of the calls.
    async fn turn(&self, origin: &Origin, wanted: Wanted) -> [Option<SemaphorePermit<'_>>; 2] {
        let requests = self.core.requests.as_ref().map(|requests| (requests, requests.queue(origin)));
        let retry = match wanted {
            Wanted::Retry => self.retries.acquire().await.ok(),
            _ => None,
        };
        let turn = self.queue.acquire().await.ok();
        let pause = {
            let mut pace = lock(&self.pace);
            pace.take(Instant::now())
        };
        match Handle::try_current() {
            _ if pause.is_zero() => {}
            Ok(_) => sleep(pause).await,
            Err(_) => thread::sleep(pause),
        }
        if let Some((requests, queued)) = requests {
            requests.turned(origin, (self.core.clock)());
            drop(queued);
        }
        [retry, turn]
    }

    /// Returns the entry of the retrieval in flight, and starts one if there is none.
    pub(super) async fn retrieve(self: &Arc<Self>, origin: &Origin, wanted: Wanted) -> Arc<Entry> {
        let mut runtime = Handle::try_current().ok();
        loop {
            let leader = match self.flight.join(origin) {
                Role::Follower(flight) => match flight.attend(&self.detached).entry().await {
                    Some(entry) => return entry,
                    // The leader failed.
                    None => continue,
                },
                Role::Leader(leader) => leader,
            };
            let Some(runtime_now) = &runtime else { return leader.finish(self.lead(origin, wanted).await) };
            let mut attendant = leader.signal.flight().attend(&self.detached);
            let task = self.start(leader, origin, wanted, runtime_now);
            if let Some(entry) = attendant.entry().await {
                return entry;
            }
            match task.await {
                Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
                // The runtime is being shut down, and takes no more tasks.
                _ => runtime = None,
            }
        }
    }

    /// Starts the task that retrieves.
    pub(super) fn start(
        self: &Arc<Self>,
        leader: Leader<TaskSignal>,
        origin: &Origin,
        wanted: Wanted,
        runtime: &Handle,
    ) -> JoinHandle<()> {
        let (inner, origin, flight) = (Arc::clone(self), origin.clone(), leader.signal.flight());
        let retrieve = async move { drop(leader.finish(inner.lead(&origin, wanted).await)) };
        let task = runtime.spawn(observe::in_span(retrieve));
        flight.set_task(task.abort_handle());
        task
    }
}

/// The leader's side of a [`TaskFlight`].
pub(super) struct TaskSignal {
    sender: watch::Sender<Option<Arc<Entry>>>,
    attendance: Arc<Mutex<Attendance>>,
}

/// A retrieval in flight.
#[derive(Clone)]
pub(super) struct TaskFlight {
    receiver: watch::Receiver<Option<Arc<Entry>>>,
    attendance: Arc<Mutex<Attendance>>,
}

/// The callers of a retrieval.
#[derive(Default)]
struct Attendance {
    waiting: usize,
    /// The task that retrieves; `None` if a caller retrieves itself.
    task: Option<AbortHandle>,
    /// The place of a retrieval without callers among those that may go on. It is free again when the retrieval ends.
    place: Option<OwnedSemaphorePermit>,
}

impl TaskSignal {
    /// Returns the retrieval in flight.
    pub(super) fn flight(&self) -> TaskFlight {
        TaskFlight { receiver: self.sender.subscribe(), attendance: Arc::clone(&self.attendance) }
    }
}

impl Signal for TaskSignal {
    type Follower = TaskFlight;
    type Runtime = Option<Id>;

    fn runtime() -> Option<Id> {
        Handle::try_current().ok().map(|runtime| runtime.id())
    }

    fn new() -> (Self, TaskFlight) {
        let signal = Self { sender: watch::channel(None).0, attendance: Arc::default() };
        let flight = signal.flight();
        (signal, flight)
    }

    fn finish(&self, entry: Option<Arc<Entry>>) {
        // Without an entry, the end of the sender is the signal.
        self.sender.send_replace(entry);
    }
}

impl TaskFlight {
    /// Sets the task that retrieves.
    pub(super) fn set_task(&self, task: AbortHandle) {
        lock(&self.attendance).task = Some(task);
    }

    /// Sets the place of a retrieval that no caller waits for.
    pub(super) fn set_place(&self, place: OwnedSemaphorePermit) {
        lock(&self.attendance).place = Some(place);
    }

    /// Ends the task that retrieves.
    pub(super) fn abort(&self) {
        if let Some(task) = &lock(&self.attendance).task {
            task.abort();
        }
    }

    /// Makes the caller one of those that wait. If it is the last one that gives up, the retrieval needs one of the `places` to go
    /// on.
    pub(super) fn attend(self, places: &Arc<Semaphore>) -> Attendant {
        let mut attendance = lock(&self.attendance);
        attendance.waiting += 1;
        attendance.place = None;
        drop(attendance);
        Attendant { flight: self, places: Arc::clone(places) }
    }
}

/// A caller that waits for a retrieval. It gives up when it is dropped.
pub(super) struct Attendant {
    flight: TaskFlight,
    places: Arc<Semaphore>,
}

impl Attendant {
    /// Waits for the entry; `None` if the retrieval was aborted or panicked.
    pub(super) async fn entry(&mut self) -> Option<Arc<Entry>> {
        let entry = self.flight.receiver.wait_for(Option::is_some).await;
        entry.ok().and_then(|entry| entry.clone())
    }
}

impl Drop for Attendant {
    fn drop(&mut self) {
        let mut attendance = lock(&self.flight.attendance);
        attendance.waiting -= 1;
        if attendance.waiting > 0 {
            return;
        }
        if let Some(task) = attendance.task.as_ref().filter(|task| !task.is_finished()) {
            match Arc::clone(&self.places).try_acquire_owned() {
                Ok(place) => attendance.place = Some(place),
                Err(_) => task.abort(),
            }
        }
    }
}
