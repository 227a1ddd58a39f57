//! The part of the store that runs on its own thread.

use alloc::sync::Arc;
use core::fmt;
use core::hash::{BuildHasher as _, Hasher as _};
use core::time::Duration;
use std::hash::RandomState;
use std::sync::Mutex;
use std::time::Instant;
use std::{io, thread};

use ::redis::aio::MultiplexedConnection;
use ::redis::cluster::ClusterClient;
use ::redis::cluster_async::ClusterConnection;
use ::redis::sentinel::{SentinelClientBuilder, SentinelServerType};
use ::redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, ErrorKind, FromRedisValue, IntoConnectionInfo as _,
    RedisConnectionInfo, RedisError, RedisResult, ServerErrorKind, TlsCertificates, TlsMode, Value, cmd,
};
use rustls::crypto::CryptoProvider;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{self as tasks, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use url::Url;

use crate::backoff;
use crate::common::lock;
use crate::entry::stored::VERSION;
use crate::origin::Origin;
use crate::store::Claim;
use crate::store::error::StoreError;
use crate::text::shown;

/// The pauses between two looks at a claim of another process: the first one, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Replaces a key that would never expire: no claim is such a key.
const REPLACE: &str = "if redis.call('PTTL', KEYS[1]) == -1 then \
    return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end return false";

/// Deletes a claim if it is still the one with this token.
const RELEASE: &str =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/// The keys of entries and claims.
pub(super) struct Keys {
    entries: String,
    claims: String,
    #[cfg(feature = "gate")]
    delays: String,
}

impl Keys {
    pub(super) fn new(prefix: &str, policy: u64) -> Self {
        let kind = |kind: &str| format!("{prefix}:{kind}:{VERSION}:{policy:016x}:");
        Self {
            entries: kind("entry"),
            claims: kind("claim"),
            #[cfg(feature = "gate")]
            delays: format!("{prefix}:delay:1:"),
        }
    }

    pub(super) fn entry(&self, origin: &Origin) -> String {
        format!("{}{}", self.entries, origin.as_str())
    }

    #[cfg(feature = "gate")]
    pub(super) fn delay(&self, origin: &Origin) -> String {
        format!("{}{}", self.delays, origin.as_str())
    }

    pub(super) fn claim(&self, origin: &Origin) -> String {
        format!("{}{}", self.claims, origin.as_str())
    }
}

/// The connection, the breaker and the thread of a store.
pub(super) struct Server {
    target: Target,
    pub(super) keys: Keys,
    options: RedisOptions,
    /// The first server, without user and password.
    name: String,
    connection: tasks::Mutex<Option<Connection>>,
    breaker: Breaker,
    runtime: Handle,
    /// The thread ends when this is dropped.
    _alive: mpsc::Sender<()>,
}

impl Server {
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
            connection: tasks::Mutex::default(),
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

    pub(super) fn claim_lifetime(&self) -> Duration {
        self.options.claim_lifetime
    }

    /// Returns the error after the thread ended early, which only a defect can cause.
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

    /// Runs a command whose result does not matter.
    pub(super) fn order(
        self: &Arc<Self>,
        command: Cmd,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + use<> {
        let server = Arc::clone(self);
        async move { server.run::<Value>(&command, None).await.map(drop) }
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
    inner: Arc<Server>,
    key: String,
    token: String,
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut command = cmd("EVAL");
        command.arg(RELEASE).arg(1).arg(&self.key).arg(&self.token);
        // A claim that can't be released expires.
        drop(self.inner.spawn(self.inner.order(command)));
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

/// The pause after the first failure, and the longest one.
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(10);

/// A circuit breaker: after a failure, commands are refused for a pause. After the pause one command is a trial, and the others
/// are refused until it succeeds or the next pause has passed. Pauses double up to [`LONGEST`].
#[derive(Debug, Default)]
pub(super) struct Breaker(Mutex<Failing>);

#[derive(Debug, Default)]
struct Failing {
    /// Until when commands are refused; `None` if the server answers.
    until: Option<Instant>,
    /// How often it failed in a row.
    failures: u32,
}

impl Breaker {
    /// Returns how much longer commands are refused; `None` if this command may be sent.
    pub(super) fn refuses(&self, now: Instant) -> Option<Duration> {
        let mut state = lock(&self.0);
        let until = state.until?;
        if now < until {
            return Some(until - now);
        }
        state.open(now);
        None
    }

    /// Notes that the server did not answer.
    pub(super) fn failed(&self, now: Instant) {
        let mut state = lock(&self.0);
        // Commands that were sent together fail together, and count once.
        if state.until.is_none_or(|until| until <= now) {
            state.open(now);
        }
    }

    /// Notes that the server answered.
    pub(super) fn answered(&self) {
        *lock(&self.0) = Failing::default();
    }
}

impl Failing {
    fn open(&mut self, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        self.until = Some(now + backoff::pause(FIRST, LONGEST, self.failures));
    }
}

/// The servers of a store, as URLs.
#[derive(Clone)]
pub(super) enum Servers {
    Single(String),
    Cluster(Vec<String>),
    Sentinel { sentinels: Vec<String>, service: String },
}

impl Servers {
    pub(super) fn urls(&self) -> &[String] {
        match self {
            Self::Single(url) => core::slice::from_ref(url),
            Self::Cluster(urls) | Self::Sentinel { sentinels: urls, .. } => urls,
        }
    }
}

/// The kind and number of servers. URLs may contain passwords, so they are not shown.
impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single(_) => f.write_str("Single"),
            Self::Cluster(urls) => write!(f, "Cluster of {}", urls.len()),
            Self::Sentinel { sentinels, service } => {
                write!(f, "Sentinel {service:?} of {}", sentinels.len())
            }
        }
    }
}

/// The servers and options of a [`Redis`](crate::Redis) store. A server is a URL such as
/// `redis://user:password@cache.example:6379/0`. The scheme `rediss` is TLS.
///
/// ```
/// use robots_fetch::RedisOptions;
/// use std::time::Duration;
///
/// let mut options = RedisOptions::server("rediss://cache.example");
/// options.prefix = "crawler".to_owned();
/// options.claim_lifetime = Duration::from_secs(25); // the client's total_timeout is 20 s
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RedisOptions {
    pub(super) servers: Servers,
    /// The start of all keys. By default `robots`. Stores with the same prefix on the same servers share their entries.
    pub prefix: String,
    /// The most time for one command, with connecting if needed. By default 1 s.
    pub timeout: Duration,
    /// The lifetime of a claim whose process was killed or lost the server. It should be longer than a retrieval takes. By
    /// default 35 s, because the clients of this crate take at most 30 s.
    pub claim_lifetime: Duration,
    /// How long the server keeps an entry after it was stored. By default 31 days, because the last good file applies during
    /// an outage for up to 30 days (RFC 9309, section 2.3.1.4). A server that is short of memory may drop entries earlier.
    pub entry_lifetime: Duration,
    /// The certificates in PEM that TLS trusts, for a private CA. By default those of the operating system.
    pub root_certificates: Option<String>,
}

impl RedisOptions {
    /// Creates options for one server.
    #[must_use]
    pub fn server(url: &str) -> Self {
        Self::new(Servers::Single(url.to_owned()))
    }

    /// Creates options for a cluster: some of its nodes, through which the others are found.
    #[must_use]
    pub fn cluster(urls: &[&str]) -> Self {
        Self::new(Servers::Cluster(owned(urls)))
    }

    /// Creates options for a primary server with replicas that sentinels watch: the sentinels, and their name for the primary
    /// server, such as `mymaster`. The user, password and database of the first URL are those of the servers; sentinels that
    /// ask for a password are not supported.
    #[must_use]
    pub fn sentinel(urls: &[&str], service: &str) -> Self {
        Self::new(Servers::Sentinel { sentinels: owned(urls), service: service.to_owned() })
    }

    fn new(servers: Servers) -> Self {
        Self {
            servers,
            prefix: "robots".to_owned(),
            timeout: Duration::from_secs(1),
            claim_lifetime: Duration::from_secs(35),
            entry_lifetime: Duration::from_secs(31 * 24 * 60 * 60),
            root_certificates: None,
        }
    }
}

fn owned(urls: &[&str]) -> Vec<String> {
    urls.iter().map(|&url| url.to_owned()).collect()
}

/// The servers to connect to.
pub(super) enum Target {
    Single(Client),
    Cluster(ClusterClient),
    Sentinel(Sentinels),
}

pub(super) struct Sentinels {
    addresses: Vec<ConnectionAddr>,
    service: String,
    /// How to log in at the servers.
    server: RedisConnectionInfo,
    certificates: Option<TlsCertificates>,
}

/// A connection. Cloning is cheap: commands share it.
#[derive(Clone)]
pub(super) enum Connection {
    Single(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl Target {
    pub(super) fn new(options: &RedisOptions) -> RedisResult<Self> {
        // The crate `redis` panics if it can't choose a provider.
        let secure = |url: &String| url.as_str().into_connection_info().is_ok_and(|info| is_tls(info.addr()));
        let is_secure = options.servers.urls().iter().any(secure);
        if is_secure && CryptoProvider::get_default().is_none() {
            return Err(RedisError::from((
                ErrorKind::InvalidClientConfig,
                "TLS needs a cryptography provider of the process; call `install_default` of one of rustls first",
            )));
        }
        let certificates = options
            .root_certificates
            .as_ref()
            .map(|pem| TlsCertificates { client_tls: None, root_cert: Some(pem.clone().into_bytes()) });
        Ok(match &options.servers {
            Servers::Single(url) => Self::Single(match certificates {
                Some(certificates) if is_tls(url.as_str().into_connection_info()?.addr()) => {
                    Client::build_with_tls(url.as_str(), certificates)?
                }
                _ => Client::open(url.as_str())?,
            }),
            Servers::Cluster(urls) => {
                let builder = ClusterClient::builder(urls.iter().map(String::as_str))
                    .connection_timeout(options.timeout)
                    .response_timeout(options.timeout)
                    .retries(2);
                Self::Cluster(match certificates {
                    Some(certificates) => builder.certs(certificates).build()?,
                    None => builder.build()?,
                })
            }
            Servers::Sentinel { sentinels, service } => {
                let infos = sentinels.iter().map(|url| url.as_str().into_connection_info());
                let infos = infos.collect::<RedisResult<Vec<_>>>()?;
                let server = infos.first().map(|info| info.redis_settings().clone()).unwrap_or_default();
                let addresses = infos.iter().map(|info| info.addr().clone()).collect();
                Self::Sentinel(Sentinels { addresses, service: service.clone(), server, certificates })
            }
        })
    }

    /// Connects. The caller limits the time.
    pub(super) async fn connect(&self) -> RedisResult<Connection> {
        // The store has its own timeout.
        let config = AsyncConnectionConfig::new().set_connection_timeout(None).set_response_timeout(None);
        Ok(match self {
            Self::Single(client) => {
                Connection::Single(client.get_multiplexed_async_connection_with_config(&config).await?)
            }
            Self::Cluster(client) => Connection::Cluster(client.get_async_connection().await?),
            Self::Sentinel(sentinels) => Connection::Single(sentinels.connect(&config).await?),
        })
    }
}

impl Sentinels {
    /// Asks the sentinels for the primary server, and connects to it. Nothing that sentinels said earlier is used.
    async fn connect(&self, config: &AsyncConnectionConfig) -> RedisResult<MultiplexedConnection> {
        let mut builder =
            SentinelClientBuilder::new(self.addresses.clone(), &self.service, SentinelServerType::Master)?
                .set_client_to_redis_db(self.server.db());
        if let Some(user) = self.server.username() {
            builder = builder.set_client_to_redis_username(user);
        }
        if let Some(password) = self.server.password() {
            builder = builder.set_client_to_redis_password(password);
        }
        if self.addresses.first().is_some_and(is_tls) {
            builder = builder
                .set_client_to_redis_tls_mode(TlsMode::Secure)
                .set_client_to_sentinel_tls_mode(TlsMode::Secure);
            if let Some(certificates) = &self.certificates {
                builder = builder
                    .set_client_to_redis_certificates(certificates.clone())
                    .set_client_to_sentinel_certificates(certificates.clone());
            }
        }
        builder.build()?.get_async_connection_with_config(config).await
    }
}

impl Connection {
    pub(super) async fn run<T: FromRedisValue>(&mut self, command: &Cmd) -> RedisResult<T> {
        match self {
            Self::Single(connection) => command.query_async(connection).await,
            Self::Cluster(connection) => command.query_async(connection).await,
        }
    }
}

const fn is_tls(address: &ConnectionAddr) -> bool {
    matches!(address, ConnectionAddr::TcpTls { .. })
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

#[cfg(test)]
mod breaker_tests {
    use super::*;

    #[test]
    fn one_command_in_each_pause_is_a_trial() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(breaker.refuses(at(0)), None);
        // Many commands fail at once.
        (0..100).for_each(|_| breaker.failed(at(1)));
        assert_eq!(breaker.refuses(at(1)), Some(FIRST));
        let mut pauses = Vec::new();
        let mut last = 1;
        for second in 2..60 {
            if breaker.refuses(at(second)).is_none() {
                assert!(breaker.refuses(at(second)).is_some());
                breaker.failed(at(second));
                pauses.push(second - last);
                last = second;
            }
        }
        assert_eq!(pauses, [1, 2, 4, 8, 10, 10, 10, 10]);
        breaker.answered();
        assert_eq!(breaker.refuses(at(last)), None);
        breaker.failed(at(60));
        assert_eq!(breaker.refuses(at(60)), Some(FIRST));
    }
}
