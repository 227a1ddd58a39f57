//! Crawlers and their names.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use robots_syntax::is_hidden;

use crate::alphabet::is_name_byte;
use crate::known_names::KnownNames;
use crate::policy::{GroupPolicy, NameMatch};
use crate::user_agent::{UserAgent, is_header, value_start};

/// A crawler, as group selection sees it: its names, and whether groups for `*` apply to it.
///
/// A name consists of letters, digits, `_`, `-`, `.` and single spaces between them, such as `ExampleBot`, `MJ12bot` or
/// `Screaming Frog SEO Spider`. RFC 9309, section 2.2.1, asks crawlers to choose a product token of letters, `_` and `-`;
/// files also name crawlers that did not.
///
/// A crawler is made once and passed by reference wherever its rules are selected. It owns its names, so it can be kept
/// in a struct, cloned and shared between threads.
///
/// ```
/// use robots_groups::Crawler;
///
/// let bot = Crawler::new("ExampleBot")?;
/// assert_eq!(bot.names().collect::<Vec<_>>(), ["ExampleBot"]);
/// assert_eq!(
///     Crawler::new("ExampleBot/0.1").unwrap_err().to_string(),
///     "`ExampleBot/0.1` is not a crawler name: it contains `/`; did you mean `ExampleBot`?",
/// );
/// # Ok::<(), robots_groups::InvalidName>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Crawler {
    names: Box<[Box<str>]>,
    together: bool,
    obeys_wildcard: bool,
}

impl Crawler {
    /// Creates a crawler with one name.
    ///
    /// # Errors
    ///
    /// The text is not a name: it is empty, is `*`, contains a character that no name contains, or has spaces that are not
    /// single and between words.
    pub fn new(name: &str) -> Result<Self, InvalidName> {
        Self::with_names([name])
    }

    /// Creates a crawler with several names in the order of preference: the groups of the first name that the file
    /// contains apply. Without a name, the result is that of [`Self::unnamed`].
    ///
    /// ```
    /// use robots_groups::{Crawler, GroupPolicy, Groups, SelectionBasis};
    ///
    /// let file = b"User-agent: Googlebot\nDisallow: /a\n";
    /// let groups = Groups::parse(file, &Default::default(), &GroupPolicy::GOOGLE);
    /// let images = Crawler::with_names(["Googlebot-Image", "Googlebot"])?;
    /// assert_eq!(groups.select(&images).basis(), SelectionBasis::Named);
    /// # Ok::<(), robots_groups::InvalidName>(())
    /// ```
    ///
    /// # Errors
    ///
    /// One of the texts is not a name; see [`Self::new`].
    pub fn with_names<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Result<Self, InvalidName> {
        let names = names.into_iter().map(|name| checked(name.as_ref()).map(Box::from));
        Ok(Self { names: names.collect::<Result<_, _>>()?, together: false, obeys_wildcard: true })
    }

    /// Creates a crawler from the `User-Agent` header that it sends. Returns `None` if the header names no crawler, as those of
    /// browsers do. [`UserAgent::read`] finds the name.
    ///
    /// # Complexity
    ///
    /// Linear in the length of the header.
    ///
    /// ```
    /// use robots_groups::{Crawler, KnownNames};
    ///
    /// let header = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
    /// assert_eq!(Crawler::from_user_agent(header, &KnownNames::NONE), Crawler::new("ExampleBot").ok());
    /// ```
    #[must_use]
    pub fn from_user_agent(header: &str, known: &KnownNames<'_>) -> Option<Self> {
        Self::new(UserAgent::read(header.as_bytes(), known).name()?).ok()
    }

