//! Known crawlers and their catalogue: the built-in one, or one of a program.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use robots_groups::{Crawler, GroupPolicy, HeaderKind, InvalidName, KnownNames, UserAgent};

use crate::catalogue::product::product;
use crate::catalogue::purpose::Purpose;
use crate::document::Document;
use crate::known_names::KNOWN_NAMES;

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

    fn has_operator_of(&self, other: &Self) -> bool {
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

    /// Returns the domains by which the operator says to verify requests: the name of the address (reverse DNS) is below one of them, and
    /// has that address (forward DNS). Empty if the catalogue of this crate has none for a crawler of this name.
    ///
    /// ```
    /// use robots_match::KnownCrawler;
    ///
    /// assert_eq!(KnownCrawler::find("bingbot").unwrap().domains(), ["search.msn.com"]);
    /// assert!(KnownCrawler::find("GPTBot").unwrap().domains().is_empty());
    /// ```
    #[must_use]
    pub fn domains(&self) -> &'static [&'static str] {
        let found = Self::DOMAINS.iter().find(|(name, _)| *name == self.name);
        found.map_or(&[], |(_, domains)| domains)
    }

    /// Returns whether the entry was compared with its source.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        self.source != "unverified"
    }
}

/// A catalogue of known crawlers: [the one of this crate](Self::BUILT_IN), or one that replaces it.
///
/// ```
/// use robots_match::{Catalogue, Identity, KnownCrawler, Purpose};
/// use robots_match::groups::GroupPolicy;
///
/// let mut own = KnownCrawler::new("ExampleBot-News", Purpose::Search);
/// own.tokens = &["ExampleBot-News", "ExampleBot"];
/// let catalogue = Catalogue::new(vec![own])?;
/// let news = catalogue.named("examplebot-news", &GroupPolicy::RFC9309)?;
/// assert!(news.names().eq(["ExampleBot-News", "ExampleBot"]));
/// assert!(matches!(catalogue.identify(b"Mozilla/5.0 (compatible; ExampleBot-News/1.0)"), Identity::Known(_)));
/// assert!(catalogue.find("Googlebot").is_none() && Catalogue::BUILT_IN.find("Googlebot").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Catalogue {
    crawlers: &'static [KnownCrawler],
    names: &'static KnownNames<'static>,
}

impl Catalogue {
    /// The catalogue of this crate, [`KnownCrawler::ALL`].
    pub const BUILT_IN: Self = Self { crawlers: KnownCrawler::ALL, names: &KNOWN_NAMES };

    /// The most crawlers of a catalogue.
    pub const MAX_LEN: usize = 60_000;

    /// Creates a catalogue of crawlers, in any order.
    ///
    /// # Errors
    ///
    /// Two crawlers have the same name without regard to case, a name in files is not one that a crawler can have, or there are more than
    /// [`Self::MAX_LEN`] crawlers.
    ///
    /// # Memory
    ///
    /// The crawlers are kept until the program ends: make few catalogues.
    pub fn new(mut crawlers: Vec<KnownCrawler>) -> Result<Self, InvalidCatalogue> {
        if crawlers.len() > Self::MAX_LEN {
            return Err(InvalidCatalogue::TooLarge);
        }
        let key = |known: &KnownCrawler| {
            let name = known.name.to_ascii_lowercase();
            (name.starts_with(|first: char| first.is_ascii_lowercase()), name)
        };
        crawlers.sort_by_cached_key(key);
        for known in &crawlers {
            let is_named = !known.tokens.is_empty() && !known.name.is_empty();
            if !is_named || Crawler::with_names(known.tokens).is_err() {
                return Err(InvalidCatalogue::Name(known.name.into()));
            }
        }
        let mut pairs = crawlers.windows(2);
        let equal = pairs.find_map(|pair| match pair {
            [one, other] if one.name.eq_ignore_ascii_case(other.name) => Some(other.name),
            _ => None,
        });
        if let Some(name) = equal {
            return Err(InvalidCatalogue::Twice(name.into()));
        }
        let names: Vec<&'static str> = crawlers.iter().map(|known| known.name).collect();
        let names = KnownNames::new(Vec::leak(names));
        Ok(Self { crawlers: Vec::leak(crawlers), names: Box::leak(Box::new(names)) })
    }

