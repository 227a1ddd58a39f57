//! Why the file is missing.

use alloc::sync::Arc;
use core::error::Error;
use core::fmt;

use crate::text::shown;

/// Why a retrieval brought no file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// This HTTP status, or FTP reply.
    Status(u16),
    /// A server error with this status whose page says "not found".
    NotFoundPage(u16),
    /// More redirects than are followed: this many, including the one that was not followed.
    TooManyRedirects(usize),
    /// A redirect to this URL, which had been requested before.
    RedirectLoop(String),
    /// A redirect that can't be followed: its status, and what is wrong with it.
    RedirectNowhere(u16, String),
    /// A redirect to this URL, which its own origin's robots.txt disallows.
    RedirectDisallowed(String),
    /// Status 304 to an unconditional request.
    NotModifiedUnasked,
    /// An HTML page in place of a robots.txt.
    Html,
    /// No answer, or an incomplete one.
    Failure(Failure),
}

impl Cause {
    /// Returns a short name for programs: `status`, `not-found-page`, `too-many-redirects`, `redirect-loop`, `redirect-nowhere`,
    /// `redirect-disallowed`, `not-modified-unasked`, `html`, or the name of the kind of failure.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Status(_) => "status",
            Self::NotFoundPage(_) => "not-found-page",
            Self::TooManyRedirects(_) => "too-many-redirects",
            Self::RedirectLoop(_) => "redirect-loop",
            Self::RedirectNowhere(..) => "redirect-nowhere",
            Self::RedirectDisallowed(_) => "redirect-disallowed",
            Self::NotModifiedUnasked => "not-modified-unasked",
            Self::Html => "html",
            Self::Failure(failure) => failure.kind.name(),
        }
    }

    /// Returns the HTTP status or FTP reply, if the cause has one.
    #[must_use]
    pub const fn status(&self) -> Option<u16> {
        match self {
            Self::Status(status) | Self::NotFoundPage(status) | Self::RedirectNowhere(status, _) => {
                Some(*status)
            }
            Self::NotModifiedUnasked => Some(304),
            _ => None,
        }
    }

    /// Returns whether the cause is a failure that is not the site's.
    pub(crate) const fn is_local(&self) -> bool {
        matches!(self, Self::Failure(failure) if failure.is_local())
    }

    /// Returns the cause in a few words, without the status.
    pub(crate) const fn summary(&self) -> &'static str {
        match self {
            Self::Status(_) => "",
            Self::NotFoundPage(_) => "the page says \"not found\"",
            Self::TooManyRedirects(_) => "too many redirects",
            Self::RedirectLoop(_) => "a redirect loop",
            Self::RedirectNowhere(..) => "a redirect that can't be followed",
            Self::RedirectDisallowed(_) => "a redirect to a disallowed URL",
            Self::NotModifiedUnasked => "the request was unconditional",
            Self::Html => "an HTML page in place of a robots.txt",
            Self::Failure(failure) if failure.is_local && matches!(failure.kind, FailureKind::Timeout) => {
                "timed out, by the client's own limit"
            }
            Self::Failure(failure) => failure.kind.says(),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "status {status}"),
            Self::NotFoundPage(status) => write!(f, "status {status} with a page that says \"not found\""),
            Self::TooManyRedirects(count) => write!(f, "{count} redirects in a row"),
            Self::RedirectLoop(url) => write!(f, "redirect loop at {url}"),
            Self::RedirectNowhere(status, wrong) => {
                write!(f, "redirect {status} that can't be followed: {wrong}")
            }
            Self::RedirectDisallowed(url) => {
                write!(f, "redirect to {url}, which its own robots.txt disallows")
            }
            Self::NotModifiedUnasked => f.write_str("status 304 to an unconditional request"),
            Self::Html => f.write_str("an HTML page in place of a robots.txt"),
            Self::Failure(failure) => failure.fmt(f),
        }
    }
}

/// A failure below HTTP, such as a timeout or a host that has no address, or an invalid option of a client: its kind, and a
/// text with details.
///
/// A failure is the site's, or a local one: of the crawler, its network or its options. A local failure says nothing about
/// the site, so it begins no outage and prolongs none ([`Entry::is_local_failure`](crate::Entry::is_local_failure)).
///
/// ```
/// use robots_fetch::{Failure, FailureKind};
///
/// let failure = Failure::new(FailureKind::Dns, "no such host");
/// assert_eq!(failure.to_string(), "host name not found: no such host");
/// assert_eq!(Failure::new(FailureKind::Timeout, "").to_string(), "timed out");
/// assert!(!failure.is_local() && Failure::new(FailureKind::NoNetwork, "").is_local());
/// // A crawler that waits for 1 second only:
/// assert!(Failure::new(FailureKind::Timeout, "nothing for 1 s").local().is_local());
/// ```
#[derive(Clone, Debug)]
pub struct Failure {
    kind: FailureKind,
    text: String,
    is_local: bool,
    /// The error of the client.
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// The source does not count: an entry that was stored has none.
impl PartialEq for Failure {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.text, self.is_local) == (other.kind, &other.text, other.is_local)
    }
}

