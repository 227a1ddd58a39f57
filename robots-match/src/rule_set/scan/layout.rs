//! Laying out the patterns of a small set.

use alloc::sync::Arc;
use core::iter::repeat_n;

use crate::policy::Precedence;
use crate::rule_set::drafts::{Drafts, Filter};
use crate::rule_set::scan::{HEAD, HEADS_MAY_DECIDE, PLACE, RECORD, SET, STEP, Scan};
use crate::rule_set::table::{Entry, PlacedEntry, Table};

/// The number of bytes that are copied at once.
const COPIED: usize = 32;

/// The invariant of [`Order`].
const ID: &str = "each id is an index of a pattern";

/// The invariant of the parts of a new block.
const COUNTED: &str = "the parts have room for all patterns";

/// The order of the patterns of a small set: those with a head, then the others, each in the order of precedence.
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
        let headed = filters.iter().filter(|filter| matches!(filter, Filter::Head(_))).count();
        let heads_decide = heads_decide(patterns, headed, precedence);
        let sets_len = if heads_decide { 0 } else { len - headed };
        let parts = Parts::new(headed, sets_len, len);
        let records_size = RECORD * len + text.len();
        if len > Self::MOST || (parts.records + records_size).max(last_line) > u16::MAX.into() {
            return None;
        }
        // The last steps may read what follows the heads or sets.
        let last_steps =
            [HEAD * headed.next_multiple_of(STEP), parts.sets + SET * sets_len.next_multiple_of(STEP)];
        let size = last_steps.into_iter().fold(parts.records + records_size, usize::max);
        let mut block: Arc<[u8]> = repeat_n(0, size).collect();
        let (heads, rest) =
            Arc::get_mut(&mut block).expect("a new block has one owner").split_at_mut(parts.places);
        let (places, rest) = rest.split_at_mut(parts.sets - parts.places);
        let (sets, records) = rest.split_at_mut(parts.records - parts.sets);
        write_records(records, patterns);
        let mut order = Order { ids: [0; Self::MOST], len };
        let (mut next_head, mut next_other) = (0, headed);
        for id in by_precedence(patterns, precedence).into_iter().take(len) {
            let index = usize::from(id);
            let placed = entries.get(index).expect(ID);
            let new_index = match filters.get(index).expect("each small set has its filters") {
                Filter::Head(head) => {
                    put(heads, next_head, head.to_le_bytes());
                    next_head += 1;
                    next_head - 1
                }
                Filter::Set(set) => {
                    if !heads_decide {
                        put(sets, next_other - headed, set.to_le_bytes());
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
            headed: headed as u16,
            records: parts.records as u16,
            heads_decide,
        };
        Some((scan, order))
    }
}

/// Returns whether the condition of [`Scan::heads_decide`] holds for patterns, `headed` of which have a head.
fn heads_decide(patterns: &Drafts, headed: usize, precedence: Precedence) -> bool {
    let Drafts { entries, filters, .. } = patterns;
    let is_wild_other = |(filter, placed): (&Filter, &PlacedEntry)| {
        matches!(filter, Filter::Set(_)) && placed.entry.has(Entry::WILD)
    };
    HEADS_MAY_DECIDE
        && precedence == Precedence::MostBytes
        && entries.len() - headed <= STEP
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

/// Where the parts of a block start, in bytes. The heads are first.
struct Parts {
    places: usize,
    sets: usize,
    records: usize,
}

impl Parts {
    #[inline]
    const fn new(headed: usize, sets_len: usize, len: usize) -> Self {
        let places = HEAD * headed;
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
