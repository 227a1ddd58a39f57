//! All that a crawler needs to know about a URL, as one value.

use alloc::sync::Arc;
use std::time::SystemTime;

use robots_match::{AccessResult, Verdict};
#[cfg(feature = "records")]
use url::Position;
use url::Url;

use crate::access::Permission;
use crate::cache::facts::CrawlFacts;
use crate::cache::site::{Times, has_lifetime};

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
    pub usage: Option<robots_match::records::Preferences>,
    /// What robots.txt states about the use of the content at the URL.
    #[cfg(feature = "page")]
    statements: robots_page::RobotsStatements,
}

impl Decision {
    /// Decides about a URL by what a crawler may do at its site.
    #[cfg_attr(not(feature = "records"), expect(unused_variables, reason = "only records have facts"))]
    pub(super) fn new(
        url: &Url,
        permission: &Permission,
        result: AccessResult,
        times: Times,
        now: SystemTime,
        facts: Arc<CrawlFacts>,
    ) -> Self {
        let verdict = permission.check_url(url);
        let (received, next_retrieval) = (times.received(), times.until());
        // A pause is not a lifetime.
        let has_lifetime = has_lifetime(result);
        let decision = Self {
            verdict,
            ask_again: None,
            result,
            received,
            is_fresh: has_lifetime && times.is_current(now.into()),
            fresh_until: if has_lifetime { next_retrieval } else { received },
            next_retrieval,
            #[cfg(feature = "records")]
            facts,
            #[cfg(feature = "records")]
            usage: None,
            #[cfg(feature = "page")]
            statements: robots_page::RobotsStatements::default(),
        };
        decision.about(url, verdict, permission)
    }

    /// Returns the decision about another URL of the origin, by its verdict and the same permission.
    #[cfg_attr(
        not(feature = "records"),
        expect(unused_variables, reason = "only records depend on the path")
    )]
    pub(crate) fn about(mut self, url: &Url, verdict: Verdict, permission: &Permission) -> Self {
        self.verdict = verdict;
        self.ask_again = (!verdict.is_allowed()).then_some(self.next_retrieval);
        #[cfg(feature = "records")]
        {
            let path = url[Position::BeforePath..Position::AfterQuery].as_bytes();
            let rules = permission.rules().filter(|_| verdict.is_allowed());
            self.usage = match rules.filter(|_| self.facts.has_usage()) {
                Some(rules) => self.facts.usage(path, rules),
                None => verdict.is_allowed().then(robots_match::records::Preferences::default),
            };
            #[cfg(feature = "page")]
            {
                let statements = |rules| robots_page::RobotsStatements::from_facts(&self.facts, rules, path);
                self.statements = rules.map(statements).unwrap_or_default();
            }
        }
        self
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