    /// Creates a crawler from texts that a person gave, in the order of preference: names, or `User-Agent` headers, from which
    /// the name is taken as by [`Self::from_user_agent`]. The text `*` and headers that name no crawler add nothing.
    ///
    /// Where `policy` compares texts as Google's parser does, a text that is neither a name nor a header also adds nothing,
    /// because no line can match it.
    ///
    /// ```
    /// use robots_groups::{Crawler, GroupPolicy, KnownNames};
    ///
    /// let policy = GroupPolicy::RFC9309;
    /// let parse = |text| Crawler::parse([text], &policy, &KnownNames::NONE);
    /// assert_eq!(parse("ExampleBot/2.1 (+https://example.com)")?, Crawler::new("ExampleBot")?);
    /// assert_eq!(parse("Site Checker 1.0")?, Crawler::new("Site Checker")?);
    /// assert_eq!(parse("*")?, Crawler::unnamed());
    /// assert_eq!(parse("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0)")?, Crawler::unnamed());
    /// assert!(parse("ExampleBot, OtherBot").is_err());
    /// # Ok::<(), robots_groups::InvalidName>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A text is neither a name, nor a header, nor `*`.
    pub fn parse<T: AsRef<str>>(
        texts: impl IntoIterator<Item = T>,
        policy: &GroupPolicy,
        known: &KnownNames<'_>,
    ) -> Result<Self, InvalidName> {
        let mut names: Vec<Box<str>> = Vec::new();
        for text in texts {
            let text = text.as_ref();
            if known.find(text.as_bytes()).is_none() && is_header(text) {
                // The header of a browser names no crawler.
                names.extend(UserAgent::read(text.as_bytes(), known).name().map(Box::from));
                continue;
            }
            match checked(text) {
                Ok(name) => names.push(name.into()),
                Err(_) if text == "*" || policy.name_match == NameMatch::LeadingLetters => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self { names: names.into(), together: false, obeys_wildcard: true })
    }

    /// Creates a crawler that no line can name: only groups for `*` apply to it.
    #[must_use]
    pub fn unnamed() -> Self {
        Self { names: Box::default(), together: false, obeys_wildcard: true }
    }

    /// Makes the groups of all names apply together, as Google's parser treats several names.
    #[must_use]
    pub fn together(mut self) -> Self {
        self.together = true;
        self
    }

    /// Makes the crawler ignore groups for `*`, as some special-purpose crawlers do.
    #[must_use]
    pub fn ignoring_wildcard(mut self) -> Self {
        self.obeys_wildcard = false;
        self
    }

    /// Returns the names in the order of preference.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Returns whether the groups of all names apply together.
    #[must_use]
    pub const fn is_together(&self) -> bool {
        self.together
    }

    /// Returns whether groups for `*` apply where no group names the crawler.
    #[must_use]
    pub const fn obeys_wildcard(&self) -> bool {
        self.obeys_wildcard
    }

    /// Returns whether one of the names occurs in `identification`, as the name should in what a crawler sends (RFC 9309,
    /// section 2.2.1: in HTTP, the `User-Agent` header). Case does not count.
    #[must_use]
    pub fn is_named_in(&self, identification: &str) -> bool {
        self.names.iter().any(|name| {
            let mut windows = identification.as_bytes().windows(name.len());
            windows.any(|window| window.eq_ignore_ascii_case(name.as_bytes()))
        })
    }

    /// Returns the names as selection tries them: one at a time, or all at once.
    pub(crate) fn rounds(&self) -> impl ExactSizeIterator<Item = &[Box<str>]> {
        self.names.chunks(if self.together { self.names.len().max(1) } else { 1 })
    }
}

/// Returns `name` if it is a crawler's name.
fn checked(name: &str) -> Result<&str, InvalidName> {
    let mut before = ' ';
    for char in name.chars() {
        let is_known = match char {
            // Single spaces, and only between other characters.
            ' ' => before != ' ',
            _ => u8::try_from(char).is_ok_and(is_name_byte),
        };
        if !is_known && name != "*" {
            return Err(InvalidName::new(name, Reason::Character(char)));
        }
        before = char;
    }
    match name {
        "" => Err(InvalidName::new(name, Reason::Empty)),
        "*" => Err(InvalidName::new(name, Reason::Wildcard)),
        _ if before == ' ' => Err(InvalidName::new(name, Reason::Character(' '))),
        _ => Ok(name),
    }
}

/// The error for a text that is not the name of a crawler.
#[derive(Clone, PartialEq, Eq)]
pub struct InvalidName {
    name: Box<str>,
    reason: Reason,
}

/// Why a text is not a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    Empty,
    Wildcard,
    /// The first character that no name contains.
    Character(char),
}

