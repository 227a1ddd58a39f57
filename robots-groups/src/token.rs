//! The names of crawlers.

use core::fmt;

use crate::policy::Policy;

/// The octets of which a product token may consist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Alphabet {
    /// Letters, `_` and `-` (RFC 9309, section 2.2.1).
    Letters,
    /// Also digits and `.`, which some crawlers have in their names (`MJ12bot`, `archive.org_bot`). No document's own.
    DigitsAndDots,
    /// A token of RFC 1945: any visible ASCII but `( ) < > @ , ; : \ " / [ ] ? = { }`, and but `#`, which begins a
    /// comment (draft of 1996, section 3.3).
    Rfc1945Token,
}

impl Alphabet {
    /// Whether `octet` may stand in a token.
    #[must_use]
    pub const fn contains(self, octet: u8) -> bool {
        match self {
            Self::Letters => octet.is_ascii_alphabetic() || matches!(octet, b'_' | b'-'),
            Self::DigitsAndDots => octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-' | b'.'),
            Self::Rfc1945Token => {
                octet.is_ascii_graphic()
                    && !matches!(
                        octet,
                        b'(' | b')' | b'<' | b'>' | b'@' | b',' | b';' | b':' | b'\\' | b'"' | b'#'
                    )
                    && !matches!(octet, b'/' | b'[' | b']' | b'?' | b'=' | b'{' | b'}')
            }
        }
    }
}

/// The name by which a crawler finds its groups (RFC 9309, section 2.2.1).
///
/// ```
/// use robots_groups::ProductToken;
///
/// let token = ProductToken::new("ExampleBot")?;
/// assert_eq!(token.as_str(), "ExampleBot");
/// assert_eq!(
///     ProductToken::new("ExampleBot/0.1").unwrap_err().to_string(),
///     "`ExampleBot/0.1` is no product token: `/` may not stand in one",
/// );
/// # Ok::<(), robots_groups::InvalidToken>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProductToken<'a>(&'a str);

impl<'a> ProductToken<'a> {
    /// A token of letters, `_` and `-`.
    ///
    /// # Errors
    ///
    /// `name` is empty or holds something else.
    pub fn new(name: &'a str) -> Result<Self, InvalidToken> {
        Self::admitted(name, &Policy::default())
    }

    /// A token of the alphabet of `policy`.
    ///
    /// # Errors
    ///
    /// `name` is empty, is `*`, or holds something that is not in the alphabet.
    pub fn admitted(name: &'a str, policy: &Policy) -> Result<Self, InvalidToken> {
        let found =
            name.chars().find(|char| !u8::try_from(*char).is_ok_and(|octet| policy.alphabet.contains(octet)));
        match found {
            _ if name.is_empty() || name == "*" => Err(InvalidToken::of(name, None)),
            None => Ok(Self(name)),
            found => Err(InvalidToken::of(name, found)),
        }
    }

