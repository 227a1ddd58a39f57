//! The compiler: brings patterns into their canonical form and collects them.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem::take;

use robots_groups::syntax::{Effect, Lines, Rule};
use robots_groups::{Crawler, RuleSelector, Selected, SelectionBasis};

use crate::pattern::byte_set::ByteSet;
use crate::pattern::canonical::{OneSided, Role, append, with_encoded_bytes, with_equal_bytes};
use crate::policy::MatchPolicy;
use crate::profile::Profile;
use crate::rule_set::scan::Scan;
use crate::rule_set::table::{COUNTS, Drafts, Entry, Filter, PlacedEntry, stem, to_u32};

/// Collects the rules of a rule set.
pub(crate) struct Compiler<'p> {
    policy: &'p MatchPolicy,
    patterns: Drafts,
    lengths: Vec<(u32, u32)>,
    as_written: Vec<(u32, Box<[u8]>)>,
    either: Vec<(u32, EitherComponent)>,
}

impl<'p> Compiler<'p> {
    pub(crate) const fn new(policy: &'p MatchPolicy) -> Self {
        Self {
            policy,
            patterns: Drafts::NONE,
            lengths: Vec::new(),
            as_written: Vec::new(),
            either: Vec::new(),
        }
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
        self.lengths.clear();
        self.as_written.clear();
        self.either.clear();
    }

    /// Adds the canonical patterns of a rule.
    #[inline]
    pub(crate) fn add(&mut self, rule: &Rule<'_>) {
        let Some(pattern) = CanonicalPattern::append(rule, self.policy, &mut self.patterns.text) else {
            return;
        };
        let pattern =
            if pattern.may_have_equal_bytes(self.policy) { self.equalize(pattern) } else { pattern };
        self.push(rule, pattern);
        if self.policy.index_page_allows_directory && rule.effect == Effect::Allow {
            self.add_directory(rule, pattern);
        }
    }

    /// Decodes the bytes of the last pattern that are equal to their encodings, and keeps its other forms.
    #[inline(never)]
    fn equalize(&mut self, pattern: CanonicalPattern) -> CanonicalPattern {
        let id = to_u32(self.patterns.entries.len());
        let text = &mut self.patterns.text;
        let (as_written, pattern, either) = pattern.with_equal_bytes(self.policy, text);
        if let Some(as_written) = as_written {
            self.as_written.push((id, as_written.into_boxed_slice()));
        }
        if !either.is_empty() {
            let pattern = with_encoded_bytes(pattern.bytes(text), either, self.policy.wildcards);
            self.either.push((id, EitherComponent { encoded: either, pattern: pattern.into_boxed_slice() }));
        }
        pattern
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
            self.lengths.push((id, to_u32(span.len())));
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
        let Self { policy: _, patterns, lengths, as_written, either } = self;
        let exceptions = Exceptions {
            lengths: lengths.into_boxed_slice(),
            as_written: as_written.into_boxed_slice(),
            either: either.into_boxed_slice(),
        };
        Compiled { patterns, exceptions }
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
}

/// The properties that only some patterns have, in the order of their indexes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Exceptions {
    /// The lengths in the file of the patterns whose canonical form has a different length: index and length in bytes.
    pub(crate) lengths: Box<[(u32, u32)]>,
    /// The patterns in which reserved bytes were decoded: index, and the canonical form without that.
    pub(crate) as_written: Box<[(u32, Box<[u8]>)]>,
    /// The patterns with encoded bytes that are equal to themselves in one component only, where they are compared in either.
    pub(crate) either: Box<[(u32, EitherComponent)]>,
}

/// A pattern whose encoded bytes are compared in either component of a URL.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct EitherComponent {
    /// The bytes.
    pub(crate) encoded: OneSided,
    /// The pattern that matches a path in which these bytes are encoded, with its special `$`.
    pub(crate) pattern: Box<[u8]>,
}

impl Exceptions {
    /// Returns these, if there are any.
    pub(crate) fn shared(self) -> Option<Arc<Self>> {
        let is_empty = self.lengths.is_empty() && self.as_written.is_empty() && self.either.is_empty();
        if is_empty { None } else { Some(Arc::new(self)) }
    }

    /// Gives patterns the indexes that they have in a new order, which lists the old ones.
    pub(crate) fn reorder(&mut self, order: &[u16]) {
        let Self { lengths, as_written, either } = self;
        if lengths.is_empty() && as_written.is_empty() && either.is_empty() {
            return;
        }
        reorder(lengths, order);
        reorder(as_written, order);
        reorder(either, order);
    }

    /// Returns the bytes that these have on the heap, themselves and the counts of their owners included.
    pub(crate) fn memory(&self) -> usize {
        let Self { lengths, as_written, either } = self;
        let texts: usize = as_written.iter().map(|(_, pattern)| pattern.len()).sum();
        let others: usize = either.iter().map(|(_, other)| other.pattern.len()).sum();
        let lists = size_of_val(&**lengths) + size_of_val(&**as_written) + size_of_val(&**either);
        COUNTS + size_of_val(self) + lists + texts + others
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

    /// Returns whether reserved bytes may be encoded that are equal to their encodings.
    #[inline]
    pub(crate) fn may_have_equal_bytes(&self, policy: &MatchPolicy) -> bool {
        policy.may_have_equal_bytes(policy.pattern, self.classes.may_change())
    }

    /// Decodes the bytes that are equal to their encodings, at the end of `text`. Returns the pattern as it was, if it changes,
    /// the pattern, and its bytes that are compared in either component.
    pub(crate) fn with_equal_bytes(
        self,
        policy: &MatchPolicy,
        text: &mut Vec<u8>,
    ) -> (Option<Vec<u8>>, Self, OneSided) {
        let (decoded, either) = with_equal_bytes(self.bytes(text), policy.wildcards);
        let Some(decoded) = decoded else { return (None, self, either) };
        let as_written = text.split_off(self.start);
        text.extend_from_slice(&decoded);
        let classes = policy.pattern.byte_set(&decoded, Role::Pattern(policy.specials()));
        (Some(as_written), Self { classes, ..self }, either)
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
