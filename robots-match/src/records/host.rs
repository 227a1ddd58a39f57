//! Host names.

use alloc::string::String;
use core::fmt;

use robots_groups::syntax::Field;
use url::{ParseError, Url};

use super::absolute_url::label_problem;
use super::problem::{ProblemKind, RecordProblem};
use crate::host_text::unicode_host;

/// The preferred host name of a site: `Host`, which Yandex used until 2018.
///
/// ```
/// use robots_match::records::Records;
/// use robots_match::{Profile, Robots};
///
/// let body = "Host: https://www.example.com:8443\nHost: example.com/a\n";
/// let robots = Robots::new(body, Profile::RFC9309);
/// let groups = robots.groups();
/// let records = Records::new(&robots, &groups);
/// let host = records.hosts().next().unwrap();
/// assert_eq!((host.scheme(), host.name(), host.port()), (Some("https"), "www.example.com", Some(8443)));
/// assert_eq!(records.hosts().count(), 1);
/// assert_eq!(records.problems().count(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostRecord {
    scheme: Option<String>,
    name: String,
    port: Option<u16>,
}

impl HostRecord {
    pub(super) fn read(raw: Field<'_>) -> Result<Self, RecordProblem> {
        let wrong = |wrong| RecordProblem::new(wrong, raw.span());
        let text = core::str::from_utf8(raw.bytes()).map_err(|_| wrong(ProblemKind::NotUtf8))?;
        let has_scheme = text.contains("://");
        // These characters delimit parts that the URL parser would drop silently.
        let authority = text.split_once("://").map_or(text, |(_, rest)| rest);
        let authority = authority.strip_suffix('/').unwrap_or(authority);
        if authority.contains(['/', '\\', '?', '@', ' ', '\t']) {
            return Err(wrong(ProblemKind::NoHost));
        }
        let url =
            if has_scheme { Url::parse(text) } else { Url::parse(&alloc::format!("http://{authority}")) };
        let url = url.map_err(|error| match error {
            ParseError::IdnaError => label_problem(raw, text),
            _ => wrong(ProblemKind::NoHost),
        })?;
        let name =
            url.host_str().filter(|name| !name.is_empty()).ok_or_else(|| wrong(ProblemKind::NoHost))?;
        Ok(Self { scheme: has_scheme.then(|| url.scheme().into()), name: name.into(), port: url.port() })
    }

    /// Returns the scheme, in lower case, if there is one.
    #[must_use]
    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    /// Returns the host, in ASCII and lower case.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the host in Unicode for people, if it differs from [`name`](Self::name) and can be shown: its letters belong to
    /// one script, are not easily confused with other letters, and are written from left to right.
    #[must_use]
    pub fn unicode_name(&self) -> Option<String> {
        unicode_host(&self.name)
    }

    /// Returns the port, if there is one and it is not the default port of the scheme.
    #[must_use]
    pub const fn port(&self) -> Option<u16> {
        self.port
    }
}

impl fmt::Display for HostRecord {
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
    fn a_name_has_a_unicode_form() {
        for value in ["www.ex\u{E4}mple.com:80", "https://www.xn--exmple-cua.com"] {
            let host = HostRecord::read(Field::new(value.as_bytes(), 0)).unwrap();
            assert_eq!(host.name(), "www.xn--exmple-cua.com");
            assert_eq!(host.unicode_name().unwrap(), "www.ex\u{E4}mple.com");
        }
        assert_eq!(HostRecord::read(Field::new(b"example.com", 0)).unwrap().unicode_name(), None);
    }

    #[test]
    fn an_invalid_label_is_named() {
        for file in ["Host: www.xn--a-.com:80", "Host: https://www.xn--a-.com/"] {
            let problem = HostRecord::read(Field::new(&file.as_bytes()[6..], 6)).unwrap_err();
            assert_eq!(
                (problem.kind, problem.span.of(file.as_bytes())),
                (ProblemKind::InvalidLabel, &b"xn--a-"[..])
            );
        }
    }

    #[test]
    fn hosts_are_names() {
        for (value, expected) in [
            ("example.com", Some("example.com")),
            ("WWW.Example.com:80", Some("www.example.com")),
            ("www.example.com:8080", Some("www.example.com:8080")),
            ("https://example.com/", Some("https://example.com")),
            ("www.ex\u{E4}mple.com", Some("www.xn--exmple-cua.com")),
            ("www.xn--a-.com", None),
            ("example.com/a", None),
            ("a.example b.example", None),
            ("user@example.com", None),
            ("https://", None),
            ("a\u{0}b", None),
        ] {
            let found = HostRecord::read(Field::new(value.as_bytes(), 0)).ok().map(|host| host.to_string());
            assert_eq!(found.as_deref(), expected, "{value}");
        }
    }
}
