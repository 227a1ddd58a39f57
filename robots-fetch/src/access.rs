//! Access of crawlers to a site.

use alloc::sync::Arc;

use robots_match::{AccessResult, Crawler, Reason, Robots, RuleSet, Verdict};

use crate::failure::Cause;
use crate::profile::SiteProfile;

/// The URLs of a site that crawlers may access.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Access<'e> {
    /// The URLs that the rules of this robots.txt allow.
    Rules(&'e Arc<Robots>),
    /// Everything, with the access result and why the file is missing.
    Everything(AccessResult, &'e Arc<Cause>),
    /// Nothing, with the access result and why the file is missing.
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

/// The access of one crawler to a site: owned, shared between threads, checked for many URLs.
#[derive(Clone, Debug)]
pub struct Permission {
    /// The rules of an empty file where the file is missing.
    rules: Arc<RuleSet>,
    without: Option<Without>,
}

/// Why no rules apply.
#[derive(Clone, Debug)]
struct Without {
    reason: Reason,
    cause: Arc<Cause>,
}

impl Permission {
    /// Creates the permission that `access` gives a crawler, under the profile of its entry.
    #[must_use]
    pub fn new(access: Access<'_>, crawler: &Crawler, profile: &SiteProfile) -> Self {
        let rules = match access {
            Access::Rules(robots) => robots.rules(crawler),
            _ => profile.read(Box::default()).rules(crawler),
        };
        Self::sharing(access, Arc::new(rules))
    }

    /// Creates a permission with compiled rules: those of the robots.txt, or of an empty file where there is none.
    pub(crate) fn sharing(access: Access<'_>, rules: Arc<RuleSet>) -> Self {
        let without = |allowed, result, cause: &Arc<Cause>| Without {
            reason: Reason::Site {
                allowed,
                result,
                status: cause.status(),
                code: cause.code(),
                cause: cause.summary(),
            },
            cause: Arc::clone(cause),
        };
        let without = match access {
            Access::Rules(_) => None,
            Access::Everything(result, cause) => Some(without(true, result, cause)),
            Access::Nothing(result, cause) => Some(without(false, result, cause)),
        };
        Self { rules, without }
    }

    /// Returns whether the crawler may access a path (path and query, as sent).
    #[must_use]
    pub fn check(&self, path: impl AsRef<[u8]>) -> Verdict {
        self.decide(self.rules.check(path))
    }

    /// Returns whether the crawler may access a URL of the origin that is given as text; see [`RuleSet::check_text`].
    #[must_use]
    pub fn check_text(&self, url: impl AsRef<[u8]>) -> Verdict {
        self.decide(self.rules.check_text(url))
    }

    /// Returns whether the crawler may access a URL of the origin.
    #[must_use]
    pub fn check_url(&self, url: &url::Url) -> Verdict {
        self.decide(self.rules.check_url(url))
    }

    /// Returns the rules, if there are rules to apply.
    #[must_use]
    pub const fn rules(&self) -> Option<&Arc<RuleSet>> {
        match self.without {
            None => Some(&self.rules),
            Some(_) => None,
        }
    }

    /// Returns why no rules apply, or `None` if rules apply.
    #[must_use]
    pub fn cause(&self) -> Option<&Cause> {
        self.without.as_ref().map(|without| &*without.cause)
    }

    fn decide(&self, verdict: Verdict) -> Verdict {
        match &self.without {
            // The robots.txt itself may be requested at any time, where the profile says so.
            Some(without) if verdict.reason() != Reason::RobotsTxt => Verdict::new(without.reason),
            _ => verdict,
        }
    }
}
