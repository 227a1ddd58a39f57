//! Character references (HTML Standard, section 13.2.5.72).

use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Named references to characters of ASCII, and to the no-break space. Others can't be part of a rule, so they stay as
/// they are written.
const NAMED: [(&[u8], &[u8]); 53] = [
    (b"Tab;", b"\t"),
    (b"NewLine;", b"\n"),
    (b"excl;", b"!"),
    (b"quot;", b"\""),
    (b"QUOT;", b"\""),
    (b"num;", b"#"),
    (b"dollar;", b"$"),
    (b"percnt;", b"%"),
    (b"amp;", b"&"),
    (b"AMP;", b"&"),
    (b"apos;", b"'"),
    (b"lpar;", b"("),
    (b"rpar;", b")"),
    (b"ast;", b"*"),
    (b"midast;", b"*"),
    (b"plus;", b"+"),
    (b"comma;", b","),
    (b"period;", b"."),
    (b"sol;", b"/"),
    (b"colon;", b":"),
    (b"semi;", b";"),
    (b"lt;", b"<"),
    (b"LT;", b"<"),
    (b"equals;", b"="),
    (b"gt;", b">"),
    (b"GT;", b">"),
    (b"quest;", b"?"),
    (b"commat;", b"@"),
    (b"lsqb;", b"["),
    (b"lbrack;", b"["),
    (b"bsol;", b"\\"),
    (b"rsqb;", b"]"),
    (b"rbrack;", b"]"),
    (b"Hat;", b"^"),
    (b"lowbar;", b"_"),
    (b"UnderBar;", b"_"),
    (b"grave;", b"`"),
    (b"DiacriticalGrave;", b"`"),
    (b"fjlig;", b"fj"),
    (b"lcub;", b"{"),
    (b"lbrace;", b"{"),
    (b"verbar;", b"|"),
    (b"vert;", b"|"),
    (b"VerticalLine;", b"|"),
    (b"rcub;", b"}"),
    (b"rbrace;", b"}"),
    (b"nbsp;", b"\xC2\xA0"),
    (b"NonBreakingSpace;", b"\xC2\xA0"),
    (b"ZeroWidthSpace;", b"\xE2\x80\x8B"),
    (b"zwnj;", b"\xE2\x80\x8C"),
    (b"zwj;", b"\xE2\x80\x8D"),
    (b"shy;", b"\xC2\xAD"),
    (b"NoBreak;", b"\xE2\x81\xA0"),
];

/// References that need no semicolon.
const WITHOUT_SEMICOLON: [(&[u8], &[u8]); 10] = [
    (b"quot", b"\""),
    (b"QUOT", b"\""),
    (b"amp", b"&"),
    (b"AMP", b"&"),
    (b"lt", b"<"),
    (b"LT", b"<"),
    (b"gt", b">"),
    (b"GT", b">"),
    (b"nbsp", b"\xC2\xA0"),
    (b"shy", b"\xC2\xAD"),
];

/// Decodes the references of an attribute value.
pub(crate) fn decoded(value: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'&', value) else { return Cow::Borrowed(value) };
    let mut out: Vec<u8> = value.get(..first).unwrap_or_default().to_vec();
    let mut rest = value.get(first..).unwrap_or_default();
    while let Some(after) = rest.strip_prefix(b"&") {
        match reference(after) {
            Some((len, char)) => {
                char.append(&mut out);
                rest = after.get(len..).unwrap_or_default();
            }
            None => {
                out.push(b'&');
                rest = after;
            }
        }
        let next = memchr::memchr(b'&', rest).unwrap_or(rest.len());
        out.extend_from_slice(rest.get(..next).unwrap_or_default());
        rest = rest.get(next..).unwrap_or_default();
    }
    Cow::Owned(out)
}

