//! The compiler: brings patterns into their canonical form and collects them.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem::take;

use robots_groups::syntax::{Effect, Lines, Rule};
use robots_groups::{Crawler, RuleSelector, Selected, SelectionBasis};

use crate::pattern::byte_set::ByteSet;
use crate::pattern::canonical::{Role, append, with_decoded_query};
use crate::policy::MatchPolicy;
use crate::profile::Profile;
use crate::rule_set::scan::Scan;
use crate::rule_set::table::{COUNTS, Drafts, Entry, Filter, PlacedEntry, Table, stem, to_u32};

/// Collects the rules of a rule set.
pub(crate) struct Compiler<'p> {
    policy: &'p MatchPolicy,
    patterns: Drafts,
    written: Vec<(u32, u32)>,
    /// The ids of the patterns with a `?`.
    queries: Vec<u32>,
}

impl<'p> Compiler<'p> {
    pub(crate) const fn new(policy: &'p MatchPolicy) -> Self {
        Self { policy, patterns: Drafts::NONE, written: Vec::new(), queries: Vec::new() }
    }

    /// Reserves memory for the rules that a file of `len` bytes probably has. A file longer than
    /// 500 KiB counts as 500 KiB, because crawlers often read no more of it. More memory is allocated when it is needed.
    pub(crate) fn reserve(&mut self, len: usize) {
        let len = len.min(500 * 1024);
        let rules = len / 24 + 4;
        self.patterns.text.reserve(len);
        self.patterns.entries.reserve(rules);
        self.patterns.filters.reserve(rules.min(Scan::MOST));
    }

    pub(crate) fn clear(&mut self) {
        self.patterns.text.clear();
        self.patterns.entries.clear();
        self.patterns.filters.clear();
        self.written.clear();
        self.queries.clear();
    }

    /// Adds the canonical patterns of a rule.
    #[inline]
    pub(crate) fn add(&mut self, rule: &Rule<'_>) {
        let Some(pattern) = CanonicalPattern::append(rule, self.policy, &mut self.patterns.text) else {
            return;
        };
        self.push(rule, pattern);
        if self.policy.index_page_allows_directory && rule.effect == Effect::Allow {
            self.add_directory(rule, pattern);
        }
    }

    #[cold]
    fn add_directory(&mut self, rule: &Rule<'_>, pattern: CanonicalPattern) {
        if let Some(directory) = pattern.append_directory(&mut self.patterns.text) {
            self.push(rule, directory);
        }
    }

    #[inline]
    fn push(&mut self, rule: &Rule<'_>, pattern: CanonicalPattern) {
        let CanonicalPattern { start, classes, anchored } = pattern;
        let bytes = pattern.bytes(&self.patterns.text);
        let mut flags = 0;
        if rule.effect == Effect::Disallow {
            flags |= Entry::DISALLOW;
        }
        if anchored {
            flags |= Entry::ANCHORED;
        }
        if classes.has_star() && self.policy.wildcards {
            flags |= Entry::WILD;
        }
        let id = to_u32(self.patterns.entries.len());
        let span = rule.pattern.span();
        if span.len() != bytes.len() {
            flags |= Entry::RESIZED;
            self.written.push((id, to_u32(span.len())));
        }
        if classes.has_query() {
            self.queries.push(id);
        }
        let entry = Entry::new(to_u32(span.start()), flags, to_u32(rule.line()));
        if self.patterns.filters.len() < Scan::MOST {
            self.patterns.filters.push(Filter::new(stem(bytes, anchored), entry, classes));
        }
        self.patterns.entries.push(PlacedEntry { text: to_u32(start), entry });
    }

    pub(crate) const fn policy(&self) -> &'p MatchPolicy {
        self.policy
    }

    /// Returns the collected patterns and their properties.
    pub(crate) fn finish(self) -> Compiled {
        let Self { policy, patterns, written, queries } = self;
        let has_queries = policy.decoded_query && !queries.is_empty();
        let queries = if has_queries { queries } else { Vec::new() };
        let decoded = queries.into_iter().filter_map(|id| {
            let pattern = patterns.pattern(id as usize);
            let other = with_decoded_query(pattern, query_at(pattern)?)?;
            Some((id, other.into_boxed_slice()))
        });
        let exceptions = Exceptions { decoded: decoded.collect(), written: written.into_boxed_slice() };
        Compiled { patterns, exceptions, has_queries }
    }
}

/// Collects the rules for a crawler from a whole file.
#[inline]
pub(crate) fn compiled<'p>(
    file: &[u8],
    crawler: &Crawler,
    profile: &'p Profile,
) -> (Compiler<'p>, SelectionBasis) {
    let lines = Lines::new(file, &profile.syntax).of_groups();
    let mut selector = RuleSelector::new(lines, crawler, &profile.groups);
    let mut compiler = Compiler::new(&profile.matching);
    for selected in selector.by_ref() {
        match selected {
            Selected::Rule(rule) => compiler.add(&rule),
            Selected::Restart => {
                compiler.clear();
                compiler.reserve(file.len());
            }
        }
    }
    let basis = selector.basis();
    (compiler, basis)
}

