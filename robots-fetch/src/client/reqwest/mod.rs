//! An async HTTP client on tokio, over [`::reqwest`]. It supports HTTP/1.1 and HTTP/2. See [`Client`] for TLS and for the threads
//! that it starts.
//!
//! ```no_run
//! use robots_fetch::client::{ClientOptions, reqwest::Client};
//! use robots_fetch::{Origin, SiteProfile};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::new(&ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?)?;
//! let origin = Origin::parse("https://example.com")?;
//! let entry = client.refresh(&origin, None, &SiteProfile::RFC9309).await;
//! // A day later, or when `entry.is_due(now)`:
//! let entry = client.refresh(&origin, Some(&entry), &SiteProfile::RFC9309).await;
//! # Ok(())
//! # }
//! ```

mod decoding;
mod failure;
mod raw;
mod sender;

use alloc::sync::Arc;
use core::future::poll_fn;
use core::pin::Pin;
use core::sync::atomic::{AtomicBool, Ordering};
use std::io::{self, BufRead};

use ::reqwest::Response;
use failure::{chain, failure};
use hyper::body::Body as _;
use raw::{RawBody, Tls};
use sender::sender;

use super::connections;
#[cfg(feature = "ftp")]
use super::ftp;
use super::options::{ClientOptions, Reach};
use super::proxy::forwarded;
#[cfg(feature = "reqwest-rustls")]
use super::tls;
use crate::client::limits::{Allowed, Deadline, Limit, Limits, Phase};
use crate::entry::Entry;
use crate::failure::{Failure, FailureKind};
use crate::message::decoder::{self, ACCEPTED, Decoder};
use crate::message::fields::Validators;
use crate::message::framing::{Framing, Judge, Version};
use crate::message::head::Head;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::drive::AsyncTransport;
#[cfg(feature = "ftp")]
use crate::retrieval::drive::Transport;
use crate::retrieval::outcome::Outcome;
#[cfg(feature = "tokio")]
use crate::retrieval::request::AsyncFetch;
use crate::retrieval::request::{Request, Retrieval};

/// An async HTTP client on tokio. Cloning is cheap; tasks can share a client.
///
/// # Threads
///
/// The first request of a process starts a second tokio runtime of 4 to 8 threads (as many as processors), named
/// `robots-fetch`, on which the connections of all clients run until the process ends. The reason is that a server that
/// sends endless chunk lengths faster than they can be parsed keeps its connection's thread busy, for up to 50 MiB. On the
/// caller's runtime, above all one of a single thread, no timer would run meanwhile, and no timeout would apply. With
/// separate threads, timeouts apply in the caller's runtime; several such servers at a time can only make other retrievals
/// time out.
///
/// # TLS
///
/// With the feature `reqwest-rustls`, the client uses rustls and trusts the root certificates of Mozilla and those of
/// [`ClientOptions::certificates`]. Without it, `https` is that of your reqwest: of its features `rustls` (one of its defaults) or
/// `native-tls`; without any, URLs with `https` fail as [`FailureKind::UnsupportedScheme`]. No feature of this crate changes the TLS
/// of a client that you make by yourself, or installs a cryptography provider.
///
/// # HTTP/2
///
/// If a crate of the build enables one of the features `gzip`, `brotli`, `deflate` and `zstd` of `reqwest`, the client speaks only
/// HTTP/1.1, because `reqwest` then hides whether a stream of HTTP/2 was reset before its end. A client with TLS settings or a
/// `reqwest` client of your own may speak HTTP/2 in such a build; its answers are then incomplete.
#[derive(Clone, Debug)]
pub struct Client {
    senders: Senders,
    options: ClientOptions,
    /// Whether connections are noted, so that requests on kept ones can be repeated.
    notes: bool,
    /// The settings of TLS for an exchange whose head is read here; `None` if those of `senders` are not known.
    raw: Option<Tls>,
    #[cfg(feature = "ftp")]
    ftp: Option<ftp::Client>,
}

/// Clients whose connections lead to different addresses, so that no request uses a connection that it may not open.
#[derive(Clone, Debug)]
struct Senders {
    first: ::reqwest::Client,
    /// For redirects, if they are restricted further.
    redirect: Option<::reqwest::Client>,
    /// For requests through a proxy.
    proxied: Option<::reqwest::Client>,
}

/// How often a request is repeated after kept connections that were closed. Each attempt uses up one of them, so that the
/// last is on a fresh connection.
const MOST_REPEATED: usize = 4;

