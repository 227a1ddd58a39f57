//! Percent-encoding (RFC 3986, section 2.1): units, and the bytes that are reserved and unreserved.

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
            [b'%', high, low, ..] => match (hex(high), hex(low)) {
                (Some(high), Some(low)) => Self::Escape(high << 4 | low),
                _ => Self::Raw(b'%'),
            },
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

/// Returns the value of a hexadecimal digit.
#[inline]
const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// Returns the percent-encoding of `byte`, with upper-case digits.
#[inline]
pub(crate) const fn encoded(byte: u8) -> [u8; 3] {
    const fn digit(value: u8) -> u8 {
        if value < 10 { b'0' + value } else { b'A' + value - 10 }
    }
    [b'%', digit(byte >> 4), digit(byte & 15)]
}
