//! Why bytes are not an entry that can be read.

use core::fmt;

/// The version of the format that is written, and the only one that is read.
pub(crate) const VERSION: u16 = 6;

/// Why bytes can't be read as an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// They don't begin as an entry does.
    NotAnEntry,
    /// The entry is of this version of the format, which this version of the crate does not read.
    OtherVersion(u16),
    /// The entry was made under another access policy or size limit, so what it says about the answer may be wrong here.
    OtherPolicy,
    /// There are fewer or more bytes than the entry says.
    Length,
    /// The checksum is not that of the bytes.
    Checksum,
    /// This part of the entry is invalid, although the checksum is right.
    Invalid(&'static str),
}

impl DecodeError {
    /// Returns whether the entry seems intact but is of another version or policy. A store treats it as absent.
    #[must_use]
    pub const fn is_absent(self) -> bool {
        matches!(self, Self::OtherVersion(_) | Self::OtherPolicy)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnEntry => f.write_str("not a stored entry"),
            Self::OtherVersion(version) => {
                write!(f, "stored entry of version {version}; only version {VERSION} can be read")
            }
            Self::OtherPolicy => f.write_str("stored entry was made under another access policy"),
            Self::Length => f.write_str("stored entry is cut or too long"),
            Self::Checksum => f.write_str("stored entry has a wrong checksum"),
            Self::Invalid(part) => write!(f, "stored entry is invalid: {part}"),
        }
    }
}

impl core::error::Error for DecodeError {}
