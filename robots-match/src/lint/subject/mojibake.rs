//! Text in UTF-8 that was read in the encoding of Windows for Latin letters, and written again.

use alloc::string::String;
use alloc::vec::Vec;

use percent_encoding::{percent_decode, percent_encode_byte};
use robots_groups::syntax::Span;

/// The characters of Windows-1252 for the bytes from 0x80 to 0x9F. Five bytes have none, and stand for themselves.
const OF_WINDOWS: [(u8, char); 27] = [
    (0x80, '\u{20AC}'),
    (0x82, '\u{201A}'),
    (0x83, '\u{192}'),
    (0x84, '\u{201E}'),
    (0x85, '\u{2026}'),
    (0x86, '\u{2020}'),
    (0x87, '\u{2021}'),
    (0x88, '\u{2C6}'),
    (0x89, '\u{2030}'),
    (0x8A, '\u{160}'),
    (0x8B, '\u{2039}'),
    (0x8C, '\u{152}'),
    (0x8E, '\u{17D}'),
    (0x91, '\u{2018}'),
    (0x92, '\u{2019}'),
    (0x93, '\u{201C}'),
    (0x94, '\u{201D}'),
    (0x95, '\u{2022}'),
    (0x96, '\u{2013}'),
    (0x97, '\u{2014}'),
    (0x98, '\u{2DC}'),
    (0x99, '\u{2122}'),
    (0x9A, '\u{161}'),
    (0x9B, '\u{203A}'),
    (0x9C, '\u{153}'),
    (0x9E, '\u{17E}'),
    (0x9F, '\u{178}'),
];

/// Returns a text as it was before it was read in the wrong encoding, and the place of the first such characters. All characters that
/// are not of ASCII have to be of this kind.
pub(crate) fn unmangled(text: &str) -> Option<(String, Span)> {
    let mut meant = String::new();
    let mut place = None;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let plain = rest.find(|char: char| !char.is_ascii()).unwrap_or(rest.len());
        let (before, rest) = rest.split_at_checked(plain)?;
        meant.push_str(before);
        at += plain;
        let len = rest.find(|char: char| char.is_ascii()).unwrap_or(rest.len());
        let run = rest.get(..len)?;
        if !run.is_empty() {
            meant.push_str(&decoded(run)?);
            place = place.or(Some(Span::new(at, at + len)));
        }
        at += len;
    }
    Some((meant, place?))
}

/// Returns a pattern as it was before its percent-encodings were made of such a text, and the place of the first of them.
pub(crate) fn unmangled_escapes(pattern: &str) -> Option<(String, Span)> {
    // Characters up to U+00FF have these first bytes.
    let is_escape = |code: &[u8]| code.eq_ignore_ascii_case(b"%C3") || code.eq_ignore_ascii_case(b"%C2");
    if !pattern.is_ascii() || pattern.as_bytes().windows(3).filter(|code| is_escape(code)).count() < 2 {
        return None;
    }
    let mut meant = String::new();
    let mut place = None;
    let mut at = 0;
    while let Some(rest) = pattern.get(at..).filter(|rest| !rest.is_empty()) {
        let len = 3 * rest.as_bytes().chunks(3).take_while(|code| is_high(code)).count();
        if len == 0 {
            meant.push_str(rest.get(..1)?);
            at += 1;
            continue;
        }
        let bytes: Vec<u8> = percent_decode(rest.get(..len)?.as_bytes()).collect();
        let text = decoded(core::str::from_utf8(&bytes).ok()?)?;
        meant.extend(text.bytes().flat_map(|byte| percent_encode_byte(byte).chars()));
        place = place.or(Some(Span::new(at, at + len)));
        at += len;
    }
    Some((meant, place?))
}

/// Whether a text is the percent-encoding of a byte that is not of ASCII.
fn is_high(code: &[u8]) -> bool {
    matches!(code, [b'%', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', low] if low.is_ascii_hexdigit())
}

/// The text whose bytes in UTF-8 are these characters in Windows-1252.
fn decoded(run: &str) -> Option<String> {
    let byte = |char: char| match u8::try_from(u32::from(char)) {
        Ok(byte) => Some(byte),
        Err(_) => OF_WINDOWS.iter().find(|(_, known)| *known == char).map(|(byte, _)| *byte),
    };
    let bytes: Vec<u8> = run.chars().map(byte).collect::<Option<_>>()?;
    String::from_utf8(bytes).ok().filter(|text| !text.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_of_the_wrong_encoding_is_decoded() {
        let plain = |text| unmangled(text).map(|(meant, _)| meant);
        assert_eq!(plain("/caf\u{C3}\u{A9}/"), Some("/caf\u{E9}/".into()));
        assert_eq!(plain("/\u{D0}\u{BA}\u{D0}\u{BE}\u{D1}\u{201A}"), Some("/\u{43A}\u{43E}\u{442}".into()));
        for text in [
            "/caf\u{E9}/",
            "/Discuss\u{E3}o:P\u{E1}ginas",
            "/\u{43A}\u{43E}\u{442}",
            "/a",
            "/\u{C3}\u{A9}\u{E9}",
        ] {
            assert_eq!(plain(text), None, "{text}");
        }
        let escaped = |text| unmangled_escapes(text).map(|(meant, _)| meant);
        assert_eq!(escaped("/caf%C3%83%C2%A9/"), Some("/caf%C3%A9/".into()));
        for text in ["/caf%C3%A9/", "/%C3%A9%C3%A8/", "/%C2%A0/%C2%A0", "/%", "/%C3%C3"] {
            assert_eq!(escaped(text), None, "{text}");
        }
    }
}
