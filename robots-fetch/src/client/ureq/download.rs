//! Downloads of sitemaps.

use core::fmt;
use core::time::Duration;
use std::io::{self, Read};

use url::Url;

use super::{Client, Session};
use crate::failure::{Cause, Failure, FailureKind};
use crate::retrieval::drive::Transport;
use crate::retrieval::redirect::next;
use crate::retrieval::request::Request;

/// The number of redirects that are followed.
const MAX_REDIRECTS: usize = 5;

/// The content of a file while it is downloaded.
///
/// Reading fails with a [`Failure`] in the error: the connection was cut, or the time is over.
pub struct Download<'c> {
    session: Session<'c>,
    body: <Session<'c> as Transport>::Body,
}

impl Read for Download<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.session.read(&mut self.body, buffer).map_err(io::Error::other)
    }
}

impl fmt::Debug for Download<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download").finish_non_exhaustive()
    }
}

impl Client {
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
    pub fn download(&self, url: &Url, named_by: &[Url], within: Duration) -> Result<Download<'_>, Failure> {
        let invalid = |text: String| Failure::new(FailureKind::InvalidResponse, text);
        let mut session = self.begin_within(within);
        let (mut url, mut before) = (url.clone(), named_by.to_vec());
        for _ in 0..=MAX_REDIRECTS {
            let request = Request::new(url, before.clone());
            let (head, body) = session.send(&request)?;
            let status = head.status();
            url = match next(&head, &request.url) {
                _ if status == 200 => return Ok(Download { session, body }),
                Some(next) => {
                    next.map_err(|wrong| invalid(Cause::RedirectNowhere(status, wrong).to_string()))?
                }
                None => return Err(invalid(format!("the server answered {status}"))),
            };
            before.push(request.url);
        }
        Err(invalid(format!("more than {MAX_REDIRECTS} redirects")))
    }
}
