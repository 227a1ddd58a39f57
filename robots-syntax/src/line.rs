//! Lines, records and rules.

use core::fmt;

use crate::span::{Field, MAX_BYTES, Span};

/// A line of a file: its number, its place and its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line<'a> {
    /// The line number, from 1.
    pub number: usize,
    /// The content of the line.
    pub record: Record<'a>,
    bytes: &'a [u8],
    start: u32,
}

impl<'a> Line<'a> {
    #[inline]
    pub(crate) const fn at(number: u32, start: u32, bytes: &'a [u8], record: Record<'a>) -> Self {
        Self { number: number as usize, record, bytes, start }
    }

    /// Returns the place of the line, line end included. The spans of all lines cover what is read of the file without
    /// gaps.
    #[must_use]
    pub const fn span(&self) -> Span {
        Field::at(self.bytes, self.start).span()
    }

    /// Returns the bytes of the line, line end included.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the bytes of the line without the line end.
    #[must_use]
    pub fn content(&self) -> Field<'a> {
        Field::at(self.split_end().0, self.start)
    }

    /// Returns the key as written, without the white space around it; `None` for a line without a record.
    ///
    /// ```
    /// use robots_syntax::{Lines, SyntaxPolicy};
    ///
    /// let file = b"\xEF\xBB\xBFuser-AGENT : *\n Disallow:# nothing\nDisalow /tmp\nSitemap:\n\n";
    /// let keys = Lines::new(file, &SyntaxPolicy::GOOGLE).map(|line| line.key().map(|key| (key.span().start(), key.bytes())));
    /// let expected: [Option<(usize, &[u8])>; 5] =
    ///     [Some((3, b"user-AGENT")), Some((19, b"Disallow")), Some((38, b"Disalow")), Some((51, b"Sitemap")), None];
    /// assert!(keys.eq(expected));
    /// ```
    #[must_use]
    pub fn key(&self) -> Option<Field<'a>> {
        let value = match self.record {
            Record::Other { key, .. } => return Some(key),
            Record::UserAgent(name) => name,
            Record::Rule(rule) => rule.pattern,
            Record::Comment | Record::Blank | Record::Unreadable => return None,
        };
        let before = self.bytes.get(..value.span().start().checked_sub(self.start as usize)?)?;
        // A known key begins with a letter; a byte order mark and white space may come before it.
        let at = before.iter().position(u8::is_ascii_alphabetic)?;
        let key = before.get(at..)?.split(|byte| *byte == b':').next()?;
        Some(Field::new(key.trim_ascii_end(), self.start as usize + at))
    }

    /// Returns the comment, from `#` up to the line end.
    #[must_use]
    pub fn comment(&self) -> Option<Field<'a>> {
        let content = self.content().bytes();
        let at = memchr::memchr(b'#', content)?;
        Some(Field::new(content.get(at..)?, self.start as usize + at))
    }

    /// Splits the line into the content and the line end (CR, LF, CRLF or nothing).
    pub(crate) fn split_end(&self) -> (&'a [u8], &'a [u8]) {
        let len = match self.bytes {
            [.., b'\r', b'\n'] => 2,
            [.., b'\r' | b'\n'] => 1,
            _ => 0,
        };
        self.bytes.split_at(self.bytes.len() - len)
    }
}

/// Writes the number and the record, as in `2 disallow /private`.
impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.record)
    }
}

/// The content of a line. Fields have the bytes of the file, without the white space around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Record<'a> {
    /// A `user-agent` line with the name of a crawler: `startgroupline` of RFC 9309, section 2.2.
    UserAgent(Field<'a>),
    /// An `allow` or `disallow` line: `rule` of RFC 9309, section 2.2.
    Rule(Rule<'a>),
    /// A line with another key, such as `Sitemap`: an "other record" of RFC 9309, section 2.2.4.
    Other {
        /// The key as written.
        key: Field<'a>,
        /// The value as written.
        value: Field<'a>,
    },
    /// A line with only a comment.
    Comment,
    /// A blank line.
    Blank,
    /// A line that is not a valid record; crawlers ignore it.
    Unreadable,
}

impl fmt::Display for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, field) = match self {
            Self::UserAgent(field) => ("user-agent", field),
            Self::Rule(rule) => (rule.effect.name(), &rule.pattern),
            Self::Other { key, value } if value.is_empty() => return write!(f, "other {} =", key.escaped()),
            Self::Other { key, value } => return write!(f, "other {} = {}", key.escaped(), value.escaped()),
            Self::Comment => return f.write_str("comment"),
            Self::Blank => return f.write_str("blank"),
            Self::Unreadable => return f.write_str("unreadable"),
        };
        f.write_str(name)?;
        if field.is_empty() { Ok(()) } else { write!(f, " {}", field.escaped()) }
    }
}

/// An `allow` or `disallow` line (RFC 9309, section 2.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule<'a> {
    /// Whether the rule allows or disallows access.
    pub effect: Effect,
    /// The path pattern as written; empty for a rule without a path (`empty-pattern` of RFC 9309).
    pub pattern: Field<'a>,
    // As wide as a length, like the effect, so that the struct has no padding; see `Field`.
    line: usize,
}

impl<'a> Rule<'a> {
    /// Creates a rule of line number `line`, from 1.
    #[must_use]
    pub const fn new(effect: Effect, pattern: Field<'a>, line: usize) -> Self {
        let line = if line > MAX_BYTES { MAX_BYTES } else { line };
        Self { effect, pattern, line }
    }

    #[inline]
    pub(crate) const fn at(effect: Effect, pattern: Field<'a>, line: u32) -> Self {
        Self { effect, pattern, line: line as usize }
    }

    /// Returns the line number, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }
}

/// Whether a rule allows or disallows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
// See `Rule`.
#[repr(usize)]
pub enum Effect {
    /// Access is allowed.
    Allow,
    /// Access is disallowed.
    Disallow,
}

impl Effect {
    /// Returns `allow` or `disallow`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Disallow => "disallow",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
