//! A client of tokio, over [`::reqwest`]. It speaks HTTP/1.1 and HTTP/2, and takes the roots of trust that Mozilla
//! does.
//!
//! Connections are not on the threads of the runtime that asks: all clients of a process share four to eight threads for
//! them. A server that sends faster than can be parsed may keep a thread busy beyond all timeouts, once for at most 50 MiB;
//! so the timeouts are elsewhere, and hold. Several such servers at a time may make retrievals from others time out.
//!
//! ```no_run
//! use robots_fetch::client::{ClientOptions, reqwest::Client};
//! use robots_fetch::{Origin, Profile};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::new(&ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?)?;
//! let origin = Origin::parse("https://example.com")?;
//! let entry = client.refresh(&origin, None, &Profile::RFC9309).await;
//! // A day later, or when `entry.cache_status(now)` says so:
//! let entry = client.refresh(&origin, Some(&entry), &Profile::RFC9309).await;
//! # Ok(())
//! # }
//! ```

mod connections;
mod failure;

use alloc::sync::Arc;
use core::time::Duration;
use std::io::{self, BufRead, Read};

use ::reqwest::dns::{Addrs, Name, Resolve, Resolving};
use ::reqwest::redirect;
use ::reqwest::{ClientBuilder, Response};
use failure::{chain, failure};
use rustls::crypto::{CryptoProvider, ring};
use rustls::{ClientConfig, RootCertStore};

use super::coding::{self, ACCEPTED, Decoder};
use super::deadline::Deadline;
use super::options::ClientOptions;
use super::phase::Phase;
use crate::entry::Entry;
use crate::failure::{Failure, FailureKind};
use crate::http::validators::Validators;
use crate::origin::Origin;
use crate::profile::Profile;
use crate::retrieval::head::Head;
use crate::retrieval::nonblocking::{AsyncTransport, retrieve_async};
use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::Request;

/// A client of tokio. It is cheap to clone, and shared between tasks.
#[derive(Clone, Debug)]
pub struct Client {
    sender: ::reqwest::Client,
    options: ClientOptions,
}

impl Client {
    /// A client.
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
        tls.alpn_protocols = ["h2", "http/1.1"].map(Into::into).to_vec();
        Self::with_builder(::reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy(), options)
    }

    /// A client with settings of one's own: of TLS, of a proxy, of the pool. What [`ClientOptions`] say comes first. A proxy
    /// connects to the addresses that it finds itself, so [`ClientOptions::addresses`] do not hold for those behind it.
    ///
    /// Where neither the builder nor the process has a provider of cryptography, ring becomes that of the process.
    ///
    /// # Errors
    ///
    /// The client can't be built.
    pub fn with_builder(builder: ClientBuilder, options: &ClientOptions) -> Result<Self, Failure> {
        if CryptoProvider::get_default().is_none() {
            // Another thread may have been faster, which is as good.
            let _ = ring::default_provider().install_default();
        }
        let sender = builder
            .redirect(redirect::Policy::none())
            .referer(false)
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .connect_timeout(options.connect)
            // What is larger still is told from no other error of the protocol; what is not is looked at below.
            .http2_max_header_list_size(u32::try_from(options.max_head.saturating_mul(4)).unwrap_or(u32::MAX))
            .dns_resolver(Arc::new(Checked(options.clone())))
            .build()
            .map_err(|error| Failure::new(FailureKind::Other, chain(&error)))?;
        Ok(Self { sender, options: options.clone() })
    }

    /// A client over one of one's own, with the cookies and fields that it sends.
    ///
    /// Timeouts, sizes and codings are as [`ClientOptions`] say, but for that to connect. The client finds and connects to
    /// addresses by its own parts, so of [`ClientOptions::addresses`] only hosts that are addresses themselves are looked at. If
    /// it follows redirects by itself, that is a failure. A connection that its other requests have made is where they made
    /// it: on a runtime of one thread that asks from there, too, a server can hold that up beyond the timeouts.
    /// [`Self::with_builder`] has none of these gaps.
    #[must_use]
    pub fn with_client(sender: ::reqwest::Client, options: &ClientOptions) -> Self {
        Self { sender, options: options.clone() }
    }

    /// Retrieves the robots.txt of an origin, within a runtime of tokio that has its timer; the validators are those of
    /// [`Entry::validators`].
    ///
    /// It takes at most [`ClientOptions::whole`], as far as that runtime comes to ask: what blocks its threads delays this, too.
    pub async fn fetch(&self, origin: &Origin, validators: &Validators, profile: &Profile) -> Outcome {
        retrieve_async(&mut self.begin(), origin, validators, profile).await
    }

    /// A retrieval, whose time begins.
    pub(super) fn begin(&self) -> Session<'_> {
        Session { client: self, deadline: Deadline::after(self.options.whole) }
    }

    /// The entry after a retrieval, of the one before; see [`Self::fetch`] and [`Entry::from_outcome`].
    pub async fn refresh(&self, origin: &Origin, before: Option<&Entry>, profile: &Profile) -> Entry {
        let validators = before.map(Entry::validators).unwrap_or_default();
        Entry::from_outcome(before, self.fetch(origin, &validators, profile).await, profile)
    }
}

