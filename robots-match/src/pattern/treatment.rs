//! The forms of patterns and paths, unit by unit.

use super::percent::{Unit, is_reserved, is_unreserved};
use crate::policy::{Form, Specials};

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
