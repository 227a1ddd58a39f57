//! Scheme, host and port, which share one robots.txt.

use core::fmt;
use core::str::FromStr;

use robots_match::{InvalidLabel, InvalidTarget, Target, invalid_label, unicode_host};
use url::{Host, ParseError, Position, Url};

use crate::text::{shown, unread_without_secrets, without_secrets};

/// The scheme, host and port that share one robots.txt (RFC 9309, section 2.3; "origin" as in RFC 9110, section 4.3.1).
///
/// The host is ASCII: an internationalised name equals its `xn--` form. The default port of the scheme is not part of an
/// origin, and neither are userinfo, path, query and fragment of the URL. Origins are compared, hashed and ordered by
/// their text.
///
/// ```
/// use robots_fetch::Origin;
///
/// let origin = Origin::parse("https://me:secret@www.Exämple.com:443/page?a=b#c")?;
/// assert_eq!(origin.to_string(), "https://www.xn--exmple-cua.com");
/// assert_eq!(origin.robots_url().as_str(), "https://www.xn--exmple-cua.com/robots.txt");
/// assert_eq!(origin, Origin::new("https", "www.exämple.com", None)?);
/// # Ok::<(), robots_fetch::UnsupportedUrl>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(Url);

impl Origin {
    /// The schemes by which a robots.txt can be retrieved.
    pub const SCHEMES: [&'static str; 3] = Target::SCHEMES;

    /// Returns the origin of a URL.
    ///
    /// # Errors
    ///
    /// The scheme is not in [`Self::SCHEMES`], or the host is missing.
    pub fn from_url(url: &Url) -> Result<Self, UnsupportedUrl> {
        if !Self::SCHEMES.contains(&url.scheme()) || !url.has_host() {
            return Err(Self::unsupported(url));
        }
        let mut robots_url = url.clone();
        let _ = (robots_url.set_username(""), robots_url.set_password(None));
        robots_url.set_path("/robots.txt");
        robots_url.set_query(None);
        robots_url.set_fragment(None);
        Ok(Self(robots_url))
    }

    /// Returns why a URL has no origin.
    pub(crate) fn unsupported(url: &Url) -> UnsupportedUrl {
        if Self::SCHEMES.contains(&url.scheme()) {
            UnsupportedUrl::NoHost(without_secrets(url))
        } else {
            UnsupportedUrl::Scheme(shown(url.scheme()))
        }
    }

    /// Creates the origin of this scheme, host and port; `None` is the default port. An IPv6 address is written in
    /// brackets.
    ///
    /// # Errors
    ///
    /// The scheme is not in [`Self::SCHEMES`], or the host is neither a name nor an address.
    pub fn new(scheme: &str, host: &str, port: Option<u16>) -> Result<Self, UnsupportedUrl> {
        let scheme = scheme.to_ascii_lowercase();
        if !Self::SCHEMES.contains(&scheme.as_str()) {
            return Err(UnsupportedUrl::Scheme(shown(&scheme)));
        }
        let parsed = Host::parse(host).map_err(|error| {
            UnsupportedUrl::label(host, error)
                .unwrap_or_else(|| UnsupportedUrl::Host { host: shown(host), source: error })
        })?;
        let port = port.map_or_else(String::new, |port| format!(":{port}"));
        let text = format!("{scheme}://{parsed}{port}/robots.txt");
        Url::parse(&text).map(Self).map_err(|error| UnsupportedUrl::invalid(&text, error))
    }

    /// Returns the origin of a URL given as text.
    ///
    /// # Errors
    ///
    /// The text is not an absolute URL, or [`Self::from_url`] does not take it.
    pub fn parse(text: &str) -> Result<Self, UnsupportedUrl> {
        let url = Url::parse(text).map_err(|error| UnsupportedUrl::invalid(text, error))?;
        Self::from_url(&url)
    }

    /// Returns the origin to which a robots.txt at `robots_url` applies. Userinfo and fragment are ignored.
    ///
    /// # Errors
    ///
    /// The URL is not that of a robots.txt: its path is not exactly `/robots.txt`, it has a query, or it has no
    /// origin.
    ///
    /// ```
    /// use robots_fetch::Origin;
    ///
    /// let held = |robots: &str, url: &str| {
    ///     Origin::from_robots_url(&robots.parse().unwrap()).is_ok_and(|origin| origin.covers(&url.parse().unwrap()))
    /// };
    /// assert!(held("https://example.com:443/robots.txt", "https://example.com/page"));
    /// assert!(!held("https://example.com/robots.txt", "https://example.com:444/page"));
    /// assert!(!held("https://example.com/folder/robots.txt", "https://example.com/folder/page"));
    /// ```
    pub fn from_robots_url(robots_url: &Url) -> Result<Self, UnsupportedUrl> {
        let origin = Self::from_url(robots_url)?;
        if robots_url.path() != "/robots.txt" || robots_url.query().is_some() {
            return Err(UnsupportedUrl::NotRobotsTxt(without_secrets(robots_url)));
        }
        Ok(origin)
    }

    /// Returns whether the robots.txt of this origin applies to `url`: same scheme, host and port.
    #[must_use]
    pub fn covers(&self, url: &Url) -> bool {
        Self::from_url(url).is_ok_and(|origin| origin == *self)
    }

    /// Returns the URL of the robots.txt.
    #[must_use]
    pub const fn robots_url(&self) -> &Url {
        &self.0
    }

    /// Returns `http`, `https` or `ftp`.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.0.scheme()
    }

