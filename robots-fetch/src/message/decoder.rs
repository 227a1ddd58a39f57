//! Content codings (RFC 9110, section 8.4.1), decoded only as far as the body is read. Memory is bounded by the window of the
//! coding, at most 16 MiB for brotli and 32 KiB for the others; the received bytes are bounded by the decoded ones.

use std::io::{self, BufRead, Read};

use brotli_decompressor::{BrotliDecoderParameter, Decompressor};
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};

use crate::failure::{Failure, FailureKind};
use crate::message::coding::{self, Coding};

/// The value of `Accept-Encoding`.
pub(crate) const ACCEPTED: &str = "gzip, deflate, br";

/// A coded body may have twice as many bytes as the decoded one, and this many more. No honest coding of a text needs more; a
/// body of endless empty gzip members does.
const OVERHEAD: usize = 64 * 1024;

/// A body that is decoded. Errors of `R` are passed on.
pub(crate) enum Decoder<R: BufRead> {
    /// Without a coding.
    Plain(R),
    /// Before the first bytes, and whether there may be none.
    Start(Coding, Option<Begun<R>>, bool),
    /// One member (RFC 1952, section 2.2).
    Gzip(Box<GzDecoder<Begun<R>>>),
    Zlib(Box<ZlibDecoder<Begun<R>>>),
    Deflate(Box<DeflateDecoder<Begun<R>>>),
    Brotli(Box<Decompressor<Begun<R>>>),
    /// After the end of the coded bytes.
    Rest(Coding, Option<Begun<R>>),
}

impl<R: BufRead> Decoder<R> {
    /// Creates the decoder for a body with these values of `Content-Encoding`. Without bytes, the body is complete only if
    /// `may_be_empty`: no coding of a file is empty, and the end of a connection can't tell an empty body from a cut one.
    ///
    /// # Errors
    ///
    /// The coding is unknown, or there are several.
    pub(crate) fn new<'v>(
        values: impl Iterator<Item = &'v [u8]>,
        body: R,
        may_be_empty: bool,
    ) -> Result<Self, Failure> {
        Ok(match coding::of(values)? {
            None => Self::Plain(body),
            Some(coding) => Self::Start(coding, Some(Begun::new(body)), may_be_empty),
        })
    }

    /// Returns the source of the coded bytes.
    #[cfg(any(feature = "blocking", feature = "reqwest"))]
    pub(crate) fn source(&mut self) -> Option<&mut R> {
        match self {
            Self::Plain(body) => Some(body),
            coded => Some(&mut coded.begun()?.rest),
        }
    }

    fn begun(&mut self) -> Option<&mut Begun<R>> {
        Some(match self {
            Self::Plain(_) => return None,
            Self::Start(_, begun, _) | Self::Rest(_, begun) => begun.as_mut()?,
            Self::Gzip(decoder) => decoder.get_mut(),
            Self::Zlib(decoder) => decoder.get_mut(),
            Self::Deflate(decoder) => decoder.get_mut(),
            Self::Brotli(decoder) => decoder.get_mut(),
        })
    }

    /// Reads a part of the body; see [`crate::Transport::read`].
    ///
    /// # Errors
    ///
    /// An error of `R`, or an invalid coding. After [`io::ErrorKind::WouldBlock`] of `R`, reading can continue.
    pub(crate) fn read_part(&mut self, buffer: &mut [u8]) -> Result<usize, io::Error> {
        if let Self::Start(coding, begun, may_be_empty) = self {
            let Some(start) = begun else { return Ok(0) };
            // Some servers send deflate without the zlib wrapper; the first two bytes show which it is.
            let bytes = start.begin()?;
            if bytes == 0 && !*may_be_empty {
                let text = "no bytes of a coded body before the connection ended";
                return Err(io::Error::other(Failure::new(FailureKind::Incomplete, text)));
            }
            let Some(start) = begun.take().filter(|_| bytes > 0) else { return Ok(0) };
            *self = match coding {
                Coding::Gzip => Self::Gzip(Box::new(GzDecoder::new(start))),
                Coding::Deflate if start.is_zlib() => Self::Zlib(Box::new(ZlibDecoder::new(start))),
                Coding::Deflate => Self::Deflate(Box::new(DeflateDecoder::new(start))),
                Coding::Brotli => {
                    let mut decoder = Decompressor::new(start, 4096);
                    // Windows larger than those of RFC 7932 could take 1 GiB.
                    decoder.set_parameter(BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW, 0);
                    Self::Brotli(Box::new(decoder))
                }
            };
        }
        loop {
            let bytes = match self {
                Self::Plain(body) => return body.read(buffer),
                Self::Start(..) => Ok(0),
                Self::Gzip(decoder) => decoder.read(buffer),
                Self::Zlib(decoder) => decoder.read(buffer),
                Self::Deflate(decoder) => decoder.read(buffer),
                Self::Brotli(decoder) => decoder.read(buffer),
                Self::Rest(coding, begun) => {
                    let Some(rest) = begun else { return Ok(0) };
                    if !rest.skip_padding(*coding == Coding::Gzip)? {
                        return Ok(0);
                    }
                    // Another member of gzip.
                    if let Some(rest) = begun.take() {
                        *self = Self::Gzip(Box::new(GzDecoder::new(rest)));
                    }
                    continue;
                }
            }?;
            if bytes == 0 && !buffer.is_empty() && self.finish() {
                continue;
            }
            if let Some(begun) = self.begun() {
                begun.room = begun.room.saturating_add(bytes.saturating_mul(2));
            }
            return Ok(bytes);
        }
    }

    /// Continues after the end of the coded bytes, where only padding may follow: an early end of the body would
    /// otherwise be missed. Returns `false` if no coded bytes are left.
    fn finish(&mut self) -> bool {
        let (coding, rest) = match core::mem::replace(self, Self::Rest(Coding::Gzip, None)) {
            Self::Gzip(decoder) => (Coding::Gzip, decoder.into_inner()),
            Self::Zlib(decoder) => (Coding::Deflate, decoder.into_inner()),
            Self::Deflate(decoder) => (Coding::Deflate, decoder.into_inner()),
            Self::Brotli(decoder) => (Coding::Brotli, decoder.into_inner()),
            other => {
                *self = other;
                return false;
            }
        };
        *self = Self::Rest(coding, Some(rest));
        true
    }
}

