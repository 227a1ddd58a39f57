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
    /// The pattern is a prefix, perhaps with a `*` or `$` after it. This is a hash of its first bytes, which are also those of
    /// each path that it matches.
    Head(u16),
    /// The bytes that the pattern has, which each path that it matches has as well.
    Set(u32),
}

impl Filter {
    /// Returns the filter of a pattern without its special `$`. `classes` are those of the pattern.
    #[inline]
    pub(crate) fn new(stem: &[u8], entry: Entry, classes: ByteSet) -> Self {
        let prefix = match (entry.kind(), stem) {
            (Kind::Prefix | Kind::Exact, _) => stem,
            (Kind::Wild, [prefix @ .., b'*']) if !entry.has(Entry::ANCHORED) && !prefix.contains(&b'*') => {
                prefix
            }
            _ => &[],
        };
        head(prefix).map_or(Self::Set(classes.folded_needs()), Self::Head)
    }
}

/// Returns a hash of the bytes after a `/`: of 16 of them, of eight or of four, if there are as many.
#[inline]
fn head(pattern: &[u8]) -> Option<u16> {
    let [b'/', after_slash @ ..] = pattern else { return None };
    if let Some(sixteen) = after_slash.first_chunk() {
        return Some(hash_of_16(sixteen));
    }
    after_slash.first_chunk().map(hash_of_8).or_else(|| after_slash.first_chunk().map(hash_of_4))
}

/// Returns the heads of the patterns that are prefixes of a path with these bytes after its `/`: one for each length that a head
/// stands for, the head of four bytes first. If the path is too short for one, it is the head of zeros, by which no pattern is
/// found that matches.
#[inline]
pub(crate) fn heads_of(after_slash: &[u8], four: &[u8; 4]) -> [u16; 3] {
    // Chosen without a branch, because the length of a path is not predictable.
    let eight = after_slash.first_chunk().unwrap_or(&[0; 8]);
    let sixteen = after_slash.first_chunk().unwrap_or(&[0; 16]);
    [hash_of_4(four), hash_of_8(eight), hash_of_16(sixteen)]
}

#[inline]
fn hash_of_16(bytes: &[u8; 16]) -> u16 {
    let both = u128::from_le_bytes(*bytes);
    let mixed = (both as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (both >> 64) as u64;
    (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 48) as u16
}

#[inline]
fn hash_of_8(bytes: &[u8; 8]) -> u16 {
    (u64::from_le_bytes(*bytes).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as u16
}

#[inline]
fn hash_of_4(bytes: &[u8; 4]) -> u16 {
    (u32::from_le_bytes(*bytes).wrapping_mul(0x9E37_79B9) >> 16) as u16
}
