//! An async HTTP client on tokio, over [`::reqwest`]. It supports HTTP/1.1 and HTTP/2, and trusts the root certificates of
//! Mozilla. See [`Client`] for the threads that it starts.
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

mod connections;
mod decoding;
mod failure;

use alloc::sync::Arc;
use core::future::poll_fn;
use core::pin::Pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::io::{self, BufRead, Read};

use ::reqwest::Response;
use ::reqwest::dns::{Addrs, Name, Resolve, Resolving};
use ::reqwest::redirect;
use failure::{chain, failure};
use hyper::body::Body as _;
use rustls::crypto::{CryptoProvider, ring};
use rustls::{ClientConfig, RootCertStore};
use url::Url;

use super::coding::{self, ACCEPTED, Decoder};
use super::deadline::Deadline;
use super::framing::{Framing, Judge, MOST_FIELDS, Version};
use super::options::ClientOptions;
use super::phase::Phase;
use crate::entry::Entry;
use crate::failure::{Failure, FailureKind};
use crate::http::validators::Validators;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::head::Head;
use crate::retrieval::nonblocking::{AsyncTransport, retrieve_async};
use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::Request;

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
/// # HTTP/2
///
/// If a crate of the build enables one of the features `gzip`, `brotli`, `deflate` and `zstd` of `reqwest`, the client speaks only
/// HTTP/1.1, because `reqwest` then hides whether a stream of HTTP/2 was reset before its end. A client with TLS settings or a
/// `reqwest` client of your own may speak HTTP/2 in such a build; its answers are then incomplete.
#[derive(Clone, Debug)]
pub struct Client {
    sender: ::reqwest::Client,
    options: ClientOptions,
    /// Whether connections are noted, so that requests on kept ones can be repeated.
    notes: bool,
}

/// How often a request is repeated after kept connections that were closed. Each attempt uses up one of them, so that the
/// last is on a fresh connection.
const MOST_REPEATED: usize = 4;

impl Client {
    /// Creates a client.
    ///
    /// # Errors
    ///
    /// TLS can't be set up.
    pub fn new(options: &ClientOptions) -> Result<Self, Failure> {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| Failure::new(FailureKind::Tls, error))?;
        let mut tls = tls.with_root_certificates(roots).with_no_client_auth();
        let protocols: &[&str] = if decoding::is_built() { &["http/1.1"] } else { &["h2", "http/1.1"] };
        tls.alpn_protocols = protocols.iter().copied().map(Into::into).collect();
        Self::with_builder(::reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy(), options)
    }

    /// Creates a client with your own settings, for example of TLS, a proxy or the pool. [`ClientOptions`] take precedence. A
    /// proxy looks up hosts itself, so [`ClientOptions::addresses`] does not apply behind a proxy.
    ///
    /// If neither the builder nor the process has a cryptography provider, ring becomes the provider of the process.
    ///
    /// # Errors
    ///
    /// The client can't be built.
    pub fn with_builder(builder: ::reqwest::ClientBuilder, options: &ClientOptions) -> Result<Self, Failure> {
        if CryptoProvider::get_default().is_none() {
            // Another thread may have been faster, which does no harm.
            let _ = ring::default_provider().install_default();
        }
        let builder = if decoding::is_built() { builder.http1_only() } else { builder };
        let sender = builder
            .redirect(redirect::Policy::none())
            .referer(false)
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .connect_timeout(options.connect_timeout)
            // A larger head would be an unspecific protocol error; smaller ones are checked against the limit later.
            .http2_max_header_list_size(u32::try_from(options.max_head.saturating_mul(4)).unwrap_or(u32::MAX))
            .http1_max_headers(MOST_FIELDS)
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .connector_layer(connections::Noting)
            .dns_resolver(Arc::new(Checked(options.clone())))
            .build()
            .map_err(|error| Failure::new(FailureKind::Other, chain(&error)))?;
        Ok(Self { sender, options: options.clone(), notes: true })
    }

    /// Creates a client over your own `reqwest` client, with its cookies and fields.
    ///
    /// Timeouts (except for connecting), sizes and codings follow [`ClientOptions`]. The client uses its own resolver, so
    /// [`ClientOptions::addresses`] applies only to hosts that are addresses. A redirect that the client follows by itself is
    /// a failure. Heads of more than 100 fields and folded fields are refused unless the client allows them, and no request is
    /// repeated. Connections that its other requests opened stay on the runtime of those requests, where a server can delay
    /// timeouts, as [`Client`] describes. [`Self::with_builder`] has none of these gaps.
    #[must_use]
    pub fn with_client(client: ::reqwest::Client, options: &ClientOptions) -> Self {
        Self { sender: client, options: options.clone(), notes: false }
    }

    /// Retrieves the robots.txt of an origin, within a tokio runtime that has timers. The validators are those of
    /// [`Entry::validators`].
    ///
    /// Takes at most [`ClientOptions::total_timeout`], unless other work blocks the threads of the runtime.
    pub async fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        self.retrieve(origin, validators, profile, None).await
    }

    /// Retrieves, and asks `is_disallowed` about redirects.
    pub(crate) async fn retrieve<'a>(
        &'a self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
        is_disallowed: Option<&'a (dyn Fn(&Url) -> bool + Sync)>,
    ) -> Outcome {
        retrieve_async(&mut self.begin(is_disallowed), origin, validators, profile).await
    }

    /// Starts the timeout of a retrieval.
    pub(super) fn begin<'c>(
        &'c self,
        is_disallowed: Option<&'c (dyn Fn(&Url) -> bool + Sync)>,
    ) -> Session<'c> {
        Session { client: self, deadline: Deadline::after(self.options.total_timeout), is_disallowed }
    }

    /// Retrieves, and makes the next entry from the previous one; see [`Self::fetch`] and [`Entry::from_outcome`].
    pub async fn refresh(&self, origin: &Origin, before: Option<&Entry>, profile: &SiteProfile) -> Entry {
        let validators = before.map(Entry::validators).unwrap_or_default();
        Entry::from_outcome(before, self.fetch(origin, &validators, profile).await, profile)
    }
}

