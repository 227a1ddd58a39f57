//! What a file says about one path.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use robots_groups::syntax::{Effect, Lines, Rule};
use robots_groups::{Applicable, Basis, Crawler, Step};

use crate::pattern::byte_set::ByteSet;
use crate::pattern::canonical::{Role, classified, stays, with_decoded_query};
use crate::pattern::matching;
use crate::policy::{IndexPage, Query, RobotsTxt};
use crate::profile::Profile;
use crate::rule_set::compile::bring_into_form;
use crate::rule_set::prefix::common_len;
use crate::rule_set::table::Rank;
use crate::rule_set::{is_robots_txt, query_at};

/// What a file says about one path: the answer of a [`RuleSet`](crate::RuleSet), which is not made for it.
///
/// Each rule is held against the path as it is read, and most need no more than a look at their first octets. For more
/// than one path, compile a rule set.
///
/// ```
/// use robots_match::{Answer, ProductToken, Profile};
///
/// let file = b"User-agent: *\nDisallow: /private\nAllow: /private/open\n";
/// let token = ProductToken::new("ExampleBot")?;
/// let answer = Answer::of(file, &token, b"/private/x", &Profile::RFC9309);
/// assert!(!answer.is_allowed());
/// assert_eq!(answer.rule().unwrap().pattern.bytes(), b"/private");
/// assert_eq!(answer.to_string(), "disallowed by line 2");
/// # Ok::<(), robots_match::InvalidToken>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<'f> {
    rule: Option<Rule<'f>>,
    basis: Basis,
    is_robots_txt: bool,
}

impl<'f> Answer<'f> {
    /// May the crawler access `path` (path and query, as sent)? An empty path is that of the root.
    ///
    /// Time grows with the octets of the file; for each rule that is not settled by its first octets, also with those of
    /// the path.
    #[must_use]
    pub fn of<'t>(file: &'f [u8], crawler: impl Into<Crawler<'t>>, path: &[u8], profile: &Profile) -> Self {
        let mut asked = Asked::new(if path.is_empty() { b"/" } else { path }, profile);
        let lines = Lines::new(file, &profile.syntax).of_groups();
        let mut applicable = Applicable::new(lines, crawler, &profile.groups);
        let mut best: Option<(Rule<'f>, Rank)> = None;
        for step in applicable.by_ref() {
            match step {
                Step::Anew => best = None,
                Step::Rule(rule) if asked.plainly_misses(&rule) => {}
                Step::Rule(rule) => asked.hold(&rule, &mut best),
            }
        }
        let is_robots_txt = profile.matching.robots_txt == RobotsTxt::Allowed && is_robots_txt(&asked.path);
        let rule = if is_robots_txt { None } else { best.map(|(rule, _)| rule) };
        Self { rule, basis: applicable.basis(), is_robots_txt }
    }

    /// Whether it may be accessed.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        match &self.rule {
            // A pattern without octets disallows nothing.
            Some(rule) => matches!(rule.effect, Effect::Allow) || rule.pattern.is_empty(),
            None => true,
        }
    }

    /// The rule that decided, as it stands in the file.
    #[must_use]
    pub const fn rule(&self) -> Option<Rule<'f>> {
        self.rule
    }

    /// The number of the line that decided, from 1.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.rule.map(|rule| rule.line())
    }

    /// Which groups the rules are from: those that name the crawler, those for all, or none.
    #[must_use]
    pub const fn basis(&self) -> Basis {
        self.basis
    }

    /// A short name for the reason: `rule`, `no-rule`, `no-group`, `robots-txt`, as [`Reason`](crate::Reason) has them.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match (&self.rule, self.basis) {
            _ if self.is_robots_txt => "robots-txt",
            (Some(_), _) => "rule",
            (None, Basis::None) => "no-group",
            (None, Basis::Named | Basis::Wildcard) => "no-rule",
        }
    }
}

/// As `disallowed by line 7`, or `allowed, for no rule matches`.
impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_allowed() { "allowed" } else { "disallowed" })?;
        match (&self.rule, self.basis) {
            _ if self.is_robots_txt => f.write_str(", for it is /robots.txt"),
            (Some(rule), _) => write!(f, " by line {}", rule.line()),
            (None, Basis::None) => f.write_str(", for no group applies"),
            (None, Basis::Named | Basis::Wildcard) => f.write_str(", for no rule matches"),
        }
    }
}

/// The path that is asked about.
struct Asked<'p> {
    profile: &'p Profile,
    path: Cow<'p, [u8]>,
    /// The path with its query decoded, where that is another.
    decoded: Option<Vec<u8>>,
    classes: ByteSet,
    /// Whether the path has nothing that may stand for something else in a pattern: no `*`, `$` or `%`.
    is_plain: bool,
    /// Where patterns are brought into their form.
    text: Vec<u8>,
}

impl<'p> Asked<'p> {
    fn new(path: &'p [u8], profile: &'p Profile) -> Self {
        let policy = &profile.matching;
        let (path, classes) = classified(path, policy.path, Role::Path);
        let query = if policy.query == Query::AlsoDecoded { query_at(&path) } else { None };
        let decoded = query.and_then(|at| with_decoded_query(&path, at));
        let is_plain = memchr::memchr3(b'*', b'$', b'%', &path).is_none();
        Self { profile, path, decoded, classes, is_plain, text: Vec::new() }
    }

    /// Whether the pattern differs from the path before it has anything that could stand for something else.
    #[inline]
    fn plainly_misses(&self, rule: &Rule<'_>) -> bool {
        let policy = &self.profile.matching;
        let pattern = rule.pattern.bytes();
        // The octets before are those of the path.
        let differs = pattern.get(common_len(pattern, &self.path));
        let stays = differs.is_some_and(|&octet| stays(octet, policy.pattern, policy.specials));
        // An index page may be its directory.
        let is_whole = policy.index_page == IndexPage::OwnPath || rule.effect == Effect::Disallow;
        self.is_plain && stays && is_whole
    }

    /// Holds a rule against the path. If it matches and prevails, it is the best.
    fn hold<'f>(&mut self, rule: &Rule<'f>, best: &mut Option<(Rule<'f>, Rank)>) {
        let policy = &self.profile.matching;
        self.text.clear();
        bring_into_form(rule, policy, &mut self.text, |form| {
            let rank = policy.precedence.rank(form.pattern.len(), rule.effect, rule.line());
            if best.is_some_and(|(_, best)| rank >= best) {
                return;
            }
            let is_wild = form.classes.has_star() && policy.has_specials();
            let matches = |pattern: &[u8], path: &[u8]| {
                let stem = pattern.get(..pattern.len() - usize::from(form.anchored)).unwrap_or_default();
                match (is_wild, form.anchored) {
                    (true, anchored) => matching::matches(stem, anchored, path),
                    (false, true) => stem == path,
                    (false, false) => path.starts_with(stem),
                }
            };
            let matches_decoded = || {
                let both = policy.query == Query::AlsoDecoded && self.classes.has_query();
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
