//! The formats of access logs, and how one is recognized.

use core::fmt;

use crate::log::columns::{Columns, read_alb, read_s3};
use crate::log::json::{JsonNames, object_of};
use crate::log::line::LogLine;
use crate::log::objects::JsonObjects;
use crate::log::quoted::{columns_after_request, read_combined, read_with_host, split_host};
use crate::log::raw_line::{BYTE_ORDER_MARK, Escapes, LONGEST_LINE, RawLine, lines_of};
use crate::log::template::Template;
use crate::log::time::{LastTime, LogTime};

/// The format of an access log.
///
/// ```
/// use robots_fetch::log::LogFormat;
///
/// let sample = br#"192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "ExampleBot/1.0"
/// "#;
/// let format = LogFormat::detect(sample).unwrap();
/// assert_eq!(format.name(), "combined");
/// let line = format.reader().read(sample).unwrap();
/// assert_eq!(line.agent.as_deref(), Some(&b"ExampleBot/1.0"[..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFormat {
    kind: Kind,
    zone: i64,
    /// Whether lines in other formats are read, too, because the format was recognized and not named.
    is_mixed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Combined,
    Vhost,
    Common,
    W3c,
    CloudFront,
    Alb,
    S3,
    Json(Box<JsonNames>),
    /// Format strings of Apache or nginx, with the name of their format. The first one that reads a line counts.
    Strings(&'static str, Vec<Template>),
}

/// The names of formats of other programs, and how their lines would be written with the variables of nginx.
const STRINGS: [(&str, &[&str]); 3] = [
    // Of Istio, too: what it adds has no spaces, so the third text in quotation marks stays the header.
    (
        "envoy",
        &[
            r#"[$time_iso8601] "$request" $status $flags $received $sent $duration $upstream_time "$http_x_forwarded_for" "$http_user_agent" "$id" "$host" "$upstream""#,
        ],
    ),
    (
        "proxy-manager",
        &[
            r#"[$time_local] $cache $upstream_status $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $sent] [Gzip $ratio] [Sent-to $upstream] "$http_user_agent" "$http_referer""#,
            r#"[$time_local] $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $sent] [Gzip $ratio] "$http_user_agent" "$http_referer""#,
        ],
    ),
    (
        "bunny",
        &[
            "$cache|$status|$msec|$sent|$zone|$remote_addr|$http_referer|$request_uri|$edge|$http_user_agent|$id|$country",
        ],
    ),
];

/// The error for a text that is not the name of a format, nor a format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidFormat(String);

impl fmt::Display for InvalidFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for InvalidFormat {}

impl LogFormat {
    /// The Combined Log Format of Apache and nginx.
    pub const COMBINED: Self = Self::of(Kind::Combined);
    /// The same after host and port, as in Apache's `vhost_combined`.
    pub const VHOST: Self = Self::of(Kind::Vhost);
    /// The Common Log Format, which has no `User-Agent` header, so that no line can be judged.
    pub const COMMON: Self = Self::of(Kind::Common);
    /// The Extended Log Format of W3C, which IIS writes.
    pub const W3C: Self = Self::of(Kind::W3c);
    /// Standard logs of Amazon CloudFront.
    pub const CLOUDFRONT: Self = Self::of(Kind::CloudFront);
    /// Access logs of an AWS Application Load Balancer.
    pub const ALB: Self = Self::of(Kind::Alb);

    /// The names of the formats: those above, `json`, and those of Envoy and Istio, Amazon S3, Nginx Proxy Manager, and the CDN bunny.net.
    pub const NAMES: [&str; 11] = [
        "combined",
        "vhost",
        "common",
        "w3c",
        "cloudfront",
        "alb",
        "json",
        "envoy",
        "s3",
        "proxy-manager",
        "bunny",
    ];

    const fn of(kind: Kind) -> Self {
        Self { kind, zone: 0, is_mixed: false }
    }

    /// Returns a format of JSON objects with the fields that Caddy, nginx and Cloudflare write.
    #[must_use]
    pub fn json() -> Self {
        Self::of(Kind::Json(Box::default()))
    }

