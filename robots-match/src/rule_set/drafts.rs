//! The patterns of a file before they are laid out, with the properties by which most of them are ruled out.

use alloc::vec::Vec;

use crate::pattern::byte_set::ByteSet;
use crate::rule_set::table::{Entry, Kind, PlacedEntry, Table, of_placed};

/// Patterns in their canonical form, before they are laid out.
#[derive(Clone)]
pub(crate) struct Drafts {
    pub(crate) text: Vec<u8>,
    pub(crate) entries: Vec<PlacedEntry>,
    /// The filters of the first patterns, as many as a set has that is scanned.
    pub(crate) filters: Vec<Filter>,
}

impl Drafts {
    pub(crate) const NONE: Self = Self { text: Vec::new(), entries: Vec::new(), filters: Vec::new() };
}

impl Table for Drafts {
    fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    fn get(&self, index: usize) -> (Entry, &[u8]) {
        of_placed(&self.text, &self.entries, index)
    }
}

/// The property by which a pattern is ruled out before it is compared.
#[derive(Clone, Copy)]
pub(crate) enum Filter {
    /// The pattern is a prefix. This is a hash of its first bytes, which are also those of each path that it matches.
    Head(u16),
    /// The bytes that the pattern has, which each path that it matches has as well.
    Set(u32),
}

impl Filter {
    /// Returns the filter of a pattern without its special `$`. `classes` are those of the pattern.
    #[inline]
    pub(crate) fn new(stem: &[u8], kind: Kind, classes: ByteSet) -> Self {
        let head = if kind == Kind::Prefix { long_head(stem).or_else(|| short_head(stem)) } else { None };
        head.map_or(Self::Set(classes.folded_needs()), Self::Head)
    }
}

/// Returns a hash of the eight bytes after a `/`, if there are as many.
#[inline]
pub(crate) fn long_head(path: &[u8]) -> Option<u16> {
    let [b'/', after_slash @ ..] = path else { return None };
    let hash = u64::from_le_bytes(*after_slash.first_chunk()?).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Some((hash >> 48) as u16)
}

/// Returns a hash of the four bytes after a `/`, if there are as many.
#[inline]
pub(crate) fn short_head(path: &[u8]) -> Option<u16> {
    let [b'/', after_slash @ ..] = path else { return None };
    let hash = u32::from_le_bytes(*after_slash.first_chunk()?).wrapping_mul(0x9E37_79B9);
    Some((hash >> 16) as u16)
}
