//! What goes to a server, without the socket in between.

use url::Url;

use crate::http::validators::Validators;

/// A request for a robots.txt: a GET of HTTP, or an anonymous RETR of FTP.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// Where to. It has no userinfo and no fragment.
    pub url: Url,
    /// On which condition.
    pub validators: Validators,
}

impl Request {
    /// The header fields to send with the request, names in lower case: those of its condition. All others are the
    /// client's.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let etag = self.validators.etag.as_deref().map(|tag| ("if-none-match", tag));
        let date = self.validators.last_modified.as_deref().map(|date| ("if-modified-since", date));
        etag.into_iter().chain(date)
    }
}