    /// Returns the format with a name, or that of a format string of Apache or nginx.
    ///
    /// # Errors
    ///
    /// The text is neither, or its lines would lack time, request or `User-Agent` header.
    pub fn parse(text: &str) -> Result<Self, InvalidFormat> {
        Ok(match text {
            "combined" => Self::COMBINED,
            "vhost" => Self::VHOST,
            "common" => Self::COMMON,
            "w3c" => Self::W3C,
            "cloudfront" => Self::CLOUDFRONT,
            "alb" => Self::ALB,
            "s3" => Self::of(Kind::S3),
            "json" => Self::json(),
            _ => {
                if let Some(known) = Self::strings().find(|format| format.name() == text) {
                    return Ok(known);
                }
                let Some(template) = Template::parse(text) else {
                    let names = Self::NAMES.join(", ");
                    return Err(InvalidFormat(format!(
                        "`{}` is neither a format ({names}) nor a format string of Apache or nginx",
                        text.escape_debug()
                    )));
                };
                if let Some(missing) = template.missing() {
                    return Err(InvalidFormat(format!("the format string lacks {missing}")));
                }
                Self::of(Kind::Strings("own", vec![template]))
            }
        })
    }

    /// Returns the formats of other programs.
    fn strings() -> impl Iterator<Item = Self> {
        STRINGS.into_iter().map(|(name, texts)| {
            let template = |text: &&str| Template::parse(text).expect("the format string has fields");
            Self::of(Kind::Strings(name, texts.iter().map(template).collect()))
        })
    }

    /// Sets the zone of times without an offset, in seconds east of UTC. The default is UTC.
    #[must_use]
    pub const fn with_zone(mut self, seconds: i64) -> Self {
        self.zone = seconds;
        self
    }

    /// Sets the name of a field of JSON logs: `role` is one of time, address, host, target, request, method, status, agent, path and
    /// query. Other formats have no such names and stay as they are.
    ///
    /// # Errors
    ///
    /// There is no such role.
    pub fn with_field(mut self, role: &str, name: &str) -> Result<Self, InvalidFormat> {
        let is_known = match &mut self.kind {
            Kind::Json(names) => names.set(role, name),
            _ => JsonNames::roles().any(|known| known == role),
        };
        let roles = || JsonNames::roles().collect::<Vec<_>>().join(", ");
        let error = || InvalidFormat(format!("`{}` is not one of {}", role.escape_debug(), roles()));
        if is_known { Ok(self) } else { Err(error()) }
    }

