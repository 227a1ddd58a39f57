//! How much a change matters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arguments::OneOf;

/// How much a change matters, the least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Severity {
    /// Nothing has changed.
    #[default]
    None,
    /// Only the text of the file has changed.
    Low,
    /// URLs are newly allowed, or the status is another one.
    Medium,
    /// URLs are newly disallowed, the site gave no answer, or its answer is not a robots.txt file.
    High,
    /// A crawler may not access `/` any more.
    Critical,
}

impl Severity {
    pub(super) fn parser() -> OneOf<Self> {
        OneOf::new([Self::Low, Self::Medium, Self::High, Self::Critical].map(|level| (level.name(), level)))
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}
