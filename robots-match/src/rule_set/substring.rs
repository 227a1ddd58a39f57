//! Finding patterns among many that may begin anywhere: those with a `*` at or right behind their start, and those of
//! which many share what they begin with.
//!
//! Two things keep most of them from being held against a path. A path lacks octets that the pattern needs. And where
//! there are many patterns, each is found by three octets in a row that it needs, the rarest it has among all of them:
//! a path is looked through once for them.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::pattern::byte_set::ByteSet;

/// From how many patterns on they are found by three octets.
const MANY: usize = 24;

/// The patterns, in the order in which they prevail.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct SubstringIndex {
    ids: Box<[u32]>,
    /// What stands in each of them.
    needs: Box<[ByteSet]>,
    grams: Option<Box<Grams>>,
}

impl SubstringIndex {
    /// Of the patterns `ids`, in the order in which they prevail. `stem` gives them without their special `$`. Time grows
    /// with their octets.
    pub(crate) fn new<'a>(ids: Vec<u32>, stem: impl Fn(u32) -> &'a [u8] + Copy) -> Self {
        let grams = (ids.len() >= MANY).then(|| Box::new(Grams::new(ids.iter().map(|&id| stem(id)))));
        let needs = ids.iter().map(|&id| ByteSet::of(stem(id))).collect();
        Self { ids: ids.into_boxed_slice(), needs, grams }
    }

    /// The first pattern that `matches`, if it `prevails` over what is found elsewhere; so do all before one that does.
    /// `classes` are those of the path.
    ///
    /// Time grows with the octets of the path and, at worst, with the number of patterns.
    #[inline]
    pub(crate) fn first(
        &self,
        path: &[u8],
        classes: ByteSet,
        prevails: impl Fn(u32) -> bool,
        matches: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if !prevails(*self.ids.first()?) {
            return None;
        }
        let fits =
            |&(&id, needs): &(&u32, &ByteSet)| needs.may_all_be_in(classes) && prevails(id) && matches(id);
        let plain = || self.ids.iter().zip(&self.needs).find(fits).map(|(id, _)| *id);
        match &self.grams {
            None => plain(),
            Some(grams) => {
                let fits_at = |index: usize| {
                    self.ids.get(index).zip(self.needs.get(index)).is_some_and(|found| fits(&found))
                };
                match grams.first(path, fits_at) {
                    Ok(index) => self.ids.get(index?).copied(),
                    Err(TooMany) => plain(),
                }
            }
        }
    }
}

/// Where patterns are found by three octets in a row.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Grams {
    /// Where the patterns of each place of the table start in `members`; one more for the end.
    starts: Box<[u32]>,
    members: Box<[u32]>,
    /// The patterns that have no three octets in a row.
    rest: Box<[u32]>,
}

/// More would have to be looked at than there are patterns.
struct TooMany;

impl Grams {
    fn new<'a>(patterns: impl ExactSizeIterator<Item = &'a [u8]> + Clone) -> Self {
        let places = patterns.len().next_power_of_two().clamp(64, 1 << 16);
        let mut counts = vec![0_u32; places];
        for place in patterns.clone().flat_map(|pattern| places_of(pattern, places)) {
            if let Some(count) = counts.get_mut(place) {
                *count += 1;
            }
        }
        let rarest = |pattern: &'a [u8]| {
            places_of(pattern, places).min_by_key(|&place| counts.get(place).copied().unwrap_or_default())
        };
        let mut placed: Vec<(usize, u32)> = Vec::with_capacity(patterns.len());
        let mut rest = Vec::new();
        for (index, pattern) in (0_u32..).zip(patterns) {
            match rarest(pattern) {
                Some(place) => placed.push((place, index)),
                None => rest.push(index),
            }
        }
        placed.sort_unstable();
        let mut starts = Vec::with_capacity(places + 1);
        let mut at = 0_u32;
        for place in 0..=places {
            while placed.get(at as usize).is_some_and(|&(found, _)| found < place) {
                at += 1;
            }
            starts.push(at);
        }
        Self {
            starts: starts.into_boxed_slice(),
            members: placed.into_iter().map(|(_, index)| index).collect(),
            rest: rest.into_boxed_slice(),
        }
    }

    /// The first pattern that `fits`. Looks at no more members than there are patterns: a path may lead to the same
    /// again and again.
    fn first(&self, path: &[u8], fits: impl Fn(usize) -> bool) -> Result<Option<usize>, TooMany> {
        let mut best = None;
        let mut take = |member: u32| {
            let index = member as usize;
            if best.is_none_or(|best| index < best) && fits(index) {
                best = Some(index);
            }
        };
        let mut left = self.members.len();
        for place in places_of(path, self.starts.len() - 1) {
            let Some(&[start, end]) = self.starts.get(place..place + 2) else { continue };
            if start == end {
                continue;
            }
            let members = self.members.get(start as usize..end as usize).unwrap_or_default();
            left = left.checked_sub(members.len()).ok_or(TooMany)?;
            members.iter().copied().for_each(&mut take);
        }
        self.rest.iter().copied().for_each(&mut take);
        Ok(best)
    }
}

/// The places of all three octets in a row that hold no `*`. `places` is a power of two.
fn places_of(octets: &[u8], places: usize) -> impl Iterator<Item = usize> {
    let shift = 32 - places.trailing_zeros();
    octets.windows(3).filter_map(move |gram| match *gram {
        [a, b, c] if a != b'*' && b != b'*' && c != b'*' => {
            let gram = u32::from_le_bytes([a, b, c, 0]);
            Some((gram.wrapping_mul(0x9E37_79B1) >> shift) as usize)
        }
        _ => None,
    })
}