    /// Returns the name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.kind {
            Kind::Combined => "combined",
            Kind::Vhost => "vhost",
            Kind::Common => "common",
            Kind::W3c => "w3c",
            Kind::CloudFront => "cloudfront",
            Kind::Alb => "alb",
            Kind::S3 => "s3",
            Kind::Json(_) => "json",
            Kind::Strings(name, _) => name,
        }
    }

    /// Returns what all lines of the format lack, if something without which no line can be judged.
    #[must_use]
    pub const fn missing(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Common => Some("the User-Agent header"),
            _ => None,
        }
    }

    /// Returns whether a line depends on lines before it, which name the fields.
    #[must_use]
    pub const fn has_directives(&self) -> bool {
        matches!(self.kind, Kind::W3c | Kind::CloudFront)
    }

    /// Recognizes the format of the lines with which a log begins: that of which the reader reads nine of ten lines. `None` if there
    /// is none. A sample without lines is in the Combined Log Format. A line without its end counts if it is the only one.
    ///
    /// Servers are configured anew while their logs go on. So the reader of a format that was recognized also reads lines in the
    /// Combined Log Format, with and without a host, and in JSON; of a log that begins mixed, most lines have the format. Of ten lines, one may be broken; of a short log, two if more are not.
    ///
    /// The objects of a JSON log may be in an array that [`JsonObjects`] divides into lines. If most of them have a line of another log
    /// in a field, as Docker writes it, these lines are read.
    #[must_use]
    pub fn detect(sample: &[u8]) -> Option<Self> {
        if let Some(mut objects) = JsonObjects::detect(sample) {
            let mut lines = Vec::new();
            objects.lines(sample, &mut lines);
            return if lines.is_empty() {
                Some(Self::json().mixed())
            } else {
                Self::of_lines(&lines).filter(|format| matches!(format.kind, Kind::Json(_)))
            };
        }
        Self::of_lines(sample)
    }

    /// Recognizes the format of lines, each of which has all of its request.
    fn of_lines(sample: &[u8]) -> Option<Self> {
        let sample = sample.strip_prefix(BYTE_ORDER_MARK).unwrap_or(sample);
        let lines: Vec<&[u8]> = lines_of(sample).filter(|line| !is_blank(line)).take(MOST_SAMPLED).collect();
        let is_only = lines.len() == 1;
        let lines = if sample.ends_with(b"\n") || is_only {
            &*lines
        } else {
            lines.split_last().map_or(&[][..], |(_, lines)| lines)
        };
        if lines.is_empty() {
            return Some(Self::COMBINED);
        }
        let counts = |format: &Self| {
            let mut reader = format.reader();
            let (mut read, mut all) = (0_usize, 0_usize);
            for line in lines {
                match reader.scan(line) {
                    Scanned::Directive => {}
                    Scanned::Line(raw) => {
                        all += 1;
                        read += usize::from(reader.time(&raw).is_some());
                    }
                    Scanned::Unread => all += 1,
                }
            }
            (read, all)
        };
        let fits = |format: &Self| {
            let (read, all) = counts(format);
            read * 10 >= all * 9 && (read > 0 || all == 0)
        };
        if let Some(fields) = lines.iter().find(|line| line.starts_with(b"#Fields:")) {
            // Names are separated by spaces in each of them, fields by tabs in one.
            let has_tabs =
                lines.iter().filter(|line| !line.starts_with(b"#")).any(|line| line.contains(&b'\t'));
            let is_cloudfront = has_tabs || fields.windows(6).any(|window| window == b"x-edge");
            return Some(if is_cloudfront { Self::CLOUDFRONT } else { Self::W3C });
        }
        // Some lines of Envoy would pass for ones of the Combined Log Format.
        let strings: Vec<Self> = Self::strings().collect();
        let known = || {
            let requests = Self::of(Kind::Json(Box::new(JsonNames::of_requests())));
            let first = [requests, Self::json(), Self::ALB, Self::of(Kind::S3)];
            let first = first.into_iter().chain(strings.iter().cloned());
            first.chain([Self::VHOST, Self::COMBINED, Self::COMMON])
        };
        // A short log may have a broken line.
        let fits_mostly = |format: &Self| {
            let (read, all) = counts(format);
            all - read <= MOST_BROKEN && read > all - read
        };
        known()
            .find(fits)
            .map(Self::mixed)
            .or_else(|| {
                let most =
                    known().filter(|format| format.missing().is_none()).max_by_key(|format| counts(format).0);
                most.map(Self::mixed).filter(fits)
            })
            .or_else(|| known().find(fits_mostly).map(Self::mixed))
    }

    /// Returns which text in quotation marks after the request is the `User-Agent` header, from 1, if lines seem to be in the Combined
    /// Log Format, and the second text, where it is in this format, is not such a header in nearly all lines. `Some(None)` if no other
    /// text is one, or several are. A log with other columns has to be named by a format string.
    #[must_use]
    pub fn misread_header(&self, sample: &[u8]) -> Option<Option<usize>> {
        if !matches!(self.kind, Kind::Combined | Kind::Vhost) {
            return None;
        }
        let (mut lines, mut agents, mut others, mut empty) = (0_usize, 0_usize, 0_usize, 0_usize);
        let mut headers = Vec::new();
        for line in lines_of(sample).take(MOST_SAMPLED) {
            let line = match split_host(line) {
                Some((_, line)) if matches!(self.kind, Kind::Vhost) => line,
                _ => line,
            };
            let columns = columns_after_request(line);
            let Some(agent) = columns.get(1) else { continue };
            lines += 1;
            agents += usize::from(!is_not_header(agent));
            others += usize::from(is_other_column(agent));
            empty += usize::from(agent.is_empty());
            if headers.len() < columns.len() {
                headers.resize(columns.len(), 0_usize);
            }
            for (count, column) in headers.iter_mut().zip(columns) {
                *count += usize::from(is_header(column));
            }
        }
        if lines == 0 || agents * 10 > lines {
            return None;
        }
        let mut found = headers.iter().enumerate().filter(|(at, count)| *at != 1 && **count * 2 > lines);
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Some(Some(at + 1)),
            (Some(_), Some(_)) => Some(None),
            // Requests without a header are possible, and times or cookies are not headers. Servers write `-` for a missing one, and
            // HAProxy writes two empty texts in its Common Log Format.
            (None, _) => {
                ((others > 1 && others * 10 >= lines * 9) || (empty > 1 && empty == lines)).then_some(None)
            }
        }
    }

    /// Reads lines in other formats, too.
    fn mixed(self) -> Self {
        let is_mixed = matches!(self.kind, Kind::Json(_) | Kind::Vhost | Kind::Combined);
        Self { is_mixed, ..self }
    }

    /// Returns a reader of lines.
    #[must_use]
    pub fn reader(&self) -> LogReader {
        LogReader {
            format: self.clone(),
            columns: Columns::default(),
            common: None,
            json: None,
            has_agent: false,
            last: LastTime::default(),
        }
    }
}

