//! Why there is no file: what a person who asks later can read.

use core::fmt;

use crate::message::shown;

/// Why no file came, or none that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The status of HTTP, or the reply of FTP.
    Status(u16),
    /// The status is a server error, and the page says that there is no such file.
    NotFoundPage(u16),
    /// One redirect more than are followed; the number counts it.
    TooManyRedirects(usize),
    /// A redirect back to this URL, which the chain has been at.
    RedirectLoop(String),
    /// A redirect that can't be followed, with its status and what is wrong with it.
    RedirectNowhere(u16, String),
    /// Status 304, though nothing was asked that it could answer.
    NotModifiedUnasked,
    /// A page of HTML.
    Html,
    /// No answer came, or none that is whole.
    Failure(Failure),
}

impl Cause {
    /// A short name for programs: `status`, `not-found-page`, `too-many-redirects`, `redirect-loop`, `redirect-nowhere`,
    /// `not-modified-unasked`, `html`, or that of the kind of failure.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Status(_) => "status",
            Self::NotFoundPage(_) => "not-found-page",
            Self::TooManyRedirects(_) => "too-many-redirects",
            Self::RedirectLoop(_) => "redirect-loop",
            Self::RedirectNowhere(..) => "redirect-nowhere",
            Self::NotModifiedUnasked => "not-modified-unasked",
            Self::Html => "html",
            Self::Failure(failure) => failure.kind.name(),
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
            Self::NotModifiedUnasked => f.write_str("status 304 to an unconditional request"),
            Self::Html => f.write_str("a page of HTML in place of a robots.txt"),
            Self::Failure(failure) => failure.fmt(f),
        }
    }
}

/// What went wrong below HTTP, or on the way to it: its kind, and a text that says more.
///
/// ```
/// use robots_fetch::{Failure, FailureKind};
///
/// let failure = Failure::new(FailureKind::Dns, "no such host");
/// assert_eq!(failure.to_string(), "host name not found: no such host");
/// assert_eq!(Failure::new(FailureKind::Timeout, "").to_string(), "timed out");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    kind: FailureKind,
    text: String,
}

impl Failure {
    /// A failure. The text may be empty; of a long one, the first 200 characters are kept.
    #[must_use]
    pub fn new(kind: FailureKind, text: impl fmt::Display) -> Self {
        Self { kind, text: shown(&text.to_string()) }
    }

    /// What kind it is.
    #[must_use]
    pub const fn kind(&self) -> FailureKind {
        self.kind
    }

    /// What whoever met it says, without the kind; may be empty.
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

impl core::error::Error for Failure {}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal $says:literal,)*) => {
        /// The kinds of failures.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum FailureKind { $($(#[$doc])* $kind,)* }

        impl FailureKind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// A short name for programs, as `invalid-response`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            const fn says(self) -> &'static str {
                match self { $(Self::$kind => $says,)* }
            }
        }
    };
}

kinds! {
    /// The name of the host leads to no address.
    Dns "dns" "host name not found",
    /// No connection could be made.
    Connect "connect" "could not connect",
    /// No secure connection could be made.
    Tls "tls" "TLS handshake failed",
    /// Connecting, an answer or the whole of it took too long.
    Timeout "timeout" "timed out",
    /// The connection broke before the head of an answer was complete.
    Reset "reset" "connection closed early",
    /// The body ended early.
    Incomplete "incomplete" "incomplete body",
    /// The body is divided into chunks, and not as it has to be.
    Chunking "chunking" "invalid chunked body",
    /// The answer is none.
    InvalidResponse "invalid-response" "invalid answer",
    /// The head of the answer is larger than the client takes.
    HeadTooLarge "head-too-large" "header of the answer is too large",
    /// The body is coded in a way that the client can't undo.
    UnknownCoding "unknown-coding" "unknown content coding",
    /// The body can't be decoded.
    Decoding "decoding" "invalid content coding",
    /// The client is told not to connect to this address.
    RefusedAddress "refused-address" "address is not allowed",
    /// The client does not speak this scheme.
    UnsupportedScheme "unsupported-scheme" "scheme is not supported",
    /// Anything else.
    Other "other" "request failed",
}

impl FailureKind {
    /// The kind of this name.
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
