//! HTTP answers, as archives keep them.

use std::io::{self, Read};

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// The most bytes of a decoded body.
const MOST: u64 = 4 << 20;

/// The number of bytes from which on a body need not be whole: no profile reads more by default, and all drop the line that the
/// limit cuts.
pub(super) const ENOUGH: usize = 500 * 1024 + 1;

/// An HTTP answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) status: u16,
    /// The body, or why it can't be read as the body that the server meant.
    pub(super) body: Result<Vec<u8>, &'static str>,
}

/// The fields of an answer that say how its body is written.
#[derive(Default)]
struct Fields {
    /// The content codings, without those that change nothing.
    codings: Vec<Coding>,
    is_chunked: bool,
    /// Whether there is another transfer coding than `chunked`.
    is_transfer_coded: bool,
    length: Option<usize>,
    is_part: bool,
}

#[derive(Clone, Copy)]
enum Coding {
    Gzip,
    Deflate,
    Unknown,
}

/// Parses an answer; `None` if `block` is something else. `is_cut` says that only its first bytes are here.
///
/// Some archives keep the transfer coding and the content coding, and others remove them but keep the fields. So a body that does
/// not look coded is taken as it is. A cut or unreadable body is never read as a file, because half a rule is another rule, and
/// what is left of a compressed file has no rules.
pub(super) fn parse(mut block: Vec<u8>, is_cut: bool) -> Option<Message> {
    let line = block.split(|byte| *byte == b'\n').next()?;
    let mut words =
        line.strip_prefix(b"HTTP/")?.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let status = core::str::from_utf8(words.nth(1)?).ok()?.parse().ok()?;
    let mut fields = Fields::default();
    let mut at = line.len() + 1;
    loop {
        // A head without an end has no body.
        let Some(line) = block.get(at..).and_then(|rest| rest.split_inclusive(|byte| *byte == b'\n').next())
        else {
            return Some(Message { status, body: Ok(Vec::new()) });
        };
        at += line.len();
        let line = line.trim_ascii_end();
        if line.is_empty() {
            break;
        }
        if let Some(colon) = line.iter().position(|byte| *byte == b':') {
            let (name, value) = line.split_at(colon);
            fields.add(name, value.get(1..).unwrap_or_default());
        }
    }
    block.drain(..at.min(block.len()));
    fields.is_part &= status == 206;
    Some(Message { status, body: fields.body(block, is_cut) })
}

impl Fields {
    fn add(&mut self, name: &[u8], value: &[u8]) {
        let words =
            || value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).filter(|word| !word.is_empty());
        let is = |word: &[u8], known: &str| word.eq_ignore_ascii_case(known.as_bytes());
        if is(name, "Transfer-Encoding") {
            self.is_chunked |= words().any(|word| is(word, "chunked"));
            self.is_transfer_coded |= words().any(|word| !is(word, "chunked") && !is(word, "identity"));
        } else if is(name, "Content-Encoding") {
            let changes = |word: &&[u8]| !["identity", "none", "utf-8"].iter().any(|known| is(word, known));
            self.codings.extend(words().filter(changes).map(|word| match word {
                word if is(word, "gzip") || is(word, "x-gzip") => Coding::Gzip,
                word if is(word, "deflate") => Coding::Deflate,
                _ => Coding::Unknown,
            }));
        } else if is(name, "Content-Length") {
            self.length = core::str::from_utf8(value.trim_ascii()).ok().and_then(|value| value.parse().ok());
        } else if is(name, "Content-Range") {
            self.is_part = is_part(value.trim_ascii());
        }
    }

    /// Returns the body that the server meant.
    fn body(&self, block: Vec<u8>, is_cut: bool) -> Result<Vec<u8>, &'static str> {
        if self.is_part {
            return Err("the answer is a part of the file");
        }
        let has_coding = self.is_transfer_coded || !self.codings.is_empty();
        let mut body = block;
        if self.is_chunked && chunk_len(&body).is_some() {
            let (joined, is_whole) = joined(&body);
            if !is_whole && !is_cut && joined.len() < ENOUGH {
                return Err("the chunks of the body end early");
            }
            body = joined;
        } else if !has_coding && !is_cut && self.length.is_some_and(|length| body.len() < length.min(ENOUGH))
        {
            return Err("the body is shorter than its Content-Length");
        }
        if !has_coding {
            return Ok(body);
        }
        let decoded = match *self.codings {
            [Coding::Gzip] if !self.is_transfer_coded => decoded(MultiGzDecoder::new(&*body)),
            [Coding::Deflate] if !self.is_transfer_coded => {
                decoded(ZlibDecoder::new(&*body)).or_else(|_| decoded(DeflateDecoder::new(&*body)))
            }
            _ => Err(Vec::new()),
        };
        match decoded {
            Ok(decoded) => Ok(decoded),
            // The rest is not needed.
            Err(start) if start.len() >= ENOUGH => Ok(start),
            Err(_) if is_text(&body) => Ok(body),
            Err(_) => Err("the body has a coding that can't be decoded"),
        }
    }
}

