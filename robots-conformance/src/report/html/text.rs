//! Text as HTML.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::escape::shown;

/// Escapes bytes for HTML text and quoted attributes.
pub(super) fn bytes(bytes: &[u8]) -> String {
    prose(&shown(bytes))
}

/// Escapes text for HTML text and quoted attributes. Letters of all scripts stay; invisible characters become `\xNN`.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Direction marks and joiners would change how the text looks.
            '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFFE}'
            | '\u{FFFF}' => out.push_str(&shown(char.encode_utf8(&mut [0; 4]).as_bytes())),
            _ if char.is_control() => out.push_str(&shown(char.encode_utf8(&mut [0; 4]).as_bytes())),
            _ => out.push(char),
        }
    }
    out
}

/// The bytes of a value that a fragment with filters can't contain literally: all except unreserved characters (RFC 3986,
/// section 2.3) without `~`, and `/`.
const NOT_IN_QUERIES: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'/');

/// Escapes a value for a fragment with filters.
pub(super) fn escaped_in_query(value: &str) -> String {
    utf8_percent_encode(value, NOT_IN_QUERIES).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(prose("<a href='x'>&\"\n\u{85}\u{202E}ツ"), {
            r"&lt;a href=&#39;x&#39;&gt;&amp;&quot;\x0A\xC2\x85\xE2\x80\xAEツ"
        });
        assert_eq!(bytes("<ツ\0".as_bytes()), r"&lt;\xE3\x83\x84\x00");
        assert_eq!(escaped_in_query("google/Q-01 &ツ"), "google/Q-01%20%26%E3%83%84");
    }
}