impl Client {
    /// Creates a client.
    ///
    /// # Errors
    ///
    /// TLS can't be set up, or [`ClientOptions::certificates`] contains an invalid certificate.
    pub fn new(options: &ClientOptions) -> Result<Self, Failure> {
        #[cfg(feature = "reqwest-rustls")]
        let mut tls = tls::config(&options.certificates)?;
        #[cfg(feature = "reqwest-rustls")]
        let builder = {
            let protocols: &[&str] = if decoding::is_built() { &["http/1.1"] } else { &["h2", "http/1.1"] };
            tls.alpn_protocols = protocols.iter().copied().map(Into::into).collect();
            || ::reqwest::Client::builder().tls_backend_preconfigured(tls.clone()).no_proxy()
        };
        #[cfg(not(feature = "reqwest-rustls"))]
        let builder = || ::reqwest::Client::builder().no_proxy();
        #[cfg(not(feature = "reqwest-rustls"))]
        if !options.certificates.is_empty() {
            let text = "certificates need the feature `reqwest-rustls`, or `Client::with_builder`";
            return Err(Failure::new(FailureKind::InvalidOption, text));
        }
        let first = sender(builder(), options, Reach::First)?;
        let redirect = match options.restricts_redirects() {
            true => Some(sender(builder(), options, Reach::Redirect)?),
            false => None,
        };
        let [http, https] = options.proxies.urls();
        let proxied = if http.is_some() || https.is_some() {
            let failed = |error: ::reqwest::Error| Failure::new(FailureKind::Proxy, chain(&error));
            let mut builder = builder();
            if let Some(url) = http {
                builder = builder.proxy(::reqwest::Proxy::http(url.clone()).map_err(failed)?);
            }
            if let Some(url) = https {
                builder = builder.proxy(::reqwest::Proxy::https(url.clone()).map_err(failed)?);
            }
            Some(sender(builder, options, Reach::Proxy)?)
        } else {
            None
        };
        #[cfg(feature = "reqwest-rustls")]
        let raw = {
            tls.alpn_protocols = vec![b"http/1.1".to_vec()];
            Tls { config: Arc::new(tls) }
        };
        #[cfg(not(feature = "reqwest-rustls"))]
        let raw = Tls {};
        let client = Self::over(first, options.clone());
        Ok(Self { senders: Senders { redirect, proxied, ..client.senders }, raw: Some(raw), ..client })
    }

    /// Creates a client whose requests are all sent by `first`.
    const fn over(first: ::reqwest::Client, options: ClientOptions) -> Self {
        Self {
            senders: Senders { first, redirect: None, proxied: None },
            options,
            notes: true,
            raw: None,
            #[cfg(feature = "ftp")]
            ftp: None,
        }
    }

    /// Creates a client with your own settings, for example of TLS or the pool. [`ClientOptions`] take precedence, except that
    /// [`ClientOptions::proxies`] and [`ClientOptions::certificates`] have no effect.
    ///
    /// [`ClientOptions::addresses`] also applies to the address of a proxy of your builder, and not to hosts that the proxy
    /// looks up. [`ClientOptions::redirect_addresses`] is checked before a request for a host that has a name; a name that
    /// has another address a moment later is not noticed. [`Self::new`] has none of these gaps.
    ///
    /// # Errors
    ///
    /// The client can't be built.
    pub fn with_builder(builder: ::reqwest::ClientBuilder, options: &ClientOptions) -> Result<Self, Failure> {
        Ok(Self::over(sender(builder, options, Reach::First)?, options.without_proxies()))
    }

    /// Creates a client over your own `reqwest` client, with its cookies and fields.
    ///
    /// Timeouts (except for connecting), sizes and codings follow [`ClientOptions`]. The client uses its own resolver, proxies
    /// and certificates, so [`ClientOptions::addresses`] applies only to hosts that are addresses. A redirect that the client follows by itself is
    /// a failure. Heads of more than 100 fields and folded fields are refused unless the client allows them, and no request is
    /// repeated. Connections that its other requests opened stay on the runtime of those requests, where a server can delay
    /// timeouts, as [`Client`] describes. [`Self::with_builder`] has none of these gaps.
    #[must_use]
    pub fn with_client(client: ::reqwest::Client, options: &ClientOptions) -> Self {
        Self { notes: false, ..Self::over(client, options.without_proxies()) }
    }

