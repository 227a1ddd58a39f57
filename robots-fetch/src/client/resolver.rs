//! Resolvers of host names.

use alloc::sync::Arc;
use core::net::{IpAddr, SocketAddr};
#[cfg(feature = "reqwest")]
use core::pin::Pin;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::net::{ToSocketAddrs as _, UdpSocket};
use std::sync::mpsc;
use std::{io, thread};

#[cfg(feature = "hickory")]
use super::name_servers::NameServers;
use crate::failure::{Failure, FailureKind};
use crate::text::shown;

type Found = io::Result<Vec<SocketAddr>>;
type Look = dyn Fn(&str, u16) -> Found + Send + Sync;
#[cfg(feature = "reqwest")]
type LookAsync = dyn Fn(String, u16) -> Pin<Box<dyn Future<Output = Found> + Send>> + Send + Sync;

/// A resolver of host names; see the methods of [`ClientOptions`](super::ClientOptions).
///
/// Every look-up has a deadline: [`ClientOptions::connect_timeout`](super::ClientOptions::connect_timeout), of which the
/// `reqwest` client gives four fifths to the look-up. If no name server answers within the deadline, the crawler has
/// [no network](FailureKind::NoNetwork).
#[derive(Clone, Default)]
pub(super) enum Resolver {
    /// The default of the client.
    #[default]
    OfClient,
    /// A function that blocks.
    Blocking(Arc<Look>),
    #[cfg(feature = "reqwest")]
    Async(Arc<LookAsync>),
}

/// The most look-ups that block a thread at the same time, in a process.
const MOST_THREADS: usize = 2048;

/// The number of threads that look up names.
static THREADS: AtomicUsize = AtomicUsize::new(0);

impl Resolver {
    /// Creates a resolver from a function, which may block.
    pub(super) fn new(
        look: impl Fn(&str, u16) -> io::Result<Vec<SocketAddr>> + Send + Sync + 'static,
    ) -> Self {
        Self::Blocking(Arc::new(look))
    }

    /// Returns the resolver of the system.
    pub(super) fn system() -> Self {
        Self::new(system)
    }

    /// Creates a resolver from an async function.
    #[cfg(feature = "reqwest")]
    pub(super) fn new_async<T>(look: impl Fn(String, u16) -> T + Send + Sync + 'static) -> Self
    where
        T: Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'static,
    {
        Self::Async(Arc::new(move |host, port| Box::pin(look(host, port))))
    }

    /// Creates a resolver that sends queries to these name servers.
    ///
    /// # Errors
    ///
    /// The list is empty.
    #[cfg(feature = "hickory")]
    pub(super) fn name_servers(servers: impl IntoIterator<Item = SocketAddr>) -> Result<Self, Failure> {
        let servers = NameServers::new(servers)?;
        Ok(Self::new_async(move |host, _| {
            let servers = servers.clone();
            async move { servers.look_up(&host).await }
        }))
    }

    /// Looks up a name for a client that blocks, within `time`. `Ok(None)` means that the time is over.
    pub(super) fn look_up(&self, host: &str, port: u16, time: Duration) -> Result<Option<Found>, Failure> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let done = move |found| drop(sender.send(found));
        match self {
            Self::OfClient => in_thread(Arc::new(system), host, port, done)?,
            Self::Blocking(look) => in_thread(Arc::clone(look), host, port, done)?,
            #[cfg(feature = "reqwest")]
            Self::Async(look) => {
                let (look, host) = (Arc::clone(look), host.to_owned());
                super::connections::spawn(async move {
                    if let Ok(found) = tokio::time::timeout(time, look(host, port)).await {
                        done(found);
                    }
                })?;
            }
        }
        Ok(receiver.recv_timeout(time).ok())
    }

