//! The Combined Log Format, which most servers write, read in one pass.

use crate::log::address::{self, is_host};
use crate::log::prefix::after_prefix;
use crate::log::raw_line::{Escapes, RawLine, RequestText};
use crate::log::template::{is_escaped, is_status};

/// The parts of a line of the Combined Log Format, by their places in it: many lines are looked at together, so this is small.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combined<'l> {
    line: &'l [u8],
    /// The `[` before the time. What is before it is the address and two names.
    bracket: u32,
    /// The quotes around the request.
    request: (u32, u32),
    /// Where the status ends, and the size after it.
    status: u32,
    size: u32,
    /// The quotes around the header.
    agent: (u32, u32),
}

/// Reads a line of the Combined Log Format: address, two names, time, request, status, bytes, referrer, header. What follows is
/// not read. `None` if the line has another form, which the format string may have.
pub(super) fn split_combined(line: &[u8]) -> Option<Combined<'_>> {
    // Places are numbers of 32 bits.
    u32::try_from(line.len()).ok()?;
    let mut quote = memchr::memchr(b'"', line)?;
    if !line.get(..quote)?.ends_with(b"] ") {
        // The name of a user may have a quote.
        quote = memchr::memmem::find(line, b"] \"")? + 2;
    }
    let bracket = match quote.checked_sub(29) {
        Some(at) if line.get(at) == Some(&b'[') => at,
        _ => memchr::memchr(b'[', line.get(..quote - 2)?)?,
    };
    let request_end = closing_quote(line, quote)?;
    let status = request_end + 2;
    // Nearly all lines have a status of three digits.
    let status_end = match line.get(request_end + 1..)? {
        [b' ', b'0'..=b'9', _, b'0'..=b'9', b' ', ..] => status + 3,
        [b' ', rest @ ..] => status + memchr::memchr(b' ', rest)?,
        _ => return None,
    };
    let is_quote = |byte: &u8| *byte == b'"';
    let size_end = status_end + line.get(status_end..)?.iter().position(is_quote)?;
    // Most requests have no referrer.
    let agent = match line.get(size_end + 1..)? {
        [b'-', b'"', b' ', b'"', ..] => size_end + 4,
        _ => match closing_quote(line, size_end)? {
            end if line.get(end + 1..end + 3) == Some(b" \"") => end + 2,
            _ => return None,
        },
    };
    let agent_end = closing_quote(line, agent)?;
    #[expect(clippy::cast_possible_truncation, reason = "the length of the line is a number of 32 bits")]
    let combined = Combined {
        line,
        bracket: bracket as u32,
        request: (quote as u32, request_end as u32),
        status: status_end as u32,
        size: size_end as u32,
        agent: (agent as u32, agent_end as u32),
    };
    is_status(combined.status()).then_some(combined)
}

impl<'l> Combined<'l> {
    fn part(self, start: u32, end: u32) -> &'l [u8] {
        self.line.get(start as usize..end as usize).unwrap_or_default()
    }

    pub(super) fn request(self) -> &'l [u8] {
        self.part(self.request.0 + 1, self.request.1)
    }

    fn status(self) -> &'l [u8] {
        self.part(self.request.1 + 2, self.status)
    }

    pub(super) fn agent(self) -> &'l [u8] {
        self.part(self.agent.0 + 1, self.agent.1)
    }

    pub(super) fn raw(self) -> RawLine<'l> {
        let Client { address, host, forwarded } = split_client(self.part(0, self.bracket));
        let rest = self.line.get(self.agent.1 as usize + 1..).unwrap_or_default();
        let forwarded = forwarded.or_else(|| forwarded_in(rest));
        RawLine {
            time: self.part(self.bracket + 1, self.request.0 - 2).into(),
            address: Some(address.into()),
            forwarded: forwarded.map(Into::into),
            host: host.map(Into::into),
            request: RequestText::Line(self.request().into()),
            status: self.status().into(),
            size: self.part(self.status, self.size).into(),
            agent: self.agent().into(),
            escapes: Escapes::Backslash,
            has_names: false,
        }
    }
}

