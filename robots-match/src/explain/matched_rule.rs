//! Rules that match, and the outcome of each.

use alloc::boxed::Box;

use robots_groups::SelectionBasis;
use robots_groups::syntax::{Effect, Rule, Span};

use crate::policy::{MatchPolicy, Precedence};
use crate::rule_set::RuleSet;

/// A rule that matches the path: one that applies, or one of another group.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MatchedRule<'a> {
    /// Whether the rule allows or disallows access.
    pub effect: Effect,
    /// The pattern as written.
    pub written: &'a [u8],
    /// The pattern in the canonical form, which is compared with the path. Precedence counts the bytes of this form.
    pub pattern: Box<[u8]>,
    /// The line number, from 1.
    pub line: usize,
    /// The place of the pattern in the file.
    pub span: Span,
    /// The outcome: whether the rule decides, and otherwise why not.
    pub outcome: RuleOutcome,
    /// The index of the group that the rule is in, from 0; `None` for a rule outside of groups.
    pub group: Option<usize>,
}

/// The outcome of a rule that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RuleOutcome {
    /// The rule decides.
    Decides,
    /// The deciding rule has more bytes.
    Shorter,
    /// The deciding rule has the same number of bytes, and allows access.
    OtherKind,
    /// The deciding rule has the same precedence, and comes earlier in the file.
    Later,
    /// The rule is the same as the deciding rule.
    Duplicate,
    /// The rule does not apply to the crawler.
    NotApplied,
}

impl RuleOutcome {
    /// Returns a short name for programs, in lower case with hyphens.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Decides => "decides",
            Self::Shorter => "shorter",
            Self::OtherKind => "other-kind",
            Self::Later => "later",
            Self::Duplicate => "duplicate",
            Self::NotApplied => "not-asked",
        }
    }

    /// Returns the outcome of `rule`, which loses against `winner`.
    pub(super) fn against(winner: &MatchedRule<'_>, rule: &MatchedRule<'_>, precedence: Precedence) -> Self {
        if rule.effect == winner.effect && rule.pattern == winner.pattern {
            return Self::Duplicate;
        }
        match precedence {
            Precedence::First => Self::Later,
            Precedence::MostBytes if rule.pattern.len() < winner.pattern.len() => Self::Shorter,
            Precedence::MostBytes if rule.effect != winner.effect => Self::OtherKind,
            Precedence::MostBytes => Self::Later,
        }
    }
}

/// Returns the rule if it matches `path`. `group` is the index of its group.
pub(super) fn matched<'a>(
    rule: &Rule<'a>,
    group: Option<usize>,
    path: &[u8],
    policy: &MatchPolicy,
) -> Option<MatchedRule<'a>> {
    let rules = RuleSet::from_rules(core::iter::once(*rule), SelectionBasis::Named, policy);
    let ruling = rules.deciding_rule(path)?;
    Some(MatchedRule {
        effect: ruling.effect,
        written: rule.pattern.bytes(),
        pattern: ruling.pattern.into(),
        line: ruling.line,
        span: ruling.span,
        outcome: RuleOutcome::NotApplied,
        group,
    })
}