/// Returns the failure of an error of [`Decoder::read_part`].
pub(crate) fn failure(error: io::Error) -> Failure {
    error.downcast::<Failure>().unwrap_or_else(|error| Failure::new(FailureKind::Decoding, error))
}

/// A body whose first two bytes are buffered, and whose length is limited.
#[derive(Debug)]
pub(crate) struct Begun<R> {
    start: [u8; 2],
    filled: usize,
    at: usize,
    rest: R,
    /// How many more bytes of the rest may be read.
    room: usize,
}

impl<R: BufRead> Begun<R> {
    const fn new(body: R) -> Self {
        Self { start: [0; 2], filled: 0, at: 0, rest: body, room: OVERHEAD }
    }

    /// Buffers the first two bytes, and returns how many there are.
    fn begin(&mut self) -> io::Result<usize> {
        while let Some(rest) = self.start.get_mut(self.filled..).filter(|rest| !rest.is_empty()) {
            match self.rest.read(rest)? {
                0 => break,
                bytes => self.filled += bytes,
            }
        }
        Ok(self.filled)
    }

    /// Skips zeros to the end of the body, and returns `false` there; `true` at the start of a member of gzip.
    ///
    /// # Errors
    ///
    /// Something else follows.
    fn skip_padding(&mut self, is_gzip: bool) -> io::Result<bool> {
        loop {
            let rest = self.fill_buf()?;
            let zeros = rest.iter().take_while(|byte| **byte == 0).count();
            match rest.get(zeros) {
                None if rest.is_empty() => return Ok(false),
                None => self.consume(zeros),
                Some(0x1F) if is_gzip => {
                    self.consume(zeros);
                    return Ok(true);
                }
                Some(_) => {
                    let text = "more bytes after the end of the coded body";
                    return Err(io::Error::other(Failure::new(FailureKind::Decoding, text)));
                }
            }
        }
    }

    /// Returns whether the body starts with a zlib header (RFC 1950, section 2.2).
    fn is_zlib(&self) -> bool {
        self.start[0] & 0xF == 8 && u16::from_be_bytes(self.start).is_multiple_of(31)
    }
}

read_by_parts!([R: BufRead] Begun<R>);

impl<R: BufRead> BufRead for Begun<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.start.get(self.at..self.filled) {
            Some(start) if !start.is_empty() => Ok(start),
            _ => match self.rest.fill_buf()? {
                [] => Ok(&[]),
                _ if self.room == 0 => {
                    let text = "the coded body is larger than the decoded one";
                    Err(io::Error::other(Failure::new(FailureKind::Decoding, text)))
                }
                rest => Ok(rest.get(..self.room).unwrap_or(rest)),
            },
        }
    }

    fn consume(&mut self, bytes: usize) {
        if self.at < self.filled {
            self.at += bytes;
        } else {
            self.room = self.room.saturating_sub(bytes);
            self.rest.consume(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
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
        let mut decoder =
            Decoder::new([coding].into_iter(), Drops(body, false), true).map_err(|f| f.to_string())?;
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
        let (gzip, zlib, deflate) =
            (gzip.finish().unwrap(), zlib.finish().unwrap(), deflate.finish().unwrap());
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
}
