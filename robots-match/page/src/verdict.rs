//! The rules of a page, joined with what robots.txt says about its URL.

use robots_match::Verdict;

use crate::crawler_rules::{Answer, CrawlerRules, Index};

/// What is known about a page that a crawler asks for. Rules of a page exist only after it was fetched, so a page that may not
/// be fetched has rules that nothing can see.
///
/// ```
/// use robots_page::matching::{Crawler, Document, Robots};
/// use robots_page::{PagePolicy, PageReader, PageVerdict, Possibility};
///
/// let robots = Robots::new("User-agent: *\nDisallow: /p\n", Document::Rfc9309);
/// let bot = Crawler::new("ExampleBot")?;
/// let verdict = PageVerdict::new(robots.rules(&bot).check(b"/page"), || unreachable!("it is not fetched"));
/// // The URL may be listed: that is not the same as "not indexed".
/// assert_eq!(verdict.index(), Possibility::UrlOnly);
/// assert_eq!(verdict.access().line(), Some(2));
/// # Ok::<(), robots_page::matching::InvalidName>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a page may be fetched or not")]
pub enum PageVerdict<'p> {
    /// The page may not be fetched, so only its URL can be known.
    NotFetched(Verdict),
    /// The page was fetched.
    Seen {
        /// The verdict by which it was fetched.
        access: Verdict,
        /// Its rules.
        rules: CrawlerRules<'p>,
    },
}

/// What may be listed about a page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a page may be fetched or not")]
pub enum Possibility<'p> {
    /// The URL, as other pages show it, without content; rules of the page that prevent it can't be seen.
    UrlOnly,
    /// What the rules of the page say.
    Page(Answer<'p, Index>),
}

impl<'p> PageVerdict<'p> {
    /// Joins a verdict with the rules of the page, which are asked for only if the verdict allows access.
    pub fn new(access: Verdict, rules: impl FnOnce() -> CrawlerRules<'p>) -> Self {
        if access.is_allowed() { Self::Seen { access, rules: rules() } } else { Self::NotFetched(access) }
    }

    /// Returns the verdict about access.
    #[must_use]
    pub const fn access(&self) -> &Verdict {
        match self {
            Self::NotFetched(access) | Self::Seen { access, .. } => access,
        }
    }

    /// Returns the rules of the page; `None` if it may not be fetched.
    #[must_use]
    pub const fn rules(&self) -> Option<&CrawlerRules<'p>> {
        match self {
            Self::NotFetched(_) => None,
            Self::Seen { rules, .. } => Some(rules),
        }
    }

    /// Returns what may be listed about the page.
    #[must_use]
    pub fn index(&self) -> Possibility<'p> {
        match self {
            Self::NotFetched(_) => Possibility::UrlOnly,
            Self::Seen { rules, .. } => Possibility::Page(rules.index()),
        }
    }
}
