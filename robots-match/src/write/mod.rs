//! Writing a robots.txt.

use alloc::string::String;
use core::fmt;

use robots_groups::ProductToken;
use robots_groups::syntax::{Effect, Key};

use crate::profile::Profile;

/// A robots.txt in the making.
///
/// What comes out conforms to the grammar of RFC 9309, section 2.2, whatever goes in: patterns are percent-encoded, and
/// what can't be written is refused. It reads back to the groups and rules that went in; lines longer than a reader takes
/// (16,663 octets for Google) are cut by that reader.
///
/// ```
/// use robots_match::{Agent, Builder, ProductToken};
///
/// let bot = ProductToken::new("ExampleBot")?;
/// let mut file = Builder::new();
/// file.comment("Made by hand")?;
/// file.group([Agent::from(bot)])?.allow("/private/open")?.disallow("/private#")?;
/// file.group([Agent::All])?;
/// file.sitemap("https://example.com/map.xml")?;
/// assert_eq!(
///     file.text(),
///     "# Made by hand\n\
///     \n\
///     User-agent: ExampleBot\n\
///     Allow: /private/open\n\
///     Disallow: /private%23\n\
///     \n\
///     User-agent: *\n\
///     Disallow:\n\
///     \n\
///     Sitemap: https://example.com/map.xml\n",
/// );
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    text: String,
    open: Open,
    has_groups: bool,
}

/// What the lines so far leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Open {
    /// No group: the file begins, or a blank line was written behind one.
    #[default]
    None,
    /// Something that is in no group.
    Loose,
    /// A group without rules.
    Agents,
    /// A group with rules.
    Rules,
}

/// Whom a group is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Agent<'t> {
    /// Every crawler that no other group names: `*`.
    All,
    /// The crawler of this name.
    Named(ProductToken<'t>),
}

impl<'t> From<ProductToken<'t>> for Agent<'t> {
    fn from(token: ProductToken<'t>) -> Self {
        Self::Named(token)
    }
}

impl<'t> Agent<'t> {
    const fn as_str(self) -> &'t str {
        match self {
            Self::All => "*",
            Self::Named(token) => token.as_str(),
        }
    }
}

impl Builder {
    /// The most octets of a file: what every reader has to take (RFC 9309, section 2.5).
    pub const LARGEST: usize = 500 * 1024;

    /// An empty file.
    #[must_use]
    pub const fn new() -> Self {
        Self { text: String::new(), open: Open::None, has_groups: false }
    }

    /// A comment outside of groups, a line for each line of `text`.
    ///
    /// Line breaks are CR, LF and CRLF. Control characters, which no comment may hold, become U+FFFD.
    ///
    /// # Errors
    ///
    /// The file would become too large.
    pub fn comment(&mut self, text: &str) -> Result<&mut Self, BuildError> {
        self.step(|file| {
            file.leave_group();
            file.write_comment(text);
            file.open = Open::Loose;
            Ok(())
        })?;
        Ok(self)
    }

    /// A blank line. It ends a group for readers of the draft of 1996, and for no others.
    ///
    /// # Errors
    ///
    /// The file would become too large.
    pub fn blank(&mut self) -> Result<&mut Self, BuildError> {
        self.step(|file| {
            file.end_group();
            file.text.push('\n');
            file.open = Open::None;
            Ok(())
        })?;
        Ok(self)
    }

    /// A sitemap. It belongs to no group, wherever it stands.
    ///
    /// # Errors
    ///
    /// `url` has no scheme or no host, or holds white space, control characters or `#`; or the file would become too
    /// large.
    pub fn sitemap(&mut self, url: &str) -> Result<&mut Self, BuildError> {
        self.step(|file| {
            if !is_absolute(url) {
                return Err(BuildError::RelativeUrl);
            }
            if let Some(found) =
                url.chars().find(|&char| matches!(char, ' ' | '\t') || !may_stand_in_value(char))
            {
                return Err(BuildError::Value(found));
            }
            file.leave_group();
            file.write_line("Sitemap", url);
            file.open = Open::Loose;
            Ok(())
        })?;
        Ok(self)
    }

    /// An "other record" of the whole file, which has to stand before the first group: behind it, those who tie such
    /// records to groups would take it for the group's.
    ///
    /// # Errors
    ///
    /// A group has begun; `key` or `value` can't be written (see [`GroupBuilder::record`]); or the file would become too
    /// large.
    pub fn record(&mut self, key: &str, value: &str) -> Result<&mut Self, BuildError> {
        self.step(|file| {
            if file.has_groups {
                return Err(BuildError::RecordBehindGroup);
            }
            file.write_record(key, value)?;
            file.open = Open::Loose;
            Ok(())
        })?;
        Ok(self)
    }

