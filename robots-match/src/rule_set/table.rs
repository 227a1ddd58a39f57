//! The patterns of a rule set, stored one after the other: before they are laid out, and in a large set.

use alloc::boxed::Box;
use alloc::vec::Vec;

use robots_groups::syntax::Effect;

use crate::pattern::byte_set::ByteSet;
use crate::pattern::matching;
use crate::policy::Precedence;
use crate::steps::step;

/// The bytes that the counts of references take in an allocation with a shared owner.
pub(crate) const COUNTS: usize = 2 * size_of::<usize>();

/// A pattern of a rule set without its text: where it is in the file, and flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    /// Where the pattern starts in the file in the lower 28 bits, flags in the upper four.
    span: u32,
    /// The number of the rule's line.
    line: u32,
}

/// The kind of a pattern, by how it is compared with a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The pattern matches every path that begins with its prefix.
    Prefix,
    /// The pattern matches only the path that equals its prefix.
    Exact,
    /// The pattern has a `*` after its prefix.
    Wild,
}

impl Entry {
    pub(crate) const DISALLOW: u32 = 1 << 31;
    /// The pattern ends with a special `$`.
    pub(crate) const ANCHORED: u32 = 1 << 30;
    /// The length of the pattern in the file differs from the length of its canonical form.
    pub(crate) const RESIZED: u32 = 1 << 29;
    /// The pattern has a special `*`.
    pub(crate) const WILD: u32 = 1 << 28;
    const SPAN: u32 = Self::WILD - 1;

    /// Creates an entry from a position in the file, flags, and the number of a line.
    #[inline]
    pub(crate) const fn new(span: u32, flags: u32, line: u32) -> Self {
        Self { span: span & Self::SPAN | flags, line }
    }

    /// Creates an entry from [`Self::span_and_flags`] and the number of a line.
    #[inline]
    pub(crate) const fn of_parts(span_and_flags: u32, line: u32) -> Self {
        Self { span: span_and_flags, line }
    }

    /// Returns the position and the flags in one number.
    pub(crate) const fn span_and_flags(self) -> u32 {
        self.span
    }

    pub(crate) const fn has(self, flag: u32) -> bool {
        self.span & flag != 0
    }

    pub(crate) const fn effect(self) -> Effect {
        if self.has(Self::DISALLOW) { Effect::Disallow } else { Effect::Allow }
    }

    /// Returns where the pattern starts in the file.
    pub(crate) const fn span_start(self) -> usize {
        (self.span & Self::SPAN) as usize
    }

    /// Returns the number of the rule's line.
    pub(crate) const fn line_number(self) -> usize {
        self.line as usize
    }

