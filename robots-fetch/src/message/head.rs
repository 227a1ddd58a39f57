//! The head of an answer.

use percent_encoding::{CONTROLS, percent_encode};

use crate::message::coding;
use crate::message::fields::{Fields, LONGEST_VALUE};

/// The head of an answer: its status, and the header fields that matter to a robots.txt.
///
/// ```
/// use robots_fetch::Head;
///
/// let head = Head::new(301).with_field("Location", b"/a/robots.txt").with_field("Server", b"x");
/// assert_eq!(head.status(), 301);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    status: u16,
    pub(crate) location: Location,
    pub(crate) content_range: Option<String>,
    /// Whether the body has a content coding, so that its length is not that of the file.
    is_coded: bool,
    pub(crate) fields: Fields,
}

/// Where an answer says that the resource is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Missing,
    At(String),
    /// There are several different ones, or one that is too long.
    Unusable(&'static str),
}

impl Head {
    /// Creates the head of an HTTP answer with this status, or of an FTP answer with this reply.
    #[must_use]
    pub fn new(status: u16) -> Self {
        Self {
            status,
            location: Location::Missing,
            content_range: None,
            is_coded: false,
            fields: Fields::default(),
        }
    }

    /// Creates the head of an answer whose fields a client has parsed. Fields that do not matter to a robots.txt are ignored.
    ///
    /// ```
    /// use http::header::{HeaderMap, HeaderValue, RETRY_AFTER};
    /// use robots_fetch::Head;
    ///
    /// let fields = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static("120"))]);
    /// let head = Head::from_http(http::StatusCode::SERVICE_UNAVAILABLE, &fields);
    /// assert_eq!(head, Head::new(503).with_field("Retry-After", "120"));
    /// ```
    #[cfg(feature = "http")]
    #[must_use]
    pub fn from_http(status: http::StatusCode, fields: &http::HeaderMap) -> Self {
        let mut head = Self::new(status.as_u16());
        for (name, value) in fields {
            head.add_field(name.as_str(), value.as_bytes());
        }
        head
    }

    /// Returns the status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// Returns the head with one more field. Names are case-insensitive. Call this once for each line of a field that is sent
    /// several times. Fields that do not matter to a robots.txt are ignored.
    #[must_use]
    pub fn with_field(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.add_field(name, value.as_ref());
        self
    }

    /// Adds a field; see [`Self::with_field`].
    pub fn add_field(&mut self, name: &str, value: &[u8]) {
        let value = value.trim_ascii();
        let name = name.to_ascii_lowercase();
        if name == "location" {
            self.location = match (&self.location, located(value)) {
                (Location::Missing, new) => new,
                (old, new) if *old == new => new,
                _ => Location::Unusable("several `Location` fields that differ"),
            };
        } else if name == "content-encoding" {
            self.is_coded |= !matches!(coding::of([value]), Ok(None));
        } else if value.len() <= LONGEST_VALUE {
            let value = String::from_utf8_lossy(value);
            if name == "content-range" {
                // Several that differ are none that can be used.
                let before = self.content_range.get_or_insert_with(|| value.clone().into_owned());
                if *before != value {
                    before.clear();
                }
            } else {
                self.fields.take(&name, &value);
            }
        }
    }

    /// Returns whether the body is a part of the file, or may be one (RFC 9110, section 15.3.7).
    ///
    /// No request asks for a part. An answer with status 206 is accepted only if its `Content-Range` is the whole file, and its body
    /// does not consist of parts. The range counts the bytes of a content coding, so nothing says whether a coded body is whole.
    pub(crate) fn is_partial(&self) -> bool {
        self.status == 206 && self.whole_length().is_none()
    }

    /// Returns the number of bytes that the body of an answer with status 206 has if it is whole.
    pub(crate) fn whole_length(&self) -> Option<u64> {
        let kind = self.fields.content_type.as_deref().unwrap_or_default().trim_start();
        let has_parts = kind.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("multipart/"));
        let range =
            self.content_range.as_deref().filter(|_| self.status == 206 && !has_parts && !self.is_coded);
        range.and_then(whole)
    }
}

