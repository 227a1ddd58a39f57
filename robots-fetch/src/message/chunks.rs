//! Chunks of a body (RFC 9112, section 7.1), read strictly.

use crate::failure::{Failure, FailureKind};

/// The most bytes of sizes and extensions between two chunks, and of all trailers.
const MOST: usize = 16 * 1024;

/// The state of a body in chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// Before the first digit of a size.
    Start,
    Size,
    /// In the space after a size.
    Space,
    Extension,
    /// After the CR of a size.
    SizeEnd,
    Data,
    DataCr,
    DataLf,
    /// At the start of a line of the trailers.
    Trailer,
    /// Within the name of a trailer.
    TrailerName,
    /// Within the value of a trailer.
    TrailerLine,
    /// After the CR of a line of the trailers.
    TrailerLf,
    /// After the CR of the blank line at the end.
    LastLf,
    Ended,
}

/// A reader of chunks.
#[derive(Debug)]
pub(crate) struct Chunks {
    state: Expected,
    /// The size of the chunk, or what is left of it.
    size: u64,
    /// The bytes of the size and its extension, or of all trailers.
    overhead: usize,
}

impl Chunks {
    pub(crate) const fn new() -> Self {
        Self { state: Expected::Start, size: 0, overhead: 0 }
    }

    pub(crate) fn is_ended(&self) -> bool {
        self.state == Expected::Ended
    }

    /// Reads `raw`, and appends the content of its chunks to `out`. Returns how many bytes of `raw` were read: all, except those
    /// after the end.
    ///
    /// # Errors
    ///
    /// The chunks are invalid.
    pub(crate) fn read(&mut self, raw: &[u8], out: &mut Vec<u8>) -> Result<usize, Failure> {
        let mut at = 0;
        while let Some(&byte) = raw.get(at) {
            match self.state {
                Expected::Ended => break,
                Expected::Data => {
                    let rest = raw.get(at..).unwrap_or_default();
                    let most = usize::try_from(self.size).unwrap_or(usize::MAX);
                    let part = rest.get(..most).unwrap_or(rest);
                    out.extend_from_slice(part);
                    at += part.len();
                    self.size -= part.len() as u64;
                    if self.size == 0 {
                        self.state = Expected::DataCr;
                    }
                    continue;
                }
                _ => self.step(byte)?,
            }
            at += 1;
        }
        Ok(at)
    }

    /// Reads a byte that is not data.
    fn step(&mut self, byte: u8) -> Result<(), Failure> {
        self.overhead += 1;
        if self.overhead > MOST {
            return Err(invalid("too long"));
        }
        self.state = match (self.state, byte) {
            (Expected::Start | Expected::Size, digit) if digit.is_ascii_hexdigit() => {
                let digit = char::from(digit).to_digit(16).unwrap_or_default();
                let size = self.size.checked_mul(16).and_then(|size| size.checked_add(u64::from(digit)));
                self.size = size.ok_or_else(|| invalid("too large"))?;
                Expected::Size
            }
            (Expected::Size | Expected::Space, b';') => Expected::Extension,
            (Expected::Size | Expected::Space, b' ' | b'\t') => Expected::Space,
            (Expected::Size | Expected::Space | Expected::Extension, b'\r') => Expected::SizeEnd,
            (Expected::Extension, other) if other != b'\n' && other != 0 => Expected::Extension,
            (Expected::SizeEnd, b'\n') => {
                self.overhead = 0;
                if self.size == 0 { Expected::Trailer } else { Expected::Data }
            }
            (Expected::DataCr, b'\r') => Expected::DataLf,
            (Expected::DataLf, b'\n') => Expected::Start,
            (Expected::Trailer, b'\r') => Expected::LastLf,
            // A trailer is a field (RFC 9112, section 7.1.2). A line without a colon is the size of a chunk that was cut before.
            (Expected::TrailerName, b':') => Expected::TrailerLine,
            (Expected::Trailer | Expected::TrailerName, other)
                if !matches!(other, b'\r' | b'\n' | b':' | 0) =>
            {
                Expected::TrailerName
            }
            (Expected::TrailerLine, other) if !matches!(other, b'\r' | b'\n' | 0) => Expected::TrailerLine,
            (Expected::TrailerLine, b'\r') => Expected::TrailerLf,
            (Expected::TrailerLf, b'\n') => Expected::Trailer,
            (Expected::LastLf, b'\n') => Expected::Ended,
            (state, byte) => return Err(invalid(&format!("byte {byte:#04x} at {state:?}"))),
        };
        Ok(())
    }
}

fn invalid(text: &str) -> Failure {
    Failure::new(FailureKind::Chunking, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The content, and what follows the end.
    type Read = (Vec<u8>, Vec<u8>);

    /// Reads in parts of this length; `None` without an end.
    fn read(raw: &[u8], part: usize) -> Result<Option<Read>, FailureKind> {
        let (mut chunks, mut out, mut at) = (Chunks::new(), Vec::new(), 0);
        while at < raw.len() && !chunks.is_ended() {
            let end = raw.len().min(at + part);
            at += chunks.read(&raw[at..end], &mut out).map_err(|failure| failure.kind())?;
        }
        Ok(chunks.is_ended().then(|| (out, raw[at..].to_vec())))
    }

    #[test]
    fn valid_chunks_are_joined() {
        let raw = b"5;a=\"b\"\r\nhello\r\n00a ; long-extension-of-more-than-twenty-bytes\r\n, world.  \r\n0\r\nX: y\r\n\r\nHTTP";
        for part in [1, 3, raw.len()] {
            let (out, rest) = read(raw, part).unwrap().unwrap();
            assert_eq!((&*out, &*rest), (&b"hello, world.  "[..], &b"HTTP"[..]), "{part}");
        }
        for end in 0..raw.len() - 4 {
            assert_eq!(read(&raw[..end], 7), Ok(None), "{end}");
        }
    }

    #[test]
    fn invalid_chunks_are_refused() {
        for raw in [
            "+5\r\nhello\r\n0\r\n\r\n",
            "-5\r\nhello\r\n0\r\n\r\n",
            "0x5\r\nhello\r\n0\r\n\r\n",
            " 5\r\nhello\r\n0\r\n\r\n",
            "5 5\r\nhello\r\n0\r\n\r\n",
            "5\nhello\r\n0\r\n\r\n",
            "5\r\nhello\n0\r\n\r\n",
            "5\r\nhello!\r\n0\r\n\r\n",
            "4\r\nhello\r\n0\r\n\r\n",
            ";x\r\nhello\r\n",
            "\r\n",
            "5;a\nb\r\nhello\r\n0\r\n\r\n",
            "10000000000000000\r\n",
            "0\r\n\n",
            "0\r\nX: y\n\r\n",
            "0\r\n12\r\nDisallow: /a\r\n0\r\n\r\n",
            "0\r\n: y\r\n\r\n",
        ] {
            for part in [1, 3, 100] {
                assert_eq!(read(raw.as_bytes(), part), Err(FailureKind::Chunking), "{raw:?}");
            }
        }
        let long = ["5;", &"x".repeat(MOST), "\r\nhello\r\n0\r\n\r\n"].concat();
        assert_eq!(read(long.as_bytes(), 100), Err(FailureKind::Chunking));
    }
}
