//! The records for one crawler.

use alloc::vec::Vec;
use core::time::Duration;

use robots_groups::Selection;
use url::Url;

use super::content_signal::ContentSignal;
use super::file_records::Records;
use super::kind::RecordKind;
#[cfg(feature = "usage")]
use super::preferences::Preferences;
use super::problem::ProblemKind;
use super::record::OtherRecord;
use super::time::TimeWindow;
use super::value::RecordValue;
#[cfg(feature = "usage")]
use crate::pattern::canonical::{Role, canonical};
#[cfg(feature = "usage")]
use crate::pattern::matching;
#[cfg(feature = "usage")]
use crate::policy::MatchPolicy;
#[cfg(feature = "usage")]
use crate::rule_set::RuleSet;

/// The records that concern one crawler: those of its groups, and those of the whole file.
#[derive(Clone, Debug)]
pub struct CrawlerRecords<'r, 'a> {
    records: &'r Records<'a>,
    /// The indices of the crawler's groups, in ascending order.
    groups: Vec<usize>,
}

impl<'a> Records<'a> {
    /// Selects the records for the crawler of `selection`, which has to be a selection from the groups of the same file.
    #[must_use]
    pub fn for_crawler(&self, selection: &Selection<'_, '_>) -> CrawlerRecords<'_, 'a> {
        CrawlerRecords { records: self, groups: selection.indices().collect() }
    }
}

