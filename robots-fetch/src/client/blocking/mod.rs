//! A blocking HTTP client, without a runtime. It supports HTTP/1.1, and trusts the root certificates of Mozilla.
//!
//! ```no_run
//! use robots_fetch::client::{ClientOptions, blocking::Client};
//! use robots_fetch::{Origin, SiteProfile};
//!
//! let client = Client::new(&ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?)?;
//! let origin = Origin::parse("https://example.com")?;
//! let entry = client.refresh(&origin, None, &SiteProfile::RFC9309);
//! // A day later, or when `entry.is_due(now)`:
//! let entry = client.refresh(&origin, Some(&entry), &SiteProfile::RFC9309);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod wire;

use alloc::sync::Arc;
use core::time::Duration;
use std::io::{self, BufRead, Read};
use std::sync::Mutex;
use std::time::Instant;

use rustls::ClientConfig;
use url::{Position, Url};

use self::wire::{Connection, credentials};
#[cfg(feature = "ftp")]
use super::ftp;
use super::http1;
use super::limits::{Deadline, Phase};
use super::options::{ClientOptions, Reach};
use super::{proxy, tls};
use crate::common::lock;
use crate::entry::Entry;
use crate::failure::{Cause, Failure, FailureKind};
use crate::message::decoder::{self, Decoder};
use crate::message::fields::Validators;
use crate::message::framing::Judge;
use crate::message::head::Head;
use crate::message::http1::SentHead;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::drive::Transport;
use crate::retrieval::outcome::Outcome;
use crate::retrieval::redirect::next;
use crate::retrieval::request::{Fetch, Request, Retrieval};

/// A blocking HTTP client. Cloning is cheap; threads can share a client.
///
/// Up to 10 connections are kept for 15 seconds.
#[derive(Clone)]
pub struct Client {
    options: ClientOptions,
    tls: Arc<ClientConfig>,
    kept: Arc<Mutex<Vec<Kept>>>,
    #[cfg(feature = "ftp")]
    ftp: Option<ftp::Client>,
}

/// A connection that is kept for other requests.
struct Kept {
    connection: Connection,
    way: Way,
    until: Instant,
}

/// The site that a connection leads to, and how. No request uses a connection that it may not open.
#[derive(Clone, PartialEq, Eq)]
struct Way {
    site: String,
    reach: Reach,
    /// Requests for `http` URLs share their connections to the proxy.
    proxy: Option<Url>,
}

const MOST_KEPT: usize = 10;
const KEPT_FOR: Duration = Duration::from_secs(15);

impl Client {
    /// Creates a client.
    ///
    /// # Errors
    ///
    /// [`ClientOptions::certificates`] contains an invalid certificate.
    pub fn new(options: &ClientOptions) -> Result<Self, Failure> {
        let tls = tls::config(&options.certificates)?;
        Ok(Self {
            options: options.clone(),
            tls: Arc::new(tls),
            kept: Arc::default(),
            #[cfg(feature = "ftp")]
            ftp: None,
        })
    }

    /// Uses these settings of TLS, for example with a certificate of the crawler, in place of [`ClientOptions::certificates`].
    #[must_use]
    pub fn with_tls(self, tls: Arc<ClientConfig>) -> Self {
        Self { tls, ..self }
    }

