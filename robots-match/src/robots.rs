//! The front door: a body and a profile.

use alloc::boxed::Box;

use robots_groups::syntax::{Field, Key, Lines, Record};
use robots_groups::{Crawler, Groups};

use crate::profile::Profile;
use crate::rule_set::Answer;
use crate::rule_set::RuleSet;

/// A robots.txt and how it is read.
///
/// It owns the octets and reads them when asked: keep it where many crawlers ask, and the [`RuleSet`] of each where it
/// asks about many paths.
///
/// ```
/// use robots_match::{ProductToken, Profile, Robots};
///
/// let body = "User-agent: *\nDisallow: /private\nSitemap: https://example.com/map.xml\n";
/// let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
/// let rules = robots.rules(&ProductToken::new("ExampleBot")?);
/// assert_eq!(rules.check(b"/private/page").to_string(), "disallowed by line 2");
/// assert_eq!(robots.sitemaps().next(), Some(&b"https://example.com/map.xml"[..]));
/// # Ok::<(), robots_match::InvalidToken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Robots {
    body: Box<[u8]>,
    profile: Profile,
}

impl Robots {
    /// The robots.txt with these octets, read as `profile` says. Any octets will do.
    #[must_use]
    pub fn new(body: impl Into<Box<[u8]>>, profile: Profile) -> Self {
        Self { body: body.into(), profile }
    }

    /// The octets.
    #[must_use]
    pub const fn body(&self) -> &[u8] {
        &self.body
    }

    /// How they are read.
    #[must_use]
    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> Lines<'_> {
        Lines::new(&self.body, &self.profile.syntax)
    }

    /// The groups.
    #[must_use]
    pub fn groups(&self) -> Groups<'_> {
        Groups::collect(self.lines(), &self.profile.groups)
    }

    /// The rules for a crawler, compiled. Time grows with the octets of the file.
    #[must_use]
    pub fn rules<'t>(&self, crawler: impl Into<Crawler<'t>>) -> RuleSet {
        RuleSet::read(&self.body, crawler, &self.profile)
    }

    /// May a crawler access one path? For more than one, compile its [rules](Self::rules).
    ///
    /// ```
    /// use robots_match::{ProductToken, Profile, Robots};
    /// let robots = Robots::new(&b"User-agent: *\nDisallow: /private\n"[..], Profile::RFC9309);
    /// let answer = robots.check(&ProductToken::new("ExampleBot")?, b"/private/page");
    /// assert_eq!(answer.line(), Some(2));
    /// # Ok::<(), robots_match::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn check<'t>(&self, crawler: impl Into<Crawler<'t>>, path: &[u8]) -> Answer<'_> {
        Answer::of(&self.body, crawler, path, &self.profile)
    }

    /// The other records, in the order of the file: key and value as they are written. They belong to no group (RFC
    /// 9309, section 2.2.4).
    pub fn other_records(&self) -> impl Iterator<Item = (Field<'_>, Field<'_>)> {
        self.lines().filter_map(|line| match line.record {
            Record::Other { key, value } => Some((key, value)),
            _ => None,
        })
    }

    /// The values of the `Sitemap` records, as they are written.
    pub fn sitemaps(&self) -> impl Iterator<Item = &[u8]> {
        self.other_records().filter_map(|(key, value)| {
            let spelling = self.profile.syntax.spelling(key.bytes())?;
            (spelling.key == Key::Sitemap).then(|| value.bytes())
        })
    }
}
