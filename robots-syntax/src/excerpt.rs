//! Showing a place of a file to a person.

use core::fmt;

use crate::span::Span;

/// Shows the line of a file in which a span starts, with a caret under each of its characters.
///
/// Octets that are no printable text are shown as `.`, so that the columns stay true. Nothing is allocated.
///
/// ```
/// use robots_syntax::{Excerpt, Span};
/// let file = b"User-agent: *\nDisallow: /private\n";
/// let shown = Excerpt::new(file, Span::new(24, 32)).to_string();
/// assert_eq!(shown, "2 | Disallow: /private\n  |           ^^^^^^^^\n");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Excerpt<'a> {
    line: &'a [u8],
    before: usize,
    within: usize,
    number: usize,
    column: usize,
}

impl<'a> Excerpt<'a> {
    /// The excerpt of `file` at `span`. Time grows with what stands before the span.
    #[must_use]
    pub fn new(file: &'a [u8], span: Span) -> Self {
        let start = span.start().min(file.len());
        let (head, tail) = file.split_at(start);
        let line_start = memchr::memrchr2(b'\n', b'\r', head).map_or(0, |end| end + 1);
        let line_end = memchr::memchr2(b'\n', b'\r', tail).map_or(file.len(), |end| start + end);
        let before = head.get(line_start..).unwrap_or_default();
        let within = file.get(start..span.end().min(line_end)).unwrap_or_default();
        let ends = |octets: &[u8]| {
            let crs = memchr::memchr_iter(b'\r', octets).count();
            let lfs = memchr::memchr_iter(b'\n', octets).count();
            crs + lfs - memchr::memmem::find_iter(octets, b"\r\n").count()
        };
        Self {
            line: file.get(line_start..line_end).unwrap_or_default(),
            before: chars(before),
            within: chars(within),
            number: ends(file.get(..line_start).unwrap_or_default()) + 1,
            column: chars(before) + 1,
        }
    }

    /// The number of the line, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.number
    }

    /// The column in which the span starts: characters, from 1.
    #[must_use]
    pub const fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | ", self.number)?;
        let mut written = 0;
        for chunk in self.line.utf8_chunks() {
            for char in chunk.valid().chars() {
                let shown = if char == '\t' {
                    ' '
                } else if char.is_control() {
                    '.'
                } else {
                    char
                };
                write!(f, "{shown}")?;
                written += 1;
            }
            for _ in chunk.invalid() {
                f.write_str(".")?;
                written += 1;
            }
        }
        debug_assert!(written >= self.before, "the span starts within the line");
        let width = self.number.checked_ilog10().unwrap_or(0) as usize + 1;
        writeln!(
            f,
            "\n{:width$} | {:before$}{:^<within$}",
            "",
            "",
            "",
            before = self.before,
            within = self.within.max(1)
        )
    }
}

/// How many columns octets take.
fn chars(octets: &[u8]) -> usize {
    octets.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn columns_count_characters_and_broken_octets_alike() {
        let shown = Excerpt::new("a\r\nb\rallow: /ツ\u{FF}x\n".as_bytes(), Span::new(13, 16));
        assert_eq!((shown.line(), shown.column()), (3, 9));
        let broken = Excerpt::new(b"\xFF\tx", Span::new(2, 3)).to_string();
        assert_eq!(broken, "1 | . x\n  |   ^\n");
        assert_eq!(Excerpt::new(b"", Span::new(9, 12)).to_string(), "1 | \n  | ^\n");
    }
}
