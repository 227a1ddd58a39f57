//! The builder, which writes robots.txt files.

use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use percent_encoding::percent_encode;
use robots_groups::syntax::{Effect, Key};
use robots_groups::{Crawler, GroupPolicy, InvalidName};

use crate::document::Document;
use crate::pattern::percent::NOT_IN_PATTERNS;
use crate::profile::Profile;
use crate::url_text::split_scheme;

/// The largest size of a file, in bytes.
const MAX_BYTES: usize = 500 * 1024;

/// The rule of a group without rules.
const EMPTY_RULE: &str = "Disallow:\n";

/// Returns whether a value may contain `char`: `UTF8-char-noctl` and `WS` of the grammar, without U+007F, which the grammar
/// allows although it is a control character.
const fn is_allowed_in_value(char: char) -> bool {
    !matches!(char, '#' | '\0'..='\x08' | '\n'..='\x1F' | '\x7F')
}

/// Returns whether `url` has a scheme and an authority (RFC 3986, sections 3.1 and 3.2).
fn is_absolute(url: &str) -> bool {
    split_scheme(url).is_some_and(|(scheme, rest)| {
        scheme.starts_with(|char: char| char.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
            && rest.starts_with(|char: char| !matches!(char, '/' | '?' | '#'))
    })
}

/// The error for something that can't be written to a robots.txt file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// A group without crawlers.
    NoCrawler,
    /// A text that is neither `*` nor the name of a crawler.
    Crawler(InvalidName),
    /// A pattern that does not begin with `/`.
    Pattern,
    /// A key that is not valid for an "other record".
    Key,
    /// A key that is read as `user-agent`, `allow` or `disallow`.
    ReservedKey,
    /// A value that contains this character.
    Value(char),
    /// The URL of a sitemap without a scheme or a host.
    RelativeUrl,
    /// A record for the whole file after a group.
    RecordAfterGroup,
    /// The file would have more than [`Builder::MAX_BYTES`](super::Builder::MAX_BYTES) bytes.
    TooLarge,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCrawler => f.write_str("a group needs at least one crawler; use `*` for all crawlers"),
            Self::Crawler(error) => error.fmt(f),
            Self::Pattern => {
                f.write_str("a pattern has to begin with `/`; begin with `/*` to match the end of a path")
            }
            Self::Key => f.write_str("a key has to consist of visible ASCII characters without `:` and `#`"),
            Self::ReservedKey => f.write_str(
                "crawlers read this key as `user-agent`, `allow` or `disallow`; use the methods for groups and rules",
            ),
            Self::Value(found) => {
                write!(f, "a value can't contain `{}`; remove the character", found.escape_default())
            }
            Self::RelativeUrl => {
                f.write_str("the URL of a sitemap has to be absolute, such as https://example.com/sitemap.xml")
            }
            Self::RecordAfterGroup => {
                f.write_str("a record for the whole file has to come before the first group")
            }
            Self::TooLarge => write!(
                f,
                "the file would have more than {MAX_BYTES} bytes; crawlers do not have to read larger files"
            ),
        }
    }
}

impl Error for BuildError {}

/// Something that was written, and that the grammar of RFC 9309 does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildWarning {
    /// The name of a crawler that is not a product token, because it has digits, dots or spaces (RFC 9309, section 2.2.1). Parsers
    /// that accept only letters, `_` and `-` read another name, or ignore the line.
    ProductToken(String),
}

impl fmt::Display for BuildWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::ProductToken(name) = self;
        write!(
            f,
            "`{name}` does not conform to RFC 9309, where a name has only letters, `_` and `-`; some parsers read another name"
        )
    }
}

/// A builder of one group; see [`Builder::group`].
#[derive(Debug)]
pub struct GroupBuilder<'f> {
    file: &'f mut Builder,
}

