//! Patterns that name a host.

use alloc::format;
use alloc::vec::Vec;

use robots_groups::syntax::Span;
use url::Url;

use crate::lint::context::Facts;
use crate::lint::draft::Draft;
use crate::lint::text::shown;
use crate::lint::url::{host, scheme};
use crate::policy::MatchPolicy;
use crate::url_text::path_of;

/// A pattern that has the name of a host, as in `https://example.com/private`, `example.com/private`, `//example.com/`,
/// `*.example.com` and `/https://example.com/`.
pub(crate) struct Hosted<'p> {
    /// The host, and the port if there is one.
    pub(crate) host: &'p [u8],
    /// The path after the host.
    path: Vec<u8>,
    pub(crate) form: HostForm,
}

/// How a pattern names a host.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostForm {
    /// As a URL with its scheme.
    Url,
    /// By itself.
    Host,
    /// After a star, for all hosts with this end.
    Star,
    /// After two or more slashes.
    Slashes,
    /// After a slash: the pattern can match, but hardly what was meant.
    Path,
}

impl<'p> Hosted<'p> {
    /// Returns the host and the path of a pattern that names a host.
    pub(crate) fn find(pattern: &'p [u8], policy: &MatchPolicy) -> Option<Self> {
        let rooted = pattern.strip_prefix(b"/");
        let (form, rest) = if let Some(scheme) = scheme(pattern) {
            (HostForm::Url, pattern.get(scheme.len() + 3..)?)
        } else if let Some(rest) = rooted.and_then(|rest| rest.strip_prefix(b"/")) {
            let slashes = rest.iter().take_while(|byte| **byte == b'/').count();
            let rest = rest.get(slashes..)?;
            host(rest)?;
            (HostForm::Slashes, rest)
        } else if let Some((scheme, rest)) = rooted.and_then(|rest| Some((scheme(rest)?, rest))) {
            let rest = rest.get(scheme.len() + 3..)?;
            let is_http = scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https");
            if !is_http || host(rest).is_none() {
                return None;
            }
            (HostForm::Path, rest)
        } else if let Some(rest) = rooted.filter(|rest| is_www(rest)) {
            host(rest).filter(|found| is_with_domain(found, rest.get(found.len()..).unwrap_or_default()))?;
            (HostForm::Path, rest)
        } else if let Some(rest) = pattern
            .strip_prefix(b"*://")
            .or_else(|| pattern.strip_prefix(b"*//"))
            .filter(|rest| host(rest).is_some())
        {
            (HostForm::Star, rest)
        } else if let Some(rest) = pattern.strip_prefix(b"*.") {
            // One label may be the end of a file.
            let found = host(rest).filter(|found| is_with_path(rest, found))?;
            let _ = found;
            (HostForm::Star, rest)
        } else {
            let name = pattern.strip_prefix(b".").or_else(|| pattern.strip_prefix(b"@")).unwrap_or(pattern);
            if !is_address(name) {
                host(name)?;
            }
            (HostForm::Host, name)
        };
        let authority = rest.split(|byte| matches!(byte, b'/' | b'?' | b'#' | b'*' | b'$')).next()?;
        let host = authority.rsplit(|&byte| byte == b'@').next()?;
        let url = [b"http://", rest].concat();
        Some(Self { host, path: path_of(&url, policy).into_owned(), form })
    }

    /// Returns whether the host is that of the file; `None` if the URL of the file is not known.
    fn is_of(&self, facts: &Facts<'_>) -> Option<bool> {
        let site = Url::parse(facts.url?).ok()?;
        let host = core::str::from_utf8(self.host).ok();
        let named = host.and_then(|host| Url::parse(&format!("http://{host}")).ok());
        Some(named.is_some_and(|named| {
            named.host_str() == site.host_str()
                && (named.port().is_none() || named.port() == site.port_or_known_default())
        }))
    }

