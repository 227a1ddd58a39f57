//! One answer for a page, without following redirects.

use ::ureq::http;
use url::Url;

use super::{Client, filter};
use crate::failure::{Cause, Failure, FailureKind};
use crate::retrieval::drive::Transport as _;
use crate::retrieval::redirect::next;
use crate::retrieval::request::Request;

/// The answer for a page.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Looked {
    /// The status.
    pub status: u16,
    /// The fields of the header section, in order, with their names in lower case. Lines with the same name are not joined.
    pub fields: Vec<(String, Vec<u8>)>,
    /// The first bytes of the body, decoded.
    pub body: Vec<u8>,
    /// Whether the body has more bytes, or broke off.
    pub is_cut: bool,
    /// The target of a redirect.
    pub location: Option<Url>,
}

/// Returns all fields of an answer, also those that the head for `ureq` has no room for.
fn all_fields(fields: &http::HeaderMap) -> Vec<(String, Vec<u8>)> {
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let written = fields.iter().filter(|(name, _)| name.as_str() != filter::OTHERS);
    let written = written.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()));
    let others = fields.get(filter::OTHERS).map(http::HeaderValue::as_bytes).unwrap_or_default();
    written.chain(filter::others(others).map(|(name, value)| (text(name), value.to_vec()))).collect()
}

impl Client {
    /// Requests a page once, and returns its answer with at most `most` bytes of its body. Redirects are not followed, because
    /// the robots.txt of each hop decides whether it may be requested.
    ///
    /// `named_by` are the URLs that led to `url`. As after redirects, an address that is not public is refused if one of their
    /// hosts is public ([`ClientOptions::redirect_addresses`](crate::client::ClientOptions::redirect_addresses)).
    ///
    /// # Errors
    ///
    /// The server can't be asked, its address is refused, the head of its answer is invalid, or it redirects to nowhere.
    pub fn look(&self, url: &Url, named_by: &[Url], most: usize) -> Result<Looked, Failure> {
        let mut session = self.begin(None);
        let request = Request::new(url.clone(), named_by.to_vec());
        let (head, fields, mut body) = session.send_with_fields(&request)?;
        let location = next(&head, &request.url).transpose().map_err(|wrong| {
            let what = Cause::RedirectNowhere(head.status(), wrong).to_string();
            Failure::new(FailureKind::InvalidResponse, what)
        })?;
        let mut looked = Looked {
            status: head.status(),
            fields: all_fields(&fields),
            body: Vec::new(),
            is_cut: false,
            location,
        };
        if looked.location.is_some() {
            return Ok(looked);
        }
        let mut buffer = vec![0; 16 << 10];
        loop {
            let room = most.saturating_sub(looked.body.len());
            match session.read(&mut body, &mut buffer) {
                Ok(0) => return Ok(looked),
                Ok(read) => {
                    let part = buffer.get(..read).unwrap_or_default();
                    looked.body.extend_from_slice(part.get(..read.min(room)).unwrap_or_default());
                    looked.is_cut = read > room;
                }
                // What was received may have rules.
                Err(_) => looked.is_cut = true,
            }
            if looked.is_cut {
                return Ok(looked);
            }
        }
    }
}