impl Eq for Failure {}

impl Failure {
    /// Creates a failure. The text may be empty; the first 200 characters of a long one are kept. The failure is the site's,
    /// except for the kinds [`FailureKind::NoNetwork`] and [`FailureKind::Proxy`].
    #[must_use]
    pub fn new(kind: FailureKind, text: impl fmt::Display) -> Self {
        let is_local = matches!(kind, FailureKind::NoNetwork | FailureKind::Proxy);
        Self { kind, text: shown(&text.to_string()), is_local, source: None }
    }

    /// Keeps the error of the client, as the [source](Error::source) of the failure.
    ///
    /// ```
    /// use robots_fetch::{Failure, FailureKind};
    /// use std::error::Error as _;
    ///
    /// let below = std::io::Error::from_raw_os_error(104);
    /// let failure = Failure::new(FailureKind::Reset, &below).caused_by(below);
    /// let below: &std::io::Error = failure.source().unwrap().downcast_ref().unwrap();
    /// assert_eq!(below.raw_os_error(), Some(104));
    /// ```
    #[must_use]
    pub fn caused_by(self, source: impl Error + Send + Sync + 'static) -> Self {
        Self { source: Some(Arc::new(source)), ..self }
    }

    /// Returns the failure as a local one: for example that of a timeout that is shorter than the default.
    #[must_use]
    pub fn local(self) -> Self {
        Self { is_local: true, ..self }
    }

    /// Returns whether the failure is a local one, and not of the site.
    #[must_use]
    pub const fn is_local(&self) -> bool {
        self.is_local
    }

    /// Returns the kind.
    #[must_use]
    pub const fn kind(&self) -> FailureKind {
        self.kind
    }

    /// Returns the details, without the kind; may be empty.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.says())?;
        if self.text.is_empty() { Ok(()) } else { write!(f, ": {}", self.text) }
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

named! {
    /// The kinds of failures.
    #[derive(Hash)]
    #[non_exhaustive]
    pub enum FailureKind;
    /// Returns a short name for programs, such as `invalid-response`.
    name;
    /// The name of the host has no address.
    Dns "dns" "host name not found",
    /// The connection failed.
    Connect "connect" "could not connect",
    /// The TLS handshake failed.
    Tls "tls" "TLS handshake failed",
    /// Connecting, an answer or the whole retrieval took too long.
    Timeout "timeout" "timed out",
    /// The connection closed before the head of an answer was complete.
    Reset "reset" "connection closed early",
    /// The body ended early.
    Incomplete "incomplete" "incomplete body",
    /// The chunks of the body are invalid.
    Chunking "chunking" "invalid chunked body",
    /// The answer is not valid HTTP or FTP.
    InvalidResponse "invalid-response" "invalid answer",
    /// The head of the answer exceeds the client's limit.
    HeadTooLarge "head-too-large" "header of the answer is too large",
    /// The content coding of the body is unknown to the client.
    UnknownCoding "unknown-coding" "unknown content coding",
    /// The body can't be decoded.
    Decoding "decoding" "invalid content coding",
    /// The client's options don't allow this address. A local failure if no redirect led there.
    RefusedAddress "refused-address" "address is not allowed",
    /// The client does not support this scheme. A local failure if no redirect led there.
    UnsupportedScheme "unsupported-scheme" "scheme is not supported",
    /// The crawler's machine has no network: no route to the address, or no name server that answers.
    NoNetwork "no-network" "no network",
    /// The proxy of the crawler failed, or did not let the request pass.
    Proxy "proxy" "the proxy failed",
    /// Anything else.
    Other "other" "request failed",
    /// An option of the client is not valid.
    InvalidOption "invalid-option" "invalid option",
    /// The async client was called outside of a tokio runtime. A local failure.
    NoRuntime "no-runtime" "the client needs a tokio runtime",
}

impl FailureKind {
    /// All kinds.
    pub const ALL: &[Self] = Self::EACH;

    /// Returns the kind of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_is_one_short_line() {
        for &kind in FailureKind::ALL {
            let failure = Failure::new(kind, format!("a\r\nb{}", "c".repeat(10_000)));
            let message = Cause::Failure(failure).to_string();
            assert!(message.len() < 300 && !message.contains(['\r', '\n']), "{message}");
            assert_eq!(FailureKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(FailureKind::from_name("Dns"), None);
    }
}
