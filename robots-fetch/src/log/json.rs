//! Logs with a JSON object on each line.

use alloc::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use robots_match::TextForm;

use crate::log::line::agent_decoded;
use crate::log::prefix::after_prefix;
use crate::log::quoted::read_with_host;
use crate::log::raw_line::{Escapes, RawLine, RequestText};

/// The names of fields in JSON logs, for each thing that a line has to say, the preferred one first. A name such as `a.b` is that of a
/// field `b` in an object `a`, and of the first element if it is an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsonNames {
    names: [Vec<Vec<u8>>; ROLES],
    /// The roles of each name as [`plain_byte`] compares it, with its place among those of the role.
    places: HashMap<Vec<u8>, Vec<(usize, usize)>, RandomState>,
}

const ROLES: usize = 14;

/// The names of the roles, and those that servers use: Caddy, nginx, Logpush of Cloudflare, Traefik, Envoy, the Elastic Common Schema,
/// load balancers of Google and Azure, the firewall of AWS, App Service of Azure, DataStream of Akamai, CloudFront, Fastly, Vercel,
/// pino, and others.
const DEFAULTS: [(&str, &[&str]); ROLES] = [
    (
        "time",
        &[
            "ts",
            "proxy.timestamp",
            "time_iso8601",
            "msec",
            "EdgeStartTimestamp",
            "StartUTC",
            "time",
            "timestamp",
            "@timestamp",
            "time_local",
            "start_time",
            "datetime",
            "reqTimeSec",
            "requestTime",
            "TimeGenerated",
            "EdgeEndTimestamp",
            "started_at",
            "startTime",
            "@t",
        ],
    ),
    (
        "address",
        &[
            "request.client_ip",
            "request.remote_ip",
            "request.remote_addr",
            "remote_addr",
            "ClientIP",
            "ClientHost",
            "client_ip",
            "remote_ip",
            "source.ip",
            "client.ip",
            "httpRequest.remoteIp",
            "httpRequest.clientIp",
            "properties.clientIp",
            "clientIp",
            "cliIP",
            "proxy.clientIp",
            "req.remoteAddress",
            "c-ip",
            "downstream_remote_address",
            "remote_address",
            "CIp",
            "sourceIp",
            "source.address",
            "client.address",
            "network.client.ip",
            "request.ip",
            "req.ip",
            "remoteAddr",
            "remoteAddress",
            "remoteIp",
            "remote_host",
            "remotehost",
            "remote.ip",
            "client_addr",
            "client_address",
            "clientAddr",
            "clientAddress",
            "client_host",
            "src_ip",
            "srcip",
            "source_ip",
            "source_address",
            "src_addr",
            "ip_address",
            "ipAddress",
            "ip_addr",
            "ip",
            "client",
            "remote",
        ],
    ),
    (
        "host",
        &[
            "request.host",
            "ClientRequestHost",
            "RequestHost",
            "http_host",
            "url.domain",
            "properties.hostName",
            "properties.host",
            "reqHost",
            "proxy.host",
            "req.headers.host",
            "x-host-header",
            "cs(Host)",
            "httpRequest.headers.Host",
            "CsHost",
            "meta.req.headers.host",
            "authority",
            "vhost",
            "host",
            "server_name",
        ],
    ),
    (
        "target",
        &[
            "request.uri",
            "ClientRequestURI",
            "request_uri",
            "RequestPath",
            "url.original",
            "httpRequest.requestUrl",
            "httpRequest.uri",
            "properties.requestUri",
            "proxy.path",
            "req.url",
            "uri",
            "target",
            "url",
            "meta.req.url",
            "protoPayload.resource",
            "httpRequest.url",
        ],
    ),
    ("request", &["request"]),
    (
        "method",
        &[
            "request.method",
            "ClientRequestMethod",
            "request_method",
            "RequestMethod",
            "http.request.method",
            "httpRequest.requestMethod",
            "httpRequest.httpMethod",
            "properties.httpMethod",
            "reqMethod",
            "proxy.method",
            "req.method",
            "cs-method",
            "CsMethod",
            "httpMethod",
            "method",
            "meta.req.method",
            "httpRequest.method",
            "verb",
        ],
    ),
    (
        "status",
        &[
            "status",
            "EdgeResponseStatus",
            "DownstreamStatus",
            "http.response.status_code",
            "httpRequest.status",
            "properties.httpStatusCode",
            "properties.httpStatus",
            "status_code",
            "statusCode",
            "proxy.statusCode",
            "res.statusCode",
            "response.status",
            "response_status",
            "sc-status",
            "ScStatus",
            "response_code",
            "code",
            "httpResponse.status",
            "meta.res.statusCode",
            "response",
        ],
    ),
    (
        "agent",
        &[
            "request.headers.User-Agent",
            "ClientRequestUserAgent",
            "http_user_agent",
            "request_User-Agent",
            "user_agent.original",
            "httpRequest.userAgent",
            "httpRequest.headers.User-Agent",
            "properties.userAgent",
            "proxy.userAgent",
            "req.headers.user-agent",
            "request_user_agent",
            "cs(User-Agent)",
            "headers.User-Agent",
            "user_agent",
            "userAgent",
            "User-Agent",
            "UA",
            "httpRequest.header.User-Agent",
            "meta.req.headers.user-agent",
            "agent",
        ],
    ),
    ("path", &["ClientRequestPath", "url.path", "reqPath", "cs-uri-stem", "CsUriStem", "path"]),
    (
        "query",
        &[
            "args",
            "query_string",
            "url.query",
            "queryStr",
            "cs-uri-query",
            "CsUriQuery",
            "ClientRequestQuery",
            "httpRequest.args",
            "requestQuery",
            "properties.requestQuery",
            "query",
        ],
    ),
    (
        "forwarded",
        &[
            "request.headers.X-Forwarded-For",
            "httpRequest.headers.X-Forwarded-For",
            "http_x_forwarded_for",
            "x_forwarded_for",
            "ClientXFF",
            "xff",
        ],
    ),
    ("size", &["body_bytes_sent", "EdgeResponseBodyBytes", "DownstreamContentSize", "size"]),
    // The day of a time that has none.
    ("date", &["date"]),
    // A line of another log, as Docker, systemd, Loki and Google Cloud keep it.
    ("line", &["log", "message", "line", "textPayload", "short_message"]),
];