/// Returns whether a `Content-Range` has less than the whole file (RFC 9110, section 14.4).
fn is_part(range: &[u8]) -> bool {
    let whole = || {
        let (range, len) = core::str::from_utf8(range).ok()?.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        let [first, last, len] = [first, last, len].map(|number| number.trim().parse::<u64>().ok());
        Some(first? == 0 && last?.checked_add(1)? == len?)
    };
    whole() != Some(true)
}

/// Returns whether a body looks like text whose coding was removed before it was archived.
fn is_text(body: &[u8]) -> bool {
    core::str::from_utf8(body).is_ok_and(|text| !text.contains('\0'))
}

/// Returns the content of chunks (RFC 9112, section 7.1), and whether the last chunk is there.
fn joined(mut rest: &[u8]) -> (Vec<u8>, bool) {
    let mut content = Vec::new();
    while let Some((len, after)) = chunk_len(rest) {
        if len == 0 {
            return (content, true);
        }
        let data = after.get(..len.min(after.len())).unwrap_or_default();
        content.extend_from_slice(data);
        let after = after.get(data.len()..).unwrap_or_default();
        rest = after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")).unwrap_or(after);
    }
    (content, false)
}

/// Returns the length of a chunk, and the bytes after its line.
fn chunk_len(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let digits = bytes.get(..end)?.split(|byte| *byte == b';').next()?.trim_ascii();
    let len = usize::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((len, bytes.get(end + 1..)?))
}

