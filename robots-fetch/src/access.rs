//! Access of crawlers to a site.

use alloc::sync::Arc;
#[cfg(feature = "records")]
use std::sync::OnceLock;

#[cfg(feature = "records")]
use robots_match::records::CrawlFacts;
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
    terms: Arc<Terms>,
    without: Option<Arc<Without>>,
}

/// The parts of a file that concern one crawler.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Terms {
    /// The crawler, if the terms are those of a cache, which compares it first.
    pub(crate) crawler: Option<Arc<Crawler>>,
    pub(crate) rules: RuleSet,
    /// The records, as soon as they are asked for.
    #[cfg(feature = "records")]
    pub(crate) facts: OnceLock<Arc<CrawlFacts>>,
}

impl Terms {
    pub(crate) const fn new(rules: RuleSet, crawler: Option<Arc<Crawler>>) -> Self {
        Self {
            crawler,
            rules,
            #[cfg(feature = "records")]
            facts: OnceLock::new(),
        }
    }

    /// Returns whether the terms are those of a cache for this crawler.
    #[inline]
    pub(crate) fn are_for(&self, crawler: &Crawler) -> bool {
        self.crawler.as_deref() == Some(crawler)
    }

    /// Returns about how many bytes the terms take, with the counts of references, and what the allocator adds to two
    /// allocations.
    pub(crate) fn memory(&self) -> usize {
        let facts = 0;
        #[cfg(feature = "records")]
        let facts = facts + self.facts.get().map_or(0, |facts| facts.memory() + 16);
        size_of::<Self>() - size_of::<RuleSet>() + self.rules.memory() + 16 + 16 + facts
    }
}

/// Why no rules apply.
#[derive(Debug)]
pub(crate) struct Without {
    reason: Reason,
    cause: Arc<Cause>,
}

impl Without {
    /// Returns why no rules apply; `None` if rules apply.
    pub(crate) fn from_access(access: Access<'_>) -> Option<Arc<Self>> {
        let (allowed, result, cause) = match access {
            Access::Rules(_) => return None,
            Access::Everything(result, cause) => (true, result, cause),
            Access::Nothing(result, cause) => (false, result, cause),
        };
        let reason = Reason::Site {
            allowed,
            result,
            status: cause.status(),
            code: cause.code(),
            cause: cause.summary(),
        };
        Some(Arc::new(Self { reason, cause: Arc::clone(cause) }))
    }

    /// Returns the verdict about a URL for which the rules of an empty file give `verdict`.
    pub(crate) fn decide(&self, verdict: Verdict) -> Verdict {
        match verdict.reason() {
            // The robots.txt itself may be requested at any time, where the profile says so.
            Reason::RobotsTxt => verdict,
            _ => Verdict::new(self.reason),
        }
    }
}

impl Permission {
    /// Creates the permission that `access` gives a crawler, under the profile of its entry.
    #[must_use]
    pub fn new(access: Access<'_>, crawler: &Crawler, profile: &SiteProfile) -> Self {
        let rules = match access {
            Access::Rules(robots) => robots.rules(crawler),
            _ => profile.read(Box::default()).rules(crawler),
        };
        Self::sharing(Arc::new(Terms::new(rules, None)), Without::from_access(access))
    }

    /// Creates a permission with compiled rules: those of the robots.txt, or of an empty file where there is none.
    pub(crate) const fn sharing(terms: Arc<Terms>, without: Option<Arc<Without>>) -> Self {
        Self { terms, without }
    }

    /// Returns whether the crawler may access a path (path and query, as sent).
    #[must_use]
    pub fn check(&self, path: impl AsRef<[u8]>) -> Verdict {
        self.decide(self.terms.rules.check(path))
    }

    /// Returns whether the crawler may access a URL of the origin that is given as text; see [`RuleSet::check_text`].
    #[must_use]
    pub fn check_text(&self, url: impl AsRef<[u8]>) -> Verdict {
        self.decide(self.terms.rules.check_text(url))
    }

    /// Returns whether the crawler may access a URL of the origin.
    #[must_use]
    pub fn check_url(&self, url: &url::Url) -> Verdict {
        self.decide(self.terms.rules.check_url(url))
    }

    /// Returns the rules, if there are rules to apply.
    #[must_use]
    pub fn rules(&self) -> Option<&RuleSet> {
        self.without.is_none().then_some(&self.terms.rules)
    }

    /// Returns why no rules apply, or `None` if rules apply.
    #[must_use]
    pub fn cause(&self) -> Option<&Cause> {
        self.without.as_ref().map(|without| &*without.cause)
    }

    /// Returns the terms, if there are rules to apply.
    #[cfg(feature = "records")]
    pub(crate) fn terms(&self) -> Option<&Arc<Terms>> {
        self.without.is_none().then_some(&self.terms)
    }

    fn decide(&self, verdict: Verdict) -> Verdict {
        match &self.without {
            Some(without) => without.decide(verdict),
            None => verdict,
        }
    }
}