/// One retrieval.
pub(super) struct Session<'c> {
    client: &'c Client,
    deadline: Deadline,
    is_disallowed: Option<&'c (dyn Fn(&Url) -> bool + Sync)>,
}

/// A body, and its decoder or why there is none.
pub(super) struct Body {
    body: ::reqwest::Body,
    version: Version,
    judge: Judge,
    decoder: Result<Decoder<Feed>, Failure>,
}

impl Body {
    /// Receives the next part of the body; `None` at its end.
    async fn receive(&mut self, time: Duration) -> Result<Option<Vec<u8>>, Failure> {
        loop {
            let body = &mut self.body;
            let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context));
            let frame = within(time, async { frame.await.transpose() }, Phase::Body).await?;
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
                    self.judge.ended(self.version != Version::Http2 || self.body.is_end_stream())?;
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
        let Client { sender, options, notes } = self.client;
        let mut repeated = 0;
        loop {
            let mut sent = sender.get(request.url.clone()).header("accept-encoding", ACCEPTED);
            for (name, value) in options.fields(request) {
                sent = sent.header(name, value);
            }
            let time = self.deadline.allows(options.connect_timeout.saturating_add(options.read_timeout))?;
            let connected = Arc::new(AtomicBool::new(false));
            let sending = connections::send(sent.send(), Arc::clone(&connected))?;
            match within(time, sending, Phase::Head).await {
                Err(failure)
                    if failure.kind() == FailureKind::Reset
                        && *notes
                        && repeated < MOST_REPEATED
                        && !connected.load(Ordering::Acquire) =>
                {
                    repeated += 1;
                }
                other => return other,
            }
        }
    }
}

impl AsyncTransport for Session<'_> {
    type Body = Body;

    async fn send(&mut self, request: &Request) -> Result<(Head, Body), Failure> {
        let options = &self.client.options;
        options.check(&request.url, &["http", "https"])?;
        let response = self.call(request).await?;
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
        let framing = Framing::of(version, status, fields(), options.max_head)?;
        let mut head = Head::new(status);
        fields().for_each(|(name, value)| head.add_field(name, value));
        let codings = response.headers().get_all("content-encoding");
        let decoder = Decoder::new(codings.iter().map(|value| value.as_bytes()), Feed::default());
        Ok((head, Body { body: response.into(), version, judge: Judge::new(framing), decoder }))
    }

    fn is_disallowed(&self, url: &Url) -> bool {
        self.is_disallowed.is_some_and(|is_disallowed| is_disallowed(url))
    }

    async fn read(&mut self, body: &mut Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        loop {
            let decoder = body.decoder.as_mut().map_err(|failure| failure.clone())?;
            match decoder.read_part(buffer) {
                Ok(bytes) => return Ok(bytes),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let time = self.deadline.allows(self.client.options.read_timeout)?;
                    let part = body.receive(time).await?;
                    if let Some(feed) = body.decoder.as_mut().ok().and_then(Decoder::source) {
                        feed.ended = part.is_none();
                        feed.chunk = part.unwrap_or_default();
                        feed.at = 0;
                    }
                }
                Err(error) => return Err(coding::failure(error)),
            }
        }
    }
}

/// Runs `step` for at most `time`.
async fn within<T>(
    time: Duration,
    step: impl Future<Output = Result<T, ::reqwest::Error>>,
    phase: Phase,
) -> Result<T, Failure> {
    match tokio::time::timeout(time, step).await {
        Ok(done) => done.map_err(|error| failure(&error, phase)),
        Err(_) => Err(Failure::new(FailureKind::Timeout, format!("nothing for {} ms", time.as_millis()))),
    }
}

/// The received bytes of a body that are not decoded yet. Without any, reading would block.
#[derive(Debug, Default)]
pub(super) struct Feed {
    chunk: Vec<u8>,
    at: usize,
    ended: bool,
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

impl Read for Feed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?.read(buffer)?;
        self.consume(bytes);
        Ok(bytes)
    }
}

/// A resolver whose addresses are those that are connected to, so that checking them here is enough.
struct Checked(ClientOptions);

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let options = self.0.clone();
        Box::pin(async move {
            // Port 0 means the port of the URL.
            let found = tokio::task::spawn_blocking(move || options.look_up(name.as_str(), 0)).await??;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