/// Returns the first bytes of a decoded body, or those before an error.
fn decoded(decoder: impl Read) -> Result<Vec<u8>, Vec<u8>> {
    let mut decoded = Vec::new();
    let read: io::Result<usize> = decoder.take(MOST).read_to_end(&mut decoded);
    if read.is_ok() { Ok(decoded) } else { Err(decoded) }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    const FILE: &str = "User-agent: *\nDisallow: /private\n";

    fn answer(fields: &str, body: &[u8]) -> Vec<u8> {
        [format!("HTTP/1.1 200 OK\r\n{fields}\r\n").as_bytes(), body].concat()
    }

    fn body_of(fields: &str, body: &[u8]) -> Result<String, &'static str> {
        let message = parse(answer(fields, body), false).unwrap();
        message.body.map(|body| String::from_utf8(body).unwrap())
    }

    #[test]
    fn the_status_and_the_body_are_found() {
        let parsed = |block: &str| {
            let message = parse(block.into(), false)?;
            Some((message.status, String::from_utf8(message.body.unwrap()).unwrap()))
        };
        let is = |status: u16, text: &str| Some((status, text.to_owned()));
        assert_eq!(parsed("HTTP/1.1 200 OK\r\nA: b\r\n\r\nx\r\n"), is(200, "x\r\n"));
        assert_eq!(parsed("HTTP/1.0 404\n\nx"), is(404, "x"));
        assert_eq!(parsed("HTTP/1.1 200 OK\r\nA: b"), is(200, ""));
        assert_eq!(parsed("HTTP/1.1"), None);
        assert_eq!(parsed("User-agent: *\n"), None);
        assert_eq!(parsed(""), None);
    }

    #[test]
    fn chunks_are_joined_if_the_last_is_there() {
        let body = |text: &str| body_of("transfer-encoding: Chunked\r\n", text.as_bytes());
        assert_eq!(body("3\r\nabc\r\n1;x=y\r\nd\r\n0\r\n\r\n").as_deref(), Ok("abcd"));
        for early in ["3\r\nabc\r\n9\r\nde", "3\r\nabc\r\n", "3\r\nabc\r\nx\r\n"] {
            assert_eq!(body(early), Err("the chunks of the body end early"), "{early}");
        }
        // Without chunks, they were joined before.
        assert_eq!(body(FILE).as_deref(), Ok(FILE));
        let long = "Disallow: /page\n".repeat(40_000);
        let kept = body(&format!("{:x}\r\n{long}", 2 * long.len()));
        assert_eq!(kept.map(|body| body.len()), Ok(long.len()));
    }

    #[test]
    fn a_body_that_is_not_whole_is_an_error() {
        let body = |fields: &str| body_of(fields, FILE.as_bytes());
        let len = FILE.len();
        assert_eq!(body(&format!("Content-Length: {len}\r\n")).as_deref(), Ok(FILE));
        let short = Err("the body is shorter than its Content-Length");
        assert_eq!(body(&format!("Content-Length: {}\r\n", len + 1)), short);
        // The length may be that of a coding that was removed.
        assert_eq!(body("Content-Encoding: gzip\r\nContent-Length: 60\r\n").as_deref(), Ok(FILE));
        let [whole, part] = [len, 500].map(|of| format!("Content-Range: bytes 0-{}/{of}\r\n", len - 1));
        let partial = |fields: &str| {
            let block = format!("HTTP/1.1 206 Partial Content\r\n{fields}\r\n{FILE}");
            parse(block.into(), false).unwrap().body
        };
        assert_eq!(partial(&whole).as_deref(), Ok(FILE.as_bytes()));
        assert_eq!(partial("").as_deref(), Ok(FILE.as_bytes()));
        for fields in [&*part, "Content-Range: bytes 1-34/34\r\n", "Content-Range: x\r\n"] {
            assert_eq!(partial(fields), Err("the answer is a part of the file"), "{fields}");
        }
        // The field means nothing in other answers.
        assert_eq!(body(&part).as_deref(), Ok(FILE));
        let cut = parse(answer("Content-Length: 5000000\r\n", FILE.as_bytes()), true).unwrap();
        assert_eq!(cut.body.as_deref(), Ok(FILE.as_bytes()));
    }

    #[test]
    fn codings_are_decoded_or_their_bodies_left_out() {
        let [mut gzip, mut zlib, mut raw] = [const { Vec::new() }; 3];
        GzEncoder::new(&mut gzip, Compression::fast()).write_all(FILE.as_bytes()).unwrap();
        ZlibEncoder::new(&mut zlib, Compression::fast()).write_all(FILE.as_bytes()).unwrap();
        DeflateEncoder::new(&mut raw, Compression::fast()).write_all(FILE.as_bytes()).unwrap();
        let body = |coding: &str, body: &[u8]| body_of(&format!("Content-Encoding: {coding}\r\n"), body);
        for (coding, coded) in [
            ("gzip", &gzip),
            ("X-GZIP", &gzip),
            ("deflate", &zlib),
            ("deflate", &raw),
            ("identity, gzip", &gzip),
        ] {
            assert_eq!(body(coding, coded).as_deref(), Ok(FILE), "{coding}");
        }
        let unreadable = Err("the body has a coding that can't be decoded");
        for (coding, coded) in [
            ("gzip", &gzip[..gzip.len() - 4]),
            ("gzip", &gzip[..15]),
            ("deflate", &zlib[..zlib.len() - 6]),
            ("br", &gzip[..]),
            ("zstd", &gzip[..]),
            ("gzip, br", &gzip[..]),
            ("br", b"\x0B\x10\x80User\x03"),
        ] {
            assert_eq!(body(coding, coded), unreadable, "{coding}");
        }
        assert_eq!(body_of("Transfer-Encoding: gzip\r\n", &gzip), unreadable);
        for coding in ["gzip", "deflate", "br", "compress", "utf-8"] {
            assert_eq!(body(coding, FILE.as_bytes()).as_deref(), Ok(FILE), "{coding}");
        }
    }
}
