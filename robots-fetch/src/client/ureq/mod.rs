//! A blocking HTTP client, over [`::ureq`]. It supports HTTP/1.1, and trusts the root certificates of Mozilla.
//!
//! ```no_run
//! use robots_fetch::client::{ClientOptions, ureq::Client};
//! use robots_fetch::{Origin, SiteProfile};
//!
//! let client = Client::new(&ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?)?;
//! let origin = Origin::parse("https://example.com")?;
//! let entry = client.refresh(&origin, None, &SiteProfile::RFC9309);
//! // A day later, or when `entry.is_due(now)`:
//! let entry = client.refresh(&origin, Some(&entry), &SiteProfile::RFC9309);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "sitemap")]
mod download;
mod filter;
mod look;
mod wire;

#[cfg(feature = "sitemap")]
#[doc(hidden)]
pub use download::Download;
#[doc(hidden)]
pub use look::Looked;

use alloc::sync::Arc;
use core::time::Duration;
use std::io::{self, BufReader, Read};

use ::ureq::config::Config;
use ::ureq::http;
use ::ureq::{Agent, BodyReader, Error, Timeout};
use filter::{Broken, Stale};
use percent_encoding::percent_decode_str;
use url::Url;
use wire::{Checked, Connecting, Route};

use super::limits::{Deadline, Limit, Limits, Phase};
use super::options::{ClientOptions, Reach};
use super::{proxy, tls};
use crate::entry::Entry;
use crate::failure::{Failure, FailureKind};
use crate::message::decoder::{self, ACCEPTED, Decoder};
use crate::message::fields::Validators;
use crate::message::framing::{Framing, Judge, Version};
use crate::message::head::Head;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::drive::Transport;
use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::Fetch;
use crate::retrieval::request::{Request, Retrieval};

/// A blocking HTTP client. Cloning is cheap; threads can share a client.
#[derive(Clone, Debug)]
pub struct Client {
    agents: Agents,
    options: ClientOptions,
    #[cfg(feature = "ftp")]
    ftp: Option<super::ftp::Client>,
}

/// Agents whose connections lead to different addresses, so that no request uses a connection that it may not open.
#[derive(Clone, Debug)]
struct Agents {
    first: Agent,
    /// For redirects, if they are restricted further.
    redirect: Option<Agent>,
    /// For `http` URLs through a proxy.
    forwarded: Option<Agent>,
    /// For `https` URLs through a proxy.
    tunnelled: Option<Agent>,
}

impl Client {
    /// Creates a client.
    ///
    /// # Errors
    ///
    /// [`ClientOptions::certificates`] contains an invalid certificate, or [`ClientOptions::proxies`] a proxy that can't be
    /// used.
    pub fn new(options: &ClientOptions) -> Result<Self, Failure> {
        let tls = match options.certificates.as_slice() {
            [] => None,
            pem => Some(Arc::new(tls::config(pem)?)),
        };
        let config = || Agent::config_builder().proxy(None);
        let direct = |reach| {
            let connecting = Connecting::new(options, tls.clone(), Route::Direct);
            Agent::with_parts(config().build(), connecting, Checked::new(options, reach))
        };
        let [http, https] = options.proxies.urls();
        let forwarded = http.map(|url| {
            let connecting = Connecting::new(options, tls.clone(), Route::Forwarded(proxy_uri(url)?));
            let resolver = Checked::of_proxy(options, url);
            Ok(Agent::with_parts(config().build(), connecting, resolver))
        });
        let tunnelled = https.map(|url| {
            let failed = |error: Error| Failure::new(FailureKind::Proxy, error);
            let proxy = ::ureq::Proxy::new(url.as_str()).map_err(failed)?;
            let connecting = Connecting::new(options, tls.clone(), Route::Tunnelled);
            let resolver = Checked::new(options, Reach::Proxy);
            Ok(Agent::with_parts(config().proxy(Some(proxy)).build(), connecting, resolver))
        });
        let agents = Agents {
            first: direct(Reach::First),
            redirect: options.restricts_redirects().then(|| direct(Reach::Redirect)),
            forwarded: forwarded.transpose()?,
            tunnelled: tunnelled.transpose()?,
        };
        Ok(Self::of(agents, options.clone()))
    }

