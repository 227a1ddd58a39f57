//! Bytes of unknown origin as text that can be shown on a terminal.

use core::fmt::{self, Write as _};

use percent_encoding::percent_decode;
use robots_fetch::Origin;
use robots_match::host_of;

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

/// Whether a character changes the layout of others or is invisible: line and paragraph separators, direction marks, tags, and
/// characters of no width.
const fn is_format(char: char) -> bool {
    matches!(
        char,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'
    )
}

/// Returns a path with its percent-encoding decoded, if the result differs, can be read, and can't be taken for another path:
/// escapes of delimiters and of `%` are significant (RFC 3986, section 2.2).
pub(crate) fn decoded(path: &[u8]) -> Option<String> {
    let decoded = percent_decode(path).decode_utf8().ok()?;
    let delimiters =
        |bytes: &[u8]| bytes.iter().filter(|byte| b":/?#[]@!$&'()*+,;=`\\".contains(byte)).count();
    let is_plain = |char: char| !char.is_control() && !is_format(char) && char != '%';
    let is_readable = decoded.chars().all(is_plain) && delimiters(decoded.as_bytes()) == delimiters(path);
    (is_readable && decoded.as_bytes() != path).then(|| decoded.into_owned())
}

/// Returns a URL of unknown origin as one line of text, with its [`host_note`].
pub(crate) fn with_host(url: &[u8]) -> String {
    format!("{}{}", Text(url), host_note(url))
}

/// Returns the other form of the host of a URL in parentheses, after a space: an A-label in Unicode, if that can be shown, and
/// any other text as the host that is asked. Empty if the forms do not differ, or the URL has no site.
pub(crate) fn host_note(url: &[u8]) -> String {
    let other_form = || {
        let url = core::str::from_utf8(url).ok()?;
        let origin = Origin::parse(url).ok()?;
        let is_asked = url.get(host_of(url))?.eq_ignore_ascii_case(origin.host());
        if is_asked { origin.unicode_host() } else { Some(origin.host().to_owned()) }
    };
    other_form().map(|host| format!(" ({host})")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_escaped() {
        let text = "a\u{61C}\u{202E}\u{AD}\u{1B}\t\u{E0041}\u{E4}";
        let shown = Text(text.as_bytes()).to_string();
        assert_eq!(shown, "a\\u{61c}\\u{202e}\\u{ad}\\u{1b}\\t\\u{e0041}\u{E4}");
    }

    #[test]
    fn other_forms_of_hosts_are_shown() {
        for (url, expected) in [
            ("https://xn--exmple-cua.com", "https://xn--exmple-cua.com (ex\u{E4}mple.com)"),
            ("https://XN--exmple-cua.com", "https://XN--exmple-cua.com (ex\u{E4}mple.com)"),
            ("https://a@ex%C3%A4mple.com/b", "https://a@ex%C3%A4mple.com/b (xn--exmple-cua.com)"),
            ("http://0x7f.1/", "http://0x7f.1/ (127.0.0.1)"),
            ("http://[0::1]/", "http://[0::1]/ ([::1])"),
            ("http://Example.com:80/", "http://Example.com:80/"),
            ("/ex\u{E4}mple.com", "/ex\u{E4}mple.com"),
            ("ex\u{E4}mple.com", "ex\u{E4}mple.com"),
        ] {
            assert_eq!(with_host(url.as_bytes()), expected);
        }
    }
}