/// What a reference stands for.
enum Referenced {
    Text(&'static [u8]),
    Char(u32),
}

impl Referenced {
    fn append(&self, out: &mut Vec<u8>) {
        match *self {
            Self::Text(text) => out.extend_from_slice(text),
            Self::Char(number) => {
                let char = char::from_u32(number).filter(|&char| char != '\0').unwrap_or('\u{FFFD}');
                out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
}

/// Reads the reference after `&` in an attribute value: its length and its meaning.
fn reference(after: &[u8]) -> Option<(usize, Referenced)> {
    if let Some(digits) = after.strip_prefix(b"#") {
        let (len, number) = numeric(digits)?;
        let len = len + usize::from(digits.get(len) == Some(&b';'));
        return Some((len + 1, Referenced::Char(number)));
    }
    if let Some((name, text)) = NAMED.iter().find(|(name, _)| after.starts_with(name)) {
        return Some((name.len(), Referenced::Text(text)));
    }
    let (name, text) = WITHOUT_SEMICOLON.iter().find(|(name, _)| after.starts_with(name))?;
    let next = after.get(name.len());
    let continues = next.is_some_and(|&byte| byte == b'=' || byte.is_ascii_alphanumeric());
    (!continues).then_some((name.len(), Referenced::Text(text)))
}

/// Reads the number of a reference: the length of its digits and its `x`, and the number, which saturates.
fn numeric(text: &[u8]) -> Option<(usize, u32)> {
    let (prefix, radix) = match text.first() {
        Some(b'x' | b'X') => (1, 16),
        _ => (0, 10),
    };
    let digits = text.get(prefix..).unwrap_or_default();
    let mut number = 0_u32;
    let mut len = 0;
    while let Some(digit) = digits.get(len).and_then(|&byte| char::from(byte).to_digit(radix)) {
        number = number.saturating_mul(radix).saturating_add(digit);
        len += 1;
    }
    (len > 0).then_some((prefix + len, number))
}

/// A reference in text, read byte by byte: whether it stands for white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct TextReference {
    /// The first bytes after `&`, with at most one zero at the start of a number.
    bytes: [u8; 9],
    len: u8,
}

/// What a byte means for a reference in text.
pub(super) enum Step {
    /// The reference may go on.
    Continues,
    /// The reference ended with this byte, and stands for white space.
    WhiteSpace,
    /// The reference ended before this byte, and stands for white space.
    WhiteSpaceBefore,
    /// This is other text.
    Text,
}

impl TextReference {
    pub(super) fn step(&mut self, byte: u8) -> Step {
        let known = self.bytes.get(..usize::from(self.len)).unwrap_or_default();
        let digits = known.strip_prefix(b"#");
        let is_end = match digits {
            Some([b'x' | b'X', ..]) => !byte.is_ascii_hexdigit(),
            Some([]) => !(byte.is_ascii_digit() || matches!(byte, b'x' | b'X')),
            Some(_) => !byte.is_ascii_digit(),
            None => byte == b';' || !byte.is_ascii_alphanumeric() && byte != b'#',
        };
        if is_end {
            let is_white_space = match digits {
                Some(digits) => {
                    let number = numeric(digits).map(|(_, number)| number);
                    matches!(number, Some(9 | 10 | 12 | 13 | 32))
                }
                None => byte == b';' && matches!(known, b"Tab" | b"NewLine"),
            };
            return match (is_white_space, byte) {
                (false, _) => Step::Text,
                (true, b';') => Step::WhiteSpace,
                (true, _) => Step::WhiteSpaceBefore,
            };
        }
        // Only the first zero of a number is kept, so that zeros need no memory.
        if byte == b'0' && matches!(known, b"#0" | b"#x0" | b"#X0") {
            return Step::Continues;
        }
        match self.bytes.get_mut(usize::from(self.len)) {
            Some(place) => {
                *place = byte;
                self.len += 1;
                Step::Continues
            }
            None => Step::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_attribute_values() {
        for (value, expected) in [
            (&b"no&#105;ndex"[..], &b"noindex"[..]),
            (b"no&#x69ndex", b"noindex"),
            (b"no&#X69;ndex", b"noindex"),
            (b"a&comma;b&colon;c", b"a,b:c"),
            (b"a&ampb &amp=c &amp;d &amp", b"a&ampb &amp=c &d &"),
            (b"&#0;&#xD800;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}".as_bytes()),
            (b"&&#;&#x;&x", b"&&#;&#x;&x"),
            (b"a&nbsp;b", b"a\xC2\xA0b"),
        ] {
            assert_eq!(&*decoded(value), expected, "{}", alloc::string::String::from_utf8_lossy(value));
        }
    }
}
