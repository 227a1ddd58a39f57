//! Sitemaps, licenses and host names.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use robots_groups::syntax::Field;
use url::{ParseError, Url};

use super::finding::{Finding, Wrong};

/// An absolute URL: one with a scheme and a host.
///
/// Its text is that of the `url` crate, which brings URLs into one form; as it is written it stands in the record.
pub(super) fn url(raw: Field<'_>) -> Result<Url, Finding> {
    let wrong = |wrong| Finding::new(wrong, raw.span());
    let text = core::str::from_utf8(raw.bytes()).map_err(|_| wrong(Wrong::NotUtf8))?;
    match Url::parse(text) {
        Ok(url) if url.has_host() => Ok(url),
        Ok(_) | Err(ParseError::RelativeUrlWithoutBase) => Err(wrong(Wrong::RelativeUrl)),
        Err(_) => Err(wrong(Wrong::NoUrl)),
    }
}

/// The URL of a license, an absolute URI (RSL 1.0). A fragment is told, and kept.
pub(super) fn license(raw: Field<'_>, findings: &mut Vec<Finding>) -> Result<Url, Finding> {
    let url = url(raw)?;
    if url.fragment().is_some() {
        findings.push(Finding::new(Wrong::Fragment, raw.span()));
    }
    Ok(url)
}

/// The name by which a site wants to be known: `Host`, which Yandex had up to 2018.
///
/// ```
/// use robots_match::records::Records;
/// use robots_match::{Profile, Robots};
///
/// let body = "Host: https://www.example.com:8443\nHost: example.com/a\n";
/// let robots = Robots::new(body.as_bytes(), Profile::RFC9309);
/// let groups = robots.groups();
/// let records = Records::of(&robots, &groups);
/// let host = records.hosts().next().unwrap();
/// assert_eq!((host.scheme(), host.name(), host.port()), (Some("https"), "www.example.com", Some(8443)));
/// assert_eq!(records.hosts().count(), 1);
/// assert_eq!(records.findings().count(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Host {
    scheme: Option<String>,
    name: String,
    port: Option<u16>,
}

impl Host {
    pub(super) fn read(raw: Field<'_>) -> Result<Self, Finding> {
        let wrong = |wrong| Finding::new(wrong, raw.span());
        let text = core::str::from_utf8(raw.bytes()).map_err(|_| wrong(Wrong::NotUtf8))?;
        let has_scheme = text.contains("://");
        // What delimits more than a host would otherwise be dropped in silence.
        let authority = text.split_once("://").map_or(text, |(_, rest)| rest);
        let authority = authority.strip_suffix('/').unwrap_or(authority);
        if authority.contains(['/', '\\', '?', '@', ' ', '\t']) {
            return Err(wrong(Wrong::NoHost));
        }
        let url =
            if has_scheme { Url::parse(text) } else { Url::parse(&alloc::format!("http://{authority}")) };
        let url = url.map_err(|_| wrong(Wrong::NoHost))?;
        let name = url.host_str().filter(|name| !name.is_empty()).ok_or_else(|| wrong(Wrong::NoHost))?;
        Ok(Self { scheme: has_scheme.then(|| url.scheme().into()), name: name.into(), port: url.port() })
    }

    /// The scheme, in lower case, if one is given.
    #[must_use]
    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    /// The host in ASCII and lower case.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The port, if one is given that is not the usual one.
    #[must_use]
    pub const fn port(&self) -> Option<u16> {
        self.port
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = &self.scheme {
            write!(f, "{scheme}://")?;
        }
        f.write_str(&self.name)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn urls_are_absolute_or_a_finding() {
        for (value, expected) in [
            (&b"https://example.com/map.xml"[..], Ok("https://example.com/map.xml")),
            (b"HTTPS://EXAMPLE.com/Map.xml", Ok("https://example.com/Map.xml")),
            (b"https://\xC3\xA9.example/", Ok("https://xn--9ca.example/")),
            (b"/map.xml", Err(Wrong::RelativeUrl)),
            (b"//example.com/map.xml", Err(Wrong::RelativeUrl)),
            (b"mailto:a@example.com", Err(Wrong::RelativeUrl)),
            (b"example.com/map.xml", Err(Wrong::RelativeUrl)),
            (b"https://exa mple.com/", Err(Wrong::NoUrl)),
            (b"https://example.com:99999/", Err(Wrong::NoUrl)),
            (b"https://example.com/\xFF", Err(Wrong::NotUtf8)),
        ] {
            let found = url(Field::new(value, 7));
            assert_eq!(found.as_ref().map(Url::as_str).map_err(|finding| finding.wrong), expected);
        }
    }

    #[test]
    fn a_license_has_no_fragment() {
        let mut findings = Vec::new();
        assert!(license(Field::new(b"https://example.com/l.xml#a", 0), &mut findings).is_ok());
        assert_eq!(findings.iter().map(|finding| finding.wrong).collect::<Vec<_>>(), [Wrong::Fragment]);
    }

    #[test]
    fn hosts_are_names_and_nothing_else() {
        for (value, expected) in [
            ("example.com", Some("example.com")),
            ("WWW.Example.com:80", Some("www.example.com")),
            ("www.example.com:8080", Some("www.example.com:8080")),
            ("https://example.com/", Some("https://example.com")),
            ("example.com/a", None),
            ("a.example b.example", None),
            ("user@example.com", None),
            ("https://", None),
            ("a\u{0}b", None),
        ] {
            let found = Host::read(Field::new(value.as_bytes(), 0)).ok().map(|host| host.to_string());
            assert_eq!(found.as_deref(), expected, "{value}");
        }
    }
}
