//! The other records that concern one crawler.

use alloc::vec::Vec;
use core::time::Duration;

use robots_groups::Selection;
#[cfg(feature = "usage")]
use robots_groups::syntax::Field;
use url::Url;

#[cfg(feature = "usage")]
use super::usage::Preferences;
use super::{ContentSignal, OtherRecord, Records, RequestRate, Scope, Value, Window};
use crate::pattern::canonical::{Role, canonical};
#[cfg(feature = "usage")]
use crate::pattern::matching;
#[cfg(feature = "usage")]
use crate::policy::{Policy, Specials};
#[cfg(feature = "usage")]
use crate::rule_set::RuleSet;

/// The other records that concern one crawler: those of the groups it selected, and those of the file.
#[derive(Clone, Debug)]
pub struct CrawlerRecords<'r, 'a> {
    records: &'r Records<'a>,
    /// The indices of its groups, in ascending order.
    groups: Vec<usize>,
}

impl<'a> Records<'a> {
    /// What concerns the crawler of `selection`, which is of the groups of the same file.
    #[must_use]
    pub fn for_crawler(&self, selection: &Selection<'_, '_>) -> CrawlerRecords<'_, 'a> {
        CrawlerRecords { records: self, groups: selection.indices().collect() }
    }
}

impl<'r, 'a> CrawlerRecords<'r, 'a> {
    /// The records that concern it, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &'r OtherRecord<'a>> {
        self.records.all.iter().filter(|record| match record.scope() {
            Scope::File => true,
            Scope::Group(group) => self.groups.binary_search(&group).is_ok(),
            Scope::Nobody => false,
        })
    }

    fn values(&self) -> impl Iterator<Item = &'r Value<'a>> {
        self.iter().filter_map(|record| record.value.as_ref())
    }

    /// How long to wait between requests: the longest `Crawl-delay` of its groups, for no document says which of several
    /// counts. There is no upper bound but that of [`Duration`].
    ///
    /// ```
    /// use core::time::Duration;
    /// use robots_match::records::Records;
    /// use robots_match::{ProductToken, Profile, Robots};
    ///
    /// let body = "User-agent: a\nCrawl-delay: 1\nUser-agent: *\nDisallow:\nCrawl-delay: 30\nCrawl-delay: soon\n";
    /// let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::of(&robots, &groups);
    /// let mine = records.for_crawler(&groups.select(&ProductToken::new("a")?));
    /// assert_eq!(mine.crawl_delay(), Some(Duration::from_secs(30)));
    /// # Ok::<(), robots_match::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.values()
            .filter_map(|value| match value {
                Value::CrawlDelay(delay) => Some(*delay),
                _ => None,
            })
            .max()
    }

    /// How many requests in how much time.
    pub fn request_rates(&self) -> impl Iterator<Item = RequestRate> {
        self.values().filter_map(|value| match value {
            Value::RequestRate(rate) => Some(*rate),
            _ => None,
        })
    }

    /// The hours in which requests are welcome; none given means all.
    pub fn visit_times(&self) -> impl Iterator<Item = Window> {
        self.values().filter_map(|value| match value {
            Value::VisitTime(window) => Some(*window),
            _ => None,
        })
    }

    /// What content may be used for.
    pub fn content_signals(&self) -> impl Iterator<Item = &'r ContentSignal<'a>> {
        self.values().filter_map(|value| match value {
            Value::ContentSignal(signal) => Some(signal),
            _ => None,
        })
    }

    /// Whether what `path` (path and query, as sent) names may be used for `name`: what the signals say whose path is the
    /// longest with which `path` begins; of several of the same, a refusal prevails. Paths are compared as they are
    /// written, for no document says how else.
    ///
    /// ```
    /// use robots_match::records::Records;
    /// use robots_match::{Crawler, Profile, Robots};
    ///
    /// let body = "User-agent: *\nContent-Signal: ai-train=no\nContent-Signal: /open/ ai-train=yes\n";
    /// let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::of(&robots, &groups);
    /// let mine = records.for_crawler(&groups.select(Crawler::unnamed()));
    /// assert_eq!(mine.signal("ai-train", b"/page"), Some(false));
    /// assert_eq!(mine.signal("ai-train", b"/open/page"), Some(true));
    /// assert_eq!(mine.signal("search", b"/page"), None);
    /// ```
    #[must_use]
    pub fn signal(&self, name: &str, path: &[u8]) -> Option<bool> {
        let mut best: Option<(usize, bool)> = None;
        for signal in self.content_signals() {
            let scope = signal.path().map_or(&b"/"[..], |path| path.bytes());
            let Some(granted) = signal.is_granted(name).filter(|_| path.starts_with(scope)) else { continue };
            best = match best {
                Some((longest, _)) if longest > scope.len() => best,
                Some((longest, before)) if longest == scope.len() => Some((longest, before && granted)),
                _ => Some((scope.len(), granted)),
            };
        }
        best.map(|(_, granted)| granted)
    }

    /// The licenses that hold for it: those of its groups if there are any, else those that stand before all groups (RSL
    /// 1.0).
    ///
    /// ```
    /// use robots_match::records::Records;
    /// use robots_match::{ProductToken, Profile, Robots};
    ///
    /// let body = "License: https://example.com/all.xml\nUser-agent: a\nLicense: https://example.com/a.xml\n\
    ///     Disallow:\nUser-agent: b\nDisallow:\n";
    /// let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::of(&robots, &groups);
    /// for (name, license) in [("a", "https://example.com/a.xml"), ("b", "https://example.com/all.xml")] {
    ///     let mine = records.for_crawler(&groups.select(&ProductToken::new(name)?));
    ///     assert_eq!(mine.licenses().map(|url| url.as_str()).collect::<Vec<_>>(), [license]);
    /// }
    /// # Ok::<(), robots_match::InvalidToken>(())
    /// ```
    pub fn licenses(&self) -> impl Iterator<Item = &'r Url> {
        let is_license = |record: &&OtherRecord<'a>| matches!(record.value, Some(Value::License(_)));
        let has_own = self.iter().filter(is_license).any(|record| record.group.is_some());
        self.iter().filter(move |record| record.group.is_some() == has_own).filter_map(|record| match &record
            .value
        {
            Some(Value::License(url)) => Some(url),
            _ => None,
        })
    }

    /// The preferences about the use of what `path` (path and query, as sent) names; `None` if `rules`, those of the same
    /// crawler, do not allow it (attach-05).
    ///
    /// Of the `Content-Usage` records whose pattern matches, those with the most octets count, a record without a path as
    /// one with `/`; of several such, the most restrictive preference. Patterns and paths have the form that the policy of
    /// `rules` gives them. What is no dictionary says nothing. Time grows with the octets of these records and the path.
    ///
    /// ```
    /// use robots_match::records::{Preference, Records};
    /// use robots_match::{Crawler, Profile, Robots};
    ///
    /// let body = "User-agent: *\nAllow: /\nDisallow: /never/\nContent-Usage: train-ai=n\n\
    ///     Content-Usage: /ai-ok/ train-ai=y\n";
    /// let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
    /// let groups = robots.groups();
    /// let records = Records::of(&robots, &groups);
    /// let mine = records.for_crawler(&groups.select(Crawler::unnamed()));
    /// let rules = robots.rules(Crawler::unnamed());
    /// assert_eq!(mine.usage(b"/test", &rules).unwrap().train_ai(), Preference::Disallow);
    /// assert_eq!(mine.usage(b"/ai-ok/test", &rules).unwrap().train_ai(), Preference::Allow);
    /// assert!(mine.usage(b"/never/test", &rules).is_none());
    /// ```
    #[cfg(feature = "usage")]
    #[must_use]
    pub fn usage(&self, path: &[u8], rules: &RuleSet) -> Option<Preferences> {
        if !rules.check(path).is_allowed() {
            return None;
        }
        let policy = rules.policy();
        let path = if path.is_empty() { b"/" } else { path };
        let path = canonical(path, policy.path, Role::Path);
        let mut longest = 0;
        let mut found = Preferences::default();
        for value in self.values() {
            let Value::ContentUsage(usage) = value else { continue };
            let Some(octets) = matched(usage.path(), &path, policy).filter(|&octets| octets >= longest)
            else {
                continue;
            };
            if octets > longest {
                longest = octets;
                found = Preferences::default();
            }
            if let Ok(preferences) = usage.preferences() {
                found = found.and(preferences);
            }
        }
        Some(found)
    }
}

