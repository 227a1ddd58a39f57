//! A blocking FTP client, over [`suppaftp`]: anonymous retrievals in passive mode (RFC 959, RFC 2428).
//!
//! A reply in place of the file is the status of the answer, whichever command it answers: 550 means that the file does not exist,
//! all others that the robots.txt is unreachable. Data connections go to the host of the control connection only, whatever
//! address the server names.
//!
//! ```no_run
//! use robots_fetch::client::{ClientOptions, ftp::Client};
//! use robots_fetch::{Origin, SiteProfile};
//!
//! let client = Client::new(&ClientOptions::default())?;
//! let origin = Origin::parse("ftp://ftp.example.com")?;
//! let entry = client.refresh(&origin, None, &SiteProfile::RFC9309);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::sync::Arc;
use core::net::SocketAddr;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::io::{self, Read};
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, mpsc};
use std::thread;

use percent_encoding::percent_decode_str;
use suppaftp::types::{FileType, Response as Reply};
use suppaftp::{FtpError, FtpResult, FtpStream, Mode, Status, TlsStream, TransferStream};

use super::limits::{Deadline, Limit, Limits, Phase};
use super::options::ClientOptions;
use crate::common::lock;
use crate::entry::Entry;
use crate::failure::{Failure, FailureKind};
use crate::message::fields::Validators;
use crate::message::head::Head;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::drive::Transport;
use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::{Fetch, Request, Retrieval};

/// A blocking FTP client. Cloning is cheap; threads can share a client.
#[derive(Clone, Debug)]
pub struct Client {
    options: ClientOptions,
}

impl Client {
    /// Creates a client. Options about header fields have no effect.
    ///
    /// # Errors
    ///
    /// None at present. The signature is that of all clients.
    pub fn new(options: &ClientOptions) -> Result<Self, Failure> {
        Ok(Self { options: options.clone() })
    }

    /// Returns a client whose retrievals take at most `time`, and at most [`ClientOptions::total_timeout`].
    #[cfg(feature = "blocking")]
    pub(super) fn within(&self, time: Duration) -> Self {
        Self { options: self.options.within(time) }
    }

    /// Retrieves the robots.txt of an origin. FTP has no conditional requests, so the validators have no effect.
    ///
    /// Blocks for at most [`ClientOptions::total_timeout`], and the time to close the connections.
    #[must_use]
    pub fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        Outcome::retrieve(&mut self.begin(), origin, validators, profile)
    }

    /// Starts the timeout of a retrieval.
    pub(super) fn begin(&self) -> Session {
        Session { options: self.options.clone(), deadline: Deadline::new(self.options.limits()) }
    }

    /// Starts the timeout of a retrieval by this client and another, which share what they know of hosts.
    #[cfg(any(feature = "blocking", feature = "reqwest"))]
    pub(super) fn begin_beside(&self, other: &ClientOptions) -> Session {
        let mut session = self.begin();
        session.options.hosts = other.hosts.clone();
        session
    }

    /// Retrieves, and makes the next entry from the previous one; see [`Self::fetch`] and [`Entry::from_outcome`].
    #[must_use]
    pub fn refresh(&self, origin: &Origin, before: Option<&Entry>, profile: &SiteProfile) -> Entry {
        let validators = before.map(Entry::validators).unwrap_or_default();
        Entry::from_outcome(before, self.fetch(origin, &validators, profile), profile)
    }
}

impl Fetch for Client {
    fn fetch(&self, retrieval: Retrieval) -> Outcome {
        Self::fetch(self, &retrieval.origin, &retrieval.validators, &retrieval.profile)
    }
}

/// One retrieval.
#[derive(Clone)]
pub(super) struct Session {
    options: ClientOptions,
    deadline: Deadline,
}

impl Transport for Session {
    type Body = Option<Body>;

