//! From rules to a rule set.

use alloc::boxed::Box;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Rule};

use crate::pattern::byte_set::ByteSet;
use crate::pattern::canonical::{Role, append, with_decoded_query};
use crate::policy::MatchPolicy;
use crate::rule_set::table::{Entry, Patterns, short};

/// Rules on their way into a rule set.
pub(crate) struct Compiler<'p> {
    policy: &'p MatchPolicy,
    text: Vec<u8>,
    entries: Vec<Entry>,
    written: Vec<(u32, u32)>,
    /// The entries with a `?` in their pattern.
    queries: Vec<u32>,
}

impl<'p> Compiler<'p> {
    pub(crate) const fn new(policy: &'p MatchPolicy) -> Self {
        Self { policy, text: Vec::new(), entries: Vec::new(), written: Vec::new(), queries: Vec::new() }
    }

    /// Makes room for what a file of `octets` probably holds. Of a long one less may be read, and more room is found as it
    /// is needed.
    pub(crate) fn reserve(&mut self, octets: usize) {
        let octets = octets.min(500 * 1024);
        let rules = octets / 24 + 4;
        self.text.reserve(octets);
        self.entries.reserve(rules);
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.entries.clear();
        self.written.clear();
        self.queries.clear();
    }

    /// Adds what a rule becomes.
    #[inline]
    pub(crate) fn add(&mut self, rule: &Rule<'_>) {
        let mut text = core::mem::take(&mut self.text);
        bring_into_form(rule, self.policy, &mut text, |form| self.push(rule, form));
        self.text = text;
    }

    fn push(&mut self, rule: &Rule<'_>, InForm { pattern, start, classes, anchored }: InForm<'_>) {
        let mut line = short(rule.line()) & Entry::LINE;
        if rule.effect == Effect::Disallow {
            line |= Entry::DISALLOW;
        }
        if anchored {
            line |= Entry::ANCHORED;
        }
        if classes.has_star() && self.policy.wildcards {
            line |= Entry::WILD;
        }
        let id = short(self.entries.len());
        let span = rule.pattern.span();
        if span.len() != pattern.len() {
            line |= Entry::RESIZED;
            self.written.push((id, short(span.len())));
        }
        if classes.has_query() {
            self.queries.push(id);
        }
        self.entries.push(Entry { text: short(start), span: short(span.start()), line });
    }

    pub(crate) const fn policy(&self) -> &'p MatchPolicy {
        self.policy
    }

    /// Returns the compiled patterns, and what belongs to some of them only.
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

/// A pattern in its form.
pub(crate) struct InForm<'t> {
    /// With a special `$`.
    pub(crate) pattern: &'t [u8],
    /// Where it stands in the text.
    pub(crate) start: usize,
    pub(crate) classes: ByteSet,
    /// Whether it ends with a special `$`.
    pub(crate) anchored: bool,
}

/// Appends what the pattern of a rule becomes, and hands it on: nothing if it is empty and matches nothing, two patterns
/// if it is for an index page that is its directory.
#[inline]
pub(crate) fn bring_into_form(
    rule: &Rule<'_>,
    policy: &MatchPolicy,
    text: &mut Vec<u8>,
    mut each: impl FnMut(InForm<'_>),
) {
    let pattern = rule.pattern.bytes();
    if pattern.is_empty() && !policy.empty_pattern {
        return;
    }
    let start = text.len();
    let classes = append(text, pattern, policy.pattern, Role::Pattern(policy.specials()));
    let pattern = text.get(start..).unwrap_or_default();
    let anchored = policy.wildcards && pattern.last() == Some(&b'$');
    each(InForm { pattern, start, classes, anchored });
    if policy.index_page_allows_directory && rule.effect == Effect::Allow {
        if let Some(directory) = directory_of_index(pattern) {
            let second = text.len();
            text.extend_from_within(start..start + directory);
            text.push(b'$');
            let pattern = text.get(second..).unwrap_or_default();
            each(InForm { pattern, start: second, classes: ByteSet::of(pattern), anchored: true });
        }
    }
}

/// How many octets of the pattern of an index page are its directory.
fn directory_of_index(pattern: &[u8]) -> Option<usize> {
    let slash = memchr::memrchr(b'/', pattern)?;
    pattern.get(slash + 1..)?.starts_with(b"index.htm").then_some(slash + 1)
}