    /// Retrieves the robots.txt of an origin. The validators are those of [`Entry::validators`].
    ///
    /// Blocks for at most [`ClientOptions::total_timeout`].
    #[must_use]
    pub fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        Outcome::retrieve(&mut self.begin(None), origin, validators, profile)
    }

    /// Sends requests with the scheme `ftp` to an FTP client, which has its own [`ClientOptions`]. Without one, FTP origins and
    /// redirects to FTP fail with [`UnsupportedScheme`](crate::FailureKind::UnsupportedScheme). Both
    /// [`total_timeout`](ClientOptions::total_timeout)s start with the retrieval.
    ///
    /// ```no_run
    /// use robots_fetch::client::{ClientOptions, blocking, ftp};
    ///
    /// let options = ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?;
    /// let client = blocking::Client::new(&options)?.with_ftp(ftp::Client::new(&options)?);
    /// # Ok::<(), robots_fetch::Failure>(())
    /// ```
    #[cfg(feature = "ftp")]
    #[must_use]
    pub fn with_ftp(self, ftp: ftp::Client) -> Self {
        Self { ftp: Some(ftp), ..self }
    }

    /// Returns a client with the connections of this one, whose retrievals and looks at pages take at most `time`, and at most
    /// [`ClientOptions::total_timeout`](crate::client::ClientOptions::total_timeout).
    #[doc(hidden)]
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Self {
            options: self.options.within(time),
            #[cfg(feature = "ftp")]
            ftp: self.ftp.as_ref().map(|ftp| ftp.within(time)),
            ..self.clone()
        }
    }

    /// Retrieves, and makes the next entry from the previous one; see [`Self::fetch`] and [`Entry::from_outcome`].
    #[must_use]
    pub fn refresh(&self, origin: &Origin, before: Option<&Entry>, profile: &SiteProfile) -> Entry {
        let validators = before.map(Entry::validators).unwrap_or_default();
        Entry::from_outcome(before, self.fetch(origin, &validators, profile), profile)
    }

    /// Starts the timeout of a retrieval.
    fn begin<'c>(&'c self, retrieval: Option<&'c Retrieval>) -> Session<'c> {
        Session {
            client: self,
            deadline: Deadline::new(self.options.limits()),
            retrieval,
            #[cfg(feature = "ftp")]
            ftp: self.ftp.as_ref().map(|ftp| ftp.begin_beside(&self.options)),
        }
    }

    /// Downloads a file other than a robots.txt, such as a sitemap, with the timeouts, the coding and the addresses of the options.
    ///
    /// `named_by` are the URLs of the files that led to `url`. As after redirects, an address that is not public is refused if
    /// one of their hosts is public ([`ClientOptions::redirect_addresses`](crate::client::ClientOptions::redirect_addresses)).
    ///
    /// Blocks for at most `within`, and at most [`ClientOptions::total_timeout`](crate::client::ClientOptions::total_timeout), with
    /// the time until the file is read to its end.
    ///
    /// # Memory
    ///
    /// That of the connection. The caller reads the file, and decides what is kept of it.
    ///
    /// # Errors
    ///
    /// The status is not 200, there are more than five redirects, or the address is refused.
    #[doc(hidden)]
    pub fn download(&self, url: &Url, named_by: &[Url], within: Duration) -> Result<Download<'_>, Failure> {
        const MAX_REDIRECTS: usize = 5;
        let invalid = |text: String| Failure::new(FailureKind::InvalidResponse, text);
        let mut session = self.begin(None);
        let mut limits = self.options.limits();
        limits.total = limits.total.min(within);
        session.deadline = Deadline::new(limits);
        let (mut url, mut before) = (url.clone(), named_by.to_vec());
        for _ in 0..=MAX_REDIRECTS {
            let request = Request::new(url, before.clone());
            let (head, body) = session.exchange(&request)?;
            url = match location(&head, &request.url)? {
                _ if head.status == 200 => return Ok(Download { session, body }),
                Some(next) => next,
                None => return Err(invalid(format!("the server answered {}", head.status))),
            };
            before.push(request.url);
        }
        Err(invalid(format!("more than {MAX_REDIRECTS} redirects")))
    }

    /// Requests a page once, and returns its answer with at most `most` bytes of its body. Redirects are not followed, because
    /// the robots.txt of each hop decides whether it may be requested.
    ///
    /// `named_by` are the URLs that led to `url`. As after redirects, an address that is not public is refused if one of their
    /// hosts is public ([`ClientOptions::redirect_addresses`](crate::client::ClientOptions::redirect_addresses)).
    ///
    /// Blocks for at most [`ClientOptions::total_timeout`](crate::client::ClientOptions::total_timeout).
    ///
    /// # Errors
    ///
    /// The server can't be asked, its address is refused, the head of its answer is invalid, or it redirects to nowhere.
    #[doc(hidden)]
    pub fn look(&self, url: &Url, named_by: &[Url], most: usize) -> Result<Looked, Failure> {
        let session = self.begin(None);
        let request = Request::new(url.clone(), named_by.to_vec());
        let (head, body) = session.exchange(&request)?;
        let location = location(&head, &request.url)?;
        let (status, fields) = (head.status, head.fields);
        let mut looked = Looked { status, fields, body: Vec::new(), is_cut: false, location };
        if looked.location.is_none() {
            // What was received before a failure may have rules.
            let read = Download { session, body }.take(most as u64 + 1).read_to_end(&mut looked.body);
            looked.is_cut = read.is_err() || looked.body.len() > most;
            looked.body.truncate(most);
        }
        Ok(looked)
    }

    /// Takes a connection that is kept, for operations until the deadline.
    fn kept(&self, way: &Way, deadline: Deadline) -> Option<Connection> {
        let mut kept = lock(&self.kept);
        let now = Instant::now();
        kept.retain(|kept| now < kept.until);
        let place = kept.iter().rposition(|kept| kept.way == *way)?;
        let mut connection = kept.remove(place).connection;
        connection.begin(&self.options, deadline);
        connection.is_idle().then_some(connection)
    }

    fn keep(&self, connection: Connection, way: Way) {
        let mut kept = lock(&self.kept);
        if kept.len() == MOST_KEPT {
            kept.remove(0);
        }
        kept.push(Kept { connection, way, until: Instant::now() + KEPT_FOR });
    }
}