    /// Returns the host, in ASCII; an IPv6 address in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Returns the host in Unicode for people, if it differs from [`host`](Self::host) and can be shown: the letters of a label
    /// belong to one script, are not easily confused with other letters, and are written from left to right.
    ///
    /// ```
    /// use robots_fetch::Origin;
    ///
    /// let unicode_host = |url: &str| Origin::parse(url).unwrap().unicode_host();
    /// assert_eq!(unicode_host("https://xn--exmple-cua.com").as_deref(), Some("ex\u{E4}mple.com"));
    /// // Cyrillic letters that look like `apple`.
    /// assert_eq!(unicode_host("https://xn--80ak6aa92e.com"), None);
    /// assert_eq!(unicode_host("https://example.com"), None);
    /// ```
    #[must_use]
    pub fn unicode_host(&self) -> Option<String> {
        unicode_host(self.host())
    }

    /// Returns the port, unless it is the default of the scheme.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.0.port()
    }

    /// Returns the origin as text, such as `https://example.com:8181`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0[..Position::BeforePath]
    }
}

/// For example `https://example.com:8181`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Origin {
    type Err = UnsupportedUrl;

    fn from_str(text: &str) -> Result<Self, UnsupportedUrl> {
        Self::parse(text)
    }
}

impl TryFrom<&Url> for Origin {
    type Error = UnsupportedUrl;

    fn try_from(url: &Url) -> Result<Self, UnsupportedUrl> {
        Self::from_url(url)
    }
}

/// Why a URL has no origin, or is not the URL of a robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnsupportedUrl {
    /// The text is not an absolute URL.
    Invalid {
        /// The text, shortened, without user, password, query and fragment.
        text: String,
        /// The problem.
        source: ParseError,
    },
    /// A robots.txt is not retrieved by this scheme; see [`Origin::SCHEMES`].
    Scheme(String),
    /// The client for robots.txt files does not support this scheme.
    Client(String),
    /// The host is neither a name nor an address.
    Host {
        /// The host, shortened.
        host: String,
        /// The problem.
        source: ParseError,
    },
    /// A label of the host is not valid (UTS 46).
    Label {
        /// The host as written, shortened.
        host: String,
        /// The label as written, shortened.
        label: String,
        /// Why the label is not valid.
        reason: String,
    },
    /// This URL has no host.
    NoHost(String),
    /// This is not the URL of a robots.txt.
    NotRobotsTxt(String),
}

