//! The records for one crawler, as values that outlive the file.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::time::Duration;

use robots_groups::Crawler;
use robots_groups::syntax::Span;
use url::Url;

use super::crawler_records::granted;
#[cfg(feature = "usage")]
use super::crawler_records::most_specific;
use super::file_records::Records;
#[cfg(feature = "usage")]
use super::preferences::Preferences;
use super::record::OtherRecord;
use super::time::TimeWindow;
use super::value::RecordValue;
use crate::robots::Robots;
#[cfg(feature = "usage")]
use crate::rule_set::RuleSet;

/// The records that concern one crawler, read once and kept without the file.
///
/// ```
/// use core::time::Duration;
/// use robots_match::records::CrawlFacts;
/// use robots_match::{Crawler, Profile, Robots};
///
/// let body = "User-agent: ExampleBot\nCrawl-delay: 2.5\nContent-Signal: ai-train=no\nSitemap: https://example.com/map.xml\n";
/// let robots = Robots::new(body, Profile::RFC9309);
/// let facts = CrawlFacts::new(&robots, &Crawler::new("ExampleBot")?);
/// assert_eq!(facts.crawl_delay, Some(Duration::from_millis(2500)));
/// assert_eq!(facts.sitemaps[0].path(), "/map.xml");
/// assert_eq!(facts.signal("ai-train", b"/page"), Some(false));
/// # Ok::<(), robots_match::InvalidName>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CrawlFacts {
    /// The time to wait between requests ([`crawl_delay`](super::CrawlerRecords::crawl_delay)).
    pub crawl_delay: Option<Duration>,
    /// The request rates in the order of the file: how many requests in which period, and the hours in which the rate counts, if
    /// the record has any.
    pub request_rates: Vec<(u64, Duration, Option<TimeWindow>)>,
    /// The hours in which requests are welcome. If there are none, requests are welcome all day.
    pub visit_times: Vec<TimeWindow>,
    /// The sitemaps of the file that are absolute URLs.
    pub sitemaps: Vec<Url>,
    signals: Vec<Signals>,
    #[cfg(feature = "usage")]
    usages: Vec<Usage>,
}

/// The place of a record that states something about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statement {
    /// The line, from 1.
    pub line: usize,
    /// The bytes of the line.
    pub span: Span,
}

impl Statement {
    const fn of(record: &OtherRecord<'_>) -> Self {
        Self { line: record.line, span: record.span }
    }
}

/// The uses that one record grants or refuses below a path.
#[derive(Clone, Debug)]
struct Signals {
    statement: Statement,
    scope: Box<[u8]>,
    /// The names as written, and whether the use is granted.
    uses: Box<[(Box<[u8]>, bool)]>,
}

/// The preferences of one record; `None` if they can't be read.
#[cfg(feature = "usage")]
#[derive(Clone, Debug)]
struct Usage {
    statement: Statement,
    pattern: Box<[u8]>,
    preferences: Option<Preferences>,
}

impl CrawlFacts {
    /// Reads the records of a file for a crawler.
    ///
    /// # Complexity
    ///
    /// O(*n*) for a file of *n* bytes.
    #[must_use]
    pub fn new(robots: &Robots, crawler: &Crawler) -> Self {
        let groups = robots.groups();
        let records = Records::new(robots, &groups);
        let mine = records.for_crawler(&groups.select(crawler));
        let signals = mine.iter().filter_map(|record| match &record.value {
            Some(RecordValue::ContentSignal(signal)) => Some(Signals {
                statement: Statement::of(record),
                scope: signal.path().map_or(&b"/"[..], |path| path.bytes()).into(),
                uses: signal
                    .signals()
                    .filter_map(|(name, value)| {
                        let is = |wanted: &[u8]| value.bytes().eq_ignore_ascii_case(wanted);
                        (is(b"yes") || is(b"no")).then(|| (name.bytes().into(), is(b"yes")))
                    })
                    .collect(),
            }),
            _ => None,
        });
        let rates = mine.iter().filter_map(|record| match record.value {
            Some(RecordValue::RequestRate { requests, period, window }) => Some((requests, period, window)),
            _ => None,
        });
        #[cfg(feature = "usage")]
        let usages = mine.iter().filter_map(|record| match &record.value {
            Some(RecordValue::ContentUsage(usage)) => Some(Usage {
                statement: Statement::of(record),
                pattern: usage.path().map_or(&b"/"[..], |path| path.bytes()).into(),
                preferences: usage.preferences(),
            }),
            _ => None,
        });
        Self {
            crawl_delay: mine.crawl_delay(),
            request_rates: rates.collect(),
            visit_times: mine.visit_times().collect(),
            sitemaps: records.sitemaps().cloned().collect(),
            signals: signals.collect(),
            #[cfg(feature = "usage")]
            usages: usages.collect(),
        }
    }

    /// Returns whether the content at `path` may be used for `name`; see
    /// [`CrawlerRecords::signal`](super::CrawlerRecords::signal).
    #[must_use]
    pub fn signal(&self, name: &str, path: &[u8]) -> Option<bool> {
        self.signal_statement(name, path).map(|(_, granted)| granted)
    }

