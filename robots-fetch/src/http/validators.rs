//! The validators of a file that is held already.

use url::Url;

/// What tells a server which file is held already (RFC 9110, section 13.1), and where that file came from.
///
/// They are sent to that URL alone: what one server calls `"1"` says nothing to another, to which a redirect may lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Validators {
    /// The URL of the file, at the end of all redirects.
    pub url: Option<Url>,
    /// Its entity tag.
    pub etag: Option<String>,
    /// When it was changed last.
    pub last_modified: Option<String>,
}

impl Validators {
    /// None: the file is asked for without condition.
    pub const NONE: Self = Self { url: None, etag: None, last_modified: None };

    /// Whether there is anything to send.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }

    /// Those to send to `url`.
    pub(crate) fn at(&self, url: &Url) -> Self {
        if self.url.as_ref() == Some(url) { self.clone() } else { Self::NONE }
    }
}
