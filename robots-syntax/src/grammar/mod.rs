//! The grammars of the documents: one function for each production, the production quoted above it.
//!
//! What a lenient reader takes on top of them is in [`lines`](crate::lines), never here.

mod koster1996;
mod rfc9309;

use crate::policy::{ByteOrderMark, Grammar, Policy};
use crate::span::Span;
use crate::spelling::Key;

/// Where a file departs from a grammar: the first line that can't be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Departure {
    /// The number of the line, from 1.
    pub line: usize,
    /// The octets of the line, its end included.
    pub span: Span,
}

impl core::fmt::Display for Departure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "line {} can't be derived from the grammar", self.line)
    }
}

impl core::error::Error for Departure {}

/// Whether the whole of `input` can be derived from `grammar`. Time grows with the number of octets.
///
/// # Errors
///
/// The first line that can't be derived; the line behind the last where the file ends too early.
///
/// ```
/// use robots_syntax::{Grammar, conforms};
/// assert!(conforms(b"User-agent: ExampleBot\nDisallow: /private\n", Grammar::Rfc9309).is_ok());
/// let departure = conforms(b"User-agent: ExampleBot\nDisallow: private\n", Grammar::Rfc9309).unwrap_err();
/// assert_eq!(departure.line, 2);
/// ```
pub fn conforms(input: &[u8], grammar: Grammar) -> Result<(), Departure> {
    let rest = match grammar {
        Grammar::Rfc9309 => rfc9309::robotstxt(input),
        Grammar::Koster1996 => koster1996::robotstxt(input),
    }
    .map_or(input, |(rest, _)| rest);
    if rest.is_empty() {
        return Ok(());
    }
    let (before, rest) = input.split_at(input.len() - rest.len());
    let rest = match grammar {
        Grammar::Rfc9309 => rest,
        Grammar::Koster1996 => koster1996::departure(before, rest),
    };
    let consumed = input.len() - rest.len();
    let mut policy = Policy::RFC9309;
    policy.byte_order_mark = ByteOrderMark::Keep;
    policy.max_size = None;
    let mut last = (1, Span::new(0, 0));
    for line in crate::lines(input, &policy) {
        if line.span().end() > consumed {
            return Err(Departure { line: line.number, span: line.span() });
        }
        last = (line.number + 1, Span::new(line.span().end(), line.span().end()));
    }
    // The file ends where a line of a record should stand.
    Err(Departure { line: last.0, span: last.1 })
}

/// Whether `line`, its end included, is a line of the grammar. `is_other` tells whether it is read as an "other record".
pub(crate) fn derives_line(grammar: Grammar, line: &[u8], is_other: bool) -> bool {
    match grammar {
        Grammar::Rfc9309 if is_other => rfc9309::line(line),
        Grammar::Rfc9309 => rfc9309::defined_line(line),
        Grammar::Koster1996 => koster1996::line(line),
    }
    .is_ok_and(|(rest, _)| rest.is_empty())
}

pub(crate) fn is_line_end(grammar: Grammar, end: &[u8]) -> bool {
    match grammar {
        Grammar::Rfc9309 => true,
        Grammar::Koster1996 => end == b"\r\n",
    }
}

pub(crate) fn is_comment(grammar: Grammar, comment: &[u8]) -> bool {
    match grammar {
        Grammar::Rfc9309 => rfc9309::comment(comment),
        Grammar::Koster1996 => koster1996::comment(comment),
    }
    .is_ok_and(|(rest, _)| rest.is_empty())
}

/// Whether a key may stand as written, white space included. `known` tells whether it is one of the three of rules.
pub(crate) fn is_key(grammar: Grammar, written: &[u8], known: bool) -> bool {
    match grammar {
        Grammar::Rfc9309 => rfc9309::is_key(written),
        Grammar::Koster1996 => known && !written.iter().any(|octet| matches!(octet, b' ' | b'\t')),
    }
}

pub(crate) fn has_other_records(grammar: Grammar) -> bool {
    match grammar {
        Grammar::Rfc9309 => true,
        Grammar::Koster1996 => false,
    }
}

/// Whether `written`, white space included, may stand behind the colon of `key`.
pub(crate) fn is_value(grammar: Grammar, key: Option<Key>, written: &[u8]) -> bool {
    match grammar {
        Grammar::Rfc9309 => rfc9309::is_value(key, written),
        Grammar::Koster1996 => koster1996::is_value(key, written),
    }
}

/// What a production leaves, and what it took.
type Read<'a> = nom::IResult<&'a [u8], &'a [u8], ()>;
