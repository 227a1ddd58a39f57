//! Bytes of unknown origin as text that can be shown on a terminal.

use core::fmt::{self, Write as _};

/// Bytes of unknown origin as one line of text. Bytes that are not UTF-8 are shown as `\xNN`, and characters that could
/// control a terminal as `\u{NN}`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for char in chunk.valid().chars() {
                match char {
                    '\t' => f.write_str("\\t")?,
                    _ if char.is_control() || is_format(char) => write!(f, "{}", char.escape_unicode())?,
                    _ => f.write_char(char)?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02X}")?;
            }
        }
        Ok(())
    }
}

/// Whether a character changes the layout of others: line and paragraph separators, direction marks, and characters of no
/// width.
const fn is_format(char: char) -> bool {
    matches!(char, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}
