//! A request for a robots.txt.

use url::Url;

use crate::message::fields::Validators;

/// A request for a robots.txt: an HTTP GET, or an anonymous FTP RETR.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The URL, without userinfo and fragment.
    pub url: Url,
    /// The validators that make the request conditional.
    pub validators: Validators,
    /// The URLs of the requests before, which were answered by redirects.
    pub(crate) before: Vec<Url>,
}

impl Request {
    /// Returns the header fields that make the request conditional, names in lower case. All other fields are up to the
    /// client.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let etag = self.validators.etag.as_deref().map(|tag| ("if-none-match", tag));
        let date = self.validators.last_modified.as_deref().map(|date| ("if-modified-since", date));
        etag.into_iter().chain(date)
    }
}
