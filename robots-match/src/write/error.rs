//! The error of the builder.

use alloc::string::String;
use core::error::Error;
use core::fmt;

use robots_groups::InvalidName;

use super::grammar::MAX_BYTES;

/// The error for something that can't be written to a robots.txt file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// A group without crawlers.
    NoCrawler,
    /// A text that is neither `*` nor the name of a crawler.
    Crawler(InvalidName),
    /// A pattern that does not begin with `/`.
    Pattern,
    /// A key that is not valid for an "other record".
    Key,
    /// A key that is read as `user-agent`, `allow` or `disallow`.
    ReservedKey,
    /// A value that contains this character.
    Value(char),
    /// The URL of a sitemap without a scheme or a host.
    RelativeUrl,
    /// A record for the whole file after a group.
    RecordAfterGroup,
    /// The file would have more than [`Builder::MAX_BYTES`](super::Builder::MAX_BYTES) bytes.
    TooLarge,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCrawler => f.write_str("a group needs at least one crawler; use `*` for all crawlers"),
            Self::Crawler(error) => error.fmt(f),
            Self::Pattern => {
                f.write_str("a pattern has to begin with `/`; begin with `/*` to match the end of a path")
            }
            Self::Key => f.write_str("a key has to consist of visible ASCII characters without `:` and `#`"),
            Self::ReservedKey => f.write_str(
                "crawlers read this key as `user-agent`, `allow` or `disallow`; use the methods for groups and rules",
            ),
            Self::Value(found) => {
                write!(f, "a value can't contain `{}`; remove the character", found.escape_default())
            }
            Self::RelativeUrl => {
                f.write_str("the URL of a sitemap has to be absolute, such as https://example.com/sitemap.xml")
            }
            Self::RecordAfterGroup => {
                f.write_str("a record for the whole file has to come before the first group")
            }
            Self::TooLarge => write!(
                f,
                "the file would have more than {MAX_BYTES} bytes; crawlers do not have to read larger files"
            ),
        }
    }
}

impl Error for BuildError {}

/// Something that was written, and that the grammar of RFC 9309 does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildWarning {
    /// The name of a crawler that is not a product token, because it has digits, dots or spaces (RFC 9309, section 2.2.1). Parsers
    /// that accept only letters, `_` and `-` read another name, or ignore the line.
    ProductToken(String),
}

impl fmt::Display for BuildWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::ProductToken(name) = self;
        write!(
            f,
            "`{name}` does not conform to RFC 9309, where a name has only letters, `_` and `-`; some parsers read another name"
        )
    }
}