    /// The token that a crawler's `User-Agent` header most likely stands for.
    ///
    /// That is the name behind `compatible;` in a comment; else the first name with a version in a comment; else the
    /// first product that is not one of those which browsers put into every header. A name ends with the first octet
    /// that no token holds. Time grows with the length of the header.
    ///
    /// ```
    /// use robots_groups::{Policy, ProductToken};
    /// let header = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
    /// let token = ProductToken::of_user_agent(header, &Policy::RFC9309).unwrap();
    /// assert_eq!(token.as_str(), "ExampleBot");
    /// assert!(token.is_substring_of(header));
    /// ```
    #[must_use]
    pub fn of_user_agent(header: &'a str, policy: &Policy) -> Option<Self> {
        let comments = || header.split('(').skip(1).map(|rest| rest.split(')').next().unwrap_or(rest));
        let items = |comment: &'a str| comment.split(';').map(str::trim);
        let compatible = comments().find_map(|comment| {
            items(comment).skip_while(|item| !item.eq_ignore_ascii_case("compatible")).skip(1).find_map(
                |item| {
                    let token = Self::leading(item, policy)?;
                    (!token.is_of_browsers()).then_some(token)
                },
            )
        });
        let versioned = || {
            comments().flat_map(items).find_map(|item| {
                let token = Self::leading(item, policy)?;
                let version = item.get(token.0.len()..)?.strip_prefix('/')?;
                (version.starts_with(|char: char| char.is_ascii_digit()) && !token.is_of_browsers())
                    .then_some(token)
            })
        };
        let product = || {
            let mut depth = 0_usize;
            header
                .split(|char: char| {
                    match char {
                        '(' => depth += 1,
                        ')' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    // All that is in parentheses becomes pieces of one character, which are no products.
                    depth > 0 || char == ')' || char.is_ascii_whitespace()
                })
                .filter_map(|product| Self::leading(product, policy))
                .find(|token| !token.is_of_browsers())
        };
        compatible.or_else(versioned).or_else(product)
    }

    fn leading(item: &'a str, policy: &Policy) -> Option<Self> {
        let end = item.bytes().position(|octet| !policy.alphabet.contains(octet)).unwrap_or(item.len());
        Self::admitted(item.get(..end)?, policy).ok()
    }

    fn is_of_browsers(self) -> bool {
        const NAMES: [&str; 11] = [
            "Mozilla",
            "AppleWebKit",
            "KHTML",
            "Gecko",
            "Chrome",
            "Safari",
            "Version",
            "Mobile",
            "Edg",
            "MSIE",
            "Firefox",
        ];
        NAMES.iter().any(|name| self.0.eq_ignore_ascii_case(name))
    }

    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        self.0
    }

    /// Whether the name stands in `identification`, as it should in what a crawler sends (RFC 9309, section 2.2.1: in
    /// HTTP, the `User-Agent` header). Case does not count, as it does not when groups are found.
    #[must_use]
    pub fn is_substring_of(self, identification: &str) -> bool {
        let token = self.0.as_bytes();
        identification.as_bytes().windows(token.len()).any(|window| window.eq_ignore_ascii_case(token))
    }
}

impl fmt::Display for ProductToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A name that is no product token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidToken {
    /// As much of the name as a message needs.
    name: [u8; Self::SHOWN],
    len: usize,
    found: Option<char>,
}

impl InvalidToken {
    const SHOWN: usize = 48;

    fn of(name: &str, found: Option<char>) -> Self {
        let mut len = name.len().min(Self::SHOWN);
        while !name.is_char_boundary(len) {
            len -= 1;
        }
        let mut shown = [0; Self::SHOWN];
        for (to, from) in shown.iter_mut().zip(name.as_bytes().iter().take(len)) {
            *to = *from;
        }
        Self { name: shown, len, found }
    }
}

impl fmt::Display for InvalidToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = core::str::from_utf8(self.name.get(..self.len).unwrap_or_default()).unwrap_or_default();
        match self.found {
            _ if name.is_empty() => f.write_str("an empty name is no product token"),
            Some(found) => {
                write!(
                    f,
                    "`{}` is no product token: `{}` may not stand in one",
                    name.escape_debug(),
                    found.escape_debug()
                )
            }
            None => write!(f, "`{name}` is no product token: it stands for every crawler"),
        }
    }
}

impl core::error::Error for InvalidToken {}

/// Who asks for its groups: the tokens a crawler goes by, and how it uses them.
///
/// One token, or several in the order of preference, of which the first that any group names counts (`Googlebot-Image`,
/// then `Googlebot`):
///
/// ```
/// use robots_groups::{Basis, Crawler, Groups, Policy, ProductToken};
///
/// let groups = Groups::read(b"User-agent: Googlebot\nDisallow: /a\n", &Default::default(), &Policy::GOOGLE);
/// let tokens = [ProductToken::new("Googlebot-Image")?, ProductToken::new("Googlebot")?];
/// assert_eq!(groups.select(&tokens).basis(), Basis::Named);
/// assert_eq!(groups.select(&tokens[0]).basis(), Basis::None);
/// # Ok::<(), robots_groups::InvalidToken>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crawler<'t> {
    tokens: &'t [ProductToken<'t>],
    together: bool,
    obeys_wildcard: bool,
}

