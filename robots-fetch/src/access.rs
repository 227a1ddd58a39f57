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
    rules: RuleSet,
    without: Option<Arc<Without>>,
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
            Reason::RobotsTxt | Reason::NotUrl => verdict,
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
        Self::with_rules(rules, Without::from_access(access))
    }

    /// Creates a permission with compiled rules: those of the robots.txt, or of an empty file where there is none.
    pub(crate) const fn with_rules(rules: RuleSet, without: Option<Arc<Without>>) -> Self {
        Self { rules, without }
    }

    /// Returns whether the crawler may access a path and query, or a whole URL of the origin; see [`RuleSet::check`].
    #[must_use]
    pub fn check(&self, url: impl AsRef<[u8]>) -> Verdict {
        self.decide(self.rules.check(url))
    }

    /// Returns whether the crawler may access a URL of the origin.
    #[must_use]
    pub fn check_url(&self, url: &url::Url) -> Verdict {
        self.decide(self.rules.check_url(url))
    }

    /// Joins the verdict about a URL of the origin with the rules of its page, which exist only if the crawler may access it. A page
    /// that it may not access can still be listed by its URL.
    ///
    /// ```
    /// use robots_fetch::matching::{Crawler, Robots};
    /// use robots_fetch::page::{PagePolicy, PageReader, Possibility};
    /// use robots_fetch::{Access, Permission, SiteProfile};
    ///
    /// let bot = Crawler::new("ExampleBot")?;
    /// let robots = std::sync::Arc::new(Robots::new("User-agent: *\nDisallow: /private\n", SiteProfile::RFC9309.rules));
    /// let permission = Permission::new(Access::Rules(&robots), &bot, &SiteProfile::RFC9309);
    ///
    /// let mut reader = PageReader::new(PagePolicy::REPEXT);
    /// reader.field(b"X-Robots-Tag", b"noindex");
    /// let page = reader.finish();
    /// let seen = permission.page(&"https://example.com/a".parse()?, || page.for_crawler(&bot));
    /// assert!(matches!(seen.index(), Possibility::Page(_)));
    /// let hidden = permission.page(&"https://example.com/private".parse()?, || page.for_crawler(&bot));
    /// assert_eq!(hidden.index(), Possibility::UrlOnly);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "page")]
    #[must_use]
    pub fn page<'p>(
        &self,
        url: &url::Url,
        rules: impl FnOnce() -> robots_page::CrawlerRules<'p>,
    ) -> robots_page::PageVerdict<'p> {
        robots_page::PageVerdict::new(self.check_url(url), rules)
    }

    /// Returns the rules, if there are rules to apply.
    #[must_use]
    pub fn rules(&self) -> Option<&RuleSet> {
        self.without.is_none().then_some(&self.rules)
    }

    /// Returns why no rules apply, or `None` if rules apply.
    #[must_use]
    pub fn cause(&self) -> Option<&Cause> {
        self.without.as_ref().map(|without| &*without.cause)
    }

    fn decide(&self, verdict: Verdict) -> Verdict {
        match &self.without {
            Some(without) => without.decide(verdict),
            None => verdict,
        }
    }
}
