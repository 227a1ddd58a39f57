//! HTTP answers, as archives keep them.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;

/// The most bytes of a decoded body.
const MOST: u64 = 4 << 20;

/// Returns status and body of an HTTP answer. Some archives keep the transfer coding and the content coding, and others remove
/// them but keep the fields; so a body that can't be decoded is returned as it is.
pub(super) fn parse(block: Vec<u8>) -> Option<(u16, Vec<u8>)> {
    let line = block.split(|byte| *byte == b'\n').next()?;
    let mut words =
        line.strip_prefix(b"HTTP/")?.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let status = core::str::from_utf8(words.nth(1)?).ok()?.parse().ok()?;
    let (mut chunked, mut gzip) = (false, false);
    let mut at = line.len() + 1;
    loop {
        // A head without an end has no body.
        let Some(line) = block.get(at..).and_then(|rest| rest.split_inclusive(|byte| *byte == b'\n').next())
        else {
            return Some((status, Vec::new()));
        };
        at += line.len();
        let line = line.trim_ascii_end();
        if line.is_empty() {
            break;
        }
        let is = |name: &str, value: &str| {
            let (start, rest) = line.split_at_checked(name.len()).unwrap_or_default();
            let rest = rest.strip_prefix(b":").unwrap_or_default().trim_ascii();
            start.eq_ignore_ascii_case(name.as_bytes()) && rest.eq_ignore_ascii_case(value.as_bytes())
        };
        chunked |= is("Transfer-Encoding", "chunked");
        gzip |= is("Content-Encoding", "gzip") || is("Content-Encoding", "x-gzip");
    }
    let mut body = block;
    body.drain(..at.min(body.len()));
    if chunked && let Some(joined) = joined(&body) {
        body = joined;
    }
    if gzip && let Some(decoded) = decoded(&body) {
        body = decoded;
    }
    Some((status, body))
}

/// Returns the content of chunks (RFC 9112, section 7.1), as far as there are chunks; `None` if there is none.
fn joined(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    let mut first = true;
    while let Some((len, after)) = chunk_len(rest) {
        first = false;
        let data = after.get(..len.min(after.len())).unwrap_or_default();
        content.extend_from_slice(data);
        let after = after.get(data.len()..).unwrap_or_default();
        rest = after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")).unwrap_or(after);
        if len == 0 || rest.is_empty() {
            break;
        }
    }
    (!first).then_some(content)
}

/// Returns the length of a chunk, and the bytes after its line.
fn chunk_len(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let digits = bytes.get(..end)?.split(|byte| *byte == b';').next()?.trim_ascii();
    let len = usize::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((len, bytes.get(end + 1..)?))
}

fn decoded(body: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = Vec::new();
    MultiGzDecoder::new(body).take(MOST).read_to_end(&mut decoded).ok()?;
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_decoded_where_they_are_coded() {
        let body = |block: &str| {
            parse(block.into()).map(|(status, body)| (status, String::from_utf8(body).unwrap()))
        };
        let is = |status: u16, text: &str| Some((status, text.to_owned()));
        assert_eq!(body("HTTP/1.1 200 OK\r\nA: b\r\n\r\nx\r\n"), is(200, "x\r\n"));
        assert_eq!(body("HTTP/1.0 404\n\nx"), is(404, "x"));
        let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n";
        assert_eq!(body(&format!("{chunked}3\r\nabc\r\n1;x=y\r\nd\r\n0\r\n\r\n")), is(200, "abcd"));
        assert_eq!(body(&format!("{chunked}3\r\nabc\r\n9\r\nde")), is(200, "abcde"));
        assert_eq!(body(&format!("{chunked}User-agent: *\n")), is(200, "User-agent: *\n"));
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nplain"), is(200, "plain"));
        assert_eq!(body("HTTP/1.1 200 OK\r\nA: b"), is(200, ""));
        assert_eq!(body("HTTP/1.1"), None);
        assert_eq!(body("User-agent: *\n"), None);
        assert_eq!(body(""), None);
    }
}