/// What is before the time of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Client<'l> {
    address: &'l [u8],
    host: Option<&'l [u8]>,
    /// The addresses of `X-Forwarded-For`.
    forwarded: Option<&'l [u8]>,
}

/// Returns the address before the time of a line, and the host if there is one, as in `192.0.2.1 example.com -` of lighttpd and in
/// `example.com 192.0.2.1 - -`. A prefix of syslog or of a container is left out.
fn split_client<'l>(client: &'l [u8]) -> Client<'l> {
    let first_of = |client: &'l [u8]| client.split(|&byte| byte == b' ').next().unwrap_or_default();
    // LiteSpeed writes a quotation mark at the beginning of the line, and Twisted marks around the address.
    let unquoted = |word: &'l [u8]| {
        let word = word.strip_prefix(b"\"").unwrap_or(word);
        word.strip_suffix(b"\"").unwrap_or(word)
    };
    let first = first_of(client);
    if client.get(first.len()..) == Some(b" - - ") {
        return Client { address: unquoted(first), host: None, forwarded: None };
    }
    let client = after_prefix(client).unwrap_or(client);
    let first = unquoted(first_of(client));
    let plain = Client { address: first, host: None, forwarded: None };
    if first.ends_with(b",") {
        return split_forwarded(client);
    }
    let words = || client.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let second = words().nth(1).unwrap_or_default();
    // Four words are necessary, because a client may choose the third of three.
    let has_four = words().nth(3).is_some();
    if address::parse(first).is_some() {
        if has_four && address::parse(second).is_some() {
            return Client { address: second, host: None, forwarded: Some(first) };
        }
        let host = Some(second).filter(|host| memchr::memchr(b'.', host).is_some() && is_host(host));
        return Client { host, ..plain };
    }
    if has_four && is_label(first) && address::parse(second).is_some() {
        return Client { address: second, host: Some(first).filter(|host| is_host(host)), forwarded: None };
    }
    plain
}

/// Returns whether a word before an address is a host or a number, and not a word that a program writes before a text of a client.
fn is_label(word: &[u8]) -> bool {
    let port = memchr::memrchr(b':', word).and_then(|at| word.split_at_checked(at));
    let port = port.filter(|(_, port)| port.len() > 1 && port.iter().skip(1).all(u8::is_ascii_digit));
    let name = port.map_or(word, |(name, _)| name);
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_') || !byte.is_ascii();
    let has_point = memchr::memchr(b'.', name).is_some_and(|at| at + 1 < name.len());
    !name.is_empty()
        && name.iter().all(is_part)
        && (port.is_some()
            || has_point
            || name.iter().all(u8::is_ascii_digit)
            || matches!(name, b"-" | b"_" | b"localhost"))
}

/// Reads what is before the time of a line that begins with a list of addresses: that of `X-Forwarded-For`, in place of the address
/// or before it.
fn split_forwarded(client: &[u8]) -> Client<'_> {
    let mut end = 0;
    for word in client.split_inclusive(|&byte| byte == b' ') {
        end += word.len();
        if !word.trim_ascii_end().ends_with(b",") {
            break;
        }
    }
    let (list, rest) = client.split_at_checked(end).unwrap_or((client, &[]));
    let list = list.trim_ascii_end();
    let mut words = rest.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let address = words.next().filter(|word| address::parse(word).is_some() && words.count() >= 2);
    Client { address: address.unwrap_or(list), host: None, forwarded: Some(list) }
}

/// Returns the list of addresses in quotation marks after the header of a line, as `$http_x_forwarded_for` of nginx is written there.
/// `None` if nothing is in quotation marks, and an empty list if none is one of addresses, or several differ: the others may be other
/// headers, which the client chooses.
fn forwarded_in(rest: &[u8]) -> Option<&[u8]> {
    let mut rest = rest.get(memchr::memchr(b'"', rest)? + 1..)?;
    let mut found = &[][..];
    while let Some((text, after)) = quoted(rest) {
        // The client can write what is further left.
        let last = text.rsplit(|&byte| byte == b',').next().unwrap_or_default();
        let is_address = |text: &str| text.trim().parse::<core::net::IpAddr>().is_ok();
        if core::str::from_utf8(last).is_ok_and(is_address) {
            if !found.is_empty() && found != text {
                return Some(&[]);
            }
            found = text;
        }
        let Some(next) = memchr::memchr(b'"', after).and_then(|at| after.get(at + 1..)) else { break };
        rest = next;
    }
    Some(found)
}

