//! A `%` that begins no escape.
//!
//! The canonical form of such a `%` may depend on what follows. [`Form::Normal`] encodes it where two hexadecimal digits
//! follow, at least one of them percent-encoded: both are decoded, and would make an escape. So `%%34%31` becomes `%2541`.
//! Other forms do not compare the digits as decoded, or always encode the `%`.

use crate::policy::Form;

/// The part that a unit has in a path with a `%` that begins no escape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Such a `%`, before anything but two hexadecimal digits.
    Percent,
    /// Such a `%` before two digits, of which at least one is percent-encoded, and decoded by a form that then encodes the `%`.
    EncodedPercent,
    /// A hexadecimal digit as it is written. Two of them make an escape of a `%`.
    Digit,
    /// A percent-encoded digit, decoded by a form that encodes a `%` before two digits.
    DecodedDigit,
}

impl Part {
    /// Returns the part of a unit that has another byte.
    pub(crate) fn of(written: &[u8], canonical: [&[u8]; 2], forms: [Form; 2]) -> Option<Self> {
        let is_digit = |text: &[u8]| matches!(text, [digit] if digit.is_ascii_hexdigit());
        if is_digit(written) {
            return Some(Self::Digit);
        }
        let is_decoded = |(text, form)| form == Form::Normal && is_digit(text);
        canonical.into_iter().zip(forms).any(is_decoded).then_some(Self::DecodedDigit)
    }

    pub(crate) const fn is_percent(self) -> bool {
        matches!(self, Self::Percent | Self::EncodedPercent)
    }
}

/// Returns the kinds of such a `%` with their texts in two canonical forms, without those that are the same as `%25`.
pub(crate) fn percents(forms: [Form; 2]) -> impl Iterator<Item = (Part, [&'static [u8]; 2])> {
    let texts = |is_before_digits: bool| -> [&'static [u8]; 2] {
        forms.map(|form| match form {
            Form::AsWritten | Form::NonAsciiEncoded => b"%",
            Form::Normal if !is_before_digits => b"%",
            Form::Normal | Form::DecodedButSlash => &b"%25"[..],
        })
    };
    let (percent, encoded) = (texts(false), texts(true));
    let is_own = |(_, texts): &(Part, [&[u8]; 2])| *texts != [b"%25"; 2];
    let encoded = Some((Part::EncodedPercent, encoded)).filter(|_| encoded != percent);
    core::iter::once((Part::Percent, percent)).chain(encoded).filter(is_own)
}

/// The last unit is such a `%`, or such a `%` and a digit.
const PERCENT: u32 = 4;
const PERCENT_DIGIT: u32 = 8;
/// The last unit is such a `%` before digits, or one and a digit of each kind.
const ENCODED: u32 = 16;
const ENCODED_DIGIT: u32 = 32;
const ENCODED_DECODED: u32 = 64;

/// Returns whether a digit must follow.
pub(crate) const fn needs_digit(flags: u32) -> bool {
    flags & (ENCODED | ENCODED_DIGIT | ENCODED_DECODED) != 0
}

/// Returns the flags after a unit; `None` if the unit can't follow.
pub(crate) const fn flags_after(flags: u32, part: Option<Part>) -> Option<u32> {
    if needs_digit(flags) {
        return match part {
            Some(Part::Digit) if flags & ENCODED != 0 => Some(ENCODED_DIGIT),
            Some(Part::DecodedDigit) if flags & ENCODED != 0 => Some(ENCODED_DECODED),
            Some(Part::Digit) if flags & ENCODED_DIGIT != 0 => None,
            Some(Part::Digit | Part::DecodedDigit) => Some(0),
            Some(Part::Percent | Part::EncodedPercent) | None => None,
        };
    }
    match part {
        Some(Part::Percent) => Some(PERCENT),
        Some(Part::EncodedPercent) => Some(ENCODED),
        Some(Part::Digit | Part::DecodedDigit) if flags & PERCENT != 0 => Some(PERCENT_DIGIT),
        Some(Part::Digit | Part::DecodedDigit) if flags & PERCENT_DIGIT != 0 => None,
        Some(Part::Digit | Part::DecodedDigit) | None => Some(0),
    }
}