impl UnsupportedUrl {
    pub(crate) fn invalid(text: &str, source: ParseError) -> Self {
        // The scheme may be all that is missing.
        let host_error = match source {
            ParseError::RelativeUrlWithoutBase => Url::parse(&format!("https://{text}")).err(),
            error => Some(error),
        };
        host_error
            .and_then(|error| Self::label(text, error))
            .unwrap_or_else(|| Self::Invalid { text: unread_without_secrets(text), source })
    }

    /// Returns the error about the label of a URL or host that is not valid, if `error` is about such a label.
    fn label(text: &str, error: ParseError) -> Option<Self> {
        let InvalidLabel { host, label, reason, .. } =
            invalid_label(text).filter(|_| error == ParseError::IdnaError)?;
        // Characters that change the order or look of others are not repeated.
        let shown = |text: &str| shown(&text.escape_debug().to_string());
        Some(Self::Label { host: shown(host), label: shown(label), reason })
    }
}

impl fmt::Display for UnsupportedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { text, source } => {
                let meant = Target::parse(text).err().filter(InvalidTarget::is_without_scheme);
                match meant.as_ref().and_then(InvalidTarget::meant) {
                    Some(meant) => write!(f, "`{text}` has no scheme; did you mean `{meant}`?"),
                    None => write!(f, "`{text}` is not an absolute URL: {source}"),
                }
            }
            Self::Scheme(scheme) => {
                let [http, https, ftp] = Origin::SCHEMES;
                write!(f, "scheme `{scheme}` is not supported; use {http}, {https} or {ftp}")
            }
            Self::Client(scheme) => {
                write!(f, "the client for robots.txt files does not support the scheme `{scheme}`")
            }
            Self::Host { host, source } => write!(f, "`{host}` is not a valid host: {source}"),
            Self::Label { host, label, reason } => {
                write!(f, "the label `{label}` of `{host}` is not valid: {reason}")
            }
            Self::NoHost(url) => write!(f, "`{url}` has no host"),
            Self::NotRobotsTxt(url) => {
                write!(f, "`{url}` is not the robots.txt of a site: its path must be /robots.txt")
            }
        }
    }
}

