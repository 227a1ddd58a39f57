//! The part of the store that runs on its own thread.

use alloc::sync::Arc;
use core::hash::{BuildHasher as _, Hasher as _};
use core::time::Duration;
use std::hash::RandomState;
use std::io;
use std::thread;
use std::time::Instant;

use ::redis::{Cmd, ErrorKind, FromRedisValue, RedisError, RedisResult, ServerErrorKind, Value, cmd};
use tokio::runtime::{Builder, Handle};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use url::Url;

use super::breaker::Breaker;
use super::connection::{Connection, Target};
use super::options::RedisOptions;
use crate::entry::codec::error::VERSION;
use crate::origin::Origin;
use crate::store::claim::Claim;
use crate::store::error::StoreError;
use crate::text::shown;

/// The pauses between two looks at a claim of another process: the first one, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Replaces a key that would never expire: no claim is such a key.
const REPLACE: &str = "if redis.call('PTTL', KEYS[1]) == -1 then \\
    return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end return false";

/// Deletes a claim if it is still the one with this token.
const RELEASE: &str =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/// The keys of entries and claims.
pub(super) struct Keys {
    entries: String,
    claims: String,
}

impl Keys {
    pub(super) fn new(prefix: &str, policy: u64) -> Self {
        let kind = |kind: &str| format!("{prefix}:{kind}:{VERSION}:{policy:016x}:");
        Self { entries: kind("entry"), claims: kind("claim") }
    }

    pub(super) fn entry(&self, origin: &Origin) -> String {
        format!("{}{}", self.entries, origin.as_str())
    }

    pub(super) fn claim(&self, origin: &Origin) -> String {
        format!("{}{}", self.claims, origin.as_str())
    }
}

/// The connection, the breaker and the thread of a store.
pub(super) struct Inner {
    target: Target,
    pub(super) keys: Keys,
    options: RedisOptions,
    /// The first server, without user and password.
    name: String,
    connection: Mutex<Option<Connection>>,
    breaker: Breaker,
    runtime: Handle,
    /// The thread ends when this is dropped.
    _alive: mpsc::Sender<()>,
}

impl Inner {
    pub(super) fn start(keys: Keys, options: RedisOptions) -> Result<Arc<Self>, StoreError> {
        let name = name(&options);
        let failed = |error: io::Error| StoreError::failed(&name, error);
        let target = Target::new(&options).map_err(|error| StoreError::failed(&name, error))?;
        let runtime = Builder::new_current_thread().enable_io().enable_time().build().map_err(failed)?;
        let handle = runtime.handle().clone();
        let (alive, mut ended) = mpsc::channel::<()>(1);
        thread::Builder::new()
            .name("robots-redis".to_owned())
            .spawn(move || runtime.block_on(async move { _ = ended.recv().await }))
            .map_err(failed)?;
        Ok(Arc::new(Self {
            target,
            keys,
            options,
            name,
            connection: Mutex::default(),
            breaker: Breaker::default(),
            runtime: handle,
            _alive: alive,
        }))
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.runtime.spawn(task)
    }

    /// Returns the error after the thread ended early, which only a defect can cause.
    pub(super) fn claim_lifetime(&self) -> Duration {
        self.options.claim_lifetime
    }

    pub(super) fn stopped(&self) -> StoreError {
        StoreError::failed(&self.name, "its thread has ended")
    }

    pub(super) fn keep_ms(&self) -> u64 {
        millis(self.options.entry_lifetime)
    }

    /// Runs a command, which is a look-up of an origin or something else.
    pub(super) async fn run<T: FromRedisValue>(
        &self,
        command: &Cmd,
        origin: Option<&Origin>,
    ) -> Result<T, StoreError> {
        if let Some(left) = self.breaker.refuses(Instant::now()) {
            let again = format!("no answer; the server is asked again in {} ms", left.as_millis());
            return Err(StoreError::failed(&self.name, again));
        }
        let error = match timeout(self.options.timeout, self.attempt(command)).await {
            Ok(Ok(value)) => {
                self.breaker.answered();
                return Ok(value);
            }
            Ok(Err(error)) if !is_away(&error) => {
                self.breaker.answered();
                // A value of another type is under the key.
                return Err(match origin {
                    Some(origin) if error.code() == Some("WRONGTYPE") => StoreError::Entry {
                        origin: origin.to_string(),
                        reason: "it is not a string".to_owned(),
                        source: Some(error.into()),
                    },
                    _ => StoreError::failed(&self.name, error),
                });
            }
            Ok(Err(error)) => StoreError::failed(&self.name, error),
            Err(_) => {
                let waited = format!("no answer for {} ms", self.options.timeout.as_millis());
                StoreError::failed(&self.name, waited)
            }
        };
        self.breaker.failed(Instant::now());
        // The next command connects again: to another server if sentinels say so.
        *self.connection.lock().await = None;
        Err(error)
    }