impl<'r, 'a> CrawlerRecords<'r, 'a> {
    /// Iterates over the records, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &'r OtherRecord<'a>> {
        let is_own = |record: &OtherRecord<'_>| {
            record.group.is_some_and(|group| self.groups.binary_search(&group).is_ok())
        };
        self.records.all().iter().filter(move |record| record.concerns_all() || is_own(record))
    }

    fn values(&self) -> impl Iterator<Item = &'r RecordValue<'a>> {
        self.iter().filter_map(|record| record.value.as_ref())
    }

    /// Returns the time to wait between requests: the longest `Crawl-delay` of the crawler's groups, because no document
    /// says which of several counts. A number that is too large for a [`Duration`] counts as the largest.
    ///
    /// ```
    /// use core::time::Duration;
    /// use robots_match::records::Records;
    /// use robots_match::{Crawler, Profile, Robots};
    ///
    /// let body = "User-agent: a\nCrawl-delay: 1\nUser-agent: *\nDisallow:\nCrawl-delay: 30\nCrawl-delay: soon\n";
    /// let robots = Robots::new(body, Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::new(&robots, &groups);
    /// let mine = records.for_crawler(&groups.select(&Crawler::new("a")?));
    /// assert_eq!(mine.crawl_delay(), Some(Duration::from_secs(30)));
    ///
    /// let robots = Robots::new("User-agent: *\nCrawl-delay: 99999999999999999999999999\n", Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::new(&robots, &groups);
    /// let mine = records.for_crawler(&groups.select(&Crawler::new("a")?));
    /// assert_eq!(mine.crawl_delay(), Some(Duration::from_secs(u64::MAX)));
    /// # Ok::<(), robots_match::InvalidName>(())
    /// ```
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.iter()
            .filter_map(|record| match &record.value {
                Some(RecordValue::CrawlDelay(delay)) => Some(*delay),
                // A larger number never makes a crawler faster.
                None if record.kind == RecordKind::CrawlDelay => record
                    .problems
                    .iter()
                    .any(|problem| problem.kind == ProblemKind::TooLarge)
                    .then_some(Duration::from_secs(u64::MAX)),
                _ => None,
            })
            .max()
    }

    /// Iterates over the hours in which requests are welcome. If there are none, requests are welcome all day.
    pub fn visit_times(&self) -> impl Iterator<Item = TimeWindow> {
        self.values().filter_map(|value| match value {
            RecordValue::VisitTime(window) => Some(*window),
            _ => None,
        })
    }

    /// Iterates over the content signals.
    pub fn content_signals(&self) -> impl Iterator<Item = &'r ContentSignal<'a>> {
        self.values().filter_map(|value| match value {
            RecordValue::ContentSignal(signal) => Some(signal),
            _ => None,
        })
    }

    /// Returns whether the content at `path` (path and query, as sent) may be used for `name`.
    ///
    /// The signals with the longest path that `path` begins with decide; a refusal prevails among several. Paths are
    /// compared as written, because no document defines another comparison.
    ///
    /// ```
    /// use robots_match::records::Records;
    /// use robots_match::{Crawler, Profile, Robots};
    ///
    /// let body = "User-agent: *\nContent-Signal: ai-train=no\nContent-Signal: /open/ ai-train=yes\n";
    /// let robots = Robots::new(body, Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::new(&robots, &groups);
    /// let mine = records.for_crawler(&groups.select(&Crawler::unnamed()));
    /// assert_eq!(mine.signal("ai-train", b"/page"), Some(false));
    /// assert_eq!(mine.signal("ai-train", b"/open/page"), Some(true));
    /// assert_eq!(mine.signal("search", b"/page"), None);
    /// ```
    #[must_use]
    pub fn signal(&self, name: &str, path: &[u8]) -> Option<bool> {
        let signals = self.content_signals().map(|signal| {
            let scope = signal.path().map_or(&b"/"[..], |path| path.bytes());
            (scope, signal.is_granted(name).map(|granted| (granted, ())))
        });
        granted(signals, path).map(|(granted, ())| granted)
    }

    /// Iterates over the licenses: those of the crawler's groups if there are any, and otherwise those outside of groups
    /// (RSL 1.0).
    ///
    /// ```
    /// use robots_match::records::Records;
    /// use robots_match::{Crawler, Profile, Robots};
    ///
    /// let body = "License: https://example.com/all.xml\nUser-agent: a\nLicense: https://example.com/a.xml\n\
    ///     Disallow:\nUser-agent: b\nDisallow:\n";
    /// let robots = Robots::new(body, Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::new(&robots, &groups);
    /// for (name, license) in [("a", "https://example.com/a.xml"), ("b", "https://example.com/all.xml")] {
    ///     let mine = records.for_crawler(&groups.select(&Crawler::new(name)?));
    ///     assert_eq!(mine.licenses().map(|url| url.as_str()).collect::<Vec<_>>(), [license]);
    /// }
    /// # Ok::<(), robots_match::InvalidName>(())
    /// ```
    pub fn licenses(&self) -> impl Iterator<Item = &'r Url> {
        let is_license = |record: &&OtherRecord<'a>| matches!(record.value, Some(RecordValue::License(_)));
        let has_own = self.iter().filter(is_license).any(|record| record.group.is_some());
        self.iter().filter(move |record| record.group.is_some() == has_own).filter_map(|record| match &record
            .value
        {
            Some(RecordValue::License(url)) => Some(url),
            _ => None,
        })
    }

    /// Returns the preferences about the use of the content at `path` (path and query, as sent). Returns `None` if `rules`,
    /// the rules of the same crawler, disallow access (attach-05).
    ///
    /// Among the `Content-Usage` records whose pattern matches, those with the longest pattern count; a record without a
    /// path counts as one with `/`. Among several such records, the most restrictive preference is taken. Patterns and
    /// paths are compared in the canonical form of the policy of `rules`. Values that are not dictionaries are ignored.
    ///
    /// # Complexity
    ///
    /// O(*n* + *r* × *p*) for *r* records of *n* bytes in total and a path of *p* bytes.
    ///
    /// ```
    /// use robots_match::records::Records;
    /// use robots_match::{Crawler, Profile, Robots};
    ///
    /// let body = "User-agent: *\nAllow: /\nDisallow: /never/\nContent-Usage: train-ai=n\n\
    ///     Content-Usage: /ai-ok/ train-ai=y\n";
    /// let robots = Robots::new(body, Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::new(&robots, &groups);
    /// let mine = records.for_crawler(&groups.select(&Crawler::unnamed()));
    /// let rules = robots.rules(&Crawler::unnamed());
    /// assert_eq!(mine.usage(b"/test", &rules).unwrap().train_ai(), Some(false));
    /// assert_eq!(mine.usage(b"/ai-ok/test", &rules).unwrap().train_ai(), Some(true));
    /// assert!(mine.usage(b"/never/test", &rules).is_none());
    /// ```
    #[cfg(feature = "usage")]
    #[must_use]
    pub fn usage(&self, path: &[u8], rules: &RuleSet) -> Option<Preferences> {
        let usages = self.values().filter_map(|value| match value {
            RecordValue::ContentUsage(usage) => {
                Some((usage.path().map_or(&b"/"[..], |path| path.bytes()), usage.preferences()))
            }
            _ => None,
        });
        let found = most_specific(usages, path, rules)?;
        Some(found.into_iter().flatten().fold(Preferences::default(), Preferences::and))
    }
}

