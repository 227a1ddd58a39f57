//! Text as HTML.

use crate::escape::shown;

/// Bytes of a table as HTML, in text and in a quoted attribute.
pub(super) fn bytes(bytes: &[u8]) -> String {
    prose(&shown(bytes))
}

/// Text as HTML, in text and in a quoted attribute: letters of all scripts stay, what can't be seen becomes `\xNN`.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Marks of direction and joiners would show the text as another than it is.
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

/// A value in a fragment of filters.
pub(super) fn escaped_in_query(value: &str) -> String {
    let plain = |char: &char| char.is_ascii_alphanumeric() || matches!(char, '-' | '.' | '_' | '/');
    let escaped = |char: char| match plain(&char) {
        true => char.to_string(),
        false => char.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")).collect::<String>(),
    };
    value.chars().map(escaped).collect()
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
