//! The prefix index of a large rule set.
//!
//! The prefix of a pattern is its bytes before the first `*`, or all of it. Prefixes are sorted. A binary search finds the
//! last prefix that does not sort after the path; every prefix that the path begins with is equal to that prefix or is a
//! prefix of it. From each entry, a link leads to the next shorter candidate. The search compares heads, the first 16 bytes
//! after the `/` with which all prefixes begin, and compares whole prefixes only where heads are equal to that of the path.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::rule_set::heads::Heads;
use crate::rule_set::long_head::{common_len_after_head, head, long_head, long_head_mask};
use crate::rule_set::table::{Kind, Patterns, Rank, Table, to_u32};

/// The link of an entry that has no next candidate: not an index of an entry.
const NO_LINK: u32 = u32::MAX;

/// The number of patterns with a `*` and the same prefix from which on they are left to the substring index. The prefix
/// index would compare all of them with every path that begins with the prefix.
const MANY_SHARED: usize = 9;

/// The largest number of rounds of sorting by head, each of which is a recursive call.
const MAX_ROUNDS: u32 = 16;

/// The invariant of [`PrefixIndex`].
const ENTRY: &str = "each head has its entry";

/// A pattern to be sorted by its prefix.
#[derive(Clone, Copy)]
pub(crate) struct SortItem {
    /// Eight bytes of the prefix, from the position on at which the current round compares.
    head: u64,
    id: u32,
    /// The length of the prefix in bytes.
    len: u32,
}

impl SortItem {
    /// Creates an item for a pattern whose prefix is a `/` and `after_slash`.
    #[inline]
    pub(crate) fn new(id: u32, after_slash: &[u8]) -> Self {
        Self { head: head(after_slash), id, len: to_u32(after_slash.len() + 1) }
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

    /// Returns the bytes of a prefix from `start` on, none if it is shorter: with NUL bytes, a head can be equal to the
    /// padded head of a shorter prefix.
    fn from(self, item: SortItem, start: u32) -> &'k [u8] {
        self.get(item).get(start as usize..).unwrap_or_default()
    }

    fn kind(self, item: SortItem) -> Kind {
        self.0.entry(item.id as usize).kind()
    }

    /// Sorts prefixes that have their first `same` bytes in common, and whose heads are the next eight bytes. `compare`
    /// sorts the prefixes that heads do not. Calls `shared` for each pattern with a `*` that shares its prefix with many
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
        items.sort_unstable_by_key(|item| item.head);
        // Most heads differ. Equal heads do not mean equal prefixes, because heads are padded.
        for tied in items.chunk_by_mut(|a, b| a.head == b.head) {
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
                item.head = head(self.from(*item, same));
            }
            self.sort(tied, same, rounds - 1, compare, shared);
        }
    }

    /// Returns the number of bytes that all prefixes have in common, in steps of eight, if their first `known` bytes are
    /// the same.
    fn common_len(self, items: &[SortItem], known: u32) -> u32 {
        let (first, others) = items.split_first().expect("several prefixes have the same head");
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
pub(crate) struct PrefixEntry {
    pub(crate) id: u32,
    /// The length of the prefix in bytes.
    len: u32,
    /// The index of the next candidate for the paths for which this pattern is a candidate, or [`NO_LINK`].
    link: u32,
}

impl PrefixEntry {
    #[inline]
    pub(crate) fn prefix(self, patterns: &Patterns) -> &[u8] {
        patterns.start_of(self.id as usize, self.len)
    }
}

/// Finds patterns by their prefixes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PrefixIndex {
    heads: Heads,
    /// As many entries as heads.
    entries: Box<[PrefixEntry]>,
}

impl PrefixIndex {
    pub(crate) fn memory(&self) -> usize {
        self.heads.memory() + size_of_val(&*self.entries)
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
        let heads: Box<[u128]> = items.iter().map(|item| long_head(prefixes.after_slash(*item))).collect();
        let mut entries: Vec<PrefixEntry> = Vec::with_capacity(items.len());
        let mut kind_before = Kind::Wild;
        for (item, &own_head) in items.iter().zip(&heads) {
            let (len, kind) = (item.len, prefixes.kind(*item));
            // The links from the entry before lead through all prefixes with which its prefix begins. The prefixes with
            // which this one begins are among them.
            let mut link = entries.len().checked_sub(1).map_or(NO_LINK, to_u32);
            while let Some((entry, &head)) = entries.get(link as usize).zip(heads.get(link as usize)) {
                let is_start = (head ^ own_head) & long_head_mask(entry.len as usize - 1) == 0
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
        Self { heads: Heads::new(heads), entries: entries.into_boxed_slice() }
    }

    /// Returns the candidates: those of `patterns` with whose prefix `path` begins, longest prefix first. Each item is an
    /// index and the length of the prefix in bytes.
    #[inline]
    pub(crate) fn candidates<'a>(
        &'a self,
        path: &[u8],
        patterns: &'a Patterns,
    ) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let place = path.strip_prefix(b"/").map(|after_slash| self.place(after_slash));
        self.candidates_at(place, path, patterns)
    }

