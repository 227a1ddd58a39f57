//! Formats of lines that are written as a format string of Apache or nginx.

use alloc::borrow::Cow;

use crate::log::raw_line::{Escapes, RawLine, RequestText};

/// What a field of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Address,
    Forwarded,
    Host,
    Time,
    Request,
    Method,
    Path,
    Query,
    Status,
    Size,
    Agent,
    Other,
}

impl Role {
    /// Returns whether the client chooses the text.
    const fn is_of_client(self) -> bool {
        matches!(self, Self::Request | Self::Path | Self::Query | Self::Agent | Self::Host | Self::Forwarded)
    }
}

/// A format string: fields with the text after each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template {
    /// The text before the first field.
    start: Vec<u8>,
    fields: Vec<Field>,
    /// Whether the address follows a text of the client, which is in quotation marks.
    has_late_address: bool,
    /// Whether lines have queries.
    has_query: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    role: Role,
    /// The text after it.
    after: Vec<u8>,
    /// Whether its value goes on to the end of the next field, as that of `%U%q`, and of a time that is written in pieces.
    is_begun: bool,
}

/// The values of a line by their roles.
#[derive(Default)]
struct Values<'l> {
    address: Option<&'l [u8]>,
    forwarded: Option<&'l [u8]>,
    host: Option<&'l [u8]>,
    time: &'l [u8],
    request: Option<&'l [u8]>,
    method: Option<&'l [u8]>,
    path: Option<&'l [u8]>,
    query: Option<&'l [u8]>,
    status: &'l [u8],
    size: &'l [u8],
    agent: Option<&'l [u8]>,
}

impl Template {
    /// Reads a format string. `None` if it has no field.
    pub(super) fn parse(text: &str) -> Option<Self> {
        // As in the configuration of servers.
        let text = text.replace("\\\"", "\"").replace("\\t", "\t");
        let mut template =
            Self { start: Vec::new(), fields: Vec::new(), has_late_address: false, has_query: false };
        let mut rest = text.as_str();
        let mut literal = String::new();
        while let Some(char) = rest.chars().next() {
            let field = match char {
                '%' => apache_field(rest),
                '$' => nginx_field(rest),
                _ => None,
            };
            let Some((role, length)) = field else {
                let length = if rest.starts_with("%%") { 2 } else { char.len_utf8() };
                literal.push(char);
                rest = rest.get(length..).unwrap_or_default();
                continue;
            };
            let is_bracketed = role == Role::Time && rest.starts_with("%t");
            if is_bracketed {
                literal.push('[');
            }
            template.end_field(&literal);
            literal.clear();
            if is_bracketed {
                literal.push(']');
            }
            template.fields.push(Field { role, after: Vec::new(), is_begun: false });
            rest = rest.get(length..).unwrap_or_default();
        }
        template.end_field(&literal);
        let has = |role| template.fields.iter().any(|field| field.role == role);
        template.has_query = has(Role::Query) || text.contains("request_uri");
        let place = |is: fn(Role) -> bool| template.fields.iter().position(|field| is(field.role));
        let (client, address) = (place(Role::is_of_client), place(|role| role == Role::Address));
        template.has_late_address =
            text.contains('"') && client.zip(address).is_some_and(|(client, address)| client < address);
        template.join_fields();
        (!template.fields.is_empty()).then_some(template)
    }

    /// Joins the pieces of a path, as in `$uri$is_args$args`, and those of a time, as in `%{%F}tT%{%T}t`.
    fn join_fields(&mut self) {
        let mut role = Role::Other;
        for at in 1..self.fields.len() {
            let Some([field, next]) = self.fields.get_mut(at - 1..=at) else { return };
            // A piece has the role of the first one.
            role = if field.role == Role::Other { role } else { field.role };
            field.is_begun = match role {
                Role::Time => next.role == Role::Time,
                Role::Path => field.after.is_empty() && matches!(next.role, Role::Query | Role::Other),
                _ => false,
            };
            if field.is_begun {
                next.role = role;
            } else {
                role = Role::Other;
            }
        }
    }

    /// Puts a text after the last field.
    fn end_field(&mut self, literal: &str) {
        let after = self.fields.last_mut().map_or(&mut self.start, |field| &mut field.after);
        after.extend_from_slice(literal.as_bytes());
    }