/// Returns whether a use is granted at `path`, from the scope of each signal and whether it grants the use, with what belongs to
/// the signal that decides.
pub(super) fn granted<'s, T>(
    signals: impl Iterator<Item = (&'s [u8], Option<(bool, T)>)>,
    path: &[u8],
) -> Option<(bool, T)> {
    let mut best: Option<(usize, (bool, T))> = None;
    for (scope, granted) in signals {
        let Some(granted) = granted.filter(|_| path.starts_with(scope)) else { continue };
        best = match best {
            Some((longest, before)) if longest > scope.len() => Some((longest, before)),
            // A refusal prevails.
            Some((longest, before)) if longest == scope.len() && (!before.0 || granted.0) => {
                Some((longest, before))
            }
            _ => Some((scope.len(), granted)),
        };
    }
    best.map(|(_, granted)| granted)
}

/// Returns what belongs to the longest of the patterns that match `path`, of several if they are as long; `None` if `rules`
/// disallow access.
#[cfg(feature = "usage")]
pub(super) fn most_specific<'u, T>(
    usages: impl Iterator<Item = (&'u [u8], T)>,
    path: &[u8],
    rules: &RuleSet,
) -> Option<Vec<T>> {
    if !rules.check(path).is_allowed() {
        return None;
    }
    let policy = rules.policy();
    let path = canonical(path, policy.path, Role::Path);
    let mut longest = 0;
    let mut found = Vec::new();
    for (pattern, of_pattern) in usages {
        let Some(bytes) = matched(pattern, &path, policy).filter(|&bytes| bytes >= longest) else {
            continue;
        };
        if bytes > longest {
            longest = bytes;
            found.clear();
        }
        found.push(of_pattern);
    }
    Some(found)
}

/// Returns the length of the canonical pattern, in bytes, if it matches `path`.
#[cfg(feature = "usage")]
fn matched(pattern: &[u8], path: &[u8], policy: &MatchPolicy) -> Option<usize> {
    let pattern = canonical(pattern, policy.pattern, Role::Pattern(policy.specials()));
    let has_specials = policy.wildcards;
    let is_match = match &*pattern {
        [stem @ .., b'$'] if has_specials => matching::matches(stem, true, path),
        stem if has_specials => matching::matches(stem, false, path),
        start => path.starts_with(start),
    };
    is_match.then_some(pattern.len())
}

#[cfg(test)]
mod tests {
    use crate::records::Records;
    use crate::{Crawler, Profile, Robots};
    use alloc::vec::Vec;

