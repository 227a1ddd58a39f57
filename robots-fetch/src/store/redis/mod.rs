//! A store on a Redis or Valkey server.

#[cfg(feature = "gate")]
pub(crate) mod delays;
pub(crate) mod server;

use alloc::sync::Arc;
use core::time::Duration;
use std::sync::mpsc::sync_channel;

use ::redis::cmd;

use crate::entry::Entry;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::store::error::StoreError;
use crate::store::redis::server::{Keys, RedisOptions, Server};
use crate::store::{AsyncStore, Claim, Store, StoreFuture, read_stored};

/// A store on a Redis or Valkey server, over [redis](::redis), for crawlers on many machines: one of them retrieves a
/// robots.txt, and the others use its entry. A cache keeps entries in memory, so it needs no other store in front.
///
/// A process claims an origin before it retrieves its robots.txt. The others wait for the end of the claim, which they ask for
/// at most every 200 ms, and then read the entry. The claim of a process that is killed ends after
/// [`RedisOptions::claim_lifetime`].
///
/// A server that is away costs each process one [`RedisOptions::timeout`]. After that, operations fail at once; one is tried
/// after 1 s, and then after pauses that double up to 10 s. A cache meanwhile retrieves by itself.
///
/// The server is asked for at most 1 MiB more than the size limit of a body. Values that are damaged, of another origin or of
/// another version are never used; the next retrieval replaces them. A `no-store` response is never stored.
///
/// A handle reads and writes the entries of one access policy. Those of other policies have other keys.
///
/// # Threads
///
/// A thread named `robots-redis` runs the connections of the store until its last handle and claim are dropped.
///
/// ```no_run
/// use robots_fetch::{CacheOptions, Redis, RedisOptions, SiteProfile};
///
/// let profile = SiteProfile::RFC9309;
/// let redis = Redis::new(RedisOptions::server("rediss://cache.example"), profile)?;
/// let options = CacheOptions::new(profile).with_store(redis);
/// # Ok::<(), robots_fetch::StoreError>(())
/// ```
#[derive(Clone)]
pub struct Redis {
    inner: Arc<Server>,
    profile: SiteProfile,
}

impl Redis {
    /// Creates a store. It connects when it is used for the first time, so a server that is away is not an error here.
    ///
    /// # Errors
    ///
    /// A URL or certificate is invalid, or the thread can't be started.
    pub fn new(options: RedisOptions, profile: SiteProfile) -> Result<Self, StoreError> {
        let keys = Keys::new(&options.prefix, profile.key());
        Ok(Self { inner: Server::start(keys, options)?, profile })
    }

    /// Runs `task` on the thread of the store, and waits for it.
    fn block<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = sync_channel(1);
        self.inner.spawn(async move {
            // A caller that does not wait any more needs no result.
            let _ = sender.send(task.await);
        });
        receiver.recv().unwrap_or_else(|_| Err(self.inner.stopped()))
    }

    /// Runs `task` on the thread of the store. It runs to its end even if the future is dropped.
    async fn run<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.inner.spawn(task).await.unwrap_or_else(|_| Err(self.inner.stopped()))
    }

    /// The most bytes of a value that are read.
    fn most(&self) -> usize {
        self.profile.max_size() + (1 << 20)
    }

    fn look_up(&self, origin: &Origin) -> impl Future<Output = Result<Vec<u8>, StoreError>> + use<> {
        let inner = Arc::clone(&self.inner);
        let mut command = cmd("GETRANGE");
        command.arg(inner.keys.entry(origin)).arg(0).arg(self.most());
        let origin = origin.clone();
        async move { inner.run(&command, Some(&origin)).await }
    }

    fn read(&self, origin: &Origin, bytes: &[u8]) -> Result<Option<Arc<Entry>>, StoreError> {
        if bytes.is_empty() { Ok(None) } else { read_stored(bytes, origin, &self.profile) }
    }

    fn store(&self, origin: &Origin, entry: &Entry) -> impl Future<Output = Result<(), StoreError>> + use<> {
        let is_other = *entry.profile() != self.profile;
        let key = self.inner.keys.entry(origin);
        let mut command = cmd("SET");
        if entry.is_storable() {
            command.arg(key).arg(entry.encode()).arg("PX").arg(self.inner.keep_ms());
        } else {
            command = cmd("DEL");
            command.arg(key);
        }
        let stored = self.inner.order(command);
        async move {
            match is_other {
                true => Err(StoreError::OtherProfile { path: "redis".to_owned() }),
                false => stored.await,
            }
        }
    }

    fn delete(&self, origin: &Origin) -> impl Future<Output = Result<(), StoreError>> + use<> {
        let mut command = cmd("DEL");
        command.arg(self.inner.keys.entry(origin));
        self.inner.order(command)
    }
}

impl Store for Redis {
    fn profile(&self) -> Option<&SiteProfile> {
        Some(&self.profile)
    }

    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        self.read(origin, &self.block(self.look_up(origin))?)
    }

    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        self.block(self.store(origin, entry))
    }

    fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        self.block(self.delete(origin))
    }

    fn claim(&self, origin: &Origin) -> Result<Claim, StoreError> {
        self.block(Arc::clone(&self.inner).claim(self.inner.keys.claim(origin)))
    }

    fn wait(&self, origin: &Origin, at_most: Duration) -> Result<(), StoreError> {
        self.block(Arc::clone(&self.inner).wait(self.inner.keys.claim(origin), at_most))
    }

    fn claim_lifetime(&self) -> Duration {
        self.inner.claim_lifetime()
    }

    fn blocks(&self) -> bool {
        true
    }

    fn as_async(&self) -> Option<&dyn AsyncStore> {
        Some(self)
    }
}

impl AsyncStore for Redis {
    fn get<'a>(&'a self, origin: &'a Origin) -> StoreFuture<'a, Option<Arc<Entry>>> {
        Box::pin(async move { self.read(origin, &self.run(self.look_up(origin)).await?) })
    }

    fn put<'a>(&'a self, origin: &'a Origin, entry: &'a Arc<Entry>) -> StoreFuture<'a, ()> {
        Box::pin(self.run(self.store(origin, entry)))
    }

    fn remove<'a>(&'a self, origin: &'a Origin) -> StoreFuture<'a, ()> {
        Box::pin(self.run(self.delete(origin)))
    }

    fn claim<'a>(&'a self, origin: &'a Origin) -> StoreFuture<'a, Claim> {
        Box::pin(self.run(Arc::clone(&self.inner).claim(self.inner.keys.claim(origin))))
    }

    fn wait<'a>(&'a self, origin: &'a Origin, at_most: Duration) -> StoreFuture<'a, ()> {
        Box::pin(self.run(Arc::clone(&self.inner).wait(self.inner.keys.claim(origin), at_most)))
    }
}

debug!([] Redis as "Redis", |redis| "server": redis.inner.name());
