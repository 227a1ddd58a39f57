//! Logs with a line of field names (W3C, CloudFront), and those of load balancers.

use alloc::borrow::Cow;

use crate::log::raw_line::{Escapes, RawLine, RequestText};

/// The columns of a log that names its fields, as the last `#Fields:` line has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    count: usize,
    date: Option<usize>,
    time: Option<usize>,
    address: Option<usize>,
    forwarded: Option<usize>,
    host: Option<usize>,
    method: Option<usize>,
    path: Option<usize>,
    query: Option<usize>,
    status: Option<usize>,
    agent: Option<usize>,
    /// Whether a column has queries.
    has_query: bool,
    /// The date of a `#Date:` line, for logs without a column for it.
    day: Vec<u8>,
}

impl Columns {
    /// Reads a line that begins with `#`.
    pub(super) fn directive(&mut self, line: &[u8]) {
        if let Some(date) = line.strip_prefix(b"#Date:") {
            self.day = date.trim_ascii().get(..10).unwrap_or_default().to_vec();
        }
        let Some(names) = line.strip_prefix(b"#Fields:") else { return };
        *self = Self { day: core::mem::take(&mut self.day), ..Self::default() };
        let names = names.split(u8::is_ascii_whitespace).filter(|name| !name.is_empty());
        for (index, name) in names.enumerate() {
            self.count = index + 1;
            let name = name.to_ascii_lowercase();
            let place = match &*name {
                b"date" => &mut self.date,
                b"time" | b"timestamp" => &mut self.time,
                b"c-ip" => &mut self.address,
                b"x-forwarded-for" | b"cs(x-forwarded-for)" => &mut self.forwarded,
                // The host that the client asked; `cs(Host)` of CloudFront is the name of the distribution.
                b"x-host-header" | b"cs-host" | b"cs(host)" => {
                    if self.host.is_none() || *name == *b"x-host-header" {
                        self.host = Some(index);
                    }
                    continue;
                }
                b"cs-method" => &mut self.method,
                b"cs-uri-stem" => &mut self.path,
                b"cs-uri" if self.path.is_none() => &mut self.path,
                b"cs-uri-query" => &mut self.query,
                b"sc-status" => &mut self.status,
                b"cs(user-agent)" | b"c-user-agent" => &mut self.agent,
                _ => continue,
            };
            *place = Some(index);
            self.has_query |= matches!(&*name, b"cs-uri" | b"cs-uri-query");
        }
    }