    /// A group for these crawlers. A group that gets no rules allows everything, as its `Disallow:` then says.
    ///
    /// # Errors
    ///
    /// There is no agent, or a name holds what RFC 9309 has in no product token; or the file would become too large.
    pub fn group<'t>(
        &mut self,
        agents: impl IntoIterator<Item = Agent<'t>>,
    ) -> Result<GroupBuilder<'_>, BuildError> {
        let mut agents = agents.into_iter().peekable();
        if agents.peek().is_none() {
            return Err(BuildError::NoAgent);
        }
        self.step(|file| {
            file.leave_group();
            if file.open == Open::Loose && !file.ends_with_comment() {
                file.text.push('\n');
            }
            for agent in agents {
                // A token may have been admitted with another alphabet than the RFC's.
                if let Agent::Named(token) = agent {
                    ProductToken::new(token.as_str()).map_err(BuildError::Agent)?;
                }
                file.write_line("User-agent", agent.as_str());
            }
            file.open = Open::Agents;
            file.has_groups = true;
            Ok(())
        })?;
        Ok(GroupBuilder { file: self })
    }

    /// The file.
    #[must_use]
    pub fn text(mut self) -> String {
        self.end_group();
        self.text
    }

    /// Does `write`, and undoes it if it fails or the file becomes too large.
    fn step(&mut self, write: impl FnOnce(&mut Self) -> Result<(), BuildError>) -> Result<(), BuildError> {
        let before = (self.text.len(), self.open, self.has_groups);
        // `Disallow:` may still have to be added.
        let result = write(self).and_then(|()| {
            let reserve = if self.open == Open::Agents { EMPTY_RULE.len() } else { 0 };
            if self.text.len() + reserve > Self::LARGEST { Err(BuildError::TooLarge) } else { Ok(()) }
        });
        if result.is_err() {
            self.text.truncate(before.0);
            (self.open, self.has_groups) = (before.1, before.2);
        }
        result
    }

    /// A group that has no rules would become one with the next: it gets one that disallows nothing.
    fn end_group(&mut self) {
        if self.open == Open::Agents {
            self.text.push_str(EMPTY_RULE);
            self.open = Open::Rules;
        }
    }

    /// Ends the group, if one is open, with a blank line.
    fn leave_group(&mut self) {
        self.end_group();
        if self.open == Open::Rules {
            self.text.push('\n');
            self.open = Open::None;
        }
    }

    fn ends_with_comment(&self) -> bool {
        self.text.lines().next_back().is_some_and(|line| line.starts_with('#')) && self.has_groups
    }

    fn write_line(&mut self, key: &str, value: &str) {
        self.text.push_str(key);
        self.text.push(':');
        if !value.is_empty() {
            self.text.push(' ');
            self.text.push_str(value);
        }
        self.text.push('\n');
    }

    // comment = "#" *(UTF8-char-noctl / WS / "#")
    fn write_comment(&mut self, text: &str) {
        let mut rest = Some(text);
        while let Some(text) = rest {
            let end = text.find(['\r', '\n']);
            let (line, behind) = text.split_at(end.unwrap_or(text.len()));
            rest = end
                .map(|_| behind.strip_prefix("\r\n").unwrap_or_else(|| behind.get(1..).unwrap_or_default()));
            self.text.push('#');
            if !line.is_empty() {
                self.text.push(' ');
            }
            self.text.extend(line.chars().map(|char| match char {
                '\t' => char,
                _ if char.is_ascii_control() => char::REPLACEMENT_CHARACTER,
                _ => char,
            }));
            self.text.push('\n');
            // A line break at the end begins no further line.
            rest = rest.filter(|rest| !rest.is_empty());
        }
    }

    fn write_record(&mut self, key: &str, value: &str) -> Result<(), BuildError> {
        let is_key = |octet: u8| octet.is_ascii_graphic() && octet != b'#' && octet != b':';
        if key.is_empty() || !key.bytes().all(is_key) {
            return Err(BuildError::Key);
        }
        // No reader may take it for something else, be it by a spelling that only one document has.
        let is_reserved = Profile::NAMED.iter().any(|(_, profile)| {
            let spelling = profile.syntax.spelling(key.as_bytes());
            spelling.is_some_and(|spelling| spelling.key != Key::Sitemap)
        });
        if is_reserved {
            return Err(BuildError::ReservedKey);
        }
        let value = value.trim_matches([' ', '\t']);
        if let Some(found) = value.chars().find(|&char| !may_stand_in_value(char)) {
            return Err(BuildError::Value(found));
        }
        self.write_line(key, value);
        Ok(())
    }

    fn write_rule(&mut self, effect: Effect, pattern: &[u8]) {
        self.text.push_str(match effect {
            Effect::Allow => "Allow: ",
            Effect::Disallow => "Disallow: ",
        });
        for &octet in pattern {
            if octet.is_ascii_graphic() && octet != b'#' {
                self.text.push(octet.into());
            } else {
                self.text.push('%');
                self.text.extend(
                    [octet >> 4, octet & 15]
                        .map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0').to_ascii_uppercase()),
                );
            }
        }
        self.text.push('\n');
        self.open = Open::Rules;
    }
}

