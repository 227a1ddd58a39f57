//! The prefix index of a large rule set.
//!
//! The prefix of a pattern is its bytes before the first `*`, or all of it. Prefixes are sorted. A binary search finds the
//! last prefix that does not sort after the path; every prefix that the path begins with is equal to that prefix or is a
//! prefix of it. From each entry, a link leads to the next shorter candidate. The search compares heads, the first 16 bytes
//! after the `/` with which all prefixes begin, and compares whole prefixes only where heads are equal to that of the path.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::pattern::matching::common_len;
use crate::rule_set::table::{Kind, Patterns, Rank, Table, to_u32};

/// The link of an entry that has no next candidate: not an index of an entry.
const NO_LINK: u32 = u32::MAX;

/// The number of patterns with a `*` and the same prefix from which on they are left to the substring index. The prefix
/// index would compare all of them with every path that begins with the prefix.
const MANY_SHARED: usize = 9;

/// The largest number of rounds of sorting by key, each of which is a recursive call.
const MAX_ROUNDS: u32 = 16;

/// The invariant of [`PrefixIndex`].
const ENTRY: &str = "each head has its entry";

/// A pattern to be sorted by its prefix.
#[derive(Clone, Copy)]
pub(crate) struct SortItem {
    /// Eight bytes of the prefix, from the position on at which the current round compares.
    key: u64,
    id: u32,
    /// The length of the prefix in bytes.
    len: u32,
}

impl SortItem {
    /// Creates an item for a pattern whose prefix is a `/` and `after_slash`.
    #[inline]
    pub(crate) fn new(id: u32, after_slash: &[u8]) -> Self {
        Self { key: key(after_slash), id, len: to_u32(after_slash.len() + 1) }
    }
}

/// The prefixes of patterns.
#[derive(Clone, Copy)]
struct Prefixes<'k>(&'k Patterns);

impl<'k> Prefixes<'k> {
    fn get(self, item: SortItem) -> &'k [u8] {
        self.0.start_of(item.id as usize, item.len)
    }

    /// Returns the bytes of a prefix after its `/`.
    fn after_slash(self, item: SortItem) -> &'k [u8] {
        self.get(item).get(1..).expect("prefixes in this index begin with `/`")
    }

    /// Returns the bytes of a prefix from `start` on, none if it is shorter: with NUL bytes, a key can be equal to the
    /// padded key of a shorter prefix.
    fn from(self, item: SortItem, start: u32) -> &'k [u8] {
        self.get(item).get(start as usize..).unwrap_or_default()
    }

    fn kind(self, item: SortItem) -> Kind {
        self.0.entry(item.id as usize).kind()
    }

    /// Sorts prefixes that have their first `same` bytes in common, and whose keys are the next eight bytes. `compare`
    /// sorts the prefixes that keys do not. Calls `shared` for each pattern with a `*` that shares its prefix with many
    /// others.
    fn sort(
        self,
        items: &mut [SortItem],
        same: u32,
        rounds: u32,
        compare: &impl Fn(SortItem, SortItem) -> Ordering,
        shared: &mut impl FnMut(u32),
    ) {
        const FEW: usize = 4;
        items.sort_unstable_by_key(|item| item.key);
        // Most keys differ. Equal keys do not mean equal prefixes, because keys are padded.
        for tied in items.chunk_by_mut(|a, b| a.key == b.key) {
            if tied.len() == 1 {
                continue;
            }
            let end = same + 8;
            if rounds == 0 || tied.len() <= FEW || tied.iter().all(|item| item.len <= end) {
                tied.sort_unstable_by(|a, b| compare(*a, *b));
                self.find_shared(tied, shared);
                continue;
            }
            let same = self.common_len(tied, end);
            for item in &mut *tied {
                item.key = key(self.from(*item, same));
            }
            self.sort(tied, same, rounds - 1, compare, shared);
        }
    }

    /// Returns the number of bytes that all prefixes have in common, in steps of eight, if their first `known` bytes are
    /// the same.
    fn common_len(self, items: &[SortItem], known: u32) -> u32 {
        let (first, others) = items.split_first().expect("several prefixes have the same key");
        let mut common = self.from(*first, known);
        for item in others {
            let chunks = common.chunks_exact(8).zip(self.from(*item, known).chunks_exact(8));
            let same = chunks.take_while(|(a, b)| a == b).count();
            common = common.split_at(8 * same).0;
            if common.is_empty() {
                break;
            }
        }
        known + to_u32(common.len())
    }

    fn find_shared(self, tied: &[SortItem], shared: &mut impl FnMut(u32)) {
        if tied.len() < MANY_SHARED {
            return;
        }
        let is_wild = |item: SortItem| self.kind(item) == Kind::Wild;
        let shares_prefix =
            |a: &SortItem, b: &SortItem| is_wild(*a) && is_wild(*b) && self.get(*a) == self.get(*b);
        for many in tied.chunk_by(shares_prefix).filter(|many| many.len() >= MANY_SHARED) {
            many.iter().for_each(|item| shared(item.id));
        }
    }
}