impl Builder {
    /// Adds a group for the crawlers with these names, which [`Crawler::new`] accepts; `*` stands for every crawler that no other group names.
    ///
    /// A group without rules allows everything, and gets the line `Disallow:` to say so.
    ///
    /// # Errors
    ///
    /// The list of names is empty; a name is neither `*` nor the name of a crawler; or the file would become too large. A name that is
    /// not a product token of RFC 9309, section 2.2.1, is one of the [`warnings`](Self::warnings).
    ///
    /// ```
    /// use robots_match::Builder;
    ///
    /// let mut file = Builder::new();
    /// assert!(file.group(["ExampleBot/1.0"]).is_err());
    /// file.group(["ExampleBot", "OtherBot"])?.disallow("/private")?;
    /// file.group(["*"])?.disallow("/")?;
    /// # Ok::<(), robots_match::BuildError>(())
    /// ```
    pub fn group<N: AsRef<str>>(
        &mut self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<GroupBuilder<'_>, BuildError> {
        let mut names = names.into_iter().peekable();
        if names.peek().is_none() {
            return Err(BuildError::NoCrawler);
        }
        self.step(|file| {
            file.leave_group();
            if file.open == Open::Loose && !file.ends_with_comment() {
                file.text.push('\n');
            }
            for name in names {
                let name = name.as_ref();
                if name != "*" {
                    Crawler::new(name).map_err(BuildError::Crawler)?;
                    if !GroupPolicy::default().is_product_token(name) {
                        file.warnings.push(BuildWarning::ProductToken(name.into()));
                    }
                }
                file.write_line("User-agent", name);
            }
            file.open = Open::Agents;
            file.has_groups = true;
            Ok(())
        })?;
        Ok(GroupBuilder { file: self })
    }
}

impl GroupBuilder<'_> {
    /// Adds a rule that allows access to the paths that `pattern` matches.
    ///
    /// In a pattern `*` matches any bytes, and `$` at the end matches the end of the path. Write `%2A` and `%24` for the
    /// characters themselves. Bytes that are not visible ASCII and `#` are percent-encoded; `%` is not changed.
    ///
    /// # Errors
    ///
    /// `pattern` does not begin with `/`, or the file would become too large.
    pub fn allow(&mut self, pattern: impl AsRef<[u8]>) -> Result<&mut Self, BuildError> {
        self.rule(Effect::Allow, pattern.as_ref())
    }

    /// Adds a rule that disallows access to the paths that `pattern` matches; see [`allow`](Self::allow).
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

    /// Adds an "other record" to this group, such as `Crawl-delay`. White space around the value is removed.
    ///
    /// # Errors
    ///
    /// `key` is empty, contains `:`, `#` or anything but visible ASCII, or is read as `user-agent`, `allow` or `disallow`
    /// under one of the named profiles; `value` contains line breaks, other control characters or `#`; or the file would
    /// become too large.
    ///
    /// ```
    /// use robots_match::Builder;
    ///
    /// let mut file = Builder::new();
    /// let error = file.group(["*"])?.record("Crawl-delay", "1\nDisallow: /").unwrap_err();
    /// assert_eq!(error.to_string(), "a value can't contain `\\n`; remove the character");
    /// # Ok::<(), robots_match::BuildError>(())
    /// ```
    pub fn record(&mut self, key: &str, value: &str) -> Result<&mut Self, BuildError> {
        self.file.step(|file| file.write_record(key, value))?;
        Ok(self)
    }

    /// Adds a comment to this group; see [`Builder::comment`].
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

/// A builder of robots.txt files.
///
/// The result conforms to the grammar of RFC 9309, section 2.2: patterns are percent-encoded, and what can't be written is an
/// error. Only a name of a crawler that exists, such as `MJ12bot`, is written although the grammar has no digits, dots and spaces in
/// names; [`Self::warnings`] lists these. Reading the result gives the same groups and rules. Only lines that are longer than a crawler reads
/// (16,663 bytes for Google) are cut by that crawler.
///
/// ```
/// use robots_match::Builder;
///
/// let mut file = Builder::new();
/// file.comment("Made by hand")?;
/// file.group(["ExampleBot"])?.allow("/private/open")?.disallow("/private#")?;
/// file.group(["*"])?;
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
/// # Ok::<(), robots_match::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    text: String,
    open: Open,
    has_groups: bool,
    warnings: Vec<BuildWarning>,
}

/// The state at the end of the lines so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Open {
    /// Outside of groups: at the start of the file, or after a blank line.
    #[default]
    None,
    /// After a line that does not belong to a group.
    Loose,
    /// In a group without rules.
    Agents,
    /// In a group with rules.
    Rules,
}

