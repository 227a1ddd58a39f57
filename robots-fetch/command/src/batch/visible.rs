//! Output in which hidden characters are escaped, and no line is a workflow command.

use std::io::{self, Write};

use crate::text::for_terminal;

/// A writer of text that goes to a terminal or a log. Most lines need no look at each character.
pub(super) struct Visible<W> {
    inner: W,
    /// The start of a line.
    pending: Vec<u8>,
}

impl<W: Write> Visible<W> {
    pub(super) const fn new(inner: W) -> Self {
        Self { inner, pending: Vec::new() }
    }

    fn write_lines(&mut self, lines: &[u8]) -> io::Result<()> {
        let has = |text: &[u8]| memchr::memmem::find(lines, text).is_some();
        match lines.is_ascii() && !has(b"::") && !has(b"##") {
            true => self.inner.write_all(lines),
            false => self.inner.write_all(for_terminal(&String::from_utf8_lossy(lines)).as_bytes()),
        }
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        if !self.pending.is_empty() {
            let first = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let (line, after) = rest.split_at(first);
            self.pending.extend_from_slice(line);
            if line.ends_with(b"\n") {
                let line = core::mem::take(&mut self.pending);
                self.write_lines(&line)?;
            }
            rest = after;
        }
        let (lines, start) = rest.split_at(memchr::memrchr(b'\n', rest).map_or(0, |end| end + 1));
        self.write_lines(lines)?;
        self.pending.extend_from_slice(start);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