impl Default for JsonNames {
    fn default() -> Self {
        Self::new(DEFAULTS.map(|(_, names)| names.iter().map(|name| name.as_bytes().to_vec()).collect()))
    }
}

impl JsonNames {
    fn new(names: [Vec<Vec<u8>>; ROLES]) -> Self {
        let mut places: HashMap<Vec<u8>, Vec<_>, _> = HashMap::default();
        for (role, names) in names.iter().enumerate() {
            for (rank, name) in names.iter().enumerate() {
                places.entry(name.iter().map(plain_byte).collect()).or_default().push((role, rank));
            }
        }
        Self { names, places }
    }

    /// Returns the names for a log whose objects are requests. What another object has of a line may be a text that a client sent.
    pub(super) fn of_requests() -> Self {
        Self::default().with_names(LINE, Vec::new())
    }

    fn with_names(self, role: usize, names: Vec<Vec<u8>>) -> Self {
        let mut all = self.names;
        if let Some(known) = all.get_mut(role) {
            *known = names;
        }
        Self::new(all)
    }

    /// Sets the name of a field. Returns whether there is such a role.
    pub(super) fn set(&mut self, role: &str, name: &str) -> bool {
        let Some(role) = Self::roles().position(|known| known == role) else { return false };
        *self = self.clone().with_names(role, vec![name.as_bytes().to_vec()]);
        true
    }