impl Builder {
    /// The largest size of a file, in bytes: what every crawler has to read (RFC 9309, section 2.5).
    pub const MAX_BYTES: usize = MAX_BYTES;

    /// Creates an empty file.
    #[must_use]
    pub const fn new() -> Self {
        Self { text: String::new(), open: Open::None, has_groups: false, warnings: Vec::new() }
    }

    /// Adds a comment outside of groups, with one line for each line of `text`.
    ///
    /// Line breaks are CR, LF and CRLF. Control characters, which comments can't contain, are replaced by U+FFFD.
    ///
    /// # Errors
    ///
    /// The file would become larger than [`Self::MAX_BYTES`].
    pub fn comment(&mut self, text: &str) -> Result<&mut Self, BuildError> {
        self.step(|file| {
            file.leave_group();
            file.write_comment(text);
            file.open = Open::Loose;
            Ok(())
        })?;
        Ok(self)
    }

    /// Adds a blank line. A blank line ends a group under the draft of 1996 only.
    ///
    /// # Errors
    ///
    /// The file would become larger than [`Self::MAX_BYTES`].
    pub fn blank(&mut self) -> Result<&mut Self, BuildError> {
        self.step(|file| {
            file.end_group();
            file.text.push('\n');
            file.open = Open::None;
            Ok(())
        })?;
        Ok(self)
    }

