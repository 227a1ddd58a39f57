//! Servers and options of the store on a server.

use core::fmt;
use core::time::Duration;

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
