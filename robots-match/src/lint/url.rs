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

/// Last labels of names of hosts that are not also endings of files.
const LAST_LABELS: [&[u8]; 24] = [
    b"com", b"net", b"org", b"edu", b"gov", b"mil", b"int", b"info", b"biz", b"io", b"co", b"eu", b"de",
    b"uk", b"fr", b"it", b"es", b"nl", b"ru", b"cn", b"jp", b"br", b"in", b"us",
];

/// The name of a host at the start of a text without a scheme, if it looks like one and not like a file.
pub(crate) fn host(text: &[u8]) -> Option<&[u8]> {
    let host = text.split(|byte| matches!(byte, b'/' | b'?' | b':' | b'*' | b'$')).next()?;
    let is_label = |label: &[u8]| {
        !label.is_empty() && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    let mut labels = host.rsplit(|&byte| byte == b'.');
    let last = labels.next()?.to_ascii_lowercase();
    let is_known =
        LAST_LABELS.contains(&&*last) || host.get(..4).is_some_and(|www| www.eq_ignore_ascii_case(b"www."));
    let mut others = labels.peekable();
    (is_known && is_label(&last) && others.peek().is_some() && others.all(is_label)).then_some(host)
}