/// A pattern in the order of prefixes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PrefixEntry {
    id: u32,
    /// The length of the prefix in bytes.
    len: u32,
    /// The index of the next candidate for the paths for which this pattern is a candidate, or [`NO_LINK`].
    link: u32,
}

impl PrefixEntry {
    #[inline]
    fn prefix(self, patterns: &Patterns) -> &[u8] {
        patterns.start_of(self.id as usize, self.len)
    }
}

/// Finds patterns by their prefixes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PrefixIndex {
    /// The head of each prefix, in their order.
    heads: Box<[u128]>,
    /// As many entries as heads.
    entries: Box<[PrefixEntry]>,
}

impl PrefixIndex {
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.heads) + size_of_val(&*self.entries)
    }

    /// Builds an index of those of `patterns` that are in `items`. Among patterns without a `*` that have the same prefix
    /// and kind, searches find only the one with the lowest `rank`. Also returns the sorted ids of the patterns that share
    /// their prefix with many others, which are not in the index.
    pub(crate) fn new(
        mut items: Vec<SortItem>,
        patterns: &Patterns,
        rank: impl Fn(u32) -> Rank,
    ) -> (Self, Vec<u32>) {
        let prefixes = Prefixes(patterns);
        let compare = |a: SortItem, b: SortItem| {
            let order = prefixes.get(a).cmp(prefixes.get(b));
            let order = order.then_with(|| prefixes.kind(a).cmp(&prefixes.kind(b)));
            // Among equal patterns, the one that takes precedence is the last, because searches find the last.
            order.then_with(|| rank(b.id).cmp(&rank(a.id)))
        };
        let mut shared = Vec::new();
        prefixes.sort(&mut items, 1, MAX_ROUNDS, &compare, &mut |id| shared.push(id));
        if !shared.is_empty() {
            shared.sort_unstable();
            items.retain(|item| shared.binary_search(&item.id).is_err());
        }
        (Self::with_links(&items, prefixes), shared)
    }

    /// Builds the index of sorted items.
    fn with_links(items: &[SortItem], prefixes: Prefixes<'_>) -> Self {
        let heads: Box<[u128]> = items.iter().map(|item| head(prefixes.after_slash(*item))).collect();
        let mut entries: Vec<PrefixEntry> = Vec::with_capacity(items.len());
        let mut kind_before = Kind::Wild;
        for (item, &own_head) in items.iter().zip(&heads) {
            let (len, kind) = (item.len, prefixes.kind(*item));
            // The links from the entry before lead through all prefixes with which its prefix begins. The prefixes with
            // which this one begins are among them.
            let mut link = entries.len().checked_sub(1).map_or(NO_LINK, to_u32);
            while let Some((entry, &head)) = entries.get(link as usize).zip(heads.get(link as usize)) {
                let is_start = (head ^ own_head) & head_mask(entry.len as usize - 1) == 0
                    && len >= entry.len
                    && (entry.len <= 17 || prefixes.get(*item).starts_with(entry.prefix(prefixes.0)));
                if is_start {
                    if entry.len == len && kind == kind_before && kind != Kind::Wild {
                        link = entry.link;
                    }
                    break;
                }
                link = entry.link;
            }
            entries.push(PrefixEntry { id: item.id, len, link });
            kind_before = kind;
        }
        Self { heads, entries: entries.into_boxed_slice() }
    }

    /// Returns the candidates: those of `patterns` with whose prefix `path` begins, longest prefix first. Each item is an
    /// index and the length of the prefix in bytes.
    #[inline]
    pub(crate) fn candidates<'a>(
        &'a self,
        path: &[u8],
        patterns: &'a Patterns,
    ) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let found = self.last_not_after(path, patterns);
        let mut next = found.map(|(index, _)| self.entries.get(index).expect(ENTRY));
        let common = found.map_or(0, |(_, common)| common);
        core::iter::from_fn(move || {
            loop {
                let entry = next?;
                // `NO_LINK` is not an index.
                next = self.entries.get(entry.link as usize);
                // The first prefix begins with this one, so the path does too if this one is in the common part.
                if entry.len as usize <= common {
                    return Some((entry.id as usize, entry.len as usize));
                }
            }
        })
    }

    /// Returns the index of the last entry whose prefix does not sort after `path`, and the number of bytes that the prefix
    /// and the path have in common. The number may be larger than the prefix is long, but not larger than the path. A path
    /// without a `/` at its start has no such entry.
    #[inline]
    fn last_not_after(&self, path: &[u8], patterns: &Patterns) -> Option<(usize, usize)> {
        let head = head(path.strip_prefix(b"/")?);
        let first = self.heads.partition_point(|other| *other < head);
        let mut found = None;
        if self.heads.get(first) == Some(&head) {
            // Few entries have the same head: doubling a step finds the end of them sooner than a search of all.
            let mut low = first;
            let mut most = 1;
            while self.heads.get(first + most) == Some(&head) {
                most *= 2;
            }
            let mut len = if most == 1 {
                1
            } else {
                let same = self.heads.get(first..).unwrap_or_default();
                // The end of the heads may be closer than `most`.
                let same = same.get(..most).unwrap_or(same);
                same.partition_point(|&other| other == head)
            };
            while len > 0 {
                let half = len / 2;
                let entry = self.entries.get(low + half).expect(ENTRY);
                let prefix = entry.prefix(patterns);
                let common = common_len_after_head(prefix, path);
                if prefix.get(common).is_some_and(|byte| path.get(common).is_none_or(|other| other < byte)) {
                    len = half;
                } else {
                    found = Some((low + half, common));
                    low += half + 1;
                    len -= half + 1;
                }
            }
        }
        found.or_else(|| {
            let before = first.checked_sub(1)?;
            let common = (self.heads.get(before).expect(ENTRY) ^ head).leading_zeros() as usize / 8;
            // The padding of either head may equal NUL bytes of the other.
            Some((before, (common + 1).min(path.len())))
        })
    }
}

