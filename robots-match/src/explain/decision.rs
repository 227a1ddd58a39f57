//! The kind of reason for a decision.

use crate::verdict::Reason;

/// The kind of reason for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Decision {
    /// A rule decides: the first of the rules that match.
    Rule,
    /// Groups apply, and none of their rules matches.
    NoRule,
    /// No group applies.
    NoGroup,
    /// The path is `/robots.txt`.
    RobotsTxt,
}

impl Decision {
    pub(super) const fn of(reason: &Reason<'_>) -> Self {
        match reason {
            Reason::Rule(_) => Self::Rule,
            Reason::NoRule => Self::NoRule,
            Reason::NoGroup => Self::NoGroup,
            Reason::RobotsTxt => Self::RobotsTxt,
        }
    }

    /// Returns a short name for programs, as [`Reason::code`] does: `rule`, `no-rule`, `no-group` or `robots-txt`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::NoRule => "no-rule",
            Self::NoGroup => "no-group",
            Self::RobotsTxt => "robots-txt",
        }
    }
}
