//! The rules for one crawler, compiled.

mod compile;
mod index;
mod one_shot;
mod prefix;
mod scan;
mod substring;
mod table;

pub use one_shot::Answer;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use robots_groups::syntax::{Effect, Lines, Rule, Span};
use robots_groups::{Applicable, Basis, Crawler, Selection, Step};

use crate::pattern::byte_set::ByteSet;
use crate::pattern::canonical::{Role, canonical, classified, with_decoded_query};
use crate::policy::{Policy, RobotsTxt};
use crate::profile::Profile;
use crate::rule_set::compile::Drafts;
use crate::rule_set::index::Index;
use crate::rule_set::table::{Entry, Patterns, Rank};
use crate::url_text::path_of;
use crate::verdict::{Reason, Verdict};

/// The rules for one crawler, compiled: checked for many paths, shared between threads, kept in caches.
///
/// A rule set owns what it holds, and knows the form its paths take. Equal files make equal rule sets.
///
/// Held are the octets of the patterns in their form once and 36 octets for each rule. From 193 rules on it is 40, and for
/// each with a `*` at or right behind its start, or without a `/` there, 24, and up to 8 more where there are many of
/// them.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RuleSet {
    pub(crate) patterns: Patterns,
    pub(crate) index: Index,
    /// The lengths of those patterns, as written, whose form has another length: id, octets.
    pub(crate) written: Box<[(u32, u32)]>,
    /// The patterns whose query has another decoded form, with it.
    pub(crate) decoded: Box<[(u32, Box<[u8]>)]>,
    /// Whether a pattern has a query that also matches in its decoded form.
    pub(crate) has_queries: bool,
    pub(crate) basis: Basis,
    pub(crate) policy: Policy,
}

impl RuleSet {
    /// The rules of the groups that apply to a crawler. Time grows with their octets, and with the logarithm of their
    /// number.
    #[must_use]
    pub fn compile(selection: &Selection<'_, '_>, policy: &Policy) -> Self {
        Self::of(selection.rules(), selection.basis(), policy)
    }