    async fn attempt<T: FromRedisValue>(&self, command: &Cmd) -> RedisResult<T> {
        let mut connection = {
            let mut shared = self.connection.lock().await;
            match &*shared {
                Some(connection) => connection.clone(),
                None => shared.insert(self.target.connect().await?).clone(),
            }
        };
        connection.run(command).await
    }

    /// Claims an origin for as long as [`RedisOptions::claim_lifetime`].
    pub(super) async fn claim(self: Arc<Self>, key: String) -> Result<Claim, StoreError> {
        let token = format!("{:016x}", RandomState::new().build_hasher().finish());
        let mut command = cmd("SET");
        command.arg(&key).arg(&token).arg("NX").arg("PX").arg(millis(self.options.claim_lifetime));
        let mut claimed = self.run(&command, None).await?;
        if claimed == Value::Nil {
            let mut command = cmd("EVAL");
            command.arg(REPLACE).arg(1).arg(&key).arg(&token).arg(millis(self.options.claim_lifetime));
            claimed = self.run(&command, None).await?;
        }
        Ok(match claimed {
            Value::Nil => Claim::Held,
            _ => Claim::Granted(Box::new(Guard { inner: self, key, token })),
        })
    }

    /// Waits until the claim has ended, or at most this long.
    pub(super) async fn wait(self: Arc<Self>, key: String, at_most: Duration) -> Result<(), StoreError> {
        let start = Instant::now();
        let mut command = cmd("EXISTS");
        command.arg(&key);
        let mut pause = FIRST_PAUSE;
        while self.run::<u64>(&command, None).await? > 0 {
            let left = at_most.saturating_sub(start.elapsed());
            if left.is_zero() {
                break;
            }
            sleep(pause.min(left)).await;
            pause = (pause * 3 / 2).min(LONGEST_PAUSE);
        }
        Ok(())
    }
}

/// Ends a claim when it is dropped.
struct Guard {
    inner: Arc<Inner>,
    key: String,
    token: String,
}

impl Drop for Guard {
    fn drop(&mut self) {
        let inner = Arc::clone(&self.inner);
        let mut command = cmd("EVAL");
        command.arg(RELEASE).arg(1).arg(&self.key).arg(&self.token);
        // A claim that can't be released expires.
        drop(self.inner.spawn(async move { inner.run::<Value>(&command, None).await.map(drop) }));
    }
}

/// Returns whether the server did not answer, or can't work at the moment. Any other error is about one command.
fn is_away(error: &RedisError) -> bool {
    match error.kind() {
        ErrorKind::Server(kind) => matches!(
            kind,
            ServerErrorKind::BusyLoading
                | ServerErrorKind::ClusterDown
                | ServerErrorKind::MasterDown
                | ServerErrorKind::ReadOnly
                | ServerErrorKind::TryAgain
        ),
        ErrorKind::Extension | ErrorKind::UnexpectedReturnType => false,
        _ => true,
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).clamp(1, 1 << 50)
}

/// Returns the name of the first server for messages, without user and password.
fn name(options: &RedisOptions) -> String {
    let url = options.servers.urls().first().and_then(|url| Url::parse(url).ok());
    let shown_url = url.map(|url| {
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}://{}{port}", url.scheme(), url.host_str().unwrap_or_default())
    });
    shown(&shown_url.unwrap_or_else(|| "redis".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_has_a_key() {
        let keys = Keys::new("robots", crate::SiteProfile::RFC9309.key());
        let key = keys.entry(&Origin::parse("https://example.com").unwrap());
        assert!(include_str!("../../../guide/many_machines.md").contains(&key), "{key}");
    }

    #[test]
    fn keys_of_long_hosts_are_whole() {
        let keys = Keys::new("robots", 1);
        for label in [63, 64, 1000] {
            let host = |end: &str| format!("{}{end}.example", "a".repeat(label));
            let [one, other] =
                ["b", "c"].map(|end| Origin::parse(&format!("https://{}", host(end))).unwrap());
            assert!(keys.entry(&one).ends_with(&host("b")));
            assert_ne!(keys.entry(&one), keys.entry(&other));
            assert_ne!(keys.entry(&one), keys.claim(&one));
        }
    }
}
