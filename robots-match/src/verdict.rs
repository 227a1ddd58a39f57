//! Whether a URL may be accessed, and why.

use alloc::string::{String, ToString as _};
use core::fmt;

use robots_groups::syntax::{BodyKind, Effect, Span};

/// Whether a crawler may access a URL, and why.
///
/// One type answers for a [rule set](crate::RuleSet), for [one pass over a file](crate::Robots::check) and for a site. It
/// is small, owns what it holds and can be kept after the file is gone.
///
/// ```
/// use robots_match::{Crawler, Document, Robots};
///
/// let robots = Robots::new("User-agent: *\nDisallow: /private\n", Document::Rfc9309);
/// let verdict = robots.check(&Crawler::new("ExampleBot")?, "https://example.com/private/page");
/// assert!(!verdict.is_allowed());
/// assert_eq!(verdict.line(), Some(2));
/// assert_eq!(verdict.span().unwrap().of(robots.body()), b"/private");
/// assert_eq!(verdict.to_string(), "disallowed by line 2");
/// # Ok::<(), robots_match::InvalidName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    reason: Reason,
}

impl Verdict {
    /// Creates the verdict that a reason leads to.
    #[must_use]
    pub const fn new(reason: Reason) -> Self {
        Self { reason }
    }

    /// Returns whether the URL may be accessed.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        match self.reason {
            // A rule without a pattern disallows nothing.
            Reason::Rule(rule) => matches!(rule.effect, Effect::Allow) || rule.span.is_empty(),
            Reason::NoRule | Reason::NoGroup | Reason::RobotsTxt => true,
            Reason::NotUrl => false,
            Reason::Site { allowed, .. } => allowed,
        }
    }

    /// Returns why.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// Returns the rule that decided.
    #[must_use]
    pub const fn rule(&self) -> Option<DecidingRule> {
        match self.reason {
            Reason::Rule(rule) => Some(rule),
            _ => None,
        }
    }

    /// Returns the number of the line that decided, from 1.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        match self.reason {
            Reason::Rule(rule) => Some(rule.line),
            _ => None,
        }
    }

    /// Returns the place of the deciding rule's pattern in the file.
    #[must_use]
    pub const fn span(&self) -> Option<Span> {
        match self.reason {
            Reason::Rule(rule) => Some(rule.span),
            _ => None,
        }
    }
}

impl Verdict {
    /// Returns the verdict in words, as `Display` does, and what the file is if no rule decides because it is not a robots.txt
    /// file: `allowed: no group applies: the robots.txt is an HTML page`.
    #[must_use]
    pub fn text_in(&self, kind: BodyKind) -> String {
        match self.reason {
            Reason::Rule(_) => self.to_string(),
            reason => alloc::format!("{}: {}", self.access(), reason.text_in(kind)),
        }
    }

    const fn access(&self) -> &'static str {
        if self.is_allowed() { "allowed" } else { "disallowed" }
    }
}

/// Writes `disallowed by line 7`, `allowed: no rule matches`, or `disallowed: robots.txt is unreachable (status 503)`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.access())?;
        match self.reason {
            Reason::Rule(rule) => write!(f, " by line {}", rule.line),
            reason => write!(f, ": {reason}"),
        }
    }
}

/// Why a URL may or may not be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// This rule matches, and no other takes precedence.
    Rule(DecidingRule),
    /// Groups apply, and none of their rules matches (RFC 9309, section 2.2.2).
    NoRule,
    /// No group applies (RFC 9309, section 2.2.1).
    NoGroup,
    /// `/robots.txt` itself is always allowed (RFC 9309, section 2.2.2).
    RobotsTxt,
    /// The text is neither a URL nor a path that begins with `/`, so it has no rules, and is not allowed.
    NotUrl,
    /// The site has no robots.txt whose rules could apply (RFC 9309, section 2.3.1).
    Site {
        /// Whether everything or nothing may be accessed.
        allowed: bool,
        /// The access result.
        result: AccessResult,
        /// The status of HTTP or the reply of FTP, if one came.
        status: Option<u16>,
        /// A short name of the cause for programs, as `status` or `timeout`.
        code: &'static str,
        /// The cause in a few words, for people.
        cause: &'static str,
    },
}

impl Reason {
    /// Returns a short name for programs: `rule`, `no-rule`, `no-group`, `robots-txt`, `not-url`, or the code of
    /// [`Self::Site`].
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Rule(_) => "rule",
            Self::NoRule => "no-rule",
            Self::NoGroup => "no-group",
            Self::RobotsTxt => "robots-txt",
            Self::NotUrl => "not-url",
            Self::Site { code, .. } => code,
        }
    }

    /// Returns the reason in words, and what the file is if no rule decides because it is not a robots.txt file. `kind` is that of
    /// the body as the profile of the verdict reads it.
    #[doc(hidden)]
    #[must_use]
    pub fn text_in(&self, kind: BodyKind) -> String {
        match self {
            Self::NoGroup | Self::NoRule if !kind.is_robots_txt() => {
                alloc::format!("{self}: the robots.txt is {kind}")
            }
            _ => self.to_string(),
        }
    }
}

