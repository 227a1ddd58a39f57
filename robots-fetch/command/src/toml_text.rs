//! TOML documents whose tables and lists are few enough to be read into memory.

use serde::de::DeserializeOwned;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use crate::text::Text;

/// The size of the largest document, in bytes.
pub(crate) const MAX_SIZE: usize = 1 << 20;

/// The most tables and lists of a document. The parser takes more than a thousand bytes of memory for a table, which can be written as
/// `a.`.
const MOST: usize = 35_000;

/// Reads a document, or returns the line of a mistake and what it is.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, (usize, String)> {
    let line_of =
        |at: usize| 1 + memchr::memchr_iter(b'\n', text.as_bytes().get(..at).unwrap_or_default()).count();
    let begins = |kind: TokenKind| {
        matches!(kind, TokenKind::Dot | TokenKind::LeftCurlyBracket | TokenKind::LeftSquareBracket)
    };
    if let Some(token) = Source::new(text).lex().filter(|token| begins(token.kind())).nth(MOST) {
        let why = format!("the file has more than {MOST} tables and lists; divide it into several files");
        return Err((line_of(token.span().start()), why));
    }
    toml::from_str(text).map_err(|error| {
        let line = line_of(error.span().unwrap_or_default().start);
        (line, Text(error.message().trim().as_bytes()).to_string())
    })
}