    fn send(&mut self, request: &Request) -> Result<(Head, Option<Body>), Failure> {
        let url = &request.url;
        self.options.check(request, &["ftp"])?;
        if self.options.proxies.of(url)?.is_some() {
            let text = "FTP through a proxy is not supported; name the host as one without a proxy";
            return Err(Failure::new(FailureKind::Proxy, text));
        }
        let path = percent_decode_str(url.path().trim_start_matches('/')).decode_utf8();
        let path = path.map_err(|error| Failure::new(FailureKind::Other, error))?;
        // CR and LF would end the command (RFC 959, section 5.3), and to many servers NUL ends the name.
        if path.contains(|character: char| character.is_ascii_control()) {
            return Err(Failure::new(FailureKind::Other, "the path has a control character"));
        }
        let limits = self.options.limits();
        let time = self.deadline.allows(limits.connect, Limit::Connect)?.time;
        let (host, port) = (url.host_str().unwrap_or_default(), url.port().unwrap_or(21));
        let addresses = self.options.look_up_within(host, port, self.options.reach(request), time)?;
        let mut control = Err(Failure::new(FailureKind::Dns, ""));
        for address in addresses {
            control = connect(address, &self.options, self.deadline);
            if control.is_ok() {
                break;
            }
        }
        let control = control?;
        let watch = Watch::over(&control, self.deadline.allows(limits.total, Limit::Total)?.time, limits)?;
        let answer = |error: FtpError| match error {
            FtpError::UnexpectedResponse(reply) => answer_of(&reply, watch.has_data()),
            error => Err(watch.failure(&error, Phase::Head)),
        };
        let (options, deadline) = (self.options.clone(), self.deadline);
        let data = Arc::clone(&watch.sockets);
        let opened = FtpStream::connect_with_stream(control).and_then(|stream| {
            let mut stream = stream.passive_stream_builder(move |address| {
                // The address is that of the control connection, with the port that the server named.
                let connected = connect(address, &options, deadline);
                let connected =
                    connected.map_err(|failure| FtpError::ConnectionError(io::Error::other(failure)))?;
                let shared = connected.try_clone().map_err(FtpError::ConnectionError)?;
                lock(&data).push(shared);
                Ok(connected)
            });
            stream.login("anonymous", "anonymous")?;
            stream.transfer_type(FileType::Binary)?;
            stream.set_passive_nat_workaround(true);
            stream.set_mode(Mode::ExtendedPassive);
            match stream.retr_as_stream(&path) {
                Err(FtpError::UnexpectedResponse(reply)) if is_not_understood(reply.status) => {
                    stream.set_mode(Mode::Passive);
                    stream.retr_as_stream(&path)
                }
                other => other,
            }
        });
        match opened {
            Ok(transfer) => Ok((Head::new(150), Some(Body { watch, transfer: Some(Box::new(transfer)) }))),
            Err(error) => answer(error),
        }
    }

    fn read(&mut self, body: &mut Option<Body>, buffer: &mut [u8]) -> Result<usize, Failure> {
        body.as_mut().map_or(Ok(0), |body| body.read(buffer))
    }
}

fn connect(address: SocketAddr, options: &ClientOptions, deadline: Deadline) -> Result<TcpStream, Failure> {
    let limits = options.limits();
    let allowed = deadline.allows(limits.connect, Limit::Connect)?;
    let failure = |error: io::Error| match Phase::Connect.kind(&error) {
        FailureKind::Timeout => limits.timed_out(allowed.limit),
        kind => Failure::new(kind, error),
    };
    let stream = TcpStream::connect_timeout(&address, allowed.time).map_err(failure)?;
    let time = Some(deadline.allows(limits.read, Limit::Read)?.time);
    stream.set_read_timeout(time).and_then(|()| stream.set_write_timeout(time)).map_err(failure)?;
    Ok(stream)
}

/// Returns whether a reply says that the server does not support extended passive mode.
fn is_not_understood(status: Status) -> bool {
    matches!(status.code(), 500..=504 | 522)
}

/// Returns the answer for a reply in place of the file. 550 means "no such file" only as a reply to RETR, which needs a data
/// connection first.
fn answer_of(reply: &Reply, asked: bool) -> Result<(Head, Option<Body>), Failure> {
    match u16::try_from(reply.status.code()) {
        Ok(status @ 400..=599) if asked || status != 550 => Ok((Head::new(status), None)),
        _ => Err(Failure::new(FailureKind::InvalidResponse, String::from_utf8_lossy(&reply.body).trim())),
    }
}

