//! Heads of answers over HTTP/1, as servers send them and archives keep them (RFC 9112, sections 2 to 5).
//!
//! A line that is not a field is skipped if nothing depends on it, as browsers do: one odd cookie must not close a site. A head fails if
//! the line could hide where the body ends, how it is coded, or where it is.

use crate::failure::{Failure, FailureKind};
use crate::message::framing::{MOST_FIELDS, Version};
use crate::message::head::Head;
use crate::text::{escaped, shown};

/// The fields that decide where a body ends, how it is coded, what part of the file it is, and where the file is. A line that only
/// looks like one of them is a failure.
const DECIDING: &[&str] =
    &["content-encoding", "content-length", "content-range", "location", "transfer-encoding"];

/// A head, as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentHead {
    /// The number of bytes with the blank lines before and after the head.
    pub(crate) bytes: usize,
    pub(crate) version: Version,
    pub(crate) status: u16,
    /// The fields in order: names in lower case, values without folds and without the space around them.
    pub(crate) fields: Vec<(String, Vec<u8>)>,
}

impl SentHead {
    /// Reads the head of HTTP/1.0 or 1.1 at the start of `raw`; `None` if it is not complete yet. The first line shows whether it is one.
    ///
    /// # Errors
    ///
    /// The head is invalid, or has too many fields. The text names the line.
    pub(crate) fn read(raw: &[u8]) -> Result<Option<Self>, Failure> {
        Self::read_of(raw, false)
    }

    /// Reads the head of an answer in an archive, of any version of HTTP; see [`Self::read`].
    #[cfg(feature = "warc")]
    pub(crate) fn archived(raw: &[u8]) -> Result<Option<Self>, Failure> {
        Self::read_of(raw, true)
    }

    fn read_of(raw: &[u8], is_archived: bool) -> Result<Option<Self>, Failure> {
        let start = raw.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(raw.len());
        let rest = raw.get(start..).unwrap_or_default();
        // Reading all of it after each byte would take quadratic time.
        let Some(end) = end_of_head(rest) else {
            if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                status_line(rest.get(..end).unwrap_or_default(), is_archived)?;
            }
            return Ok(None);
        };
        let mut lines = rest.get(..end).unwrap_or_default().split(|byte| *byte == b'\n').map(without_cr);
        let (version, status) = status_line(lines.next().unwrap_or_default(), is_archived)?;
        let fields = fields(lines.take_while(|line| !line.is_empty()))?;
        Ok(Some(Self { bytes: start + end, version, status, fields }))
    }

    /// Returns whether another head follows (RFC 9110, section 15.2).
    ///
    /// # Errors
    ///
    /// The server switches to another protocol.
    pub(crate) fn is_interim(&self) -> Result<bool, Failure> {
        match self.status {
            101 => Err(Failure::new(FailureKind::InvalidResponse, "status 101")),
            status => Ok(status < 200),
        }
    }

    /// Returns the head as the core reads it.
    pub(crate) fn meaning(&self) -> Head {
        self.fields().fold(Head::new(self.status), |head, (name, value)| head.with_field(name, value))
    }

    /// Returns the values of `Content-Encoding`.
    pub(crate) fn codings(&self) -> impl Iterator<Item = &[u8]> {
        self.fields().filter(|(name, _)| *name == "content-encoding").map(|(_, value)| value)
    }

    /// Returns whether the connection can serve another request (RFC 9112, section 9.3).
    #[cfg(feature = "blocking")]
    pub(crate) fn keeps_connection(&self) -> bool {
        let closes = |value: &[u8]| {
            value.split(|byte| *byte == b',').any(|option| option.trim_ascii().eq_ignore_ascii_case(b"close"))
        };
        let is_closed = self.fields().any(|(name, value)| name == "connection" && closes(value));
        self.version == Version::Http11 && !is_closed
    }

    /// Returns the fields.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value.as_slice()))
    }
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns the length of the head at the start of `raw`, with its blank line; `None` without a blank line.
fn end_of_head(raw: &[u8]) -> Option<usize> {
    let newlines = raw.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    newlines.map(|(at, _)| at + 1).find_map(|at| match raw.get(at..) {
        Some([b'\n', ..]) => Some(at + 1),
        Some([b'\r', b'\n', ..]) => Some(at + 2),
        _ => None,
    })
}

