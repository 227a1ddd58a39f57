//! A robots.txt file and how it is read.

use alloc::boxed::Box;

use robots_groups::syntax::{Field, Key, Lines, Record};
use robots_groups::{Crawler, Groups};

use crate::profile::Profile;
use crate::rule_set::{RuleSet, one_shot};
use crate::verdict::Verdict;

/// A robots.txt file and how it is read.
///
/// The file is read anew by each call. Keep a `Robots` where many crawlers ask, and the [`RuleSet`] of a crawler where it
/// asks about many URLs.
///
/// ```
/// use robots_match::{Crawler, Document, Robots};
///
/// let body = "User-agent: *\nDisallow: /private\nSitemap: https://example.com/map.xml\n";
/// let robots = Robots::new(body, Document::Rfc9309);
/// let rules = robots.rules(&Crawler::new("ExampleBot")?);
/// assert_eq!(rules.check("/private/page").to_string(), "disallowed by line 2");
/// assert_eq!(robots.sitemaps().next(), Some(&b"https://example.com/map.xml"[..]));
/// # Ok::<(), robots_match::InvalidName>(())
/// ```
///
/// [`Self::check_file`] answers one question without a copy of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Robots {
    body: Box<[u8]>,
    profile: Profile,
}

impl Robots {
    /// Creates a robots.txt from the bytes of a body, read as a [`Document`](crate::Document) or a [`Profile`] says. Any
    /// bytes are accepted.
    #[must_use]
    pub fn new(body: impl AsRef<[u8]>, profile: impl Into<Profile>) -> Self {
        Self::from_boxed(body.as_ref().into(), profile)
    }

    /// Creates a robots.txt from a body that is not copied.
    #[must_use]
    pub fn from_boxed(body: Box<[u8]>, profile: impl Into<Profile>) -> Self {
        Self { body, profile: profile.into() }
    }

    /// Returns the bytes of the body.
    #[must_use]
    pub const fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns how the body is read.
    #[must_use]
    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the lines.
    #[must_use]
    pub fn lines(&self) -> Lines<'_> {
        Lines::new(&self.body, &self.profile.syntax)
    }

    /// Returns the groups.
    #[must_use]
    pub fn groups(&self) -> Groups<'_> {
        Groups::from_lines(self.lines(), &self.profile.groups)
    }

    /// Compiles the rules for a crawler.
    ///
    /// # Complexity
    ///
    /// O(*n* + *r* log *r*) for *n* bytes and *r* rules.
    #[must_use]
    pub fn rules(&self, crawler: &Crawler) -> RuleSet {
        RuleSet::parse(&self.body, crawler, &self.profile)
    }

    /// Returns whether a crawler may access a path and query, or a whole URL, in one pass over a file. A text that
    /// begins neither with `/` nor with a scheme and `://` is not allowed, see [`RuleSet::check`].
    ///
    /// This is [`Self::check`] without a copy of the file. To check more than one path, compile a [`RuleSet`].
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the file, and for each rule that its first bytes do not decide, in those of the path.
    ///
    /// ```
    /// use robots_match::{Crawler, Document, Robots};
    ///
    /// let file = b"User-agent: *\nDisallow: /private\n";
    /// let verdict = Robots::check_file(file, &Crawler::new("ExampleBot")?, "/private/page", Document::Rfc9309);
    /// assert_eq!(verdict.to_string(), "disallowed by line 2");
    /// # Ok::<(), robots_match::InvalidName>(())
    /// ```
    #[must_use]
    pub fn check_file(
        file: impl AsRef<[u8]>,
        crawler: &Crawler,
        url: impl AsRef<[u8]>,
        profile: impl Into<Profile>,
    ) -> Verdict {
        one_shot::check(file.as_ref(), crawler, url.as_ref(), &profile.into())
    }

    /// Returns whether a crawler may access a path and query, or a whole URL, in one pass over the file. Other texts are
    /// not allowed, see [`RuleSet::check`]. To check more than one URL, compile the [rules](Self::rules).
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the file, and for each rule that its first bytes do not decide, in those of the path.
    ///
    /// ```
    /// use robots_match::{Crawler, Document, Robots};
    ///
    /// let robots = Robots::new("User-agent: *\nDisallow: /private\n", Document::Rfc9309);
    /// let verdict = robots.check(&Crawler::new("ExampleBot")?, "/private/page");
    /// assert_eq!(verdict.line(), Some(2));
    /// # Ok::<(), robots_match::InvalidName>(())
    /// ```
    #[must_use]
    pub fn check(&self, crawler: &Crawler, url: impl AsRef<[u8]>) -> Verdict {
        one_shot::check(&self.body, crawler, url.as_ref(), &self.profile)
    }

    /// Returns whether a crawler may access a parsed URL; see [`Self::check`] and [`RuleSet::check_url`].
    #[cfg(feature = "url")]
    #[must_use]
    pub fn check_url(&self, crawler: &Crawler, url: &url::Url) -> Verdict {
        self.check(crawler, crate::url_text::path_of_url(url))
    }

    /// Returns the other records in the order of the file: key and value as they are written. They belong to no group (RFC
    /// 9309, section 2.2.4).
    pub fn other_records(&self) -> impl Iterator<Item = (Field<'_>, Field<'_>)> {
        self.lines().filter_map(|line| match line.record {
            Record::Other { key, value } => Some((key, value)),
            _ => None,
        })
    }

    /// Returns the values of the `Sitemap` records, as they are written.
    pub fn sitemaps(&self) -> impl Iterator<Item = &[u8]> {
        self.other_records().filter_map(|(key, value)| {
            let spelling = self.profile.syntax.spelling(key.bytes())?;
            (spelling.key == Key::Sitemap).then(|| value.bytes())
        })
    }
}