/// The data of a file, over any kind of connection.
trait Transfer: Read + Send {
    fn finish(self: Box<Self>) -> FtpResult<()>;
}

impl<T: TlsStream + Send> Transfer for TransferStream<T>
where
    Self: Send,
{
    fn finish(self: Box<Self>) -> FtpResult<()> {
        Self::finish(*self)
    }
}

/// A file, while it is transferred.
pub(super) struct Body {
    /// Dropped first: dropping `transfer` may wait for the connection, which dropping this closes.
    watch: Watch,
    /// `None` after the end of the file.
    transfer: Option<Box<dyn Transfer>>,
}

impl Body {
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        let Some(transfer) = &mut self.transfer else { return Ok(0) };
        let watch = &self.watch;
        let bytes = transfer.read(buffer);
        let bytes = bytes.map_err(|error| watch.failure(&FtpError::ConnectionError(error), Phase::Body))?;
        if bytes == 0 {
            // Closing the connection at the deadline looks like its end, and the server may have confirmed it before.
            watch.require_time()?;
            // The end of the data is the end of the file only if the server confirms it.
            if let Some(transfer) = self.transfer.take() {
                transfer.finish().map_err(|error| watch.failure(&error, Phase::Body))?;
            }
            watch.require_time()?;
        }
        Ok(bytes)
    }
}

/// Closes the connections of a retrieval at its deadline, or when dropped.
struct Watch {
    sockets: Arc<Mutex<Vec<TcpStream>>>,
    over: Arc<AtomicBool>,
    limits: Limits,
    /// Dropping the sender ends the thread.
    _ends: mpsc::Sender<()>,
}

impl Watch {
    fn over(control: &TcpStream, time: Duration, limits: Limits) -> Result<Self, Failure> {
        let other = |error| Failure::new(FailureKind::Other, error);
        let sockets = Arc::new(Mutex::new(vec![control.try_clone().map_err(other)?]));
        let over = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let shared = (Arc::clone(&sockets), Arc::clone(&over));
        thread::Builder::new()
            .spawn(move || {
                if receiver.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
                    shared.1.store(true, Ordering::Release);
                    shut(&shared.0);
                }
            })
            .map_err(other)?;
        Ok(Self { sockets, over, limits, _ends: sender })
    }

    /// Returns whether there is, or was, a data connection.
    fn has_data(&self) -> bool {
        lock(&self.sockets).len() > 1
    }

    /// # Errors
    ///
    /// The deadline has passed.
    fn require_time(&self) -> Result<(), Failure> {
        let over = self.over.load(Ordering::Acquire);
        if over { Err(self.limits.timed_out(Limit::Total)) } else { Ok(()) }
    }

    /// Returns the failure of an error in this phase.
    fn failure(&self, error: &FtpError, phase: Phase) -> Failure {
        if self.over.load(Ordering::Acquire) {
            return self.limits.timed_out(Limit::Total);
        }
        let kind = match error {
            FtpError::ConnectionError(error) => match error.get_ref() {
                Some(inner) if inner.is::<Failure>() => {
                    return inner
                        .downcast_ref::<Failure>()
                        .cloned()
                        .unwrap_or_else(|| Failure::new(FailureKind::Other, error));
                }
                Some(inner) if inner.is::<suppaftp::ReplyTooLarge>() => FailureKind::HeadTooLarge,
                _ => phase.kind(error),
            },
            FtpError::UnexpectedResponse(_) => phase.broken(),
            FtpError::BadResponse | FtpError::InvalidAddress(_) => FailureKind::InvalidResponse,
            _ => FailureKind::Other,
        };
        match kind {
            FailureKind::Timeout => self.limits.timed_out(Limit::Read),
            kind => Failure::new(kind, error),
        }
    }
}

/// The rest of the control connection is not needed.
impl Drop for Watch {
    fn drop(&mut self) {
        shut(&self.sockets);
    }
}

fn shut(sockets: &Mutex<Vec<TcpStream>>) {
    for socket in lock(sockets).iter() {
        // It may be closed already.
        let _ = socket.shutdown(Shutdown::Both);
    }
}
