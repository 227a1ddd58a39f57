//! Rules that almost match.

use robots_groups::syntax::{Field, Rule};

use super::matched_rule::matched;
use crate::policy::MatchPolicy;

/// A rule that applies, and would match if the URL was written slightly differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearMiss<'a> {
    /// The rule.
    pub rule: Rule<'a>,
    /// The difference.
    pub kind: NearMissKind,
}

/// The difference between a URL and the nearest URL that a rule matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NearMissKind {
    /// A slash at the end of the path.
    Slash,
    /// Upper and lower case of letters.
    Case,
}

impl NearMissKind {
    /// Returns a short name for programs: `slash` or `case`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Slash => "slash",
            Self::Case => "case",
        }
    }

    /// Returns the small change of `path` that would make `rule` match, if there is one.
    pub(super) fn of(rule: &Rule<'_>, path: &[u8], policy: &MatchPolicy) -> Option<Self> {
        if !path.ends_with(b"/") && matched(rule, &[path, b"/"].concat(), policy).is_some() {
            return Some(Self::Slash);
        }
        let pattern = rule.pattern.bytes().to_ascii_lowercase();
        let lower = Rule::new(rule.effect, Field::new(&pattern, 0), rule.line());
        matched(&lower, &path.to_ascii_lowercase(), policy).is_some().then_some(Self::Case)
    }
}