/// Reads a status line (RFC 9112, section 4). The reason, and the space before it, can be absent. Archives also write answers of other
/// versions in this form; their bodies are framed as those of HTTP/1.1.
fn status_line(line: &[u8], is_archived: bool) -> Result<(Version, u16), Failure> {
    const NO_STATUS: &str = "its status is not three digits from 100 to 999 after one space";
    let line = without_cr(line);
    let read = || {
        let rest = line.strip_prefix(b"HTTP/").ok_or("not a status line of HTTP/1")?;
        let length = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
        let (version, rest) = rest.split_at_checked(length).unwrap_or_default();
        let version = match version {
            _ if is_archived => Version::Http11,
            b"1.0" => Version::Http10,
            b"1.1" => Version::Http11,
            _ => return Err("its version is not HTTP/1.0 or HTTP/1.1"),
        };
        let is_spaced = is_archived || rest.get(1) != Some(&b' ');
        let (digits, reason) = rest.trim_ascii_start().split_at_checked(3).ok_or(NO_STATUS)?;
        let is_number = is_spaced && digits.iter().all(u8::is_ascii_digit);
        let status = core::str::from_utf8(digits).ok().filter(|_| is_number);
        let status: Option<u16> = status.and_then(|digits| digits.parse().ok());
        let status =
            status.filter(|status| *status >= 100 && reason.first().is_none_or(|byte| *byte == b' '));
        match status {
            None => Err(NO_STATUS),
            Some(_) if reason.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') => {
                Err("its reason contains a control character")
            }
            Some(status) => Ok((version, status)),
        }
    };
    read().map_err(|why| invalid("the first line", line, why))
}

/// Reads the lines between the status line and the blank line (RFC 9112, section 5).
fn fields<'h>(lines: impl Iterator<Item = &'h [u8]>) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut fields: Vec<(String, Vec<u8>)> = Vec::new();
    // Whether the line before was skipped, so that its folds are too; `None` without a line before.
    let mut is_skipped = None;
    for (index, line) in lines.enumerate() {
        if index >= MOST_FIELDS {
            return Err(Failure::new(FailureKind::HeadTooLarge, format!("more than {MOST_FIELDS} lines")));
        }
        for (byte, what) in [(0, "it contains NUL"), (b'\r', "it contains CR")] {
            if line.contains(&byte) {
                return Err(invalid("the field", line, what));
            }
        }
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            match (is_skipped, fields.last_mut()) {
                (None, _) => return Err(invalid("the field", line, "the first one begins with a space")),
                (Some(false), Some((name, value))) => {
                    // A fold is space (RFC 9112, section 5.2).
                    if is_value(line) || PAGE.contains(&name.as_str()) {
                        value.push(b' ');
                        value.extend_from_slice(&without_controls(line));
                        *value = value.trim_ascii().to_vec();
                    } else if DECIDING.contains(&name.as_str()) {
                        return Err(invalid("the field", line, "it contains a control character"));
                    }
                }
                _ => {}
            }
            continue;
        }
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            return Err(invalid("the field", line, "it has no colon"));
        };
        let (name, value) = line.split_at(colon);
        let value = value.get(1..).unwrap_or_default();
        let deciding = deciding(name);
        // Space between a name and its colon is removed, if nothing depends on the field (RFC 9112, section 5.1).
        let bare = if deciding.is_some() { name } else { name.trim_ascii_end() };
        let is_field = !bare.is_empty() && bare.iter().all(|byte| is_token(*byte)) && is_value(value);
        let is_page = PAGE.iter().any(|known| bare.eq_ignore_ascii_case(known.as_bytes()));
        is_skipped = Some(!is_field && !is_page);
        if is_field {
            let name = String::from_utf8_lossy(bare).to_ascii_lowercase();
            fields.push((name, value.trim_ascii().to_vec()));
        } else if is_page {
            // A rule about the page must not be lost in silence.
            let name = String::from_utf8_lossy(bare).to_ascii_lowercase();
            fields.push((name, without_controls(value.trim_ascii())));
        } else if let Some(deciding) = deciding {
            return Err(invalid("the field", line, &format!("not a valid `{deciding}`, and looks like one")));
        }
    }
    Ok(fields)
}

/// The fields with rules about a page. Control characters in them are replaced, so that the rule is read as one that is not valid.
const PAGE: [&str; 6] =
    ["x-robots-tag", "robots-tag", "content-usage", "content-signal", "tdm-reservation", "tdm-policy"];

/// A value with U+FFFD in place of control characters.
fn without_controls(value: &[u8]) -> Vec<u8> {
    let is_control = |byte: u8| byte.is_ascii_control() && byte != b'\t';
    let replaced = |byte: u8| if is_control(byte) { "\u{FFFD}".as_bytes().to_vec() } else { vec![byte] };
    value.iter().flat_map(|&byte| replaced(byte)).collect()
}

