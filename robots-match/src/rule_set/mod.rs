//! The rules for one crawler, compiled.

mod compile;
pub(crate) mod one_shot;
pub(crate) mod prefix;
mod scan;
mod search;
mod substring;
mod table;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

use robots_groups::syntax::{Effect, Rule, Span};
use robots_groups::{Crawler, Selection, SelectionBasis};

use crate::pattern::byte_set::{ByteSet, may_change};
use crate::pattern::canonical::{
    OneSided, Role, canonical, classified, classified_with, with_encoded_bytes, with_equal_bytes,
};
use crate::policy::{MatchPolicy, Precedence, ReservedBytes};
use crate::profile::Profile;
use crate::rule_set::compile::{
    Compiled, Compiler, EitherComponent, Exceptions, ROBOTS_TXT, compiled, is_robots_txt,
};
use crate::rule_set::scan::Scan;
use crate::rule_set::search::Index;
use crate::rule_set::table::{Entry, Kind, Rank, Table, stem};
use crate::url_text::path_in;
use crate::verdict::{DecidingRule, Reason, Verdict};

/// The rules for one crawler, compiled: checked for many URLs, shared between threads, kept in caches.
///
/// A rule set owns its patterns in their canonical form. A copy shares them, so cloning takes constant time and allocates
/// nothing. Equal files compile to equal rule sets.
///
/// # Memory
///
/// The canonical patterns plus 12 bytes per rule, and about 70 bytes per set, in one block of memory that copies share. A rule
/// takes up to 14 bytes if its pattern has a `*` before its end, no `/` as the first byte, or fewer than five bytes without a
/// `*` or `$`.
///
/// Sets larger than [`RuleSet::MAX_SCANNED`], whose block would have more than 64 KiB, or with lines after line 65,535 have an
/// index: the canonical patterns plus 40 bytes per rule, and for each pattern with a `*` among its first two
/// characters, or without a `/` as the first, 20 bytes plus up to 20 if there are many of them.
///
/// Patterns whose length differs from that in the file take 8 bytes more, and those with encoded reserved bytes another copy, or
/// two. A set that has an index and such patterns has a second index of all rules.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RuleSet {
    patterns: Index,
    exceptions: Option<Arc<Exceptions>>,
    /// Whether encoded bytes of a pattern are compared in either component of a URL.
    has_either: bool,
    basis: SelectionBasis,
    policy: MatchPolicy,
}

impl RuleSet {
    /// The number of rules up to which a set is scanned; larger sets are indexed.
    pub const MAX_SCANNED: usize = Scan::MOST;

    /// Compiles the rules of the groups that apply to a crawler.
    ///
    /// # Complexity
    ///
    /// O(*n* + *r* log *r*) for *r* rules with *n* bytes.
    ///
    /// # Panics
    ///
    /// If there are more rules than one file can have: 2^28 of them, or 4 GiB of patterns in their canonical form. Only
    /// groups that were formed from the lines of many files can have that many.
    #[must_use]
    pub fn compile(selection: &Selection<'_, '_>, policy: &MatchPolicy) -> Self {
        Self::from_rules(selection.rules(), selection.basis(), policy)
    }

    /// Compiles the rules for a crawler from a whole file.
    ///
    /// # Complexity
    ///
    /// O(*n* + *r* log *r*) for *n* bytes and *r* rules.
    ///
    /// ```
    /// use robots_match::{Crawler, Profile, RuleSet};
    ///
    /// let file = b"User-agent: *\nDisallow: /private\nAllow: /private/open\n";
    /// let rules = RuleSet::parse(file, &Crawler::new("ExampleBot")?, &Profile::RFC9309);
    /// assert!(!rules.check("/private/x").is_allowed());
    /// assert_eq!(rules.check("/private/open/x").line(), Some(3));
    /// # Ok::<(), robots_match::InvalidName>(())
    /// ```
    #[must_use]
    pub fn parse(file: &[u8], crawler: &Crawler, profile: &Profile) -> Self {
        let (compiler, basis) = compiled(file, crawler, profile);
        Self::from_compiler(compiler, basis)
    }