    /// Adds advice to the finding about this pattern, and a suggestion if the host is known to be that of the file. `is_needed` is
    /// whether the group would be one with the next group without this rule.
    pub(crate) fn advise(self, draft: Draft, span: Span, facts: &Facts<'_>, is_needed: bool) -> Draft {
        let (host, path) = (shown(self.host), shown(&self.path));
        let remove = match is_needed {
            true => {
                "write `Disallow:` instead, because this group would be one with the next group without a rule"
            }
            false => "remove the line",
        };
        // A sentence has one reason.
        let because = if is_needed { ":" } else { ", because" };
        // As in `https://*.example.com/`.
        if host.is_empty() {
            return draft.help("write only the path of the URL, if it is of this site");
        }
        match (self.is_of(facts), is_whole(&self.path)) {
            (Some(true), false) => {
                draft.help(format!("write only the path: `{path}`")).suggest(span, self.path)
            }
            (Some(true), true) => {
                draft.help(format!("{remove}; its path, `{path}`, would be about the whole site"))
            }
            (None, false) if self.form != HostForm::Star => draft.help(format!(
                "write only the path, `{path}`, if `{host}` is this site; otherwise {remove}{because} a robots.txt file applies only to its own host (RFC 9309, section 2.3)"
            )),
            _ => draft.help(format!(
                "{remove}: a robots.txt file applies only to its own host (RFC 9309, section 2.3), and rules for `{host}` belong in the robots.txt of that host"
            )),
        }
    }
}

fn is_www(text: &[u8]) -> bool {
    text.get(..4).is_some_and(|www| www.eq_ignore_ascii_case(b"www."))
}

/// Whether a host that begins with `www.` ends with a domain, before a path or nothing. `/www.html` is a file.
fn is_with_domain(host: &[u8], after: &[u8]) -> bool {
    let mut labels = host.rsplit(|&byte| byte == b'.');
    let last = labels.next().unwrap_or_default();
    let is_domain =
        last.iter().all(u8::is_ascii_alphabetic) || last.to_ascii_lowercase().starts_with(b"xn--");
    is_domain && labels.count() > 1 && matches!(after.first(), None | Some(b'/' | b':' | b'?' | b'*'))
}

/// Whether a text begins with `localhost` or an address of the Internet Protocol, and has nothing or a path after it.
fn is_address(text: &[u8]) -> bool {
    let name = text.split(|byte| matches!(byte, b'/' | b':')).next().unwrap_or_default();
    let is_ip = || core::str::from_utf8(name).is_ok_and(|name| name.parse::<core::net::Ipv4Addr>().is_ok());
    name.eq_ignore_ascii_case(b"localhost") || is_ip()
}

/// Whether a host after a star is not the name of a file, as in `*.min.js.map`.
fn is_with_path(text: &[u8], host: &[u8]) -> bool {
    let rest = text.get(host.len()..).unwrap_or_default();
    host.contains(&b'.') && matches!(rest.first(), None | Some(b'/' | b'$' | b'*'))
}

/// Whether a pattern matches every path. Such a pattern is never suggested, because it would block the whole site.
pub(crate) fn is_whole(pattern: &[u8]) -> bool {
    let start = match pattern {
        [start @ .., b'*', b'$'] => start,
        // The first page only.
        b"/$" => return false,
        _ => pattern,
    };
    // Every path has a slash, so `*/` and `*/*` match it, too. `/*/` needs two.
    start.iter().all(|byte| matches!(byte, b'*' | b'/'))
        && start.iter().filter(|byte| **byte == b'/').count() < 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_match_every_path_are_whole() {
        for pattern in ["", "/", "*", "/*", "/**", "/*$", "/**$", "*$", "*/", "*/*", "*/*$"] {
            assert!(is_whole(pattern.as_bytes()), "{pattern}");
        }
        for pattern in ["/$", "$", "/*/", "/?", "/*.css", "/a*", "//", "*/$", "*/*/"] {
            assert!(!is_whole(pattern.as_bytes()), "{pattern}");
        }
    }
}
