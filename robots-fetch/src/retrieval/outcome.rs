//! What a retrieval came to.

use std::time::SystemTime;

use url::Url;

use crate::failure::Cause;
use crate::http::fields::Fields;
use crate::http::status::AccessResult;

/// The end of one retrieval: what was asked, what came, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// The requests that were made, in order; all but the last were answered by redirects.
    pub hops: Vec<Hop>,
    /// What came of them.
    pub result: RetrievalResult,
    /// What the last answer says about how long it holds.
    pub fields: Fields,
    /// How many bytes of a body were taken, after decompression.
    pub body_bytes: usize,
    /// When the last request was made.
    pub sent: SystemTime,
    /// When its answer was complete, or failed.
    pub received: SystemTime,
}

/// One request, and the status of its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hop {
    /// Where it went.
    pub url: Url,
    /// The status of HTTP or the reply of FTP; nothing where no answer came.
    pub status: Option<u16>,
}

impl Hop {
    /// A request to `url`, and what status it got.
    #[must_use]
    pub const fn new(url: Url, status: Option<u16>) -> Self {
        Self { url, status }
    }
}

/// What came of a retrieval.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetrievalResult {
    /// A file.
    File {
        /// Its bytes: at most one more than are read, so that reading sees the cut.
        body: Box<[u8]>,
    },
    /// The file that is held already.
    NotModified,
    /// No file: what that means, and why.
    None(AccessResult, Cause),
}

impl Outcome {
    /// Where the last request went.
    #[must_use]
    pub fn url(&self) -> Option<&Url> {
        self.hops.last().map(|hop| &hop.url)
    }

    /// The status of the last answer.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.hops.last().and_then(|hop| hop.status)
    }
}
