//! The compiler: brings patterns into their canonical form and collects them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Rule};

use crate::pattern::byte_set::ByteSet;
use crate::pattern::canonical::{Role, append, with_decoded_query};
use crate::policy::MatchPolicy;
use crate::rule_set::table::{Entry, Patterns, to_u32};

/// Collects the rules of a rule set.
pub(crate) struct Compiler<'p> {
    policy: &'p MatchPolicy,
    text: Vec<u8>,
    entries: Vec<Entry>,
    written: Vec<(u32, u32)>,
    /// The ids of the patterns with a `?`.
    queries: Vec<u32>,
}

impl<'p> Compiler<'p> {
    pub(crate) const fn new(policy: &'p MatchPolicy) -> Self {
        Self { policy, text: Vec::new(), entries: Vec::new(), written: Vec::new(), queries: Vec::new() }
    }

    /// Reserves memory for the rules that a file of `len` bytes probably has. A file longer than
    /// 500 KiB counts as 500 KiB, because crawlers often read no more of it. More memory is allocated when it is needed.
    pub(crate) fn reserve(&mut self, len: usize) {
        let len = len.min(500 * 1024);
        let rules = len / 24 + 4;
        self.text.reserve(len);
        self.entries.reserve(rules);
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.entries.clear();
        self.written.clear();
        self.queries.clear();
    }

    /// Adds the canonical patterns of a rule.
    #[inline]
    pub(crate) fn add(&mut self, rule: &Rule<'_>) {
        let mut text = core::mem::take(&mut self.text);
        canonical_patterns(rule, self.policy, &mut text, |pattern| self.push(rule, pattern));
        self.text = text;
    }

    fn push(&mut self, rule: &Rule<'_>, pattern: CanonicalPattern<'_>) {
        let CanonicalPattern { bytes, start, classes, anchored } = pattern;
        let mut line = to_u32(rule.line()) & Entry::LINE;
        if rule.effect == Effect::Disallow {
            line |= Entry::DISALLOW;
        }
        if anchored {
            line |= Entry::ANCHORED;
        }
        if classes.has_star() && self.policy.wildcards {
            line |= Entry::WILD;
        }
        let id = to_u32(self.entries.len());
        let span = rule.pattern.span();
        if span.len() != bytes.len() {
            line |= Entry::RESIZED;
            self.written.push((id, to_u32(span.len())));
        }
        if classes.has_query() {
            self.queries.push(id);
        }
        self.entries.push(Entry { text: to_u32(start), span: to_u32(span.start()), line });
    }

    pub(crate) const fn policy(&self) -> &'p MatchPolicy {
        self.policy
    }

    /// Returns the compiled patterns, and the properties that only some of them have.
    pub(crate) fn finish(mut self) -> CompiledPatterns {
        let patterns = Patterns::new(self.text.into_boxed_slice(), self.entries.into_boxed_slice());
        if !self.policy.decoded_query {
            self.queries.clear();
        }
        let mut decoded = Vec::new();
        for &id in &self.queries {
            let pattern = patterns.pattern(id as usize);
            let other = query_at(pattern).and_then(|at| with_decoded_query(pattern, at));
            decoded.extend(other.map(|other| (id, other.into_boxed_slice())));
        }
        CompiledPatterns {
            written: self.written.into_boxed_slice(),
            decoded: decoded.into_boxed_slice(),
            has_queries: !self.queries.is_empty(),
            patterns,
        }
    }
}

/// Compiled patterns; the fields are those of a [`RuleSet`](crate::RuleSet).
pub(crate) struct CompiledPatterns {
    pub(crate) patterns: Patterns,
    pub(crate) written: Box<[(u32, u32)]>,
    pub(crate) decoded: Box<[(u32, Box<[u8]>)]>,
    pub(crate) has_queries: bool,
}

/// Returns the position of the `?` with which the query of a pattern or path begins.
pub(crate) fn query_at(pattern: &[u8]) -> Option<usize> {
    memchr::memchr(b'?', pattern)
}

#[inline]
pub(crate) fn is_robots_txt(path: &[u8]) -> bool {
    path == b"/robots.txt"
}

/// A pattern in its canonical form.
pub(crate) struct CanonicalPattern<'t> {
    /// The pattern with its special `$`.
    pub(crate) bytes: &'t [u8],
    /// Where the pattern starts in the text of all patterns.
    pub(crate) start: usize,
    pub(crate) classes: ByteSet,
    /// Whether the pattern ends with a special `$`.
    pub(crate) anchored: bool,
}

/// Appends the canonical patterns of a rule to `text`, and calls `each` for each of them. A rule has no patterns if its
/// pattern is empty and matches nothing, and two if its pattern is that of an index page that also allows its directory.
#[inline]
pub(crate) fn canonical_patterns(
    rule: &Rule<'_>,
    policy: &MatchPolicy,
    text: &mut Vec<u8>,
    mut each: impl FnMut(CanonicalPattern<'_>),
) {
    let pattern = rule.pattern.bytes();
    if pattern.is_empty() && !policy.empty_pattern {
        return;
    }
    let start = text.len();
    let classes = append(text, pattern, policy.pattern, Role::Pattern(policy.specials()));
    let bytes = text.get(start..).expect("`append` only adds to the text");
    let anchored = policy.wildcards && bytes.last() == Some(&b'$');
    each(CanonicalPattern { bytes, start, classes, anchored });
    if policy.index_page_allows_directory && rule.effect == Effect::Allow {
        if let Some(directory) = directory_len(bytes) {
            let second = text.len();
            text.extend_from_within(start..start + directory);
            text.push(b'$');
            let bytes = text.get(second..).expect("the text has become longer");
            each(CanonicalPattern { bytes, start: second, classes: ByteSet::of(bytes), anchored: true });
        }
    }
}

/// Returns the length of the directory in the pattern of an index page, in bytes.
fn directory_len(pattern: &[u8]) -> Option<usize> {
    let slash = memchr::memrchr(b'/', pattern)?;
    pattern.get(slash + 1..)?.starts_with(b"index.htm").then_some(slash + 1)
}