debug!([] Client as "Client", |client| "options": client.options);

impl Fetch for Client {
    fn fetch(&self, retrieval: Retrieval) -> Outcome {
        let Retrieval { origin, validators, profile, .. } = &retrieval;
        Outcome::retrieve(&mut self.begin(Some(&retrieval)), origin, validators, profile)
    }
}

/// Returns the target of an answer that is a redirect.
fn location(head: &SentHead, from: &Url) -> Result<Option<Url>, Failure> {
    next(&head.meaning(), from).transpose().map_err(|wrong| {
        let what = Cause::RedirectNowhere(head.status, wrong).to_string();
        Failure::new(FailureKind::InvalidResponse, what)
    })
}

/// One retrieval.
struct Session<'c> {
    client: &'c Client,
    deadline: Deadline,
    retrieval: Option<&'c Retrieval>,
    #[cfg(feature = "ftp")]
    ftp: Option<ftp::Session>,
}

/// The body of an answer. An unknown coding is a failure only when the body is read: most answers without a file need no body.
enum Answer<'c> {
    Http(Box<Result<Decoder<Body<'c>>, Failure>>),
    #[cfg(feature = "ftp")]
    Ftp(Option<ftp::Body>),
}

impl<'c> Transport for Session<'c> {
    type Body = Answer<'c>;

    fn send(&mut self, request: &Request) -> Result<(Head, Answer<'c>), Failure> {
        #[cfg(feature = "ftp")]
        if let Some(ftp) = self.ftp.as_mut().filter(|_| request.url.scheme() == "ftp") {
            return ftp.send(request).map(|(head, body)| (head, Answer::Ftp(body)));
        }
        self.exchange(request).map(|(head, body)| (head.meaning(), body))
    }

    fn retrieval(&self) -> Option<&Retrieval> {
        self.retrieval
    }

    fn read(&mut self, body: &mut Answer<'c>, buffer: &mut [u8]) -> Result<usize, Failure> {
        match body {
            Answer::Http(body) => match &mut **body {
                Ok(body) => body.read_part(buffer).map_err(decoder::failure),
                Err(failure) => Err(failure.clone()),
            },
            #[cfg(feature = "ftp")]
            Answer::Ftp(body) => body.as_mut().map_or(Ok(0), |body| body.read(buffer)),
        }
    }

    fn has_excess(&self, body: &mut Answer<'c>) -> bool {
        match body {
            Answer::Http(body) => {
                let source = body.as_mut().as_mut().ok().and_then(Decoder::source);
                source.is_some_and(|body| body.body.has_excess())
            }
            #[cfg(feature = "ftp")]
            Answer::Ftp(_) => false,
        }
    }
}

