//! Punycode (RFC 3492).

const BASE: u32 = 36;
const MIN: u32 = 1;
const MAX: u32 = 26;

/// The longest text that is decoded, in bytes. Labels of DNS have at most 63 bytes.
const LONGEST: usize = 2000;

/// Decodes the part of a label after `xn--` (RFC 3492, section 6.2), or returns `None` if the text is not Punycode.
///
/// # Complexity
///
/// O(*n*²) for *n* bytes; *n* is at most 2,000.
#[must_use]
pub fn decode_to_string(text: &str) -> Option<String> {
    if text.len() > LONGEST || !text.is_ascii() {
        return None;
    }
    let (basic, rest) = match text.rsplit_once('-') {
        // A delimiter without characters before it is not a delimiter.
        Some(("", _)) | None => ("", text),
        Some(parts) => parts,
    };
    let mut chars: Vec<char> = basic.chars().collect();
    let (mut code, mut at, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = rest.bytes();
    while digits.len() > 0 {
        let before = at;
        let mut weight = 1_u32;
        for position in 1.. {
            let digit = digit(digits.next()?)?;
            at = at.checked_add(digit.checked_mul(weight)?)?;
            let threshold = (BASE * position).saturating_sub(bias).clamp(MIN, MAX);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
        }
        let count = u32::try_from(chars.len()).ok()?.checked_add(1)?;
        bias = adapted(at - before, count, before == 0);
        code = code.checked_add(at / count)?;
        at %= count;
        chars.insert(usize::try_from(at).ok()?, char::from_u32(code)?);
        at += 1;
    }
    Some(chars.into_iter().collect())
}

/// Returns the value of a digit, whose case does not matter (RFC 3492, section 5).
fn digit(byte: u8) -> Option<u32> {
    match byte {
        b'a'..=b'z' => Some(u32::from(byte - b'a')),
        b'A'..=b'Z' => Some(u32::from(byte - b'A')),
        b'0'..=b'9' => Some(u32::from(byte - b'0') + 26),
        _ => None,
    }
}

/// Returns the bias for the next number (RFC 3492, section 6.1).
fn adapted(delta: u32, count: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / count;
    let mut bias = 0;
    while delta > (BASE - MIN) * MAX / 2 {
        delta /= BASE - MIN;
        bias += BASE;
    }
    bias + (BASE - MIN + 1) * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples of RFC 3492, section 7.1, and texts that are not Punycode.
    #[test]
    fn labels_are_decoded() {
        for (text, decoded) in [
            ("bcher-kva", Some("b\u{FC}cher")),
            (
                "ihqwcrb4cv8a8dqg056pqjye",
                Some("\u{4ED6}\u{4EEC}\u{4E3A}\u{4EC0}\u{4E48}\u{4E0D}\u{8BF4}\u{4E2D}\u{6587}"),
            ),
            (
                "PorqunopuedensimplementehablarenEspaol-fmd56a",
                Some("Porqu\u{E9}nopuedensimplementehablarenEspa\u{F1}ol"),
            ),
            ("3B-ww4c5e180e575a65lsy2b", Some("3\u{5E74}B\u{7D44}\u{91D1}\u{516B}\u{5148}\u{751F}")),
            ("a-", Some("a")),
            ("", Some("")),
            ("-", None),
            ("zzzzzzzz99999", None),
            ("\u{E9}", None),
        ] {
            assert_eq!(decode_to_string(text).as_deref(), decoded, "{text}");
        }
        assert_eq!(decode_to_string(&"a".repeat(LONGEST + 1)), None);
    }
}
