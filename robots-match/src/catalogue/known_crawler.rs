//! A known crawler.

use robots_groups::Crawler;

use crate::catalogue::closeness;
use crate::catalogue::purpose::Purpose;

/// A known crawler: its names in files, its operator and its purpose.
///
/// ```
/// use robots_match::{KnownCrawler, Purpose};
///
/// let images = KnownCrawler::find("googlebot-image").unwrap();
/// assert_eq!(images.tokens, ["Googlebot-Image", "Googlebot"]);
/// assert_eq!(images.purpose, Purpose::Search);
/// assert!(!KnownCrawler::find("AdsBot-Google").unwrap().obeys_wildcard);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KnownCrawler {
    /// The name.
    pub name: &'static str,
    /// The names that files may use, in the order in which the crawler tries them.
    pub tokens: &'static [&'static str],
    /// The operator, if it is known.
    pub operator: Option<&'static str>,
    /// The purpose.
    pub purpose: Purpose,
    /// Whether the operator says that the crawler respects robots.txt, if that is known.
    pub respects: Option<bool>,
    /// Whether groups for `*` apply where no group names the crawler.
    pub obeys_wildcard: bool,
    /// How the crawler departs from RFC 9309, if a difference is known.
    pub differences: Option<&'static str>,
    /// The name of the source, such as `ai.robots.txt`; `unverified` if the entry was not compared with one.
    pub source: &'static str,
    /// When the source was read, as `2026-11`.
    pub date: &'static str,
}

impl KnownCrawler {
    /// Finds a crawler by its name. Case does not count.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|known| known.name.eq_ignore_ascii_case(name))
    }

    /// Returns the name that someone may have meant who wrote a name that no crawler has, such as `Googlebot` for `google`, or
    /// `*` for `All`. Returns `None` for names of known crawlers, and for names that are close to none.
    ///
    /// ```
    /// use robots_match::KnownCrawler;
    ///
    /// assert_eq!(KnownCrawler::suggest("bing"), Some("bingbot"));
    /// assert_eq!(KnownCrawler::suggest("All"), Some("*"));
    /// assert_eq!(KnownCrawler::suggest("GPTbot"), None);
    /// ```
    #[must_use]
    pub fn suggest(name: &str) -> Option<&'static str> {
        closeness::closest(name, Self::ALL.iter().map(|known| known.name))
    }

    /// Returns the crawler as group selection sees it.
    #[must_use]
    pub fn crawler(&self) -> Crawler {
        let crawler = Crawler::with_names(self.tokens).unwrap_or_else(|_| Crawler::unnamed());
        if self.obeys_wildcard { crawler } else { crawler.ignoring_wildcard() }
    }

    /// Returns whether the entry was compared with its source.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        self.source != "unverified"
    }
}