    pub(crate) fn from_rules<'a>(
        rules: impl Iterator<Item = Rule<'a>>,
        basis: SelectionBasis,
        policy: &MatchPolicy,
    ) -> Self {
        let mut compiler = Compiler::new(policy);
        rules.for_each(|rule| compiler.add(&rule));
        Self::from_compiler(compiler, basis)
    }

    fn from_compiler(compiler: Compiler<'_>, basis: SelectionBasis) -> Self {
        let policy = *compiler.policy();
        let Compiled { patterns, mut exceptions } = compiler.finish();
        let has_either = !exceptions.either.is_empty();
        let patterns = Index::new(patterns, policy.precedence, &mut exceptions);
        let exceptions = exceptions.shared();
        Self { patterns, exceptions, has_either, basis, policy }
    }

    /// Returns why the rules apply: groups name the crawler, groups are for every crawler, or there are none.
    #[must_use]
    pub const fn basis(&self) -> SelectionBasis {
        self.basis
    }

    /// Returns the number of rules. An index page that also allows its directory counts twice; patterns that match nothing
    /// do not count.
    #[must_use]
    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Returns whether the set has no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patterns.len() == 0
    }

    /// Returns how many bytes the rule set takes, the struct included, without what the allocator adds; see
    /// [Memory](Self#memory).
    #[must_use]
    pub fn memory(&self) -> usize {
        let exceptions = self.exceptions.as_deref().map_or(0, Exceptions::memory);
        size_of_val(self) + self.patterns.memory() + exceptions
    }

    /// Returns the policy under which the rules were compiled.
    #[must_use]
    pub const fn policy(&self) -> &MatchPolicy {
        &self.policy
    }

    /// Returns the rules in the order of precedence. Each call sorts them.
    #[doc(hidden)]
    #[must_use]
    pub fn compiled_rules(&self) -> Vec<CompiledRule<'_>> {
        self.in_order().map(|index| self.compiled_rule(index)).collect()
    }

    /// Returns the indexes of all patterns in the order of precedence.
    fn in_order(&self) -> impl Iterator<Item = usize> {
        self.sorted_by_key(|index| self.rank(index))
    }

    /// Returns the indexes of all patterns in the order of a key.
    fn sorted_by_key<K: Ord>(&self, key: impl Fn(usize) -> K) -> impl Iterator<Item = usize> {
        let mut order: Vec<usize> = (0..self.patterns.len()).collect();
        order.sort_unstable_by_key(|&index| key(index));
        order.into_iter()
    }

    /// Returns whether a path and query, or a whole URL, may be accessed: the first rule decides, in the order of precedence,
    /// whose pattern matches.
    ///
    /// A path begins with `/`, and is compared as it is. Of a URL, scheme, authority and fragment are removed as RFC 3986
    /// delimits them; nothing else is resolved or encoded. To ask about what a client requests for a text, parse it with
    /// `Target`. A URL without a path asks for `/`. Other texts, such as `private`, `example.com/a`, `mailto:a@example.com` and an
    /// empty text, are not allowed ([`Reason::NotUrl`]).
    ///
    /// A path that is in its canonical form is checked without an allocation, unless it has encoded reserved bytes, or the set has
    /// patterns such as `/*%2B`.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the path, plus the logarithm of the number of rules. For rules that begin with `*` or share a
    /// long prefix, at worst their number times the bytes of the path and of the rules. If reserved bytes of the path are
    /// encoded, the rules are searched twice, and those with such bytes once more: up to [`RuleSet::MAX_SCANNED`] rules are then
    /// compared one by one.
    ///
    /// ```
    /// use robots_match::{Crawler, Profile, RuleSet};
    ///
    /// let file = b"User-agent: *\nDisallow: /*.gif$\n";
    /// let rules = RuleSet::parse(file, &Crawler::new("ExampleBot")?, &Profile::RFC9309);
    /// assert_eq!(rules.check("/a.gif").to_string(), "disallowed by line 2");
    /// assert_eq!(rules.check("https://example.com/a.gif?x").to_string(), "allowed: no rule matches");
    /// assert!(!rules.check("example.com/a").is_allowed());
    /// # Ok::<(), robots_match::InvalidName>(())
    /// ```
    #[must_use]
    pub fn check(&self, url: impl AsRef<[u8]>) -> Verdict {
        self.check_bytes(url.as_ref())
    }

    // Not generic, so it is compiled once and in this crate.
    fn check_bytes(&self, url: &[u8]) -> Verdict {
        match url.first() {
            Some(b'/') => self.check_path(url),
            _ => self.check_other(url),
        }
    }

    #[inline]
    fn check_path(&self, path: &[u8]) -> Verdict {
        Verdict::new(match self.best(path) {
            Some(index) => Reason::Rule(self.rule(index)),
            None => self.without_rule(path),
        })
    }

    /// Does the same as [`Self::check`] for a text that is not a path.
    #[inline(never)]
    fn check_other(&self, url: &[u8]) -> Verdict {
        path_in(url, &self.policy).map_or(Verdict::new(Reason::NotUrl), |path| self.check_path(&path))
    }

    /// Returns whether a parsed URL may be accessed, by its path and query as the `url` crate writes them. That crate
    /// resolves dot segments.
    #[cfg(feature = "url")]
    #[must_use]
    pub fn check_url(&self, url: &url::Url) -> Verdict {
        self.check(crate::url_text::path_of_url(url))
    }

    /// Returns the compiled rule that decides about `path`, with its canonical pattern. Returns `None` where no rule decides;
    /// [`Self::check`] says why.
    #[doc(hidden)]
    #[must_use]
    pub fn deciding_rule(&self, path: impl AsRef<[u8]>) -> Option<CompiledRule<'_>> {
        self.best(path.as_ref()).map(|index| self.compiled_rule(index))
    }

    /// Returns the index of the rule that decides about `path`; [`Self::without_rule`] says why there is none.
    #[inline]
    fn best(&self, path: &[u8]) -> Option<usize> {
        let path = if path.is_empty() { b"/" } else { path };
        if self.is_empty() {
            return None;
        }
        if self.patterns.needs_no_set() && !may_change(path) {
            return self.best_of_canonical(path, ByteSet::ANY);
        }
        let classes = self.policy.path.byte_set(path, Role::Path);
        if classes.may_change() || self.policy.may_have_equal_bytes(self.policy.path, false) {
            self.best_of_changed(path, classes)
        } else {
            self.best_of_canonical(path, classes)
        }
    }

    /// Does the same as [`Self::best`] for a path that may not be in its canonical form.
    #[inline(never)]
    fn best_of_changed(&self, path: &[u8], classes: ByteSet) -> Option<usize> {
        let (path, classes) = classified_with(path, classes, self.policy.path, Role::Path);
        let may_differ = self.policy.may_have_equal_bytes(self.policy.path, classes.may_change());
        let decoded = if may_differ { with_equal_bytes(&path, false).0 } else { None };
        match decoded {
            None => self.best_of_canonical(&path, classes),
            Some(decoded) => {
                let best = self.best_of_canonical(&decoded, ByteSet::of(&decoded));
                self.best_as_written(&path, classes, best)
            }
        }
    }

    #[inline]
    fn best_of_canonical(&self, path: &[u8], classes: ByteSet) -> Option<usize> {
        if self.policy.robots_txt_always_allowed && is_robots_txt(path) {
            return None;
        }
        let best = self.patterns.best(path, classes, self.policy.precedence);
        if self.has_either { self.best_of_either(path, best) } else { best }
    }

    /// Returns the best of `best` and the patterns whose encoded bytes are compared in either component of `path`.
    #[inline(never)]
    fn best_of_either(&self, path: &[u8], mut best: Option<usize>) -> Option<usize> {
        if let Some(forms) = self.patterns.other_forms() {
            for (encoded, form) in &forms.either {
                if form.first().is_some_and(|first| self.takes_precedence(first, best)) {
                    let path = with_encoded_bytes(path, *encoded, false);
                    best = self.better(best, form.best(&path, ByteSet::of(&path)));
                }
            }
            return best;
        }
        let mut encoded: Vec<(OneSided, Vec<u8>)> = Vec::new();
        for (index, either) in self.exceptions.iter().flat_map(|exceptions| &exceptions.either) {
            let index = *index as usize;
            if !self.takes_precedence(index, best) {
                continue;
            }
            if !encoded.iter().any(|(bytes, _)| *bytes == either.encoded) {
                encoded.push((either.encoded, with_encoded_bytes(path, either.encoded, false)));
            }
            let path = encoded.iter().find(|(bytes, _)| *bytes == either.encoded);
            if path.is_some_and(|(_, path)| self.matches_as(index, &either.pattern, path)) {
                best = Some(index);
            }
        }
        best
    }

    /// Returns the best of `best` and the patterns that match a path as it is written. `path` has encoded bytes that are equal to
    /// themselves.
    fn best_as_written(&self, path: &[u8], classes: ByteSet, best: Option<usize>) -> Option<usize> {
        if let Some(form) = self.patterns.other_forms().and_then(|forms| forms.as_written.as_ref()) {
            return self.better(best, form.best(path, classes));
        }
        let has_other_form = |index: usize| self.other_form(index).is_some();
        let as_written = match self.patterns.best(path, classes, self.policy.precedence) {
            // Another form of this one is compared.
            Some(index) if has_other_form(index) => (0..self.len())
                .filter(|&index| !has_other_form(index) && self.patterns.matches(index, path))
                .min_by_key(|&index| self.rank(index)),
            found => found,
        };
        let mut best = self.better(best, as_written);
        for (index, pattern) in self.exceptions.iter().flat_map(|exceptions| &exceptions.as_written) {
            let index = *index as usize;
            if self.takes_precedence(index, best) && self.matches_as(index, pattern, path) {
                best = Some(index);
            }
        }
        best
    }

    /// Returns the better one of `best` and `other`.
    fn better(&self, best: Option<usize>, other: Option<usize>) -> Option<usize> {
        other.filter(|other| self.takes_precedence(*other, best)).or(best)
    }

    fn takes_precedence(&self, index: usize, best: Option<usize>) -> bool {
        best.is_none_or(|best| self.rank(index) < self.rank(best))
    }

    /// Returns whether another form of a pattern matches `path`.
    fn matches_as(&self, index: usize, pattern: &[u8], path: &[u8]) -> bool {
        let entry = self.patterns.entry(index);
        entry.matches(stem(pattern, entry.has(Entry::ANCHORED)), path)
    }

    /// Returns why `path`, which need not be in its canonical form, is allowed if no rule decides.
    // A reason that another function returns through memory would be copied.
    #[inline]
    fn without_rule(&self, path: &[u8]) -> Reason {
        // Each byte may be encoded.
        const LEN: usize = ROBOTS_TXT.len();
        let may_be_robots_txt =
            matches!(path, [b'/' | b'%', .., b't' | b'4']) && path.len() >= LEN && path.len() <= 3 * LEN;
        if self.policy.robots_txt_always_allowed && may_be_robots_txt && self.is_robots_txt(path) {
            return Reason::RobotsTxt;
        }
        if self.basis == SelectionBasis::None { Reason::NoGroup } else { Reason::NoRule }
    }

    #[inline(never)]
    fn is_robots_txt(&self, path: &[u8]) -> bool {
        is_robots_txt(&canonical(path, self.policy.path, Role::Path))
    }

    fn rank(&self, index: usize) -> Rank {
        self.patterns.rank(index, self.policy.precedence)
    }

    #[inline]
    fn rule(&self, index: usize) -> DecidingRule {
        let (entry, pattern) = self.patterns.get(index);
        DecidingRule::new(entry.effect(), entry.line_number(), self.span(index, entry, pattern.len()))
    }

    fn compiled_rule(&self, index: usize) -> CompiledRule<'_> {
        let DecidingRule { effect, line, span, .. } = self.rule(index);
        let (pattern, as_written) = (self.patterns.pattern(index), self.pattern_as_written(index));
        CompiledRule { effect, pattern, as_written, line, span }
    }

    /// Returns the position in the file of a pattern whose canonical form has `len` bytes.
    #[inline]
    fn span(&self, index: usize, entry: Entry, len: usize) -> Span {
        let len = if entry.has(Entry::RESIZED) {
            let lengths = self.exceptions.as_deref().map_or(&[][..], |exceptions| &exceptions.lengths);
            let at = lengths.binary_search_by_key(&index, |&(id, _)| id as usize).ok();
            let written = at.and_then(|at| lengths.get(at));
            written.expect("a resized pattern has its written length").1 as usize
        } else {
            len
        };
        let start = entry.span_start();
        Span::new(start, start + len)
    }

    /// Returns all patterns, in the order of precedence.
    pub(crate) fn parts(&self) -> Vec<RulePart<'_>> {
        self.in_order().map(|index| self.part(index)).collect()
    }

    /// Returns whether another rule set has the same rules and reads paths in the same way. Lines and places do not count.
    pub(crate) fn has_same_rules(&self, other: &Self) -> bool {
        let is_same = |(one, two): (usize, usize)| {
            let ((entry, pattern), (other, other_pattern)) =
                (self.patterns.get(one), other.patterns.get(two));
            pattern == other_pattern && entry.effect() == other.effect() && entry.kind() == other.kind()
        };
        self.policy == other.policy
            && self.len() == other.len()
            && self.in_order().zip(other.in_order()).all(is_same)
    }

    /// Returns the most comparisons of patterns with parts of a path that a verdict about `path` takes beside its search, which is one.
    /// Few of them are made, except in rule sets that have little besides patterns that are not found by their beginning.
    #[cfg(feature = "lint")]
    pub(crate) fn comparisons(&self, path: &[u8]) -> usize {
        1 + self.patterns.compared() * (1 + path.len() / 16)
    }

    /// Returns the number of bytes of all patterns.
    pub(crate) fn pattern_bytes(&self) -> usize {
        (0..self.len()).map(|index| self.patterns.pattern_len(index)).sum()
    }

    /// Returns the first pattern of each line, in the order of the lines. If several files were read as one, their lines with
    /// the same number count as one line.
    pub(crate) fn rules_by_line(&self) -> Vec<CompiledRule<'_>> {
        let place = |index| (self.patterns.entry(index).line_number(), self.patterns.place(index));
        let mut rules: Vec<CompiledRule<'_>> =
            self.sorted_by_key(place).map(|index| self.compiled_rule(index)).collect();
        rules.dedup_by_key(|rule| rule.line);
        rules
    }

    fn part(&self, index: usize) -> RulePart<'_> {
        let entry = self.patterns.entry(index);
        let anchored = entry.has(Entry::ANCHORED);
        let rule = self.rule(index);
        let pattern = self.patterns.pattern(index);
        RulePart {
            stem: stem(self.pattern_as_written(index), anchored),
            equal: (self.policy.reserved == ReservedBytes::Equal).then(|| self.patterns.stem(index)),
            either: self.either(index).map(|either| (either.encoded, stem(&either.pattern, anchored))),
            anchored,
            wild: entry.has(Entry::WILD),
            allows: rule.effect == Effect::Allow || rule.span.is_empty(),
            line: rule.line,
            precedence: match self.policy.precedence {
                Precedence::MostBytes => (Reverse(pattern.len()), rule.effect == Effect::Disallow, 0),
                Precedence::First => (Reverse(0), false, self.patterns.place(index)),
            },
        }
    }

    /// Returns a pattern in its canonical form, with reserved bytes as they are written.
    fn pattern_as_written(&self, index: usize) -> &[u8] {
        self.other_form(index).unwrap_or_else(|| self.patterns.pattern(index))
    }

    /// Returns a pattern with reserved bytes as they are written, if that differs.
    fn other_form(&self, index: usize) -> Option<&[u8]> {
        let all = &self.exceptions.as_deref()?.as_written;
        let at = all.binary_search_by_key(&index, |&(id, _)| id as usize).ok()?;
        all.get(at).map(|(_, pattern)| &**pattern)
    }

    /// Returns the form of a pattern whose encoded bytes are compared in either component.
    fn either(&self, index: usize) -> Option<&EitherComponent> {
        let all = &self.exceptions.as_deref()?.either;
        let at = all.binary_search_by_key(&index, |&(id, _)| id as usize).ok()?;
        all.get(at).map(|(_, either)| either)
    }

    /// Returns the verdict that a rule set without the rule of a line would return.
    ///
    /// # Complexity
    ///
    /// That of [`Self::check`], plus one comparison of lengths for each pattern. If reserved bytes of the path are encoded, or
    /// encoded bytes of a pattern are compared in either component, the path is compared with every pattern.
    pub(crate) fn check_without(&self, path: &[u8], line: usize) -> Verdict {
        let verdict = self.check(path);
        let Some(index) = self.best(path).filter(|_| verdict.line() == Some(line)) else {
            return verdict;
        };
        let (path, classes) = classified(path, self.policy.path, Role::Path);
        let decoded = match self.policy.reserved {
            ReservedBytes::Equal => with_equal_bytes(&path, false).0,
            ReservedBytes::AsWritten => None,
        };
        let is_searched = decoded.is_none() && !self.has_either;
        let searched = is_searched
            .then(|| self.patterns.best_without(&path, classes, self.policy.precedence, line))
            .flatten();
        let best = match searched {
            Some(best) => self.best_or_twin(best, index),
            None => self.best_without(&path, decoded.as_deref(), line),
        };
        Verdict::new(match best {
            Some(best) => Reason::Rule(self.rule(best)),
            None if self.basis == SelectionBasis::None => Reason::NoGroup,
            None => Reason::NoRule,
        })
    }

    /// Returns the best of `best` and the patterns of other lines with the text of `index`, which matches the path. The index
    /// has all patterns with a `*`.
    fn best_or_twin(&self, best: Option<usize>, index: usize) -> Option<usize> {
        let (entry, stem) = (self.patterns.entry(index), self.patterns.stem(index));
        if entry.kind() == Kind::Wild {
            return best;
        }
        let is_twin = |other: &usize| {
            self.patterns.stem(*other) == stem
                && self.patterns.entry(*other).kind() == entry.kind()
                && self.patterns.entry(*other).has(Entry::ANCHORED) == entry.has(Entry::ANCHORED)
                && self.patterns.entry(*other).line_number() != entry.line_number()
        };
        (0..self.patterns.len()).filter(is_twin).chain(best).min_by_key(|&index| self.rank(index))
    }

    /// Compares a path with every pattern that is not in a line. `decoded` is the path with its bytes that are equal to their
    /// encodings, if it differs.
    fn best_without(&self, path: &[u8], decoded: Option<&[u8]>, line: usize) -> Option<usize> {
        let equal = decoded.unwrap_or(path);
        let mut best: Option<(Rank, usize)> = None;
        for index in 0..self.patterns.len() {
            let rank = self.rank(index);
            if self.patterns.entry(index).line_number() == line || best.is_some_and(|(best, _)| best < rank) {
                continue;
            }
            let matches = self.patterns.matches(index, equal)
                || decoded.is_some() && self.matches_as(index, self.pattern_as_written(index), path)
                || self.either(index).is_some_and(|either| {
                    let path = with_encoded_bytes(equal, either.encoded, false);
                    self.matches_as(index, &either.pattern, &path)
                });
            if matches {
                best = Some((rank, index));
            }
        }
        best.map(|(_, index)| index)
    }
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleSet")
            .field("basis", &self.basis)
            .field("rules", &self.compiled_rules())
            .finish_non_exhaustive()
    }
}

