//! What a crawler may do.

use alloc::sync::Arc;
use core::fmt;

use robots_match::{Crawler, Reason, Robots, RuleSet, Verdict};

use crate::failure::Cause;
use crate::profile::Profile;

/// What an entry lets crawlers do.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Access<'e> {
    /// What these rules let them do.
    Rules(&'e Arc<Robots>),
    /// Everything, for this reason.
    Everything(&'e Arc<Cause>),
    /// Nothing, for this reason.
    Nothing(&'e Arc<Cause>),
}

impl Access<'_> {
    /// `rules`, `everything` or `nothing`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Rules(_) => "rules",
            Self::Everything(_) => "everything",
            Self::Nothing(_) => "nothing",
        }
    }
}

/// Whether a site answers other requests than that for its robots.txt, as far as a crawler knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum SiteStatus {
    /// It does.
    Answers,
    /// It does not.
    Fails,
    /// Nobody knows: as if it did not.
    #[default]
    Unknown,
}

/// What one crawler may do: owned, shared between threads, checked for many paths.
#[derive(Clone, Debug)]
pub struct Permission {
    /// Without a file: no rules at all.
    rules: Arc<RuleSet>,
    without: Option<Without>,
}

#[derive(Clone, Debug)]
enum Without {
    Everything(Arc<Cause>),
    Nothing(Arc<Cause>),
}

impl Permission {
    /// What `access` lets a crawler do, under the profile of the entry it is of.
    #[must_use]
    pub fn new<'t>(access: Access<'_>, crawler: impl Into<Crawler<'t>>, profile: &Profile) -> Self {
        let rules = match access {
            Access::Rules(robots) => robots.rules(crawler),
            _ => profile.read(Box::default()).rules(crawler),
        };
        Self::sharing(access, Arc::new(rules))
    }

    /// The same with rules that were compiled before: those of the robots.txt, or of an empty one where it is not rules that
    /// hold.
    pub(crate) fn sharing(access: Access<'_>, rules: Arc<RuleSet>) -> Self {
        let without = match access {
            Access::Rules(_) => None,
            Access::Everything(cause) => Some(Without::Everything(Arc::clone(cause))),
            Access::Nothing(cause) => Some(Without::Nothing(Arc::clone(cause))),
        };
        Self { rules, without }
    }

    /// Whether the crawler may access a path (and query).
    #[must_use]
    pub fn check(&self, path: &[u8]) -> Decision<'_> {
        self.decide(self.rules.check(path))
    }

    /// Whether the crawler may access a URL that is given as text, which is the origin's; see [`RuleSet::check_text`].
    #[must_use]
    pub fn check_text(&self, url: &[u8]) -> Decision<'_> {
        self.decide(self.rules.check_text(url))
    }

    /// Whether the crawler may access a URL, which is the origin's.
    #[must_use]
    pub fn check_url(&self, url: &url::Url) -> Decision<'_> {
        self.decide(self.rules.check_url(url))
    }

    /// The rules, if it is rules that hold.
    #[must_use]
    pub const fn rules(&self) -> Option<&Arc<RuleSet>> {
        match self.without {
            None => Some(&self.rules),
            Some(_) => None,
        }
    }

    fn decide<'p>(&'p self, verdict: Verdict<'p>) -> Decision<'p> {
        match &self.without {
            // The robots.txt itself may be asked for at any time, where the profile says so.
            _ if verdict.reason() == Reason::RobotsTxt => Decision::Ruled(verdict),
            None => Decision::Ruled(verdict),
            Some(Without::Everything(cause)) => Decision::Granted(cause),
            Some(Without::Nothing(cause)) => Decision::Refused(cause),
        }
    }
}

/// Whether a crawler may access a path, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Decision<'p> {
    /// The rules say so.
    Ruled(Verdict<'p>),
    /// It may, for everything may be accessed.
    Granted(&'p Cause),
    /// It may not, for nothing may be accessed.
    Refused(&'p Cause),
}

impl<'p> Decision<'p> {
    /// Whether it may.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        match self {
            Self::Ruled(verdict) => verdict.is_allowed(),
            Self::Granted(_) => true,
            Self::Refused(_) => false,
        }
    }

    /// The number of the line that decided, from 1; nothing if no rule did.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        match self {
            Self::Ruled(verdict) => verdict.line(),
            _ => None,
        }
    }

    /// Why there were no rules to ask; nothing if there were.
    #[must_use]
    pub const fn cause(&self) -> Option<&'p Cause> {
        match self {
            Self::Ruled(_) => None,
            Self::Granted(cause) | Self::Refused(cause) => Some(cause),
        }
    }
}

/// As `disallowed by line 7`, or `disallowed, for the robots.txt can't be had: status 503`.
impl fmt::Display for Decision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ruled(verdict) => verdict.fmt(f),
            Self::Granted(cause) => write!(f, "allowed, for no robots.txt restricts: {cause}"),
            Self::Refused(cause) => write!(f, "disallowed, for the robots.txt can't be had: {cause}"),
        }
    }
}
