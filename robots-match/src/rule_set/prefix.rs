//! Finding patterns among many by what they begin with.
//!
//! The key of a pattern is what stands before its first `*`, or all of it. Keys are sorted. All that are the start of a
//! path are among those that the last key not behind the path begins with: one binary search finds that one, and from
//! each slot a link leads to the next that may match. The search goes by the heads of the keys, the sixteen octets behind
//! the `/` with which all of them begin, and looks at keys only among those whose head is that of the path.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::rule_set::table::{Kind, Patterns, Rank, short};

/// The link that leads nowhere.
const NONE: u32 = u32::MAX;

/// From how many patterns with `*` and the same key on they are better found otherwise.
const CROWD: usize = 9;

/// How often keys are sorted by their next octets, each time in a call of its own.
const DEPTH: u32 = 16;

/// The first eight octets, to be compared at once. Less than eight are filled up with the least octet.
#[inline]
pub(crate) fn head(octets: &[u8]) -> u64 {
    u64::from_be_bytes(filled_up(octets))
}

/// The first sixteen octets, likewise.
#[inline]
fn long_head(octets: &[u8]) -> u128 {
    u128::from_be_bytes(filled_up(octets))
}

#[inline]
fn filled_up<const N: usize>(octets: &[u8]) -> [u8; N] {
    octets.first_chunk().copied().unwrap_or_else(|| {
        let mut head = [0; N];
        head.iter_mut().zip(octets).for_each(|(to, from)| *to = *from);
        head
    })
}

/// The bits of the first `len` octets of a long head.
#[inline]
const fn first_of_long(len: usize) -> u128 {
    if len >= 16 { u128::MAX } else { !(u128::MAX >> (8 * len)) }
}

/// The bits of the first `len` octets of a head.
#[inline]
pub(crate) const fn first_octets(len: usize) -> u64 {
    if len >= 8 { u64::MAX } else { !(u64::MAX >> (8 * len)) }
}

/// A pattern on its way into the order of keys.
#[derive(Clone, Copy)]
pub(crate) struct Ordered {
    /// Octets of its key: the first, until they do not tell it from others.
    head: u64,
    id: u32,
    /// How long its key is.
    len: u32,
}

impl Ordered {
    /// Of a pattern with a key that begins with `/`.
    #[inline]
    pub(crate) fn of(id: u32, key: &[u8]) -> Self {
        Self { head: head(key.get(1..).unwrap_or_default()), id, len: short(key.len()) }
    }
}

/// The keys of patterns.
#[derive(Clone, Copy)]
struct Keys<'k>(&'k Patterns);

impl<'k> Keys<'k> {
    fn octets(self, item: Ordered) -> &'k [u8] {
        self.0.text(self.0.entry(item.id as usize).text, item.len)
    }

    fn kind(self, item: Ordered) -> Kind {
        self.0.entry(item.id as usize).kind()
    }

    /// Sorts keys that have their first `same` octets in common, and the next eight for their heads, and calls `crowd`
    /// for those patterns with `*` of which many have the same key: they would all be held against every path that begins
    /// with it. `settle` compares keys that are few, or have the same heads `depth` times over.
    fn sort(
        self,
        order: &mut [Ordered],
        same: u32,
        depth: u32,
        settle: &impl Fn(Ordered, Ordered) -> Ordering,
        crowd: &mut impl FnMut(u32),
    ) {
        const FEW: usize = 4;
        order.sort_unstable_by_key(|item| item.head);
        // Heads settle most. They are padded: equal ones settle nothing.
        for tied in order.chunk_by_mut(|a, b| a.head == b.head) {
            if tied.len() == 1 {
                continue;
            }
            let ends = same + 8;
            if depth == 0 || tied.len() <= FEW || tied.iter().all(|item| item.len <= ends) {
                tied.sort_unstable_by(|a, b| settle(*a, *b));
                self.find_crowds(tied, crowd);
                continue;
            }
            let same = self.common(tied, ends);
            for item in &mut *tied {
                item.head = head(self.octets(*item).get(same as usize..).unwrap_or_default());
            }
            self.sort(tied, same, depth - 1, settle, crowd);
        }
    }

    /// How many octets all keys begin with, if they have the first `known` in common: by eights.
    fn common(self, order: &[Ordered], known: u32) -> u32 {
        let behind = |item: &Ordered| self.octets(*item).get(known as usize..).unwrap_or_default();
        let mut common = order.first().map_or(&[][..], behind);
        for item in order {
            let eights = common.chunks_exact(8).zip(behind(item).chunks_exact(8));
            let same = eights.take_while(|(a, b)| a == b).count();
            common = common.get(..8 * same).unwrap_or_default();
            if common.is_empty() {
                break;
            }
        }
        known + short(common.len())
    }

    fn find_crowds(self, tied: &[Ordered], crowd: &mut impl FnMut(u32)) {
        if tied.len() < CROWD {
            return;
        }
        let shares_key = |a: &Ordered, b: &Ordered| {
            let is_wild = |item: Ordered| self.kind(item) == Kind::Wild;
            is_wild(*a) && is_wild(*b) && self.octets(*a) == self.octets(*b)
        };
        for many in tied.chunk_by(shares_key).filter(|many| many.len() >= CROWD) {
            many.iter().for_each(|item| crowd(item.id));
        }
    }
}

/// A pattern in the order of keys.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Slot {
    id: u32,
    /// How long its key is.
    len: u32,
    /// The next that may match where this one may.
    link: u32,
}

impl Slot {
    #[inline]
    fn key(self, patterns: &Patterns) -> &[u8] {
        patterns.text(patterns.entry(self.id as usize).text, self.len)
    }
}

