//! What crawlers may do.

use alloc::sync::Arc;
use core::fmt;

use robots_match::{Crawler, Reason, Robots, RuleSet, Verdict};

use crate::failure::Cause;
use crate::http::status::AccessResult;
use crate::profile::Profile;

/// What crawlers may do at a site.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Access<'e> {
    /// What the rules of this robots.txt allow.
    Rules(&'e Arc<Robots>),
    /// Everything, with the access result and why there is no file.
    Everything(AccessResult, &'e Arc<Cause>),
    /// Nothing, with the access result and why there is no file.
    Nothing(AccessResult, &'e Arc<Cause>),
}

impl Access<'_> {
    /// Returns `rules`, `everything` or `nothing`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Rules(_) => "rules",
            Self::Everything(..) => "everything",
            Self::Nothing(..) => "nothing",
        }
    }
}

/// Whether a site answers requests for other URLs than its robots.txt, as far as the crawler knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum SiteStatus {
    /// The site answers.
    Answers,
    /// The site does not answer.
    Fails,
    /// The crawler does not know, which counts as [`Self::Fails`].
    #[default]
    Unknown,
}

/// What one crawler may do at one site: owned, cheap to clone, shared between threads, and checked for many paths.
#[derive(Clone, Debug)]
pub struct Permission {
    /// Without a file: no rules at all.
    rules: Arc<RuleSet>,
    without: Option<Without>,
}

#[derive(Clone, Debug)]
enum Without {
    Everything(AccessResult, Arc<Cause>),
    Nothing(AccessResult, Arc<Cause>),
}

impl Permission {
    /// Compiles what `access` allows to a crawler, under the profile of the entry that `access` is of.
    ///
    /// # Complexity
    ///
    /// Time grows with the bytes of the file.
    #[must_use]
    pub fn new<'t>(access: Access<'_>, crawler: impl Into<Crawler<'t>>, profile: &Profile) -> Self {
        let rules = match access {
            Access::Rules(robots) => robots.rules(crawler),
            _ => profile.read(Box::default()).rules(crawler),
        };
        Self::sharing(access, Arc::new(rules))
    }

    /// Uses rules that were compiled before: those of the robots.txt, or those of an empty one if there is none.
    pub(crate) fn sharing(access: Access<'_>, rules: Arc<RuleSet>) -> Self {
        let without = match access {
            Access::Rules(_) => None,
            Access::Everything(result, cause) => Some(Without::Everything(result, Arc::clone(cause))),
            Access::Nothing(result, cause) => Some(Without::Nothing(result, Arc::clone(cause))),
        };
        Self { rules, without }
    }

    /// Returns whether the crawler may access a path (and query).
    #[must_use]
    pub fn check(&self, path: &[u8]) -> Decision<'_> {
        self.decide(self.rules.check(path))
    }

    /// Returns whether the crawler may access a URL of the site, given as text; see [`RuleSet::check_text`].
    #[must_use]
    pub fn check_text(&self, url: &[u8]) -> Decision<'_> {
        self.decide(self.rules.check_text(url))
    }

    /// Returns whether the crawler may access a URL of the site.
    #[must_use]
    pub fn check_url(&self, url: &url::Url) -> Decision<'_> {
        self.decide(self.rules.check_url(url))
    }

    /// Returns the rules if they decide; `None` if everything or nothing may be accessed.
    #[must_use]
    pub const fn rules(&self) -> Option<&Arc<RuleSet>> {
        match self.without {
            None => Some(&self.rules),
            Some(_) => None,
        }
    }

    fn decide<'p>(&'p self, verdict: Verdict<'p>) -> Decision<'p> {
        match &self.without {
            // The robots.txt itself may be requested at any time, if the profile says so.
            _ if verdict.reason() == Reason::RobotsTxt => Decision::Ruled(verdict),
            None => Decision::Ruled(verdict),
            Some(Without::Everything(result, cause)) => Decision::Granted(*result, cause),
            Some(Without::Nothing(result, cause)) => Decision::Refused(*result, cause),
        }
    }
}

/// Whether a crawler may access a path, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Decision<'p> {
    /// The rules decide.
    Ruled(Verdict<'p>),
    /// Allowed, because everything may be accessed: the access result, and why there is no file.
    Granted(AccessResult, &'p Cause),
    /// Disallowed, because nothing may be accessed: the access result, and why there is no file.
    Refused(AccessResult, &'p Cause),
}

impl<'p> Decision<'p> {
    /// Returns whether the crawler may access the path.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        match self {
            Self::Ruled(verdict) => verdict.is_allowed(),
            Self::Granted(..) => true,
            Self::Refused(..) => false,
        }
    }

    /// Returns the number of the deciding line, from 1; `None` if no rule decides.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        match self {
            Self::Ruled(verdict) => verdict.line(),
            _ => None,
        }
    }

    /// Returns why there is no file; `None` if there is one.
    #[must_use]
    pub const fn cause(&self) -> Option<&'p Cause> {
        match self {
            Self::Ruled(_) => None,
            Self::Granted(_, cause) | Self::Refused(_, cause) => Some(cause),
        }
    }
}

/// For example `disallowed by line 7`, or `disallowed: robots.txt is unreachable (status 503)`.
impl fmt::Display for Decision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, cause) = match self {
            Self::Ruled(verdict) => return verdict.fmt(f),
            Self::Granted(AccessResult::Unreachable, cause) => {
                ("allowed: robots.txt has been unreachable for too long", cause)
            }
            Self::Granted(_, cause) => ("allowed: the site has no robots.txt", cause),
            Self::Refused(AccessResult::Restricted, cause) => {
                ("disallowed: the site restricts access", cause)
            }
            Self::Refused(_, cause) => ("disallowed: robots.txt is unreachable", cause),
        };
        write!(f, "{start} ({cause})")
    }
}
