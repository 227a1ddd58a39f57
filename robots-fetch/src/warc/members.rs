//! The members of a gzip file (RFC 1952), or the bytes of a file that is not compressed.

use std::io::{self, Read};

use flate2::{Crc, Decompress, FlushDecompress, Status};

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
    source: R,
    /// Bytes of the file. Those before `at` were used, and are kept in case that the member is damaged.
    input: Vec<u8>,
    at: usize,
    /// The position of the first byte of `input` in the file.
    offset: u64,
    /// The position of the member in the file.
    start: u64,
    ended: bool,
    /// The error that ended the last part.
    failed: Option<io::Error>,
    /// Whether the file begins with a gzip member.
    compressed: Option<bool>,
    state: Member,
    output: Vec<u8>,
    taken: usize,
}

enum Member {
    Before,
    Plain,
    Gzip { inflate: Box<Decompress>, crc: Crc },
    After,
}

impl<R> Members<R> {
    /// Returns the position of the member in the file, or of the last [mark](Self::mark) in a file that is not compressed.
    pub(super) const fn start(&self) -> u64 {
        self.start
    }

    /// Returns the position of the next byte, in a file that is not compressed.
    pub(super) fn position(&self) -> Option<u64> {
        let unread = self.output.len() - self.taken;
        matches!(self.state, Member::Plain).then(|| self.offset + self.at as u64 - unread as u64)
    }

    /// Begins a record at this position.
    pub(super) fn mark(&mut self, position: Option<u64>) {
        self.start = position.unwrap_or(self.start);
    }
}

impl<R: Read> Members<R> {
    pub(super) const fn new(source: R) -> Self {
        Self {
            source,
            input: Vec::new(),
            at: 0,
            offset: 0,
            start: 0,
            ended: false,
            failed: None,
            compressed: None,
            state: Member::Before,
            output: Vec::new(),
            taken: 0,
        }
    }

    /// Begins the next member; `false` at the end of the file.
    pub(super) fn next_member(&mut self) -> Result<bool, Error> {
        self.forget();
        self.output.clear();
        self.taken = 0;
        // Padding after a member.
        while self.peek(0)? == Some(0) {
            self.at += 1;
            if self.at >= PART {
                self.forget();
            }
        }
        self.forget();
        self.start = self.offset;
        let magic = (self.peek(0)?, self.peek(1)?);
        if magic.0.is_none() {
            return Ok(false);
        }
        let is_member = magic == (Some(0x1F), Some(0x8B));
        if !*self.compressed.get_or_insert(is_member) {
            self.state = Member::Plain;
            return Ok(true);
        }
        self.state = Member::After;
        if !is_member {
            return Err(Error::Damaged("a gzip member does not begin here"));
        }
        self.header()?;
        self.state = Member::Gzip { inflate: Box::new(Decompress::new(false)), crc: Crc::new() };
        Ok(true)
    }

    /// Returns whether the file is compressed.
    pub(super) fn is_gzip(&self) -> bool {
        self.compressed == Some(true)
    }

    /// Goes to the next place after the start of this member that looks like the start of a gzip member.
    pub(super) fn resync(&mut self) -> Result<(), Error> {
        let back = usize::try_from(self.start.saturating_sub(self.offset)).unwrap_or(0);
        self.at = if self.start >= self.offset { back + 1 } else { self.at };
        self.state = Member::After;
        loop {
            let rest = self.input.get(self.at..).unwrap_or_default();
            // Identification, the method "deflate", and no reserved flag (section 2.3.1).
            let is_start = |four: &[u8]| matches!(four, [0x1F, 0x8B, 8, flags] if flags & 0xE0 == 0);
            if let Some(found) = rest.windows(4).position(is_start) {
                self.at += found;
                return Ok(());
            }
            self.at = self.input.len().saturating_sub(3).max(self.at);
            self.forget();
            if !self.read_part()? {
                self.at = self.input.len();
                return Ok(());
            }
        }
    }

    /// Returns the next bytes of the member; none at its end.
    pub(super) fn fill(&mut self) -> Result<&[u8], Error> {
        while self.taken == self.output.len() && !matches!(self.state, Member::After | Member::Before) {
            self.output.clear();
            self.taken = 0;
            match self.state {
                Member::Plain => self.copy()?,
                _ => self.inflate()?,
            }
        }
        Ok(self.output.get(self.taken..).unwrap_or_default())
    }