    /// Does the same as [`Self::candidates`] for a path whose place is known. A path without a `/` at its start has none.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn candidates_at<'a>(
        &'a self,
        place: Option<Place>,
        path: &[u8],
        patterns: &'a Patterns,
    ) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        self.candidates_from(place.and_then(|place| self.last_not_after(place, path, patterns)))
    }

    /// Does the same as [`Self::candidates_at`] for a path of `path_len` bytes whose head is that of no pattern.
    #[cfg(not(target_family = "wasm"))]
    #[inline]
    pub(crate) fn candidates_before(
        &self,
        place: Place,
        path_len: usize,
    ) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        self.candidates_from(self.last_head_before(place, path_len))
    }

    /// Returns the candidates from an entry on. `found` is its index, and the number of bytes that the path and its prefix
    /// have in common.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn candidates_from(
        &self,
        found: Option<(usize, usize)>,
    ) -> impl Iterator<Item = (usize, usize)> + use<'_> {
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

    /// Returns the place of a path, of which it reads the first 16 bytes after the slash.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn place(&self, after_slash: &[u8]) -> Place {
        let head = long_head(after_slash);
        let first = self.heads.first_not_before(head);
        Place { head, first, has_same_head: self.heads.get(first) == Some(&head) }
    }

    /// Returns the entry of the only pattern that has the head of `place`, if there is one.
    #[cfg(not(target_family = "wasm"))]
    #[inline]
    pub(crate) fn only(&self, place: Place) -> Option<PrefixEntry> {
        let is_only = place.has_same_head && self.heads.get(place.first + 1) != Some(&place.head);
        is_only.then(|| *self.entries.get(place.first).expect(ENTRY))
    }

    /// Returns the entries to which the links lead from `entry`.
    #[cfg(not(target_family = "wasm"))]
    #[inline]
    pub(crate) fn linked(&self, entry: PrefixEntry) -> impl Iterator<Item = PrefixEntry> + use<'_> {
        let next = |entry: &PrefixEntry| self.entries.get(entry.link as usize).copied();
        core::iter::successors(next(&entry), next)
    }

    /// Returns the index of the last entry whose prefix does not sort after `path`, and the number of bytes that the prefix
    /// and the path have in common. The number may be larger than the prefix is long, but not larger than the path.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn last_not_after(&self, place: Place, path: &[u8], patterns: &Patterns) -> Option<(usize, usize)> {
        let Place { head, first, has_same_head } = place;
        let mut found = None;
        if has_same_head {
            // Few entries have the same head: doubling a step finds the end of them sooner than a search of all.
            let mut low = first;
            let mut most = 1;
            while self.heads.get(first + most) == Some(&head) {
                most *= 2;
            }
            let mut len = if most == 1 {
                1
            } else {
                let same = self.heads.starting_at(first);
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
        found.or_else(|| self.last_head_before(place, path.len()))
    }

    /// Does the same as [`Self::last_not_after`] for the entries whose heads sort before that of a path of `path_len` bytes.
    #[inline]
    fn last_head_before(&self, place: Place, path_len: usize) -> Option<(usize, usize)> {
        let before = place.first.checked_sub(1)?;
        let other = self.heads.get(before).expect(ENTRY);
        let common = (other ^ place.head).leading_zeros() as usize / 8;
        // The padding of either head may equal NUL bytes of the other.
        Some((before, (common + 1).min(path_len)))
    }
}

/// Where a path belongs among the heads.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) head: u128,
    /// The index of the first head that does not sort before that of the path.
    pub(crate) first: usize,
    /// Whether that head is the one of the path. If not, only the first 17 bytes of the path decide which patterns are
    /// candidates.
    pub(crate) has_same_head: bool,
}