    /// Returns whether `stem` matches `path`. `stem` is the pattern without a special `$`, or its form with a decoded query.
    pub(crate) fn matches(self, stem: &[u8], path: &[u8]) -> bool {
        step();
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

// Every position in a file fits into the bits for it.
const _: () = assert!(robots_groups::syntax::Lines::MAX_BYTES <= Entry::SPAN as usize);

/// Patterns, each with an index.
pub(crate) trait Table {
    /// Returns the number of patterns.
    fn len(&self) -> usize;

    /// Returns the entry of a pattern, and the pattern in its canonical form, with its special `$`.
    fn get(&self, index: usize) -> (Entry, &[u8]);

    #[inline]
    fn entry(&self, index: usize) -> Entry {
        self.get(index).0
    }

    /// Returns the length of a pattern in its canonical form, with its special `$`, in bytes.
    #[inline]
    fn pattern_len(&self, index: usize) -> usize {
        self.get(index).1.len()
    }

    /// Returns a pattern in its canonical form, with its special `$`.
    #[inline]
    fn pattern(&self, index: usize) -> &[u8] {
        self.get(index).1
    }

    /// Returns a pattern without its special `$`.
    #[inline]
    fn stem(&self, index: usize) -> &[u8] {
        let (entry, pattern) = self.get(index);
        stem(pattern, entry.has(Entry::ANCHORED))
    }

    /// Returns a number that decides between patterns that are otherwise equal in precedence: it is lower for the one that comes
    /// first in the file.
    #[inline]
    fn place(&self, index: usize) -> usize {
        index
    }

    /// Returns the rank of a rule among these.
    #[inline]
    fn rank(&self, index: usize, precedence: Precedence) -> Rank {
        precedence.rank(self.pattern_len(index), self.entry(index).effect(), self.place(index))
    }

    /// Returns whether a pattern matches `path`, which is in its canonical form.
    #[inline]
    fn matches(&self, index: usize, path: &[u8]) -> bool {
        let (entry, pattern) = self.get(index);
        entry.matches(stem(pattern, entry.has(Entry::ANCHORED)), path)
    }
}

/// An entry, and where its pattern starts in the text of all patterns. The pattern ends where that of the next entry starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PlacedEntry {
    pub(crate) text: u32,
    pub(crate) entry: Entry,
}

/// Patterns in their canonical form, before they are laid out.
#[derive(Clone)]
pub(crate) struct Drafts {
    pub(crate) text: Vec<u8>,
    pub(crate) entries: Vec<PlacedEntry>,
    /// The filters of the first patterns, as many as a set has that is scanned.
    pub(crate) filters: Vec<Filter>,
}

impl Drafts {
    pub(crate) const NONE: Self = Self { text: Vec::new(), entries: Vec::new(), filters: Vec::new() };
}

impl Table for Drafts {
    fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    fn get(&self, index: usize) -> (Entry, &[u8]) {
        of_placed(&self.text, &self.entries, index)
    }
}

/// The property by which a pattern is ruled out before it is compared.
#[derive(Clone, Copy)]
pub(crate) enum Filter {
    /// The pattern is a prefix, perhaps with a `*` or `$` after it. This is a hash of its first bytes, which are also those of
    /// each path that it matches.
    Hash(u16),
    /// The bytes that the pattern has, which each path that it matches has as well.
    Set(u32),
}

impl Filter {
    /// Returns the filter of a pattern without its special `$`. `classes` are those of the pattern.
    #[inline]
    pub(crate) fn new(stem: &[u8], entry: Entry, classes: ByteSet) -> Self {
        let prefix = match (entry.kind(), stem) {
            (Kind::Prefix | Kind::Exact, _) => stem,
            (Kind::Wild, [prefix @ .., b'*']) if !entry.has(Entry::ANCHORED) && !prefix.contains(&b'*') => {
                prefix
            }
            _ => &[],
        };
        hash_of_start(prefix).map_or(Self::Set(classes.folded_needs()), Self::Hash)
    }
}

/// Returns a hash of the bytes after a `/`: of 16 of them, of eight or of four, if there are as many.
#[inline]
fn hash_of_start(pattern: &[u8]) -> Option<u16> {
    let [b'/', after_slash @ ..] = pattern else { return None };
    if let Some(sixteen) = after_slash.first_chunk() {
        return Some(hash_of_16(sixteen));
    }
    after_slash.first_chunk().map(hash_of_8).or_else(|| after_slash.first_chunk().map(hash_of_4))
}

/// Returns the hashes of the patterns that are prefixes of a path with these bytes after its `/`: one for each number of hashed
/// bytes, that of four bytes first. If the path is too short for one, it is the hash of zeros, by which no pattern is found
/// that matches.
#[inline]
pub(crate) fn hashes_of(after_slash: &[u8], four: &[u8; 4]) -> [u16; 3] {
    // Chosen without a branch, because the length of a path is not predictable.
    let eight = after_slash.first_chunk().unwrap_or(&[0; 8]);
    let sixteen = after_slash.first_chunk().unwrap_or(&[0; 16]);
    [hash_of_4(four), hash_of_8(eight), hash_of_16(sixteen)]
}

#[inline]
fn hash_of_16(bytes: &[u8; 16]) -> u16 {
    let both = u128::from_le_bytes(*bytes);
    let mixed = (both as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (both >> 64) as u64;
    (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 48) as u16
}

#[inline]
fn hash_of_8(bytes: &[u8; 8]) -> u16 {
    (u64::from_le_bytes(*bytes).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as u16
}

#[inline]
fn hash_of_4(bytes: &[u8; 4]) -> u16 {
    (u32::from_le_bytes(*bytes).wrapping_mul(0x9E37_79B9) >> 16) as u16
}

/// The patterns of a large set.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Patterns {
    text: Box<[u8]>,
    entries: Box<[PlacedEntry]>,
}

impl Patterns {
    pub(crate) const fn new(text: Box<[u8]>, entries: Box<[PlacedEntry]>) -> Self {
        assert!(entries.len() < 1 << Rank::POSITION_BITS, "a file has fewer rules than bytes");
        Self { text, entries }
    }

    /// Returns the bytes that the patterns have on the heap.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.text) + size_of_val(&*self.entries)
    }

    fn placed(&self, index: usize) -> PlacedEntry {
        *self.entries.get(index).expect("an id is an index of an entry")
    }

    /// Returns the prefix of a pattern: the bytes before its first `*`, or all of it without a special `$`. Every path that
    /// the pattern matches begins with its prefix.
    #[inline]
    pub(crate) fn prefix(&self, index: usize) -> &[u8] {
        let stem = self.stem(index);
        let star = if self.entry(index).has(Entry::WILD) { memchr::memchr(b'*', stem) } else { None };
        star.map_or(stem, |star| stem.split_at(star).0)
    }

    /// Returns the first `len` bytes of a pattern.
    #[inline]
    pub(crate) fn start_of(&self, index: usize, len: u32) -> &[u8] {
        let text =
            self.text.get(self.placed(index).text as usize..).and_then(|text| text.get(..len as usize));
        text.expect("a prefix lies in the text")
    }
}

impl Table for Patterns {
    fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    fn entry(&self, index: usize) -> Entry {
        self.placed(index).entry
    }

