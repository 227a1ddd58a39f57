//! Finding the pattern that prevails among few: one after the other, in the order in which they prevail.
//!
//! Nearly all are passed over at a glance: what they begin with is not what the path begins with, or they need octets
//! that it lacks. That takes less time than a search, for nobody has to guess where it goes on.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::pattern::byte_set::{ByteSet, SmallByteSet};
use crate::policy::Precedence;
use crate::rule_set::prefix::{first_octets, head};
use crate::rule_set::table::{Kind, Patterns, Rank};

/// Patterns in the order in which they prevail.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Scan(Box<[Glance]>);

/// What is looked at first of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Glance {
    /// The first octets of its key behind the `/`, and their bits. A pattern that begins otherwise has none.
    head: u64,
    mask: u64,
    /// What stands in it, if it has a `*`.
    needs: SmallByteSet,
    id: u16,
    /// How many octets it has, if a path that begins with them matches and they are all in the head; or 0.
    whole: u16,
}

impl Scan {
    /// How many are few.
    pub(crate) const MOST: usize = 192;

    /// Of `patterns` that are no more than are few.
    pub(crate) fn new(patterns: &Patterns, precedence: Precedence) -> Self {
        let mut order: Vec<Rank> =
            (0..patterns.len()).map(|index| patterns.rank(index, precedence)).collect();
        order.sort_unstable();
        Self(order.into_iter().map(|rank| Glance::of(rank.place(), patterns)).collect())
    }

    /// The first of `patterns` that matches `path`, which has `classes`.
    #[inline]
    pub(crate) fn first(&self, path: &[u8], classes: ByteSet, patterns: &Patterns) -> Option<usize> {
        let id = |glance: &Glance| usize::from(glance.id);
        let matches = |glance: &&Glance| patterns.matches(id(glance), path);
        let [b'/', behind @ ..] = path else { return self.0.iter().find(matches).map(id) };
        let head = head(behind);
        let classes = classes.folded();
        let fits = |glance: &&Glance| {
            (glance.head ^ head) & glance.mask == 0
                && glance.needs.may_all_be_in(classes)
                && if glance.whole > 0 { path.len() >= glance.whole.into() } else { matches(glance) }
        };
        self.0.iter().find(fits).map(id)
    }
}

impl Glance {
    fn of(index: usize, patterns: &Patterns) -> Self {
        let (kind, key) = (patterns.entry(index).kind(), patterns.key(index));
        let behind = if let [b'/', behind @ ..] = key { behind } else { &[] };
        let is_whole = kind == Kind::Prefix && key.first() == Some(&b'/') && behind.len() <= 8;
        let needs = if kind == Kind::Wild { ByteSet::of(patterns.stem(index)) } else { ByteSet::NONE };
        let short = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        Self {
            head: head(behind) & first_octets(behind.len()),
            mask: first_octets(behind.len()),
            needs: needs.folded(),
            id: short(index),
            whole: if is_whole { short(key.len()) } else { 0 },
        }
    }
}