fn located(value: &[u8]) -> Location {
    if value.is_empty() {
        return Location::Missing;
    }
    if value.len() > LONGEST_VALUE {
        return Location::Unusable("a `Location` that is too long");
    }
    // Bytes that are not UTF-8 belong to a path that was not percent-encoded.
    let mut text = String::new();
    for chunk in value.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(percent_encode(chunk.invalid(), CONTROLS));
    }
    Location::At(text)
}

/// Returns the length of the whole file, if a `Content-Range` such as `bytes 0-41/42` is about all of it.
fn whole(range: &str) -> Option<u64> {
    let (unit, rest) = range.trim().split_once(' ')?;
    let (span, complete) = rest.split_once('/')?;
    let (first, last) = span.split_once('-')?;
    let number = |text: &str| {
        let is_number = text.trim().bytes().all(|byte| byte.is_ascii_digit());
        text.trim().parse::<u64>().ok().filter(|_| is_number)
    };
    let (first, last, complete) = (number(first)?, number(last)?, number(complete)?);
    let is_whole = unit.eq_ignore_ascii_case("bytes") && first == 0 && last.checked_add(1) == Some(complete);
    is_whole.then_some(complete)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_locations_have_to_agree() {
        let head = |values: &[&[u8]]| {
            values.iter().fold(Head::new(302), |head, value| head.with_field("LOCATION", value)).location
        };
        assert_eq!(head(&[]), Location::Missing);
        assert_eq!(head(&[b" "]), Location::Missing);
        assert_eq!(head(&[b"/a", b" /a"]), Location::At("/a".to_owned()));
        assert!(matches!(head(&[b"/a", b"/b"]), Location::Unusable(_)));
        assert!(matches!(head(&[b"/a", b"/b", b"/b"]), Location::Unusable(_)));
        assert!(matches!(head(&[&[b'a'; LONGEST_VALUE + 1]]), Location::Unusable(_)));
        assert_eq!(head(&["/ä\u{0}".as_bytes()]), Location::At("/ä\u{0}".to_owned()));
        assert_eq!(head(&[b"/a\xE4b"]), Location::At("/a%E4b".to_owned()));
    }

    #[test]
    fn a_part_of_a_file_is_not_the_whole_file() {
        let partial = |range: &str| Head::new(206).with_field("Content-Range", range).is_partial();
        assert!(!partial("bytes 0-41/42"));
        assert!(!partial("Bytes 0-41/42"));
        for range in [
            "bytes 0-100/100",
            "bytes 0-99/+100",
            "bytes 0-41/42, bytes 0-41/42",
            "",
            "bytes 0-40/42",
            "bytes 1-41/42",
            "bytes 0-41/*",
            "bytes */42",
            "lines 0-41/42",
            "x",
        ] {
            assert!(partial(range), "{range}");
        }
        assert!(partial("bytes 0-18446744073709551615/0"));
        let whole = Head::new(206).with_field("Content-Range", "bytes 0-41/42");
        assert!(whole.clone().with_field("content-type", "Multipart/ByteRanges; boundary=x").is_partial());
        assert!(whole.clone().with_field("Content-Range", "bytes 0-40/42").is_partial());
        // The range counts the bytes of a coding. Names that servers send for no coding are none.
        let with_coding = |coding: &str| whole.clone().with_field("Content-Encoding", coding).is_partial();
        assert!(["", "identity", "utf-8", "None, UTF8"].iter().all(|plain| !with_coding(plain)));
        assert!(["gzip", "identity, br", "zstd"].iter().all(|coded| with_coding(coded)));
        assert!(Head::new(206).is_partial());
        assert!(!Head::new(200).with_field("Content-Range", "bytes 1-2/3").is_partial());
    }
}
