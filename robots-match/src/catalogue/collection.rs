//! A catalogue: the built-in one, or one of a program.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use robots_groups::{Crawler, GroupPolicy, HeaderKind, InvalidName, KnownNames, UserAgent};

use crate::catalogue::closeness;
use crate::catalogue::known_crawler::{Identity, KnownCrawler};
use crate::known_names::KNOWN_NAMES;

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

    /// Returns the name that someone may have meant who wrote a name that no crawler has; see [`KnownCrawler::suggest`].
    #[must_use]
    pub fn suggest(&self, name: &str) -> Option<&'static str> {
        closeness::closest(name, self.crawlers.iter().map(|known| known.name))
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