    /// Returns the roles that can be set.
    pub(super) fn roles() -> impl Iterator<Item = &'static str> {
        DEFAULTS.iter().map(|(name, _)| *name)
    }

    /// Reads a line, and returns whether it has a field for the header. `None` if it is not a JSON object, or has no time or no
    /// request.
    pub(super) fn read<'l>(&self, line: &'l [u8]) -> Option<(RawLine<'l>, bool)> {
        self.read_within(line, true)
    }

    /// Reads a line, which may have another one in a field.
    fn read_within<'l>(&self, line: &'l [u8], may_have_line: bool) -> Option<(RawLine<'l>, bool)> {
        let line = object_of(line);
        let mut scan =
            Scan { rest: line, path: Vec::new(), plain: Vec::new(), names: self, found: Default::default() };
        scan.blanks();
        scan.value(0)?;
        scan.blanks();
        // An array may have an object a line.
        if !matches!(scan.rest, [] | [b',']) || line.trim_ascii_start().first() != Some(&b'{') {
            return None;
        }
        let rank = |role: usize| scan.found.get(role).and_then(|found| Some(found.as_ref()?.0 % DIRECT));
        let agent_rank = rank(AGENT);
        // `$uri` of nginx, and `%U` of Apache, are without the query.
        let target_name = rank(TARGET).and_then(|rank| self.names.get(TARGET)?.get(rank));
        let has_query = rank(QUERY).is_some() || target_name.is_some_and(|name| name != b"uri");
        let [
            time,
            address,
            host,
            target,
            request,
            method,
            status,
            agent,
            path,
            query,
            forwarded,
            size,
            date,
            inner,
        ] = scan.found.map(|found| found.map(|(_, value)| value));
        // The request may be only a path, whose query is in another field.
        let (target, request) = match request {
            Some(path) if target.is_none() && path.first() == Some(&b'/') => (Some(path), None),
            request => (target, request),
        };
        let request = match (target.or_else(|| path.map(rooted)), request) {
            // The query may be in another field, too.
            (Some(path), _) => {
                let query = query.filter(|_| memchr::memchr(b'?', &path).is_none());
                RequestText::Parts { method, path, query, has_query }
            }
            (None, Some(request)) => RequestText::Line(request),
            (None, None) => {
                let inner = inner.filter(|_| may_have_line)?;
                let inner = inner.trim_ascii_end();
                let (raw, has_agent) = match inner.first() {
                    Some(b'{') => self.read_within(inner, false)?,
                    _ => (read_with_host(inner)?, true),
                };
                return Some((raw.into_owned(), has_agent));
            }
        };
        let time = match (time, date) {
            // As Apache writes `%t`.
            (Some(Cow::Borrowed([b'[', time @ .., b']'])), _) => Cow::Borrowed(time),
            (Some(time), Some(date)) if time.get(2) == Some(&b':') => {
                Cow::Owned([&*date, b" ", &*time].concat())
            }
            (Some(time), _) => time,
            (None, Some(date)) if date.len() > b"2025-11-10".len() => date,
            (None, _) => return None,
        };
        let has_agent = agent.is_some();
        // Akamai encodes the header.
        let agent = match agent.unwrap_or_default() {
            agent
                if memchr::memchr(b' ', &agent).is_none()
                    && memchr::memmem::find(&agent, b"%20").is_some() =>
            {
                Cow::Owned(agent_decoded(&agent).into_owned())
            }
            agent => agent,
        };
        // CloudFront encodes the path, too.
        let agent_name = agent_rank.and_then(|rank| self.names.get(AGENT)?.get(rank));
        let is_encoded = agent_name.is_some_and(|name| name == b"cs(User-Agent)");
        let raw = RawLine {
            time,
            address,
            forwarded,
            host,
            request,
            status: status.unwrap_or_default(),
            size: size.unwrap_or_default(),
            agent,
            escapes: if is_encoded { Escapes::Percent } else { Escapes::None },
            has_names: true,
        };
        Some((raw, has_agent))
    }
}

/// The number of the role of the header.
const AGENT: usize = 7;
const TARGET: usize = 3;
const QUERY: usize = 9;
const LINE: usize = 13;

const FORWARDED: usize = 10;

/// Objects around what would else be the whole object, as Google and Datadog write them.
const WRAPPERS: [&[u8]; 3] = [b"http.", b"jsonpayload.", b"protopayload."];

/// More than the rank of any name: those outside of a wrapper are preferred.
const DIRECT: usize = 1000;

