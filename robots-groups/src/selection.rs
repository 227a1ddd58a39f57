//! The groups that apply to a crawler.

use alloc::vec::Vec;

use robots_syntax::Rule;

use crate::crawler::Crawler;
use crate::groups::{Group, Groups};

/// The groups of a file that apply to a crawler, and why.
#[derive(Clone, Debug)]
pub struct Selection<'g, 'a> {
    groups: &'g Groups<'a>,
    taken: Vec<u32>,
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
        for names in crawler.rounds() {
            let is_named = |value: &[u8]| names.iter().any(|name| policy.names(value, name));
            let taken = matching(self, policy.first_named_only, is_named);
            if !taken.is_empty() {
                return Selection { groups: self, taken, basis: SelectionBasis::Named };
            }
        }
        if crawler.obeys_wildcard() {
            let taken = matching(self, policy.first_general_only, |value| policy.is_general(value));
            if !taken.is_empty() {
                return Selection { groups: self, taken, basis: SelectionBasis::Wildcard };
            }
        }
        Selection { groups: self, taken: Vec::new(), basis: SelectionBasis::None }
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