    /// Adds a sitemap. Sitemaps do not belong to a group, wherever they are in the file.
    ///
    /// # Errors
    ///
    /// `url` has no scheme or no host, or contains white space, control characters or `#`; or the file would become too
    /// large.
    pub fn sitemap(&mut self, url: &str) -> Result<&mut Self, BuildError> {
        self.step(|file| {
            if !is_absolute(url) {
                return Err(BuildError::RelativeUrl);
            }
            if let Some(found) =
                url.chars().find(|&char| matches!(char, ' ' | '\t') || !is_allowed_in_value(char))
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

    /// Adds an "other record" (RFC 9309, section 2.2.4) for the whole file. Such a record has to come before the first
    /// group, because crawlers may assign a later record to the group before.
    ///
    /// # Errors
    ///
    /// The file already has a group; `key` or `value` can't be written (see
    /// [`GroupBuilder::record`](super::GroupBuilder::record)); or the file would become too large.
    pub fn record(&mut self, key: &str, value: &str) -> Result<&mut Self, BuildError> {
        self.step(|file| {
            if file.has_groups {
                return Err(BuildError::RecordAfterGroup);
            }
            file.write_record(key, value)?;
            file.open = Open::Loose;
            Ok(())
        })?;
        Ok(self)
    }

    /// Returns what was written although the grammar does not allow it, in the order of the file.
    ///
    /// ```
    /// use robots_match::Builder;
    ///
    /// let mut file = Builder::new();
    /// file.group(["MJ12bot", "ExampleBot"])?.disallow("/")?;
    /// assert_eq!(
    ///     file.warnings()[0].to_string(),
    ///     "`MJ12bot` does not conform to RFC 9309, where a name has only letters, `_` and `-`; some parsers read another name",
    /// );
    /// # Ok::<(), robots_match::BuildError>(())
    /// ```
    #[must_use]
    pub fn warnings(&self) -> &[BuildWarning] {
        &self.warnings
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn text(mut self) -> String {
        self.end_group();
        self.text
    }

    /// Calls `write`, and undoes its changes if it fails or the file becomes too large.
    fn step(&mut self, write: impl FnOnce(&mut Self) -> Result<(), BuildError>) -> Result<(), BuildError> {
        let before = (self.text.len(), self.open, self.has_groups, self.warnings.len());
        // An open group without rules still needs `Disallow:`.
        let result = write(self).and_then(|()| {
            let reserve = if self.open == Open::Agents { EMPTY_RULE.len() } else { 0 };
            if self.text.len() + reserve > MAX_BYTES { Err(BuildError::TooLarge) } else { Ok(()) }
        });
        if result.is_err() {
            self.text.truncate(before.0);
            (self.open, self.has_groups) = (before.1, before.2);
            self.warnings.truncate(before.3);
        }
        result
    }

    /// Adds a rule that disallows nothing to a group without rules, which otherwise would become one group with the next.
    fn end_group(&mut self) {
        if self.open == Open::Agents {
            self.text.push_str(EMPTY_RULE);
            self.open = Open::Rules;
        }
    }

    /// Ends the open group, if there is one, with a blank line.
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
            let (line, after) = text.split_at(end.unwrap_or(text.len()));
            rest =
                end.map(|_| after.strip_prefix("\r\n").unwrap_or_else(|| after.get(1..).unwrap_or_default()));
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
            // A line break at the end does not begin another line.
            rest = rest.filter(|rest| !rest.is_empty());
        }
    }

    fn write_record(&mut self, key: &str, value: &str) -> Result<(), BuildError> {
        let is_key = |byte: u8| byte.is_ascii_graphic() && byte != b'#' && byte != b':';
        if key.is_empty() || !key.bytes().all(is_key) {
            return Err(BuildError::Key);
        }
        // No policy may read the key as part of a group, not even by a spelling that only one document has.
        let is_reserved = Document::ALL.map(Profile::from).iter().any(|profile| {
            let spelling = profile.syntax.spelling(key.as_bytes());
            spelling.is_some_and(|spelling| spelling.key != Key::Sitemap)
        });
        if is_reserved {
            return Err(BuildError::ReservedKey);
        }
        let value = value.trim_matches([' ', '\t']);
        if let Some(found) = value.chars().find(|&char| !is_allowed_in_value(char)) {
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
        self.text.extend(percent_encode(pattern, NOT_IN_PATTERNS));
        self.text.push('\n');
        self.open = Open::Rules;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn values_can_not_add_lines() {
        let mut file = Builder::new();
        file.comment("a\nDisallow: /\r\nb\rc\0\n").unwrap();
        file.group(["*"]).unwrap().disallow("/a\nAllow: /\r#\t\u{e9}\u{7f}").unwrap();
        assert_eq!(
            file.text(),
            "# a\n# Disallow: /\n# b\n# c\u{fffd}\n\nUser-agent: *\nDisallow: /a%0AAllow:%20/%0D%23%09%C3%A9%7F\n"
        );
    }

    #[test]
    fn invalid_values_are_errors_and_change_nothing() {
        let mut file = Builder::new();
        assert_eq!(file.group::<&str>([]).unwrap_err(), BuildError::NoCrawler);
        for name in ["ExampleBot/1.0", "", "**", "a\nDisallow: /"] {
            assert!(matches!(file.group(["*", name]).unwrap_err(), BuildError::Crawler(_)), "{name}");
        }
        assert!(file.clone().group(["*", "MJ12bot"]).is_ok());
        // What was undone warns of nothing.
        assert!(file.group(["MJ12bot", "a/1"]).is_err() && file.warnings().is_empty());
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
        assert_eq!(
            file.record("a", "x # y").unwrap_err().to_string(),
            "a value can't contain `#`; remove the character"
        );
        for pattern in ["", "*.gif", "a", " /a"] {
            assert_eq!(file.clone().group(["*"]).unwrap().allow(pattern).unwrap_err(), BuildError::Pattern);
        }
        assert_eq!(file.clone().text(), "");
        file.record("License", " https://example.com/l.xml\t").unwrap();
        file.group(["*"]).unwrap();
        assert_eq!(file.record("License", "x").unwrap_err(), BuildError::RecordAfterGroup);
        assert_eq!(file.text(), "License: https://example.com/l.xml\n\nUser-agent: *\nDisallow:\n");
    }

    #[test]
    fn a_file_is_never_too_large_to_be_read() {
        let limits = Document::ALL.into_iter().filter_map(|document| Profile::from(document).syntax.max_size);
        assert_eq!(limits.min(), Some(Builder::MAX_BYTES));
        let mut file = Builder::new();
        let long = "a".repeat(Builder::MAX_BYTES - "# \n\nUser-agent: *\nDisallow:\n".len());
        file.comment(&long).unwrap();
        assert!(file.clone().comment("").is_ok());
        file.group(["*"]).unwrap();
        assert_eq!(file.blank().unwrap_err(), BuildError::TooLarge);
        assert_eq!(file.text().len(), Builder::MAX_BYTES);
    }
}