/// How many octets the pattern has, if it matches `path`.
#[cfg(feature = "usage")]
fn matched(pattern: Option<Field<'_>>, path: &[u8], policy: &Policy) -> Option<usize> {
    let written = pattern.map_or(&b"/"[..], Field::bytes);
    let pattern = canonical(written, policy.pattern, Role::Pattern(policy.specials));
    let has_specials = policy.specials == Specials::StarAndDollar;
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
    use crate::{Crawler, ProductToken, Profile, Robots};
    use alloc::vec::Vec;

    #[test]
    fn only_own_groups_count() {
        let body = "Crawl-delay: 99\nUser-agent: a\nCrawl-delay: 1\nUser-agent: *\nDisallow:\n\
            User-agent: b\nCrawl-delay: 7\nRequest-rate: 1/5\nVisit-time: 0600-0845\nDisallow: /\n\
            User-agent: a\nCrawl-delay: 3\n";
        let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
        let groups = robots.groups();
        let records = Records::of(&robots, &groups);
        let delay = |name: &str| {
            let token = ProductToken::new(name).unwrap();
            records.for_crawler(&groups.select(&token)).crawl_delay().map(|delay| delay.as_secs())
        };
        assert_eq!((delay("a"), delay("b"), delay("c")), (Some(3), Some(7), Some(1)));
        let token = ProductToken::new("b").unwrap();
        let b = records.for_crawler(&groups.select(&token));
        assert_eq!((b.request_rates().count(), b.visit_times().count()), (1, 1));
        assert_eq!(records.findings().count(), 1, "the delay before all groups");
        let nobody = records.for_crawler(&groups.select(Crawler::unnamed().ignoring_wildcard()));
        assert_eq!(nobody.iter().count(), 0);
    }

    #[test]
    fn licenses_outside_of_groups_are_for_those_without_their_own() {
        let body = "License: https://e.example/1\nLicense: https://e.example/2\nUser-agent: a\n\
            License: /relative\nDisallow:\nUser-agent: b\nLicense: https://e.example/3\n";
        let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
        let groups = robots.groups();
        let records = Records::of(&robots, &groups);
        let licenses = |name: &str| {
            let token = ProductToken::new(name).unwrap();
            let mine = records.for_crawler(&groups.select(&token));
            mine.licenses().map(|url| url.path().as_bytes()[1]).collect::<Vec<_>>()
        };
        assert_eq!((licenses("a"), licenses("b"), licenses("c")), (b"12".into(), b"3".into(), b"12".into()));
    }

    #[cfg(feature = "usage")]
    #[test]
    fn usage_takes_the_longest_path_and_the_most_restrictive_of_equals() {
        use crate::records::Preference::{Allow, Disallow, Unknown};
        let body = "User-agent: ExampleBot\nAllow: /\nContent-Usage: train-ai=y\n\n\
            User-agent: *\nDisallow: /never\nContent-Usage: train-ai=n\nContent-Usage: /a%2fb train-ai=y\n\
            Content-Usage: /a%2Fb train-ai=n, search=y\nContent-Usage: /c train-ai=n\nContent-Usage: /c* train-ai=y\n\
            Content-Usage: /d train-ai=y;;\n";
        let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
        let groups = robots.groups();
        let records = Records::of(&robots, &groups);
        let rules = robots.rules(Crawler::unnamed());
        let mine = records.for_crawler(&groups.select(Crawler::unnamed()));
        let usage =
            |path: &str| mine.usage(path.as_bytes(), &rules).map(|found| (found.train_ai(), found.search()));
        assert_eq!(usage(""), Some((Disallow, Unknown)));
        assert_eq!(usage("/a%2fb"), Some((Disallow, Allow)));
        assert_eq!(usage("/a/b"), Some((Disallow, Unknown)));
        assert_eq!(usage("/cat"), Some((Allow, Unknown)));
        assert_eq!(usage("/d"), Some((Unknown, Unknown)));
        assert_eq!(usage("/never/x"), None);
        let token = ProductToken::new("ExampleBot").unwrap();
        let own = records.for_crawler(&groups.select(&token));
        let own_rules = robots.rules(&token);
        for path in ["/test", "/never/test", "/ai-ok/test"] {
            assert_eq!(own.usage(path.as_bytes(), &own_rules).unwrap().train_ai(), Allow);
        }
    }
}