    /// The rules of a whole file for a crawler.
    ///
    /// ```
    /// use robots_match::{Crawler, Profile, ProductToken, RuleSet};
    ///
    /// let file = b"User-agent: *\nDisallow: /private\nAllow: /private/open\n";
    /// let rules = RuleSet::read(file, &ProductToken::new("ExampleBot")?, &Profile::RFC9309);
    /// assert!(!rules.check(b"/private/x").is_allowed());
    /// assert_eq!(rules.check(b"/private/open/x").line(), Some(3));
    /// # Ok::<(), robots_match::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn read<'t>(file: &[u8], crawler: impl Into<Crawler<'t>>, profile: &Profile) -> Self {
        let lines = Lines::new(file, &profile.syntax).of_groups();
        let mut applicable = Applicable::new(lines, crawler, &profile.groups);
        let mut drafts = Drafts::new(&profile.matching);
        for step in applicable.by_ref() {
            match step {
                Step::Rule(rule) => drafts.add(&rule),
                Step::Anew => {
                    drafts.clear();
                    drafts.reserve(file.len());
                }
            }
        }
        drafts.compile(applicable.basis())
    }

    pub(crate) fn of<'a>(rules: impl Iterator<Item = Rule<'a>>, basis: Basis, policy: &Policy) -> Self {
        let mut drafts = Drafts::new(policy);
        rules.for_each(|rule| drafts.add(&rule));
        drafts.compile(basis)
    }

    /// Which groups the rules are from: those that name the crawler, those for all, or none.
    #[must_use]
    pub const fn basis(&self) -> Basis {
        self.basis
    }

    /// How many rules there are. An index page that also allows its directory counts twice, patterns that match
    /// nothing do not count.
    #[must_use]
    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patterns.len() == 0
    }

    /// The policy under which the rules were compiled.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The rules, in the order in which they prevail. Sorts them: for those who show rules, not for checks.
    #[must_use]
    pub fn rulings(&self) -> Vec<Ruling<'_>> {
        let mut order: Vec<usize> = (0..self.patterns.len()).collect();
        order.sort_by_key(|&index| self.rank(index));
        order.into_iter().map(|index| self.ruling(index)).collect()
    }

    /// Whether `path` (path and query, as sent) may be accessed, and which rule says so: the first, in the order of
    /// precedence, whose pattern matches. An empty path is that of the root.
    ///
    /// Nothing is allocated if the path is in its form already. Time grows with the octets of the path and the logarithm
    /// of the number of rules; for rules with `*` that may begin anywhere, at worst with their number times the octets
    /// of the path, and their own. A path whose query holds encoded delimiters is also held against each rule with a
    /// query.
    ///
    /// ```
    /// use robots_match::{ProductToken, Profile, RuleSet};
    ///
    /// let file = b"User-agent: *\nDisallow: /*.gif$\n";
    /// let rules = RuleSet::read(file, &ProductToken::new("ExampleBot")?, &Profile::RFC9309);
    /// assert_eq!(rules.check(b"/a.gif").to_string(), "disallowed by line 2");
    /// assert_eq!(rules.check(b"/a.gif?x").to_string(), "allowed, for no rule matches");
    /// # Ok::<(), robots_match::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn check(&self, path: &[u8]) -> Verdict<'_> {
        let path = if path.is_empty() { b"/" } else { path };
        if self.is_empty() {
            return Verdict::new(self.without_rule(path));
        }
        let classes = self.policy.path.byte_set(path, Role::Path);
        if classes.may_change() { self.check_changed(path) } else { self.check_in_form(path, classes) }
    }

    /// The same for a path that may not be in its form.
    #[cold]
    fn check_changed(&self, path: &[u8]) -> Verdict<'_> {
        let (path, classes) = classified(path, self.policy.path, Role::Path);
        self.check_in_form(&path, classes)
    }

    #[inline]
    fn check_in_form(&self, path: &[u8], classes: ByteSet) -> Verdict<'_> {
        if self.policy.robots_txt == RobotsTxt::Allowed && is_robots_txt(path) {
            return Verdict::new(Reason::RobotsTxt);
        }
        let mut best = self.index.best(path, classes, &self.patterns, self.policy.precedence);
        if self.has_queries && classes.has_query() {
            best = self.check_decoded(path, best);
        }
        Verdict::new(match best {
            Some(index) => Reason::Rule(self.ruling(index)),
            // There are rules, so a group applies.
            None => Reason::NoRule,
        })
    }

    /// Why `path` is allowed if no rule matches it, whatever form it is in.
    fn without_rule(&self, path: &[u8]) -> Reason<'_> {
        let may_be_robots_txt = path.len() == ROBOTS_TXT.len() || memchr::memchr(b'%', path).is_some();
        if self.policy.robots_txt == RobotsTxt::Allowed
            && may_be_robots_txt
            && is_robots_txt(&canonical(path, self.policy.path, Role::Path))
        {
            return Reason::RobotsTxt;
        }
        if self.basis == Basis::None { Reason::NoGroup } else { Reason::NoRule }
    }

    /// The same for a URL that is given as text; see [`path_of`].
    #[must_use]
    pub fn check_text(&self, url: &[u8]) -> Verdict<'_> {
        self.check(&path_of(url, &self.policy))
    }

    /// The same for a parsed URL: its path and query, as the `url` crate writes them. Mind that this crate resolves dot
    /// segments.
    #[cfg(feature = "url")]
    #[must_use]
    pub fn check_url(&self, url: &url::Url) -> Verdict<'_> {
        self.check(url[url::Position::BeforePath..url::Position::AfterQuery].as_bytes())
    }

    /// The rules whose query matches in its decoded form.
    fn check_decoded(&self, path: &[u8], mut best: Option<usize>) -> Option<usize> {
        let Some(query) = memchr::memchr(b'?', path) else { return best };
        let mut take = |index: usize, pattern: &[u8], path: &[u8]| {
            let entry = self.patterns.entry(index);
            let anchored = entry.has(Entry::ANCHORED);
            let stem = pattern.get(..pattern.len() - usize::from(anchored)).unwrap_or_default();
            let prevails = best.is_none_or(|best| self.rank(index) < self.rank(best));
            if prevails && entry.matches(stem, path) {
                best = Some(index);
            }
        };
        match with_decoded_query(path, query) {
            None => {
                for (index, other) in &self.decoded {
                    take(*index as usize, other, path);
                }
            }
            Some(other_path) => {
                let mut others = self.decoded.iter().peekable();
                for index in 0..self.patterns.len() {
                    let other =
                        others.next_if(|(other, _)| *other as usize == index).map(|(_, pattern)| &**pattern);
                    let pattern = other.unwrap_or_else(|| self.patterns.pattern(index));
                    if query_at(pattern).is_some() {
                        take(index, pattern, &other_path);
                    }
                }
            }
        }
        best
    }

    fn rank(&self, index: usize) -> Rank {
        self.patterns.rank(index, self.policy.precedence)
    }

    fn ruling(&self, index: usize) -> Ruling<'_> {
        let entry = self.patterns.entry(index);
        let pattern = self.patterns.pattern(index);
        let len = if entry.has(Entry::RESIZED) {
            let at = self.written.binary_search_by_key(&index, |&(entry, _)| entry as usize);
            at.ok().and_then(|at| self.written.get(at)).map_or(pattern.len(), |&(_, len)| len as usize)
        } else {
            pattern.len()
        };
        let start = entry.span as usize;
        Ruling {
            effect: entry.effect(),
            pattern,
            line: (entry.line & Entry::LINE) as usize,
            span: Span::new(start, start + len),
        }
    }
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleSet")
            .field("basis", &self.basis)
            .field("rulings", &self.rulings())
            .finish_non_exhaustive()
    }
}

const ROBOTS_TXT: &[u8; 11] = b"/robots.txt";

#[inline]
pub(crate) fn is_robots_txt(path: &[u8]) -> bool {
    path == ROBOTS_TXT
}

/// Where the query of a pattern begins, if a `?` stands in it.
pub(crate) fn query_at(pattern: &[u8]) -> Option<usize> {
    memchr::memchr(b'?', pattern)
}

/// A rule as it was compiled, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Ruling<'r> {
    /// Whether it allows or disallows.
    pub effect: Effect,
    /// The pattern in the form in which it is compared; its octets are counted for precedence.
    pub pattern: &'r [u8],
    /// The number of its line, from 1.
    pub line: usize,
    /// Where the pattern stands in the file, as it is written.
    pub span: Span,
}

impl fmt::Debug for Ruling<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {:?}", self.line, self.effect, self.pattern.escape_ascii(), self.span)
    }
}
