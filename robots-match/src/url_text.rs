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

/// Returns `text` as a URL that [`RuleSet::check_text`](crate::RuleSet::check_text) reads as it is meant.
///
/// A path may begin with two slashes, as those in logs do. In a reference, the text after them would be a host (RFC 3986,
/// section 4.2), so such a path gets one.
#[must_use]
#[doc(hidden)]
pub fn as_url(text: &[u8]) -> Cow<'_, [u8]> {
    if text.starts_with(b"//") { Cow::Owned([b"http://host", text].concat()) } else { Cow::Borrowed(text) }
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
    fn a_path_may_begin_with_two_slashes() {
        for (text, path) in [
            ("//a/b", "//a/b"),
            ("///", "///"),
            ("/a//b", "/a//b"),
            ("//a?b#c", "//a?b"),
            ("http://a//b", "//b"),
        ] {
            for policy in [MatchPolicy::RFC9309, MatchPolicy::GOOGLE] {
                assert_eq!(*path_of(&as_url(text.as_bytes()), &policy), *path.as_bytes(), "{text}");
            }
        }
    }
}
