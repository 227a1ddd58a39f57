//! What a rule set says about a path.

use core::fmt;

use robots_groups::syntax::Effect;

use crate::rule_set::Ruling;

/// Whether a path may be accessed, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict<'r> {
    reason: Reason<'r>,
}

impl<'r> Verdict<'r> {
    pub(crate) const fn new(reason: Reason<'r>) -> Self {
        Self { reason }
    }

    /// Whether it may be accessed.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        match self.reason {
            // A pattern without octets disallows nothing.
            Reason::Rule(ruling) => matches!(ruling.effect, Effect::Allow) || ruling.pattern.is_empty(),
            Reason::NoRule | Reason::NoGroup | Reason::RobotsTxt => true,
        }
    }

    /// Why.
    #[must_use]
    pub const fn reason(&self) -> Reason<'r> {
        self.reason
    }

    /// The rule that decided.
    #[must_use]
    pub const fn ruling(&self) -> Option<Ruling<'r>> {
        match self.reason {
            Reason::Rule(ruling) => Some(ruling),
            _ => None,
        }
    }

    /// The number of the line that decided, from 1.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        match self.reason {
            Reason::Rule(ruling) => Some(ruling.line),
            _ => None,
        }
    }
}

/// As `disallowed by line 7`, or `allowed, for no rule matches`.
impl fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_allowed() { "allowed" } else { "disallowed" })?;
        match self.reason {
            Reason::Rule(ruling) => write!(f, " by line {}", ruling.line),
            Reason::NoRule => f.write_str(", for no rule matches"),
            Reason::NoGroup => f.write_str(", for no group applies"),
            Reason::RobotsTxt => f.write_str(", for it is /robots.txt"),
        }
    }
}

/// Why a path may or may not be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason<'r> {
    /// This rule says so.
    Rule(Ruling<'r>),
    /// Groups apply, and none of their rules matches (RFC 9309, section 2.2.2).
    NoRule,
    /// No group applies (RFC 9309, section 2.2.1).
    NoGroup,
    /// `/robots.txt` itself is always allowed (RFC 9309, section 2.2.2).
    RobotsTxt,
}

impl Reason<'_> {
    /// A short name for programs: `rule`, `no-rule`, `no-group`, `robots-txt`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Rule(_) => "rule",
            Self::NoRule => "no-rule",
            Self::NoGroup => "no-group",
            Self::RobotsTxt => "robots-txt",
        }
    }
}
