//! How long a path is at least that two rules match.

use alloc::vec::Vec;

use crate::difference::item::Item;

/// The longest piece that is compared, in bytes.
const LONGEST: usize = 64;

/// The bytes after the last `*` of a pattern, or the end of them, which each path contains that the pattern matches.
pub(crate) struct Piece {
    bytes: Vec<u8>,
    /// The number of bytes of the path before the piece, at least.
    start: u32,
    view: usize,
}

impl Piece {
    /// Returns the piece of a rule. `None` if queries are decoded, because then a path may match in two forms.
    pub(crate) fn new(item: &Item) -> Option<Self> {
        if item.language.decoded.is_some() {
            return None;
        }
        let automaton = &item.language.raw;
        let mut bytes: Vec<u8> = automaton.last_piece().take(LONGEST).collect();
        bytes.reverse();
        let prefix = automaton.prefix().count();
        // Without a `*`, the prefix is the whole pattern.
        let has_star = automaton.literals().count() > prefix;
        let start = if has_star { u32::try_from(prefix).ok()? } else { 0 };
        Some(Self { bytes, start, view: item.view })
    }

    /// Returns the length in bytes, in the canonical form, that a path has at least if both rules match it. Returns 0 if the
    /// rules compare paths in different forms.
    pub(crate) fn min_len_with(&self, other: &Self) -> u32 {
        if self.view != other.view {
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
        self.start.min(other.start).saturating_add(u32::try_from(both).unwrap_or(0))
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
            let automaton = Automaton::new(pattern, true, anchored, |_, _| 1);
            let mut bytes: Vec<u8> = automaton.last_piece().collect();
            bytes.reverse();
            bytes
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
            let piece = |text: &str| Piece { bytes: text.as_bytes().to_vec(), start: 1, view: 0 };
            piece(one).min_len_with(&piece(other))
        };
        assert_eq!([len("abc", "cab"), len("cab", "abc"), len("abc", "bc"), len("a", "b")], [5, 5, 4, 3]);
        assert_eq!([len("", "abc"), len("aab", "baa"), len("abc", "abc")], [4, 5, 4]);
    }
}