/// One pattern of a rule set.
#[derive(Clone, Copy)]
pub(crate) struct RulePart<'r> {
    /// The canonical pattern, with reserved bytes as they are written, without its special `$`.
    pub(crate) stem: &'r [u8],
    /// The pattern with reserved bytes decoded that are equal to their encodings, if the policy says that they are.
    pub(crate) equal: Option<&'r [u8]>,
    /// The pattern that is compared with a path in which some bytes are encoded, if there is one.
    pub(crate) either: Option<(OneSided, &'r [u8])>,
    /// Whether the pattern ends with a special `$`.
    pub(crate) anchored: bool,
    /// Whether each `*` in the pattern is special.
    pub(crate) wild: bool,
    /// Whether paths are allowed for which the pattern decides.
    pub(crate) allows: bool,
    /// The number of the line, from 1.
    pub(crate) line: usize,
    /// The precedence: of two patterns, the one with the lower number decides. Patterns with the same number have the same
    /// effect, so it does not matter which of them decides.
    pub(crate) precedence: (Reverse<usize>, bool, usize),
}

/// A rule as it was compiled.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CompiledRule<'r> {
    /// Whether the rule allows or disallows.
    pub effect: Effect,
    /// The pattern in its canonical form, whose length decides about precedence.
    pub pattern: &'r [u8],
    /// The pattern in its canonical form, with reserved bytes as they are written.
    pub as_written: &'r [u8],
    /// The number of the rule's line, from 1.
    pub line: usize,
    /// The position of the pattern in the file, in bytes.
    pub span: Span,
}

impl fmt::Debug for CompiledRule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {:?}", self.line, self.effect, self.pattern.escape_ascii(), self.span)
    }
}
