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

mod broken;
mod chunks;
mod download;
mod filter;
mod head;
mod wire;

use core::time::Duration;
use std::io::{self, BufReader, Read};

use ::ureq::config::Config;
use ::ureq::http;
use ::ureq::{Agent, BodyReader, Error};
use broken::Broken;
use filter::Stale;
use url::Url;
use wire::{Checked, Connecting};

use super::coding::{self, ACCEPTED, Decoder};
use super::deadline::Deadline;
use super::framing::{Framing, Judge, Version};
use super::options::ClientOptions;
use super::phase::Phase;
use crate::entry::Entry;
use crate::failure::{Failure, FailureKind};
use crate::http::validators::Validators;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::blocking::{Transport, retrieve};
use crate::retrieval::head::Head;
use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::Request;

/// A blocking HTTP client. Cloning is cheap; threads can share a client.
#[derive(Clone, Debug)]
pub struct Client {
    agent: Agent,
    options: ClientOptions,
}

impl Client {
    /// Creates a client.
    ///
    /// # Errors
    ///
    /// None at present. The signature is that of all clients.
    pub fn new(options: &ClientOptions) -> Result<Self, Failure> {
        Ok(Self::with_config(Agent::config_builder().proxy(None).build(), options))
    }

    /// Creates a client with your own configuration, for example of TLS, a proxy or the pool. [`ClientOptions`] take
    /// precedence. A proxy looks up hosts itself, so [`ClientOptions::addresses`] does not apply behind a proxy.
    #[must_use]
    pub fn with_config(config: Config, options: &ClientOptions) -> Self {
        let agent = Agent::with_parts(config, Connecting::new(options), Checked(options.clone()));
        Self { agent, options: options.clone() }
    }

    /// Creates a client over your own agent, with its cookies, fields and middleware.
    ///
    /// Redirects, timeouts, sizes and codings follow [`ClientOptions`]. Some checks are weaker, because the agent uses its own
    /// resolver and connections: [`ClientOptions::addresses`] applies only to hosts that are addresses, a reset in a body that
    /// only the end of the connection delimits may count as that end, chunks are read less strictly, heads of more than 128
    /// fields are refused, and no request is repeated. [`Self::with_config`] has none of these gaps.
    #[must_use]
    pub fn with_agent(agent: Agent, options: &ClientOptions) -> Self {
        Self { agent, options: options.clone() }
    }

    /// Retrieves the robots.txt of an origin. The validators are those of [`Entry::validators`].
    ///
    /// Blocks for at most [`ClientOptions::total_timeout`].
    #[must_use]
    pub fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        self.retrieve(origin, validators, profile, None)
    }

    /// Retrieves, and asks `is_disallowed` about redirects.
    pub(crate) fn retrieve(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
        is_disallowed: Option<&dyn Fn(&Url) -> bool>,
    ) -> Outcome {
        retrieve(&mut self.begin(is_disallowed), origin, validators, profile)
    }

    /// Starts the timeout of a retrieval.
    pub(super) fn begin<'c>(&'c self, is_disallowed: Option<&'c dyn Fn(&Url) -> bool>) -> Session<'c> {
        Session { client: self, deadline: Deadline::after(self.options.total_timeout), is_disallowed }
    }

    /// Retrieves, and makes the next entry from the previous one; see [`Self::fetch`] and [`Entry::from_outcome`].
    #[must_use]
    pub fn refresh(&self, origin: &Origin, before: Option<&Entry>, profile: &SiteProfile) -> Entry {
        let validators = before.map(Entry::validators).unwrap_or_default();
        Entry::from_outcome(before, self.fetch(origin, &validators, profile), profile)
    }
}

/// One retrieval.
pub(super) struct Session<'c> {
    client: &'c Client,
    deadline: Deadline,
    is_disallowed: Option<&'c dyn Fn(&Url) -> bool>,
}

