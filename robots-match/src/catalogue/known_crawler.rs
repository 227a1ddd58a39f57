//! A known crawler.

use alloc::vec;
use alloc::vec::Vec;

use robots_groups::{Crawler, GroupPolicy, InvalidName};

use crate::catalogue::collection::Catalogue;
use crate::catalogue::purpose::Purpose;
use crate::document::Document;

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
    /// Whether the crawler requests URLs by itself, or because a person asks for them.
    pub trigger: Trigger,
    /// Whether groups for `*` apply where no group names the crawler.
    pub obeys_wildcard: bool,
    /// Whether the operator says that the crawler reads Crawl-delay, which RFC 9309 does not have, if that is known.
    pub reads_crawl_delay: Option<bool>,
    /// How the crawler departs from RFC 9309, if a difference is known.
    pub differences: Option<&'static str>,
    /// The name of the source, such as `ai.robots.txt`; `unverified` if the entry was not compared with one.
    pub source: &'static str,
    /// When the source was read, as `2026-11`.
    pub date: &'static str,
}

/// Why a crawler requests a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Trigger {
    /// It follows links and lists.
    Automatic,
    /// A person asks for the URL, shares it, or adds it to a product. Such fetchers often ignore robots.txt.
    User,
}

impl Trigger {
    /// Returns the name: `automatic` or `user`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::User => "user",
        }
    }
}

/// The crawlers that a `User-Agent` header names, by the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Identity<'h> {
    /// One known crawler, or several of one operator, of which this is the first.
    Known(&'static KnownCrawler),
    /// Known crawlers of several operators, of which this is the most likely one.
    Several(&'static KnownCrawler),
    /// A crawler that is not in the catalogue.
    Unlisted(&'h str),
    /// A library or a tool.
    Library(&'h str),
    /// No crawler, as in the headers of browsers.
    None,
}

impl KnownCrawler {
    /// Creates a crawler for a [`Catalogue`] of a program: its only name in files is `name`, and nothing else is known about it. The
    /// other fields can be set.
    #[must_use]
    pub fn new(name: &'static str, purpose: Purpose) -> Self {
        Self {
            name,
            tokens: Vec::leak(vec![name]),
            operator: None,
            purpose,
            respects: None,
            trigger: Trigger::Automatic,
            obeys_wildcard: true,
            reads_crawl_delay: None,
            differences: None,
            source: "unverified",
            date: "",
        }
    }

    /// Returns the crawler that a `User-Agent` header names. See [`UserAgent::read`].
    ///
    /// ```
    /// use robots_match::{Identity, KnownCrawler};
    ///
    /// let header = b"Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)";
    /// assert_eq!(KnownCrawler::identify(header), Identity::Known(KnownCrawler::find("GPTBot").unwrap()));
    /// assert!(matches!(KnownCrawler::identify(b"GPTBot, ClaudeBot"), Identity::Several(_)));
    /// assert_eq!(KnownCrawler::identify(b"Mozilla/5.0 (X11; Linux x86_64)"), Identity::None);
    /// ```
    ///
    /// # Complexity
    ///
    /// Linear in the length of the header, without an allocation.
    #[must_use]
    pub fn identify(header: &[u8]) -> Identity<'_> {
        Catalogue::BUILT_IN.identify(header)
    }

    /// Returns the crawler that a person names with a text: a name, several names of one crawler with commas between them, a
    /// `User-Agent` header, or `*` for a crawler that no group names. A crawler of the catalogue has its names and habits.
    ///
    /// ```
    /// use robots_match::KnownCrawler;
    /// use robots_match::groups::GroupPolicy;
    ///
    /// let crawler = |text| KnownCrawler::named(text, &GroupPolicy::RFC9309);
    /// assert!(crawler("googlebot-image")?.names().eq(["Googlebot-Image", "Googlebot"]));
    /// assert!(crawler("ExampleBot-News, ExampleBot")?.names().eq(["ExampleBot-News", "ExampleBot"]));
    /// assert!(!crawler("AdsBot-Google (+http://www.google.com/adsbot.html)")?.obeys_wildcard());
    /// assert!(crawler("Example Bot!").is_err());
    /// # Ok::<(), robots_match::InvalidName>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A text that is not a header has a character that no name of a crawler may have.
    pub fn named(text: &str, policy: &GroupPolicy) -> Result<Crawler, InvalidName> {
        Catalogue::BUILT_IN.named(text, policy)
    }

    /// Returns the names in the text of [`Self::named`]. A `User-Agent` header may contain commas.
    #[doc(hidden)]
    #[must_use]
    pub fn names_in(text: &str) -> Vec<&str> {
        if text.contains(['/', '(']) { vec![text] } else { text.split(',').map(str::trim).collect() }
    }

    pub(super) fn has_operator_of(&self, other: &Self) -> bool {
        self == other || self.operator.is_some() && self.operator == other.operator
    }

    /// Returns whether the crawler may ignore robots.txt: its operator says so, or a person triggers it and its operator does not
    /// say that it respects robots.txt. Rules do not keep such a crawler away.
    #[must_use]
    pub fn may_ignore_robots_txt(&self) -> bool {
        match self.respects {
            Some(respects) => !respects,
            None => self.trigger == Trigger::User,
        }
    }

    /// Finds a crawler by its name. Case does not count.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        Catalogue::BUILT_IN.find(name)
    }

    /// Returns the document by which the operator says that the crawler reads robots.txt files: Google's crawlers follow Google's
    /// page and parser, all others the standard.
    #[must_use]
    pub fn document(&self) -> Document {
        match self.operator {
            Some("Google") => Document::OF_ONE_OPERATOR,
            _ => Document::default(),
        }
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
        Catalogue::BUILT_IN.suggest(name)
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