impl<'c> Session<'c> {
    /// Sends a request over HTTP, and receives the head of the answer.
    fn exchange(&self, request: &Request) -> Result<(SentHead, Answer<'c>), Failure> {
        let (client, options) = (self.client, &self.client.options);
        options.check(request, &["http", "https"])?;
        let limits = options.limits();
        let (url, proxy) = (&request.url, options.proxies.of(&request.url)?);
        let forwarded = proxy.filter(|_| url.scheme() == "http");
        let way = Way {
            site: if forwarded.is_some() { String::new() } else { url[..Position::BeforePath].to_owned() },
            reach: if proxy.is_some() { Reach::Proxy } else { options.reach(request) },
            proxy: proxy.cloned(),
        };
        let authorization = forwarded.and_then(credentials);
        let more: Vec<_> =
            authorization.as_deref().map(|value| ("proxy-authorization", value)).into_iter().collect();
        let target = if forwarded.is_some() { &url[..Position::AfterQuery] } else { http1::path(url) };
        let bytes = http1::written(request, options, target, &more);
        let mut kept = client.kept(&way, self.deadline);
        let received = loop {
            let was_kept = kept.is_some();
            let connection = match kept.take() {
                Some(connection) => Ok(connection),
                None => Connection::open(url, proxy, way.reach, options, &client.tls, self.deadline),
            };
            let received = connection.and_then(|mut connection| {
                connection.begin(options, self.deadline);
                Ok((connection.exchange(&bytes, options.max_head)?, connection))
            });
            match received {
                // A connection that was kept may be closed at any time. GET is idempotent, so that it can be repeated (RFC 9110,
                // section 9.2.2).
                Err(failure) if was_kept && failure.kind() == FailureKind::Reset => {}
                received => break received,
            }
        };
        let ((head, framing, body), connection) = received.map_err(|failure| match forwarded {
            Some(_) => proxy::forwarded(failure),
            None => limits.judged(failure),
        })?;
        if head.status == 407 && proxy.is_some() {
            return Err(Failure::new(FailureKind::Proxy, "status 407, proxy authentication required"));
        }
        let may_be_empty = framing.may_be_empty(head.version);
        let judge = Judge::new(framing);
        let way = Some(way).filter(|_| head.keeps_connection());
        let body = Body { client, connection: Some(connection), way, body, judge, part: Vec::new(), at: 0 };
        let decoder = Decoder::new(head.codings(), body, may_be_empty);
        Ok((head, Answer::Http(Box::new(decoder))))
    }
}

/// A body while it is received. Its errors are failures.
struct Body<'c> {
    client: &'c Client,
    connection: Option<Connection>,
    /// `None` if the connection ends with the body.
    way: Option<Way>,
    body: http1::Body,
    judge: Judge,
    part: Vec<u8>,
    at: usize,
}

impl Body<'_> {
    /// Returns the next part; an empty one at the end.
    fn receive(&mut self) -> Result<Vec<u8>, Failure> {
        loop {
            if let Some(content) = self.body.content()? {
                self.judge.received(content.len())?;
                return Ok(content);
            }
            let received = match &mut self.connection {
                Some(connection) if !self.body.is_ended() => connection.receive(Phase::Body)?,
                _ => Vec::new(),
            };
            if received.is_empty() {
                self.body.end()?;
                self.judge.ended(true)?;
                return Ok(Vec::new());
            }
            self.body.take(&received);
        }
    }
}

impl BufRead for Body<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.part.len() {
            self.part = self.receive().map_err(io::Error::other)?;
            self.at = 0;
        }
        Ok(self.part.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, bytes: usize) {
        self.at += bytes;
    }
}

read_by_parts!([] Body<'_>);

/// Keeps the connection, if the next answer can follow.
impl Drop for Body<'_> {
    fn drop(&mut self) {
        if let (Some(connection), Some(way)) = (self.connection.take(), self.way.take())
            && self.body.is_last()
        {
            self.client.keep(connection, way);
        }
    }
}

/// The content of a file while it is downloaded.
///
/// Reading fails with a [`Failure`] in the error: the connection was cut, or the time is over.
#[doc(hidden)]
pub struct Download<'c> {
    session: Session<'c>,
    body: Answer<'c>,
}

impl Read for Download<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.session.read(&mut self.body, buffer).map_err(io::Error::other)
    }
}

debug!([] Download<'_> as "Download", |_download|);

/// The answer for a page.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Looked {
    /// The status.
    pub status: u16,
    /// The fields of the header section, in order, with their names in lower case. Lines with the same name are not joined.
    pub fields: Vec<(String, Vec<u8>)>,
    /// The first bytes of the body, decoded.
    pub body: Vec<u8>,
    /// Whether the body has more bytes, or broke off.
    pub is_cut: bool,
    /// The target of a redirect.
    pub location: Option<Url>,
}