    const fn of(agents: Agents, options: ClientOptions) -> Self {
        Self {
            agents,
            options,
            #[cfg(feature = "ftp")]
            ftp: None,
        }
    }

    /// Creates a client with your own configuration, for example of TLS or the pool. [`ClientOptions`] take precedence, except
    /// that [`ClientOptions::proxies`] and [`ClientOptions::certificates`] have no effect. If the configuration has a proxy,
    /// the proxy looks up hosts itself, so [`ClientOptions::addresses`] does not apply to them.
    #[must_use]
    pub fn with_config(config: Config, options: &ClientOptions) -> Self {
        let options = &options.without_proxies();
        let direct = |config, reach| {
            let connecting = Connecting::new(options, None, Route::Direct);
            Agent::with_parts(config, connecting, Checked::new(options, reach))
        };
        let redirect = options.restricts_redirects().then(|| direct(config.clone(), Reach::Redirect));
        let agents =
            Agents { first: direct(config, Reach::First), redirect, forwarded: None, tunnelled: None };
        Self::of(agents, options.clone())
    }

    /// Creates a client over your own agent, with its cookies, fields and middleware.
    ///
    /// Redirects, timeouts, sizes and codings follow [`ClientOptions`]. Some checks are weaker, because the agent uses its own
    /// resolver, proxies, certificates and connections: [`ClientOptions::addresses`] applies only to hosts that are addresses, a reset in a body that
    /// only the end of the connection delimits may count as that end, chunks are read less strictly, heads of more than 128
    /// fields are refused, and no request is repeated. [`Self::with_config`] has none of these gaps.
    #[must_use]
    pub fn with_agent(agent: Agent, options: &ClientOptions) -> Self {
        let options = options.without_proxies();
        let agents = Agents { first: agent, redirect: None, forwarded: None, tunnelled: None };
        Self::of(agents, options)
    }

    /// Retrieves the robots.txt of an origin. The validators are those of [`Entry::validators`].
    ///
    /// Blocks for at most [`ClientOptions::total_timeout`].
    #[must_use]
    pub fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        self.retrieve(origin, validators, profile, None)
    }

    /// Sends requests with the scheme `ftp` to an FTP client, which has its own [`ClientOptions`]. Without one, FTP origins and
    /// redirects to FTP fail with [`UnsupportedScheme`](crate::FailureKind::UnsupportedScheme). Both
    /// [`total_timeout`](ClientOptions::total_timeout)s start with the retrieval.
    ///
    /// ```no_run
    /// use robots_fetch::client::{ClientOptions, ftp, ureq};
    ///
    /// let options = ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?;
    /// let client = ureq::Client::new(&options)?.with_ftp(ftp::Client::new(&options)?);
    /// # Ok::<(), robots_fetch::Failure>(())
    /// ```
    #[cfg(feature = "ftp")]
    #[must_use]
    pub fn with_ftp(self, ftp: super::ftp::Client) -> Self {
        Self { ftp: Some(ftp), ..self }
    }

    /// Retrieves for a cache, or without one.
    fn retrieve(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
        retrieval: Option<&Retrieval>,
    ) -> Outcome {
        let mut http = self.begin(retrieval);
        #[cfg(feature = "ftp")]
        if let Some(ftp) = &self.ftp {
            return super::by_scheme::retrieve(http, ftp, &self.options, (origin, validators, profile));
        }
        Outcome::retrieve(&mut http, origin, validators, profile)
    }

    /// Starts the timeout of a retrieval.
    pub(super) fn begin<'c>(&'c self, retrieval: Option<&'c Retrieval>) -> Session<'c> {
        Session { client: self, deadline: Deadline::new(self.options.limits()), retrieval }
    }

    /// Starts a timeout that may be shorter than that of the options.
    #[cfg(feature = "sitemap")]
    fn begin_within(&self, most: Duration) -> Session<'_> {
        let mut limits = self.options.limits();
        limits.total = limits.total.min(most);
        Session { client: self, deadline: Deadline::new(limits), retrieval: None }
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
        self.retrieve(&retrieval.origin, &retrieval.validators, &retrieval.profile, Some(&retrieval))
    }
}