/// Returns the first eight bytes as a number, so that they are compared at once. Missing bytes are 0.
#[inline]
fn key(bytes: &[u8]) -> u64 {
    if let Some(eight) = bytes.first_chunk() {
        return u64::from_be_bytes(*eight);
    }
    // In registers: a number that is read from bytes just written waits for them.
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            // Bytes that are in both are the same.
            u64::from(u32::from_be_bytes(*first)) << 32
                | u64::from(u32::from_be_bytes(*last)) << (8 * (8 - bytes.len()))
        }
        _ => bytes.iter().rev().fold(0, |key, byte| key >> 8 | u64::from(*byte) << 56),
    }
}

/// Returns the first 16 bytes as a number. Missing bytes are 0.
#[inline]
pub(crate) fn head(bytes: &[u8]) -> u128 {
    if let Some(sixteen) = bytes.first_chunk() {
        return u128::from_be_bytes(*sixteen);
    }
    let first = u128::from(key(bytes)) << 64;
    bytes
        .last_chunk()
        .map_or(first, |last| first | u128::from(u64::from_be_bytes(*last)) << (8 * (16 - bytes.len())))
}

/// Returns a mask of the first `len` bytes of a head.
#[inline]
const fn head_mask(len: usize) -> u128 {
    if len >= 16 { u128::MAX } else { !(u128::MAX >> (8 * len)) }
}

/// Returns the number of bytes that two texts have in common at their start, if their heads are equal.
#[inline]
fn common_len_after_head(a: &[u8], b: &[u8]) -> usize {
    // 17 bytes are the slash and the head. Where a shorter text is padded, the other one has NUL bytes.
    match (a.get(17..), b.get(17..)) {
        (Some(a), Some(b)) => 17 + common_len(a, b),
        _ => a.len().min(b.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_equal_heads_have_as_many_bytes_in_common_as_others() {
        let texts: [&[u8]; 16] = [
            b"/",
            b"/ab",
            b"/ab\0",
            b"/ab\0\0",
            b"/ab\0c",
            b"/sixteen-bytes--",
            b"/sixteen-bytes--a",
            b"/sixteen-bytes--b",
            b"/sixteen-bytes--abcdefgh",
            b"/sixteen-bytes--abcdefgi",
            b"/sixteen-bytes--abcdefghijkl",
            b"/sixteen-bytes--bbcdefghijkl",
            b"/sixteen-bytes--abcdefghijkL",
            b"/sixteen-bytes--abcDefghijkl",
            b"/sixteen-bytes--ab-and-more",
            b"/sixteen-bytes--ab-and-others",
        ];
        let head_of = |text: &[u8]| head(text.split_at(1).1);
        let pairs = texts.iter().flat_map(|a| texts.map(|b| (*a, b)));
        for (a, b) in pairs.filter(|(a, b)| head_of(a) == head_of(b)) {
            assert_eq!(common_len_after_head(a, b), common_len(a, b), "{a:?} {b:?}");
        }
    }
}