    /// Counts bytes that [`Self::fill`] returned as used.
    pub(super) fn consume(&mut self, count: usize) {
        self.taken = (self.taken + count).min(self.output.len());
    }

    fn copy(&mut self) -> Result<(), Error> {
        if self.at == self.input.len() {
            self.forget();
            if !self.read_part()? {
                self.state = Member::After;
                return Ok(());
            }
        }
        self.output.extend_from_slice(self.input.get(self.at..).unwrap_or_default());
        self.at = self.input.len();
        Ok(())
    }

    fn inflate(&mut self) -> Result<(), Error> {
        if self.at == self.input.len() && !self.read_part()? {
            return Err(Error::Damaged("the gzip member ends early"));
        }
        let Member::Gzip { inflate, crc } = &mut self.state else { return Ok(()) };
        self.output.reserve(PART);
        let rest = self.input.get(self.at..).unwrap_or_default();
        let before = inflate.total_in();
        let status = inflate.decompress_vec(rest, &mut self.output, FlushDecompress::None);
        self.at += usize::try_from(inflate.total_in() - before).unwrap_or(rest.len());
        let status = status.map_err(|_| Error::Damaged("the gzip member can't be decoded"))?;
        crc.update(&self.output);
        if status == Status::StreamEnd {
            let (sum, len) = (crc.sum(), crc.amount());
            self.state = Member::After;
            let mut trailer = [0; 8];
            for byte in &mut trailer {
                *byte = self.byte()?;
            }
            let [a, b, c, d, e, f, g, h] = trailer;
            if (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])) != (sum, len) {
                return Err(Error::Damaged("the checksum of the gzip member is wrong"));
            }
        }
        if self.at > KEPT {
            self.forget();
        }
        Ok(())
    }

    /// Reads the header of a member (section 2.3).
    fn header(&mut self) -> Result<(), Error> {
        let mut fixed = [0; 10];
        for byte in &mut fixed {
            *byte = self.byte()?;
        }
        let [_, _, method, flags, ..] = fixed;
        if method != 8 || flags & 0xE0 != 0 {
            return Err(Error::Damaged("the header of the gzip member is not valid"));
        }
        if flags & 4 != 0 {
            let len = usize::from(self.byte()?) | usize::from(self.byte()?) << 8;
            for _ in 0..len {
                self.byte()?;
            }
        }
        for flag in [8, 16] {
            // A name and a comment end with a zero.
            while flags & flag != 0 && self.byte()? != 0 {}
        }
        if flags & 2 != 0 {
            self.byte()?;
            self.byte()?;
        }
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, Error> {
        let byte = self.peek(0)?.ok_or(Error::Damaged("the gzip member ends early"))?;
        self.at += 1;
        if self.at > KEPT {
            self.forget();
        }
        Ok(byte)
    }

    fn peek(&mut self, ahead: usize) -> Result<Option<u8>, Error> {
        while self.input.len() <= self.at + ahead {
            if !self.read_part()? {
                return Ok(None);
            }
        }
        Ok(self.input.get(self.at + ahead).copied())
    }

    /// Drops the bytes that were used.
    fn forget(&mut self) {
        self.input.drain(..self.at);
        self.offset += self.at as u64;
        self.at = 0;
    }

    /// Reads a part of the file; `false` at its end.
    ///
    /// A part is read whole, so the findings in a damaged member do not depend on how the bytes arrive.
    fn read_part(&mut self) -> Result<bool, Error> {
        if let Some(error) = self.failed.take() {
            return Err(Error::Io(error));
        }
        if self.ended {
            return Ok(false);
        }
        let before = self.input.len();
        let read = self.source.by_ref().take(PART as u64).read_to_end(&mut self.input);
        let part = self.input.len() - before;
        match read {
            Ok(_) => self.ended = part < PART,
            // The bytes before the error come first.
            Err(error) if part > 0 => self.failed = Some(error),
            Err(error) => return Err(Error::Io(error)),
        }
        Ok(part > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_not_kept() {
        let mut members = Members::new(io::repeat(0).take(16 << 20));
        assert!(matches!(members.next_member(), Ok(false)));
        assert!(members.input.capacity() <= 4 * PART, "{}", members.input.capacity());
        assert_eq!(members.start, 16 << 20);
    }
}
