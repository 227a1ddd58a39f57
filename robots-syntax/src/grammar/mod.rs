//! The grammars of the documents: one function for each production, the production quoted above it.
//!
//! Leniency is in [`lines`](crate::lines), never here.

mod koster1996;
mod rfc9309;

use crate::lines::Lines;
use crate::policy::{ByteOrderMark, Grammar, SyntaxPolicy};
use crate::span::Span;
use crate::spelling::Key;

/// The error of a file that does not conform to a grammar, with the first line that can't be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GrammarError {
    /// The line number, from 1.
    pub line: usize,
    /// The place of the line, line end included.
    pub span: Span,
}

impl core::fmt::Display for GrammarError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "line {} does not conform to the grammar", self.line)
    }
}

impl core::error::Error for GrammarError {}

impl Grammar {
    /// Checks whether the whole of `input` conforms to the grammar.
    ///
    /// # Errors
    ///
    /// The first line that can't be derived from the grammar. If the file ends too early, that is the line after the last.
    ///
    /// # Complexity
    ///
    /// O(*n*) for *n* bytes; nothing is allocated.
    ///
    /// ```
    /// use robots_syntax::Grammar;
    ///
    /// assert!(Grammar::Rfc9309.check(b"User-agent: ExampleBot\nDisallow: /private\n").is_ok());
    /// let error = Grammar::Rfc9309.check(b"User-agent: ExampleBot\nDisallow: private\n").unwrap_err();
    /// assert_eq!(error.line, 2);
    /// ```
    pub fn check(self, input: &[u8]) -> Result<(), GrammarError> {
        let rest = match self {
            Self::Rfc9309 => rfc9309::robotstxt(input),
            Self::Koster1996 => koster1996::robotstxt(input),
        }
        .map_or(input, |(rest, _)| rest);
        if rest.is_empty() {
            return Ok(());
        }
        let (before, rest) = input.split_at(input.len() - rest.len());
        let rest = match self {
            Self::Rfc9309 => rest,
            Self::Koster1996 => koster1996::departure(before, rest),
        };
        let consumed = input.len() - rest.len();
        let mut policy = SyntaxPolicy::RFC9309;
        policy.byte_order_mark = ByteOrderMark::Keep;
        policy.max_size = None;
        let mut last = (1, Span::new(0, 0));
        for line in Lines::new(input, &policy) {
            if line.span().end() > consumed {
                return Err(GrammarError { line: line.number, span: line.span() });
            }
            last = (line.number + 1, Span::new(line.span().end(), line.span().end()));
        }
        // The file ends where the grammar requires another line.
        Err(GrammarError { line: last.0, span: last.1 })
    }
}

/// Returns whether `line`, line end included, is a line of the grammar. `is_other` is set if the line was read as an
/// "other record".
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

/// Returns whether the grammar allows a key as written, white space included. `known` is set for the three keys of groups
/// and rules.
pub(crate) fn is_key(grammar: Grammar, written: &[u8], known: bool) -> bool {
    match grammar {
        Grammar::Rfc9309 => rfc9309::is_key(written),
        Grammar::Koster1996 => known && !written.iter().any(|byte| matches!(byte, b' ' | b'\t')),
    }
}

pub(crate) fn has_other_records(grammar: Grammar) -> bool {
    match grammar {
        Grammar::Rfc9309 => true,
        Grammar::Koster1996 => false,
    }
}

/// Returns whether the grammar allows `written`, white space included, after the colon of `key`.
pub(crate) fn is_value(grammar: Grammar, key: Option<Key>, written: &[u8]) -> bool {
    match grammar {
        Grammar::Rfc9309 => rfc9309::is_value(key, written),
        Grammar::Koster1996 => koster1996::is_value(key, written),
    }
}

/// The result of a production: the remaining input and the input that the production matched.
type Read<'a> = nom::IResult<&'a [u8], &'a [u8], ()>;
