//! The substring index of a large rule set: for the patterns that begin with `*` or `/*`, or do not begin with `/`, and for
//! those that share their prefix with many others.
//!
//! Filters rule out most patterns before they are compared with a path. The path may lack bytes that a pattern contains. If
//! there are many patterns, each is listed under its rarest trigram (three adjacent bytes). Only patterns listed under a
//! trigram of the path are compared, and only if the path also has their other trigrams.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::pattern::byte_set::ByteSet;
use crate::rule_set::table::to_u32;

/// The number of patterns from which on they are found by trigrams.
const MANY: usize = 24;

/// Finds patterns by the bytes they contain. The patterns are in the order of precedence.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct SubstringIndex {
    ids: Box<[u32]>,
    /// The folded set of the bytes in each pattern.
    needs: Box<[u32]>,
    /// `None` if there are fewer than [`MANY`] patterns.
    trigrams: Option<Box<Trigrams>>,
}

impl SubstringIndex {
    pub(crate) fn memory(&self) -> usize {
        let trigrams = self.trigrams.as_deref().map_or(0, |trigrams| {
            let Trigrams { starts, members, sets, rest } = trigrams;
            size_of_val(trigrams)
                + size_of_val(&**starts)
                + size_of_val(&**members)
                + size_of_val(&**sets)
                + size_of_val(&**rest)
        });
        size_of_val(&*self.ids) + size_of_val(&*self.needs) + trigrams
    }

    /// Returns the number of patterns.
    #[cfg(feature = "lint")]
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Builds an index of the patterns `ids`, which are in the order of precedence. `stem` returns a pattern without its
    /// special `$`.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the patterns, plus the sorting of their ids.
    pub(crate) fn new<'a>(ids: Vec<u32>, stem: impl Fn(u32) -> &'a [u8] + Copy) -> Self {
        let trigrams = (ids.len() >= MANY).then(|| Box::new(Trigrams::new(ids.iter().map(|&id| stem(id)))));
        let needs = ids.iter().map(|&id| ByteSet::of(stem(id)).folded_needs()).collect();
        Self { ids: ids.into_boxed_slice(), needs, trigrams }
    }

    /// Returns the id of the first pattern that `matches`, if it also `takes_precedence` over the best pattern of the prefix
    /// index. All patterns before one that takes precedence also do. `classes` are those of the path.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the path; at worst, each pattern is also compared with the path, a quarter of them twice.
    #[inline]
    pub(crate) fn first(
        &self,
        path: &[u8],
        classes: ByteSet,
        takes_precedence: impl Fn(u32) -> bool,
        matches: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if !takes_precedence(*self.ids.first()?) {
            return None;
        }
        let lacks = classes.folded_lacks();
        let fits = |&(&id, needs): &(&u32, &u32)| needs & lacks == 0 && takes_precedence(id) && matches(id);
        match &self.trigrams {
            None => self.ids.iter().zip(&self.needs).find(fits).map(|(id, _)| *id),
            Some(trigrams) => {
                let at = |index: usize| {
                    self.ids.get(index).zip(self.needs.get(index)).expect("trigrams list positions of `ids`")
                };
                trigrams.first(path, |index| fits(&at(index))).map(|index| *at(index).0)
            }
        }
    }
}

/// The invariant of [`bucket`].
const BUCKET: &str = "a hash is less than the number of buckets";

/// A hash table from trigrams to patterns, which are given by their position in the order of precedence.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Trigrams {
    /// Where each bucket starts in `members`, and the end of the last.
    starts: Box<[u32]>,
    members: Box<[u32]>,
    /// The set of the trigrams of each member.
    sets: Box<[u64]>,
    /// The patterns without a trigram.
    rest: Box<[u32]>,
}

/// The largest number of buckets.
const MOST_BUCKETS: usize = 1 << 16;

