//! Crawlers and their names.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::alphabet::Alphabet;
use crate::policy::GroupPolicy;
use crate::user_agent::product_token;

/// A crawler, as group selection sees it: its names, and whether groups for `*` apply to it.
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
    /// Creates a crawler with one name, its product token (RFC 9309, section 2.2.1).
    ///
    /// # Errors
    ///
    /// The name is empty or contains a character other than letters, `_` and `-`.
    pub fn new(name: &str) -> Result<Self, InvalidName> {
        Self::with_names([name], &GroupPolicy::default())
    }

    /// Creates a crawler with several names in the order of preference: the groups of the first name that the file
    /// contains apply.
    ///
    /// Names consist of the characters of [`GroupPolicy::alphabet`]. Without a name, the result is that of
    /// [`Self::unnamed`].
    ///
    /// ```
    /// use robots_groups::{Crawler, GroupPolicy, Groups, SelectionBasis};
    ///
    /// let file = b"User-agent: Googlebot\nDisallow: /a\n";
    /// let groups = Groups::parse(file, &Default::default(), &GroupPolicy::GOOGLE);
    /// let images = Crawler::with_names(["Googlebot-Image", "Googlebot"], &GroupPolicy::GOOGLE)?;
    /// assert_eq!(groups.select(&images).basis(), SelectionBasis::Named);
    /// # Ok::<(), robots_groups::InvalidName>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A name is empty, is `*`, or contains a character that is not in the alphabet.
    pub fn with_names<N: AsRef<str>>(
        names: impl IntoIterator<Item = N>,
        policy: &GroupPolicy,
    ) -> Result<Self, InvalidName> {
        let names = names.into_iter().map(|name| checked(name.as_ref(), policy.alphabet).map(Box::from));
        Ok(Self { names: names.collect::<Result<_, _>>()?, together: false, obeys_wildcard: true })
    }

    /// Creates a crawler from the `User-Agent` header that it sends. Returns `None` if the header contains no name other
    /// than those of browsers.
    ///
    /// The name is the first of these that exists: the name after `compatible;` in a comment; a name with a version in a
    /// comment; a product that is not one of those which browsers send.
    ///
    /// # Complexity
    ///
    /// Linear in the length of the header.
    ///
    /// ```
    /// use robots_groups::{Crawler, GroupPolicy};
    ///
    /// let header = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
    /// let bot = Crawler::from_user_agent(header, &GroupPolicy::RFC9309).unwrap();
    /// assert_eq!(bot, Crawler::new("ExampleBot")?);
    /// # Ok::<(), robots_groups::InvalidName>(())
    /// ```
    #[must_use]
    pub fn from_user_agent(header: &str, policy: &GroupPolicy) -> Option<Self> {
        Self::with_names([product_token(header, policy.alphabet)?], policy).ok()
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
fn checked(name: &str, alphabet: Alphabet) -> Result<&str, InvalidName> {
    let is_known = |char: char| u8::try_from(char).is_ok_and(|byte| alphabet.contains(byte));
    match name.chars().find(|&char| !is_known(char)) {
        _ if name.is_empty() || name == "*" => Err(InvalidName { name: name.into(), found: None }),
        None => Ok(name),
        found => Err(InvalidName { name: name.into(), found }),
    }
}

/// The error for a text that is not a crawler's name.
#[derive(Clone, PartialEq, Eq)]
pub struct InvalidName {
    name: Box<str>,
    /// The first character that no name contains.
    found: Option<char>,
}

impl fmt::Display for InvalidName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Messages stay short whatever the text.
        const SHOWN: usize = 48;
        let shown = |text: &str| text.chars().take(SHOWN).flat_map(char::escape_debug).collect::<String>();
        let Some(found) = self.found else {
            return f.write_str(if self.name.is_empty() {
                "a crawler name must not be empty"
            } else {
                "`*` is not a crawler name: it stands for every crawler"
            });
        };
        write!(f, "`{}` is not a crawler name: it contains `{}`", shown(&self.name), found.escape_debug())?;
        match self.name.split(found).next().unwrap_or_default() {
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
    use alloc::format;
    use alloc::string::ToString;

    #[test]
    fn names_that_are_not_names_get_an_error() {
        let error = |name| Crawler::new(name).unwrap_err().to_string();
        assert_eq!(error(""), "a crawler name must not be empty");
        assert_eq!(error("*"), "`*` is not a crawler name: it stands for every crawler");
        assert_eq!(error("é"), "`é` is not a crawler name: it contains `é`");
        assert_eq!(error("a b"), "`a b` is not a crawler name: it contains ` `; did you mean `a`?");
        let long = error(&"é".repeat(100));
        assert_eq!(long, format!("`{}` is not a crawler name: it contains `é`", "é".repeat(48)));
        let debug = format!("{:?}", Crawler::new("a/1").unwrap_err());
        assert_eq!(debug, "InvalidName(`a/1` is not a crawler name: it contains `/`; did you mean `a`?)");
    }

    #[test]
    fn a_name_occurs_in_a_header() {
        let bot = Crawler::new("ExampleBot").unwrap();
        assert!(bot.is_named_in("Mozilla/5.0 (compatible; examplebot/1.0)"));
        assert!(!bot.is_named_in("Example"));
        assert!(!Crawler::unnamed().is_named_in("x"));
    }
}
