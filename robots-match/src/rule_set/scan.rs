//! The layout of a small rule set: one block of memory, which is scanned from start to end for each path.
//!
//! The block has, one after the other: the hashes of some patterns, the places of all records, the byte sets of the other patterns,
//! and the records. A pattern has a hash if it begins with a `/` and four other bytes, and only its last byte is a special `*` or
//! `$`, if any is. A record has the position of a rule in the file beside the text of its pattern, so a verdict reads few lines of
//! the cache. Copies of a set share the block.
//!
//! Heads and sets are in the order of precedence, so the first one whose pattern matches is the best of its kind. The places are in
//! the same order, first those of the patterns with hashes. The records are in the order of the file. Most patterns are ruled out by
//! hashes and sets, eight at a time. For sets of this size this takes less time than a search, because the branches are predictable.
//! Up to eight other patterns without a special `*` are compared one by one, without the set of the bytes in the path.

use alloc::sync::Arc;
use core::iter::repeat_n;

use crate::pattern::byte_set::ByteSet;
use crate::policy::Precedence;
use crate::rule_set::table::{COUNTS, Drafts, Entry, Filter, PlacedEntry, Table, hashes_of};

/// The number of hashes or sets that are compared in one step. The last step may read what follows them.
const STEP: usize = 8;

/// The size of a hash in bytes.
const HASH: usize = 2;

/// The size of a byte set in bytes.
const SET: usize = 4;

/// The size of the place of a record in bytes.
const PLACE: usize = 2;

/// The size of a record in bytes, without the pattern that follows: position in the file and flags, the number of the line, and
/// the length of the pattern.
const RECORD: usize = 8;

/// The invariant of the layout.
const LAYOUT: &str = "all parts lie in the block";

/// The patterns of a small set: those with a hash, then the others, each in the order of precedence.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Scan {
    block: Arc<[u8]>,
    /// The number of patterns.
    len: u16,
    /// The number of patterns that are filtered by their hashes.
    hashed: u16,
    /// Where the records start in the block.
    records: u16,
    /// Whether the longest pattern decides, and there are few other patterns, none of which has a special `*`. A pattern with a
    /// hash is longer than each of them that matches the same path: they begin with another byte than `/`, or are shorter.
    hashes_decide: bool,
}

impl Scan {
    /// The largest number of rules that are scanned.
    pub(crate) const MOST: usize = 512;

    /// Returns whether no verdict needs the set of the bytes in its path.
    #[inline]
    pub(crate) const fn needs_no_set(&self) -> bool {
        self.hashes_decide
    }

    /// Returns the bytes that the set has on the heap.
    pub(crate) fn memory(&self) -> usize {
        COUNTS + self.block.len()
    }

    /// Returns the pattern that takes precedence among those that match `path`. `classes` are those of `path`, if
    /// [`Self::needs_no_set`] is false.
    #[inline]
    pub(crate) fn best(&self, path: &[u8], classes: ByteSet, precedence: Precedence) -> Option<usize> {
        let best = self.first_hashed(path);
        if self.hashed == self.len {
            return best;
        }
        if self.needs_no_set() {
            return best.or_else(|| self.first_without_hash(path));
        }
        self.first_other(path, classes.folded_lacks(), best, precedence)
    }

    /// Returns the first pattern with a hash that matches.
    #[inline]
    fn first_hashed(&self, path: &[u8]) -> Option<usize> {
        let [b'/', after_slash @ ..] = path else { return None };
        let wanted = hashes_of(after_slash, after_slash.first_chunk()?);
        let end = HASH * usize::from(self.hashed).next_multiple_of(STEP);
        let steps = self.block.get(..end).expect(LAYOUT).chunks_exact(HASH * STEP);
        for (step, hashes) in steps.filter_map(<[u8]>::first_chunk).enumerate() {
            let lanes = equal_lanes(hashes, wanted);
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
            // The bytes after the hashes are not hashes.
            if index >= self.hashed.into() {
                break;
            }
            if self.matches_hashed(index, path) {
                return Some(index);
            }
            lanes &= lanes - 1;
        }
        None
    }

    /// Returns whether a pattern with a hash matches.
    #[inline]
    fn matches_hashed(&self, index: usize, path: &[u8]) -> bool {
        let (entry, pattern) = self.get(index);
        // Only the last byte may be special.
        let len = pattern.len() - usize::from(entry.has(Entry::WILD | Entry::ANCHORED));
        // The lengths first, because a file can have hundreds of patterns with a `$` and a common prefix.
        (path.len() == len || !entry.has(Entry::ANCHORED))
            && path.starts_with(pattern.get(..len).expect(LAYOUT))
    }