    /// Returns what the lines lack, if something without which no line can be judged.
    pub(super) fn missing(&self) -> Option<&'static str> {
        match self {
            Self { count: 0, .. } => Some("a line `#Fields:`"),
            Self { agent: None, .. } => Some("the User-Agent header (`cs(User-Agent)`)"),
            Self { time: None, .. } => Some("the time"),
            Self { path: None, .. } => Some("the path (`cs-uri-stem`)"),
            _ => None,
        }
    }

    /// Reads a line whose fields are separated by `separator`. Where it is a space, fields may be in quotation marks.
    pub(super) fn read<'l>(&self, line: &'l [u8], separator: u8, escapes: Escapes) -> Option<RawLine<'l>> {
        let has_quotes = separator == b' ' && memchr::memchr(b'"', line).is_some();
        let plain = memchr::memchr_iter(separator, line).chain([line.len()]);
        if !has_quotes {
            return self.read_fields(line, plain, escapes);
        }
        // IIS writes no spaces in fields, and quotes as they are.
        let quoted = || {
            let (mut start, mut is_broken) = (0, false);
            core::iter::from_fn(move || {
                let rest = line.get(start..)?;
                let is_quoted = !is_broken && rest.first() == Some(&b'"');
                let end = if is_quoted { end_of_quoted(rest) } else { None };
                // Where a quote has no end, those after it are not looked for: each search would go to the end of the line.
                is_broken |= is_quoted && end.is_none();
                let end = start + end.or_else(|| memchr::memchr(b' ', rest)).unwrap_or(rest.len());
                start = end + 1;
                Some(end)
            })
        };
        if plain.clone().count() != self.count && quoted().count() == self.count {
            return self.read_fields(line, quoted(), escapes);
        }
        self.read_fields(line, plain, escapes)
    }

    /// Reads a line whose fields end at `ends`.
    fn read_fields<'l>(
        &self,
        line: &'l [u8],
        ends: impl Iterator<Item = usize>,
        escapes: Escapes,
    ) -> Option<RawLine<'l>> {
        let mut date = None;
        let mut time = None;
        let mut found = [None; 8];
        let wanted = [
            self.address,
            self.forwarded,
            self.host,
            self.method,
            self.path,
            self.query,
            self.status,
            self.agent,
        ];
        let mut count = 0;
        let mut start = 0;
        for (index, end) in ends.enumerate() {
            let field = start..end;
            start = end + 1;
            count = index + 1;
            if self.date == Some(index) {
                date = Some(field);
            } else if self.time == Some(index) {
                time = Some(field);
            } else if let Some(at) = wanted.iter().position(|wanted| *wanted == Some(index)) {
                *found.get_mut(at)? = line.get(field).map(without_quotes);
            }
        }
        if count < self.count {
            return None;
        }
        let time = time?;
        let time = match date {
            // One after the other.
            Some(date) if date.end + 1 == time.start => Cow::Borrowed(line.get(date.start..time.end)?),
            Some(date) => {
                Cow::Owned([without_quotes(line.get(date)?), b" ", without_quotes(line.get(time)?)].concat())
            }
            None if self.day.is_empty() => Cow::Borrowed(without_quotes(line.get(time)?)),
            None => Cow::Owned([&*self.day, b" ", line.get(time)?].concat()),
        };
        let [address, forwarded, host, method, path, query, status, agent] =
            found.map(|field| field.map(Cow::Borrowed));
        Some(RawLine {
            time,
            address,
            forwarded,
            host,
            request: RequestText::Parts { method, path: path?, query, has_query: self.has_query },
            status: status.unwrap_or_default(),
            // `sc-bytes` is the size of fields and body.
            size: Cow::default(),
            agent: agent?,
            escapes,
            has_names: true,
        })
    }
}

/// Returns the end of a field in quotation marks, which may have spaces. A quote in it is doubled. `None` if it has no end.
fn end_of_quoted(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr::memchr(b'"', text.get(at..)?)?;
        match text.get(at + 1) {
            Some(b'"') => at += 2,
            None | Some(b' ') => return Some(at + 1),
            Some(_) => at += 1,
        }
    }
}

/// Returns a field without the quotation marks around it.
fn without_quotes(field: &[u8]) -> &[u8] {
    match field {
        [b'"', text @ .., b'"'] => text,
        _ => field,
    }
}

/// Reads a line of a load balancer of AWS: an Application Load Balancer, or a Classic one, whose lines begin with the time.
pub(super) fn read_alb(line: &[u8]) -> Option<RawLine<'_>> {
    const TYPES: [&[u8]; 6] = [b"h2", b"http", b"https", b"ws", b"wss", b"grpcs"];
    let (mut fields, mut count) = fields_of::<22>(line)?;
    if fields.first().is_some_and(|first| first.get(10) == Some(&b'T')) {
        fields.rotate_right(1);
        if let Some(kind) = fields.first_mut() {
            *kind = b"http";
        }
        count += 1;
    }
    let [kind, time, _, client, _, _, _, _, status, _, _, _, request, agent, .., created] = fields;
    if count < 14 || !TYPES.contains(&kind) || time.get(10) != Some(&b'T') {
        return None;
    }
    // The time of the request, rather than that of the answer.
    let time = if created.get(10) == Some(&b'T') { created } else { time };
    let address = client.get(..memchr::memrchr(b':', client)?)?;
    Some(RawLine {
        time: time.into(),
        address: Some(address.into()),
        forwarded: None,
        host: None,
        request: RequestText::Line(request.into()),
        status: status.into(),
        size: Cow::default(),
        agent: agent.into(),
        escapes: Escapes::Backslash,
        has_names: false,
    })
}

