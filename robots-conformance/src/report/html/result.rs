//! The result of a row under a profile.

use crate::run::Outcome;

/// The result of a row under a profile.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowStatus {
    Held,
    Failed,
    /// Failed, as exceptions.toml says.
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

    /// Returns the word for it, on the page and in the filter.
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