/// Reads a line like [`split_combined`].
pub(super) fn read_combined(line: &[u8]) -> Option<RawLine<'_>> {
    split_combined(line).map(Combined::raw)
}

/// Reads a line like [`split_combined`], with or without a host before it.
pub(super) fn read_with_host(line: &[u8]) -> Option<RawLine<'_>> {
    let (host, rest) = split_host(line).map_or((None, line), |(host, rest)| (Some(host), rest));
    let mut raw = read_combined(rest)?;
    raw.host = host.map(Into::into).or(raw.host);
    Some(raw)
}

/// Returns the texts in quotation marks after the request of a line of the Combined Log Format. The second one is the header.
pub(super) fn columns_after_request(line: &[u8]) -> Vec<&[u8]> {
    let Some(combined) = split_combined(line) else { return Vec::new() };
    let mut rest = line.get(combined.request.1 as usize + 1..).unwrap_or_default();
    let mut columns = Vec::new();
    while columns.len() < MOST_COLUMNS
        && let Some((text, after)) =
            memchr::memchr(b'"', rest).and_then(|at| rest.get(at + 1..)).and_then(quoted)
    {
        columns.push(text);
        rest = after;
    }
    columns
}

/// The most texts after the request that are looked at.
const MOST_COLUMNS: usize = 16;

/// Returns the text up to the next quote, and what follows it.
fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = unescaped_quote(text, 0)?;
    Some((text.get(..end)?, text.get(end + 1..)?))
}

/// Returns the place of the quote that ends the text after the one at `quote`.
fn closing_quote(line: &[u8], quote: usize) -> Option<usize> {
    unescaped_quote(line, quote + 1)
}