/// What finds patterns by their keys.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PrefixIndex {
    /// What the keys begin with: sixteen octets tell those of real files from each other.
    heads: Box<[u128]>,
    slots: Box<[Slot]>,
}

impl PrefixIndex {
    /// Of those of `patterns` that stand in `order`. Of patterns without `*` that have the same key and kind, only that
    /// is ever found whose `rank` is the least. Those that share a key with many others are given back, sorted.
    pub(crate) fn new(
        mut order: Vec<Ordered>,
        patterns: &Patterns,
        rank: impl Fn(u32) -> Rank,
    ) -> (Self, Vec<u32>) {
        let keys = Keys(patterns);
        let settle = |a: Ordered, b: Ordered| {
            let order = keys.octets(a).cmp(keys.octets(b));
            let order = order.then_with(|| keys.kind(a).cmp(&keys.kind(b)));
            // Of equal patterns, the one that prevails comes last: that is where a search for them ends.
            order.then_with(|| rank(b.id).cmp(&rank(a.id)))
        };
        let mut crowds = Vec::new();
        keys.sort(&mut order, 1, DEPTH, &settle, &mut |id| crowds.push(id));
        if !crowds.is_empty() {
            crowds.sort_unstable();
            order.retain(|item| crowds.binary_search(&item.id).is_err());
        }
        (Self::linked(&order, keys), crowds)
    }

    fn linked(order: &[Ordered], keys: Keys<'_>) -> Self {
        let heads: Box<[u128]> =
            order.iter().map(|item| long_head(keys.octets(*item).get(1..).unwrap_or_default())).collect();
        let mut slots: Vec<Slot> = Vec::with_capacity(order.len());
        let mut before = Kind::Wild;
        for (item, &own) in order.iter().zip(&heads) {
            let (len, kind) = (item.len, keys.kind(*item));
            // The links lead through all keys that the one before begins with: among them are those that this one
            // begins with.
            let mut link = short(slots.len()).checked_sub(1).unwrap_or(NONE);
            while let Some((slot, &head)) = slots.get(link as usize).zip(heads.get(link as usize)) {
                let begins = (head ^ own) & first_of_long(slot.len as usize - 1) == 0
                    && len >= slot.len
                    && (slot.len <= 17 || keys.octets(*item).starts_with(slot.key(keys.0)));
                if begins {
                    if slot.len == len && kind == before && kind != Kind::Wild {
                        link = slot.link;
                    }
                    break;
                }
                link = slot.link;
            }
            slots.push(Slot { id: item.id, len, link });
            before = kind;
        }
        Self { heads, slots: slots.into_boxed_slice() }
    }

    /// Those of `patterns` whose key is the start of `path`, longest first: index, length of the key.
    #[inline]
    pub(crate) fn candidates(
        &self,
        path: &[u8],
        patterns: &Patterns,
    ) -> impl Iterator<Item = (usize, usize)> {
        let (index, common) = self.last_not_behind(path, patterns).unwrap_or((usize::MAX, 0));
        let mut next = self.slots.get(index);
        core::iter::from_fn(move || {
            loop {
                let slot = next?;
                // The link that leads nowhere is behind all slots.
                next = self.slots.get(slot.link as usize);
                // Whatever the first begins with and is no longer than this is a start of the path.
                if slot.len as usize <= common {
                    return Some((slot.id as usize, slot.len as usize));
                }
            }
        })
    }

    /// The last whose key is not behind `path`, and how many octets key and path have in common.
    #[inline]
    fn last_not_behind(&self, path: &[u8], patterns: &Patterns) -> Option<(usize, usize)> {
        let [b'/', behind @ ..] = path else { return None };
        let head = long_head(behind);
        let first = self.heads.partition_point(|&other| other < head);
        let mut found = None;
        if self.heads.get(first) == Some(&head) {
            // Among those with the same head, which are few: twice as many until one is another.
            let mut low = first;
            let mut most = 1;
            while self.heads.get(first + most) == Some(&head) {
                most *= 2;
            }
            let same = self.heads.get(first..).unwrap_or_default();
            let same = same.get(..most).unwrap_or(same);
            let mut len = same.partition_point(|&other| other == head);
            while len > 0 {
                let half = len / 2;
                let slot = self.slots.get(low + half)?;
                let key = slot.key(patterns);
                let common = common_len(key, path);
                if key.get(common).is_some_and(|octet| path.get(common).is_none_or(|other| other < octet)) {
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
            let common = (self.heads.get(before)? ^ head).leading_zeros() as usize / 8;
            // Where a key ends, what it is filled up with may be like an octet of the path, and the other way round.
            Some((before, (common + 1).min(path.len())))
        })
    }
}

/// How many octets `a` and `b` have in common at their start.
#[inline]
pub(crate) fn common_len(a: &[u8], b: &[u8]) -> usize {
    let len = a.len().min(b.len());
    let eight =
        |octets: &[u8], at: usize| octets.get(at..)?.first_chunk().map(|octets| u64::from_le_bytes(*octets));
    let Some(last) = len.checked_sub(8) else {
        return a.iter().zip(b).take_while(|(a, b)| a == b).count();
    };
    // Eight at a time; the last eight once more, instead of a branch for each octet of the rest.
    for at in (0..last).step_by(8).chain([last]) {
        let (Some(a), Some(b)) = (eight(a, at), eight(b, at)) else { break };
        let differing = a ^ b;
        if differing != 0 {
            return at + differing.trailing_zeros() as usize / 8;
        }
    }
    len
}