    #[inline]
    fn get(&self, index: usize) -> (Entry, &[u8]) {
        of_placed(&self.text, &self.entries, index)
    }
}

/// Returns an entry and its pattern, which is in a text of all patterns.
#[inline]
pub(crate) fn of_placed<'t>(text: &'t [u8], entries: &[PlacedEntry], index: usize) -> (Entry, &'t [u8]) {
    let placed = entries.get(index).expect("an id is an index of an entry");
    let end = entries.get(index + 1).map_or(text.len(), |next| next.text as usize);
    (placed.entry, text.get(placed.text as usize..end).expect("patterns lie in the text in order"))
}

/// Returns `pattern` without its special `$`, which it ends with if it is `anchored`.
#[inline]
pub(crate) fn stem(pattern: &[u8], anchored: bool) -> &[u8] {
    if anchored { pattern.strip_suffix(b"$").expect("an anchored pattern ends with `$`") } else { pattern }
}

/// The precedence of a rule as one number: a lower rank takes precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(u64);

impl Rank {
    /// The number of bits for the position.
    const POSITION_BITS: u32 = 28;

    /// Returns the position from which the rank was made.
    pub(crate) const fn position(self) -> usize {
        (self.0 & ((1 << Self::POSITION_BITS) - 1)) as usize
    }
}

// Every position fits: a file has fewer lines and rules than bytes.
const _: () = assert!(robots_groups::syntax::Lines::MAX_BYTES < 1 << Rank::POSITION_BITS);

impl Precedence {
    /// Returns the rank of a rule. `len` is the length of its canonical pattern in bytes. `position` is where the rule
    /// occurs in the file: its line number, or its index among the rules it is compared with.
    #[inline]
    pub(crate) fn rank(self, len: usize, effect: Effect, position: usize) -> Rank {
        let position = position as u64;
        Rank(match self {
            Self::First => position,
            Self::MostBytes => {
                let specificity =
                    u64::from(u32::MAX - to_u32(len)) << 1 | u64::from(effect == Effect::Disallow);
                specificity << Rank::POSITION_BITS | position
            }
        })
    }
}

/// Converts a length or position in a file or in the text of all patterns.
#[inline]
pub(crate) fn to_u32(position: usize) -> u32 {
    u32::try_from(position)
        .expect("the text of all patterns is at most six times as long as the longest file")
}

// Percent-encoding makes three bytes of one, and an index page allows its directory with a second pattern.
const _: () = assert!(robots_groups::syntax::Lines::MAX_BYTES < u32::MAX as usize / 6);