/// The most lines that may have no format if more lines have one; of a long log, one line in ten.
const MOST_BROKEN: usize = 2;

/// The most lines by which a format is recognized.
const MOST_SAMPLED: usize = 1000;

/// Returns whether a line has only white space.
fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// Returns whether a text looks like a `User-Agent` header: it begins with a name and a version, or names Mozilla.
fn is_header(text: &[u8]) -> bool {
    let slash = memchr::memchr(b'/', text).unwrap_or(text.len());
    let (name, version) = text.split_at_checked(slash).unwrap_or_default();
    let is_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b' ' | b'!');
    let has_version = version.get(1).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'v');
    memchr::memmem::find(text, b"Mozilla/").is_some()
        || has_version && name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(is_name)
}

/// Returns whether a text is surely not a `User-Agent` header: there is none, or it is a URL, or another column.
fn is_not_header(text: &[u8]) -> bool {
    matches!(text, [] | b"-")
        || matches!(text.get(..7), Some(b"http://" | b"https:/"))
        || is_other_column(text)
}

/// Returns whether a text is one of other columns: a number, a time, addresses, or a cookie.
fn is_other_column(text: &[u8]) -> bool {
    let last = text.rsplit(|&byte| byte == b',').next().unwrap_or_default().trim_ascii();
    let is_numeric = |byte: &u8| byte.is_ascii_digit() || b" .,:-+TZ[]".contains(byte);
    let key = text.get(..memchr::memchr(b'=', text).unwrap_or(0)).unwrap_or_default();
    let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (text.iter().all(is_numeric) && text.iter().any(u8::is_ascii_digit))
        || crate::log::address::parse(last).is_some()
        || !key.is_empty() && key.iter().all(is_key)
}

/// What a line is.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "most lines are requests, and a line is used at once")]
pub(super) enum Scanned<'l> {
    Line(RawLine<'l>),
    /// A line that is not about a request.
    Directive,
    Unread,
}

/// Reads the lines of a log, in their order.
#[derive(Clone, Debug)]
pub struct LogReader {
    format: LogFormat,
    columns: Columns,
    /// The format string of the Common Log Format, once it is needed.
    common: Option<Box<Template>>,
    /// The usual names of fields, once a line in another format has them.
    json: Option<Box<JsonNames>>,
    /// Whether an object of JSON had a field for the header. Some programs leave it out if a request has none.
    has_agent: bool,
    last: LastTime,
}