/// One retrieval.
pub(super) struct Session<'c> {
    client: &'c Client,
    deadline: Deadline,
    retrieval: Option<&'c Retrieval>,
}

impl Transport for Session<'_> {
    /// An unknown coding is a failure only when the body is read: most answers without a file need no body.
    type Body = Result<Decoder<BufReader<Body>>, Failure>;

    fn send(&mut self, request: &Request) -> Result<(Head, Self::Body), Failure> {
        let (head, _, body) = self.send_with_fields(request)?;
        Ok((head, body))
    }

    fn retrieval(&self) -> Option<&Retrieval> {
        self.retrieval
    }

    fn read(&mut self, body: &mut Self::Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        match body {
            Ok(body) => body.read_part(buffer).map_err(decoder::failure),
            Err(failure) => Err(failure.clone()),
        }
    }

    fn has_excess(&self) -> bool {
        filter::has_excess()
    }
}

impl Session<'_> {
    /// Sends a request, and returns the head of the answer as read, with all fields of the header section.
    fn send_with_fields(
        &mut self,
        request: &Request,
    ) -> Result<(Head, http::HeaderMap, <Self as Transport>::Body), Failure> {
        let options = &self.client.options;
        filter::forget_excess();
        options.check(request, &["http", "https"])?;
        let limits = options.limits();
        let mut response = self.call(request, None);
        if matches!(&response, Err(Error::Other(other)) if other.is::<Stale>()) {
            // GET is idempotent, so it can be repeated (RFC 9110, section 9.2.2).
            response = self.call(request, Some(Duration::ZERO));
        }
        let is_proxied = options.proxies.of(&request.url)?.is_some();
        let response = response.map_err(|error| match failure(&error, Phase::Head, limits) {
            failure if is_proxied && request.url.scheme() == "http" => proxy::forwarded(failure),
            failure => failure,
        });
        let (parts, body) = response?.into_parts();
        if parts.status == 407 && is_proxied {
            return Err(Failure::new(FailureKind::Proxy, "status 407, proxy authentication required"));
        }
        let version = match parts.version {
            http::Version::HTTP_11 => Version::Http11,
            _ => Version::Http10,
        };
        let status = parts.status.as_u16();
        let fields = || parts.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
        let framing = Framing::of(version, status, fields(), options.max_head);
        let framing = framing.map_err(|failure| limits.judged(failure))?;
        let mut head = Head::new(status);
        fields().for_each(|(name, value)| head.add_field(name, value));
        let codings = parts.headers.get_all(http::header::CONTENT_ENCODING);
        let may_be_empty = framing.may_be_empty(version);
        let body = BufReader::new(Body { body: body.into_reader(), judge: Judge::new(framing), limits });
        let decoder = Decoder::new(codings.iter().map(http::HeaderValue::as_bytes), body, may_be_empty);
        Ok((head, parts.headers, decoder))
    }

    /// Sends a request, on a connection that was idle for less than this if it is kept from an earlier request.
    fn call(
        &self,
        request: &Request,
        max_idle_age: Option<Duration>,
    ) -> Result<http::Response<::ureq::Body>, Error> {
        let Client { agents, options, .. } = self.client;
        let other = |failure| Error::Other(Box::new(failure));
        let whole = self.deadline.allows(options.total_timeout, Limit::Total).map_err(other)?.time;
        let reach = options.reach(request);
        let mut authorization = None;
        let agent = match options.proxies.of(&request.url).map_err(other)? {
            None if reach == Reach::Redirect => agents.redirect.as_ref(),
            None => None,
            Some(_) if request.url.scheme() == "https" => agents.tunnelled.as_ref(),
            Some(proxy) => {
                authorization = credentials(proxy);
                agents.forwarded.as_ref()
            }
        };
        let agent = agent.unwrap_or(&agents.first);
        let mut sent = agent.get(request.url.as_str()).header("accept-encoding", ACCEPTED);
        if let Some(authorization) = authorization {
            sent = sent.header("proxy-authorization", authorization);
        }
        for (name, value) in options.fields(request) {
            sent = sent.header(name, value);
        }
        let mut sent = sent
            .config()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_response_header_size(options.max_head.saturating_add(filter::OVERHEAD))
            .timeout_global(Some(whole))
            .timeout_connect(Some(options.connect_timeout))
            .timeout_resolve(Some(options.connect_timeout))
            .timeout_per_read(Some(options.read_timeout))
            .timeout_send_request(Some(options.read_timeout));
        if let Some(age) = max_idle_age {
            sent = sent.max_idle_age(age);
        }
        sent.build().call()
    }
}

