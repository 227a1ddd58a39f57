//! The layout of a small rule set: one block of memory, which is scanned from start to end for each path.
//!
//! The block has, one after the other: the heads of some patterns, the places of all records, the byte sets of the other patterns,
//! and the records. A pattern has a head if it begins with a `/` and four other bytes, and only its last byte is a special `*` or
//! `$`, if any is. A record has the position of a rule in the file beside the text of its pattern, so a verdict reads few lines of
//! the cache. Copies of a set share the block.
//!
//! Heads and sets are in the order of precedence, so the first one whose pattern matches is the best of its kind. The places are in
//! the same order, first those of the patterns with heads. The records are in the order of the file. Most patterns are ruled out by
//! heads and sets, eight at a time. For sets of this size this takes less time than a search, because the branches are predictable.
//! Up to eight other patterns without a special `*` are compared one by one, without the set of the bytes in the path.

mod layout;

use alloc::sync::Arc;

use crate::pattern::byte_set::ByteSet;
use crate::policy::Precedence;
use crate::rule_set::drafts::heads_of;
use crate::rule_set::table::{COUNTS, Entry, Table};

/// The number of heads or sets that are compared in one step. The last step may read what follows them.
const STEP: usize = 8;

/// The size of a head in bytes.
const HEAD: usize = 2;

/// The size of a byte set in bytes.
const SET: usize = 4;

/// The size of the place of a record in bytes.
const PLACE: usize = 2;

/// The size of a record in bytes, without the pattern that follows: position in the file and flags, the number of the line, and
/// the length of the pattern.
const RECORD: usize = 8;

/// Whether there are sets in which patterns with a head decide. A WebAssembly module is smaller without this case.
const HEADS_MAY_DECIDE: bool = cfg!(not(target_family = "wasm"));

/// The invariant of the layout.
const LAYOUT: &str = "all parts lie in the block";

/// The patterns of a small set: those with a head, then the others, each in the order of precedence.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Scan {
    block: Arc<[u8]>,
    /// The number of patterns.
    len: u16,
    /// The number of patterns that are filtered by their heads.
    headed: u16,
    /// Where the records start in the block.
    records: u16,
    /// Whether the longest pattern decides, and there are few other patterns, none of which has a special `*`. A pattern with a
    /// head is longer than each of them that matches the same path: they begin with another byte than `/`, or are shorter.
    heads_decide: bool,
}

impl Scan {
    /// The largest number of rules that are scanned.
    pub(crate) const MOST: usize = 512;

    /// Returns whether no verdict needs the set of the bytes in its path.
    #[inline]
    pub(crate) const fn needs_no_set(&self) -> bool {
        HEADS_MAY_DECIDE && self.heads_decide
    }

    /// Returns the first byte of the block.
    #[inline]
    pub(crate) fn first_byte(&self) -> u8 {
        self.block.first().copied().unwrap_or_default()
    }

    /// Returns the bytes that the set has on the heap.
    pub(crate) fn memory(&self) -> usize {
        COUNTS + self.block.len()
    }

    /// Returns the pattern that takes precedence among those that match `path`. `classes` are those of `path`, if
    /// [`Self::needs_no_set`] is false.
    #[inline]
    pub(crate) fn best(&self, path: &[u8], classes: ByteSet, precedence: Precedence) -> Option<usize> {
        let best = self.first_headed(path);
        if self.headed == self.len {
            return best;
        }
        if self.needs_no_set() {
            return best.or_else(|| self.first_without_head(path));
        }
        self.first_other(path, classes.folded_lacks(), best, precedence)
    }

