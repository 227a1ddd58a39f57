//! Whether a body is whole: one judge for all HTTP clients (RFC 9112, sections 6 to 8; RFC 9113, section 8.1).
//!
//! A client library decides where a body ends, and not every library is strict about that. The judge looks at the same head,
//! counts the same bytes, and refuses what does not fit. It is stricter than the RFC in one respect: a transfer coding other
//! than `chunked` is refused, because no request has a `TE` field that permits one (RFC 9112, section 7.4).

use crate::failure::{Failure, FailureKind};
use crate::text::{escaped, shown};

/// The most fields of a head. 4,096 fields of one byte each are within the default of
/// `ClientOptions::max_head`.
pub(crate) const MOST_FIELDS: usize = 4096;

/// The version of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Http10,
    Http11,
    #[cfg_attr(not(feature = "reqwest"), allow(dead_code, reason = "the other client does not speak it"))]
    Http2,
}

/// How the end of a body is recognized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// The answer has no body.
    Empty,
    /// After this number of bytes.
    Length(u64),
    /// After the last chunk.
    Chunked,
    /// At the end of the connection, or of the stream of HTTP/2.
    Close,
    /// The body has a transfer coding that is not supported.
    Coded(String),
}

impl Framing {
    /// Returns the framing of an answer to a GET request (RFC 9112, section 6.3). Names of fields are in lower case.
    ///
    /// # Errors
    ///
    /// The head is too large, or its fields about the body contradict each other, so that its end is not known.
    pub(crate) fn of<'h>(
        version: Version,
        status: u16,
        fields: impl Iterator<Item = (&'h str, &'h [u8])>,
        max_head: usize,
    ) -> Result<Self, Failure> {
        let (mut codings, mut length, mut is_coded) = (Vec::new(), None, false);
        let (mut size, mut count) = (0_usize, 0_usize);
        let has_body = !matches!(status, 100..200 | 204 | 304);
        for (name, value) in fields {
            size = size.saturating_add(name.len()).saturating_add(value.len()).saturating_add(4);
            count += 1;
            match name {
                "transfer-encoding" if has_body => {
                    is_coded = true;
                    let value = String::from_utf8_lossy(value).to_ascii_lowercase();
                    let names = value.split(',').map(str::trim).filter(|name| !name.is_empty());
                    codings.extend(names.map(str::to_owned));
                }
                "content-length" if has_body => {
                    for number in value.split(|byte| *byte == b',') {
                        let number = parse_length(number)?;
                        if length.replace(number).is_some_and(|before| before != number) {
                            let text = "several `Content-Length` fields that differ";
                            return Err(Failure::new(FailureKind::InvalidResponse, text));
                        }
                    }
                }
                _ => {}
            }
        }
        if size > max_head || count > MOST_FIELDS {
            return Err(Failure::new(FailureKind::HeadTooLarge, format!("{size} bytes, {count} fields")));
        }
        if is_coded && version != Version::Http11 {
            let text = "`Transfer-Encoding` in a version of HTTP that does not have it";
            return Err(Failure::new(FailureKind::InvalidResponse, text));
        }
        Ok(match (length, codings.as_slice()) {
            _ if !has_body => Self::Empty,
            (None, []) if !is_coded => Self::Close,
            (Some(length), []) if !is_coded => Self::Length(length),
            // A transfer coding overrides a length.
            (_, [coding]) if coding == "chunked" => Self::Chunked,
            _ => Self::Coded(codings.join(", ")),
        })
    }
}

impl Framing {
    /// Returns whether the end of an empty body is known from more than the end of a connection over HTTP/1.
    pub(crate) fn may_be_empty(&self, version: Version) -> bool {
        *self != Self::Close || version == Version::Http2
    }
}

/// Parses a `Content-Length` (RFC 9110, section 8.6).
fn parse_length(value: &[u8]) -> Result<u64, Failure> {
    let value = value.trim_ascii();
    let number = core::str::from_utf8(value).ok().filter(|_| value.iter().all(u8::is_ascii_digit));
    let number = number.and_then(|digits| digits.parse().ok());
    number.ok_or_else(|| {
        let text = format!("invalid `Content-Length`: `{}`", shown(&escaped(value)));
        Failure::new(FailureKind::InvalidResponse, text)
    })
}

/// The judge of one body.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    framing: Framing,
    received: u64,
}

impl Judge {
    pub(crate) const fn new(framing: Framing) -> Self {
        Self { framing, received: 0 }
    }