/// One retrieval.
pub(super) struct Session<'c> {
    client: &'c Client,
    deadline: Deadline,
}

/// A body, and its decoder or why there is none.
pub(super) struct Body {
    response: Response,
    decoder: Result<Decoder<Feed>, Failure>,
}

impl AsyncTransport for Session<'_> {
    type Body = Body;

    async fn send(&mut self, request: &Request) -> Result<(Head, Body), Failure> {
        let Client { sender, options } = self.client;
        options.check(&request.url, &["http", "https"])?;
        let mut sent = sender.get(request.url.clone()).header("accept-encoding", ACCEPTED);
        for (name, value) in options.fields(request) {
            sent = sent.header(name, value);
        }
        let time = self.deadline.allows(options.connect.saturating_add(options.read))?;
        let response = within(time, connections::send(sent.send())?, Phase::Head).await?;
        if *response.url() != request.url {
            return Err(Failure::new(FailureKind::Other, "the client followed a redirect by itself"));
        }
        let size: usize =
            response.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
        if size > options.max_head {
            return Err(Failure::new(FailureKind::HeadTooLarge, format!("{size} bytes")));
        }
        let mut head = Head::new(response.status().as_u16());
        for (name, value) in response.headers() {
            head.add_field(name.as_str(), value.as_bytes());
        }
        let codings = response.headers().get_all("content-encoding");
        let decoder = Decoder::new(codings.iter().map(|value| value.as_bytes()), Feed::default());
        Ok((head, Body { response, decoder }))
    }

    async fn read(&mut self, body: &mut Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        let decoder = body.decoder.as_mut().map_err(|failure| failure.clone())?;
        loop {
            match decoder.read_part(buffer) {
                Ok(bytes) => return Ok(bytes),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let time = self.deadline.allows(self.client.options.read)?;
                    let chunk = within(time, body.response.chunk(), Phase::Body).await?;
                    if let Some(feed) = decoder.source() {
                        feed.ended = chunk.is_none();
                        feed.chunk = chunk.map(Vec::from).unwrap_or_default();
                        feed.at = 0;
                    }
                }
                Err(error) => return Err(coding::failure(error)),
            }
        }
    }
}

/// What comes of `step` within `time`.
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

/// The bytes of a body that have come and are not decoded yet; where there are none, reading would block.
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

/// A resolver whose answers are what is connected to: what is checked here is checked.
struct Checked(ClientOptions);

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let options = self.0.clone();
        Box::pin(async move {
            // Port 0 stands for that of the URL.
            let found = tokio::task::spawn_blocking(move || options.look_up(name.as_str(), 0)).await??;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
