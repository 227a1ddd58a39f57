//! The scan list of a small rule set: its patterns in the order of precedence, compared with a path one after the other.
//!
//! Most patterns are ruled out by comparing their heads with the head of the path, or because they contain bytes that the
//! path lacks. In small sets this takes less time than a search, because the branches are predictable.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::pattern::byte_set::{ByteSet, SmallByteSet};
use crate::policy::Precedence;
use crate::rule_set::prefix::{head, head_mask};
use crate::rule_set::table::{Kind, Patterns, Rank};

/// The patterns in the order of precedence.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Scan(Box<[ScanEntry]>);

/// The properties by which most patterns are ruled out.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ScanEntry {
    /// The head of the prefix after its `/`, and a mask of its bits. Both are 0 if the prefix does not begin with `/`.
    head: u64,
    mask: u64,
    /// The classes of the bytes in a pattern with a `*`.
    needs: SmallByteSet,
    id: u16,
    /// The length of the pattern in bytes if comparing the head and the length of a path decides whether it matches;
    /// otherwise 0.
    whole: u16,
}

impl Scan {
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.0)
    }

    /// The largest rule set that is scanned linearly.
    pub(crate) const MOST: usize = 192;

    /// Builds the scan list; `patterns` has at most [`Self::MOST`] entries.
    pub(crate) fn new(patterns: &Patterns, precedence: Precedence) -> Self {
        let mut order: Vec<Rank> =
            (0..patterns.len()).map(|index| patterns.rank(index, precedence)).collect();
        order.sort_unstable();
        Self(order.into_iter().map(|rank| ScanEntry::new(rank.position(), patterns)).collect())
    }

    /// Returns the first of `patterns` that matches `path`. `classes` are those of `path`.
    #[inline]
    pub(crate) fn first(&self, path: &[u8], classes: ByteSet, patterns: &Patterns) -> Option<usize> {
        let id = |entry: &ScanEntry| usize::from(entry.id);
        let matches = |entry: &&ScanEntry| patterns.matches(id(entry), path);
        let [b'/', after_slash @ ..] = path else { return self.0.iter().find(matches).map(id) };
        let head = head(after_slash);
        let classes = classes.folded();
        let fits = |entry: &&ScanEntry| {
            (entry.head ^ head) & entry.mask == 0
                && entry.needs.may_all_be_in(classes)
                && if entry.whole > 0 { path.len() >= entry.whole.into() } else { matches(entry) }
        };
        self.0.iter().find(fits).map(id)
    }
}

impl ScanEntry {
    fn new(index: usize, patterns: &Patterns) -> Self {
        let (kind, prefix) = (patterns.entry(index).kind(), patterns.prefix(index));
        // A prefix without a `/` has an empty head: only comparing the whole pattern rules it out.
        let (begins_with_slash, after_slash) =
            if let [b'/', after_slash @ ..] = prefix { (true, after_slash) } else { (false, &[][..]) };
        let is_whole = kind == Kind::Prefix && begins_with_slash && after_slash.len() <= 8;
        let needs = if kind == Kind::Wild { ByteSet::of(patterns.stem(index)) } else { ByteSet::NONE };
        let to_u16 =
            |number: usize| u16::try_from(number).expect("small sets have few patterns, and heads few bytes");
        Self {
            head: head(after_slash) & head_mask(after_slash.len()),
            mask: head_mask(after_slash.len()),
            needs: needs.folded(),
            id: to_u16(index),
            whole: if is_whole { to_u16(prefix.len()) } else { 0 },
        }
    }
}
