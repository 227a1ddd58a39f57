//! HTTP answers, as archives keep them.

use core::str;

use crate::message::chunks::Chunks;
use crate::message::coding;
use crate::message::decoder::Decoder;
use crate::message::framing::{Framing, Version};
use crate::message::http1::SentHead;

/// The most bytes of a decoded body.
const MOST: usize = 4 << 20;

/// The number of bytes from which on a body need not be whole: no profile reads more by default, and all drop the line that the
/// limit cuts.
pub(super) const ENOUGH: usize = 500 * 1024 + 1;

/// An HTTP answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) status: u16,
    /// The fields in their order, with names in lower case; empty if the head is not whole.
    pub(super) fields: Vec<(String, Vec<u8>)>,
    /// The body, or why it can't be read as the body that the server meant.
    pub(super) body: Result<Vec<u8>, &'static str>,
}

/// Parses an answer; `None` if `block` is something else. `is_cut` says that only its first bytes are here.
///
/// Some archives keep the transfer coding and the content coding, and others remove them but keep the fields. So a body that does
/// not look coded is taken as it is, also beyond a `Content-Length`, which may be that of the coded body. A cut or unreadable body is never read as a file, because half a rule is another rule, and
/// what is left of a compressed file has no rules.
pub(super) fn parse(mut block: Vec<u8>, is_cut: bool) -> Option<Message> {
    // The first line is there even if the rest is invalid, or is missing.
    let first = block.split_inclusive(|byte| *byte == b'\n').next()?;
    let status = SentHead::archived(&[first.trim_ascii_end(), b"\r\n\r\n"].concat()).ok()??.status;
    let mut fields = Vec::new();
    let body = match SentHead::archived(&block) {
        Ok(Some(head)) => {
            block.drain(..head.bytes.min(block.len()));
            let body = body(&head, block, is_cut);
            fields = head.fields;
            body
        }
        Ok(None) => Err("the head of the answer is cut"),
        Err(_) => Err("the head of the answer is invalid"),
    };
    Some(Message { status, fields, body })
}

/// Returns the body that the server meant.
fn body(head: &SentHead, block: Vec<u8>, is_cut: bool) -> Result<Vec<u8>, &'static str> {
    let meant = head.meaning();
    if meant.is_partial() {
        return Err("the answer is a part of the file");
    }
    let unknown_end = "the fields of the answer do not say where its body ends";
    let framing =
        Framing::of(Version::Http11, head.status, head.fields(), usize::MAX).map_err(|_| unknown_end)?;
    let is_plain = matches!(coding::of(head.codings()), Ok(None));
    let mut body = block;
    match &framing {
        Framing::Empty => return Ok(Vec::new()),
        // Without a chunk, they were joined before.
        Framing::Chunked if begins_with_chunk(&body) => {
            let (mut chunks, mut joined) = (Chunks::new(), Vec::new());
            let is_whole = chunks.read(&body, &mut joined).is_ok() && chunks.is_ended();
            if !is_whole && !is_cut && joined.len() < ENOUGH {
                return Err("the chunks of the body are cut or invalid");
            }
            body = joined;
        }
        // The length may be that of a coding that was removed.
        Framing::Length(length) if is_plain && !is_cut => {
            let least = usize::try_from(*length).unwrap_or(usize::MAX).min(ENOUGH);
            if body.len() < least {
                return Err("the body is shorter than its Content-Length");
            }
        }
        _ => {}
    }
    // Of a long answer, an archive keeps only the start.
    let is_whole = |body: &[u8]| {
        meant.whole_length().is_none_or(|whole| body.len() as u64 == whole || is_cut && whole > ENOUGH as u64)
    };
    if !is_whole(&body) {
        return Err("the body has another number of bytes than its Content-Range says");
    }
    if is_plain && !matches!(framing, Framing::Coded(_)) {
        return Ok(body);
    }
    let unreadable = "the body has a coding that can't be decoded";
    if body.is_empty() && !framing.may_be_empty(Version::Http11) {
        return Err(unreadable);
    }
    let decoder = match framing {
        Framing::Coded(_) => None,
        _ => Decoder::new(head.codings(), &body[..], true).ok(),
    };
    match decoder.map(decoded) {
        Some(Ok(decoded)) => Ok(decoded),
        // The rest is not needed.
        Some(Err(start)) if start.len() >= ENOUGH => Ok(start),
        _ if is_text(&body) => Ok(body),
        _ => Err(unreadable),
    }
}