    /// As [`Self::look_up`], for async clients.
    #[cfg(feature = "reqwest")]
    pub(super) async fn look_up_async(
        &self,
        host: &str,
        port: u16,
        time: Duration,
    ) -> Result<Option<Found>, Failure> {
        let look = match self {
            Self::OfClient => {
                #[cfg(feature = "hickory")]
                if let Some(servers) = NameServers::of_system() {
                    return Ok(tokio::time::timeout(time, servers.look_up(host)).await.ok());
                }
                return wait(Arc::new(system), host, port, time).await;
            }
            Self::Blocking(look) => return wait(Arc::clone(look), host, port, time).await,
            Self::Async(look) => look(host.to_owned(), port),
        };
        Ok(tokio::time::timeout(time, look).await.ok())
    }
}

/// Waits for a look-up in a thread.
#[cfg(feature = "reqwest")]
async fn wait(look: Arc<Look>, host: &str, port: u16, time: Duration) -> Result<Option<Found>, Failure> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    in_thread(look, host, port, move |found| drop(sender.send(found)))?;
    Ok(tokio::time::timeout(time, receiver).await.ok().and_then(Result::ok))
}

fn system(host: &str, port: u16) -> Found {
    Ok((host, port).to_socket_addrs()?.collect())
}

/// Looks up a name in a thread of its own, and passes the result to `done`.
fn in_thread(
    look: Arc<Look>,
    host: &str,
    port: u16,
    done: impl FnOnce(Found) + Send + 'static,
) -> Result<(), Failure> {
    /// Counts a thread, also one that panics.
    struct Counted;

    impl Drop for Counted {
        fn drop(&mut self) {
            THREADS.fetch_sub(1, Ordering::AcqRel);
        }
    }

    let before = THREADS.fetch_add(1, Ordering::AcqRel);
    let counted = Counted;
    if before >= MOST_THREADS {
        let text = format!("{MOST_THREADS} host names are being looked up, and none of the look-ups ends");
        return Err(Failure::new(FailureKind::Other, text).local());
    }
    let host = host.to_owned();
    let looking = move || {
        let found = look(&host, port);
        drop(counted);
        done(found);
    };
    let thread = thread::Builder::new().name("robots-lookup".to_owned()).stack_size(512 * 1024);
    let started = thread.spawn(looking);
    started.map(drop).map_err(|error| Failure::new(FailureKind::Other, error).local())
}

/// Returns the failure of a look-up.
pub(super) fn failure(error: &io::Error) -> Failure {
    use io::ErrorKind as Kind;
    let is_silent = matches!(
        error.kind(),
        Kind::TimedOut | Kind::NetworkDown | Kind::NetworkUnreachable | Kind::AddrNotAvailable
    );
    let text = error.to_string();
    // The standard library has no kind for the codes of getaddrinfo. These are the texts of EAI_AGAIN.
    let is_silent = is_silent
        || text.contains("Temporary failure in name resolution")
        || text.ends_with("lookup address information: Try again");
    Failure::new(if is_silent { FailureKind::NoNetwork } else { FailureKind::Dns }, text)
}

/// Removes the addresses to which the machine has no route, so that no client tries them.
///
/// # Errors
///
/// The machine has no route to any of them.
pub(super) fn with_route(host: &str, mut found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, Failure> {
    let first = found.first().copied();
    found.retain(|address| has_route(address.ip()));
    match first {
        Some(first) if found.is_empty() => {
            let text = format!("no route to {} of {}", first.ip(), shown(host));
            Err(Failure::new(FailureKind::NoNetwork, text))
        }
        _ => Ok(found),
    }
}

/// Returns whether the machine has a route to an address. Nothing is sent.
fn has_route(address: IpAddr) -> bool {
    use io::ErrorKind as Kind;
    let any: SocketAddr = match address {
        IpAddr::V4(_) => (core::net::Ipv4Addr::UNSPECIFIED, 0).into(),
        IpAddr::V6(_) => (core::net::Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let connected = UdpSocket::bind(any).and_then(|socket| socket.connect((address, 9)));
    !connected.is_err_and(|error| {
        matches!(error.kind(), Kind::NetworkDown | Kind::NetworkUnreachable | Kind::AddrNotAvailable)
    })
}

debug!([] Resolver as "Resolver", |_resolver|);
