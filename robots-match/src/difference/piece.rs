//! How long a path is at least that two rules match.

use alloc::vec::Vec;

use crate::difference::item::Item;

/// The longest piece that is compared, in bytes.
const LONGEST: usize = 64;

/// The bytes after the last `*` of a pattern, or the end of them, which each path contains that the pattern matches.
pub(crate) struct Piece {
    bytes: Vec<u8>,
    /// The thirds of a byte that each byte takes at least in a path as it is written.
    thirds: u32,
    /// The thirds of a byte before the piece, at least.
    start: u32,
    view: usize,
    /// Whether the other canonical form of each path that the pattern matches contains the bytes too.
    is_kept: bool,
}

impl Piece {
    /// Returns the piece of a rule. `None` if queries are decoded, because then a path may match in two forms.
    pub(crate) fn new(item: &Item) -> Option<Self> {
        if item.language.decoded.is_some() {
            return None;
        }
        let automaton = &item.language.raw;
        let piece = automaton.last_piece();
        let bytes = automaton.literals_from(piece.start.max(piece.end.saturating_sub(LONGEST)));
        // Without a `*`, the prefix is the whole pattern.
        let prefix = if piece.start == 0 { 0 } else { automaton.prefix().count() };
        let start = automaton.left(0)?.saturating_sub(automaton.left(u32::try_from(prefix).ok()?)?);
        let thirds = automaton.thirds().min().unwrap_or(0);
        Some(Self { bytes: bytes.collect(), thirds, start, view: item.view, is_kept: item.is_kept })
    }

    /// Returns the length in bytes that a path has at least, as it is written, if both rules match it. Returns 0 if the rules
    /// compare paths in different forms that may not contain both pieces.
    pub(crate) fn min_len_with(&self, other: &Self) -> u32 {
        if self.view != other.view && !self.is_kept && !other.is_kept {
            return 0;
        }
        let (long, short) = if self.bytes.len() < other.bytes.len() { (other, self) } else { (self, other) };
        let both = if short.bytes.is_empty()
            || long.bytes.windows(short.bytes.len()).any(|part| *part == *short.bytes)
        {
            long.bytes.len()
        } else {
            let overlap = overlap(&long.bytes, &short.bytes).max(overlap(&short.bytes, &long.bytes));
            long.bytes.len() + short.bytes.len() - overlap
        };
        // Pieces have at most 64 bytes.
        let both = u32::try_from(both).unwrap_or(0).saturating_mul(self.thirds.min(other.thirds));
        self.start.min(other.start).saturating_add(both).div_ceil(3)
    }
}

/// Returns the largest number of bytes with which `first` ends and `second` begins.
fn overlap(first: &[u8], second: &[u8]) -> usize {
    let most = first.len().min(second.len());
    (1..=most).rev().find(|&len| first.get(first.len() - len..) == second.get(..len)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difference::automaton::Automaton;

    #[test]
    fn the_piece_is_after_the_last_star() {
        let piece = |pattern: &[u8], anchored: bool| {
            let automaton = Automaton::new(pattern, true, anchored, |_, _, _| 3);
            automaton.literals_from(automaton.last_piece().start).collect::<Vec<u8>>()
        };
        assert_eq!(piece(b"/*/ab", false), b"/ab");
        assert_eq!(piece(b"/*/ab*", false), b"/ab");
        assert_eq!(piece(b"/a*b*cd", true), b"cd");
        assert_eq!(piece(b"/abc", false), b"/abc");
        assert_eq!(piece(b"/", false), b"");
    }

    #[test]
    fn two_pieces_may_overlap_or_contain_each_other() {
        let len = |one: &str, other: &str| {
            let piece = |text: &str| Piece {
                bytes: text.as_bytes().to_vec(),
                thirds: 3,
                start: 3,
                view: 0,
                is_kept: false,
            };
            piece(one).min_len_with(&piece(other))
        };
        assert_eq!([len("abc", "cab"), len("cab", "abc"), len("abc", "bc"), len("a", "b")], [5, 5, 4, 3]);
        assert_eq!([len("", "abc"), len("aab", "baa"), len("abc", "abc")], [4, 5, 4]);
    }
}
