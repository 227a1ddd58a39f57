//! UTS 46, nontransitional, as the URL standard applies it.

use std::borrow::Cow;

use crate::{Errors, engine, punycode};

/// The characters that separate labels.
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

const ARABIC_DIGITS: core::ops::RangeInclusive<char> = '\u{660}'..='\u{669}';

/// The characters of ASCII that a name can't have.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AsciiDenyList;

impl AsciiDenyList {
    /// The forbidden characters of the URL standard.
    pub const URL: Self = Self;

    fn contains(self, byte: u8) -> bool {
        byte <= b' ' || byte == 0x7F || b"%#/:<>?@[\\]^|".contains(&byte)
    }
}

/// Whether labels may have hyphens anywhere.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Hyphens {
    /// They may, as in the URL standard.
    Allow,
}

/// Whether the length of names is checked.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum DnsLength {
    /// The length is not checked, as in the URL standard.
    Ignore,
}

/// The functions of UTS 46.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Uts46;

impl Uts46 {
    /// Returns the functions.
    #[must_use]
    pub fn new() -> Self {
        Self
    }

    /// Returns the ASCII form of a name.
    ///
    /// # Errors
    ///
    /// The name is not valid.
    pub fn to_ascii<'n>(
        self,
        name: &'n [u8],
        denied: AsciiDenyList,
        _: Hyphens,
        _: DnsLength,
    ) -> Result<Cow<'n, str>, Errors> {
        let name = str::from_utf8(name).map_err(|_| Errors)?;
        if name.bytes().any(|byte| denied.contains(byte)) {
            return Err(Errors);
        }
        if name.is_ascii() && !name.split('.').any(|label| encoded(label).is_some()) {
            let has_upper = name.bytes().any(|byte| byte.is_ascii_uppercase());
            return Ok(if has_upper { name.to_ascii_lowercase().into() } else { name.into() });
        }
        let ascii = engine::ascii(name).ok_or(Errors)?;
        // Some engines do not look at labels that are ASCII already.
        let is_valid = ascii.split('.').all(is_canonical) && has_valid_order(&ascii);
        if is_valid { Ok(ascii.into()) } else { Err(Errors) }
    }

    /// Returns the Unicode form of a name, and whether the name is valid. If not, each label that is not valid by itself
    /// begins with U+FFFD.
    pub fn to_unicode<'n>(
        self,
        name: &'n [u8],
        denied: AsciiDenyList,
        hyphens: Hyphens,
    ) -> (Cow<'n, str>, Result<(), Errors>) {
        self.to_user_interface(name, denied, hyphens, |_, _, _| true)
    }

    /// Returns a name as it can be shown, and whether the name is valid. `is_shown` decides for each label of a valid name
    /// with other characters than ASCII, and gets the last label and whether the name has letters that are written from
    /// right to left.
    pub fn to_user_interface<'n>(
        self,
        name: &'n [u8],
        denied: AsciiDenyList,
        hyphens: Hyphens,
        mut is_shown: impl FnMut(&[char], &[char], bool) -> bool,
    ) -> (Cow<'n, str>, Result<(), Errors>) {
        let Ok(ascii) = self.to_ascii(name, denied, hyphens, DnsLength::Ignore) else {
            let text = String::from_utf8_lossy(name);
            let is_valid =
                |label: &str| self.to_ascii(label.as_bytes(), denied, hyphens, DnsLength::Ignore).is_ok();
            let mark = |label| if is_valid(label) { label.to_owned() } else { format!("\u{FFFD}{label}") };
            let marked: Vec<String> = text.split(DOTS).map(mark).collect();
            return (marked.join(".").into(), Err(Errors));
        };
        let labels: Vec<(&str, Vec<char>)> = ascii.split('.').map(|label| (label, decoded(label))).collect();
        let last = labels.last().map_or(&[][..], |(_, chars)| chars);
        let is_right_to_left = labels.iter().any(|(_, chars)| chars.iter().copied().any(is_right_to_left));
        let shown = labels.iter().map(|(label, chars)| {
            let is_shown = encoded(label).is_some() && is_shown(chars, last, is_right_to_left);
            if is_shown { chars.iter().collect() } else { (*label).to_owned() }
        });
        (shown.collect::<Vec<String>>().join(".").into(), Ok(()))
    }
}

/// Returns the part of a label after `xn--`.
fn encoded(label: &str) -> Option<&str> {
    let (prefix, rest) = label.split_at_checked(4)?;
    prefix.eq_ignore_ascii_case("xn--").then_some(rest)
}

/// Returns the characters of a label.
fn decoded(label: &str) -> Vec<char> {
    let text = encoded(label).and_then(punycode::decode_to_string);
    text.as_deref().unwrap_or(label).chars().collect()
}

/// Returns whether a label in ASCII is the one that its characters are encoded to.
fn is_canonical(label: &str) -> bool {
    let Some(rest) = encoded(label) else { return true };
    let Some(text) = punycode::decode_to_string(rest).filter(|text| !text.is_ascii()) else { return false };
    engine::ascii(&text).is_some_and(|ascii| ascii == label)
}

/// Returns whether the labels obey those parts of the Bidi rule (RFC 5893, section 2) that engines leave out, if it applies:
/// labels begin with a letter, and labels of ASCII end with a letter or digit.
fn has_valid_order(ascii: &str) -> bool {
    let labels = || ascii.split('.').filter(|label| !label.is_empty());
    let is_ordered = |label: &str| match encoded(label) {
        Some(_) => !decoded(label).first().is_some_and(|char| ARABIC_DIGITS.contains(char)),
        None => {
            label.starts_with(|char: char| char.is_ascii_alphabetic())
                && label.ends_with(|char: char| char.is_ascii_alphanumeric())
        }
    };
    !labels().any(|label| decoded(label).into_iter().any(is_right_to_left)) || labels().all(is_ordered)
}

/// Returns whether a character is in a range of Unicode for letters that are written from right to left.
fn is_right_to_left(char: char) -> bool {
    matches!(
        char,
        '\u{590}'..='\u{8FF}'
            | '\u{FB1D}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFF}'
            | '\u{10800}'..='\u{10FFF}'
            | '\u{1E800}'..='\u{1EFFF}'
    )
}
