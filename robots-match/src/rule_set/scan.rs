//! The layout of a small rule set: one block of memory, which is scanned from start to end for each path.
//!
//! The block has, one after the other: the heads of the patterns without `*` and `$`, the byte sets of the other patterns,
//! the records, and the text. A record says where the text of a pattern is in the block, and where its rule is in the file.
//! Copies of a set share the block.
//!
//! Heads and sets are each in the order of precedence, so the first one that matches is the best of its kind. The records have
//! the same order, so a verdict reads few lines of the cache. Most patterns are ruled out by heads and sets, eight at a time.
//! For sets of this size this takes less time than a search, because the branches are predictable.

use alloc::sync::Arc;
use core::iter::repeat_n;

use crate::pattern::byte_set::ByteSet;
use crate::policy::Precedence;
use crate::rule_set::drafts::{Drafts, Filter, heads_of};
use crate::rule_set::table::{COUNTS, Entry, Table};

/// The number of heads or sets that are compared in one step. The last step may read what follows them.
const STEP: usize = 8;

/// The size of a head in bytes.
const HEAD: usize = 2;

/// The size of a byte set in bytes.
const SET: usize = 4;

/// The size of a record in bytes: where the pattern starts in the block, its length, position in the file and flags, and the
/// number of the line.
const RECORD: usize = 10;

/// The invariant of the layout.
const LAYOUT: &str = "all parts lie in the block";

/// The patterns of a small set. The index of a pattern is the place of its record.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Scan {
    block: Arc<[u8]>,
    /// The number of patterns.
    len: u16,
    /// The number of patterns that are filtered by their heads.
    headed: u16,
    /// Where the records start in the block.
    records: u16,
}

impl Scan {
    /// The largest number of rules that are scanned.
    pub(crate) const MOST: usize = 512;

