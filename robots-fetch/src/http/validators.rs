//! The validators of a cached file.

use url::Url;

/// The validators of a cached file (RFC 9110, section 13.1), and the URL that it came from. The default has none: requests
/// are unconditional.
///
/// They are sent to that URL only: a tag of one server means nothing to another, to which a redirect may lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Validators {
    /// The URL of the file, at the end of all redirects.
    pub url: Option<Url>,
    /// The entity tag of the file.
    pub etag: Option<String>,
    /// The `Last-Modified` date of the file.
    pub last_modified: Option<String>,
}

impl Validators {
    /// Returns whether there is nothing to send.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }

    /// Returns the validators to send to `url`.
    pub(crate) fn at(&self, url: &Url) -> Self {
        if self.url.as_ref() == Some(url) { self.clone() } else { Self::default() }
    }
}