    /// Takes note of received bytes, before content codings are decoded.
    ///
    /// # Errors
    ///
    /// The body has a transfer coding that is not supported, or is longer than its length.
    pub(crate) fn received(&mut self, bytes: usize) -> Result<(), Failure> {
        self.received = self.received.saturating_add(bytes as u64);
        match &self.framing {
            Framing::Coded(codings) => {
                Err(Failure::new(FailureKind::UnknownCoding, format!("transfer coding `{codings}`")))
            }
            Framing::Length(length) if self.received > *length => {
                Err(Failure::new(FailureKind::InvalidResponse, "the body is longer than its length"))
            }
            _ => Ok(()),
        }
    }

    /// Takes note of the end. `is_end` is whether the library has seen the end of the stream, where it knows.
    ///
    /// # Errors
    ///
    /// The body is not whole.
    pub(crate) fn ended(&mut self, is_end: bool) -> Result<(), Failure> {
        self.received(0)?;
        match self.framing {
            Framing::Length(length) if self.received < length => {
                let text = format!("{} of {length} bytes", self.received);
                Err(Failure::new(FailureKind::Incomplete, text))
            }
            _ if is_end => Ok(()),
            _ => Err(Failure::new(FailureKind::Incomplete, "the stream was reset before its end")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framing(version: Version, status: u16, head: &[(&str, &str)]) -> Result<Framing, FailureKind> {
        let fields = head.iter().map(|(name, value)| (*name, value.as_bytes()));
        Framing::of(version, status, fields, 1000).map_err(|failure| failure.kind())
    }

    #[test]
    fn the_end_of_a_body_follows_from_its_head() {
        use Version::{Http2, Http10, Http11};
        let (te, cl) = ("transfer-encoding", "content-length");
        let invalid = Err(FailureKind::InvalidResponse);
        let coded = |codings: &str| Ok(Framing::Coded(codings.to_owned()));
        for (version, status, head, expected) in [
            (Http11, 200, &[][..], Ok(Framing::Close)),
            (Http2, 200, &[], Ok(Framing::Close)),
            (Http11, 200, &[(cl, "5")], Ok(Framing::Length(5))),
            (Http11, 200, &[(cl, "5, 5"), (cl, " 05 ")], Ok(Framing::Length(5))),
            (Http11, 200, &[(cl, "5"), (cl, "6")], invalid.clone()),
            (Http11, 200, &[(cl, "5,")], invalid.clone()),
            (Http11, 200, &[(cl, "+5")], invalid.clone()),
            (Http11, 404, &[(cl, "99999999999999999999")], invalid.clone()),
            (Http11, 304, &[(cl, "x"), (te, "gzip")], Ok(Framing::Empty)),
            (Http11, 200, &[(te, "chunked"), (cl, "5")], Ok(Framing::Chunked)),
            (Http11, 200, &[(te, " CHUNKED ,")], Ok(Framing::Chunked)),
            (Http11, 200, &[(te, "gzip, chunked")], coded("gzip, chunked")),
            (Http11, 200, &[(te, "gzip"), (te, "chunked")], coded("gzip, chunked")),
            (Http11, 200, &[(te, "chunked, chunked")], coded("chunked, chunked")),
            (Http11, 200, &[(te, "xchunked")], coded("xchunked")),
            (Http11, 200, &[(te, "chunked;q=1")], coded("chunked;q=1")),
            (Http11, 200, &[(te, "")], coded("")),
            (Http11, 200, &[(te, "gzip"), (cl, "5")], coded("gzip")),
            (Http10, 200, &[(te, "chunked")], invalid.clone()),
            (Http2, 404, &[(te, "chunked")], invalid),
        ] {
            assert_eq!(framing(version, status, head), expected, "{version:?} {status} {head:?}");
        }
        let long = "x".repeat(995);
        assert_eq!(framing(Http11, 200, &[("a", &long)]), Ok(Framing::Close));
        assert_eq!(framing(Http11, 200, &[("ab", &long)]), Err(FailureKind::HeadTooLarge));
    }

    #[test]
    fn incomplete_bodies_are_refused() {
        let judged = |framing: Framing, bytes: usize, is_end: bool| {
            let mut judge = Judge::new(framing);
            judge.received(bytes).and_then(|()| judge.ended(is_end)).map_err(|failure| failure.kind())
        };
        assert_eq!(judged(Framing::Length(5), 5, true), Ok(()));
        assert_eq!(judged(Framing::Length(5), 4, true), Err(FailureKind::Incomplete));
        assert_eq!(judged(Framing::Length(5), 6, true), Err(FailureKind::InvalidResponse));
        assert_eq!(judged(Framing::Length(5), 5, false), Err(FailureKind::Incomplete));
        assert_eq!(judged(Framing::Close, 5, true), Ok(()));
        assert_eq!(judged(Framing::Close, 5, false), Err(FailureKind::Incomplete));
        assert_eq!(judged(Framing::Coded("gzip".to_owned()), 0, true), Err(FailureKind::UnknownCoding));
    }
}
