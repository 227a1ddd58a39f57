//! Percent-encoding (RFC 3986, section 2.1): units, the bytes that are reserved and unreserved, and the bytes that a
//! file can't contain literally. Also what the forms of patterns and paths make of each unit.
//!
//! The `percent-encoding` crate encodes and decodes. Units are read here, because canonical forms treat a literal byte and
//! its encoding differently, and lints need the places of escapes.

use percent_encoding::{AsciiSet, CONTROLS};

use crate::policy::{Form, Specials};

/// The bytes that a pattern in a file can't contain literally, besides those that are not ASCII: control characters, white
/// space and `#` (`path-pattern` of RFC 9309, section 2.2). `%` is not in the set, because it begins the escapes of a
/// pattern.
pub(crate) const NOT_IN_PATTERNS: &AsciiSet = &CONTROLS.add(b' ').add(b'#');

/// A literal byte, or a percent-encoded byte.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Raw(u8),
    Escape(u8),
}

impl Unit {
    /// Returns the first unit of `bytes`, which has at least one byte.
    #[inline]
    pub(crate) fn of(bytes: &[u8]) -> Self {
        match *bytes {
            [b'%', high, low, ..] => {
                let (high, low) = (hex(high), hex(low));
                if high | low < 16 { Self::Escape(high << 4 | low) } else { Self::Raw(b'%') }
            }
            [byte, ..] => Self::Raw(byte),
            [] => Self::Raw(b'%'),
        }
    }

    /// Returns how many bytes the unit takes as written.
    #[inline]
    pub(crate) const fn len(self) -> usize {
        match self {
            Self::Raw(_) => 1,
            Self::Escape(_) => 3,
        }
    }

    /// Returns the byte, if it is percent-encoded.
    #[cfg(feature = "lint")]
    pub(crate) const fn escaped(self) -> Option<u8> {
        match self {
            Self::Raw(_) => None,
            Self::Escape(byte) => Some(byte),
        }
    }
}

/// Returns whether `byte` is unreserved (RFC 3986, section 2.3).
#[inline]
pub(crate) const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Returns whether `byte` is reserved (RFC 3986, section 2.2).
#[inline]
pub(crate) const fn is_reserved(byte: u8) -> bool {
    matches!(byte, b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@')
        || matches!(byte, b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=')
}

/// Returns the value of a hexadecimal digit, or 255.
// Whether a digit is a letter is not predictable, so a compiler should use no branch.
#[inline]
const fn hex(digit: u8) -> u8 {
    let number = digit.wrapping_sub(b'0');
    let letter = (digit | 0x20).wrapping_sub(b'a');
    let of_letter = if letter < 6 { letter + 10 } else { 255 };
    if number < 10 { number } else { of_letter }
}

/// The role of bytes that are brought into a form: a path, or the pattern of a rule, which may have special characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Path,
    Pattern(Specials),
}

impl Role {
    /// Returns whether `*` and `$` are special characters.
    #[inline]
    pub(super) const fn has_specials(self) -> bool {
        matches!(self, Self::Pattern(Specials::StarAndDollar))
    }
}

/// The result of a form for one [`Unit`].
pub(super) enum Treatment {
    /// The byte itself.
    Raw(u8),
    /// The byte, percent-encoded.
    Encoded(u8),
}

impl Form {
    /// Brings one unit into the form. `last` is set if nothing follows.
    #[inline]
    pub(super) const fn treat(self, unit: Unit, last: bool, role: Role) -> Treatment {
        match (self, unit) {
            (Self::AsWritten, Unit::Raw(byte)) => Treatment::Raw(byte),
            (Self::AsWritten, Unit::Escape(byte)) => Treatment::Encoded(byte),
            (Self::NonAsciiEncoded, Unit::Raw(byte)) if byte.is_ascii() => Treatment::Raw(byte),
            (Self::NonAsciiEncoded, Unit::Raw(byte) | Unit::Escape(byte)) => Treatment::Encoded(byte),
            (Self::Normal, Unit::Raw(byte)) => match byte {
                b'*' if role.has_specials() => Treatment::Raw(byte),
                b'$' if last && role.has_specials() => Treatment::Raw(byte),
                b'*' | b'$' => Treatment::Encoded(byte),
                b'%' => Treatment::Raw(byte),
                _ if is_unreserved(byte) || is_reserved(byte) && byte != b'#' => Treatment::Raw(byte),
                _ => Treatment::Encoded(byte),
            },
            (Self::Normal, Unit::Escape(byte)) if is_unreserved(byte) => Treatment::Raw(byte),
            (Self::Normal, Unit::Escape(byte)) => Treatment::Encoded(byte),
            (Self::DecodedButSlash, Unit::Escape(b'/')) => Treatment::Encoded(b'/'),
            (Self::DecodedButSlash, Unit::Raw(b'%') | Unit::Escape(b'%')) => Treatment::Encoded(b'%'),
            (Self::DecodedButSlash, Unit::Raw(byte) | Unit::Escape(byte)) => Treatment::Raw(byte),
        }
    }
}