impl Trigrams {
    fn new<'a>(patterns: impl ExactSizeIterator<Item = &'a [u8]> + Clone) -> Self {
        let buckets = patterns.len().next_power_of_two().clamp(64, MOST_BUCKETS);
        let mut counts = vec![0_u32; buckets];
        for bucket in patterns.clone().flat_map(|pattern| buckets_of(pattern, buckets)) {
            *counts.get_mut(bucket).expect(BUCKET) += 1;
        }
        let rarest = |pattern: &'a [u8]| {
            let rarest = buckets_of(pattern, buckets).min_by_key(|&bucket| counts.get(bucket).expect(BUCKET));
            rarest.map(to_u32)
        };
        let chosen: Vec<Option<u32>> = patterns.clone().map(rarest).collect();
        // A sort by counting.
        let mut starts = vec![0; buckets + 1];
        for bucket in chosen.iter().flatten() {
            *starts.get_mut(*bucket as usize + 1).expect(BUCKET) += 1;
        }
        let mut placed = 0;
        for start in &mut starts {
            placed += *start;
            *start = placed;
        }
        let (mut members, mut sets) = (vec![0; placed as usize], vec![0; placed as usize]);
        let mut rest = Vec::new();
        let mut next = starts.clone();
        for ((index, pattern), bucket) in (0..).zip(patterns).zip(chosen) {
            let Some(bucket) = bucket else {
                rest.push(index);
                continue;
            };
            let place = next.get_mut(bucket as usize).expect(BUCKET);
            let at = *place as usize;
            *place += 1;
            if let Some((member, set)) = members.get_mut(at).zip(sets.get_mut(at)) {
                (*member, *set) = (index, set_of(literal_trigrams(pattern)));
            }
        }
        Self {
            starts: starts.into_boxed_slice(),
            members: members.into_boxed_slice(),
            sets: sets.into_boxed_slice(),
            rest: rest.into_boxed_slice(),
        }
    }

    /// Returns the first pattern that `fits`.
    fn first(&self, path: &[u8], fits: impl Fn(usize) -> bool) -> Option<usize> {
        // No pattern is listed under a trigram with a `*`, but one of those in its bucket may match all the same.
        let mut trigrams = path.windows(3);
        let lacks = !set_of(trigrams.clone());
        let mut best = None;
        // After this many members, the rest of the path is searched in a way that skips trigrams that repeat.
        let mut left = self.members.len() / 4;
        while let Some(trigram) = trigrams.next() {
            let range = self.range(bucket(trigram, self.starts.len() - 1));
            if range.is_empty() {
                continue;
            }
            let Some(fewer) = left.checked_sub(range.len()) else {
                let rest = path.split_at(path.len() - 3 - trigrams.len()).1;
                best = self.first_of_distinct(rest, lacks, best, &fits);
                break;
            };
            left = fewer;
            best = self.members(range, lacks).fold(best, |best, member| earlier(best, member, &fits));
        }
        self.rest.iter().fold(best, |best, member| earlier(best, *member, &fits))
    }

    /// Returns the first of `best` and the patterns that `fit`. Each bucket is searched once, because a path may contain the
    /// same trigrams many times.
    #[cold]
    #[inline(never)]
    fn first_of_distinct(
        &self,
        path: &[u8],
        lacks: u64,
        mut best: Option<usize>,
        fits: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        let mut seen = [0_u8; MOST_BUCKETS / 8];
        for trigram in path.windows(3) {
            let bucket = bucket(trigram, self.starts.len() - 1);
            let (bits, bit) = (seen.get_mut(bucket / 8).expect(BUCKET), 1 << (bucket % 8));
            if *bits & bit == 0 {
                *bits |= bit;
                for member in self.members(self.range(bucket), lacks) {
                    best = earlier(best, member, fits);
                }
            }
        }
        best
    }

    /// Returns the places of the patterns that are listed under the trigrams of a bucket.
    #[inline]
    fn range(&self, bucket: usize) -> Range<usize> {
        let (start, end) = self.starts.get(bucket).zip(self.starts.get(bucket + 1)).expect(BUCKET);
        *start as usize..*end as usize
    }

    /// Returns the patterns at some places that have none of the trigrams `lacks`.
    #[inline]
    fn members(&self, range: Range<usize>, lacks: u64) -> impl Iterator<Item = u32> {
        let members = self.members.get(range.clone()).zip(self.sets.get(range));
        let (members, sets) = members.expect("starts are in order");
        members.iter().zip(sets).filter(move |(_, set)| **set & lacks == 0).map(|(member, _)| *member)
    }
}

/// Returns the first of `best` and a member, if the member `fits`.
#[inline]
fn earlier(best: Option<usize>, member: u32, fits: impl Fn(usize) -> bool) -> Option<usize> {
    let index = member as usize;
    if best.is_none_or(|best| index < best) && fits(index) { Some(index) } else { best }
}

/// Returns all trigrams of a pattern without a `*`.
fn literal_trigrams(pattern: &[u8]) -> impl Iterator<Item = &[u8]> {
    pattern.windows(3).filter(|trigram| !trigram.contains(&b'*'))
}

/// Returns the buckets of all trigrams of a pattern without a `*`. `buckets` is the number of buckets, a power of two.
fn buckets_of(pattern: &[u8], buckets: usize) -> impl Iterator<Item = usize> {
    literal_trigrams(pattern).map(move |trigram| bucket(trigram, buckets))
}

/// Returns the set of trigrams, in which many share a bit.
#[inline]
fn set_of<'t>(trigrams: impl Iterator<Item = &'t [u8]>) -> u64 {
    trigrams.fold(0, |set, trigram| set | 1 << bucket(trigram, 64))
}

/// Returns the bucket of a trigram. `buckets` is a power of two.
#[inline]
fn bucket(trigram: &[u8], buckets: usize) -> usize {
    let trigram = trigram.iter().rev().fold(0, |bytes, byte| bytes << 8 | u32::from(*byte));
    (trigram.wrapping_mul(0x9E37_79B1) >> (32 - buckets.trailing_zeros())) as usize
}
