//! The characters of product tokens and names.

/// The characters that a product token may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Alphabet {
    /// Letters, `_` and `-` (RFC 9309, section 2.2.1).
    Letters,
    /// A token of RFC 1945: any visible ASCII character except `( ) < > @ , ; : \ " / [ ] ? = { }`, and except `#`, which
    /// begins a comment (draft of 1996, section 3.3).
    Rfc1945Token,
}

impl Alphabet {
    /// Returns whether a token may contain `byte`.
    #[must_use]
    pub const fn contains(self, byte: u8) -> bool {
        match self {
            Self::Letters => byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'),
            Self::Rfc1945Token => {
                byte.is_ascii_graphic()
                    && !matches!(
                        byte,
                        b'(' | b')' | b'<' | b'>' | b'@' | b',' | b';' | b':' | b'\\' | b'"' | b'#'
                    )
                    && !matches!(byte, b'/' | b'[' | b']' | b'?' | b'=' | b'{' | b'}')
            }
        }
    }
}

/// Returns whether a crawler's name may contain `byte`, apart from single spaces between words: a letter, a digit, `_`, `-`
/// or `.`, as in `MJ12bot` and `archive.org_bot`.
#[must_use]
pub const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}
