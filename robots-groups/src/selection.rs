//! The groups that apply to a crawler.

use alloc::vec::Vec;

use robots_syntax::Rule;

use crate::groups::{Group, Groups};
use crate::policy::Merge;
use crate::token::Crawler;

/// The groups of a file that apply to a crawler, and why.
#[derive(Clone, Debug)]
pub struct Selection<'g, 'a> {
    groups: &'g Groups<'a>,
    taken: Vec<u32>,
    basis: Basis,
}

/// Why groups apply to a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Basis {
    /// They name it.
    Named,
    /// No group names it, and these are for every crawler.
    Wildcard,
    /// No group is for it: no rules apply.
    None,
}

impl Basis {
    /// `named`, `wildcard` or `none`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::Wildcard => "wildcard",
            Self::None => "none",
        }
    }
}

impl<'g, 'a> Selection<'g, 'a> {
    pub(crate) fn of(groups: &'g Groups<'a>, crawler: &Crawler<'_>) -> Self {
        let policy = groups.policy();
        for tokens in crawler.rounds() {
            let taken = taken(groups, policy.named, |value| policy.names_any(value, tokens));
            if !taken.is_empty() {
                return Self { groups, taken, basis: Basis::Named };
            }
        }
        if crawler.obeys_wildcard() {
            let taken = taken(groups, policy.general, |value| policy.is_general(value));
            if !taken.is_empty() {
                return Self { groups, taken, basis: Basis::Wildcard };
            }
        }
        Self { groups, taken: Vec::new(), basis: Basis::None }
    }

    /// Why these groups apply.
    #[must_use]
    pub const fn basis(&self) -> Basis {
        self.basis
    }

    /// The indices of the groups in the file, from 0 and in its order.
    pub fn indices(&self) -> impl Iterator<Item = usize> {
        self.taken.iter().map(|&index| index as usize)
    }

    /// The groups, in the order of the file.
    pub fn groups(&self) -> impl Iterator<Item = Group<'g, 'a>> {
        let groups = self.groups;
        self.taken.iter().filter_map(move |&index| groups.get(index as usize))
    }

    /// The rules of these groups as if of one (RFC 9309, section 2.2.1), in the order of the file.
    pub fn rules(&self) -> impl Iterator<Item = Rule<'a>> {
        self.groups().flat_map(|group| group.rules().iter().copied())
    }
}

/// The indices of the groups with an agent that `fits`; of the first alone if only that one applies.
fn taken(groups: &Groups<'_>, merge: Merge, fits: impl Fn(&[u8]) -> bool) -> Vec<u32> {
    let most = match merge {
        Merge::All => usize::MAX,
        Merge::First => 1,
    };
    (0_u32..)
        .zip(groups.iter())
        .filter(|(_, group)| group.agents().iter().any(|agent| fits(agent.bytes())))
        .map(|(index, _)| index)
        .take(most)
        .collect()
}