/// Returns the deciding field whose letters a name has, whatever is between them.
fn deciding(name: &[u8]) -> Option<&'static str> {
    // A token that differs is the name of another field.
    let is_token = name.iter().all(|byte| is_token(*byte));
    DECIDING.iter().copied().find(|known| {
        let letters = name.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase);
        match is_token {
            true => name.eq_ignore_ascii_case(known.as_bytes()),
            false => letters.eq(known.bytes().filter(|byte| *byte != b'-')),
        }
    })
}

/// Returns whether a byte may stand in a name (RFC 9110, section 5.6.2).
const fn is_token(byte: u8) -> bool {
    matches!(byte, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~')
        || byte.is_ascii_alphanumeric()
}

/// Returns whether bytes may be a value (RFC 9110, section 5.5).
fn is_value(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| !byte.is_ascii_control() || *byte == b'\t')
}

fn invalid(what: &str, line: &[u8], why: &str) -> Failure {
    let text = format!("{what} `{}` of the head: {why}", shown(&escaped(line)));
    Failure::new(FailureKind::InvalidResponse, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(fields: &str) -> Result<Vec<(String, String)>, String> {
        let raw = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
        let head = SentHead::read(raw.as_bytes()).map_err(|failure| failure.text().to_owned())?.unwrap();
        assert_eq!(head.bytes, raw.len());
        Ok(head.fields.into_iter().map(|(name, value)| (name, String::from_utf8(value).unwrap())).collect())
    }

    fn names(fields: &str) -> Vec<String> {
        head(fields).unwrap().into_iter().map(|(name, value)| format!("{name}: {value}")).collect()
    }

    #[test]
    fn folds_and_spaces_are_removed() {
        assert_eq!(names("X-A: a\r\n b\r\n\tc \r\nY : z\r\nZ:"), ["x-a: a  b \tc", "y: z", "z: "]);
        assert_eq!(names("Content-Length:\r\n 33"), ["content-length: 33"]);
    }

    #[test]
    fn odd_lines_are_skipped_with_their_folds() {
        for odd in
            ["Set-Cookie: a\u{7F}b", "X Bad: 1", "Content/Type: x", ": y", "ä: y", "X: a\u{1}\r\n folded"]
        {
            assert_eq!(names(&format!("A: b\r\n{odd}\r\nC: d")), ["a: b", "c: d"], "{odd:?}");
        }
        // Another field.
        assert_eq!(names("Content_Length: 3"), ["content_length: 3"]);
        // A rule about the page is not lost.
        assert_eq!(names("X-Robots-Tag: noindex\u{1B}[31m"), ["x-robots-tag: noindex\u{FFFD}[31m"]);
        assert_eq!(names("Robots-Tag: a\r\n b\u{7F}"), ["robots-tag: a  b\u{FFFD}"]);
    }

    #[test]
    fn lines_that_could_hide_something_fail_and_are_named() {
        for odd in [
            "Content-Length : 3",
            "Content-Length\t: 3",
            "Content Length: 3",
            "Transfer-Encoding\u{B}: chunked",
            " Transfer-Encoding: chunked",
            "\u{B}Transfer-Encoding: chunked",
            "Content-Encoding: gzip\u{7F}",
            "(Location): /x",
            "Content-Range: bytes\u{1} 0-1/2",
            "Location: /x\r\n \u{1}y",
            "X: a\u{0}b",
            "X\u{0}: b",
            "X: a\rY: b",
            "X",
        ] {
            assert!(head(odd).is_err(), "{odd:?}");
        }
        let what = "the field `Content-Length\\x0b: 3` of the head: not a valid `content-length`, and looks like one";
        assert_eq!(head("A: b\r\nContent-Length\u{B}: 3"), Err(what.to_owned()));
    }

    #[test]
    fn other_protocols_are_refused_by_their_first_line() {
        let status = |raw: &str| SentHead::read(raw.as_bytes()).map(|head| head.map(|head| head.status));
        for raw in
            ["SSH-2.0-OpenSSH_9.9\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 099 x\r\n", "HTTP/9.9 200 OK\r\n"]
        {
            assert!(status(raw).is_err(), "{raw:?}");
        }
        for raw in ["", "\r\n", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: y\r\n"] {
            assert_eq!(status(raw), Ok(None), "{raw:?}");
        }
        assert_eq!(status("\r\nHTTP/1.0 301\n\n"), Ok(Some(301)));
        let many = "x: y\r\n".repeat(MOST_FIELDS + 1);
        let failure = status(&format!("HTTP/1.1 200 OK\r\n{many}\r\n")).unwrap_err();
        assert_eq!(failure.kind(), FailureKind::HeadTooLarge);
    }
}
