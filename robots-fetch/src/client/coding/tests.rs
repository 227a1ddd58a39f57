//! Tests of the decoders.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use super::*;

/// A body that comes byte by byte, and before each of them not.
struct Drops<'b>(&'b [u8], bool);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?.read(buffer)?;
        self.consume(bytes);
        Ok(bytes)
    }
}

impl BufRead for Drops<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(self.0.get(..1).unwrap_or_default())
    }

    fn consume(&mut self, bytes: usize) {
        self.0 = &self.0[bytes..];
    }
}

fn decoded(coding: &str, body: &[u8]) -> Result<Vec<u8>, String> {
    let coding = coding.as_bytes();
    let mut decoder = Decoder::new([coding].into_iter(), Drops(body, false)).map_err(|f| f.to_string())?;
    let mut all = Vec::new();
    let mut buffer = [0; 7];
    loop {
        match decoder.read_part(&mut buffer) {
            Ok(0) => return Ok(all),
            Ok(bytes) => all.extend(&buffer[..bytes]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(failure(error).to_string()),
        }
    }
}

const FILE: &[u8] = b"user-agent: *\ndisallow: /private\ndisallow: /private\n";

/// `hello\n` by a brotli encoder: an uncompressed meta-block, and an empty last one.
const BROTLI: &[u8] = &[0x8B, 0x02, 0x80, b'h', b'e', b'l', b'l', b'o', b'\n', 0x03];

fn coded() -> [(&'static str, Vec<u8>); 4] {
    let level = Compression::best();
    let mut gzip = GzEncoder::new(Vec::new(), level);
    let mut zlib = ZlibEncoder::new(Vec::new(), level);
    let mut deflate = DeflateEncoder::new(Vec::new(), level);
    gzip.write_all(FILE).unwrap();
    zlib.write_all(FILE).unwrap();
    deflate.write_all(FILE).unwrap();
    let (gzip, zlib, deflate) = (gzip.finish().unwrap(), zlib.finish().unwrap(), deflate.finish().unwrap());
    [("gzip", gzip.clone()), ("X-GZIP", gzip), ("deflate", zlib), ("deflate", deflate)]
}

#[test]
fn codings_are_decoded_byte_by_byte() {
    for (coding, body) in coded() {
        assert_eq!(decoded(coding, &body).unwrap(), FILE, "{coding}");
    }
    assert_eq!(decoded("br", BROTLI).unwrap(), b"hello\n");
    assert_eq!(decoded("", FILE).unwrap(), FILE);
    for coding in ["identity", "none", "UTF-8", "utf8", "identity, none"] {
        assert_eq!(decoded(coding, FILE).unwrap(), FILE, "{coding}");
    }
    for coding in ["gzip", "deflate", "br"] {
        assert_eq!(decoded(coding, b"").unwrap(), b"", "{coding}");
    }
}

#[test]
fn content_that_decodes_to_nothing_ends() {
    let file = vec![b'#'; 100_000];
    let gzip = |level, file: &[u8]| {
        let mut gzip = GzEncoder::new(Vec::new(), level);
        gzip.write_all(file).unwrap();
        gzip.finish().unwrap()
    };
    // Empty members of gzip, empty blocks of deflate, and empty blocks of metadata by brotli, after a window.
    let empty = gzip(Compression::best(), b"");
    let cases = [
        ("gzip", b"".as_slice(), empty.as_slice()),
        ("deflate", b"", b"\0\0\0\xFF\xFF"),
        ("br", b"\x0C", b"\x06"),
    ];
    for (coding, start, again) in cases {
        let body = [start, &again.repeat(OVERHEAD / again.len() + 10)].concat();
        let expected = "invalid content coding: the coded body is larger than the decoded one";
        assert_eq!(decoded(coding, &body).unwrap_err(), expected, "{coding}");
    }
    // Members that hold little of a file, and a file that is not made shorter.
    let (few, whole) =
        (gzip(Compression::best(), b"# some text of a file"), gzip(Compression::none(), &file));
    assert_eq!(decoded("gzip", &few.repeat(5000)).unwrap().len(), 5000 * 21);
    assert_eq!(decoded("gzip", &whole).unwrap(), file);
}

#[test]
fn brotli_windows_of_a_gibibyte_are_refused() {
    // A window of 2^30 bytes, and no data.
    assert!(decoded("br", &[0x11, 0x1E, 0x03]).is_err());
}

#[test]
fn gzip_members_are_decoded_one_after_the_other() {
    let [(_, gzip), ..] = coded();
    assert_eq!(decoded("gzip", &[gzip.clone(), gzip].concat()).unwrap(), [FILE, FILE].concat());
}

#[test]
fn padding_is_skipped_and_other_bytes_are_refused() {
    for (coding, body) in coded() {
        let padded = [body.clone(), vec![0; 1000]].concat();
        assert_eq!(decoded(coding, &padded).unwrap(), FILE, "{coding}");
        let more = [body, b"x".to_vec()].concat();
        let expected = "invalid content coding: more bytes after the end of the coded body";
        assert_eq!(decoded(coding, &more).unwrap_err(), expected, "{coding}");
    }
}

#[test]
fn truncated_or_corrupt_content_is_an_error() {
    for (coding, body) in coded() {
        for end in 1..body.len() {
            let cut = decoded(coding, &body[..end]);
            assert!(cut.unwrap_err().starts_with("invalid content coding: "), "{coding} {end}");
        }
    }
    for end in 1..BROTLI.len() {
        assert!(decoded("br", &BROTLI[..end]).is_err(), "{end}");
    }
    for coding in ["gzip", "br"] {
        assert!(decoded(coding, FILE).is_err());
    }
}

#[test]
fn unknown_codings_are_named() {
    for (coding, expected) in [
        ("zstd", "unknown content coding: zstd"),
        ("gzip, br", "unknown content coding: several codings"),
        ("\u{1}", "unknown content coding: \u{FFFD}"),
    ] {
        assert_eq!(decoded(coding, FILE).unwrap_err(), expected);
    }
}
