//! Host names.

use alloc::string::String;

use robots_groups::syntax::Field;
use url::{ParseError, Url};

use super::absolute_url::label_problem;
use super::problem::{ProblemKind, RecordProblem};
use crate::url_text::split_scheme;

/// Scheme, name and port.
type Host = (Option<String>, String, Option<u16>);

/// Reads the value of `Host`: a host name, with or without a scheme and a port.
pub(super) fn host(raw: Field<'_>) -> Result<Host, RecordProblem> {
    let wrong = |wrong| RecordProblem::new(wrong, raw.span());
    let text = core::str::from_utf8(raw.bytes()).map_err(|_| wrong(ProblemKind::NotUtf8))?;
    let scheme = split_scheme(text);
    // These characters delimit parts that the URL parser would drop silently.
    let authority = scheme.map_or(text, |(_, rest)| rest);
    let authority = authority.strip_suffix('/').unwrap_or(authority);
    if authority.contains(['/', '\\', '?', '@', ' ', '\t']) {
        return Err(wrong(ProblemKind::NoHost));
    }
    let url = match scheme {
        Some(_) => Url::parse(text),
        None => Url::parse(&alloc::format!("http://{authority}")),
    };
    let url = url.map_err(|error| match error {
        ParseError::IdnaError => label_problem(raw, text),
        _ => wrong(ProblemKind::NoHost),
    })?;
    let name = url.host_str().filter(|name| !name.is_empty()).ok_or_else(|| wrong(ProblemKind::NoHost))?;
    Ok((scheme.map(|_| url.scheme().into()), name.into(), url.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_label_is_named() {
        for file in ["Host: www.xn--a-.com:80", "Host: https://www.xn--a-.com/"] {
            let problem = host(Field::new(&file.as_bytes()[6..], 6)).unwrap_err();
            assert_eq!(
                (problem.kind, problem.span.of(file.as_bytes())),
                (ProblemKind::InvalidLabel, &b"xn--a-"[..])
            );
        }
    }

    fn text((scheme, name, port): &Host) -> String {
        let scheme = scheme.as_ref().map(|scheme| alloc::format!("{scheme}://")).unwrap_or_default();
        let port = port.map(|port| alloc::format!(":{port}")).unwrap_or_default();
        [&scheme, name.as_str(), &port].concat()
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
            let found = host(Field::new(value.as_bytes(), 0)).ok().map(|found| text(&found));
            assert_eq!(found.as_deref(), expected, "{value}");
        }
    }
}
