//! Heads of answers (RFC 9112, sections 2 to 5), written again so that `ureq` can read them.

use httparse::{EMPTY_HEADER, ParserConfig, Response, Status};

use crate::client::framing::{Framing, MOST_FIELDS, Version};
use crate::failure::{Failure, FailureKind};

/// The most fields that `ureq` reads, less those that it could need for itself.
const MOST_WRITTEN: usize = 120;

/// How much longer than its fields a rewritten head can be, in bytes: the status line and the blank line.
pub(super) const OVERHEAD: usize = 1024;

/// Fields whose lines are one list (RFC 9110, section 5.3).
const LISTS: &[&str] = &["cache-control", "connection", "content-encoding", "transfer-encoding"];

/// Fields that are kept if there are too many.
const NEEDED: &[&str] = &[
    "age",
    "content-length",
    "content-range",
    "content-type",
    "date",
    "etag",
    "expires",
    "last-modified",
    "location",
    "retry-after",
];

/// A head.
#[derive(Debug)]
pub(super) struct Parsed {
    /// Its length as it was sent.
    pub(super) bytes: usize,
    /// The head for `ureq`, and whether a body in chunks follows; `None` if the answer is interim.
    pub(super) answer: Option<(Vec<u8>, bool)>,
}

/// Parses the head at the start of `raw`; `None` if it is not complete yet.
///
/// # Errors
///
/// The head is not valid, or too large.
pub(super) fn parse(raw: &[u8], max_head: usize) -> Result<Option<Parsed>, Failure> {
    // Parsing all of it after each byte would take quadratic time. The first line shows whether the answer is HTTP.
    let end = end_of_head(raw);
    let first_line = || raw.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
    let Some(raw) = end.or_else(first_line).and_then(|end| raw.get(..end)) else { return Ok(None) };
    let lines = raw.iter().filter(|byte| **byte == b'\n').count();
    let mut fields = vec![EMPTY_HEADER; lines.min(MOST_FIELDS)];
    let mut response = Response::new(&mut fields);
    let parsed = ParserConfig::default()
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .parse_response(&mut response, raw);
    let bytes = match parsed {
        Ok(Status::Complete(bytes)) => bytes,
        Ok(Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Failure::new(FailureKind::HeadTooLarge, format!("more than {MOST_FIELDS} fields")));
        }
        Err(error) => return Err(Failure::new(FailureKind::InvalidResponse, error)),
    };
    let status = response.code.unwrap_or_default();
    if !(100..1000).contains(&status) || status == 101 {
        return Err(Failure::new(FailureKind::InvalidResponse, format!("status {status}")));
    }
    if status < 200 {
        return Ok(Some(Parsed { bytes, answer: None }));
    }
    let version = if response.version == Some(0) { Version::Http10 } else { Version::Http11 };
    let fields: Vec<(String, Vec<u8>)> = response
        .headers
        .iter()
        .map(|field| (field.name.to_ascii_lowercase(), unfolded(field.value)))
        .collect();
    let lines = fields.iter().map(|(name, value)| (name.as_str(), value.as_slice()));
    let framing = Framing::of(version, status, lines, max_head)?;
    Ok(Some(Parsed {
        bytes,
        answer: Some((written(version, status, &fields, &framing), framing == Framing::Chunked)),
    }))
}

/// Returns the length of the head at the start of `raw`, with its blank line; `None` without a blank line. Blank lines
/// before the head are a part of it.
fn end_of_head(raw: &[u8]) -> Option<usize> {
    let start = raw.iter().position(|byte| !matches!(byte, b'\r' | b'\n'))?;
    let newlines = raw.iter().enumerate().skip(start).filter(|(_, byte)| **byte == b'\n');
    newlines.map(|(at, _)| at + 1).find_map(|at| match raw.get(at..) {
        Some([b'\n', ..]) => Some(at + 1),
        Some([b'\r', b'\n', ..]) => Some(at + 2),
        _ => None,
    })
}

/// Returns a value whose folds are spaces (RFC 9112, section 5.2).
fn unfolded(value: &[u8]) -> Vec<u8> {
    let space = |byte: &u8| matches!(byte, b'\r' | b'\n');
    value.iter().map(|byte| if space(byte) { b' ' } else { *byte }).collect()
}