impl InvalidName {
    fn new(name: &str, reason: Reason) -> Self {
        Self { name: name.into(), reason }
    }
}

impl fmt::Display for InvalidName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Messages stay short whatever the text.
        const SHOWN: usize = 48;
        let shown = |text: &str| text.chars().take(SHOWN).flat_map(char::escape_debug).collect::<String>();
        let found = match self.reason {
            Reason::Empty => return f.write_str("a crawler name must not be empty"),
            Reason::Wildcard => return f.write_str("`*` is not a crawler name: it means every crawler"),
            Reason::Character(found) => found,
        };
        let name = self.name.trim_matches(' ');
        if found == ' ' {
            let mut words = name.split(' ').filter(|word| !word.is_empty());
            let first = words.next().unwrap_or_default();
            let joined = words.fold(String::from(first), |joined, word| joined + " " + word);
            return write!(
                f,
                "`{}` is not a crawler name: spaces must be single and between words{}",
                shown(&self.name),
                if joined.is_empty() {
                    String::new()
                } else {
                    format!("; did you mean `{}`?", shown(&joined))
                }
            );
        }
        write!(f, "`{}` is not a crawler name: it contains `{}`", shown(&self.name), found.escape_debug())?;
        // The text may have been copied with quotation marks, or with invisible characters.
        let value = self.name.get(value_start(self.name.as_bytes())..).unwrap_or_default();
        let visible = value.chars().filter(|char| char.is_control() || !is_hidden(*char));
        let is_of_name = |char: &char| *char == ' ' || u8::try_from(*char).is_ok_and(is_name_byte);
        let start: String = visible.take_while(is_of_name).collect();
        match start.trim_matches(' ') {
            "" => Ok(()),
            start => write!(f, "; did you mean `{}`?", shown(start)),
        }
    }
}

impl fmt::Debug for InvalidName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InvalidName({self})")
    }
}

impl core::error::Error for InvalidName {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn invalid_names_are_errors() {
        let error = |name| Crawler::new(name).unwrap_err().to_string();
        assert_eq!(error(""), "a crawler name must not be empty");
        assert_eq!(error("*"), "`*` is not a crawler name: it means every crawler");
        assert_eq!(error("é"), "`é` is not a crawler name: it contains `é`");
        assert_eq!(
            error(" a  b "),
            "` a  b ` is not a crawler name: spaces must be single and between words; did you mean `a b`?"
        );
        assert_eq!(error(" "), "` ` is not a crawler name: spaces must be single and between words");
        assert_eq!(
            error("\"a b\""),
            "`\\\"a b\\\"` is not a crawler name: it contains `\\\"`; did you mean `a b`?"
        );
        assert_eq!(
            error("a\u{200b}b\u{201d}"),
            "`a\\u{200b}b\u{201d}` is not a crawler name: it contains `\\u{200b}`; did you mean `ab`?"
        );
        assert_eq!(error("a b (c)"), "`a b (c)` is not a crawler name: it contains `(`; did you mean `a b`?");
        let long = error(&"é".repeat(100));
        assert_eq!(long, format!("`{}` is not a crawler name: it contains `é`", "é".repeat(48)));
        let debug = format!("{:?}", Crawler::new("a/1").unwrap_err());
        assert_eq!(debug, "InvalidName(`a/1` is not a crawler name: it contains `/`; did you mean `a`?)");
    }

    #[test]
    fn names_from_the_web_are_accepted() {
        for name in
            ["ExampleBot", "MJ12bot", "360Spider", "archive.org_bot", "Screaming Frog SEO Spider", "-_-", "7"]
        {
            assert_eq!(Crawler::new(name).unwrap().names().next(), Some(name));
        }
        for text in ["a/1", "a,b", "a b ", " a", "a\tb", "a*", "**", "é", "a;b", "\"a\""] {
            assert!(Crawler::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_name_occurs_in_a_header() {
        let bot = Crawler::new("ExampleBot").unwrap();
        assert!(bot.is_named_in("Mozilla/5.0 (compatible; examplebot/1.0)"));
        assert!(!bot.is_named_in("Example"));
        assert!(!Crawler::unnamed().is_named_in("x"));
    }
}
