//! One path, checked in one pass over a file.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Lines, Rule};
use robots_groups::{Crawler, RuleSelector, Selected, SelectionBasis};

use crate::pattern::byte_set::ByteSet;
use crate::pattern::canonical::{Role, classified, stays, with_decoded_query};
use crate::pattern::matching;
use crate::profile::Profile;
use crate::rule_set::compile::{bring_into_form, is_robots_txt, query_at};
use crate::rule_set::prefix::common_len;
use crate::rule_set::table::Rank;
use crate::verdict::{DecidingRule, Reason, Verdict};

/// Returns the verdict of the rule set of `file`, without compiling it. An empty path is that of the root.
///
/// Each rule is compared with the path as it is read, and most rules are settled by their first bytes.
pub(crate) fn check(file: &[u8], crawler: &Crawler, path: &[u8], profile: &Profile) -> Verdict {
    let mut asked = Asked::new(if path.is_empty() { b"/" } else { path }, profile);
    let lines = Lines::new(file, &profile.syntax).of_groups();
    let mut selector = RuleSelector::new(lines, crawler, &profile.groups);
    let mut best: Option<(Rule<'_>, Rank)> = None;
    for selected in selector.by_ref() {
        match selected {
            Selected::Restart => best = None,
            Selected::Rule(rule) if asked.plainly_misses(&rule) => {}
            Selected::Rule(rule) => asked.compare(&rule, &mut best),
        }
    }
    Verdict::new(match best {
        _ if profile.matching.robots_txt_always_allowed && is_robots_txt(&asked.path) => Reason::RobotsTxt,
        Some((rule, _)) => Reason::Rule(DecidingRule::new(rule.effect, rule.line(), rule.pattern.span())),
        None if selector.basis() == SelectionBasis::None => Reason::NoGroup,
        None => Reason::NoRule,
    })
}

/// The path to check.
struct Asked<'p> {
    profile: &'p Profile,
    path: Cow<'p, [u8]>,
    /// The path with its query decoded, if that differs.
    decoded: Option<Vec<u8>>,
    classes: ByteSet,
    /// Whether the path contains no `*`, `$` or `%`, which may be special in a pattern.
    is_plain: bool,
    /// A buffer for canonical patterns.
    text: Vec<u8>,
}

impl<'p> Asked<'p> {
    fn new(path: &'p [u8], profile: &'p Profile) -> Self {
        let policy = &profile.matching;
        let (path, classes) = classified(path, policy.path, Role::Path);
        let query = if policy.decoded_query { query_at(&path) } else { None };
        let decoded = query.and_then(|at| with_decoded_query(&path, at));
        let is_plain = memchr::memchr3(b'*', b'$', b'%', &path).is_none();
        Self { profile, path, decoded, classes, is_plain, text: Vec::new() }
    }

    /// Returns whether the pattern differs from the path before its first special character.
    #[inline]
    fn plainly_misses(&self, rule: &Rule<'_>) -> bool {
        let policy = &self.profile.matching;
        let pattern = rule.pattern.bytes();
        // The bytes before are those of the path.
        let differs = pattern.get(common_len(pattern, &self.path));
        let stays = differs.is_some_and(|&octet| stays(octet, policy.pattern, policy.specials()));
        // An index page may also allow its directory.
        let is_whole = !policy.index_page_allows_directory || rule.effect == Effect::Disallow;
        self.is_plain && stays && is_whole
    }

    /// Compares a rule with the path, and keeps it as the best if it matches and takes precedence.
    fn compare<'f>(&mut self, rule: &Rule<'f>, best: &mut Option<(Rule<'f>, Rank)>) {
        let policy = &self.profile.matching;
        self.text.clear();
        bring_into_form(rule, policy, &mut self.text, |form| {
            let rank = policy.precedence.rank(form.pattern.len(), rule.effect, rule.line());
            if best.is_some_and(|(_, best)| rank >= best) {
                return;
            }
            let is_wild = form.classes.has_star() && policy.wildcards;
            let matches = |pattern: &[u8], path: &[u8]| {
                let stem = pattern.get(..pattern.len() - usize::from(form.anchored)).unwrap_or_default();
                match (is_wild, form.anchored) {
                    (true, anchored) => matching::matches(stem, anchored, path),
                    (false, true) => stem == path,
                    (false, false) => path.starts_with(stem),
                }
            };
            let matches_decoded = || {
                let both = policy.decoded_query && self.classes.has_query();
                let Some(query) = query_at(form.pattern).filter(|_| both) else { return false };
                match (with_decoded_query(form.pattern, query), &self.decoded) {
                    (None, None) => false,
                    (pattern, path) => matches(
                        pattern.as_deref().unwrap_or(form.pattern),
                        path.as_deref().unwrap_or(&self.path),
                    ),
                }
            };
            let may_match = form.classes.may_all_be_in(self.classes);
            if may_match && matches(form.pattern, &self.path) || matches_decoded() {
                *best = Some((*rule, rank));
            }
        });
    }
}
