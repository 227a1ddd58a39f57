//! The patterns of a rule set, one behind the other.

use alloc::boxed::Box;

use robots_groups::syntax::Effect;

use crate::pattern::matching;
use crate::policy::Precedence;

/// The patterns in the order of the file. An index into them is the id of a rule.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Patterns {
    text: Box<[u8]>,
    entries: Box<[Entry]>,
}

/// What is kept of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    /// Where its pattern starts; it ends where that of the next entry starts.
    pub(crate) text: u32,
    /// Where the pattern stands in the file.
    pub(crate) span: u32,
    /// The number of the line in the lower 28 bits, facts in the upper four.
    pub(crate) line: u32,
}

/// What a pattern is, by what it takes to match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// It matches every path that begins with the key.
    Prefix,
    /// It matches the path that is the key.
    Exact,
    /// It has a `*` behind the key.
    Wild,
}

impl Entry {
    pub(crate) const DISALLOW: u32 = 1 << 31;
    /// The pattern ends with a `$` that is special.
    pub(crate) const ANCHORED: u32 = 1 << 30;
    /// The length of the pattern as it is written is another than that of its form.
    pub(crate) const RESIZED: u32 = 1 << 29;
    /// The pattern has a `*` that is special.
    pub(crate) const WILD: u32 = 1 << 28;
    pub(crate) const LINE: u32 = Self::WILD - 1;

    pub(crate) const fn has(self, fact: u32) -> bool {
        self.line & fact != 0
    }

    pub(crate) const fn effect(self) -> Effect {
        if self.has(Self::DISALLOW) { Effect::Disallow } else { Effect::Allow }
    }

    /// Returns the number of the rule's line.
    pub(crate) const fn line_number(self) -> usize {
        (self.line & Self::LINE) as usize
    }

    /// Whether `stem`, the pattern or another form of it without a special `$`, matches `path`.
    pub(crate) fn matches(self, stem: &[u8], path: &[u8]) -> bool {
        match self.kind() {
            Kind::Prefix => path.starts_with(stem),
            Kind::Exact => path == stem,
            Kind::Wild => matching::matches(stem, self.has(Self::ANCHORED), path),
        }
    }

    pub(crate) const fn kind(self) -> Kind {
        if self.has(Self::WILD) {
            Kind::Wild
        } else if self.has(Self::ANCHORED) {
            Kind::Exact
        } else {
            Kind::Prefix
        }
    }
}

// The largest line number and position that syntax hands out fit into what an entry has for them.
const _: () = assert!(robots_groups::syntax::Lines::MAX_BYTES <= Entry::LINE as usize);

impl Patterns {
    pub(crate) const fn new(text: Box<[u8]>, entries: Box<[Entry]>) -> Self {
        Self { text, entries }
    }

    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn entry(&self, index: usize) -> Entry {
        self.entries.get(index).copied().unwrap_or(Entry { text: 0, span: 0, line: 0 })
    }

    /// The pattern in its form, a special `$` included.
    pub(crate) fn pattern(&self, index: usize) -> &[u8] {
        let end = self.entries.get(index + 1).map_or(self.text.len(), |next| next.text as usize);
        self.text.get(self.entry(index).text as usize..end).unwrap_or_default()
    }

    /// The pattern without a special `$`.
    pub(crate) fn stem(&self, index: usize) -> &[u8] {
        let pattern = self.pattern(index);
        let anchored = self.entry(index).has(Entry::ANCHORED);
        pattern.get(..pattern.len() - usize::from(anchored)).unwrap_or_default()
    }

    /// What stands before the first `*`, or the pattern without a special `$`: all that matches begins with it.
    #[inline]
    pub(crate) fn key(&self, index: usize) -> &[u8] {
        let stem = self.stem(index);
        let star = if self.entry(index).has(Entry::WILD) { memchr::memchr(b'*', stem) } else { None };
        stem.get(..star.unwrap_or(stem.len())).unwrap_or_default()
    }

    /// The `len` octets of all patterns from `at` on.
    #[inline]
    pub(crate) fn text(&self, at: u32, len: u32) -> &[u8] {
        self.text.get(at as usize..).and_then(|text| text.get(..len as usize)).unwrap_or_default()
    }

    /// The rank of a rule among these.
    #[inline]
    pub(crate) fn rank(&self, index: usize, precedence: Precedence) -> Rank {
        precedence.rank(self.pattern(index).len(), self.entry(index).effect(), index)
    }

    /// Whether a pattern matches `path`, which is in its form.
    pub(crate) fn matches(&self, index: usize, path: &[u8]) -> bool {
        self.entry(index).matches(self.stem(index), path)
    }
}

/// What precedence depends on, as one number: the less it is, the more prevails a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(u64);

impl Rank {
    /// How many bits hold a place.
    const PLACE: u32 = 28;

    /// The place of the rule.
    pub(crate) const fn place(self) -> usize {
        (self.0 & ((1 << Self::PLACE) - 1)) as usize
    }
}

// Every place fits: there are fewer lines and rules than octets.
const _: () = assert!(robots_groups::syntax::Lines::MAX_BYTES < 1 << Rank::PLACE);

impl Precedence {
    /// The rank of a rule whose pattern has so many octets in its form. Its place is the number of its line, or its own
    /// among all that it is compared with, in the order of the file.
    #[inline]
    pub(crate) fn rank(self, octets: usize, effect: Effect, place: usize) -> Rank {
        let place = place as u64;
        Rank(match self {
            Self::First => place,
            Self::MostBytes => {
                let least = u64::from(u32::MAX - short(octets)) << 1 | u64::from(effect == Effect::Disallow);
                least << Rank::PLACE | place
            }
        })
    }
}

/// A length or position, which syntax bounds well below what this holds.
#[expect(
    clippy::cast_possible_truncation,
    reason = "positions are bounded by `Lines::MAX_BYTES`; three octets for each of them"
)]
pub(crate) fn short(position: usize) -> u32 {
    position.min(u32::MAX as usize) as u32
}
