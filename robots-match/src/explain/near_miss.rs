//! Rules that almost match.

use robots_groups::syntax::{Field, Rule};

use super::matched_rule::matched;
use crate::policy::MatchPolicy;

/// A rule that applies, and would match if the URL was written slightly differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NearMiss<'a> {
    /// The rule matches the path with a slash at the end.
    Slash(Rule<'a>),
    /// The rule matches if upper and lower case of letters do not count.
    Case(Rule<'a>),
}

impl<'a> NearMiss<'a> {
    /// Returns the rule.
    #[must_use]
    pub const fn rule(&self) -> &Rule<'a> {
        match self {
            Self::Slash(rule) | Self::Case(rule) => rule,
        }
    }

    /// Returns a short name of the difference for programs: `slash` or `case`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Slash(_) => "slash",
            Self::Case(_) => "case",
        }
    }

    /// Returns the near miss of `rule`, if a small change of `path` would make the rule match.
    pub(super) fn of(rule: &Rule<'a>, path: &[u8], policy: &MatchPolicy) -> Option<Self> {
        if !path.ends_with(b"/") && matched(rule, None, &[path, b"/"].concat(), policy).is_some() {
            return Some(Self::Slash(*rule));
        }
        let pattern = rule.pattern.bytes().to_ascii_lowercase();
        let lower = Rule::new(rule.effect, Field::new(&pattern, 0), rule.line());
        matched(&lower, None, &path.to_ascii_lowercase(), policy).is_some().then_some(Self::Case(*rule))
    }
}
