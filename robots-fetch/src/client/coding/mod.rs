//! Content codings (RFC 9110, section 8.4.1), decoded only as far as the body is read. Memory is bounded by the window of the
//! coding, at most 16 MiB for brotli and 32 KiB for the others; the received bytes are bounded by the decoded ones.

use std::io::{self, BufRead, Read};

use brotli_decompressor::{BrotliDecoderParameter, Decompressor};
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};

use crate::failure::{Failure, FailureKind};

/// The value of `Accept-Encoding`.
pub(super) const ACCEPTED: &str = "gzip, deflate, br";

/// A coded body may have twice as many bytes as the decoded one, and this many more. No honest coding of a text needs more; a
/// body of endless empty gzip members does.
const OVERHEAD: usize = 64 * 1024;

/// A body that is decoded. Errors of `R` are passed on.
pub(super) enum Decoder<R: BufRead> {
    /// Without a coding.
    Plain(R),
    /// Before the first bytes.
    Start(Coding, Option<Begun<R>>),
    /// One member (RFC 1952, section 2.2).
    Gzip(Box<GzDecoder<Begun<R>>>),
    Zlib(Box<ZlibDecoder<Begun<R>>>),
    Deflate(Box<DeflateDecoder<Begun<R>>>),
    Brotli(Box<Decompressor<Begun<R>>>),
    /// After the end of the coded bytes.
    Rest(Coding, Option<Begun<R>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Deflate,
    Brotli,
}

impl<R: BufRead> Decoder<R> {
    /// Creates the decoder for a body with these values of `Content-Encoding`.
    ///
    /// # Errors
    ///
    /// The coding is unknown, or there are several.
    pub(super) fn new<'v>(values: impl Iterator<Item = &'v [u8]>, body: R) -> Result<Self, Failure> {
        let mut coding = None;
        for value in values {
            let value = String::from_utf8_lossy(value);
            for name in value.split(',').map(|name| name.trim().to_ascii_lowercase()) {
                let next = match name.as_str() {
                    // Only the first is registered, as a name that is not sent; servers send all of them for no coding.
                    "" | "identity" | "none" | "utf-8" | "utf8" => continue,
                    "gzip" | "x-gzip" => Coding::Gzip,
                    "deflate" => Coding::Deflate,
                    "br" => Coding::Brotli,
                    other => return Err(Failure::new(FailureKind::UnknownCoding, other)),
                };
                if coding.replace(next).is_some() {
                    let failure = Failure::new(FailureKind::UnknownCoding, "several codings");
                    return Err(failure);
                }
            }
        }
        Ok(match coding {
            None => Self::Plain(body),
            Some(coding) => Self::Start(coding, Some(Begun::new(body))),
        })
    }

    /// Returns the source of the coded bytes.
    #[cfg(feature = "reqwest")]
    pub(super) fn source(&mut self) -> Option<&mut R> {
        match self {
            Self::Plain(body) => Some(body),
            coded => Some(&mut coded.begun()?.rest),
        }
    }

    fn begun(&mut self) -> Option<&mut Begun<R>> {
        Some(match self {
            Self::Plain(_) => return None,
            Self::Start(_, begun) | Self::Rest(_, begun) => begun.as_mut()?,
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
    pub(super) fn read_part(&mut self, buffer: &mut [u8]) -> Result<usize, io::Error> {
        if let Self::Start(coding, begun) = self {
            let Some(start) = begun else { return Ok(0) };
            // An empty body is complete, whatever its coding. Some servers send deflate without the zlib wrapper; the first
            // two bytes show which it is.
            let bytes = start.begin()?;
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
pub(super) fn failure(error: io::Error) -> Failure {
    error.downcast::<Failure>().unwrap_or_else(|error| Failure::new(FailureKind::Decoding, error))
}

/// A body whose first two bytes are buffered, and whose length is limited.
#[derive(Debug)]
pub(super) struct Begun<R> {
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

impl<R: BufRead> Read for Begun<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?.read(buffer)?;
        self.consume(bytes);
        Ok(bytes)
    }
}

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
mod tests;