const EMPTY_RULE: &str = "Disallow:\n";

/// A group in the making; see [`Builder::group`].
#[derive(Debug)]
pub struct GroupBuilder<'f> {
    file: &'f mut Builder,
}

impl GroupBuilder<'_> {
    /// Allows what `pattern` matches. `*` stands for any octets, `$` at the end for the end of the path; for themselves,
    /// write `%2A` and `%24`. Octets that are no visible ASCII, and `#`, are percent-encoded; `%` stays as it is.
    ///
    /// # Errors
    ///
    /// `pattern` does not begin with `/`, or the file would become too large.
    pub fn allow(&mut self, pattern: impl AsRef<[u8]>) -> Result<&mut Self, BuildError> {
        self.rule(Effect::Allow, pattern.as_ref())
    }

    /// Disallows what `pattern` matches; see [`allow`](Self::allow).
    ///
    /// # Errors
    ///
    /// `pattern` does not begin with `/`, or the file would become too large.
    pub fn disallow(&mut self, pattern: impl AsRef<[u8]>) -> Result<&mut Self, BuildError> {
        self.rule(Effect::Disallow, pattern.as_ref())
    }

    fn rule(&mut self, effect: Effect, pattern: &[u8]) -> Result<&mut Self, BuildError> {
        self.file.step(|file| {
            if pattern.first() != Some(&b'/') {
                return Err(BuildError::Pattern);
            }
            file.write_rule(effect, pattern);
            Ok(())
        })?;
        Ok(self)
    }

    /// An "other record" in this group, such as `Crawl-delay`. White space round the value is left away.
    ///
    /// # Errors
    ///
    /// `key` is empty, holds what is not visible ASCII, `:` or `#`, or is one that some reader takes for "user-agent",
    /// "allow" or "disallow"; `value` holds line breaks, other control characters or `#`; or the file would become too
    /// large.
    ///
    /// ```
    /// use robots_match::{Agent, Builder};
    /// let mut file = Builder::new();
    /// let error = file.group([Agent::All])?.record("Crawl-delay", "1\nDisallow: /").unwrap_err();
    /// assert_eq!(error.to_string(), "a value may not hold `\\n`");
    /// # Ok::<(), robots_match::BuildError>(())
    /// ```
    pub fn record(&mut self, key: &str, value: &str) -> Result<&mut Self, BuildError> {
        self.file.step(|file| file.write_record(key, value))?;
        Ok(self)
    }

    /// A comment in this group; see [`Builder::comment`].
    ///
    /// # Errors
    ///
    /// The file would become too large.
    pub fn comment(&mut self, text: &str) -> Result<&mut Self, BuildError> {
        self.file.step(|file| {
            file.write_comment(text);
            Ok(())
        })?;
        Ok(self)
    }
}

/// `UTF8-char-noctl` and `WS` of the grammar, of which control characters are no part. U+007F, which the grammar has, is
/// one for everybody else.
const fn may_stand_in_value(char: char) -> bool {
    !matches!(char, '#' | '\0'..='\x08' | '\n'..='\x1F' | '\x7F')
}