/// Returns a byte by which names are compared: in lower or upper case, and with `-` or `_`, they are equal.
fn plain_byte(byte: &u8) -> u8 {
    if *byte == b'-' { b'_' } else { byte.to_ascii_lowercase() }
}

/// The path of the elements of an array after the first one.
const LATER: &[u8] = b".#";

/// The most bytes of a name that count.
const LONGEST_NAME: usize = 64;

/// Returns the object of a line, without the prefix of another program. Other lines stay as they are.
pub(super) fn object_of(line: &[u8]) -> &[u8] {
    if matches!(line.first(), Some(b'{' | b'[')) {
        return line;
    }
    after_prefix(line).filter(|object| object.first() == Some(&b'{')).unwrap_or(line)
}

/// Returns whether a line that can't be read ends with an object after other text.
pub(super) fn is_object_after_text(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.ends_with(b"}") && memchr::memchr(b'{', line).is_some_and(|at| at > 0)
}

/// The deepest nesting that is read.
const DEEPEST: usize = 32;

/// A value, and the rank of its name among those of its role.
type Found<'l> = Option<(usize, Cow<'l, [u8]>)>;

struct Scan<'l, 'n> {
    rest: &'l [u8],
    path: Vec<u8>,
    /// The path as it is compared.
    plain: Vec<u8>,
    names: &'n JsonNames,
    found: [Found<'l>; ROLES],
}

impl<'l> Scan<'l, '_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn byte(&mut self, byte: u8) -> Option<()> {
        self.rest = self.rest.strip_prefix(&[byte])?;
        Some(())
    }

    /// Reads a value at the current path.
    fn value(&mut self, depth: usize) -> Option<()> {
        match *self.rest.first()? {
            b'{' if depth < DEEPEST => self.object(depth),
            b'[' if depth < DEEPEST => self.array(depth),
            b'"' => {
                let text = self.string()?;
                self.keep(text);
                Some(())
            }
            _ => {
                let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace();
                let end = self.rest.iter().position(is_end).unwrap_or(self.rest.len());
                let (text, rest) = self.rest.split_at_checked(end)?;
                let is_scalar = matches!(text, b"null" | b"true" | b"false")
                    || matches!(text.first(), Some(b'-' | b'0'..=b'9'));
                if !is_scalar {
                    return None;
                }
                self.rest = rest;
                if text != b"null" {
                    self.keep(text.into());
                } else {
                    self.keep(Cow::Borrowed(&[]));
                }
                Some(())
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<()> {
        self.byte(b'{')?;
        self.blanks();
        if self.byte(b'}').is_some() {
            return Some(());
        }
        let length = self.path.len();
        let is_later = self.path.ends_with(LATER);
        // The objects `{"name": "Host", "value": "example.com"}` of an array are like one object with these fields.
        let mut label = None;
        loop {
            self.blanks();
            let name = self.string()?;
            let label_of_value = label.as_ref().filter(|_| *name == *b"value");
            let is_moved = is_later && label_of_value.is_some();
            if is_moved {
                self.path.truncate(length - LATER.len());
            }
            if !self.path.is_empty() {
                self.path.push(b'.');
            }
            let field = label_of_value.unwrap_or(&name);
            self.path.extend_from_slice(field.get(..LONGEST_NAME).unwrap_or(field));
            self.blanks();
            self.byte(b':')?;
            self.blanks();
            if *name == *b"name" && self.rest.first() == Some(&b'"') {
                let text = self.string()?;
                self.keep(text.clone());
                label = Some(text);
            } else {
                self.value(depth + 1)?;
            }
            if is_moved {
                self.path.truncate(length - LATER.len());
                self.path.extend_from_slice(LATER);
            }
            self.path.truncate(length);
            self.blanks();
            if self.byte(b',').is_none() {
                return self.byte(b'}');
            }
        }
    }

    fn array(&mut self, depth: usize) -> Option<()> {
        self.byte(b'[')?;
        self.blanks();
        if self.byte(b']').is_some() {
            return Some(());
        }
        let length = self.path.len();
        loop {
            self.blanks();
            self.value(depth + 1)?;
            // Only the first element counts.
            if !self.path.ends_with(LATER) {
                self.path.extend_from_slice(LATER);
            }
            self.blanks();
            if self.byte(b',').is_none() {
                self.path.truncate(length);
                return self.byte(b']');
            }
        }
    }

    /// Keeps a value if its path is the name of a role.
    fn keep(&mut self, value: Cow<'l, [u8]>) {
        let is_later = self.path.ends_with(LATER);
        let path = self.path.strip_suffix(LATER).unwrap_or(&self.path);
        self.plain.clear();
        self.plain.extend(path.iter().map(plain_byte));
        let of = |name: &[u8], last| self.names.places.get(name).map(|places| (places, last));
        let wrapped = || WRAPPERS.iter().find_map(|wrapper| of(self.plain.strip_prefix(*wrapper)?, DIRECT));
        let Some((places, last)) = of(&self.plain, 0).or_else(wrapped) else { return };
        for (role, rank) in places {
            let (Some(found), rank) = (self.found.get_mut(*role), rank + last) else { continue };
            match found {
                // Each proxy may add a header of its own, of which the client chooses the first one.
                Some((other, list)) if *role == FORWARDED && rank == *other => {
                    let list = list.to_mut();
                    list.push(b',');
                    list.extend_from_slice(&value);
                    return;
                }
                Some((other, _)) if rank >= *other => {}
                _ if is_later => {}
                _ => {
                    *found = Some((rank, value));
                    return;
                }
            }
        }
    }

    fn string(&mut self) -> Option<Cow<'l, [u8]>> {
        self.byte(b'"')?;
        let text = self.rest;
        let end = memchr::memchr2(b'"', b'\\', text)?;
        if text.get(end) == Some(&b'"') {
            self.rest = text.get(end + 1..)?;
            return Some(Cow::Borrowed(text.get(..end)?));
        }
        let mut plain = text.get(..end)?.to_vec();
        let mut rest = text.get(end..)?;
        loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            match byte {
                b'"' => break,
                b'\\' => rest = escape(after, &mut plain)?,
                _ => plain.push(byte),
            }
        }
        self.rest = rest;
        Some(Cow::Owned(plain))
    }
}

