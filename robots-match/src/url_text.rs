//! The path of a URL that is given as text.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::policy::MatchPolicy;

/// Returns the path and query of a URL that is given as text, to be compared with rules.
///
/// Scheme, authority and fragment are removed as RFC 3986 delimits them; nothing else is resolved, decoded or removed.
/// Without `://`, the text before the first `/` or `?` is an authority, so `example.com/a` and `/a` both give `/a`. A URL
/// without a path gives `/`.
///
/// ```
/// use robots_match::{MatchPolicy, path_of};
///
/// let policy = MatchPolicy::RFC9309;
/// assert_eq!(path_of(b"https://user@example.com:8080/a/../b?c=http://d/#e", &policy), &b"/a/../b?c=http://d/"[..]);
/// assert_eq!(path_of(b"example.com?a", &policy), &b"/?a"[..]);
/// ```
#[must_use]
pub fn path_of<'u>(url: &'u [u8], policy: &MatchPolicy) -> Cow<'u, [u8]> {
    let url = memchr::memchr(b'#', url).and_then(|end| url.get(..end)).unwrap_or(url);
    let rest = after_scheme(url, policy);
    let end = rest.iter().position(|&byte| ends_authority(byte, policy));
    let path = end.and_then(|end| rest.get(end..)).unwrap_or_default();
    if path.first() == Some(&b'/') {
        return Cow::Borrowed(path);
    }
    if path.is_empty() {
        return Cow::Borrowed(b"/");
    }
    let mut rooted = Vec::with_capacity(path.len() + 1);
    rooted.push(b'/');
    rooted.extend_from_slice(path);
    Cow::Owned(rooted)
}

/// Returns the path and query in a text that is a path, or a whole URL; `None` for other texts, also for an empty one.
///
/// A path stays as it is. A URL has a scheme, `://` and a host, and is delimited as [`path_of`] does. Where clients find another
/// host in it, because of a `\` or of white space, the text is not taken for a URL.
#[doc(hidden)]
#[must_use]
#[inline]
pub fn path_in<'u>(text: &'u [u8], policy: &MatchPolicy) -> Option<Cow<'u, [u8]>> {
    match text.first() {
        Some(b'/') => Some(Cow::Borrowed(text)),
        _ => path_in_url(text, policy),
    }
}

#[inline(never)]
fn path_in_url<'u>(text: &'u [u8], policy: &MatchPolicy) -> Option<Cow<'u, [u8]>> {
    let is_scheme_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let (scheme, rest) =
        text.split_at_checked(text.iter().take_while(|byte| is_scheme_byte(byte)).count())?;
    let rest = rest.strip_prefix(b"://").filter(|_| scheme.first().is_some_and(u8::is_ascii_alphabetic))?;
    let authority = rest
        .iter()
        .position(|byte| b"/?#".contains(byte))
        .map_or(rest, |end| rest.get(..end).unwrap_or_default());
    let is_host = |byte: &u8| *byte > b' ' && !b"\\\x7F".contains(byte);
    (!authority.is_empty() && authority.iter().all(is_host)).then(|| path_of(text, policy))
}

/// Returns the path and query of a parsed URL, as the `url` crate writes them.
#[cfg(feature = "url")]
pub(crate) fn path_of_url(url: &url::Url) -> &[u8] {
    url[url::Position::BeforePath..url::Position::AfterQuery].as_bytes()
}

/// Returns the text before and after the first `://`.
pub(crate) fn split_scheme(url: &str) -> Option<(&str, &str)> {
    // `str::split_once` would add a second search to the WebAssembly module, whose size has a limit.
    let at = memchr::memmem::find(url.as_bytes(), b"://")?;
    Some((url.get(..at)?, url.get(at + 3..)?))
}

const fn ends_authority(byte: u8, policy: &MatchPolicy) -> bool {
    matches!(byte, b'/' | b'?') || byte == b';' && policy.semicolon_ends_authority
}

/// Returns the text after `scheme://` or `//`, or all of `url` if it begins with neither.
fn after_scheme<'u>(url: &'u [u8], policy: &MatchPolicy) -> &'u [u8] {
    if let [b'/', b'/', rest @ ..] = url {
        return rest;
    }
    match url.iter().position(|&byte| ends_authority(byte, policy)) {
        // The first delimiter of all is that of `://`.
        Some(slash) if url.get(slash.saturating_sub(1)..).is_some_and(|rest| rest.starts_with(b"://")) => {
            url.get(slash + 2..).unwrap_or_default()
        }
        _ => url,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_found_in_all_forms_of_urls() {
        for (url, path) in [
            ("", "/"),
            ("http://www.example.com", "/"),
            ("http://www.example.com/a", "/a"),
            ("http://www.example.com?a", "/?a"),
            ("http://www.example.com#/a", "/"),
            ("example.com/a;b#c", "/a;b"),
            ("//a/b/c", "/b/c"),
            ("a", "/"),
            ("a/b", "/b"),
            ("a?x://y/z", "/?x://y/z"),
            ("http://a/b?c=http://d.e/", "/b?c=http://d.e/"),
            ("/a//b", "/a//b"),
            ("://x/y", "/y"),
            ("http:/foo", "/foo"),
        ] {
            for policy in [MatchPolicy::RFC9309, MatchPolicy::GOOGLE] {
                assert_eq!(*path_of(url.as_bytes(), &policy), *path.as_bytes(), "{url}");
            }
        }
        assert_eq!(*path_of(b"http://a;b/c", &MatchPolicy::GOOGLE), *b"/;b/c");
        assert_eq!(*path_of(b"http://a;b/c", &MatchPolicy::RFC9309), *b"/c");
    }

    #[test]
    fn a_text_is_a_path_or_a_whole_url() {
        let path = |text: &str| {
            let path = path_in(text.as_bytes(), &MatchPolicy::RFC9309)?;
            Some(alloc::string::String::from_utf8_lossy(&path).into_owned())
        };
        for (text, expected) in [
            ("/", "/"),
            ("//a/b", "//a/b"),
            ("/a#b", "/a#b"),
            ("/a?u=http://b", "/a?u=http://b"),
            ("https://example.com", "/"),
            ("https://example.com/a?b#c", "/a?b"),
            ("https://example.com?a", "/?a"),
            ("FTP://user@example.com:21/a", "/a"),
            ("gopher://x/a", "/a"),
        ] {
            assert_eq!(path(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "private",
            "example.com/a",
            "localhost:80/a",
            "mailto:a@example.com",
            "C:\\a",
            "*",
            "*.gif",
            "?a",
            "#a",
            " /a",
            "://x/a",
            "1a://x/a",
            "http:",
            "http:/x/a",
            "http://",
            "http:///a",
            "http://x\\a",
            "http://x y/a",
            "data:text/plain,a",
            "\u{e9}",
        ] {
            assert_eq!(path(text), None, "{text}");
        }
    }
}