    /// Returns what every line lacks, if something without which no line can be judged.
    pub(super) fn missing(&self) -> Option<&'static str> {
        let has = |wanted| self.fields.iter().any(|field| field.role == wanted);
        if !has(Role::Agent) {
            Some("the User-Agent header")
        } else if !has(Role::Time) {
            Some("the time")
        } else if !has(Role::Request) && !has(Role::Path) {
            Some("the request")
        } else {
            None
        }
    }

    /// Reads a line. Text after the last field of a quoted end is not read.
    pub(super) fn read<'l>(&self, line: &'l [u8], is_exact: bool) -> Option<RawLine<'l>> {
        let mut values = Values::default();
        let mut rest = line.strip_prefix(&*self.start)?;
        let mut begun: Option<&[u8]> = None;
        let following = self.fields.iter().skip(1).map(Some).chain([None]);
        for (field, next_field) in self.fields.iter().zip(following) {
            let start = *begun.get_or_insert(rest);
            if field.is_begun && field.after.is_empty() {
                continue;
            }
            let (value, next) = match (field.role, next_field) {
                // As in `$host$request_uri`.
                (Role::Host, Some(Field { role: Role::Path, .. })) if field.after.is_empty() => {
                    rest.split_at_checked(memchr::memchr(b'/', rest)?)?
                }
                // The address may have colons.
                (Role::Address, Some(port)) if field.after == b":" => {
                    let (both, _) = take(rest, &port.after)?;
                    let (address, port) = rest.split_at_checked(memchr::memrchr(b':', both)?)?;
                    (address, port.get(1..)?)
                }
                _ => take(rest, &field.after)?,
            };
            let end = start.len() - rest.len() + value.len();
            rest = next;
            if field.is_begun {
                continue;
            }
            begun = None;
            let value = start.get(..end)?;
            // A text of a client ended before, so it may have more than one field.
            if self.has_late_address && !field.role.is_of_client() && has_quote(value) {
                return None;
            }
            match field.role {
                Role::Address => values.address = Some(value),
                Role::Forwarded => values.forwarded = Some(value),
                Role::Host => values.host = Some(value),
                // Later ones may be fractions of a second.
                Role::Time if values.time.is_empty() => values.time = value,
                Role::Request => values.request = Some(value),
                Role::Method => values.method = Some(value),
                Role::Path => values.path = Some(value),
                Role::Query => values.query = Some(value),
                Role::Status => values.status = value,
                Role::Size => values.size = value,
                Role::Agent => values.agent = Some(value),
                Role::Time | Role::Other => {}
            }
        }
        let has_more = is_exact && !rest.is_empty() || self.has_late_address && has_quote(rest);
        if has_more || !is_status(values.status) {
            return None;
        }
        let request = match (values.request, values.path) {
            (_, Some(path)) => RequestText::Parts {
                method: values.method.map(Cow::Borrowed),
                path: path.into(),
                query: values.query.map(Cow::Borrowed),
                has_query: self.has_query,
            },
            (request, None) => RequestText::Line(request.unwrap_or_default().into()),
        };
        Some(RawLine {
            time: values.time.into(),
            address: values.address.map(Cow::Borrowed),
            forwarded: values.forwarded.map(Cow::Borrowed),
            host: values.host.map(Cow::Borrowed),
            request,
            status: values.status.into(),
            size: values.size.into(),
            agent: values.agent.unwrap_or_default().into(),
            escapes: Escapes::Backslash,
            has_names: false,
        })
    }
}

/// Returns whether a text is a status, or stands for a missing one.
pub(super) fn is_status(text: &[u8]) -> bool {
    text.len() == 3 && text.iter().all(u8::is_ascii_digit) || matches!(text, [] | [b'-'] | b"000")
}

/// Returns the text up to `after`, and what follows. A quote with a backslash before it ends no text.
fn take<'l>(text: &'l [u8], after: &[u8]) -> Option<(&'l [u8], &'l [u8])> {
    let Some(first) = after.first() else { return Some((text, &[])) };
    let mut from = 0;
    loop {
        let at = from + memchr::memchr(*first, text.get(from..)?)?;
        let is_escaped = *first == b'"' && is_escaped(text, at);
        if !is_escaped && text.get(at..)?.starts_with(after) {
            return Some((text.get(..at)?, text.get(at + after.len()..)?));
        }
        from = at + 1;
    }
}

/// Returns whether a text has a quotation mark without a backslash before it.
fn has_quote(text: &[u8]) -> bool {
    memchr::memchr_iter(b'"', text).any(|at| !is_escaped(text, at))
}

