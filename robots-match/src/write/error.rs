//! The error of the builder.

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
    /// A name that is not a product token of RFC 9309, because it has digits, dots or spaces.
    ProductToken,
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
            Self::ProductToken => f.write_str("a name has to consist of letters, `_` and `-` to conform to RFC 9309"),
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
