//! Connections of the blocking client: to a site, or through a proxy to it, with and without TLS.

use alloc::sync::Arc;
use core::net::SocketAddr;
use core::time::Duration;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;

use base64::Engine as _;
use percent_encoding::percent_decode_str;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use url::{Position, Url};

use crate::client::http1::{Body, Heads, PART};
use crate::client::limits::{Allowed, Deadline, Limit, Limits, Phase};
use crate::client::options::{ClientOptions, Reach};
use crate::client::proxy::authority;
use crate::common::lock;
use crate::failure::{Failure, FailureKind};
use crate::message::framing::Framing;
use crate::message::http1::SentHead;

/// The bytes of a connection.
trait Stream: Read + Write + Send {}
impl<S: Read + Write + Send> Stream for S {}

/// A connection.
pub(super) struct Connection {
    stream: Box<dyn Stream>,
    tcp: Arc<Tcp>,
}

/// A connection below TLS. No operation lasts longer than it may.
struct Tcp {
    socket: TcpStream,
    limits: Limits,
    /// How long an operation may last, and the end of all.
    allowed: Mutex<(Duration, Limit, Deadline)>,
}

impl Tcp {
    fn allow(&self, time: Duration, limit: Limit, deadline: Deadline) {
        *lock(&self.allowed) = (time, limit, deadline);
    }

    /// Does something that may last for as long as it is allowed.
    fn within<T>(
        &self,
        set: impl FnOnce(&TcpStream, Option<Duration>) -> io::Result<()>,
        act: impl FnOnce(&TcpStream) -> io::Result<T>,
    ) -> io::Result<T> {
        let (time, limit, deadline) = *lock(&self.allowed);
        let Allowed { time, limit } = deadline.allows(time, limit).map_err(io::Error::other)?;
        set(&self.socket, Some(time))?;
        act(&self.socket).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                io::Error::other(self.limits.timed_out(limit))
            }
            _ => error,
        })
    }
}

/// The stream of a connection below TLS.
struct Timed(Arc<Tcp>);

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.within(TcpStream::set_read_timeout, |mut socket| socket.read(buffer))
    }
}

impl Write for Timed {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0.within(TcpStream::set_write_timeout, |mut socket| socket.write(buffer))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Connection {
    /// Opens a connection for requests for a URL, through the proxy if there is one: for `https`, in a tunnel (RFC 9110, section 9.3.6).
    pub(super) fn open(
        url: &Url,
        proxy: Option<&Url>,
        reach: Reach,
        options: &ClientOptions,
        tls: &Arc<ClientConfig>,
        deadline: Deadline,
    ) -> Result<Self, Failure> {
        let deadline = deadline.part(options.connect_timeout, Limit::Connect)?;
        let Some(proxy) = proxy else {
            let connection = Self::connect(url, reach, options, deadline)?;
            return if url.scheme() == "https" { connection.secure(url, tls) } else { Ok(connection) };
        };
        let by_proxy = |failure: Failure| match failure.kind() {
            FailureKind::Proxy => failure,
            _ => Failure::new(FailureKind::Proxy, failure),
        };
        let mut connection = Self::connect(proxy, Reach::Proxy, options, deadline).map_err(by_proxy)?;
        if proxy.scheme() == "https" {
            connection = connection.secure(proxy, tls).map_err(by_proxy)?;
        }
        if url.scheme() != "https" {
            return Ok(connection);
        }
        connection.tunnel(url, proxy, options).map_err(by_proxy)?;
        // Without an error of TLS, the proxy has closed the tunnel.
        connection.secure(url, tls).map_err(|failure| match failure.kind() {
            FailureKind::Tls => failure,
            _ => by_proxy(failure),
        })
    }

    fn connect(
        url: &Url,
        reach: Reach,
        options: &ClientOptions,
        deadline: Deadline,
    ) -> Result<Self, Failure> {
        let (host, port) =
            (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default());
        let limits = options.limits();
        let left = || deadline.allows(options.connect_timeout, Limit::Connect);
        let addresses: Vec<SocketAddr> = options.look_up_within(host, port, reach, left()?.time)?;
        let mut connected = Err(Failure::new(FailureKind::Dns, host));
        for (index, address) in addresses.iter().enumerate() {
            let Allowed { time, limit } = left()?;
            // A silent address leaves time for the others.
            let share = time / u32::try_from(addresses.len() - index).unwrap_or(u32::MAX);
            connected = TcpStream::connect_timeout(address, share).map_err(|error| {
                match Phase::Connect.kind(&error) {
                    FailureKind::Timeout => limits.timed_out(limit),
                    kind => Failure::new(kind, &error).caused_by(error),
                }
            });
            if connected.is_ok() {
                break;
            }
        }
        let socket = connected?;
        // Only latency would be lost.
        let _ = socket.set_nodelay(true);
        let allowed = Mutex::new((options.connect_timeout, Limit::Connect, deadline));
        let tcp = Arc::new(Tcp { socket, limits, allowed });
        Ok(Self { stream: Box::new(Timed(Arc::clone(&tcp))), tcp })
    }

