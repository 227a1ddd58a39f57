//! Escapes of bytes, as tables write them.

use std::fmt::Write as _;

/// Replaces the escapes `\r`, `\n`, `\t`, `\\` and `\xEF` in `text` by their bytes.
///
/// # Errors
///
/// Returns an error for any other escape.
pub fn unescaped(text: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        let escape = match *rest {
            [b'r', ..] => Some((b'\r', 1)),
            [b'n', ..] => Some((b'\n', 1)),
            [b't', ..] => Some((b'\t', 1)),
            [b'\\', ..] => Some((b'\\', 1)),
            [b'x', high, low, ..] => byte_of(high, low).map(|byte| (byte, 3)),
            _ => None,
        };
        let Some((escaped, len)) = escape else {
            let at = text.len() - rest.len() - 1;
            let shown: String = text.get(at..).unwrap_or_default().chars().take(4).collect();
            return Err(format!("`{shown}` is not an escape; use \\r, \\n, \\t, \\\\ or \\xNN"));
        };
        out.push(escaped);
        rest = rest.get(len..).unwrap_or_default();
    }
    Ok(out)
}

/// Returns the byte that two hexadecimal digits name.
fn byte_of(high: u8, low: u8) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// Writes bytes as text: printable ASCII as it is, all others as `\xNN`.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &byte in bytes {
        if matches!(byte, b' '..=b'~') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "\\x{byte:02X}");
        }
    }
    out
}

/// Writes bytes as text, and leaves out the middle of more than 160 bytes.
#[must_use]
pub fn shortened(bytes: &[u8]) -> String {
    const MOST: usize = 160;
    if bytes.len() <= MOST {
        return shown(bytes);
    }
    let (head, tail) = bytes.split_at(bytes.len() - MOST / 4);
    let head = head.get(..MOST / 2).unwrap_or_default();
    format!("{} [... {} bytes ...] {}", shown(head), bytes.len() - head.len() - tail.len(), shown(tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_replaced() {
        assert_eq!(unescaped(r"a\r\n\t\\\xEF\xbb").unwrap(), b"a\r\n\t\\\xEF\xBB");
        assert_eq!(unescaped("ツ").unwrap(), "ツ".as_bytes());
        for wrong in [r"\", r"\q", r"\x1", r"\xg0", r"a\ツ"] {
            assert!(unescaped(wrong).unwrap_err().contains("is not an escape"), "{wrong}");
        }
    }

    #[test]
    fn bytes_are_shown() {
        assert_eq!(shown(b"a \"'\\\t\xFF"), r#"a "'\\x09\xFF"#);
        assert!(shortened(&[b'x'; 1000]).contains("[... 880 bytes ...]"));
    }
}
