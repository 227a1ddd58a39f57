//! All that a crawler needs to know about a URL, as one value.

#[cfg(feature = "records")]
use alloc::sync::Arc;
use std::time::SystemTime;

#[cfg(feature = "records")]
use robots_match::records::{CrawlFacts, Preferences};
use robots_match::{AccessResult, Verdict};

/// All that a crawler needs to know about a URL, from one question to a cache: whether it may access the URL, how it should
/// behave at the site, and when to ask again. `AsyncCache::decide` and [`Cache::decide`](crate::Cache::decide) return it.
///
/// The records of a file are read once for each entry and crawler.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decision {
    /// Whether the crawler may access the URL, and why.
    pub verdict: Verdict,
    /// When to ask again about a URL that may not be accessed now: when the robots.txt is retrieved next. `None` if it may be
    /// accessed.
    pub ask_again: Option<SystemTime>,
    /// The access result of the last answer to the request for the robots.txt.
    pub result: AccessResult,
    /// When this answer was received.
    pub received: SystemTime,
    /// Whether this answer is fresh ([`Entry::is_fresh`](crate::Entry::is_fresh)).
    pub is_fresh: bool,
    /// Until when this answer is or was fresh ([`Entry::fresh_until`](crate::Entry::fresh_until)).
    pub fresh_until: SystemTime,
    /// When the robots.txt is retrieved next ([`Entry::next_retrieval`](crate::Entry::next_retrieval)).
    pub next_retrieval: SystemTime,
    /// Crawl-delay, request rates, visit times, sitemaps and content signals. All are empty if no rules apply.
    #[cfg(feature = "records")]
    pub facts: Arc<CrawlFacts>,
    /// The preferences about the use of the content at the URL (`Content-Usage`); `None` if the URL may not be accessed.
    #[cfg(feature = "records")]
    pub usage: Option<Preferences>,
    /// What robots.txt states about the use of the content at the URL.
    #[cfg(feature = "page")]
    statements: robots_page::RobotsStatements,
}

/// The facts of the last answer.
pub(super) struct Answered {
    pub(super) result: AccessResult,
    pub(super) received: SystemTime,
    pub(super) is_fresh: bool,
    pub(super) fresh_until: SystemTime,
    pub(super) next_retrieval: SystemTime,
}

impl Decision {
    pub(super) fn new(
        verdict: Verdict,
        answered: Answered,
        #[cfg(feature = "records")] facts: Arc<CrawlFacts>,
    ) -> Self {
        let Answered { result, received, is_fresh, fresh_until, next_retrieval } = answered;
        Self {
            verdict,
            ask_again: (!verdict.is_allowed()).then_some(next_retrieval),
            result,
            received,
            is_fresh,
            fresh_until,
            next_retrieval,
            #[cfg(feature = "records")]
            facts,
            #[cfg(feature = "records")]
            usage: verdict.is_allowed().then(Preferences::default),
            #[cfg(feature = "page")]
            statements: robots_page::RobotsStatements::default(),
        }
    }
}

#[cfg(feature = "page")]
impl Decision {
    /// Joins the verdict, and what robots.txt states about the use of the page, with the rules of the page after it was fetched; see
    /// [`Permission::page`](crate::Permission::page). `rules` is called only if the page may be fetched.
    ///
    /// ```
    /// use robots_fetch::Decision;
    /// use robots_fetch::matching::Crawler;
    /// use robots_fetch::page::{PagePolicy, PageReader, Preference};
    ///
    /// /// Returns whether models may not be trained with a page, by its response and its robots.txt.
    /// fn refuses_training(decision: &Decision, bot: &Crawler, fields: &[(&str, &[u8])], html: &[u8]) -> bool {
    ///     let mut reader = PageReader::new(PagePolicy::REPEXT);
    ///     for (name, value) in fields {
    ///         reader.field(name.as_bytes(), value);
    ///     }
    ///     reader.html(html);
    ///     let page = reader.finish();
    ///     let verdict = decision.page(|| page.for_crawler(bot));
    ///     verdict.rules().is_none_or(|rules| rules.training().value == Preference::Disallowed)
    /// }
    /// ```
    #[must_use]
    pub fn page<'p>(
        &'p self,
        rules: impl FnOnce() -> robots_page::CrawlerRules<'p>,
    ) -> robots_page::PageVerdict<'p> {
        robots_page::PageVerdict::new(self.verdict, || rules().with_robots(self.statements.records()))
    }
}

#[cfg(feature = "records")]
impl Decision {
    /// Returns the decision of the same permission about another URL of the origin.
    #[cfg(feature = "gate")]
    pub(crate) fn about(&self, url: &url::Url, permission: &crate::access::Permission) -> Self {
        let verdict = permission.check_url(url);
        let decision = Self {
            verdict,
            ask_again: (!verdict.is_allowed()).then_some(self.next_retrieval),
            usage: verdict.is_allowed().then(Preferences::default),
            #[cfg(feature = "page")]
            statements: robots_page::RobotsStatements::default(),
            ..self.clone()
        };
        decision.with_usage(url, permission)
    }

    /// Adds the preferences at the URL.
    pub(super) fn with_usage(mut self, url: &url::Url, permission: &crate::access::Permission) -> Self {
        let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
        let Some(rules) = permission.rules().filter(|_| self.usage.is_some()) else { return self };
        if self.facts.has_usage() {
            self.usage = self.facts.usage(path.as_bytes(), rules);
        }
        #[cfg(feature = "page")]
        {
            self.statements = robots_page::RobotsStatements::from_facts(&self.facts, rules, path.as_bytes());
        }
        self
    }
}