/// Writes a head with at most `MOST_WRITTEN` fields.
fn written(version: Version, status: u16, fields: &[(String, Vec<u8>)], framing: &Framing) -> Vec<u8> {
    let minor = if version == Version::Http10 { 0 } else { 1 };
    let mut head = format!("HTTP/1.{minor} {status}\r\n").into_bytes();
    let mut count = 0;
    let mut write = |name: &str, value: &[u8]| {
        if count < MOST_WRITTEN {
            count += 1;
            for part in [name.as_bytes(), b": ", value, b"\r\n"] {
                head.extend_from_slice(part);
            }
        }
    };
    let of = |wanted: &'static str| fields.iter().filter(move |(name, _)| name == wanted);
    for name in LISTS {
        let values: Vec<&[u8]> = of(name).map(|(_, value)| value.as_slice()).collect();
        if !values.is_empty() && (*name != "transfer-encoding" || *framing != Framing::Empty) {
            write(name, &values.join(b", ".as_slice()));
        }
    }
    for name in NEEDED {
        match (*name, framing) {
            ("content-length", Framing::Length(length)) => write(name, length.to_string().as_bytes()),
            // The length is missing, or it does not count.
            ("content-length", _) => {}
            // The first line counts. A second location is kept if it differs, which shows that several differ.
            _ => {
                let mut values = of(name).map(|(_, value)| value);
                if let Some(first) = values.next() {
                    write(name, first);
                    if let Some(other) = values.find(|value| *name == "location" && *value != first) {
                        write(name, other);
                    }
                }
            }
        }
    }
    let known = |name: &str| LISTS.contains(&name) || NEEDED.contains(&name);
    for (name, value) in fields.iter().filter(|(name, _)| !known(name)) {
        write(name, value);
    }
    head.extend_from_slice(b"\r\n");
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(head: &str) -> Result<Option<(String, bool)>, FailureKind> {
        let parsed = parse(head.as_bytes(), 64 * 1024).map_err(|failure| failure.kind())?;
        Ok(parsed
            .and_then(|parsed| parsed.answer)
            .map(|(head, is_chunked)| (String::from_utf8(head).unwrap(), is_chunked)))
    }

    #[test]
    fn heads_are_rewritten() {
        let (head, is_chunked) = rewritten(
            "HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\n\tc\r\nContent-Length : 5\nCache-Control: a\r\ncache-control: b\r\n\r\n",
        )
        .unwrap()
        .unwrap();
        assert_eq!(
            head,
            "HTTP/1.1 200\r\ncache-control: a, b\r\ncontent-length: 5\r\nx-a: a   b  \tc\r\n\r\n"
        );
        assert!(!is_chunked);
        let (head, is_chunked) =
            rewritten("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n")
                .unwrap()
                .unwrap();
        assert_eq!(head, "HTTP/1.1 200\r\ntransfer-encoding: chunked\r\n\r\n");
        assert!(is_chunked);
        let many = "x: y\r\n".repeat(1000);
        let (head, _) = rewritten(&format!(
            "HTTP/1.0 301 \r\n{many}Location: /a\r\nLOCATION: /a\r\nlocation: /b\r\n\r\n"
        ))
        .unwrap()
        .unwrap();
        assert!(head.starts_with("HTTP/1.0 301\r\nlocation: /a\r\nlocation: /b\r\nx: y\r\n"));
        assert_eq!(head.lines().count(), MOST_WRITTEN + 2);
    }

    #[test]
    fn invalid_heads_are_refused() {
        for (head, kind) in [
            ("SSH-2.0-OpenSSH_9.9\r\n", FailureKind::InvalidResponse),
            ("HTTP/1.1 099 x\r\n\r\n", FailureKind::InvalidResponse),
            ("HTTP/1.1 101 x\r\n\r\n", FailureKind::InvalidResponse),
            ("HTTP/1.1 200 OK\r\n X: y\r\n\r\n", FailureKind::InvalidResponse),
            ("HTTP/1.1 200 OK\r\nX\r\n\r\n", FailureKind::InvalidResponse),
            ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", FailureKind::InvalidResponse),
        ] {
            assert_eq!(rewritten(head), Err(kind), "{head:?}");
        }
        let many = "x: y\r\n".repeat(MOST_FIELDS + 1);
        assert_eq!(rewritten(&format!("HTTP/1.1 200 OK\r\n{many}\r\n")), Err(FailureKind::HeadTooLarge));
        for head in ["", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: y\r\n"] {
            assert_eq!(rewritten(head), Ok(None), "{head:?}");
        }
        assert_eq!(rewritten("HTTP/1.1 103 Wait\r\nLink: x\r\n\r\n"), Ok(None));
    }
}
