//! A line of an access log.

use alloc::borrow::Cow;

use crate::log::time::LogTime;

/// A request, as a line of a log has it. Escapes of the log are undone; percent-encoding of the request is not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogLine<'l> {
    /// When the request was made or answered.
    pub time: LogTime,
    /// The address of the client.
    pub address: Option<Cow<'l, [u8]>>,
    /// The host that was asked.
    pub host: Option<Cow<'l, [u8]>>,
    /// The method, such as `GET`.
    pub method: Option<Cow<'l, [u8]>>,
    /// The request target: a path with its query, or a URL. `None` if the request could not be read.
    pub target: Option<Cow<'l, [u8]>>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// The `User-Agent` header. `None` if the request has none.
    pub agent: Option<Cow<'l, [u8]>>,
}

impl LogLine<'_> {
    /// Returns the path and the query that were asked for, and the host if the target has one. Returns `None` for the targets
    /// `*` and those of `CONNECT`, and for what is not a request of HTTP.
    ///
    /// ```
    /// use robots_fetch::log::LogFormat;
    ///
    /// let line = br#"192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] "GET http://example.com/a?b HTTP/1.1" 200 9 "-" "ExampleBot/1.0""#;
    /// let mut reader = LogFormat::COMBINED.reader();
    /// let line = reader.read(line).unwrap();
    /// assert_eq!(line.path(), Some((&b"/a?b"[..], Some(&b"example.com"[..]))));
    /// ```
    #[must_use]
    pub fn path(&self) -> Option<(&[u8], Option<&[u8]>)> {
        if self.method.as_deref() == Some(b"CONNECT") {
            return None;
        }
        split_target(self.target.as_deref()?)
    }
}

/// Returns the path of a request target, and its host if it is a URL.
pub(super) fn split_target(target: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    if target.first() == Some(&b'/') {
        return Some((target, None));
    }
    let start = [&b"http://"[..], b"https://", b"ws://", b"wss://"]
        .into_iter()
        .find(|scheme| target.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))?;
    let rest = target.get(start.len()..)?;
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end)?;
    // An empty path is that of the root.
    Some((if path.is_empty() { b"/" } else { path }, Some(authority)))
}

/// Returns method and target of a request line. The target is the text up to the version, whatever it contains. Some logs have only
/// the path.
pub(super) fn split_request(request: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    if request.first() == Some(&b'/') {
        return Some((None, target_of(request)?));
    }
    let space = memchr::memchr(b' ', request)?;
    let (method, rest) = request.split_at_checked(space)?;
    let rest = rest.get(1..)?;
    // Load balancers write `-` for what is not a request.
    if !method.iter().any(u8::is_ascii_alphabetic)
        || !method.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'))
    {
        return None;
    }
    Some((Some(method), target_of(rest)?))
}

/// Returns a target without the version that follows it.
fn target_of(rest: &[u8]) -> Option<&[u8]> {
    const VERSION: &[u8] = b" HTTP/";
    // Nearly all versions have three characters.
    let from_end = rest.len().checked_sub(VERSION.len() + 3);
    let is_version = |at: &usize| rest.get(*at..at + VERSION.len()) == Some(VERSION);
    let end =
        from_end.filter(is_version).or_else(|| memchr::memmem::rfind(rest, VERSION)).unwrap_or(rest.len());
    rest.get(..end)
}

/// Returns a host in lower case without its port.
pub(super) fn plain_host(host: &[u8]) -> String {
    let host = match memchr::memrchr(b':', host) {
        // Not in the address `[::1]`.
        Some(at) if host.get(at + 1..).is_some_and(|port| port.iter().all(u8::is_ascii_digit)) => {
            host.get(..at).unwrap_or(host)
        }
        _ => host,
    };
    let host = host.rsplit(|&byte| byte == b'@').next().unwrap_or(host);
    let host = host.strip_suffix(b".").unwrap_or(host);
    let host = String::from_utf8_lossy(host).to_ascii_lowercase();
    // Logs have the encoded name, and people write the other.
    match host.is_ascii() {
        true => host,
        false => url::Host::parse(&host).map_or(host, |host| host.to_string()),
    }
}

