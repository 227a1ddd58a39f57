//! Output in which hidden characters are escaped.

use std::io::{self, Write};

use crate::text::for_terminal;

/// A writer of text whose hidden characters are escaped. Verdicts are ASCII; only errors may contain other text.
pub(super) struct Visible<W> {
    inner: W,
    /// The start of a line that contains other characters.
    pending: Vec<u8>,
}

impl<W> Visible<W> {
    pub(super) const fn new(inner: W) -> Self {
        Self { inner, pending: Vec::new() }
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.pending.is_empty() && bytes.is_ascii() {
            return self.inner.write(bytes);
        }
        self.pending.extend_from_slice(bytes);
        let lines = memchr::memrchr(b'\n', &self.pending).map_or(0, |end| end + 1);
        let rest = self.pending.split_off(lines);
        let lines = core::mem::replace(&mut self.pending, rest);
        self.inner.write_all(for_terminal(&String::from_utf8_lossy(&lines)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