    /// Returns the first pattern with a head that matches.
    #[inline]
    fn first_headed(&self, path: &[u8]) -> Option<usize> {
        let [b'/', after_slash @ ..] = path else { return None };
        let wanted = heads_of(after_slash, after_slash.first_chunk()?);
        let end = HEAD * usize::from(self.headed).next_multiple_of(STEP);
        let steps = self.block.get(..end).expect(LAYOUT).chunks_exact(HEAD * STEP);
        for (step, heads) in steps.filter_map(<[u8]>::first_chunk).enumerate() {
            let lanes = equal_lanes(heads, wanted);
            if lanes != 0 {
                let found = self.first_of_step(path, STEP * step, lanes);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Returns the first pattern that matches, among the `lanes` of the step that starts at `start`.
    // Not inlined, so that the few values of the loop over steps stay in registers.
    #[inline(never)]
    fn first_of_step(&self, path: &[u8], start: usize, mut lanes: u16) -> Option<usize> {
        while lanes != 0 {
            let index = start + lanes.trailing_zeros() as usize - 1;
            // The bytes after the heads are not heads.
            if index >= self.headed.into() {
                break;
            }
            if self.matches_headed(index, path) {
                return Some(index);
            }
            lanes &= lanes - 1;
        }
        None
    }

    /// Returns whether a pattern with a head matches.
    #[inline]
    fn matches_headed(&self, index: usize, path: &[u8]) -> bool {
        let (entry, pattern) = self.get(index);
        // Only the last byte may be special.
        let len = pattern.len() - usize::from(entry.has(Entry::WILD | Entry::ANCHORED));
        // The lengths first, because a file can have hundreds of patterns with a `$` and a common prefix.
        (path.len() == len || !entry.has(Entry::ANCHORED))
            && path.starts_with(pattern.get(..len).expect(LAYOUT))
    }

    /// Returns the first pattern without a head that matches. Each of them is compared.
    #[inline]
    fn first_without_head(&self, path: &[u8]) -> Option<usize> {
        (self.headed..self.len).map(usize::from).find(|&index| self.matches(index, path))
    }

    /// Returns the best of `best` and the first pattern that has none of the bytes that the path lacks and matches.
    #[inline(never)]
    fn first_other(
        &self,
        path: &[u8],
        lacks: u32,
        best: Option<usize>,
        precedence: Precedence,
    ) -> Option<usize> {
        let others = usize::from(self.len - self.headed);
        let start = usize::from(self.records) - SET * others;
        let sets = self.block.get(start..start + SET * others.next_multiple_of(STEP)).expect(LAYOUT);
        for (step, sets) in sets.chunks_exact(SET * STEP).filter_map(<[u8]>::first_chunk).enumerate() {
            let lanes = subset_lanes(sets, lacks);
            if lanes != 0 {
                let decided = self.first_other_of_step(path, STEP * step, lanes, best, precedence);
                if decided.is_some() {
                    return decided;
                }
            }
        }
        best
    }

    /// Returns the best of `best` and the patterns among the `lanes` of the step that starts at `start`, or `None` if later
    /// patterns may be better.
    #[inline(never)]
    fn first_other_of_step(
        &self,
        path: &[u8],
        start: usize,
        mut lanes: u32,
        best: Option<usize>,
        precedence: Precedence,
    ) -> Option<usize> {
        while lanes != 0 {
            let index = usize::from(self.headed) + start + lanes.trailing_zeros() as usize - 1;
            // The bytes after the sets are not sets.
            if index >= self.len.into() {
                break;
            }
            if best.is_some_and(|best| self.rank(best, precedence) < self.rank(index, precedence)) {
                return best;
            }
            if self.matches(index, path) {
                return Some(index);
            }
            lanes &= lanes - 1;
        }
        None
    }

    /// Returns where the record of a pattern starts in the block.
    #[inline]
    fn record_at(&self, index: usize) -> usize {
        let place = self.block.get(HEAD * usize::from(self.headed) + PLACE * index..);
        u16::from_le_bytes(*place.and_then(<[u8]>::first_chunk).expect(LAYOUT)).into()
    }
}

impl Table for Scan {
    #[inline]
    fn len(&self) -> usize {
        self.len.into()
    }

    #[inline]
    fn get(&self, index: usize) -> (Entry, &[u8]) {
        let record = self.block.get(self.record_at(index)..).and_then(<[u8]>::split_first_chunk);
        let (&[a, b, c, d, e, f, g, h], rest) = record.expect(LAYOUT);
        let entry = Entry::of_parts(u32::from_le_bytes([a, b, c, d]), u16::from_le_bytes([e, f]).into());
        (entry, rest.get(..u16::from_le_bytes([g, h]).into()).expect(LAYOUT))
    }

    /// The records are in the order of the file.
    #[inline]
    fn place(&self, index: usize) -> usize {
        self.record_at(index)
    }
}

/// Returns a bit for each head of a step that is one of three, from the second lowest bit.
#[inline]
fn equal_lanes(heads: &[u8; HEAD * STEP], [a, b, c]: [u16; 3]) -> u16 {
    let mut lanes = [0; STEP];
    for (at, (lane, head)) in lanes.iter_mut().zip(heads.chunks_exact(HEAD)).enumerate() {
        let head = u16::from_le_bytes(head.first_chunk().copied().unwrap_or_default());
        // Without a branch, so that a compiler can use vector instructions. With a 1 for the first lane, it uses them for the
        // others only.
        *lane = if (head == a) | (head == b) | (head == c) { 2 << at } else { 0 };
    }
    lanes.iter().fold(0, |all, lane| all | lane)
}

/// Returns a bit for each set of a step that has none of the bits `lacks`, from the second lowest bit.
#[inline]
fn subset_lanes(sets: &[u8; SET * STEP], lacks: u32) -> u32 {
    let mut lanes = [0; STEP];
    for (at, (lane, set)) in lanes.iter_mut().zip(sets.chunks_exact(SET)).enumerate() {
        let set = u32::from_le_bytes(set.first_chunk().copied().unwrap_or_default());
        *lane = if set & lacks == 0 { 2 << at } else { 0 };
    }
    lanes.iter().fold(0, |all, lane| all | lane)
}