impl core::error::Error for UnsupportedUrl {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Invalid { source, .. } | Self::Host { source, .. } => Some(source),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(text: &str) -> String {
        match Origin::parse(text) {
            Ok(origin) => origin.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn only_scheme_host_and_port_count() {
        for (url, expected) in [
            ("https://example.com:8181/a?b#c", "https://example.com:8181"),
            ("HTTP://EXAMPLE.com:80", "http://example.com"),
            ("https://example.com:80/", "https://example.com:80"),
            ("ftp://user:password@example.com:21/pub", "ftp://example.com"),
            ("https://www.exämple.com/", "https://www.xn--exmple-cua.com"),
            ("http://[::1]:8080/", "http://[::1]:8080"),
            ("http://0x7f.1/", "http://127.0.0.1"),
            ("http://212.96.82.21/", "http://212.96.82.21"),
            ("http://example.com./", "http://example.com."),
        ] {
            assert_eq!(origin(url), expected, "{url}");
        }
    }

    #[test]
    fn errors_name_the_invalid_part() {
        for (url, expected) in [
            ("example.com/a", "`example.com/a` has no scheme; did you mean `https://example.com/a`?"),
            ("https//example.com", "`https//example.com` has no scheme; did you mean `https://example.com`?"),
            ("1.2.3.4:99999", "`1.2.3.4:99999` is not an absolute URL: relative URL without a base"),
            ("example.com:80", "scheme `example.com` is not supported; use http, https or ftp"),
            ("mailto:a@example.com", "scheme `mailto` is not supported; use http, https or ftp"),
            ("file:///robots.txt", "scheme `file` is not supported; use http, https or ftp"),
            ("http://", "`http://` is not an absolute URL: empty host"),
            ("http://a:99999/", "`http://a:99999/` is not an absolute URL: invalid port number"),
        ] {
            assert_eq!(origin(url), expected, "{url}");
        }
        for secret in [
            "http://me:TOPSECRET@a:99999/?token=TOPSECRET",
            "http://me:TOPSECRET@exa mple.com/#TOPSECRET",
            "http://me:TOPSECRET#@[::1/",
            "me:TOPSECRET@[::1/?TOPSECRET",
            "https://me:TOPSECRET@example.com/Robots.txt?TOPSECRET",
        ] {
            let error = Origin::parse(secret).and_then(|_| Origin::from_robots_url(&secret.parse().unwrap()));
            let error = error.unwrap_err();
            assert!(!format!("{error} {error:?}").contains("TOPSECRET"), "{error}");
        }
        let long = format!("x\n{}", "y".repeat(1000));
        let message = origin(&long);
        assert!(message.len() < 300 && message.lines().count() == 1, "{message}");
    }

    #[test]
    fn a_label_that_is_not_valid_is_named() {
        let reason = "the part after `xn--` encodes only ASCII, which is written without `xn--`";
        let expected = format!("the label `xn--a-` of `www.xn--a-.com` is not valid: {reason}");
        for url in [
            "https://www.xn--a-.com/a",
            "HTTP://me@www.xn--a-.com:80",
            "www.xn--a-.com",
            "www.xn--a-.com/a?b",
        ] {
            assert_eq!(origin(url), expected, "{url}");
        }
        let error = Origin::new("https", "www.xn--a-.com", None).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(
            origin("https://a\u{202E}b\u{7}.com/"),
            "the label `a\\u{202e}b\\u{7}` of `a\\u{202e}b\\u{7}.com` is not valid: a host can't contain U+202E"
        );
    }

    #[test]
    fn a_host_has_a_unicode_form() {
        for url in ["https://www.xn--exmple-cua.com:8080/", "http://www.EX\u{C4}MPLE.com"] {
            assert_eq!(Origin::parse(url).unwrap().unicode_host().unwrap(), "www.ex\u{E4}mple.com");
        }
        for url in [
            "http://example.com",
            "http://[::1]/",
            "http://127.1/",
            "http://\u{430}\u{440}\u{440}\u{4CF}\u{435}.com/",
        ] {
            assert_eq!(Origin::parse(url).unwrap().unicode_host(), None, "{url}");
        }
    }

    #[test]
    fn parts_make_the_same_origin_as_a_url() {
        assert_eq!(Origin::new("HTTPS", "Example.com", Some(443)), Origin::parse("https://example.com/a"));
        assert_eq!(Origin::new("http", "[::1]", Some(443)), Origin::parse("http://[::1]:443"));
        for host in ["", "a/b", "a:80", "a@b", "a b", "a#", "a?"] {
            assert!(Origin::new("http", host, None).is_err(), "{host}");
        }
        assert!(Origin::new("gopher", "example.com", None).is_err());
    }

    #[test]
    fn a_robots_txt_applies_only_to_its_origin() {
        let held = |robots: &str, url: &str| {
            Origin::from_robots_url(&robots.parse().unwrap())
                .is_ok_and(|origin| origin.covers(&url.parse().unwrap()))
        };
        assert!(held("https://example.com/robots.txt", "https://example.com/folder/file"));
        assert!(held("https://www.exämple.com/robots.txt", "https://www.xn--exmple-cua.com/"));
        assert!(held("http://example.com:80/robots.txt", "http://example.com/"));
        assert!(!held("https://example.com/robots.txt", "http://example.com/"));
        assert!(!held("https://example.com/Robots.txt", "https://example.com/"));
        assert!(!held("https://example.com/robots.txt?a", "https://example.com/"));
        assert!(!held("https://example.com//robots.txt", "https://example.com/"));
        assert!(!held("https://212.96.82.21/robots.txt", "https://example.com/"));
        assert!(!held("file:///robots.txt", "file:///robots.txt"));
    }
}
