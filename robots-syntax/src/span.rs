//! Places in a file.

use core::fmt;
use core::ops::Range;

/// A half-open range of octets, counted from 0 at the start of the file.
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
    /// The octets from `start` up to, and not including, `end`.
    ///
    /// A position past [`LONGEST`](crate::LONGEST) is taken as that, and an end before the start as the start: no
    /// reader produces either.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        let start = clamp(start);
        let end = clamp(end);
        Self { start, end: if end < start { start } else { end } }
    }

    /// The first octet.
    #[must_use]
    pub const fn start(self) -> usize {
        self.start as usize
    }

    /// The octet after the last.
    #[must_use]
    pub const fn end(self) -> usize {
        self.end as usize
    }

    /// How many octets.
    #[must_use]
    pub const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end == self.start
    }

    /// These octets of `file`; what lies outside of it is left away.
    #[must_use]
    pub fn of(self, file: &[u8]) -> &[u8] {
        let end = self.end().min(file.len());
        file.get(self.start()..end).unwrap_or_default()
    }

    /// The same as a range of the standard library.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start()..self.end()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "bounded by the line before")]
const fn clamp(position: usize) -> u32 {
    if position > crate::LONGEST { crate::LONGEST as u32 } else { position as u32 }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Octets of a file, and where they stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field<'a> {
    octets: &'a [u8],
    // As wide as a length: no part of a field is padding, which compilers copy in pieces that processors dislike.
    start: usize,
}

impl<'a> Field<'a> {
    /// `octets`, the first of which stands at `start`.
    #[must_use]
    pub const fn new(octets: &'a [u8], start: usize) -> Self {
        Self { octets, start: clamp(start) as usize }
    }

    #[inline]
    pub(crate) const fn at(octets: &'a [u8], start: u32) -> Self {
        Self { octets, start: start as usize }
    }

    /// The octets.
    #[must_use]
    pub const fn octets(self) -> &'a [u8] {
        self.octets
    }

    /// Where they stand.
    #[must_use]
    pub const fn span(self) -> Span {
        Span::new(self.start, self.start + self.octets.len())
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.octets.is_empty()
    }

    /// The octets for reading: what is not printable ASCII as `\xNN`.
    pub fn escaped(self) -> core::slice::EscapeAscii<'a> {
        self.octets.escape_ascii()
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
    fn a_field_shows_its_place_and_octets() {
        assert_eq!(format!("{:?}", Field::new(b"/\xFF", 4)), "4..6 \"/\\xff\"");
    }
}