/// Returns whether an odd number of backslashes is before a byte.
pub(super) fn is_escaped(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Returns the role and the length of a field of Apache, such as `%>s` and `%{User-Agent}i`.
fn apache_field(text: &str) -> Option<(Role, usize)> {
    let rest = text.strip_prefix('%')?;
    let rest =
        rest.trim_start_matches(|char: char| matches!(char, '<' | '>' | '!' | ',') || char.is_ascii_digit());
    let (name, rest) = match rest.strip_prefix('{') {
        Some(rest) => rest.split_once('}')?,
        None => ("", rest),
    };
    // As in `%{c}a` and `%^ti`.
    let rest = rest.strip_prefix('^').unwrap_or(rest);
    let kind = rest.chars().next().filter(char::is_ascii_alphabetic)?;
    let role = match kind {
        'a' | 'h' => Role::Address,
        't' => Role::Time,
        'r' => Role::Request,
        'm' => Role::Method,
        'U' => Role::Path,
        'q' => Role::Query,
        's' => Role::Status,
        'b' | 'B' => Role::Size,
        'v' | 'V' => Role::Host,
        'i' if name.eq_ignore_ascii_case("user-agent") => Role::Agent,
        'i' if name.eq_ignore_ascii_case("host") => Role::Host,
        'i' if name.eq_ignore_ascii_case("x-forwarded-for") => Role::Forwarded,
        _ => Role::Other,
    };
    Some((role, text.len() - rest.len() + 1))
}

/// Returns the role and the length of a variable of nginx.
fn nginx_field(text: &str) -> Option<(Role, usize)> {
    let rest = text.strip_prefix('$')?;
    let (name, length) = match rest.strip_prefix('{') {
        Some(rest) => rest.split_once('}').map(|(name, _)| (name, name.len() + 3))?,
        None => {
            let end =
                rest.find(|char: char| !char.is_ascii_alphanumeric() && char != '_').unwrap_or(rest.len());
            (rest.get(..end)?, end + 1)
        }
    };
    let role = match name {
        "" => return None,
        "remote_addr" => Role::Address,
        "http_x_forwarded_for" | "proxy_add_x_forwarded_for" => Role::Forwarded,
        "time_local" | "time_iso8601" | "msec" => Role::Time,
        "request" => Role::Request,
        "request_method" => Role::Method,
        "request_uri" | "uri" | "document_uri" => Role::Path,
        "args" | "query_string" => Role::Query,
        "status" => Role::Status,
        "body_bytes_sent" => Role::Size,
        "host" | "http_host" | "server_name" => Role::Host,
        "http_user_agent" => Role::Agent,
        _ => Role::Other,
    };
    Some((role, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_strings_of_servers_are_read() {
        let formats = [
            r#"%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\""#,
            r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent""#,
        ];
        let line = br#"::1 - a b [10/Nov/2025:10:00:00 +0000] "GET /\"x HTTP/1.1" 200 12 "-" "a\"b" "more""#;
        for format in formats {
            let template = Template::parse(format).unwrap();
            assert_eq!(template.missing(), None);
            let line = template.read(line, false).unwrap();
            assert_eq!(*line.time, *b"10/Nov/2025:10:00:00 +0000");
            assert_eq!(line.agent().as_deref(), Some(&b"a\"b"[..]));
            assert_eq!(line.request().1.as_deref(), Some(&b"/\"x"[..]));
            assert_eq!(line.status(), Some(200));
        }
        // Times and paths in pieces, and a host that ends with the path.
        let line = b"a.example/x?q=1\t2025-11-10T10:00:00.5+0100\t404 a";
        for format in [
            "%v%U%q\\t%{%F}tT%{%T}t.%{msec_frac}t%{%z}t\\t%s %{User-Agent}i%{usec_frac}t",
            "$host$uri$is_args$args\t$time_iso8601\t$status $http_user_agent",
            "${host}$request_uri\t$time_iso8601\t$status $http_user_agent",
        ] {
            let line = Template::parse(format).unwrap().read(line, false).unwrap();
            assert_eq!(*line.time, *b"2025-11-10T10:00:00.5+0100", "{format}");
            assert_eq!(line.host.as_deref(), Some(&b"a.example"[..]), "{format}");
            assert_eq!(line.request().1.as_deref(), Some(&b"/x?q=1"[..]), "{format}");
            assert_eq!((line.status(), line.agent().as_deref()), (Some(404), Some(&b"a"[..])), "{format}");
        }
        assert_eq!(Template::parse("%h %t %r %s").unwrap().missing(), Some("the User-Agent header"));
        assert_eq!(Template::parse("plain"), None);
    }
}