/// Whether `url` has a scheme and an authority (RFC 3986, sections 3.1 and 3.2).
fn is_absolute(url: &str) -> bool {
    url.split_once("://").is_some_and(|(scheme, rest)| {
        scheme.starts_with(|char: char| char.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.'))
            && rest.starts_with(|char: char| !matches!(char, '/' | '?' | '#'))
    })
}

/// What can't be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// A group for nobody.
    NoAgent,
    /// A name that is no product token of RFC 9309.
    Agent(robots_groups::InvalidToken),
    /// A pattern that does not begin with `/`.
    Pattern,
    /// A key that no "other record" may have.
    Key,
    /// A key that is, or is taken for, "user-agent", "allow" or "disallow".
    ReservedKey,
    /// A value that holds this.
    Value(char),
    /// The URL of a sitemap has no scheme or no host.
    RelativeUrl,
    /// A record of the file behind a group.
    RecordBehindGroup,
    /// The file would have more than [`Builder::LARGEST`] octets.
    TooLarge,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAgent => f.write_str("a group needs an agent"),
            Self::Agent(error) => error.fmt(f),
            Self::Pattern => {
                f.write_str("a pattern begins with `/`; `/*` begins one for paths that end alike")
            }
            Self::Key => f.write_str("a key is made of visible ASCII without `:` and `#`"),
            Self::ReservedKey => f.write_str("this key is one of groups and rules, or is taken for one"),
            Self::Value(found) => write!(f, "a value may not hold `{}`", found.escape_default()),
            Self::RelativeUrl => f.write_str("the URL of a sitemap must be absolute: scheme, host and path"),
            Self::RecordBehindGroup => {
                f.write_str("a record of the whole file has to stand before all groups")
            }
            Self::TooLarge => write!(f, "no reader has to take more than {} octets", Builder::LARGEST),
        }
    }
}

impl core::error::Error for BuildError {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn nothing_is_smuggled_in() {
        let mut file = Builder::new();
        file.comment("a\nDisallow: /\r\nb\rc\0\n").unwrap();
        assert_eq!(
            file.group([Agent::All]).unwrap().disallow("/a\nAllow: /\r#\t\u{e9}\u{7f}").unwrap().file.text,
            "# a\n# Disallow: /\n# b\n# c\u{fffd}\n\nUser-agent: *\nDisallow: /a%0AAllow:%20/%0D%23%09%C3%A9%7F\n"
        );
    }

    #[test]
    fn what_can_not_be_written_is_refused_and_leaves_no_trace() {
        let mut file = Builder::new();
        assert_eq!(file.group([]).unwrap_err(), BuildError::NoAgent);
        let mut policy = robots_groups::Policy::RFC9309;
        policy.alphabet = robots_groups::Alphabet::DigitsAndDots;
        let digits = ProductToken::admitted("MJ12bot", &policy).unwrap();
        assert!(matches!(file.group([Agent::All, digits.into()]).unwrap_err(), BuildError::Agent(_)));
        for url in ["/map.xml", "//a/b", "https:///x", "1http://a", "http://", ""] {
            assert_eq!(file.sitemap(url).unwrap_err(), BuildError::RelativeUrl, "{url}");
        }
        assert_eq!(file.sitemap("http://a/b c").unwrap_err(), BuildError::Value(' '));
        for key in ["Allow", "disallowed", "dissalow", "useragent", "USER-AGENT"] {
            assert_eq!(file.record(key, "x").unwrap_err(), BuildError::ReservedKey, "{key}");
        }
        for key in ["", "a b", "a:b", "a#b", "é", "a\n"] {
            assert_eq!(file.record(key, "x").unwrap_err(), BuildError::Key, "{key}");
        }
        assert_eq!(file.record("a", "x # y").unwrap_err().to_string(), "a value may not hold `#`");
        for pattern in ["", "*.gif", "a", " /a"] {
            assert_eq!(
                file.clone().group([Agent::All]).unwrap().allow(pattern).unwrap_err(),
                BuildError::Pattern
            );
        }
        assert_eq!(file.clone().text(), "");
        file.record("License", " https://example.com/l.xml\t").unwrap();
        file.group([Agent::All]).unwrap();
        assert_eq!(file.record("License", "x").unwrap_err(), BuildError::RecordBehindGroup);
        assert_eq!(file.text(), "License: https://example.com/l.xml\n\nUser-agent: *\nDisallow:\n");
    }

    #[test]
    fn a_file_is_never_too_large_to_be_read() {
        let limits = Profile::NAMED.iter().filter_map(|(_, profile)| profile.syntax.max_size);
        assert_eq!(limits.min(), Some(Builder::LARGEST));
        let mut file = Builder::new();
        let long = "a".repeat(Builder::LARGEST - "# \n\nUser-agent: *\nDisallow:\n".len());
        file.comment(&long).unwrap();
        assert!(file.clone().comment("").is_ok());
        file.group([Agent::All]).unwrap();
        assert_eq!(file.blank().unwrap_err(), BuildError::TooLarge);
        assert_eq!(file.text().len(), Builder::LARGEST);
    }
}