impl<'t> Crawler<'t> {
    /// A crawler that goes by the first of `tokens` that a group names.
    #[must_use]
    pub const fn new(tokens: &'t [ProductToken<'t>]) -> Self {
        Self { tokens, together: false, obeys_wildcard: true }
    }

    /// A crawler that no line can name, for only `*` stands for it.
    #[must_use]
    pub const fn unnamed() -> Self {
        Self::new(&[])
    }

    /// The groups of all its tokens count together, as Google's parser takes several names.
    #[must_use]
    pub const fn together(mut self) -> Self {
        self.together = true;
        self
    }

    /// The crawler does not obey `*`, as some special-purpose crawlers do not.
    #[must_use]
    pub const fn ignoring_wildcard(mut self) -> Self {
        self.obeys_wildcard = false;
        self
    }

    /// The tokens it goes by.
    #[must_use]
    pub const fn tokens(&self) -> &'t [ProductToken<'t>] {
        self.tokens
    }

    /// Whether the groups of all its tokens count together.
    #[must_use]
    pub const fn is_together(&self) -> bool {
        self.together
    }

    /// Whether it obeys groups for every crawler.
    #[must_use]
    pub const fn obeys_wildcard(&self) -> bool {
        self.obeys_wildcard
    }

    /// The tokens in the order in which groups are asked for: each alone, or all at once.
    pub(crate) fn rounds(&self) -> impl ExactSizeIterator<Item = &'t [ProductToken<'t>]> {
        self.tokens.chunks(if self.together { self.tokens.len().max(1) } else { 1 })
    }
}

impl<'t> From<&'t ProductToken<'t>> for Crawler<'t> {
    fn from(token: &'t ProductToken<'t>) -> Self {
        Self::new(core::slice::from_ref(token))
    }
}

impl<'t> From<&'t [ProductToken<'t>]> for Crawler<'t> {
    fn from(tokens: &'t [ProductToken<'t>]) -> Self {
        Self::new(tokens)
    }
}

impl<'t, const N: usize> From<&'t [ProductToken<'t>; N]> for Crawler<'t> {
    fn from(tokens: &'t [ProductToken<'t>; N]) -> Self {
        Self::new(tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn headers_name_their_crawler() {
        for (header, token) in [
            ("FigTree/0.1 Robot/1.0 libwww-perl/5.04", Some("FigTree")),
            ("Googlebot-Image/1.0", Some("Googlebot-Image")),
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; \
                 +http://www.google.com/bot.html) Chrome/99.0 Safari/537.36",
                Some("Googlebot"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
                Some("Applebot"),
            ),
            ("Mozilla/5.0 (X11; Linux) Gecko/2010 Firefox/9 SomeBot", Some("SomeBot")),
            ("Mozilla/5.0 (X11; Linux x86_64)", None),
            ("(((", None),
            ("", None),
        ] {
            let found = ProductToken::of_user_agent(header, &Policy::RFC9309);
            assert_eq!(found.map(ProductToken::as_str), token, "{header}");
            assert!(found.is_none_or(|token| token.is_substring_of(header)));
        }
    }

    #[test]
    fn invalid_names_are_told() {
        assert_eq!(ProductToken::new("").unwrap_err().to_string(), "an empty name is no product token");
        assert!(ProductToken::new("*").unwrap_err().to_string().ends_with("it stands for every crawler"));
        let long = "é".repeat(100);
        assert!(ProductToken::new(&long).unwrap_err().to_string().ends_with("`é` may not stand in one"));
    }
}
