//! The path of a URL that is given as text.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::policy::Authority;

/// Path and query of `url`, to be held against rules.
///
/// Scheme and authority are cut off as RFC 3986 delimits them, and the fragment; nothing is resolved, decoded or removed
/// else. Without `://`, what stands before the first `/` or `?` is taken for an authority, so that `example.com/a` and
/// `/a` both give `/a`. A URL without a path gives `/`.
///
/// ```
/// use robots_match::{Policy, path_of};
/// let policy = Policy::RFC9309;
/// assert_eq!(path_of(b"https://user@example.com:8080/a/../b?c=http://d/#e", &policy), &b"/a/../b?c=http://d/"[..]);
/// assert_eq!(path_of(b"example.com?a", &policy), &b"/?a"[..]);
/// ```
#[must_use]
pub fn path_of<'u>(url: &'u [u8], policy: &crate::Policy) -> Cow<'u, [u8]> {
    let ends = |octet: &u8| policy.authority.is_ended_by(*octet);
    let url = url.split(|&octet| octet == b'#').next().unwrap_or_default();
    let rest = behind_scheme(url, policy.authority);
    let path = rest.iter().position(ends).and_then(|at| rest.get(at..)).unwrap_or_default();
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

/// What follows `scheme://` or `//`; all of it if it begins with neither.
fn behind_scheme(url: &[u8], authority: Authority) -> &[u8] {
    if let [b'/', b'/', rest @ ..] = url {
        return rest;
    }
    match url.iter().position(|&octet| authority.is_ended_by(octet)) {
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
    use crate::Policy;

    #[test]
    fn forms_of_urls() {
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
            for policy in [Policy::RFC9309, Policy::GOOGLE] {
                assert_eq!(*path_of(url.as_bytes(), &policy), *path.as_bytes(), "{url}");
            }
        }
        assert_eq!(*path_of(b"http://a;b/c", &Policy::GOOGLE), *b"/;b/c");
        assert_eq!(*path_of(b"http://a;b/c", &Policy::RFC9309), *b"/c");
    }
}
