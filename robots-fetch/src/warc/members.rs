//! The members of a gzip file (RFC 1952), or the bytes of a file that is not compressed.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use crate::parts::Parts;

/// The size of the parts that are read and decoded, in bytes.
const PART: usize = 64 * 1024;

/// The most bytes of a member that are kept, so that the next member is found if this one is damaged.
const KEPT: usize = 8 << 20;

/// Why the next bytes are not available.
#[derive(Debug)]
pub(super) enum Error {
    /// The file can't be read.
    Io(io::Error),
    /// The member is damaged. The file may have others.
    Damaged(&'static str),
}

/// The members of a file, one after the other.
///
/// # Memory
///
/// The compressed bytes of one member, at most 8 MiB, and two parts of 64 KiB.
pub(super) struct Members<R> {
    /// `None` only within a method.
    state: Option<Member<R>>,
    /// The position of the member in the file.
    start: u64,
    /// Whether the file begins with a gzip member.
    compressed: Option<bool>,
    /// Decoded bytes, and how many of them were used.
    output: Vec<u8>,
    taken: usize,
}

enum Member<R> {
    /// Before the first member, or after one.
    Between(Parts<R>),
    Plain(Parts<R>),
    Gzip(Box<GzDecoder<Parts<R>>>),
}

impl<R> Members<R> {
    /// Returns the position of the member in the file, or of the last [mark](Self::mark) in a file that is not compressed.
    pub(super) const fn start(&self) -> u64 {
        self.start
    }

    /// Returns the position of the next byte, in a file that is not compressed.
    pub(super) fn position(&self) -> Option<u64> {
        match &self.state {
            Some(Member::Plain(bytes)) => Some(bytes.position()),
            _ => None,
        }
    }

    /// Begins a record at this position.
    pub(super) fn mark(&mut self, position: Option<u64>) {
        self.start = position.unwrap_or(self.start);
    }

    /// Returns whether the file is compressed.
    pub(super) fn is_gzip(&self) -> bool {
        self.compressed == Some(true)
    }
}

impl<R: Read> Members<R> {
    pub(super) const fn new(source: R) -> Self {
        let state = Some(Member::Between(Parts::new(source, PART)));
        Self { state, start: 0, compressed: None, output: Vec::new(), taken: 0 }
    }

    /// Leaves the member, and returns the bytes after what was used of it.
    fn leave(&mut self) -> &mut Parts<R> {
        self.output.clear();
        self.taken = 0;
        let bytes = match self.state.take().expect("each method puts the state back") {
            Member::Between(bytes) | Member::Plain(bytes) => bytes,
            Member::Gzip(decoder) => decoder.into_inner(),
        };
        match self.state.insert(Member::Between(bytes)) {
            Member::Between(bytes) | Member::Plain(bytes) => bytes,
            Member::Gzip(decoder) => decoder.get_mut(),
        }
    }

    /// Begins the next member; `false` at the end of the file.
    pub(super) fn next_member(&mut self) -> Result<bool, Error> {
        let bytes = self.leave();
        // Padding after a member is not kept.
        bytes.keep(0);
        while bytes.peek(0).map_err(Error::Io)? == Some(0) {
            bytes.consume(1);
        }
        bytes.forget();
        let magic = (bytes.peek(0).map_err(Error::Io)?, bytes.peek(1).map_err(Error::Io)?);
        bytes.keep(KEPT);
        self.start = bytes.position();
        if magic.0.is_none() {
            return Ok(false);
        }
        let is_member = magic == (Some(0x1F), Some(0x8B));
        let is_gzip = *self.compressed.get_or_insert(is_member);
        if is_gzip && !is_member {
            return Err(Error::Damaged("a gzip member does not begin here"));
        }
        self.state = self.state.take().map(|state| match state {
            Member::Between(bytes) if is_gzip => Member::Gzip(Box::new(GzDecoder::new(bytes))),
            Member::Between(mut bytes) => {
                bytes.keep(0);
                Member::Plain(bytes)
            }
            other => other,
        });
        Ok(true)
    }

    /// Goes to the next place after the start of this member that looks like the start of a gzip member.
    pub(super) fn resync(&mut self) -> Result<(), Error> {
        let start = self.start;
        let bytes = self.leave();
        bytes.go_back(start + 1);
        bytes.keep(0);
        loop {
            let rest = bytes.rest();
            // Identification, the method "deflate", and no reserved flag (section 2.3.1).
            let is_start = |four: &[u8]| matches!(four, [0x1F, 0x8B, 8, flags] if flags & 0xE0 == 0);
            if let Some(found) = rest.windows(4).position(is_start) {
                bytes.consume(found);
                return Ok(());
            }
            let used = rest.len().saturating_sub(3);
            bytes.consume(used);
            if !bytes.read_part().map_err(Error::Io)? {
                bytes.consume(usize::MAX);
                return Ok(());
            }
        }
    }

    /// Returns the next bytes of the member; none at its end.
    pub(super) fn fill(&mut self) -> Result<&[u8], Error> {
        self.decode()?;
        match &mut self.state {
            Some(Member::Plain(bytes)) => bytes.fill_buf().map_err(Error::Io),
            _ => Ok(self.output.get(self.taken..).unwrap_or_default()),
        }
    }

    /// Decodes bytes, if all that were decoded are used. What was decoded before damage is dropped.
    fn decode(&mut self) -> Result<(), Error> {
        let is_used = self.taken == self.output.len();
        let Some(Member::Gzip(decoder)) = self.state.as_mut().filter(|_| is_used) else { return Ok(()) };
        self.output.clear();
        self.taken = 0;
        match decoder.by_ref().take(PART as u64).read_to_end(&mut self.output) {
            Ok(0) => {
                self.leave();
            }
            Ok(_) => {}
            Err(error) => {
                self.output.clear();
                return Err(match decoder.get_mut().failure() {
                    Some(kind) if error.kind() == kind => Error::Io(error),
                    _ => Error::Damaged(damage(&error)),
                });
            }
        }
        Ok(())
    }

    /// Counts bytes that [`Self::fill`] returned as used.
    pub(super) fn consume(&mut self, count: usize) {
        match &mut self.state {
            Some(Member::Plain(bytes)) => bytes.consume(count),
            _ => self.taken = (self.taken + count).min(self.output.len()),
        }
    }
}

/// Returns what is wrong with a member.
fn damage(error: &io::Error) -> &'static str {
    let text = error.to_string();
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the gzip member ends early",
        _ if text.contains("checksum") => "the checksum of the gzip member is wrong",
        _ if text.contains("header") => "the header of the gzip member is not valid",
        _ => "the gzip member can't be decoded",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_not_kept() {
        let mut members = Members::new(io::repeat(0).take(16 << 20));
        assert!(matches!(members.next_member(), Ok(false)));
        let capacity = members.leave().capacity();
        assert!(capacity <= 4 * PART, "{capacity}");
        assert_eq!(members.start, 16 << 20);
    }
}
