//! Parts of URLs.

use url::{Origin, Url};

/// The scheme of an absolute URL that has an authority.
pub(crate) fn scheme(url: &[u8]) -> Option<&[u8]> {
    let colon = url.iter().position(|&byte| byte == b':')?;
    let (scheme, rest) = url.split_at_checked(colon)?;
    let is_scheme = scheme.first()?.is_ascii_alphabetic()
        && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let authority = rest.strip_prefix(b"://")?;
    (is_scheme && !matches!(authority.first(), None | Some(b'/' | b'?' | b'#'))).then_some(scheme)
}

/// The origin of an absolute URL that has an authority. Ports that are the default of their scheme make no difference.
pub(crate) fn origin(url: &[u8]) -> Option<Origin> {
    scheme(url)?;
    Some(Url::parse(core::str::from_utf8(url).ok()?).ok()?.origin())
}
