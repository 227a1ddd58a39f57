//! What a line says.

use core::fmt;

use crate::span::{Field, Span};

/// A line of a file: where it stands and what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// What it says.
    pub record: Record<'a>,
    octets: &'a [u8],
    start: u32,
}

impl<'a> Line<'a> {
    #[inline]
    pub(crate) const fn at(number: u32, start: u32, octets: &'a [u8], record: Record<'a>) -> Self {
        Self { number: number as usize, record, octets, start }
    }

    /// Where it stands, line end included: the spans of all lines tile what is read of the file.
    #[must_use]
    pub const fn span(&self) -> Span {
        Field::at(self.octets, self.start).span()
    }

    /// Its octets, line end included.
    #[must_use]
    pub const fn octets(&self) -> &'a [u8] {
        self.octets
    }

    /// Its octets without the line end.
    #[must_use]
    pub fn content(&self) -> Field<'a> {
        Field::at(self.split_end().0, self.start)
    }

    /// Its comment, from `#` up to the line end.
    #[must_use]
    pub fn comment(&self) -> Option<Field<'a>> {
        let content = self.content().octets();
        let at = memchr::memchr(b'#', content)?;
        Some(Field::new(content.get(at..)?, self.start as usize + at))
    }

    /// The content, and the line end (CR, LF, CRLF or nothing).
    pub(crate) fn split_end(&self) -> (&'a [u8], &'a [u8]) {
        let len = match self.octets {
            [.., b'\r', b'\n'] => 2,
            [.., b'\r' | b'\n'] => 1,
            _ => 0,
        };
        self.octets.split_at(self.octets.len() - len)
    }
}

/// The number and the record, as `2 disallow /private`.
impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.record)
    }
}

/// What a line says. Octets are as they stand in the file, without the white space round them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Record<'a> {
    /// `startgroupline`: a group for the crawler of this name.
    UserAgent(Field<'a>),
    /// `rule`: an "allow" or "disallow" line.
    Rule(Rule<'a>),
    /// An "other record" (RFC 9309, section 2.2.4): a key and a value, such as `Sitemap`.
    Other {
        /// As it is written.
        key: Field<'a>,
        /// As it is written.
        value: Field<'a>,
    },
    /// Nothing but a comment.
    Comment,
    /// Nothing.
    Blank,
    /// Something that is no record.
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

/// An "allow" or "disallow" line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule<'a> {
    /// Whether it allows or disallows.
    pub effect: Effect,
    /// The path pattern as it is written; an empty one is an `empty-pattern`.
    pub pattern: Field<'a>,
    line: u32,
}

impl<'a> Rule<'a> {
    /// A rule of line `line`, counted from 1.
    #[must_use]
    pub const fn new(effect: Effect, pattern: Field<'a>, line: usize) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "a file of LONGEST octets has no more lines")]
        let line = if line > crate::LONGEST { crate::LONGEST as u32 } else { line as u32 };
        Self { effect, pattern, line }
    }

    #[inline]
    pub(crate) const fn at(effect: Effect, pattern: Field<'a>, line: u32) -> Self {
        Self { effect, pattern, line }
    }

    /// The number of its line, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line as usize
    }
}

/// Whether a rule allows or disallows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Effect {
    /// Access is allowed.
    Allow,
    /// Access is not allowed.
    Disallow,
}

impl Effect {
    /// `allow` or `disallow`.
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