    /// Returns the first pattern without a hash that matches. Each of them is compared.
    #[inline]
    fn first_without_hash(&self, path: &[u8]) -> Option<usize> {
        (self.hashed..self.len).map(usize::from).find(|&index| self.matches(index, path))
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
        let others = usize::from(self.len - self.hashed);
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
            let index = usize::from(self.hashed) + start + lanes.trailing_zeros() as usize - 1;
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
        let place = self.block.get(HASH * usize::from(self.hashed) + PLACE * index..);
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

/// Returns a bit for each hash of a step that is one of three, from the second lowest bit.
#[inline]
fn equal_lanes(hashes: &[u8; HASH * STEP], [a, b, c]: [u16; 3]) -> u16 {
    let mut lanes = [0; STEP];
    for (at, (lane, hash)) in lanes.iter_mut().zip(hashes.chunks_exact(HASH)).enumerate() {
        let hash = u16::from_le_bytes(hash.first_chunk().copied().unwrap_or_default());
        // Without a branch, so that a compiler can use vector instructions. With a 1 for the first lane, it uses them for the
        // others only.
        *lane = if (hash == a) | (hash == b) | (hash == c) { 2 << at } else { 0 };
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

/// The number of bytes that are copied at once.
const COPIED: usize = 32;

/// The invariant of [`Order`].
const ID: &str = "each id is an index of a pattern";

/// The invariant of the parts of a new block.
const COUNTED: &str = "the parts have room for all patterns";

/// The order of the patterns of a small set: those with a hash, then the others, each in the order of precedence.
pub(crate) struct Order {
    ids: [u16; Scan::MOST],
    len: usize,
}

impl Order {
    /// Returns the ids of the patterns in the order of their indexes.
    pub(crate) fn ids(&self) -> &[u16] {
        self.ids.get(..self.len).unwrap_or_default()
    }
}

impl Scan {
    /// Lays out patterns, and returns their order as well. Returns `None` if they are too many or too long.
    pub(crate) fn new(patterns: &Drafts, precedence: Precedence) -> Option<(Self, Order)> {
        let Drafts { text, entries, filters } = patterns;
        let len = entries.len();
        // Lines are in the order of the file, but several files may be read as one.
        let last_line = entries.iter().map(|placed| placed.entry.line_number()).max().unwrap_or(0);
        let hashed = filters.iter().filter(|filter| matches!(filter, Filter::Hash(_))).count();
        let hashes_decide = hashes_decide(patterns, hashed, precedence);
        let sets_len = if hashes_decide { 0 } else { len - hashed };
        let parts = Parts::new(hashed, sets_len, len);
        let records_size = RECORD * len + text.len();
        if len > Self::MOST || (parts.records + records_size).max(last_line) > u16::MAX.into() {
            return None;
        }
        // The last steps may read what follows the hashes or sets.
        let last_steps =
            [HASH * hashed.next_multiple_of(STEP), parts.sets + SET * sets_len.next_multiple_of(STEP)];
        let size = last_steps.into_iter().fold(parts.records + records_size, usize::max);
        let mut block: Arc<[u8]> = repeat_n(0, size).collect();
        let (hashes, rest) =
            Arc::get_mut(&mut block).expect("a new block has one owner").split_at_mut(parts.places);
        let (places, rest) = rest.split_at_mut(parts.sets - parts.places);
        let (sets, records) = rest.split_at_mut(parts.records - parts.sets);
        write_records(records, patterns);
        let mut order = Order { ids: [0; Self::MOST], len };
        let (mut next_hash, mut next_other) = (0, hashed);
        for id in by_precedence(patterns, precedence).into_iter().take(len) {
            let index = usize::from(id);
            let placed = entries.get(index).expect(ID);
            let new_index = match filters.get(index).expect("each small set has its filters") {
                Filter::Hash(hash) => {
                    put(hashes, next_hash, hash.to_le_bytes());
                    next_hash += 1;
                    next_hash - 1
                }
                Filter::Set(set) => {
                    if !hashes_decide {
                        put(sets, next_other - hashed, set.to_le_bytes());
                    }
                    next_other += 1;
                    next_other - 1
                }
            };
            let record = parts.records + RECORD * index + placed.text as usize;
            put(places, new_index, (record as u16).to_le_bytes());
            *order.ids.get_mut(new_index).expect(COUNTED) = id;
        }
        let scan = Self {
            block,
            len: len as u16,
            hashed: hashed as u16,
            records: parts.records as u16,
            hashes_decide,
        };
        Some((scan, order))
    }
}

/// Returns whether the condition of [`Scan::hashes_decide`] holds for patterns, `hashed` of which have a hash.
fn hashes_decide(patterns: &Drafts, hashed: usize, precedence: Precedence) -> bool {
    let Drafts { entries, filters, .. } = patterns;
    let is_wild_other = |(filter, placed): (&Filter, &PlacedEntry)| {
        matches!(filter, Filter::Set(_)) && placed.entry.has(Entry::WILD)
    };
    precedence == Precedence::MostBytes
        && entries.len() - hashed <= STEP
        && !filters.iter().zip(entries).any(is_wild_other)
}

/// Writes the records of patterns, in the order of the file.
fn write_records(mut records: &mut [u8], patterns: &Drafts) {
    let Drafts { text, entries, .. } = patterns;
    let ends = entries.iter().skip(1).map(|next| next.text as usize).chain([text.len()]);
    for (placed, end) in entries.iter().zip(ends) {
        let start = placed.text as usize;
        let (from, len) = (text.get(start..).expect("patterns lie in the text"), end - start);
        let [a, b, c, d] = placed.entry.span_and_flags().to_le_bytes();
        let [e, f] = (placed.entry.line_number() as u16).to_le_bytes();
        let [g, h] = (len as u16).to_le_bytes();
        let (record, rest) = records.split_at_mut(RECORD);
        record.copy_from_slice(&[a, b, c, d, e, f, g, h]);
        match (from.first_chunk::<COPIED>(), rest.first_chunk_mut()) {
            // The next records replace what follows the pattern. This takes less time than a call with a length that is not
            // predictable.
            (Some(from), Some(to)) if len <= COPIED => *to = *from,
            _ => rest.split_at_mut(len).0.copy_from_slice(from.split_at(len).0),
        }
        records = rest.split_at_mut(len).1;
    }
}

/// Writes an item to its place among items of the same size.
#[inline]
fn put<const SIZE: usize>(items: &mut [u8], place: usize, item: [u8; SIZE]) {
    *items.get_mut(SIZE * place..).and_then(<[u8]>::first_chunk_mut).expect(COUNTED) = item;
}

/// Where the parts of a block start, in bytes. The hashes are first.
struct Parts {
    places: usize,
    sets: usize,
    records: usize,
}

impl Parts {
    #[inline]
    const fn new(hashed: usize, sets_len: usize, len: usize) -> Self {
        let places = HASH * hashed;
        let sets = places + PLACE * len;
        Self { places, sets, records: sets + SET * sets_len }
    }
}

/// Returns the ids of the patterns in the order of precedence, and zeros after them.
///
/// If the first rule decides, that is the order of the file. By length, it is the longest first, of the same length those of allow rules, and then in the order of the file. A sort by
/// counting, because lengths are small numbers.
fn by_precedence(patterns: &Drafts, precedence: Precedence) -> [u16; Scan::MOST] {
    const KEYS: usize = 256;
    const LONGEST: usize = KEYS / 2 - 1;
    let key = |index: usize| {
        let short = LONGEST - patterns.pattern(index).len().min(LONGEST);
        2 * short + usize::from(patterns.entry(index).has(Entry::DISALLOW))
    };
    let len = patterns.len();
    let mut order = [0_u16; Scan::MOST];
    if precedence == Precedence::First {
        order.iter_mut().zip(0..).for_each(|(to, id)| *to = id);
        return order;
    }
    let mut next = [0_u16; KEYS + 1];
    let mut keys = [0_u8; Scan::MOST];
    for (index, to) in keys.iter_mut().enumerate().take(len) {
        let key = key(index);
        *to = key as u8;
        if let Some(count) = next.get_mut(key + 1) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for count in &mut next {
        sum += *count;
        *count = sum;
    }
    for (id, key) in (0..len as u16).zip(keys) {
        let place = next.get_mut(usize::from(key)).expect("there is a place for each key");
        if let Some(to) = order.get_mut(usize::from(*place)) {
            *to = id;
        }
        *place += 1;
    }
    // The longest have the same keys.
    let longest = usize::from(*next.get(1).expect("there are more keys"));
    if let Some(order) = order.get_mut(..longest).filter(|order| order.len() > 1) {
        order.sort_unstable_by_key(|&id| patterns.rank(id.into(), precedence));
    }
    order
}
