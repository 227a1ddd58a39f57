//! The bytes of a source in parts of one size.

use std::io::{self, BufRead, Read};

/// The bytes of a source in parts of one size, the last of which may be smaller.
///
/// So what is read does not depend on how the bytes arrive: the first part shows what kind of file it is, and a decoder loses what it
/// decoded of a part that is damaged.
#[derive(Debug)]
pub(crate) struct Parts<R> {
    source: R,
    size: usize,
    /// The bytes of the source from `offset` on.
    input: Vec<u8>,
    offset: u64,
    /// How many of them were used.
    used: usize,
    /// How many used bytes are kept.
    most_kept: usize,
    ended: bool,
    /// The error that ended the last part. The bytes before it come first.
    failed: Option<io::Error>,
    /// The kind of the error that was returned.
    failure: Option<io::ErrorKind>,
}

impl<R> Parts<R> {
    pub(crate) const fn new(source: R, size: usize) -> Self {
        Self {
            source,
            size,
            input: Vec::new(),
            offset: 0,
            used: 0,
            most_kept: 0,
            ended: false,
            failed: None,
            failure: None,
        }
    }

    /// Returns the bytes that were read and not used.
    pub(crate) fn rest(&self) -> &[u8] {
        self.input.get(self.used..).unwrap_or_default()
    }
}

#[cfg(feature = "warc")]
impl<R> Parts<R> {
    /// Returns the position of the next byte in the source.
    pub(crate) const fn position(&self) -> u64 {
        self.offset + self.used as u64
    }

    /// Keeps up to this many used bytes from now on.
    pub(crate) const fn keep(&mut self, most: usize) {
        self.most_kept = most;
    }

    /// Goes back to a position, if its byte was kept.
    pub(crate) fn go_back(&mut self, position: u64) {
        let used = position.checked_sub(self.offset).and_then(|used| usize::try_from(used).ok());
        self.used = used.unwrap_or(self.used).min(self.input.len());
    }

    /// Returns the kind of the error of the source that was returned last.
    pub(crate) const fn failure(&self) -> Option<io::ErrorKind> {
        self.failure
    }

    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.input.capacity()
    }
}

impl<R: Read> Parts<R> {
    /// Drops the bytes that were used.
    pub(crate) fn forget(&mut self) {
        self.input.drain(..self.used);
        self.offset += self.used as u64;
        self.used = 0;
    }

    /// Reads a part of the source, whole; `false` at its end.
    pub(crate) fn read_part(&mut self) -> io::Result<bool> {
        if self.used > self.most_kept {
            self.forget();
        }
        let before = self.input.len();
        let read = match self.failed.take() {
            Some(error) => Err(error),
            None if self.ended => Ok(0),
            None => self.source.by_ref().take(self.size as u64).read_to_end(&mut self.input),
        };
        let part = self.input.len() - before;
        match read {
            Ok(_) => self.ended = part < self.size,
            Err(error) if part > 0 => self.failed = Some(error),
            Err(error) => {
                self.failure = Some(error.kind());
                return Err(error);
            }
        }
        Ok(part > 0)
    }

    /// Returns the byte after this number of further ones.
    #[cfg(feature = "warc")]
    pub(crate) fn peek(&mut self, ahead: usize) -> io::Result<Option<u8>> {
        while self.rest().len() <= ahead {
            if !self.read_part()? {
                return Ok(None);
            }
        }
        Ok(self.rest().get(ahead).copied())
    }
}

impl<R: Read> BufRead for Parts<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.rest().is_empty() {
            self.read_part()?;
        }
        Ok(self.rest())
    }

    fn consume(&mut self, bytes: usize) {
        self.used = self.used.saturating_add(bytes).min(self.input.len());
    }
}

read_by_parts!([R: Read] Parts<R>);