/// Reads an escape after its backslash, and returns what follows.
fn escape<'l>(text: &'l [u8], plain: &mut Vec<u8>) -> Option<&'l [u8]> {
    let (&byte, rest) = text.split_first()?;
    let plain_byte = match byte {
        b'"' | b'\\' | b'/' => byte,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        // As nginx writes without `escape=json`.
        b'x' => {
            plain.push(u8::try_from(hex(rest.get(..2)?)?).ok()?);
            return rest.get(2..);
        }
        b'u' => {
            let first = hex(rest.get(..4)?)?;
            let mut rest = rest.get(4..)?;
            let mut code = first;
            if (0xD800..0xDC00).contains(&first) {
                let second = rest.strip_prefix(b"\\u").and_then(|rest| hex(rest.get(..4)?));
                if let Some(second) = second.filter(|second| (0xDC00..0xE000).contains(second)) {
                    code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                    rest = rest.get(6..)?;
                }
            }
            let char = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            plain.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(rest);
        }
        _ => return None,
    };
    plain.push(plain_byte);
    Some(rest)
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| Some(number * 16 + (*digit as char).to_digit(16)?))
}

/// Returns a path with the `/` at its start, which Akamai leaves out. It may encode the others. URLs, `*` and `-` stay.
fn rooted(path: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let has_slash = path.contains(&b'/');
    let form = TextForm::of(&path);
    if matches!(form, TextForm::Path | TextForm::Url) || matches!(&*path, b"-" | b"*") {
        return path;
    }
    let mut rooted = vec![b'/'];
    let mut rest = &*path;
    while let Some((byte, after)) = rest.split_first() {
        let is_slash = !has_slash && rest.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"%2F"));
        rooted.push(if is_slash { b'/' } else { *byte });
        rest = if is_slash { rest.get(3..).unwrap_or_default() } else { after };
    }
    Cow::Owned(rooted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_the_number_of_their_names() {
        assert_eq!(
            [AGENT, TARGET, QUERY, FORWARDED, LINE].map(|role| DEFAULTS[role].0),
            ["agent", "target", "query", "forwarded", "line"]
        );
    }

    #[test]
    fn paths_begin_with_a_slash() {
        for (path, read) in [
            ("/a/b", "/a/b"),
            ("a/b", "/a/b"),
            ("a%2Fb%20c", "/a/b%20c"),
            ("a/b%2Fc", "/a/b%2Fc"),
            ("-", "-"),
            ("*", "*"),
            ("a/b?u=https://example.com/", "/a/b?u=https://example.com/"),
            ("robots.txt", "/robots.txt"),
            ("", "/"),
            ("https://example.com/a", "https://example.com/a"),
        ] {
            assert_eq!(&*rooted(Cow::Borrowed(path.as_bytes())), read.as_bytes());
        }
    }

    #[test]
    fn lines_are_found_in_lines() {
        let names = JsonNames::default();
        let combined = r#"192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "A/1""#;
        let caddy = r#"{"ts":1,"request":{"uri":"/a","headers":{"User-Agent":["A/1"]}},"status":200}"#;
        for (inner, is_read) in [(combined, true), (caddy, true), ("hello", false), ("{}", false)] {
            let docker =
                |inner: &str| serde_json::json!({"log": format!("{inner}\n"), "time": "t"}).to_string();
            let line = docker(inner);
            let line = names.read(line.as_bytes());
            assert_eq!(line.is_some(), is_read, "{inner}");
            if let Some((line, has_agent)) = line {
                assert!(has_agent);
                assert_eq!(line.request().1.as_deref(), Some(&b"/a"[..]));
                assert_eq!(line.agent().as_deref(), Some(&b"A/1"[..]));
            }
            // Once.
            assert!(names.read(docker(&docker(inner)).as_bytes()).is_none(), "{inner}");
        }
    }

    #[test]
    fn fields_are_found_by_their_paths() {
        let names = JsonNames::default();
        let line = br#"{"ts":1.5,"request":{"client_ip":"::1","method":"GET","host":"a","uri":"/\u00e9\n","headers":{"User-Agent":["b\"","c"]}},"status":200}"#;
        let (line, has_agent) = names.read(line).unwrap();
        assert!(has_agent);
        assert_eq!(*line.time, *b"1.5");
        assert_eq!(line.agent().as_deref(), Some(&b"b\""[..]));
        assert_eq!(line.request().1.as_deref(), Some("/é\n".as_bytes()));
        let line =
            br#"{"time_iso8601":"t","request":"GET /a HTTP/1.1","http_user_agent":null,"x":[{"status":1}]}"#;
        let (line, has_agent) = names.read(line).unwrap();
        assert_eq!(line.request().1.as_deref(), Some(&b"/a"[..]));
        assert_eq!((line.agent(), has_agent), (None, true));
        // The client chooses the first header, and a name outside of a wrapper is preferred.
        let line = br#"{"time":"t","http":{"url":"/b","useragent":"c","client-ip":"::2"},"ip":"::1","X-Forwarded-For":["a","b"]}"#;
        let (line, _) = names.read(line).unwrap();
        assert_eq!(line.request().1.as_deref(), Some(&b"/b"[..]));
        assert_eq!((line.agent().as_deref(), line.address.as_deref()), (Some(&b"c"[..]), Some(&b"::1"[..])));
        assert_eq!(line.forwarded.as_deref(), Some(&b"a,b"[..]));
        // Some programs leave out a header that a request has not.
        let (line, has_agent) = names.read(br#"{"ts":1,"uri":"/a"}"#).unwrap();
        assert_eq!((line.agent(), has_agent), (None, false));
        for broken in ["", "[]", "{", r#"{"ts":1"#, r#"{"ts":1}x"#, r#"{"ts":1}"#, r#"{"ts":"\u12"}"#] {
            assert!(names.read(broken.as_bytes()).is_none(), "{broken}");
        }
        let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
        assert!(names.read(&deep).is_none());
    }
}