/// Writes `line 7 decides`, `no rule matches`, or `robots.txt is unreachable (status 503)`.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rule(rule) => write!(f, "line {} decides", rule.line),
            Self::NoRule => f.write_str("no rule matches"),
            Self::NoGroup => f.write_str("no group applies"),
            Self::RobotsTxt => f.write_str("/robots.txt is always allowed"),
            Self::NotUrl => f.write_str("the text is neither a URL nor a path that begins with `/`"),
            Self::Site { result, status, cause, .. } => write_site(f, result, status, cause),
        }
    }
}

/// The rule that decided a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DecidingRule {
    /// Whether the rule allows or disallows.
    pub effect: Effect,
    /// The number of its line, from 1.
    pub line: usize,
    /// The place of its pattern in the file, in bytes.
    pub span: Span,
}

impl DecidingRule {
    /// Creates a rule from its parts.
    #[must_use]
    pub const fn new(effect: Effect, line: usize, span: Span) -> Self {
        Self { effect, line, span }
    }
}

/// The result of asking a site for its robots.txt (RFC 9309, section 2.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AccessResult {
    /// The site has a robots.txt: its rules apply (section 2.3.1.1).
    Success,
    /// The robots.txt is at another URL (section 2.3.1.2).
    Redirect,
    /// The site has no robots.txt: everything may be accessed (section 2.3.1.3).
    Unavailable,
    /// The robots.txt is unreachable: assume complete disallow for now (section 2.3.1.4).
    Unreachable,
    /// The site limits the rate of requests: a cached robots.txt applies; without one, nothing may be accessed until the site
    /// may be asked again (RFC 6585, section 4).
    Throttled,
    /// The site restricts access to its robots.txt: nothing may be accessed (draft of 1996, section 3.1).
    Restricted,
}

impl AccessResult {
    /// All results.
    pub const ALL: [Self; 6] = [
        Self::Success,
        Self::Redirect,
        Self::Unavailable,
        Self::Unreachable,
        Self::Throttled,
        Self::Restricted,
    ];

    /// Returns `success`, `redirect`, `unavailable`, `unreachable`, `throttled` or `restricted`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Redirect => "redirect",
            Self::Unavailable => "unavailable",
            Self::Unreachable => "unreachable",
            Self::Throttled => "throttled",
            Self::Restricted => "restricted",
        }
    }

    /// Whether the site refuses access to its file, and not to other URLs: it may have one, and RFC 9309 reads the answer as if it
    /// had none.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_refusal(self, status: Option<u16>) -> bool {
        matches!((self, status), (Self::Unavailable, Some(401 | 403)))
    }
}

impl fmt::Display for AccessResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Writes the reason of a verdict without rules, such as `robots.txt is unreachable (status 503)`.
fn write_site(
    f: &mut fmt::Formatter<'_>,
    result: AccessResult,
    status: Option<u16>,
    cause: &'static str,
) -> fmt::Result {
    f.write_str(match result {
        AccessResult::Success => "robots.txt has no rules to apply",
        AccessResult::Redirect => "robots.txt is at another URL",
        _ if result.is_refusal(status) => "the site refuses access to robots.txt, as if there were none",
        AccessResult::Unavailable => "the site has no robots.txt",
        AccessResult::Unreachable => "robots.txt is unreachable",
        AccessResult::Throttled => "the site limits requests, and no robots.txt is cached",
        AccessResult::Restricted => "the site restricts access to robots.txt",
    })?;
    match (cause, status) {
        ("", None) => Ok(()),
        ("", Some(status)) => write!(f, " (status {status})"),
        (cause, None) => write!(f, " ({cause})"),
        (cause, Some(status)) => write!(f, " (status {status}: {cause})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_without_rules_has_a_reason() {
        let verdict = |allowed, result, status, cause| {
            Verdict::new(Reason::Site { allowed, result, status, code: "status", cause }).to_string()
        };
        assert_eq!(
            verdict(false, AccessResult::Unreachable, Some(503), ""),
            "disallowed: robots.txt is unreachable (status 503)"
        );
        assert_eq!(
            verdict(true, AccessResult::Unavailable, Some(404), ""),
            "allowed: the site has no robots.txt (status 404)"
        );
        assert_eq!(
            verdict(true, AccessResult::Unavailable, Some(403), ""),
            "allowed: the site refuses access to robots.txt, as if there were none (status 403)"
        );
        assert_eq!(
            verdict(false, AccessResult::Unreachable, None, "no answer in time"),
            "disallowed: robots.txt is unreachable (no answer in time)"
        );
    }

    #[test]
    fn a_verdict_of_a_throttled_site_has_its_reason() {
        let (result, status) = (AccessResult::Throttled, Some(429));
        let reason = Reason::Site { allowed: false, result, status, code: "status", cause: "" };
        assert_eq!(
            Verdict::new(reason).to_string(),
            "disallowed: the site limits requests, and no robots.txt is cached (status 429)"
        );
    }

    #[test]
    fn a_rule_without_a_pattern_disallows_nothing() {
        let rule = |span| Verdict::new(Reason::Rule(DecidingRule::new(Effect::Disallow, 2, span)));
        assert!(rule(Span::new(9, 9)).is_allowed());
        assert!(!rule(Span::new(9, 10)).is_allowed());
    }
}
