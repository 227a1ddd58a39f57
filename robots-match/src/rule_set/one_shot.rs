//! Checking one path in one pass over a file.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Lines, Rule};
use robots_groups::{Crawler, RuleSelector, Selected, SelectionBasis};

use crate::pattern::byte_set::ByteSet;
use crate::pattern::canonical::{Literals, Role, classified, with_encoded_bytes, with_equal_bytes};
use crate::pattern::matching::{self, common_len};
use crate::profile::Profile;
use crate::rule_set::compile::{CanonicalPattern, is_robots_txt};
use crate::rule_set::table::{Rank, stem};
use crate::url_text::path_in;
use crate::verdict::{DecidingRule, Reason, Verdict};

/// Returns the verdict that the rule set of `file` would return, without compiling it.
///
/// Each rule is compared with the path when it is read. The first bytes rule out most of them.
pub(crate) fn check(file: &[u8], crawler: &Crawler, url: &[u8], profile: &Profile) -> Verdict {
    let Some(path) = path_in(url, &profile.matching) else { return Verdict::new(Reason::NotUrl) };
    let mut checked = CheckedPath::new(&path, profile);
    let lines = Lines::new(file, &profile.syntax).of_groups();
    let mut selector = RuleSelector::new(lines, crawler, &profile.groups);
    let mut best: Option<(Rule<'_>, Rank)> = None;
    while let Some(selected) = selector.next_that(|effect, start| !checked.differs_at_start(effect, start)) {
        match selected {
            Selected::Restart => best = None,
            Selected::Rule(rule) if checked.differs_early(&rule) => {}
            Selected::Rule(rule) => checked.compare(&rule, &mut best),
        }
    }
    Verdict::new(match best {
        _ if profile.matching.robots_txt_always_allowed && is_robots_txt(&checked.path) => Reason::RobotsTxt,
        Some((rule, _)) => Reason::Rule(DecidingRule::new(rule.effect, rule.line(), rule.pattern.span())),
        None if selector.basis() == SelectionBasis::None => Reason::NoGroup,
        None => Reason::NoRule,
    })
}

/// The path to check.
struct CheckedPath<'p> {
    profile: &'p Profile,
    /// The path in its canonical form, with reserved bytes decoded that are equal to their encodings.
    path: Cow<'p, [u8]>,
    /// The path with reserved bytes as they are written, if that differs from `path`.
    as_written: Option<Cow<'p, [u8]>>,
    classes: ByteSet,
    /// Whether the first byte by which a pattern differs may decide: the path contains no `*`, `$` or `%`, which may be
    /// special in a pattern.
    is_plain: bool,
    /// The first eight bytes of the path, if it is plain and none of them can end a value.
    start: Option<u64>,
    literals: Literals,
    /// A buffer for canonical patterns.
    text: Vec<u8>,
}

impl<'p> CheckedPath<'p> {
    fn new(path: &'p [u8], profile: &'p Profile) -> Self {
        let policy = &profile.matching;
        let (path, classes) = classified(path, policy.path, Role::Path);
        let may_differ = policy.may_have_equal_bytes(policy.path, classes.may_change());
        let decoded = if may_differ { with_equal_bytes(&path, false).0 } else { None };
        let (path, classes, as_written) = match decoded {
            Some(decoded) => (Cow::Owned(decoded), classes, Some(path)),
            None => (path, classes, None),
        };
        let is_plain = as_written.is_none() && memchr::memchr3(b'*', b'$', b'%', &path).is_none();
        let start =
            path.first_chunk().filter(|start| is_plain && !start.iter().any(|byte| ends_value(*byte)));
        let start = start.map(|start| u64::from_le_bytes(*start));
        let literals = Literals::new(policy.pattern, policy.specials());
        Self { profile, path, as_written, classes, is_plain, start, literals, text: Vec::new() }
    }

    /// Returns whether a pattern differs from the path in its first eight bytes, before its first special character. `start`
    /// may be longer than the pattern: then, white space or a `#` follows the pattern.
    #[inline]
    fn differs_at_start(&self, effect: Effect, start: &[u8; 8]) -> bool {
        let Some(own) = self.start else { return false };
        let start = u64::from_le_bytes(*start);
        // The first byte that differs is the lowest one.
        let differs = (start ^ own).trailing_zeros() & !7;
        let byte = start.checked_shr(differs).unwrap_or_default() as u8;
        !ends_value(byte) && self.literals.has(byte) && !self.may_allow_directory(effect)
    }