    /// Returns the record that decides whether the content at `path` may be used for `name`, and whether it grants the use.
    #[must_use]
    pub fn signal_statement(&self, name: &str, path: &[u8]) -> Option<(Statement, bool)> {
        let signals = self.signals.iter().map(|signals| {
            let mut of_name =
                signals.uses.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name.as_bytes()));
            let first = of_name.next().map(|&(_, granted)| granted);
            // A refusal prevails.
            let granted = first.map(|first| of_name.fold(first, |all, &(_, granted)| all && granted));
            (&*signals.scope, granted.map(|granted| (granted, signals.statement)))
        });
        granted(signals, path).map(|(granted, statement)| (statement, granted))
    }

    /// Returns whether there are records about preferences (`Content-Usage`).
    #[cfg(feature = "usage")]
    #[must_use]
    pub fn has_usage(&self) -> bool {
        !self.usages.is_empty()
    }

    /// Returns the preferences about the use of the content at `path`, or `None` if `rules`, those of the same crawler,
    /// disallow access; see [`CrawlerRecords::usage`](super::CrawlerRecords::usage).
    ///
    /// # Complexity
    ///
    /// O(*n* + *r* × *p*) for *r* records of *n* bytes in total and a path of *p* bytes.
    #[cfg(feature = "usage")]
    #[must_use]
    pub fn usage(&self, path: &[u8], rules: &RuleSet) -> Option<Preferences> {
        let usages = self.usage_statements(path, rules)?;
        Some(
            usages
                .into_iter()
                .filter_map(|(_, preferences)| preferences.cloned())
                .fold(Preferences::default(), Preferences::and),
        )
    }

    /// Returns the records whose preferences count at `path`, each with its preferences if they can be read; see
    /// [`usage`](Self::usage).
    #[cfg(feature = "usage")]
    #[must_use]
    pub fn usage_statements(
        &self,
        path: &[u8],
        rules: &RuleSet,
    ) -> Option<Vec<(Statement, Option<&Preferences>)>> {
        let usages = self.usages.iter();
        let usages = usages.map(|usage| (&*usage.pattern, (usage.statement, usage.preferences.as_ref())));
        most_specific(usages, path, rules)
    }

    /// Returns about how many bytes the facts take, the struct included.
    #[must_use]
    pub fn memory(&self) -> usize {
        let sitemaps = self.sitemaps.iter().map(|url| size_of_val(url) + url.as_str().len() + 16);
        let uses = |signals: &Signals| {
            signals
                .uses
                .iter()
                .map(|(name, _)| size_of::<(Box<[u8]>, bool)>() + name.len() + 16)
                .sum::<usize>()
        };
        let signals = self
            .signals
            .iter()
            .map(|signals| size_of_val(signals) + signals.scope.len() + 32 + uses(signals));
        let usages = 0_usize;
        #[cfg(feature = "usage")]
        let usages = usages
            + self
                .usages
                .iter()
                // A node of the map of preferences has room for eleven labels.
                .map(|usage| size_of_val(usage) + usage.pattern.len() + 512)
                .sum::<usize>();
        size_of_val(self)
            + size_of_val(&*self.request_rates)
            + size_of_val(&*self.visit_times)
            + sitemaps.sum::<usize>()
            + signals.sum::<usize>()
            + usages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;
    use alloc::string::String;

    const BODY: &str = "User-agent: a\nCrawl-delay: 3\nRequest-rate: 1/5\nVisit-time: 0600-0845\n\
        Content-Signal: search=yes, ai-train=no\nContent-Signal: /open/ ai-train=yes, AI-Train=yes\n\
        Content-Signal: /both/ ai-train=yes, ai-train=no, use=maybe\nContent-Usage: train-ai=n\n\
        Content-Usage: /free/* train-ai=y\nContent-Usage: /free/odd train-ai=y;;\nDisallow: /never\n\
        User-agent: *\nCrawl-delay: 9\nSitemap: https://example.com/1.xml\nSitemap: /2.xml\n";

    #[test]
    fn facts_say_what_the_records_say() {
        for profile in [Profile::RFC9309, Profile::KOSTER_1996] {
            let robots = Robots::new(BODY, profile);
            let groups = robots.groups();
            let records = Records::new(&robots, &groups);
            for crawler in
                [Crawler::new("a").unwrap(), Crawler::unnamed(), Crawler::unnamed().ignoring_wildcard()]
            {
                let facts = CrawlFacts::new(&robots, &crawler);
                let mine = records.for_crawler(&groups.select(&crawler));
                assert_eq!(facts.crawl_delay, mine.crawl_delay());
                let rates = if crawler == Crawler::new("a").unwrap() { 1 } else { 0 };
                assert_eq!(facts.request_rates.len(), rates);
                assert!(facts.request_rates.iter().all(|rate| *rate == (1, Duration::from_secs(5), None)));
                assert_eq!(facts.visit_times, mine.visit_times().collect::<Vec<_>>());
                assert_eq!(facts.sitemaps, records.sitemaps().cloned().collect::<Vec<_>>());
                #[cfg(feature = "usage")]
                let rules = robots.rules(&crawler);
                for path in ["/", "/x", "/open/x", "/both/x", "/free/x", "/free/odd", "/never/x", ""] {
                    let path = path.as_bytes();
                    for name in ["search", "ai-train", "AI-TRAIN", "use", "ai-input"] {
                        assert_eq!(facts.signal(name, path), mine.signal(name, path), "{name}");
                    }
                    #[cfg(feature = "usage")]
                    assert_eq!(facts.usage(path, &rules), mine.usage(path, &rules));
                }
            }
        }
    }

    #[test]
    fn memory_grows_with_the_records() {
        let memory =
            |body: &str| CrawlFacts::new(&Robots::new(body, Profile::RFC9309), &Crawler::unnamed()).memory();
        assert_eq!(memory(""), size_of::<CrawlFacts>());
        let maps: String =
            (0..100).map(|_| "Sitemap: https://example.com/a/long/path/of/a/map.xml\n").collect();
        assert!((12_000..20_000).contains(&memory(&maps)), "{}", memory(&maps));
    }
}
