//! The parts of the grammar and the limit that the builder obeys.

use crate::url_text::split_scheme;

/// The largest size of a file, in bytes.
pub(super) const MAX_BYTES: usize = 500 * 1024;

/// The rule of a group without rules.
pub(super) const EMPTY_RULE: &str = "Disallow:\n";

/// Returns whether a value may contain `char`: `UTF8-char-noctl` and `WS` of the grammar, without U+007F, which the grammar
/// allows although it is a control character.
pub(super) const fn is_allowed_in_value(char: char) -> bool {
    !matches!(char, '#' | '\0'..='\x08' | '\n'..='\x1F' | '\x7F')
}

/// Returns whether `url` has a scheme and an authority (RFC 3986, sections 3.1 and 3.2).
pub(super) fn is_absolute(url: &str) -> bool {
    split_scheme(url).is_some_and(|(scheme, rest)| {
        scheme.starts_with(|char: char| char.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
            && rest.starts_with(|char: char| !matches!(char, '/' | '?' | '#'))
    })
}