impl Transport for Session<'_> {
    /// An unknown coding is a failure only when the body is read: most answers without a file need no body.
    type Body = Result<Decoder<BufReader<Body>>, Failure>;

    fn send(&mut self, request: &Request) -> Result<(Head, Self::Body), Failure> {
        let options = &self.client.options;
        options.check(&request.url, &["http", "https"])?;
        let mut response = self.call(request, None);
        if matches!(&response, Err(Error::Other(other)) if other.is::<Stale>()) {
            // GET is idempotent, so it can be repeated (RFC 9110, section 9.2.2).
            response = self.call(request, Some(Duration::ZERO));
        }
        let (parts, body) = response.map_err(|error| failure(&error, Phase::Head))?.into_parts();
        let version = match parts.version {
            http::Version::HTTP_11 => Version::Http11,
            _ => Version::Http10,
        };
        let status = parts.status.as_u16();
        let fields = || parts.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
        let framing = Framing::of(version, status, fields(), options.max_head)?;
        let mut head = Head::new(status);
        fields().for_each(|(name, value)| head.add_field(name, value));
        let codings = parts.headers.get_all(http::header::CONTENT_ENCODING);
        let body = BufReader::new(Body { body: body.into_reader(), judge: Judge::new(framing) });
        Ok((head, Decoder::new(codings.iter().map(http::HeaderValue::as_bytes), body)))
    }

    fn is_disallowed(&self, url: &Url) -> bool {
        self.is_disallowed.is_some_and(|is_disallowed| is_disallowed(url))
    }

    fn read(&mut self, body: &mut Self::Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        match body {
            Ok(body) => body.read_part(buffer).map_err(coding::failure),
            Err(failure) => Err(failure.clone()),
        }
    }
}

impl Session<'_> {
    /// Sends a request, on a connection that was idle for less than this if it is kept from an earlier request.
    fn call(
        &self,
        request: &Request,
        max_idle_age: Option<Duration>,
    ) -> Result<http::Response<::ureq::Body>, Error> {
        let Client { agent, options } = self.client;
        let other = |failure| Error::Other(Box::new(failure));
        let whole = self.deadline.allows(options.total_timeout).map_err(other)?;
        let mut sent = agent.get(request.url.as_str()).header("accept-encoding", ACCEPTED);
        for (name, value) in options.fields(request) {
            sent = sent.header(name, value);
        }
        let mut sent = sent
            .config()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_response_header_size(options.max_head.saturating_add(head::OVERHEAD))
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
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self
            .body
            .read(buffer)
            .map_err(|error| io::Error::other(failure(&Error::from(error), Phase::Body)))?;
        // The library fails where it knows of an early end.
        let judged = if bytes == 0 { self.judge.ended(true) } else { self.judge.received(bytes) };
        judged.map_err(io::Error::other)?;
        Ok(bytes)
    }
}

/// Returns the failure of an error in this phase.
fn failure(error: &Error, phase: Phase) -> Failure {
    let kind = match error {
        Error::Other(other) => {
            if let Some(failure) = other.downcast_ref::<Failure>() {
                return failure.clone();
            }
            match (other.downcast_ref::<Broken>(), other.downcast_ref::<Stale>()) {
                (Some(Broken(text)), _) | (None, Some(Stale(text))) => {
                    return Failure::new(phase.broken(), text);
                }
                _ => FailureKind::Other,
            }
        }
        Error::Timeout(_) => FailureKind::Timeout,
        Error::HostNotFound => FailureKind::Dns,
        Error::Tls(_) | Error::Rustls(_) | Error::TlsRequired | Error::Pem(_) => FailureKind::Tls,
        Error::ConnectionFailed | Error::ConnectProxyFailed(_) | Error::InvalidProxyUrl => {
            FailureKind::Connect
        }
        Error::LargeResponseHeader(..) => FailureKind::HeadTooLarge,
        Error::Io(error) => phase.kind(error),
        // Protocol errors of a body are always about chunks. Too many fields of a head count as a size.
        Error::Protocol(_) | Error::BodyStalled if phase == Phase::Body => FailureKind::Chunking,
        Error::Protocol(error) if error.to_string().contains("too many headers") => FailureKind::HeadTooLarge,
        Error::Protocol(_) | Error::Http(_) => FailureKind::InvalidResponse,
        _ => FailureKind::Other,
    };
    Failure::new(kind, error)
}