    /// Retrieves the robots.txt of an origin, within a tokio runtime that has timers. The validators are those of
    /// [`Entry::validators`].
    ///
    /// Takes at most [`ClientOptions::total_timeout`], unless other work blocks the threads of the runtime.
    pub async fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        Outcome::retrieve_async(&mut self.begin(None), origin, validators, profile).await
    }

    /// Sends requests with the scheme `ftp` to an FTP client, which has its own [`ClientOptions`]. Without one, FTP origins and
    /// redirects to FTP fail with [`UnsupportedScheme`](crate::FailureKind::UnsupportedScheme). Both
    /// [`total_timeout`](ClientOptions::total_timeout)s start with the retrieval.
    ///
    /// ```no_run
    /// use robots_fetch::client::{ClientOptions, ftp, reqwest};
    ///
    /// let options = ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?;
    /// let client = reqwest::Client::new(&options)?.with_ftp(ftp::Client::new(&options)?);
    /// # Ok::<(), robots_fetch::Failure>(())
    /// ```
    #[cfg(feature = "ftp")]
    #[must_use]
    pub fn with_ftp(self, ftp: ftp::Client) -> Self {
        Self { ftp: Some(ftp), ..self }
    }

    /// Starts the timeout of a retrieval.
    pub(super) fn begin<'c>(&'c self, retrieval: Option<&'c Retrieval>) -> Session<'c> {
        Session {
            client: self,
            deadline: Deadline::new(self.options.limits()),
            retrieval,
            #[cfg(feature = "ftp")]
            ftp: self.ftp.as_ref().map(|ftp| ftp.begin_beside(&self.options)),
        }
    }

    /// Retrieves, and makes the next entry from the previous one; see [`Self::fetch`] and [`Entry::from_outcome`].
    pub async fn refresh(&self, origin: &Origin, before: Option<&Entry>, profile: &SiteProfile) -> Entry {
        let validators = before.map(Entry::validators).unwrap_or_default();
        Entry::from_outcome(before, self.fetch(origin, &validators, profile).await, profile)
    }
}

#[cfg(feature = "tokio")]
impl AsyncFetch for Client {
    fn fetch<'a>(&'a self, retrieval: Retrieval) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        Box::pin(async move {
            let Retrieval { origin, validators, profile, .. } = &retrieval;
            Outcome::retrieve_async(&mut self.begin(Some(&retrieval)), origin, validators, profile).await
        })
    }

    fn user_agent(&self) -> Option<&str> {
        self.options.user_agent()
    }
}

/// One retrieval.
pub(super) struct Session<'c> {
    client: &'c Client,
    deadline: Deadline,
    retrieval: Option<&'c Retrieval>,
    #[cfg(feature = "ftp")]
    ftp: Option<ftp::Session>,
}

/// The body of an answer.
pub(super) enum Answer {
    Http(Box<Body>),
    #[cfg(feature = "ftp")]
    Ftp(Option<ftp::Body>),
}

/// A body, and its decoder or why there is none.
pub(super) struct Body {
    source: Source,
    judge: Judge,
    decoder: Result<Decoder<Feed>, Failure>,
}

/// The bytes of a body.
enum Source {
    Reqwest(::reqwest::Body, Version),
    Raw(RawBody),
}

impl Body {
    fn new<'v>(source: Source, framing: Framing, codings: impl Iterator<Item = &'v [u8]>) -> Self {
        let version = match &source {
            Source::Reqwest(_, version) => *version,
            Source::Raw(_) => Version::Http11,
        };
        let decoder = Decoder::new(codings, Feed::default(), framing.may_be_empty(version));
        Self { source, judge: Judge::new(framing), decoder }
    }

    /// Receives the next part of the body; `None` at its end.
    async fn receive(
        &mut self,
        deadline: Deadline,
        options: &ClientOptions,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let (body, version) = match &mut self.source {
            Source::Reqwest(body, version) => (body, *version),
            Source::Raw(body) => {
                let part = body.receive(deadline, options).await?;
                if part.is_empty() {
                    self.judge.ended(true)?;
                    return Ok(None);
                }
                self.judge.received(part.len())?;
                return Ok(Some(part));
            }
        };
        let limits = options.limits();
        let allowed = deadline.allows(limits.read, Limit::Read)?;
        let step = Step { allowed, limits, phase: Phase::Body, is_proxied: false };
        loop {
            let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context));
            let frame = step.run(async { frame.await.transpose() }).await?;
            match frame.map(hyper::body::Frame::into_data) {
                Some(Ok(data)) => {
                    self.judge.received(data.len())?;
                    return Ok(Some(Vec::from(data)));
                }
                // Trailers.
                Some(Err(_)) => {}
                None => {
                    // `hyper` takes `RST_STREAM` with `NO_ERROR` for the end of a stream. It is the end only after
                    // `END_STREAM` (RFC 9113, section 8.1).
                    self.judge.ended(version != Version::Http2 || body.is_end_stream())?;
                    return Ok(None);
                }
            }
        }
    }
}

