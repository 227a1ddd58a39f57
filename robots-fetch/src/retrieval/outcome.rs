//! The outcome of a retrieval.

use core::fmt;
use std::time::SystemTime;

use robots_match::AccessResult;
use url::Url;

use crate::failure::Cause;
use crate::message::fields::Fields;
use crate::text::without_secrets;

/// The outcome of one retrieval: the requests, the result, and the times.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// The requests, in order; all except the last were answered by redirects.
    pub hops: Vec<Hop>,
    /// The result.
    pub result: RetrievalResult,
    /// The header fields of the last answer.
    pub fields: Fields,
    /// The number of bytes that were read of the body, decoded.
    pub body_bytes: usize,
    /// Whether the server sent more bytes than the length that it announced, as far as the client sees it. They were not read.
    pub has_excess: bool,
    /// When the last request was sent.
    pub sent: SystemTime,
    /// When the last answer was complete, or failed.
    pub received: SystemTime,
}

/// One request of a retrieval, and the status of its answer.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hop {
    /// The URL of the request.
    pub url: Url,
    /// The HTTP status or FTP reply; `None` without an answer.
    pub status: Option<u16>,
}

impl Hop {
    /// Creates a hop: a request to `url`, and the status of its answer.
    #[must_use]
    pub const fn new(url: Url, status: Option<u16>) -> Self {
        Self { url, status }
    }
}

/// For example `Hop("https://example.com/robots.txt", Some(200))`: without user, password and query.
impl fmt::Debug for Hop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Hop").field(&without_secrets(&self.url)).field(&self.status).finish()
    }
}

/// The result of a retrieval.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetrievalResult {
    /// A file.
    File {
        /// The body: at most one byte more than the size limit, which shows that the limit cut it.
        body: Box<[u8]>,
    },
    /// The cached file is still current (status 304).
    NotModified,
    /// No file: the access result, and why.
    None(AccessResult, Cause),
}

impl Outcome {
    /// Returns the URL of the last request.
    #[must_use]
    pub fn url(&self) -> Option<&Url> {
        self.hops.last().map(|hop| &hop.url)
    }

    /// Returns the status of the last answer; `None` without an answer.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.hops.last().and_then(|hop| hop.status)
    }
}