/// A body whose errors are failures.
pub(super) struct Body {
    body: BodyReader<'static>,
    judge: Judge,
    limits: Limits,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self
            .body
            .read(buffer)
            .map_err(|error| io::Error::other(failure(&Error::from(error), Phase::Body, self.limits)))?;
        // The library fails where it knows of an early end.
        let judged = if bytes == 0 { self.judge.ended(true) } else { self.judge.received(bytes) };
        judged.map_err(io::Error::other)?;
        Ok(bytes)
    }
}

/// Returns the credentials for a proxy (RFC 7617).
fn credentials(proxy: &Url) -> Option<String> {
    use base64::Engine as _;
    if proxy.username().is_empty() && proxy.password().is_none() {
        return None;
    }
    let user = percent_decode_str(proxy.username()).collect::<Vec<u8>>();
    let password = percent_decode_str(proxy.password().unwrap_or_default()).collect::<Vec<u8>>();
    let both = [user.as_slice(), b":", &password].concat();
    Some(format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(both)))
}

/// Returns the URI of a proxy, without credentials.
fn proxy_uri(url: &Url) -> Result<http::Uri, Failure> {
    let uri = format!("{}://{}/", url.scheme(), proxy::authority(url));
    uri.parse().map_err(|error| Failure::new(FailureKind::Proxy, error))
}

/// Returns the failure of an error in this phase.
fn failure(error: &Error, phase: Phase, limits: Limits) -> Failure {
    let kind = match error {
        Error::Other(other) => {
            if let Some(failure) = other.downcast_ref::<Failure>() {
                return limits.judged(failure.clone());
            }
            match (other.downcast_ref::<Broken>(), other.downcast_ref::<Stale>()) {
                (Some(Broken(text)), _) | (None, Some(Stale(text))) => {
                    return Failure::new(phase.broken(), text);
                }
                _ => FailureKind::Other,
            }
        }
        Error::Timeout(timeout) => {
            return limits.timed_out(match timeout {
                Timeout::Global | Timeout::PerCall => Limit::Total,
                Timeout::Resolve | Timeout::Connect => Limit::Connect,
                _ => Limit::Read,
            });
        }
        Error::ConnectProxyFailed(_) | Error::InvalidProxyUrl => FailureKind::Proxy,
        Error::HostNotFound => FailureKind::Dns,
        Error::Tls(_) | Error::Rustls(_) | Error::TlsRequired | Error::Pem(_) => FailureKind::Tls,
        Error::ConnectionFailed => FailureKind::Connect,
        Error::LargeResponseHeader(..) => FailureKind::HeadTooLarge,
        Error::Io(error) => phase.kind(error),
        // Protocol errors of a body are always about chunks. Too many fields of a head count as a size.
        Error::Protocol(_) | Error::BodyStalled if phase == Phase::Body => FailureKind::Chunking,
        Error::Protocol(error) if error.to_string().contains("too many headers") => FailureKind::HeadTooLarge,
        Error::Protocol(_) | Error::Http(_) => FailureKind::InvalidResponse,
        _ => FailureKind::Other,
    };
    limits.judged(Failure::new(kind, error))
}