    #[test]
    fn only_own_groups_count() {
        let body = "Crawl-delay: 99\nUser-agent: a\nCrawl-delay: 1\nUser-agent: *\nDisallow:\n\
            User-agent: b\nCrawl-delay: 7\nRequest-rate: 1/5\nVisit-time: 0600-0845\nDisallow: /\n\
            User-agent: a\nCrawl-delay: 3\n";
        let robots = Robots::new(body, Profile::RFC9309);
        let groups = robots.groups();
        let records = Records::new(&robots, &groups);
        let delay = |name: &str| {
            let token = Crawler::new(name).unwrap();
            records.for_crawler(&groups.select(&token)).crawl_delay().map(|delay| delay.as_secs())
        };
        assert_eq!((delay("a"), delay("b"), delay("c")), (Some(3), Some(7), Some(1)));
        let token = Crawler::new("b").unwrap();
        let b = records.for_crawler(&groups.select(&token));
        assert_eq!(b.visit_times().count(), 1);
        assert_eq!(records.problems().count(), 1, "the delay before all groups");
        let unnamed = records.for_crawler(&groups.select(&Crawler::unnamed().ignoring_wildcard()));
        assert_eq!(unnamed.iter().count(), 0);
    }

    #[test]
    fn licenses_outside_of_groups_are_for_crawlers_without_licenses() {
        let body = "License: https://e.example/1\nLicense: https://e.example/2\nUser-agent: a\n\
            License: /relative\nDisallow:\nUser-agent: b\nLicense: https://e.example/3\n";
        let robots = Robots::new(body, Profile::RFC9309);
        let groups = robots.groups();
        let records = Records::new(&robots, &groups);
        let licenses = |name: &str| {
            let token = Crawler::new(name).unwrap();
            let mine = records.for_crawler(&groups.select(&token));
            mine.licenses().map(|url| url.path().as_bytes()[1]).collect::<Vec<_>>()
        };
        assert_eq!((licenses("a"), licenses("b"), licenses("c")), (b"12".into(), b"3".into(), b"12".into()));
    }

    #[cfg(feature = "usage")]
    #[test]
    fn usage_takes_the_longest_path_and_the_most_restrictive_of_equals() {
        const ALLOW: Option<bool> = Some(true);
        const DISALLOW: Option<bool> = Some(false);
        let body = "User-agent: ExampleBot\nAllow: /\nContent-Usage: train-ai=y\n\n\
            User-agent: *\nDisallow: /never\nContent-Usage: train-ai=n\nContent-Usage: /a%2fb train-ai=y\n\
            Content-Usage: /a%2Fb train-ai=n, search=y\nContent-Usage: /c train-ai=n\nContent-Usage: /c* train-ai=y\n\
            Content-Usage: /d train-ai=y;;\n";
        let robots = Robots::new(body, Profile::RFC9309);
        let groups = robots.groups();
        let records = Records::new(&robots, &groups);
        let rules = robots.rules(&Crawler::unnamed());
        let mine = records.for_crawler(&groups.select(&Crawler::unnamed()));
        let usage =
            |path: &str| mine.usage(path.as_bytes(), &rules).map(|found| (found.train_ai(), found.search()));
        assert_eq!(usage("/"), Some((DISALLOW, None)));
        // An empty text is not a path, so nothing may be fetched or used.
        assert_eq!(usage(""), None);
        assert_eq!(usage("/a%2fb"), Some((DISALLOW, ALLOW)));
        assert_eq!(usage("/a/b"), Some((DISALLOW, None)));
        assert_eq!(usage("/cat"), Some((ALLOW, None)));
        assert_eq!(usage("/d"), Some((None, None)));
        assert_eq!(usage("/never/x"), None);
        let token = Crawler::new("ExampleBot").unwrap();
        let own = records.for_crawler(&groups.select(&token));
        let own_rules = robots.rules(&token);
        for path in ["/test", "/never/test", "/ai-ok/test"] {
            assert_eq!(own.usage(path.as_bytes(), &own_rules).unwrap().train_ai(), ALLOW);
        }
    }
}