    /// Returns whether the pattern differs from the path before its first special character.
    #[inline]
    fn differs_early(&self, rule: &Rule<'_>) -> bool {
        let pattern = rule.pattern.bytes();
        let differs = pattern.get(common_len(pattern, &self.path));
        self.is_plain
            && differs.is_some_and(|&byte| self.literals.has(byte))
            && !self.may_allow_directory(rule.effect)
    }

    /// Returns whether a rule for an index page also allows its directory.
    #[inline]
    fn may_allow_directory(&self, effect: Effect) -> bool {
        self.profile.matching.index_page_allows_directory && effect == Effect::Allow
    }

    /// Compares a rule with the path, and keeps it as the best if it matches and takes precedence.
    fn compare<'f>(&mut self, rule: &Rule<'f>, best: &mut Option<(Rule<'f>, Rank)>) {
        // A rule that repeats the best one does not take precedence.
        let repeats =
            |best: &Rule<'_>| best.effect == rule.effect && best.pattern.bytes() == rule.pattern.bytes();
        if best.as_ref().is_some_and(|(best, _)| repeats(best)) {
            return;
        }
        let policy = &self.profile.matching;
        self.text.clear();
        // Not copied out of the option: a copy reads what was just written in larger pieces, and waits for it.
        let pattern = CanonicalPattern::append(rule, policy, &mut self.text);
        let Some(pattern) = &pattern else { return };
        if pattern.may_have_equal_bytes(policy) {
            self.compare_equal(rule, *pattern, best);
            return;
        }
        self.compare_pattern(rule, pattern, None, best);
        self.compare_directory(rule, pattern, best);
    }

    /// Compares a rule whose pattern has a `%`, as [`Self::compare`] does.
    #[inline(never)]
    fn compare_equal<'f>(
        &mut self,
        rule: &Rule<'f>,
        pattern: CanonicalPattern,
        best: &mut Option<(Rule<'f>, Rank)>,
    ) {
        let policy = &self.profile.matching;
        let (as_written, pattern, either) = pattern.with_equal_bytes(policy, &mut self.text);
        self.compare_pattern(rule, &pattern, as_written.as_deref(), best);
        if !either.is_empty() {
            let encoded = |bytes: &[u8], wild| with_encoded_bytes(bytes, either, wild);
            let bytes = pattern.bytes(&self.text);
            let rank = policy.precedence.rank(bytes.len(), rule.effect, rule.line());
            if best.is_none_or(|(_, best)| rank < best)
                && self.matches(&pattern, &encoded(bytes, policy.wildcards), &encoded(&self.path, false))
            {
                *best = Some((*rule, rank));
            }
        }
        self.compare_directory(rule, &pattern, best);
    }

    /// Compares the directory that a rule for an index page also allows.
    fn compare_directory<'f>(
        &mut self,
        rule: &Rule<'f>,
        pattern: &CanonicalPattern,
        best: &mut Option<(Rule<'f>, Rank)>,
    ) {
        if self.may_allow_directory(rule.effect) {
            if let Some(directory) = pattern.append_directory(&mut self.text) {
                self.compare_pattern(rule, &directory, None, best);
            }
        }
    }

    /// Compares a pattern. `as_written` is the pattern with reserved bytes as they are written, if that differs.
    fn compare_pattern<'f>(
        &self,
        rule: &Rule<'f>,
        canonical: &CanonicalPattern,
        as_written: Option<&[u8]>,
        best: &mut Option<(Rule<'f>, Rank)>,
    ) {
        let policy = &self.profile.matching;
        let bytes = canonical.bytes(&self.text);
        let rank = policy.precedence.rank(bytes.len(), rule.effect, rule.line());
        if best.is_some_and(|(_, best)| rank >= best) {
            return;
        }
        let matches_as_written = || {
            self.as_written
                .as_deref()
                .is_some_and(|path| self.matches(canonical, as_written.unwrap_or(bytes), path))
        };
        let may_match = self.as_written.is_some() || canonical.classes.may_all_be_in(self.classes);
        if may_match && self.matches(canonical, bytes, &self.path) || matches_as_written() {
            *best = Some((*rule, rank));
        }
    }

    /// Returns whether a form of a pattern matches a form of the path.
    fn matches(&self, canonical: &CanonicalPattern, pattern: &[u8], path: &[u8]) -> bool {
        let is_wild = canonical.classes.has_star() && self.profile.matching.wildcards;
        let stem = stem(pattern, canonical.anchored);
        match (is_wild, canonical.anchored) {
            (true, anchored) => matching::matches(stem, anchored, path),
            (false, true) => stem == path,
            (false, false) => path.starts_with(stem),
        }
    }
}

/// Returns whether a byte can follow the value of a line: white space, a line end or the start of a comment.
#[inline]
const fn ends_value(byte: u8) -> bool {
    byte <= b' ' || byte == b'#'
}