/// Reads a line of the server access logs of Amazon S3.
pub(super) fn read_s3(line: &[u8]) -> Option<RawLine<'_>> {
    let (owner, rest) = line.split_at_checked(memchr::memmem::find(line, b" [")?)?;
    let (bucket, time) = (owner.get(memchr::memchr(b' ', owner)? + 1..)?, rest.get(2..)?);
    let (time, rest) = time.split_at_checked(memchr::memmem::find(time, b"] ")?)?;
    let (fields, count) = fields_of::<14>(rest.get(1..)?)?;
    let [address, .., request, status, _, sent, _, _, _, _, agent] = fields;
    let has_bucket = !bucket.is_empty() && memchr::memchr(b' ', bucket).is_none();
    if count < fields.len() || !has_bucket || !crate::log::template::is_status(status) {
        return None;
    }
    Some(RawLine {
        time: time.into(),
        address: Some(address.into()),
        forwarded: None,
        host: Some(bucket.into()),
        request: RequestText::Line(request.into()),
        status: status.into(),
        size: sent.into(),
        agent: agent.into(),
        escapes: Escapes::Backslash,
        has_names: false,
    })
}

/// Returns the first fields of a line, which are separated by spaces and may be in quotation marks, and their number. `None` if
/// quotation marks have no end.
fn fields_of<const COUNT: usize>(line: &[u8]) -> Option<([&[u8]; COUNT], usize)> {
    let mut fields: [&[u8]; COUNT] = [&[]; COUNT];
    let mut rest = line;
    let mut count = 0;
    for field in &mut fields {
        rest = rest.trim_ascii_start();
        let Some(first) = rest.first() else { break };
        let (value, after) = match first {
            b'"' => {
                let text = rest.get(1..)?;
                let mut end = memchr::memchr(b'"', text)?;
                while crate::log::template::is_escaped(text, end) {
                    end += 1 + memchr::memchr(b'"', text.get(end + 1..)?)?;
                }
                (text.get(..end)?, text.get(end + 1..)?)
            }
            _ => rest.split_at_checked(memchr::memchr(b' ', rest).unwrap_or(rest.len()))?,
        };
        *field = value;
        rest = after;
        count += 1;
    }
    Some((fields, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_names_counts() {
        let mut columns = Columns::default();
        assert_eq!(columns.missing(), Some("a line `#Fields:`"));
        columns.directive(
            b"#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) sc-status",
        );
        assert_eq!(columns.missing(), None);
        let line = columns.read(b"2025-11-10 10:00:00 GET /a x=1 ::1 a+b 200", b' ', Escapes::Plus).unwrap();
        assert_eq!(*line.time, *b"2025-11-10 10:00:00");
        assert_eq!(line.request().1.as_deref(), Some(&b"/a?x=1"[..]));
        assert_eq!(line.agent().as_deref(), Some(&b"a b"[..]));
        let quoted = br#"2025-11-10 10:00:00 GET "/a b" - ::1 "a ""b"" c" 200"#;
        let line = columns.read(quoted, b' ', Escapes::Plus).unwrap();
        assert_eq!(line.request().1.as_deref(), Some(&b"/a b"[..]));
        assert_eq!(line.agent().as_deref(), Some(&br#"a ""b"" c"#[..]));
        // A quote of a client hides no field.
        let line = columns.read(br#"2025-11-10 10:00:00 GET "a x ::1 b" 200"#, b' ', Escapes::Plus).unwrap();
        assert_eq!(line.agent().as_deref(), Some(&b"b\""[..]));
        // One search finds that quotes have no end.
        let broken = [&b"2025-11-10 10:00:00 "[..], &b"\"a ".repeat(100_000)].concat();
        assert!(columns.read(&broken, b' ', Escapes::Plus).is_some());
        columns.directive(b"#Fields: timestamp c-ip cs-method cs-uri-stem c-user-agent");
        let line = columns.read(br#"1762768800 ::1 GET http://a/b "c d""#, b' ', Escapes::Plus).unwrap();
        assert_eq!((&*line.time, line.agent().as_deref()), (&b"1762768800"[..], Some(&b"c d"[..])));
        columns.directive(b"#Fields: time cs-uri-stem");
        columns.directive(b"#Date: 2025-11-10 10:00:00");
        assert!(columns.missing().is_some());
    }

    #[test]
    fn lines_of_amazon_s3_leave_out_the_quotes_of_missing_texts() {
        let start = "79a example.com [10/Nov/2025:10:00:00 +0000] 192.0.2.1 - 3E57 REST.GET.OBJECT a%2Fb";
        for (rest, target, status, agent) in [
            (
                r#""GET /a/b HTTP/1.1" 200 - 12 34 7 1 "-" "A/1" - x SigV4"#,
                Some("/a/b"),
                Some(200),
                Some("A/1"),
            ),
            (r#""GET /a/b HTTP/1.1" 200 - 12 34 7 1 - "A/1" -"#, Some("/a/b"), Some(200), Some("A/1")),
            (r#""GET /a/b HTTP/1.1" 304 - - 34 7 1 "-" - -"#, Some("/a/b"), Some(304), None),
            ("- 204 - - 34 - - - - -", None, Some(204), None),
            ("- - - - 34 - - - - -", None, None, None),
        ] {
            let line = format!("{start} {rest}");
            let line = read_s3(line.as_bytes()).unwrap();
            assert_eq!(line.request().1.as_deref(), target.map(str::as_bytes), "{rest}");
            assert_eq!(
                (line.status(), line.agent().as_deref()),
                (status, agent.map(str::as_bytes)),
                "{rest}"
            );
            assert_eq!(
                (&*line.time, line.host.as_deref()),
                (&b"10/Nov/2025:10:00:00 +0000"[..], Some(&b"example.com"[..]))
            );
        }
        for other in [
            "",
            r#"192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] "GET / HTTP/1.1" 200 12 "-" "A/1" 1 2 3 4 5 6 7 8"#,
            &format!("{start} \"GET / HTTP/1.1"),
            &format!("{start} \"GET / HTTP/1.1\" 200 - 12 34 7 1 \"-\""),
        ] {
            assert!(read_s3(other.as_bytes()).is_none(), "{other}");
        }
    }

    #[test]
    fn lines_of_load_balancers_have_the_time_of_the_request() {
        let line = br#"https 2025-11-10T10:00:09.1Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.0 0.1 0.0 200 200 34 366 "GET https://example.com:443/a?b HTTP/1.1" "Example\"Bot/1.0" c TLSv1.2 arn "Root" "example.com" "arn" 0 2025-11-10T10:00:00.5Z "forward""#;
        let line = read_alb(line).unwrap();
        assert_eq!(*line.time, *b"2025-11-10T10:00:00.5Z");
        assert_eq!(line.address.as_deref(), Some(&b"192.0.2.1"[..]));
        assert_eq!(line.agent().as_deref(), Some(&b"Example\"Bot/1.0"[..]));
        let line = br#"2025-11-10T10:00:09.1Z lb 192.0.2.1:2817 10.0.0.1:80 0.0 0.1 0.0 200 200 0 29 "GET http://example.com:80/a HTTP/1.1" "curl/7.38.0" - -"#;
        let line = read_alb(line).unwrap();
        assert_eq!((&*line.time, &*line.status), (&b"2025-11-10T10:00:09.1Z"[..], &b"200"[..]));
        assert_eq!(line.agent().as_deref(), Some(&b"curl/7.38.0"[..]));
        assert!(read_alb(b"http x").is_none());
    }
}
