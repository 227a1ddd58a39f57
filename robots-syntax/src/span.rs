//! Places in a file, and the bytes there.

use core::fmt;
use core::ops::Range;

/// The largest number of bytes that are read from a file; public as `Lines::MAX_BYTES`.
pub(crate) const MAX_BYTES: usize = (1 << 28) - 1;

/// A half-open range of bytes, counted from 0 at the start of the file.
///
/// ```
/// use robots_syntax::Span;
/// let span = Span::new(12, 19);
/// assert_eq!((span.start(), span.end(), span.len()), (12, 19, 7));
/// assert_eq!(format!("{span:?}"), "12..19");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Creates the span from `start` up to, and not including, `end`.
    ///
    /// A position after [`Lines::MAX_BYTES`](crate::Lines::MAX_BYTES) is clamped to that limit, and an end before the
    /// start is replaced by the start. Reading produces neither.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        let start = clamp(start);
        let end = clamp(end);
        Self { start, end: if end < start { start } else { end } }
    }

    /// Returns the position of the first byte, from 0.
    #[must_use]
    pub const fn start(self) -> usize {
        self.start as usize
    }

    /// Returns the position after the last byte.
    #[must_use]
    pub const fn end(self) -> usize {
        self.end as usize
    }

    /// Returns the number of bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns whether the span has no bytes.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end == self.start
    }

    /// Returns the bytes of `file` in this span, clamped to the length of `file`.
    #[must_use]
    pub fn of(self, file: &[u8]) -> &[u8] {
        let end = self.end().min(file.len());
        file.get(self.start()..end).unwrap_or_default()
    }

    /// Converts the span to a range of the standard library.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start()..self.end()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "bounded by the line before")]
const fn clamp(position: usize) -> u32 {
    if position > MAX_BYTES { MAX_BYTES as u32 } else { position as u32 }
}

/// Converts a length within the part of a file that is read, which has at most [`MAX_BYTES`] bytes.
#[expect(clippy::cast_possible_truncation, reason = "MAX_BYTES is below 2^32")]
pub(crate) const fn short(len: usize) -> u32 {
    len as u32
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Bytes of a file and their place, such as the value of a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field<'a> {
    bytes: &'a [u8],
    // As wide as a length, so that the struct has no padding: compilers copy structs with padding piece by piece, which is
    // slow.
    start: usize,
}

impl<'a> Field<'a> {
    /// Creates a field of `bytes`, whose first byte is at position `start`.
    #[must_use]
    pub const fn new(bytes: &'a [u8], start: usize) -> Self {
        Self { bytes, start: clamp(start) as usize }
    }

    #[inline]
    pub(crate) const fn at(bytes: &'a [u8], start: u32) -> Self {
        Self { bytes, start: start as usize }
    }

    /// Returns the bytes.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the place of the bytes in the file.
    #[must_use]
    pub const fn span(self) -> Span {
        Span::new(self.start, self.start + self.bytes.len())
    }

    /// Returns whether the span is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the bytes for display: every byte that is not printable ASCII becomes an escape such as `\xNN`.
    pub fn escaped(self) -> core::slice::EscapeAscii<'a> {
        self.bytes.escape_ascii()
    }
}

impl fmt::Debug for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} \"{}\"", self.span(), self.escaped())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::format;

    #[test]
    fn positions_are_bounded_and_ordered() {
        assert_eq!(Span::new(usize::MAX, 3).len(), 0);
        assert_eq!(Span::new(5, 3), Span::new(5, 5));
        assert_eq!(Span::new(1, 9).of(b"abc"), b"bc");
        assert_eq!(Span::new(7, 9).of(b"abc"), b"");
    }

    #[test]
    fn a_field_shows_its_place_and_bytes() {
        assert_eq!(format!("{:?}", Field::new(b"/\xFF", 4)), "4..6 \"/\\xff\"");
    }
}