/// Undoes the escapes of Apache and nginx: `\"`, `\\`, `\n`, `\xhh`. Most texts have none and are not copied.
pub(super) fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        let hex = |digit: u8| (digit as char).to_digit(16);
        match *after {
            [b'x' | b'X', high, low, ref after @ ..] if hex(high).is_some() && hex(low).is_some() => {
                #[expect(clippy::cast_possible_truncation, reason = "two digits are one byte")]
                plain.push((hex(high).unwrap_or(0) * 16 + hex(low).unwrap_or(0)) as u8);
                rest = after;
            }
            [escaped, ref after @ ..] => {
                plain.push(match escaped {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'b' => 8,
                    b'f' => 12,
                    b'v' => 11,
                    other => other,
                });
                rest = after;
            }
            [] => plain.push(b'\\'),
        }
    }
    Cow::Owned(plain)
}

/// Decodes all percent-encoded bytes of a header, which a log added. Some logs of CloudFront encode them twice, so a space that is
/// still encoded is decoded once more.
pub(super) fn agent_decoded(agent: &[u8]) -> Cow<'_, [u8]> {
    let decoded = Cow::from(percent_encoding::percent_decode(agent));
    if memchr::memchr(b' ', &decoded).is_none() && memchr::memmem::find(&decoded, b"%20").is_some() {
        return Cow::Owned(percent_encoding::percent_decode(&decoded).collect());
    }
    decoded
}

/// Decodes `%25` once: CloudFront encodes the `%` of a request.
pub(super) fn percent_signs_decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memmem::find(text, b"%25").is_none() {
        return Cow::Borrowed(text);
    }
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memmem::find(rest, b"%25") {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        plain.extend_from_slice(before);
        plain.push(b'%');
        rest = after.get(3..).unwrap_or_default();
    }
    plain.extend_from_slice(rest);
    Cow::Owned(plain)
}

/// Replaces `+`, which stands for a space in the headers of W3C logs.
pub(super) fn plus_decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'+', text).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.iter().map(|&byte| if byte == b'+' { b' ' } else { byte }).collect())
}

/// Returns a field that is not `-` or empty, which stand for a missing one.
pub(super) fn present(text: &[u8]) -> Option<&[u8]> {
    (!matches!(text, [] | [b'-'])).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_servers_are_undone() {
        assert_eq!(*unescaped(br#"a\"b\\c\x41\xc3\xA9\n\x4"#), *b"a\"b\\cA\xc3\xa9\nx4");
        assert_eq!(*unescaped(b"\\"), *b"\\");
        assert_eq!(*percent_signs_decoded(b"/a%2520b%20"), *b"/a%20b%20");
        assert_eq!(*agent_decoded(b"a%2520b%2520c"), *b"a b c");
        assert_eq!(*agent_decoded(b"a%20b%2520c"), *b"a b%20c");
        assert!(matches!(unescaped(b"plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn requests_have_targets() {
        let get = Some(&b"GET"[..]);
        assert_eq!(split_request(b"GET /a b HTTP/1.1"), Some((get, &b"/a b"[..])));
        assert_eq!(split_request(b"GET /a"), Some((get, &b"/a"[..])));
        assert_eq!(split_request(b"GET /a HTTP/2"), Some((get, &b"/a"[..])));
        assert_eq!(split_request(b"/a b"), Some((None, &b"/a b"[..])));
        assert_eq!(split_request(b"/a HTTP/1.1"), Some((None, &b"/a"[..])));
        assert_eq!(split_request(b"\x16\x03\x01"), None);
        assert_eq!(split_request(b"-"), None);
        assert_eq!(split_request(b"- http://example.com:80- -"), None);
        assert_eq!(split_target(b"*"), None);
        assert_eq!(split_target(b"https://example.com"), Some((&b"/"[..], Some(&b"example.com"[..]))));
        assert_eq!(split_target(b"example.com:443"), None);
    }

    #[test]
    fn hosts_have_no_port() {
        assert_eq!(plain_host(b"Example.COM:443"), "example.com");
        assert_eq!(plain_host(b"[::1]:80"), "[::1]");
        assert_eq!(plain_host(b"a.example."), "a.example");
        assert_eq!(plain_host("M\u{dc}nchen.example:1".as_bytes()), "xn--mnchen-3ya.example");
    }
}