/// Returns the place of the first quote of a text that begins at `start`. Those with a backslash before them are in the text.
fn unescaped_quote(line: &[u8], start: usize) -> Option<usize> {
    let mut from = start;
    loop {
        let at = from + memchr::memchr(b'"', line.get(from..)?)?;
        if at == start || line.get(at - 1) != Some(&b'\\') || !is_escaped(line.get(start..)?, at - start) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Returns the host before a line of the Combined Log Format, as in Apache's `vhost_combined`, and the rest of the line.
pub(super) fn split_host(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = memchr::memchr(b' ', line)?;
    let (host, rest) = line.split_at_checked(space)?;
    let rest = rest.get(1..)?;
    let colon = memchr::memrchr(b':', host)?;
    let port = host.get(colon + 1..)?;
    let address = rest.get(..memchr::memchr(b' ', rest)?)?;
    let is_host = colon > 0 && !port.is_empty() && port.iter().all(u8::is_ascii_digit);
    // The address of a line of the Combined Log Format may look like a host with a port; then a name follows.
    (is_host && address.iter().any(|byte| matches!(byte, b'.' | b':'))).then_some((host, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_have_an_address_and_perhaps_a_host() {
        let cases: [(&str, &str, Option<&str>); 20] = [
            ("192.0.2.1 - - ", "192.0.2.1", None),
            ("::1 - a b ", "::1", None),
            ("crawler.example.com - - ", "crawler.example.com", None),
            ("192.0.2.1 example.com - ", "192.0.2.1", Some("example.com")),
            ("example.com 192.0.2.1 - - ", "192.0.2.1", Some("example.com")),
            // The client chooses its name.
            ("crawler.example.com - 192.0.2.1 ", "crawler.example.com", None),
            ("crawler.example.com 192.0.2.1 - ", "crawler.example.com", None),
            ("Nov 10 10:00:00 198.51.100.1 nginx: 192.0.2.1 - - ", "192.0.2.1", None),
            ("<190>Nov 10 10:00:00 web httpd[12]: 192.0.2.1 - - ", "192.0.2.1", None),
            ("<190>1 2025-11-10T10:00:00Z web nginx 12 - - 192.0.2.1 - - ", "192.0.2.1", None),
            ("2025-11-10T10:00:00.1Z stdout F 2001:db8::1 - - ", "2001:db8::1", None),
            (r#""192.0.2.1 - - "#, "192.0.2.1", None),
            (r#""192.0.2.1" - - "#, "192.0.2.1", None),
            ("web-1  | a.example:443 192.0.2.1 - - ", "192.0.2.1", Some("a.example:443")),
            ("2025-11-10T10:00:00.123456789Z 192.0.2.1 - - ", "192.0.2.1", None),
            // What a program logs is not the client.
            ("WARN 192.0.2.1 - - ", "WARN", None),
            ("web-1  | WARN 192.0.2.1 x 192.0.2.2 - - ", "WARN", None),
            ("2025-11-10 10:00:00 WARN x 192.0.2.1 - - ", "2025-11-10", None),
            ("<190>1 2025-11-10T10:00:00Z web app 12 - - bad: 192.0.2.1 - - ", "bad:", None),
            ("x", "x", None),
        ];
        for (client, address, host) in cases {
            let expected =
                Client { address: address.as_bytes(), host: host.map(str::as_bytes), forwarded: None };
            assert_eq!(split_client(client.as_bytes()), expected, "{client}");
        }
        // X-Forwarded-For before the address, or in its place. It names no host.
        let list = "203.0.113.5, 192.0.2.1";
        for (client, address, forwarded) in [
            (format!("{list} - - "), list, list),
            (format!("{list} 198.51.100.1 - - "), "198.51.100.1", list),
            ("203.0.113.5 198.51.100.1 - - ".to_owned(), "198.51.100.1", "203.0.113.5"),
        ] {
            let (address, forwarded) = (address.as_bytes(), Some(forwarded.as_bytes()));
            assert_eq!(
                split_client(client.as_bytes()),
                Client { address, host: None, forwarded },
                "{client}"
            );
        }
        for (client, address) in
            [("123456 192.0.2.1 - - ", "192.0.2.1"), ("192.0.2.1 198.51.100.1 - ", "192.0.2.1")]
        {
            let expected = Client { address: address.as_bytes(), host: None, forwarded: None };
            assert_eq!(split_client(client.as_bytes()), expected, "{client}");
        }
        for (rest, list) in [
            (" 12", None),
            (" \"-\"", Some("")),
            (" \"x, 192.0.2.1\" 1", Some("x, 192.0.2.1")),
            (" \"192.0.2.1\" \"10.0.0.1:80\"", Some("192.0.2.1")),
            (" \"192.0.2.1\" \"192.0.2.1\"", Some("192.0.2.1")),
            (" \"192.0.2.1\" \"192.0.2.2\"", Some("")),
        ] {
            assert_eq!(forwarded_in(rest.as_bytes()), list.map(str::as_bytes), "{rest}");
        }
    }

    #[test]
    fn the_name_of_a_user_may_have_quotes() {
        let rest = r#" [10/Nov/2025:10:00:00 +0000] "GET / HTTP/1.1" 200 0 "-" "a] "#;
        for user in ["-", r#"a\"b"#, "a [b", r#"\""#] {
            let line = format!("192.0.2.1 - {user}{rest}\"");
            let line = split_combined(line.as_bytes()).unwrap();
            assert_eq!((line.request(), line.agent()), (&b"GET / HTTP/1.1"[..], &b"a] "[..]), "{user}");
        }
    }

    #[test]
    fn a_missing_status_is_read() {
        let line = br#"192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] "GET / HTTP/1.1" - 0 "-" "a""#;
        assert_eq!(split_combined(line).unwrap().agent(), b"a");
        assert_eq!(read_combined(line).unwrap().status(), None);
    }
}