    /// Returns the crawlers, sorted by name without regard to case.
    #[must_use]
    pub const fn crawlers(&self) -> &'static [KnownCrawler] {
        self.crawlers
    }

    /// Returns the names of the crawlers, in the same order.
    #[must_use]
    pub const fn names(&self) -> &'static KnownNames<'static> {
        self.names
    }

    /// Finds a crawler by its name. Case does not count.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&'static KnownCrawler> {
        self.crawlers.get(self.names.find(name.as_bytes())?)
    }

    /// Returns the crawler that a `User-Agent` header names; see [`KnownCrawler::identify`].
    #[must_use]
    pub fn identify<'h>(&self, header: &'h [u8]) -> Identity<'h> {
        let read = UserAgent::read(header, self.names);
        // The names are those of the entries, in the same order.
        let known = |index: usize| self.crawlers.get(index);
        match (read.kind(), read.known().and_then(known), read.name()) {
            (HeaderKind::Several, Some(first), _) => {
                let mut is_one = true;
                read.each_known(self.names, |index, _| {
                    is_one &= known(index).is_some_and(|other| first.has_operator_of(other));
                });
                if is_one { Identity::Known(first) } else { Identity::Several(first) }
            }
            (_, Some(first), _) => Identity::Known(first),
            (HeaderKind::Library, _, Some(name)) => Identity::Library(name),
            (_, _, Some(name)) => Identity::Unlisted(name),
            _ => Identity::None,
        }
    }

    /// Returns the crawler that a person names with a text; see [`KnownCrawler::named`].
    ///
    /// # Errors
    ///
    /// A text that is not a header has a character that no name of a crawler may have.
    pub fn named(&self, text: &str, policy: &GroupPolicy) -> Result<Crawler, InvalidName> {
        let names = KnownCrawler::names_in(text);
        let crawler = Crawler::parse(&names, policy, self.names)?;
        let Some(known) = crawler.names().next().and_then(|name| self.find(name)) else { return Ok(crawler) };
        if names.len() == 1 && known.tokens.len() > 1 {
            return Ok(known.crawler());
        }
        Ok(if known.obeys_wildcard { crawler } else { crawler.ignoring_wildcard() })
    }

    /// Returns the names that the crawlers of a product or a company look for, if a name is that of a product and of no crawler.
    ///
    /// ```
    /// use robots_match::Catalogue;
    ///
    /// assert!(Catalogue::BUILT_IN.of_product("Chat GPT").contains(&"GPTBot"));
    /// assert!(Catalogue::BUILT_IN.of_product("GPTBot").is_empty());
    /// ```
    #[must_use]
    pub fn of_product(&self, name: &str) -> &'static [&'static str] {
        // Some lists of crawlers have names of products, so the built-in catalogue has one. The author of another catalogue means its names.
        let is_own = !core::ptr::eq(self.names, &KNOWN_NAMES);
        let is_crawler = is_own && self.find(name).is_some();
        if is_crawler { &[] } else { product(name.as_bytes()).unwrap_or_default() }
    }
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::BUILT_IN
    }
}

/// The error of [`Catalogue::new`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidCatalogue {
    /// Two crawlers have this name.
    Twice(String),
    /// The crawler of this name has no name that a file can have, or one that no crawler can have.
    Name(String),
    /// There are more than [`Catalogue::MAX_LEN`] crawlers.
    TooLarge,
}

impl fmt::Display for InvalidCatalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twice(name) => write!(f, "two crawlers have the name `{name}`"),
            Self::Name(name) => {
                write!(f, "a name of the crawler `{name}` is not one that a crawler can have in a file")
            }
            Self::TooLarge => write!(f, "there are more than {} crawlers", Catalogue::MAX_LEN),
        }
    }
}

impl core::error::Error for InvalidCatalogue {}