impl Session<'_> {
    /// Sends a request, and repeats it if a kept connection turns out to be closed: GET is idempotent (RFC 9110, section
    /// 9.2.2).
    async fn call(&self, request: &Request) -> Result<Response, Failure> {
        let Client { senders, options, notes, .. } = self.client;
        let limits = options.limits();
        let reach = options.reach(request);
        let (sender, is_proxied) = match (options.proxies.of(&request.url)?, reach) {
            (Some(_), _) => (senders.proxied.as_ref().unwrap_or(&senders.first), true),
            // The resolver of a client of the caller is not known.
            (None, Reach::Redirect) if *notes => match &senders.redirect {
                Some(sender) => (sender, false),
                None => {
                    // The connections of this client are not separated, so the host is looked up before.
                    let (options, host) = (options.clone(), request.url.host_str().unwrap_or_default());
                    let host = host.to_owned();
                    let looking = async move { options.look_up_async(&host, reach).await };
                    connections::send(looking, Arc::default())?.await?;
                    (&senders.first, false)
                }
            },
            (None, _) => (&senders.first, false),
        };
        let mut repeated = 0;
        loop {
            let mut sent = sender.get(request.url.clone()).header("accept-encoding", ACCEPTED);
            for (name, value) in options.fields(request) {
                sent = sent.header(name, value);
            }
            let both = limits.connect.saturating_add(limits.read);
            let limit = if limits.is_short(Limit::Connect) { Limit::Connect } else { Limit::Read };
            let allowed = self.deadline.allows(both, limit)?;
            let connected = Arc::new(AtomicBool::new(false));
            let sending = connections::send(sent.send(), Arc::clone(&connected))?;
            let step = Step { allowed, limits, phase: Phase::Head, is_proxied };
            match step.run(sending).await {
                Err(failure)
                    if failure.kind() == FailureKind::Reset
                        && *notes
                        && repeated < MOST_REPEATED
                        && !connected.load(Ordering::Acquire) =>
                {
                    repeated += 1;
                }
                Err(failure) if is_proxied && request.url.scheme() == "http" => {
                    return Err(forwarded(failure));
                }
                Ok(response) if is_proxied && response.status() == 407 => {
                    return Err(Failure::new(
                        FailureKind::Proxy,
                        "status 407, proxy authentication required",
                    ));
                }
                other => return other,
            }
        }
    }
}