impl LogReader {
    /// Reads a line, with or without its end. `None` if it is not in the format, or names fields.
    ///
    /// # Complexity
    ///
    /// Linear in the length of the line. Lines of more than 1 MiB are not read.
    #[must_use]
    pub fn read(&mut self, line: &[u8]) -> Option<LogLine<'static>> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let Scanned::Line(raw) = self.scan(line.strip_suffix(b"\r").unwrap_or(line)) else { return None };
        let time = self.time(&raw)?;
        Some(raw.read(time))
    }

    /// Returns the format.
    #[must_use]
    pub const fn format(&self) -> &LogFormat {
        &self.format
    }

    /// Returns what the lines lack, if something without which no line can be judged. Logs with names of fields have lines to
    /// read first.
    #[must_use]
    pub fn missing(&self) -> Option<&'static str> {
        match self.format.kind {
            Kind::W3c | Kind::CloudFront => self.columns.missing(),
            Kind::Json(_) if !self.has_agent => Some("the User-Agent header"),
            _ => self.format.missing(),
        }
    }

    /// Returns whether lines are in the Combined Log Format.
    pub(super) const fn is_combined(&self) -> bool {
        matches!(self.format.kind, Kind::Combined)
    }

    /// Finds the parts of a line without its end.
    pub(super) fn scan<'l>(&mut self, line: &'l [u8]) -> Scanned<'l> {
        if line.len() > LONGEST_LINE {
            return Scanned::Unread;
        }
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        let read = match &self.format.kind {
            Kind::Combined => read_combined(line),
            Kind::Vhost => split_host(line).and_then(|(host, line)| {
                let mut raw = read_combined(line)?;
                raw.host = Some(host.into());
                Some(raw)
            }),
            Kind::Common => {
                let common = self.common.get_or_insert_with(|| {
                    let template = Template::parse(r#"%h %l %u %t "%r" %>s %b"#);
                    Box::new(template.expect("the format string has fields"))
                });
                common.read(line, true).filter(|_| !line.ends_with(b"\""))
            }
            Kind::W3c | Kind::CloudFront if line.first() == Some(&b'#') => {
                self.columns.directive(line);
                return Scanned::Directive;
            }
            Kind::W3c => self.columns.read(line, b' ', Escapes::Plus),
            Kind::CloudFront => self.columns.read(line, b'\t', Escapes::Percent),
            Kind::Alb => read_alb(line),
            Kind::S3 => read_s3(line),
            Kind::Json(names) => names.read(line).map(|(raw, has_agent)| {
                self.has_agent |= has_agent;
                raw
            }),
            Kind::Strings(_, templates) => templates.iter().find_map(|template| template.read(line, false)),
        };
        match read {
            Some(raw) => Scanned::Line(raw),
            None if is_blank(line) => Scanned::Directive,
            // An array of objects, each on a line.
            None if matches!(self.format.kind, Kind::Json(_)) && matches!(line.trim_ascii(), b"[" | b"]") => {
                Scanned::Directive
            }
            None if self.format.is_mixed => self.scan_other(line).map_or(Scanned::Unread, Scanned::Line),
            None => Scanned::Unread,
        }
    }

    /// Reads a line that is not in the format of the log, by its beginning.
    fn scan_other<'l>(&mut self, line: &'l [u8]) -> Option<RawLine<'l>> {
        if object_of(line).first() == Some(&b'{') {
            let names = self.json.get_or_insert_with(|| Box::new(JsonNames::of_requests()));
            return names.read(line).map(|(raw, _)| raw);
        }
        read_with_host(line)
    }

    /// Reads the time of a line.
    pub(super) fn time(&mut self, raw: &RawLine<'_>) -> Option<LogTime> {
        let zone = self.format.zone;
        self.last.parse(&raw.time, |text| match (text.get(2), text.get(4)) {
            (Some(b'/'), _) => LogTime::parse_common(text, zone),
            (_, Some(b'-' | b'/')) => LogTime::parse_iso(text, zone),
            _ => LogTime::parse_number(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognized() {
        let common = r#"192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] "GET / HTTP/1.1" 200 12"#;
        let combined = format!(r#"{common} "-" "a""#);
        let v6 = combined.replace("192.0.2.1", "::1");
        let samples = [
            (common.to_owned(), "common"),
            (combined.clone(), "combined"),
            (v6, "combined"),
            (format!("{combined} \"-\" 0.01"), "combined"),
            (format!("example.com:443 {combined}"), "vhost"),
            ("#Version: 1.0\n#Fields: date time\n2025-11-10 10:00:00\n".to_owned(), "w3c"),
            ("#Version: 1.0\n#Fields: date time\n2025-11-10\t10:00:00\n".to_owned(), "cloudfront"),
            (r#"{"ts":1,"uri":"/","agent":"a"}"#.to_owned(), "json"),
            (String::new(), "combined"),
            (format!("{combined}\nbroken\n{combined}\n"), "combined"),
        ];
        for (sample, name) in samples {
            assert_eq!(
                LogFormat::detect(sample.as_bytes()).map(|format| format.name()),
                Some(name),
                "{sample}"
            );
        }
        assert_eq!(LogFormat::detect(b"hello\nworld\n"), None);
        assert_eq!(LogFormat::detect(format!("{combined}\nhello\nworld\n").as_bytes()), None);
    }

    #[test]
    fn formats_that_change_are_read_if_they_were_not_named() {
        let combined = r#"192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "A/1""#;
        let vhost = format!("a.example:443 {combined}");
        let json = r#"{"ts":1762768800,"uri":"/a","agent":"A/1","status":200}"#;
        let lines = [combined, &*vhost, json, json, "  ", "nonsense"];
        for (first, name) in [(combined, "combined"), (&*vhost, "vhost"), (json, "json")] {
            let format = LogFormat::detect(first.as_bytes()).unwrap();
            let mut reader = format.reader();
            let read = lines.map(|line| reader.read(line.as_bytes()).is_some());
            assert_eq!(read, [true, true, true, true, false, false], "{name}");
            assert!(LogFormat::parse(name).unwrap().reader().read(first.as_bytes()).is_some());
        }
        assert!(LogFormat::COMBINED.reader().read(json.as_bytes()).is_none());
        let mixed = [combined, json, json, combined, json, ""].join("\n");
        assert_eq!(LogFormat::detect(mixed.as_bytes()).unwrap().name(), "json");
        for array in [format!("[\n{json},\n{json}\n]\n"), format!("[{json},{json}]"), "[]".to_owned()] {
            assert_eq!(LogFormat::detect(array.as_bytes()).unwrap().name(), "json", "{array}");
        }
        assert_eq!(LogFormat::detect(br#"[{"a":1},{"b":2}]"#), None);
        // Objects without their end are no lines of a log.
        for begun in ["{", " {\n", "[{", "{{", "{\n{\n", "[\n{\n"] {
            assert_eq!(LogFormat::detect(begun.as_bytes()), None, "{begun}");
        }
    }

    #[test]
    fn columns_that_are_not_headers_are_noticed() {
        let line = |columns: &str| {
            format!("192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 12 {columns}\n")
        };
        let misread = |columns: &str| {
            let log = line(columns).repeat(3);
            LogFormat::detect(log.as_bytes()).unwrap().misread_header(log.as_bytes())
        };
        let agent = "\"Mozilla/5.0 (compatible; GPTBot/1.2)\"";
        for (columns, expected) in [
            (format!("\"-\" {agent}"), None),
            ("\"https://example.com/\" \"-\"".to_owned(), None),
            (format!("\"-\" {agent} \"192.0.2.1\""), None),
            ("\"-\" \"https://example.com/bot\"".to_owned(), None),
            ("\"-\" \"Some Reader\"".to_owned(), None),
            (format!("\"example.com\" \"-\" {agent}"), Some(Some(3))),
            (format!("\"-\" \"https://example.com/\" {agent}"), Some(Some(3))),
            (format!("{agent} \"https://example.com/Mozilla\""), Some(Some(1))),
            (format!("{agent} \"sid=a\""), Some(Some(1))),
            (format!("{agent} \"0.003\" \"GPTBot/1.2\""), Some(None)),
            ("\"https://example.com/\" \"0.003\"".to_owned(), Some(None)),
            ("\"-\" \"sid=a; b=c\"".to_owned(), Some(None)),
        ] {
            assert_eq!(misread(&columns), expected, "{columns}");
        }
    }

    #[test]
    fn mistakes_have_messages() {
        let error = |text: &str| LogFormat::parse(text).unwrap_err().to_string();
        assert_eq!(error("%h %t \"%r\" %>s %b"), "the format string lacks the User-Agent header");
        assert!(error("apache").starts_with("`apache` is neither a format (combined, vhost,"));
        assert!(LogFormat::json().with_field("x", "y").is_err());
    }
}
