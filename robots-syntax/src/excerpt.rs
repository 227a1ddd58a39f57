//! Excerpts: a place of a file, shown to a person.

use core::fmt::{self, Write as _};
use core::ops::Range;

use crate::hidden::is_hidden;
use crate::span::Span;

/// The line of a file in which a span starts, with a caret under each character of the span.
///
/// Bytes that are not printable text are shown as `.`, so that columns stay aligned. Nothing is allocated.
///
/// ```
/// use robots_syntax::{Excerpt, Span};
/// let file = b"User-agent: *\nDisallow: /private\n";
/// let shown = Excerpt::new(file, Span::new(24, 32)).to_string();
/// assert_eq!(shown, "2 | Disallow: /private\n  |           ^^^^^^^^\n");
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Excerpt<'a> {
    /// The lines above.
    above: &'a [u8],
    line: &'a [u8],
    before: usize,
    within: usize,
}

impl<'a> Excerpt<'a> {
    /// Creates the excerpt of `file` at `span`.
    ///
    /// # Complexity
    ///
    /// O(*n*) for the *n* bytes of the line in which the span starts.
    #[must_use]
    pub fn new(file: &'a [u8], span: Span) -> Self {
        let start = span.start().min(file.len());
        let (head, tail) = file.split_at(start);
        let line_start = memchr::memrchr2(b'\n', b'\r', head).map_or(0, |end| end + 1);
        let line_end = memchr::memchr2(b'\n', b'\r', tail).map_or(file.len(), |end| start + end);
        let line = file.get(line_start..line_end).unwrap_or_default();
        // A span may start or end within a character: the whole character is marked.
        let (from, to) = (start - line_start, span.end().min(line_end).saturating_sub(line_start));
        let before = columns(line).take_while(|(bytes, _)| bytes.end <= from).count();
        let within = columns(line).skip(before).take_while(|(bytes, _)| bytes.start < to).count();
        Self { above: file.get(..line_start).unwrap_or_default(), line, before, within }
    }

    /// Returns the line number, from 1.
    ///
    /// # Complexity
    ///
    /// O(*n*) for the *n* bytes before the line.
    #[must_use]
    pub fn line(&self) -> usize {
        let crs = memchr::memchr_iter(b'\r', self.above).count();
        let lfs = memchr::memchr_iter(b'\n', self.above).count();
        crs + lfs - memchr::memmem::find_iter(self.above, b"\r\n").count() + 1
    }

    /// Returns the column in which the span starts, in characters from 1.
    #[must_use]
    pub const fn column(&self) -> usize {
        self.before + 1
    }
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.line();
        write!(f, "{number} | ")?;
        for (_, shown) in columns(self.line) {
            f.write_char(shown)?;
        }
        let width = number.checked_ilog10().unwrap_or(0) as usize + 1;
        write!(f, "\n{:width$} | ", "")?;
        // A format width has 16 bits, and lines may be longer.
        for _ in 0..self.before {
            f.write_char(' ')?;
        }
        for _ in 0..self.within.max(1) {
            f.write_char('^')?;
        }
        f.write_char('\n')
    }
}

/// Returns the displayed characters of a line, each with the range of its bytes.
fn columns(line: &[u8]) -> impl Iterator<Item = (Range<usize>, char)> {
    let mut at = 0;
    line.utf8_chunks()
        .flat_map(|chunk| {
            let valid = chunk.valid().chars().map(|char| (char.len_utf8(), shown(char)));
            valid.chain(chunk.invalid().iter().map(|_| (1, '.')))
        })
        .map(move |(len, char)| {
            let start = at;
            at += len;
            (start..at, char)
        })
}

const fn shown(char: char) -> char {
    match char {
        '\t' => ' ',
        _ if is_hidden(char) => '.',
        _ => char,
    }
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn columns_count_characters_and_broken_bytes_alike() {
        let shown = Excerpt::new("a\r\nb\rallow: /ツ\u{FF}x\n".as_bytes(), Span::new(13, 16));
        assert_eq!((shown.line(), shown.column()), (3, 9));
        let broken = Excerpt::new(b"\xFF\tx", Span::new(2, 3)).to_string();
        assert_eq!(broken, "1 | . x\n  |   ^\n");
        let turned = Excerpt::new("a\u{202E}b\u{9B}".as_bytes(), Span::new(4, 5)).to_string();
        assert_eq!(turned, "1 | a.b.\n  |   ^\n");
        assert_eq!(Excerpt::new(b"", Span::new(9, 12)).to_string(), "1 | \n  | ^\n");
    }

    #[test]
    fn a_span_within_a_character_marks_all_of_it() {
        let shown = Excerpt::new("aツb".as_bytes(), Span::new(3, 4));
        assert_eq!((shown.to_string().as_str(), shown.column()), ("1 | aツb\n  |  ^\n", 2));
        let shown = Excerpt::new("aツb".as_bytes(), Span::new(3, 5)).to_string();
        assert_eq!(shown, "1 | aツb\n  |  ^^\n");
    }

    #[test]
    fn a_line_may_be_longer_than_a_format_is_wide() {
        let line = [b'a'; 100_000];
        let shown = Excerpt::new(&line, Span::new(70_000, 70_001)).to_string();
        assert_eq!(shown.len(), 4 + 100_000 + 1 + 4 + 70_000 + 2);
        let shown = Excerpt::new(&line, Span::new(0, 100_000)).to_string();
        assert!(shown.ends_with("^\n"));
    }
}
