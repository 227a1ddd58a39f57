//! The key of an origin, borrowed from a URL.

use core::fmt;
use core::hash::{BuildHasher, Hasher};

use url::Url;

use crate::origin::{Origin, UnsupportedUrl};

/// Scheme, host and port of an origin. Equal keys are those of equal [`Origin`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key<'u> {
    pub(crate) host: &'u str,
    pub(crate) port: u16,
    pub(crate) scheme: Scheme,
}

/// A scheme by which a robots.txt can be retrieved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Scheme {
    Http,
    Https,
    Ftp,
}

impl<'u> Key<'u> {
    /// Returns the key of a URL's origin. Nothing is copied, formatted or parsed.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    #[inline]
    pub(crate) fn from_url(url: &'u Url) -> Result<Self, UnsupportedUrl> {
        let scheme = match url.scheme() {
            "https" => Scheme::Https,
            "http" => Scheme::Http,
            "ftp" => Scheme::Ftp,
            _ => return Err(Origin::unsupported(url)),
        };
        match (url.host_str(), url.port_or_known_default()) {
            (Some(host), Some(port)) => Ok(Self { host, port, scheme }),
            _ => Err(Origin::unsupported(url)),
        }
    }

    #[inline]
    pub(super) fn hash(&self, hasher: &impl BuildHasher) -> u64 {
        let mut state = hasher.build_hasher();
        state.write(self.host.as_bytes());
        state.write_u32(u32::from(self.port) << 8 | self.scheme as u32);
        state.finish()
    }
}

/// Writes the origin as [`Origin`] does.
impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, default) = match self.scheme {
            Scheme::Http => ("http", 80),
            Scheme::Https => ("https", 443),
            Scheme::Ftp => ("ftp", 21),
        };
        write!(f, "{scheme}://{}", self.host)?;
        if self.port == default { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

impl Origin {
    /// Returns the key.
    pub(crate) fn key(&self) -> Key<'_> {
        Key::from_url(self.robots_url()).expect("the URL of an origin has an origin")
    }
}
