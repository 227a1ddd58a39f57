//! The status of each group for a crawler.

use alloc::vec::Vec;

use robots_groups::syntax::{Field, Rule};
use robots_groups::{Crawler, Groups, SelectionBasis};

/// A group, and its status for the crawler.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GroupExplanation<'a> {
    /// The values of the `user-agent` lines.
    pub agents: Vec<Field<'a>>,
    /// The rules.
    pub rules: Vec<Rule<'a>>,
    /// The reason why the group applies or does not apply.
    pub status: GroupStatus,
}

/// The reason why a group applies to a crawler or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GroupStatus {
    /// The group applies, because one of its `user-agent` lines names the crawler.
    Named {
        /// The index of the `user-agent` line in the group, from 0.
        agent: usize,
        /// The index of the crawler's token, from 0.
        token: usize,
    },
    /// The group applies, because it is for every crawler and no group names this crawler.
    General {
        /// The index of the `user-agent` line in the group, from 0.
        agent: usize,
    },
    /// The group is for every crawler, but another group names this crawler.
    Replaced,
    /// The group is for every crawler, but this crawler does not obey such groups.
    WildcardIgnored,
    /// The group names the crawler, but another group names an earlier token of the crawler.
    LaterToken {
        /// The index of the crawler's token, from 0.
        token: usize,
    },
    /// The group would apply if it was the first such group of the file.
    NotFirst,
    /// The group is for other crawlers.
    Others,
}

impl GroupStatus {
    /// Returns whether the group applies.
    #[must_use]
    pub const fn applies(self) -> bool {
        matches!(self, Self::Named { .. } | Self::General { .. })
    }

    /// Returns a short name for programs, in lower case with hyphens.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Named { .. } => "named",
            Self::General { .. } => "wildcard",
            Self::Replaced => "replaced",
            Self::WildcardIgnored => "wildcard-ignored",
            Self::LaterToken { .. } => "later-token",
            Self::NotFirst => "not-first",
            Self::Others => "others",
        }
    }
}

/// Returns the status of each group for the crawler. `applied` has the indices of the groups that apply.
pub(super) fn statuses(
    groups: &Groups<'_>,
    crawler: &Crawler,
    basis: SelectionBasis,
    applied: &[usize],
) -> Vec<GroupStatus> {
    let policy = groups.policy();
    let mut statuses: Vec<GroupStatus> = groups
        .iter()
        .map(|group| {
            let agents = || group.agents().iter().map(|agent| agent.bytes()).enumerate();
            let named = crawler.names().enumerate().find_map(|(token, name)| {
                let (agent, _) = agents().find(|(_, value)| policy.names(value, name))?;
                Some(GroupStatus::Named { agent, token })
            });
            let general = || {
                let (agent, _) = agents().find(|(_, value)| policy.is_general(value))?;
                Some(GroupStatus::General { agent })
            };
            named.or_else(general).unwrap_or(GroupStatus::Others)
        })
        .collect();
    let first_token = applied.iter().find_map(|&index| match statuses.get(index) {
        Some(&GroupStatus::Named { token, .. }) => Some(token),
        _ => None,
    });
    for (index, status) in statuses.iter_mut().enumerate() {
        if applied.contains(&index) {
            continue;
        }
        *status = match *status {
            GroupStatus::Named { token, .. } if Some(token) == first_token => GroupStatus::NotFirst,
            GroupStatus::Named { token, .. } => GroupStatus::LaterToken { token },
            GroupStatus::General { .. } if basis == SelectionBasis::Named => GroupStatus::Replaced,
            GroupStatus::General { .. } if !crawler.obeys_wildcard() => GroupStatus::WildcardIgnored,
            GroupStatus::General { .. } => GroupStatus::NotFirst,
            other => other,
        };
    }
    statuses
}
