//! How a row stands under a profile.

use crate::run::Outcome;

/// How a row stands under a profile.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowStatus {
    Held,
    Failed,
    /// It fails as it is known to.
    Known,
}

impl RowStatus {
    pub(super) const fn of(outcome: &Outcome<'_>) -> Self {
        match (outcome.passed(), outcome.exception.is_some()) {
            (true, false) => Self::Held,
            (true, true) => Self::Known,
            (false, _) => Self::Failed,
        }
    }

    /// The value of the filter, and the word on the page.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Failed => "failed",
            Self::Known => "known",
        }
    }

    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Held => "h",
            Self::Failed => "f",
            Self::Known => "k",
        }
    }
}
