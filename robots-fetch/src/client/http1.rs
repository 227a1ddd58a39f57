//! Exchanges over HTTP/1, as bytes: the request, the heads of answers, and a body without its chunks (RFC 9112).

use url::{Position, Url};

use super::options::ClientOptions;
use crate::failure::{Failure, FailureKind};
use crate::message::chunks::Chunks;
use crate::message::decoder::ACCEPTED;
use crate::message::framing::Framing;
use crate::message::http1::SentHead;
use crate::retrieval::request::Request;

/// The most bytes that are received at once.
pub(super) const PART: usize = 16 * 1024;

/// Returns a request as it is sent. Names and values of the options are valid. `target` is the path with its query, or the whole URL for a
/// proxy.
pub(super) fn written(
    request: &Request,
    options: &ClientOptions,
    target: &str,
    more: &[(&str, &str)],
) -> Vec<u8> {
    let host = &request.url[Position::BeforeHost..Position::AfterPort];
    let mut text = format!("GET {target} HTTP/1.1\r\n");
    let own = [("host", host), ("accept-encoding", ACCEPTED)];
    for (name, value) in own.into_iter().chain(more.iter().copied()).chain(options.fields(request)) {
        text.extend([name, ": ", value, "\r\n"]);
    }
    text.push_str("\r\n");
    text.into_bytes()
}

/// Returns the path of a URL with its query.
pub(super) fn path(url: &Url) -> &str {
    &url[Position::BeforePath..Position::AfterQuery]
}

/// The heads of an answer, while they are received.
pub(super) struct Heads {
    raw: Vec<u8>,
    /// The bytes of interim heads.
    interim: usize,
    max_head: usize,
}

impl Heads {
    pub(super) const fn new(max_head: usize) -> Self {
        Self { raw: Vec::new(), interim: 0, max_head }
    }

    /// Takes received bytes. Returns the head of the answer, as soon as it is complete, its framing and its body.
    ///
    /// # Errors
    ///
    /// The head is invalid or too large.
    pub(super) fn take(&mut self, part: &[u8]) -> Result<Option<(SentHead, Framing, Body)>, Failure> {
        self.raw.extend_from_slice(part);
        while let Some(head) = SentHead::read(&self.raw)? {
            self.raw.drain(..head.bytes);
            if head.is_interim()? {
                self.interim += head.bytes;
                continue;
            }
            let framing = Framing::of(head.version, head.status, head.fields(), self.max_head)?;
            let body = Body::new(&framing, core::mem::take(&mut self.raw));
            return Ok(Some((head, framing, body)));
        }
        // All interim answers before an answer count as one head.
        let most = self.max_head.saturating_mul(2);
        if self.raw.len() + self.interim > most {
            return Err(Failure::new(FailureKind::HeadTooLarge, format!("more than {most} bytes")));
        }
        Ok(None)
    }
}

/// A body, while it is received.
pub(super) struct Body {
    /// Received bytes that were not read yet.
    raw: Vec<u8>,
    end: End,
    /// Why the rest is not valid, once the caller has what is.
    failure: Option<Failure>,
}

/// Where a body ends.
enum End {
    Chunks(Chunks),
    /// After this number of bytes.
    After(u64),
    /// With the connection.
    Close,
}

impl Body {
    fn new(framing: &Framing, raw: Vec<u8>) -> Self {
        let end = match framing {
            Framing::Chunked => End::Chunks(Chunks::new()),
            Framing::Length(length) => End::After(*length),
            Framing::Empty => End::After(0),
            Framing::Close | Framing::Coded(_) => End::Close,
        };
        Self { raw, end, failure: None }
    }

    /// Returns whether the body has ended before its connection.
    pub(super) fn is_ended(&self) -> bool {
        match &self.end {
            End::Chunks(chunks) => chunks.is_ended(),
            End::After(left) => *left == 0,
            End::Close => false,
        }
    }

    /// Returns whether the body has ended, and nothing came after it.
    #[cfg(feature = "blocking")]
    pub(super) fn is_last(&self) -> bool {
        self.is_ended() && self.raw.is_empty()
    }

    /// Returns whether the body has ended after its announced length, and more bytes came with its end.
    #[cfg(feature = "blocking")]
    pub(super) fn has_excess(&self) -> bool {
        matches!(self.end, End::After(0)) && !self.raw.is_empty()
    }

    /// Returns received content; `None` if more bytes have to be received before.
    ///
    /// # Errors
    ///
    /// The chunks are invalid.
    pub(super) fn content(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let mut content = Vec::new();
        match &mut self.end {
            End::Chunks(chunks) => match chunks.read(&self.raw, &mut content) {
                Ok(read) => drop(self.raw.drain(..read)),
                Err(failure) if content.is_empty() => return Err(failure),
                Err(failure) => self.failure = Some(failure),
            },
            End::After(left) => {
                let most = usize::try_from(*left).unwrap_or(usize::MAX).min(self.raw.len());
                content.extend(self.raw.drain(..most));
                *left -= content.len() as u64;
            }
            End::Close => content.append(&mut self.raw),
        }
        Ok((!content.is_empty()).then_some(content))
    }

    /// Takes received bytes.
    pub(super) fn take(&mut self, part: &[u8]) {
        self.raw.extend_from_slice(part);
    }

    /// Takes note of the end of the connection, or of that of the body. The caller counts the bytes of a length.
    ///
    /// # Errors
    ///
    /// The last chunk is missing.
    pub(super) fn end(&self) -> Result<(), Failure> {
        match &self.end {
            End::Chunks(chunks) if !chunks.is_ended() => {
                Err(Failure::new(FailureKind::Incomplete, "the end came before the last chunk"))
            }
            _ => Ok(()),
        }
    }
}
