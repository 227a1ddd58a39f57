//! The rules of many crawlers, read once.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Rule};
use robots_groups::{Crawler, Groups, NameIndex, SelectionBasis};

use crate::policy::MatchPolicy;
use crate::robots::Robots;
use crate::rule_set::RuleSet;

/// The rules of many crawlers. Crawlers to which the same groups apply share one rule set, which is compiled on request.
///
/// Most files name few groups, so hundreds of crawlers have a handful of rule sets. A file can also give each of many crawlers
/// rules of many groups: then all rule sets together are larger than the file, and a caller should keep few of them, and limit
/// the work as a [`Comparer`](crate::Comparer) does.
///
/// ```
/// use robots_match::{Crawler, Document, Robots};
///
/// let body = "User-agent: a\nUser-agent: b\nDisallow: /x\nUser-agent: *\nDisallow: /\n";
/// let robots = Robots::new(body, Document::Rfc9309);
/// let crawlers = [Crawler::new("a")?, Crawler::new("b")?, Crawler::new("c")?];
/// let shared = robots.rules_for(&crawlers);
/// assert_eq!(shared.sets(), 2);
/// assert_eq!([0, 1, 2].map(|crawler| shared.set_of(crawler)), [0, 0, 1]);
/// assert!(!shared.rules(1).check("/").is_allowed());
/// # Ok::<(), robots_match::InvalidName>(())
/// ```
#[derive(Clone, Debug)]
pub struct SharedRules<'r> {
    groups: Groups<'r>,
    policy: MatchPolicy,
    sets: Vec<(SelectionBasis, Vec<usize>)>,
    of: Vec<usize>,
}

impl Robots {
    /// Selects the rules for many crawlers in one pass over the file.
    ///
    /// # Complexity
    ///
    /// O(*n* log *n*) for *n* bytes, and the names of the crawlers, each times the logarithm of the number of `user-agent` lines.
    #[must_use]
    pub fn rules_for<'c>(&self, crawlers: impl IntoIterator<Item = &'c Crawler>) -> SharedRules<'_> {
        let groups = self.groups();
        let index = NameIndex::new(&groups);
        let mut known = BTreeMap::new();
        let mut sets = Vec::new();
        let of = crawlers.into_iter().map(|crawler| {
            let selection = index.select(crawler);
            let basis = selection.basis();
            // Without a name, the same groups apply to all.
            let taken = match basis {
                SelectionBasis::Named => selection.indices().collect(),
                SelectionBasis::Wildcard | SelectionBasis::None => Vec::new(),
            };
            *known.entry((basis, taken)).or_insert_with(|| {
                sets.push((basis, selection.indices().collect()));
                sets.len() - 1
            })
        });
        let of = of.collect();
        SharedRules { groups, policy: self.profile().matching, sets, of }
    }
}

impl<'r> SharedRules<'r> {
    /// Returns the number of rule sets.
    #[must_use]
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// Returns which rule set a crawler has, both counted from 0, the crawlers in the order in which they were given.
    ///
    /// # Panics
    ///
    /// If there are not so many crawlers.
    #[must_use]
    pub fn set_of(&self, crawler: usize) -> usize {
        *self.of.get(crawler).expect("a crawler is counted among those that were given")
    }

    /// Compiles a rule set.
    ///
    /// # Panics
    ///
    /// If there are not so many rule sets.
    ///
    /// # Complexity
    ///
    /// O(*n* + *r* log *r*) for *r* rules with *n* bytes.
    #[must_use]
    pub fn rules(&self, set: usize) -> RuleSet {
        self.rules_without(set, &[])
    }

    /// Compiles a rule set without the rules of some lines.
    ///
    /// # Panics
    ///
    /// If there are not so many rule sets.
    #[must_use]
    pub fn rules_without(&self, set: usize, lines: &[usize]) -> RuleSet {
        let rules = self.rules_of(set).filter(|rule| !lines.contains(&rule.line()));
        RuleSet::from_rules(rules, self.basis(set), &self.policy)
    }

    /// Returns the indices of the groups of a rule set in the file, from 0.
    ///
    /// # Panics
    ///
    /// If there are not so many rule sets.
    pub fn applied(&self, set: usize) -> impl Iterator<Item = usize> {
        self.set(set).1.iter().copied()
    }

    /// Returns why the groups of a rule set apply.
    ///
    /// # Panics
    ///
    /// If there are not so many rule sets.
    #[must_use]
    pub fn basis(&self, set: usize) -> SelectionBasis {
        self.set(set).0
    }

    /// Returns the groups of the file.
    #[must_use]
    pub const fn groups(&self) -> &Groups<'r> {
        &self.groups
    }

    fn set(&self, set: usize) -> &(SelectionBasis, Vec<usize>) {
        self.sets.get(set).expect("a rule set is counted among those that there are")
    }

    /// Returns the rules of a rule set as they are written, in the order of the file.
    fn rules_of(&self, set: usize) -> impl Iterator<Item = Rule<'r>> {
        let groups = self.applied(set).filter_map(|index| self.groups.get(index));
        groups.flat_map(|group| group.rules().iter().copied())
    }

    /// Returns whether a rule set has the rules of another one as they are written, in the same order and under the same policy.
    pub(crate) fn has_same_rules(&self, set: usize, other: &SharedRules<'_>, other_set: usize) -> bool {
        fn written<'w>(rule: &Rule<'w>) -> (Effect, &'w [u8]) {
            (rule.effect, rule.pattern.bytes())
        }
        self.policy == other.policy
            && self
                .rules_of(set)
                .map(|rule| written(&rule))
                .eq(other.rules_of(other_set).map(|rule| written(&rule)))
    }

    /// Returns the number of rules of a rule set, and that of the bytes of their patterns.
    pub(crate) fn size(&self, set: usize) -> (usize, usize) {
        let groups = self.applied(set).filter_map(|index| self.groups.get(index));
        groups.fold((0, 0), |(rules, bytes), group| {
            // The patterns lie in the file one after the other.
            let ends = group.rules().first().zip(group.rules().last());
            let len =
                ends.map_or(0, |(first, last)| last.pattern.span().end() - first.pattern.span().start());
            (rules + group.rules().len() + 1, bytes + len)
        })
    }
}