#[cfg(test)]
pub(crate) fn drafts(file: &[u8], crawler: &Crawler, profile: &Profile) -> Drafts {
    compiled(file, crawler, profile).0.finish().patterns
}

/// The result of a [`Compiler`].
pub(crate) struct Compiled {
    pub(crate) patterns: Drafts,
    pub(crate) exceptions: Exceptions,
    /// Whether a pattern has a query that also matches in its decoded form.
    pub(crate) has_queries: bool,
}

/// The properties that only some patterns have, in the order of their indexes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Exceptions {
    /// The lengths in the file of the patterns whose canonical form has a different length: index and length in bytes.
    pub(crate) written: Box<[(u32, u32)]>,
    /// The patterns that change when their query is decoded: index and decoded form.
    pub(crate) decoded: Box<[(u32, Box<[u8]>)]>,
}

impl Exceptions {
    /// Returns these, if there are any.
    pub(crate) fn shared(self) -> Option<Arc<Self>> {
        let is_empty = self.written.is_empty() && self.decoded.is_empty();
        if is_empty { None } else { Some(Arc::new(self)) }
    }

    /// Gives patterns the indexes that they have in a new order, which lists the old ones.
    pub(crate) fn reorder(&mut self, order: &[u16]) {
        let Self { written, decoded } = self;
        if written.is_empty() && decoded.is_empty() {
            return;
        }
        reorder(written, order);
        reorder(decoded, order);
    }

    /// Returns the bytes that these have on the heap, themselves and the counts of their owners included.
    pub(crate) fn memory(&self) -> usize {
        let decoded: usize = self.decoded.iter().map(|decoded| size_of_val(decoded) + decoded.1.len()).sum();
        COUNTS + size_of_val(self) + size_of_val(&*self.written) + decoded
    }
}

/// Gives items, which are in the order of their indexes, the indexes that they have in a new order, and sorts them again.
fn reorder<T: Default>(items: &mut Box<[(u32, T)]>, order: &[u16]) {
    let new = (0..).zip(order).filter_map(|(index, old)| {
        let at = items.binary_search_by_key(&u32::from(*old), |(old, _)| *old).ok()?;
        Some((index, take(&mut items.get_mut(at)?.1)))
    });
    *items = new.collect();
}

/// Returns the position of the `?` with which the query of a pattern or path begins.
pub(crate) fn query_at(pattern: &[u8]) -> Option<usize> {
    memchr::memchr(b'?', pattern)
}

/// The path of the file.
pub(crate) const ROBOTS_TXT: &[u8] = b"/robots.txt";

#[inline]
pub(crate) fn is_robots_txt(path: &[u8]) -> bool {
    path == ROBOTS_TXT
}

/// A pattern in its canonical form, at the end of a text.
#[derive(Clone, Copy)]
pub(crate) struct CanonicalPattern {
    /// Where the pattern starts in the text.
    pub(crate) start: usize,
    pub(crate) classes: ByteSet,
    /// Whether the pattern ends with a special `$`.
    pub(crate) anchored: bool,
}

impl CanonicalPattern {
    /// Appends the canonical pattern of a rule to `text`; `None` if the pattern is empty and matches nothing.
    #[inline]
    pub(crate) fn append(rule: &Rule<'_>, policy: &MatchPolicy, text: &mut Vec<u8>) -> Option<Self> {
        let pattern = rule.pattern.bytes();
        if pattern.is_empty() && !policy.empty_pattern {
            return None;
        }
        let start = text.len();
        let classes = append(text, pattern, policy.pattern, Role::Pattern(policy.specials()));
        let bytes = text.get(start..).unwrap_or_default();
        let anchored = policy.wildcards && bytes.last() == Some(&b'$');
        Some(Self { start, classes, anchored })
    }

    /// Appends the pattern of the directory, if this is the pattern of an index page that also allows its directory.
    pub(crate) fn append_directory(self, text: &mut Vec<u8>) -> Option<Self> {
        let directory = directory_len(self.bytes(text))?;
        let start = text.len();
        text.extend_from_within(self.start..self.start + directory);
        text.push(b'$');
        let classes = ByteSet::of(text.get(start..).unwrap_or_default());
        Some(Self { start, classes, anchored: true })
    }

    /// Returns the pattern with its special `$`. It ends where `text` ends.
    #[inline]
    pub(crate) fn bytes(self, text: &[u8]) -> &[u8] {
        text.get(self.start..).expect("the text only becomes longer")
    }
}

/// Returns the length of the directory in the pattern of an index page, in bytes.
fn directory_len(pattern: &[u8]) -> Option<usize> {
    let slash = memchr::memrchr(b'/', pattern)?;
    pattern.get(slash + 1..)?.starts_with(b"index.htm").then_some(slash + 1)
}