/// Returns whether a body looks like text whose coding was removed before it was archived.
fn is_text(body: &[u8]) -> bool {
    str::from_utf8(body).is_ok_and(|text| !text.contains('\0'))
}

/// Returns whether the first line is the size of a chunk.
fn begins_with_chunk(body: &[u8]) -> bool {
    let line = body.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
    line.ends_with(b"\n") && Chunks::new().read(line, &mut Vec::new()).is_ok()
}

/// Returns the first bytes of a decoded body, or those before an error.
fn decoded(mut decoder: Decoder<&[u8]>) -> Result<Vec<u8>, Vec<u8>> {
    let (mut decoded, mut part) = (Vec::new(), vec![0; 16 << 10]);
    while decoded.len() < MOST {
        match decoder.read_part(&mut part) {
            Ok(0) => break,
            Ok(bytes) => decoded.extend_from_slice(part.get(..bytes).unwrap_or_default()),
            Err(_) => return Err(decoded),
        }
    }
    Ok(decoded)
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
        assert_eq!(parsed("HTTP/2 200\r\n\r\nx"), is(200, "x"));
        for cut in ["HTTP/1.1 200 OK\r\nA: b", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n"] {
            let message = parse(cut.into(), false).unwrap();
            assert_eq!(
                (message.status, message.body),
                (200, Err("the head of the answer is cut")),
                "{cut:?}"
            );
        }
        let odd = parse(b"HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\nx".to_vec(), false).unwrap();
        assert_eq!(odd.body, Err("the head of the answer is invalid"));
        assert_eq!(parsed("HTTP/1.1 200 OK\r\nX Bad: 1\r\n\r\nx"), is(200, "x"));
        assert_eq!(parsed("HTTP/1.1"), None);
        assert_eq!(parsed("User-agent: *\n"), None);
        assert_eq!(parsed(""), None);
    }

    #[test]
    fn chunks_are_joined_if_the_last_is_there() {
        let body = |text: &str| body_of("transfer-encoding: Chunked\r\n", text.as_bytes());
        assert_eq!(body("3\r\nabc\r\n1;x=y\r\nd\r\n0\r\n\r\n").as_deref(), Ok("abcd"));
        for early in ["3\r\nabc\r\n9\r\nde", "3\r\nabc\r\n", "3\r\nabc\r\nx\r\n"] {
            assert_eq!(body(early), Err("the chunks of the body are cut or invalid"), "{early}");
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
        assert_eq!(partial(&whole.replace("bytes", "Bytes")).as_deref(), Ok(FILE.as_bytes()));
        assert!(partial("Content-Range: bytes 0-499/500\r\n").is_err());
        for fields in ["", &*part, "Content-Range: bytes 1-34/34\r\n", "Content-Range: x\r\n"] {
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
        let brotli = [b"\x0B\x10\x80", FILE.as_bytes(), b"\x03"].concat();
        for (coding, coded) in [
            ("br", &brotli),
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
        assert_eq!(body("gzip", b""), unreadable);
        assert_eq!(body_of("Content-Encoding: gzip\r\nContent-Length: 0\r\n", b"").as_deref(), Ok(""));
        assert_eq!(body_of("Transfer-Encoding: gzip\r\n", &gzip), unreadable);
        for coding in ["gzip", "deflate", "br", "compress", "utf-8"] {
            assert_eq!(body(coding, FILE.as_bytes()).as_deref(), Ok(FILE), "{coding}");
        }
    }
}