impl AsyncTransport for Session<'_> {
    type Body = Answer;

    async fn send(&mut self, request: &Request) -> Result<(Head, Answer), Failure> {
        #[cfg(feature = "ftp")]
        if let Some(ftp) = self.ftp.as_ref().filter(|_| request.url.scheme() == "ftp") {
            let (mut ftp, request) = (ftp.clone(), request.clone());
            let sent = ftp_step(move || Transport::send(&mut ftp, &request)).await;
            return sent.map(|(head, body)| (head, Answer::Ftp(body)));
        }
        let options = &self.client.options;
        options.check(request, &["http", "https"])?;
        let response = match (self.call(request).await, &self.client.raw) {
            (Err(failure), Some(tls))
                if failure.kind() == FailureKind::InvalidResponse
                    && raw::SCHEMES.contains(&request.url.scheme())
                    && options.proxies.of(&request.url)?.is_none() =>
            {
                let (sent, framing, body) = raw::send(request, options, tls, self.deadline).await?;
                let body = Body::new(Source::Raw(body), framing, sent.codings());
                return Ok((sent.meaning(), Answer::Http(Box::new(body))));
            }
            (response, _) => response?,
        };
        if *response.url() != request.url {
            return Err(Failure::new(FailureKind::Other, "the client followed a redirect by itself"));
        }
        let version = match response.version() {
            ::reqwest::Version::HTTP_11 => Version::Http11,
            ::reqwest::Version::HTTP_2 => Version::Http2,
            _ => Version::Http10,
        };
        let status = response.status().as_u16();
        let fields = || response.headers().iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
        let framing = Framing::of(version, status, fields(), options.max_head);
        let framing = framing.map_err(|failure| options.limits().judged(failure))?;
        let mut head = Head::new(status);
        fields().for_each(|(name, value)| head.add_field(name, value));
        let codings: Vec<_> = response.headers().get_all("content-encoding").iter().cloned().collect();
        let source = Source::Reqwest(response.into(), version);
        let body = Body::new(source, framing, codings.iter().map(|value| value.as_bytes()));
        Ok((head, Answer::Http(Box::new(body))))
    }

    fn retrieval(&self) -> Option<&Retrieval> {
        self.retrieval
    }

    async fn read(&mut self, body: &mut Answer, buffer: &mut [u8]) -> Result<usize, Failure> {
        let body = match body {
            Answer::Http(body) => body,
            #[cfg(feature = "ftp")]
            Answer::Ftp(body) => {
                let Some(mut reading) = body.take() else { return Ok(0) };
                let mut part = vec![0; buffer.len()];
                let read = move || (reading.read(&mut part), part, reading);
                let (read, part, reading) = ftp_step(read).await;
                *body = Some(reading);
                let bytes = read?;
                buffer.iter_mut().zip(part).take(bytes).for_each(|(to, from)| *to = from);
                return Ok(bytes);
            }
        };
        loop {
            let decoder = body.decoder.as_mut().map_err(|failure| failure.clone())?;
            match decoder.read_part(buffer) {
                Ok(bytes) => return Ok(bytes),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let part = body.receive(self.deadline, &self.client.options).await?;
                    if let Some(feed) = body.decoder.as_mut().ok().and_then(Decoder::source) {
                        feed.ended = part.is_none();
                        feed.chunk = part.unwrap_or_default();
                        feed.at = 0;
                    }
                }
                Err(error) => return Err(decoder::failure(error)),
            }
        }
    }
}

/// Runs a step over FTP on a tokio thread for blocking work. It runs there to its end, within its timeout, even if the future is dropped.
#[cfg(feature = "ftp")]
async fn ftp_step<T: Send + 'static>(step: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(step).await {
        Ok(done) => done,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime is being shut down, and this task with it.
        Err(_) => core::future::pending().await,
    }
}

/// A step of a retrieval, which waits for the network.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) allowed: Allowed,
    pub(super) limits: Limits,
    pub(super) phase: Phase,
    /// Whether the request goes through a proxy.
    pub(super) is_proxied: bool,
}

impl Step {
    /// Runs the step for as long as it is allowed.
    pub(super) async fn run<T>(
        self,
        step: impl Future<Output = Result<T, ::reqwest::Error>>,
    ) -> Result<T, Failure> {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return Err(Failure::new(FailureKind::NoRuntime, "").local());
        };
        // In a runtime that is being shut down, a request could wait without an end. Such a runtime ends each new task at once.
        let probe = runtime.spawn(core::future::ready(()));
        if probe.is_finished() && probe.await.is_err() {
            return Err(Failure::new(FailureKind::NoRuntime, "the runtime is being shut down").local());
        }
        match tokio::time::timeout(self.allowed.time, step).await {
            // The URL is known, and may contain secrets.
            Ok(done) => done.map_err(|error| self.failure(&error).caused_by(error.without_url())),
            Err(_) => Err(self.limits.timed_out(self.allowed.limit)),
        }
    }

    fn failure(self, error: &::reqwest::Error) -> Failure {
        let failure = failure(error, self.phase, self.is_proxied);
        // TLS comes after the tunnel.
        if self.is_proxied && error.is_connect() && failure.kind() != FailureKind::Tls {
            return Failure::new(FailureKind::Proxy, failure.text());
        }
        match failure.kind() {
            FailureKind::Timeout if error.is_timeout() => self.limits.timed_out(Limit::Connect),
            _ => self.limits.judged(failure),
        }
    }
}

/// The received bytes of a body that are not decoded yet. Without any, reading would block.
#[derive(Debug, Default)]
pub(super) struct Feed {
    pub(super) chunk: Vec<u8>,
    pub(super) at: usize,
    pub(super) ended: bool,
}

impl BufRead for Feed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.chunk.get(self.at..) {
            Some(rest) if self.ended || !rest.is_empty() => Ok(rest),
            _ => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn consume(&mut self, bytes: usize) {
        self.at += bytes;
    }
}

read_by_parts!([] Feed);