    /// Lays out patterns, and returns their order as well. Returns `None` if they are too many or too long.
    pub(crate) fn new(patterns: &Drafts, precedence: Precedence) -> Option<(Self, Order)> {
        let Drafts { text, entries, filters } = patterns;
        let len = entries.len();
        // Lines are in the order of the file, but several files may be read as one.
        let last_line = entries.iter().map(|placed| placed.entry.line_number()).max().unwrap_or(0);
        let headed = filters.iter().filter(|filter| matches!(filter, Filter::Head(_))).count();
        let places = Places::new(headed, len);
        if len > Self::MOST || (places.text + text.len()).max(last_line) > u16::MAX.into() {
            return None;
        }
        let last_steps =
            [HEAD * headed.next_multiple_of(STEP), places.sets + SET * (len - headed).next_multiple_of(STEP)];
        let size = last_steps.into_iter().fold(places.text + text.len(), usize::max);
        let mut block: Arc<[u8]> = repeat_n(0, size).collect();
        let (heads, rest) =
            Arc::get_mut(&mut block).expect("a new block has one owner").split_at_mut(places.sets);
        let (sets, rest) = rest.split_at_mut(places.records - places.sets);
        let (records, rest) = rest.split_at_mut(places.text - places.records);
        let order = Order::new(patterns, headed, precedence);
        let mut heads = heads.chunks_exact_mut(HEAD);
        let mut sets = sets.chunks_exact_mut(SET);
        for (&id, record) in order.ids().iter().zip(records.chunks_exact_mut(RECORD)) {
            let index = usize::from(id);
            match filters.get(index).expect("each small set has its filters") {
                Filter::Head(head) => heads.next().map(|to| to.copy_from_slice(&head.to_le_bytes())),
                Filter::Set(set) => sets.next().map(|to| to.copy_from_slice(&set.to_le_bytes())),
            }
            .expect("the filters were counted");
            let placed = entries.get(index).expect(ID);
            let end = entries.get(index + 1).map_or(text.len(), |next| next.text as usize);
            let start = placed.text as usize;
            let [a, b] = ((places.text + start) as u16).to_le_bytes();
            let [c, d] = ((end - start) as u16).to_le_bytes();
            let [e, f, g, h] = placed.entry.span_and_flags().to_le_bytes();
            let [i, j] = (placed.entry.line_number() as u16).to_le_bytes();
            record.copy_from_slice(&[a, b, c, d, e, f, g, h, i, j]);
        }
        rest.split_at_mut(text.len()).0.copy_from_slice(text);
        Some((Self { block, len: len as u16, headed: headed as u16, records: places.records as u16 }, order))
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

    /// Returns the pattern that takes precedence among those that match `path`. `classes` are those of `path`.
    #[inline]
    pub(crate) fn best(&self, path: &[u8], classes: ByteSet, precedence: Precedence) -> Option<usize> {
        let heads = if self.headed == 0 { None } else { heads_of(path) };
        let best = heads.and_then(|heads| self.first_headed(path, heads));
        if self.headed == self.len {
            return best;
        }
        self.first_other(path, classes.folded_lacks(), best, precedence)
    }

    /// Returns the first pattern without a `*` that matches, among those with one of three heads.
    // Not inlined, so that the few values of the loop stay in registers.
    #[inline(never)]
    fn first_headed(&self, path: &[u8], wanted: [u16; 3]) -> Option<usize> {
        let headed = usize::from(self.headed);
        let heads = self.block.get(..HEAD * headed.next_multiple_of(STEP)).expect(LAYOUT);
        for (step, heads) in heads.chunks_exact(STEP * HEAD).enumerate() {
            let lanes = equal_lanes(heads, wanted);
            if lanes != 0 {
                let found = self.first_of_step(path, (STEP * step) as u16, lanes);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Returns the first pattern that matches, among the `lanes` of the step that starts at `start`.
    #[inline(never)]
    fn first_of_step(&self, path: &[u8], start: u16, mut lanes: u16) -> Option<usize> {
        while lanes != 0 {
            let index = start + lanes.trailing_zeros() as u16 - 1;
            // The bytes after the heads are not heads.
            if index >= self.headed {
                break;
            }
            let (start, len) = self.text_place(index);
            if path.len() >= len && path.starts_with(self.text(start, len)) {
                return Some(index.into());
            }
            lanes &= lanes - 1;
        }
        None
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
        let start = HEAD * usize::from(self.headed);
        let others = usize::from(self.len - self.headed);
        let sets = self.block.get(start..start + SET * others.next_multiple_of(STEP)).expect(LAYOUT);
        for (step, sets) in sets.chunks_exact(STEP * SET).enumerate() {
            let lanes = subset_lanes(sets, lacks);
            if lanes != 0 {
                if let Some(decided) =
                    self.first_other_of_step(path, (STEP * step) as u16, lanes, best, precedence)
                {
                    return Some(decided);
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
        start: u16,
        mut lanes: u32,
        best: Option<usize>,
        precedence: Precedence,
    ) -> Option<usize> {
        while lanes != 0 {
            let index = self.headed + start + lanes.trailing_zeros() as u16 - 1;
            // The bytes after the sets are not sets.
            if index >= self.len {
                break;
            }
            let index = index.into();
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

    #[inline]
    fn record(&self, index: u16) -> [u8; RECORD] {
        let at = usize::from(self.records) + RECORD * usize::from(index);
        *self.block.get(at..at + RECORD).and_then(<[u8]>::first_chunk).expect(LAYOUT)
    }

    /// Returns where a pattern starts in the block, and its length.
    #[inline]
    fn text_place(&self, index: u16) -> (usize, usize) {
        let [a, b, c, d, ..] = self.record(index);
        (u16::from_le_bytes([a, b]).into(), u16::from_le_bytes([c, d]).into())
    }

    #[inline]
    fn text(&self, start: usize, len: usize) -> &[u8] {
        self.block.get(start..start + len).expect(LAYOUT)
    }
}

impl Table for Scan {
    #[inline]
    fn len(&self) -> usize {
        self.len.into()
    }

    #[inline]
    fn get(&self, index: usize) -> (Entry, &[u8]) {
        let (start, len) = self.text_place(index as u16);
        (self.entry(index), self.text(start, len))
    }

    #[inline]
    fn pattern_len(&self, index: usize) -> usize {
        self.text_place(index as u16).1
    }

    #[inline]
    fn entry(&self, index: usize) -> Entry {
        let [_, _, _, _, e, f, g, h, i, j] = self.record(index as u16);
        Entry::of_parts(u32::from_le_bytes([e, f, g, h]), u16::from_le_bytes([i, j]).into())
    }

    /// The text is in the order of the file. An empty pattern starts where the next one does, and the indexes of empty patterns
    /// with the same precedence are in the order of the file.
    #[inline]
    fn place(&self, index: usize) -> usize {
        let (start, len) = self.text_place(index as u16);
        (2 * start + usize::from(len > 0)) * Self::MOST + index
    }
}

/// Returns a bit for each head of a step that is one of three, from the second lowest bit.
#[inline]
fn equal_lanes(heads: &[u8], [a, b, c]: [u16; 3]) -> u16 {
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
fn subset_lanes(sets: &[u8], lacks: u32) -> u32 {
    let mut lanes = [0; STEP];
    for (at, (lane, set)) in lanes.iter_mut().zip(sets.chunks_exact(SET)).enumerate() {
        let set = u32::from_le_bytes(set.first_chunk().copied().unwrap_or_default());
        *lane = if set & lacks == 0 { 2 << at } else { 0 };
    }
    lanes.iter().fold(0, |all, lane| all | lane)
}

/// The invariant of [`Order`].
const ID: &str = "each id is an index of a pattern";

/// The order of the patterns of a small set: those with a head, then the others, each in the order of precedence.
pub(crate) struct Order {
    ids: [u16; Scan::MOST],
    len: usize,
}

impl Order {
    fn new(patterns: &Drafts, headed: usize, precedence: Precedence) -> Self {
        let len = patterns.len();
        let mut ids = [0; Scan::MOST];
        let (heads, others) = ids.split_at_mut(headed);
        let (mut heads, mut others) = (heads.iter_mut(), others.iter_mut());
        let add = |id: u16| {
            let is_headed = matches!(patterns.filters.get(usize::from(id)), Some(Filter::Head(_)));
            let place = if is_headed { heads.next() } else { others.next() };
            *place.expect("the heads were counted") = id;
        };
        match precedence {
            Precedence::First => (0..len as u16).for_each(add),
            Precedence::MostBytes => by_length(patterns, add),
        }
        Self { ids, len }
    }

    /// Returns the ids of the patterns in the order of their records.
    pub(crate) fn ids(&self) -> &[u16] {
        self.ids.get(..self.len).unwrap_or_default()
    }
}

/// Calls `add` with the ids of the patterns in the order of precedence, if that is by length: the longest first, of the same
/// length those of allow rules, and then in the order of the file. A sort by counting, because lengths are small numbers.
fn by_length(patterns: &Drafts, add: impl FnMut(u16)) {
    const KEYS: usize = 256;
    const LONGEST: usize = KEYS / 2 - 1;
    let key = |index: usize| {
        let short = LONGEST - patterns.pattern(index).len().min(LONGEST);
        2 * short + usize::from(patterns.entry(index).has(Entry::DISALLOW))
    };
    let len = patterns.len();
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
    let mut order = [0_u16; Scan::MOST];
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
        order.sort_unstable_by_key(|&id| patterns.rank(id.into(), Precedence::MostBytes));
    }
    order.iter().take(len).copied().for_each(add);
}

/// Where the parts of a block start, in bytes.
struct Places {
    sets: usize,
    records: usize,
    text: usize,
}

impl Places {
    #[inline]
    const fn new(headed: usize, len: usize) -> Self {
        let sets = HEAD * headed;
        let records = sets + SET * (len - headed);
        Self { sets, records, text: records + RECORD * len }
    }
}
