//! The groups that apply to a crawler.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use robots_syntax::{Field, Rule};

use crate::crawler::Crawler;
use crate::groups::{Group, Groups};

/// The groups of a file that apply to a crawler, and why.
#[derive(Clone, Debug)]
pub struct Selection<'g, 'a> {
    groups: &'g Groups<'a>,
    taken: Arc<[u32]>,
    basis: SelectionBasis,
}

/// Why groups apply to a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum SelectionBasis {
    /// Groups name the crawler.
    Named,
    /// No group names the crawler, and groups for every crawler apply.
    Wildcard,
    /// No group is for the crawler: no rules apply.
    None,
}

impl SelectionBasis {
    /// Returns `named`, `wildcard` or `none`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::Wildcard => "wildcard",
            Self::None => "none",
        }
    }
}

impl<'a> Groups<'a> {
    /// Selects the groups that apply to a crawler.
    ///
    /// # Complexity
    ///
    /// Linear in the number of `user-agent` lines, times the number of names.
    ///
    /// ```
    /// use robots_groups::{Crawler, GroupPolicy, Groups, SelectionBasis};
    ///
    /// let file = b"User-agent: *\nDisallow: /a\nUser-agent: ExampleBot\nDisallow: /b\n";
    /// let groups = Groups::parse(file, &Default::default(), &GroupPolicy::RFC9309);
    /// let selection = groups.select(&Crawler::new("examplebot")?);
    /// assert_eq!(selection.basis(), SelectionBasis::Named);
    /// assert_eq!(selection.rules().map(|rule| rule.line()).collect::<Vec<_>>(), [4]);
    /// # Ok::<(), robots_groups::InvalidName>(())
    /// ```
    #[must_use]
    pub fn select(&self, crawler: &Crawler) -> Selection<'_, 'a> {
        let policy = self.policy();
        let named = |names: &[Box<str>]| {
            let is_named = |value: &[u8]| names.iter().any(|name| policy.names(value, name));
            matching(self, policy.first_named_only, is_named)
        };
        self.selected(crawler, named, || {
            matching(self, policy.first_general_only, |value| policy.is_general(value)).into()
        })
    }

    /// Returns what a crawler selects, if `named` returns the groups that some names select, and `general` those for every crawler.
    fn selected(
        &self,
        crawler: &Crawler,
        named: impl Fn(&[Box<str>]) -> Vec<u32>,
        general: impl Fn() -> Arc<[u32]>,
    ) -> Selection<'_, 'a> {
        let named = crawler.rounds().map(named).find(|taken| !taken.is_empty());
        if let Some(taken) = named {
            return Selection { groups: self, taken: taken.into(), basis: SelectionBasis::Named };
        }
        let taken = if crawler.obeys_wildcard() { general() } else { Arc::default() };
        let basis = if taken.is_empty() { SelectionBasis::None } else { SelectionBasis::Wildcard };
        Selection { groups: self, taken, basis }
    }
}