    /// Makes the TLS handshake with the host of a URL.
    fn secure(mut self, url: &Url, tls: &Arc<ClientConfig>) -> Result<Self, Failure> {
        let host = url.host_str().unwrap_or_default();
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let failed = |error: &dyn core::fmt::Display| Failure::new(FailureKind::Tls, error);
        let name = ServerName::try_from(host.to_owned()).map_err(|error| failed(&error))?;
        let mut connection = ClientConnection::new(Arc::clone(tls), name).map_err(|error| failed(&error))?;
        while connection.is_handshaking() {
            // A connection that breaks now does so because of TLS.
            connection.complete_io(&mut self.stream).map_err(|error| match inner(&error) {
                Some(failure) => failure,
                None => failed(&error).caused_by(error),
            })?;
        }
        Ok(Self { stream: Box::new(StreamOwned::new(connection, self.stream)), tcp: self.tcp })
    }

    /// Asks the proxy for a tunnel to the site of a URL.
    fn tunnel(&mut self, url: &Url, proxy: &Url, options: &ClientOptions) -> Result<(), Failure> {
        let site = authority(url);
        let mut request = format!("CONNECT {site} HTTP/1.1\r\nhost: {site}\r\n");
        if let Some(credentials) = credentials(proxy) {
            request.extend(["proxy-authorization: ", &credentials, "\r\n"]);
        }
        request.push_str("\r\n");
        match self.exchange(request.as_bytes(), options.max_head)?.0.status {
            200..300 => Ok(()),
            status => Err(Failure::new(FailureKind::Proxy, format!("status {status} to CONNECT"))),
        }
    }

    /// Allows operations to last as long as reading may.
    pub(super) fn begin(&self, options: &ClientOptions, deadline: Deadline) {
        self.tcp.allow(options.read_timeout, Limit::Read, deadline);
    }

    /// Sends a request, and receives the head of its answer.
    pub(super) fn exchange(
        &mut self,
        request: &[u8],
        max_head: usize,
    ) -> Result<(SentHead, Framing, Body), Failure> {
        let sent = self.stream.write_all(request).and_then(|()| self.stream.flush());
        sent.map_err(|error| failure(error, Phase::Head))?;
        let mut heads = Heads::new(max_head);
        loop {
            let part = self.receive(Phase::Head)?;
            if part.is_empty() {
                return Err(Failure::new(FailureKind::Reset, "before the head of the answer was complete"));
            }
            if let Some(answer) = heads.take(&part)? {
                return Ok(answer);
            }
        }
    }

    /// Receives some bytes; none at the end of the connection.
    pub(super) fn receive(&mut self, phase: Phase) -> Result<Vec<u8>, Failure> {
        let mut part = vec![0; PART];
        let bytes = self.stream.read(&mut part).map_err(|error| failure(error, phase))?;
        part.truncate(bytes);
        Ok(part)
    }

    /// Returns whether the other end has neither closed the connection nor sent anything. TLS may hold bytes that came before.
    pub(super) fn is_idle(&mut self) -> bool {
        let tcp = Arc::clone(&self.tcp);
        let read = tcp.socket.set_nonblocking(true).and_then(|()| self.stream.read(&mut [0]));
        let is_silent = read.err().and_then(|error| inner(&error));
        is_silent.is_some_and(|failure| failure.kind() == FailureKind::Timeout)
            && tcp.socket.set_nonblocking(false).is_ok()
    }
}

/// Returns the credentials for a proxy (RFC 7617).
pub(super) fn credentials(proxy: &Url) -> Option<String> {
    if proxy[Position::BeforeUsername..Position::BeforeHost].is_empty() {
        return None;
    }
    let decoded = |text| percent_decode_str(text).collect::<Vec<u8>>();
    let (user, password) = (decoded(proxy.username()), decoded(proxy.password().unwrap_or_default()));
    let both = [user.as_slice(), b":", &password].concat();
    Some(format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(both)))
}

/// Returns the failure in an error.
fn inner(error: &io::Error) -> Option<Failure> {
    error.get_ref()?.downcast_ref::<Failure>().cloned()
}

fn failure(error: io::Error, phase: Phase) -> Failure {
    let kind = match error.get_ref() {
        Some(below) if below.is::<rustls::Error>() => FailureKind::Tls,
        _ => phase.kind(&error),
    };
    inner(&error).unwrap_or_else(|| Failure::new(kind, &error).caused_by(error))
}
