//! Parts of URLs.

/// The scheme of an absolute URL that has an authority.
pub(crate) fn scheme(url: &[u8]) -> Option<&[u8]> {
    let colon = url.iter().position(|&byte| byte == b':')?;
    let (scheme, rest) = url.split_at_checked(colon)?;
    let is_scheme = scheme.first()?.is_ascii_alphabetic()
        && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let authority = rest.strip_prefix(b"://")?;
    (is_scheme && !matches!(authority.first(), None | Some(b'/' | b'?' | b'#'))).then_some(scheme)
}

/// The scheme and the authority of an absolute URL, in lower case.
pub(crate) fn origin(url: &[u8]) -> Option<alloc::vec::Vec<u8>> {
    let scheme = scheme(url)?;
    let rest = url.get(scheme.len() + 3..)?;
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    Some(url.get(..scheme.len() + 3 + end)?.to_ascii_lowercase())
}
