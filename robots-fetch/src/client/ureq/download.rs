//! Downloads of sitemaps.

use core::time::Duration;

use url::Url;

use super::Client;
use crate::failure::{Failure, FailureKind};
use crate::message::fields::Validators;
use crate::message::head::Location;
use crate::retrieval::drive::Transport as _;
use crate::retrieval::request::Request;

/// The number of redirects that are followed.
const MAX_REDIRECTS: usize = 5;

impl Client {
    /// Downloads a file other than a robots.txt, such as a sitemap, with the timeouts, the coding and the addresses of the options.
    ///
    /// `named_by` are the URLs of the files that led to `url`. As after redirects, an address that is not public is refused if
    /// one of their hosts is public ([`ClientOptions::redirect_addresses`](crate::client::ClientOptions::redirect_addresses)).
    ///
    /// Blocks for at most `within`, and at most [`ClientOptions::total_timeout`](crate::client::ClientOptions::total_timeout).
    ///
    /// # Memory
    ///
    /// At most `most` bytes, whose room doubles as it grows.
    ///
    /// # Errors
    ///
    /// The status is not 200, there are more than five redirects, the address is refused, or the file has more than `most`
    /// bytes.
    pub fn download(
        &self,
        url: &Url,
        named_by: &[Url],
        most: usize,
        within: Duration,
    ) -> Result<Vec<u8>, Failure> {
        let invalid = |text: String| Failure::new(FailureKind::InvalidResponse, text);
        let mut session = self.begin_within(within);
        let (mut url, mut before) = (url.clone(), named_by.to_vec());
        for _ in 0..=MAX_REDIRECTS {
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.set_fragment(None);
            let request =
                Request { url: url.clone(), validators: Validators::default(), before: before.clone() };
            let (head, mut body) = session.send(&request)?;
            match (head.status(), &head.location) {
                (200, _) => {}
                (301 | 302 | 303 | 307 | 308, Location::At(location)) => {
                    before.push(url.clone());
                    url = url.join(location).map_err(|error| invalid(error.to_string()))?;
                    continue;
                }
                (status, _) => return Err(invalid(format!("the server answered {status}"))),
            }
            let mut bytes = Vec::new();
            let mut buffer = vec![0; 16 << 10];
            loop {
                let read = session.read(&mut body, &mut buffer)?;
                match buffer.get(..read) {
                    None | Some([]) => return Ok(bytes),
                    Some(part) if bytes.len() + part.len() <= most => bytes.extend_from_slice(part),
                    Some(_) => return Err(invalid(format!("more than {most} bytes"))),
                }
            }
        }
        Err(invalid(format!("more than {MAX_REDIRECTS} redirects")))
    }
}