/// The `user-agent` lines of a file, sorted, so that the groups of many crawlers are found.
///
/// ```
/// use robots_groups::{Crawler, GroupPolicy, Groups, NameIndex};
///
/// let file = b"User-agent: *\nDisallow: /a\nUser-agent: ExampleBot\nDisallow: /b\n";
/// let groups = Groups::parse(file, &Default::default(), &GroupPolicy::RFC9309);
/// let index = NameIndex::new(&groups);
/// let selection = index.select(&Crawler::new("examplebot")?);
/// assert_eq!(selection.indices().collect::<Vec<_>>(), [1]);
/// # Ok::<(), robots_groups::InvalidName>(())
/// ```
#[derive(Clone, Debug)]
pub struct NameIndex<'g, 'a> {
    groups: &'g Groups<'a>,
    /// The values with the groups that they are in. Those that name the same crawler are adjacent.
    sorted: Vec<(Field<'a>, u32)>,
    /// The groups for every crawler that apply.
    general: Arc<[u32]>,
    /// The first value for every crawler in each of these groups.
    general_values: Arc<[Field<'a>]>,
}

impl<'g, 'a> NameIndex<'g, 'a> {
    /// Sorts the `user-agent` lines of `groups`.
    ///
    /// # Complexity
    ///
    /// O(*n* log *n*) for *n* lines, each comparison linear in the length of a value.
    #[must_use]
    pub fn new(groups: &'g Groups<'a>) -> Self {
        let policy = groups.policy();
        let values = (0_u32..)
            .zip(groups.iter())
            .flat_map(|(index, group)| group.agents().iter().map(move |agent| (*agent, index)));
        let mut sorted: Vec<(Field<'a>, u32)> = values.collect();
        sorted.sort_unstable_by(|(one, group), (other, other_group)| {
            policy.name_match.compare(one.bytes(), other.bytes()).then_with(|| group.cmp(other_group))
        });
        let general = matching(groups, policy.first_general_only, |value| policy.is_general(value));
        let applying = general.iter().filter_map(|index| groups.get(*index as usize));
        let general_values = applying
            .filter_map(|group| group.agents().iter().find(|agent| policy.is_general(agent.bytes())).copied())
            .collect();
        Self { groups, sorted, general: general.into(), general_values }
    }

    /// Selects the groups that apply to a crawler, like [`Groups::select`].
    ///
    /// # Complexity
    ///
    /// The logarithm of the number of `user-agent` lines, plus the number of those that name the crawler.
    #[must_use]
    pub fn select(&self, crawler: &Crawler) -> Selection<'g, 'a> {
        let policy = self.groups.policy();
        let named = |names: &[Box<str>]| {
            let mut taken: Vec<u32> =
                names.iter().flat_map(|name| self.named(name)).map(|(_, group)| group).collect();
            taken.sort_unstable();
            taken.dedup();
            taken.truncate(if policy.first_named_only { 1 } else { usize::MAX });
            taken
        };
        self.groups.selected(crawler, named, || Arc::clone(&self.general))
    }

    /// Returns the value by which the first group that applies to a crawler does: one that names the crawler, or one for every
    /// crawler.
    ///
    /// # Complexity
    ///
    /// That of [`Self::select`].
    #[must_use]
    pub fn value_for(&self, crawler: &Crawler) -> Option<Field<'a>> {
        let first = |names: &[Box<str>]| {
            let named = names.iter().flat_map(|name| self.named(name));
            named.min_by_key(|(value, _)| value.span().start()).map(|(value, _)| value)
        };
        let general = || self.general_values.first().copied().filter(|_| crawler.obeys_wildcard());
        crawler.rounds().find_map(first).or_else(general)
    }

    /// Returns the first value by which each group does that applies to a crawler, in the order of the file.
    ///
    /// # Complexity
    ///
    /// That of [`Self::select`]. Crawlers that no group names share one list.
    #[must_use]
    pub fn values_for(&self, crawler: &Crawler) -> Arc<[Field<'a>]> {
        let named = |names: &[Box<str>]| {
            let mut values: Vec<(Field<'a>, u32)> = names.iter().flat_map(|name| self.named(name)).collect();
            values.sort_unstable_by_key(|(value, _)| value.span().start());
            values.dedup_by_key(|(_, group)| *group);
            values.truncate(if self.groups.policy().first_named_only { 1 } else { usize::MAX });
            values
        };
        match crawler.rounds().map(named).find(|values| !values.is_empty()) {
            Some(values) => values.into_iter().map(|(value, _)| value).collect(),
            None if crawler.obeys_wildcard() => Arc::clone(&self.general_values),
            None => Arc::default(),
        }
    }

    /// Returns the values that name a crawler, each with its group.
    fn named(&self, name: &str) -> impl Iterator<Item = (Field<'a>, u32)> {
        let policy = self.groups.policy();
        let is_before = |(value, _): &(Field<'a>, u32)| {
            policy.name_match.compare(value.bytes(), name.as_bytes()) == Ordering::Less
        };
        let from = self.sorted.get(self.sorted.partition_point(is_before)..).unwrap_or_default();
        let named = from.iter().take_while(move |(value, _)| policy.names(value.bytes(), name));
        named.copied()
    }
}

impl<'g, 'a> Selection<'g, 'a> {
    /// Returns why these groups apply.
    #[must_use]
    pub const fn basis(&self) -> SelectionBasis {
        self.basis
    }

    /// Returns the indices of the groups in the file, from 0, in the order of the file.
    pub fn indices(&self) -> impl Iterator<Item = usize> {
        self.taken.iter().map(|&index| index as usize)
    }

    /// Returns the groups in the order of the file.
    pub fn groups(&self) -> impl Iterator<Item = Group<'g, 'a>> {
        let groups = self.groups;
        self.taken.iter().filter_map(move |&index| groups.get(index as usize))
    }

    /// Returns the rules of these groups combined into one (RFC 9309, section 2.2.1), in the order of the file.
    pub fn rules(&self) -> impl Iterator<Item = Rule<'a>> {
        self.groups().flat_map(|group| group.rules().iter().copied())
    }
}

/// Returns the indices of the groups with an agent that `fits`, or only the first of them where only that one applies.
fn matching(groups: &Groups<'_>, first_only: bool, fits: impl Fn(&[u8]) -> bool) -> Vec<u32> {
    let most = if first_only { 1 } else { usize::MAX };
    (0_u32..)
        .zip(groups.iter())
        .filter(|(_, group)| group.agents().iter().any(|agent| fits(agent.bytes())))
        .map(|(index, _)| index)
        .take(most)
        .collect()
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;
    use crate::policy::GroupPolicy;

    #[test]
    fn an_index_selects_what_a_search_of_all_lines_selects() {
        const PARTS: [&str; 12] = ["a", "B", "ab", " ", "/", "-", "7", ".", "*", "\u{e9}", "b a", "A"];
        let mut next = 9309_u32;
        let mut part = || {
            next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            PARTS[(next >> 16) as usize % PARTS.len()]
        };
        let rounds = if cfg!(miri) { 2 } else { 200 };
        for _ in 0..rounds {
            let mut file = String::new();
            for _ in 0..12 {
                let (one, two, three) = (part(), part(), part());
                let end = if one == "a" { "" } else { "\ndisallow: /\n\n" };
                file += &format!("user-agent: {one}{two}{three}{end}\n");
            }
            for policy in [
                GroupPolicy::RFC9309,
                GroupPolicy::DRAFT_KOSTER_REP_00,
                GroupPolicy::GOOGLE,
                GroupPolicy::KOSTER_1996,
            ] {
                let groups = Groups::parse(file.as_bytes(), &Default::default(), &policy);
                let index = NameIndex::new(&groups);
                let names = ["a", "b", "ab", "aa", "a-", "a7", "b a", "a b", "bab", "7", "a.b"];
                let mut crawlers: Vec<Crawler> =
                    names.iter().map(|name| Crawler::new(name).unwrap()).collect();
                let both = Crawler::with_names(["ab", "b"]).unwrap();
                crawlers.extend([both.clone(), both.together(), Crawler::unnamed().ignoring_wildcard()]);
                for crawler in &crawlers {
                    let (found, expected) = (index.select(crawler), groups.select(crawler));
                    assert_eq!(found.taken, expected.taken, "{crawler:?} {policy:?}\n{file}");
                    assert_eq!(found.basis, expected.basis, "{crawler:?} {policy:?}\n{file}");
                    let values = index.values_for(crawler);
                    let groups = values.iter().map(|value| {
                        let is_in = |group: Group<'_, '_>| group.agents().iter().any(|agent| agent == value);
                        groups.iter().position(is_in)
                    });
                    assert_eq!(groups.collect::<Vec<_>>(), expected.indices().map(Some).collect::<Vec<_>>());
                    assert_eq!(index.value_for(crawler), values.first().copied());
                }
            }
        }
    }
}
