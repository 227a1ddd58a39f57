//! Retrievals of the async cache.

use alloc::sync::Arc;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use robots_match::Crawler;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::access::Permission;
use crate::cache::lead::{Answer, Ask, Lead};
use crate::cache::options::CacheOptions;
use crate::cache::queue::Pace;
use crate::cache::shared::Core;
use crate::cache::single_flight::{Leader, Role, SingleFlight};
use crate::cache::task_flight::TaskSignal;
use crate::cache::times::Wanted;
use crate::entry::Entry;
use crate::observe;
use crate::origin::Origin;
use crate::retrieval::fetch::AsyncFetch;
use crate::store::Store;
use crate::store::error::StoreError;

/// The parts of a cache that its tasks share.
pub(super) struct Inner<F, S> {
    pub(super) core: Arc<Core<S>>,
    fetch: F,
    pub(super) flight: SingleFlight<TaskSignal>,
    queue: Semaphore,
    pace: Mutex<Pace>,
    /// Places for retrievals in the background.
    pub(super) background: Arc<Semaphore>,
    /// Places for retrievals whose callers have given up.
    detached: Arc<Semaphore>,
}

impl<F: AsyncFetch + 'static, S: Store + 'static> Inner<F, S> {
    pub(super) fn new(options: CacheOptions<S>, fetch: F) -> Self {
        let limits = options.retrievals;
        let places = |count: usize| Semaphore::new(count.min(Semaphore::MAX_PERMITS));
        Self {
            core: Arc::new(Core::new(options)),
            fetch,
            flight: SingleFlight::default(),
            queue: places(limits.most()),
            pace: Mutex::new(limits.pace()),
            background: Arc::new(places(limits.background)),
            detached: Arc::new(places(limits.detached)),
        }
    }

    /// Returns the permission of a crawler, after a retrieval if the entry in memory is missing or due.
    pub(super) async fn permission(self: &Arc<Self>, origin: &Origin, crawler: &Crawler) -> Permission {
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
    pub(super) async fn held(&self, origin: &Origin, wanted: Wanted) -> Option<Arc<Entry>> {
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

    pub(super) async fn with_store<T: Send + 'static>(
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
        let store = core.store.as_async();
        let mut lead = Lead::new(core, origin, wanted);
        let mut ask = Ask::Get;
        loop {
            ask = lead.next(match ask {
                Ask::Get => Answer::Get(self.held(origin, wanted).await),
                Ask::Claim => Answer::Claim(core.noting(match store {
                    Some(store) => store.claim(origin).await,
                    None => self.with_store(origin, |store, origin| store.claim(origin)).await,
                })),
                Ask::Wait(at_most) => {
                    let since = Instant::now();
                    let waited = match store {
                        Some(store) => store.wait(origin, at_most).await,
                        None => {
                            self.with_store(origin, move |store, origin| store.wait(origin, at_most)).await
                        }
                    };
                    Answer::Wait(core.noting(waited).map(|()| since.elapsed()))
                }
                Ask::Fetch(retrieval) => {
                    let _turn = self.turn().await;
                    Answer::Fetch(self.fetch.fetch(retrieval).await)
                }
                Ask::Put(entry) => {
                    let put = match store {
                        Some(store) => store.put(origin, &entry).await,
                        None => {
                            let entry = Arc::clone(&entry);
                            self.with_store(origin, move |store, origin| store.put(origin, &entry)).await
                        }
                    };
                    core.noting(put);
                    Answer::Put(entry)
                }
                Ask::Done(entry) => return entry,
            });
        }
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
