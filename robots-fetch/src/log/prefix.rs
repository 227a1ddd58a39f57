//! What other programs write before a line: syslog, containers, and programs that start several others.

/// Returns what follows the prefix of syslog, a container or `docker compose`. `None` if the line begins with none of these.
///
/// Programs log what clients send to them. So a prefix has exactly the words that such a program writes: after any others, a client
/// could write a line with the address of somebody else.
pub(super) fn after_prefix(line: &[u8]) -> Option<&[u8]> {
    match after_bar(line) {
        Some(rest) => Some(after_time_of_container(rest).unwrap_or(rest)),
        None => after_time_of_container(line).or_else(|| after_syslog(line)),
    }
}

/// Reads `NAME | `, as `docker compose` writes it, perhaps with more spaces. Others write the time before the name.
fn after_bar(line: &[u8]) -> Option<&[u8]> {
    let (first, rest) = word(line)?;
    let (name, rest) = if is_clock(first) { word(rest)? } else { (first, rest) };
    rest.trim_ascii_start().strip_prefix(b"| ").filter(|_| !is_level(name))
}

/// Reads `TIME stdout F `, as runtimes of containers write it, or only the time in nanoseconds, as `docker logs -t`.
fn after_time_of_container(line: &[u8]) -> Option<&[u8]> {
    let (time, rest) = word(line).filter(|(time, _)| is_time(time))?;
    match word(rest) {
        Some((b"stdout" | b"stderr", rest)) => {
            word(rest).filter(|(tag, _)| matches!(*tag, b"F" | b"P")).map(|(_, rest)| rest)
        }
        _ => (time.len() == b"2025-11-10T10:00:00.123456789Z".len() && time.ends_with(b"Z")).then_some(rest),
    }
}

/// Reads the header of RFC 5424, or `TIME HOST TAG: ` of RFC 3164 and of journald, perhaps with a priority before it. Without a host,
/// the tag has the number of a process, as Heroku writes it.
fn after_syslog(line: &[u8]) -> Option<&[u8]> {
    let line = match line.strip_prefix(b"<") {
        Some(rest) => {
            let rest = after_digits(rest)?.strip_prefix(b">")?;
            if let Some(rest) = rest.strip_prefix(b"1 ") {
                return after_rfc5424(rest);
            }
            rest
        }
        None => line,
    };
    let (first, mut rest) = word(line)?;
    if MONTHS.contains(&first) {
        // A day of one digit has a space before it.
        let (day, after) = word(rest.trim_ascii_start())?;
        let (time, after) = word(after)?;
        rest = after;
        if after_digits(day) != Some(b"") || !is_clock(time) {
            return None;
        }
    } else if !is_time(first) {
        return None;
    }
    let (host, after) = word(rest)?;
    let (tag, message) = match host.strip_suffix(b":") {
        Some(tag) if tag.ends_with(b"]") => (tag, after),
        _ if is_level(host) => return None,
        _ => {
            let (tag, message) = word(after)?;
            (tag.strip_suffix(b":")?, message)
        }
    };
    // With the mark of Common Event Expression.
    let message = message.strip_prefix(b"@cee:").map_or(message, <[u8]>::trim_ascii_start);
    (!tag.is_empty()).then_some(message)
}

/// Reads `TIME HOST APP PROCESS MESSAGE-ID DATA ` of RFC 5424, section 6, and the byte order mark that may follow.
fn after_rfc5424(line: &[u8]) -> Option<&[u8]> {
    let (_, mut rest) = word(line).filter(|(time, _)| *time == b"-" || is_time(time))?;
    for _ in 0..4 {
        rest = word(rest)?.1;
    }
    let rest = match rest.first()? {
        b'-' => rest.get(1..)?,
        _ => after_elements(rest)?,
    };
    let message = rest.strip_prefix(b" ")?;
    Some(message.strip_prefix(crate::log::raw_line::BYTE_ORDER_MARK).unwrap_or(message))
}

/// Reads elements such as `[id name="value"]`, in whose values backslashes are before quotes.
fn after_elements(line: &[u8]) -> Option<&[u8]> {
    let mut rest = line;
    while let Some(element) = rest.strip_prefix(b"[") {
        let (mut is_quoted, mut is_escaped) = (false, false);
        let end = element.iter().position(|&byte| {
            let is_plain = !core::mem::take(&mut is_escaped);
            is_escaped = is_plain && is_quoted && byte == b'\\';
            is_quoted ^= is_plain && byte == b'"';
            byte == b']' && !is_quoted
        })?;
        rest = element.get(end + 1..)?;
    }
    (rest.len() < line.len()).then_some(rest)
}

/// Returns the text before the first space, if there is any, and what follows the space.
fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (word, rest) = text.split_at_checked(memchr::memchr(b' ', text)?)?;
    (!word.is_empty()).then_some((word, rest.get(1..)?))
}

/// Returns what follows the digits with which a text begins, if there are any.
fn after_digits(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 { text.get(digits..) } else { None }
}

/// Returns whether a text is like `10:00:00`, perhaps with a fraction.
fn is_clock(text: &[u8]) -> bool {
    matches!(*text, [a, b, b':', c, d, b':', e, f, ref rest @ ..]
        if [a, b, c, d, e, f].iter().all(u8::is_ascii_digit)
            && rest.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.'))
}

/// Returns whether a text is the level of a message, which programs write before their own lines.
fn is_level(text: &[u8]) -> bool {
    LEVELS.iter().any(|level| level.eq_ignore_ascii_case(text))
}

/// Returns whether a text is a date and a time of RFC 3339.
fn is_time(text: &[u8]) -> bool {
    text.get(10) == Some(&b'T') && crate::log::time::LogTime::parse_iso(text, 0).is_some()
}

const MONTHS: [&[u8]; 12] =
    [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];

const LEVELS: [&[u8]; 13] = [
    b"trace",
    b"debug",
    b"info",
    b"notice",
    b"warn",
    b"warning",
    b"error",
    b"err",
    b"fatal",
    b"critical",
    b"crit",
    b"alert",
    b"emerg",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_have_the_words_of_known_programs() {
        for prefix in [
            "web-1  | ",
            "web_1 | ",
            "10:00:00 web.1   | ",
            "0|app  | ",
            "web-1  | 2025-11-10T10:00:00.123456789Z ",
            "2025-11-10T10:00:00.123456789Z ",
            "2025-11-10T10:00:00.1Z stdout F ",
            "2025-11-10T10:00:00.123456789+01:00 stderr P ",
            "Nov 10 10:00:00 web caddy[12]: ",
            "Nov  9 10:00:00 198.51.100.1 nginx: ",
            "<190>Nov 10 10:00:00 web httpd[12]: ",
            "<190>Nov 10 10:00:00 web haproxy[12]: @cee: ",
            "2025-11-10T10:00:00.123456+01:00 web nginx: ",
            "2025-11-10T10:00:00+0000 web caddy[12]: ",
            "2025-11-10T10:00:00.123456+00:00 app[web.1]: ",
            "<190>1 2025-11-10T10:00:00.123Z web nginx 12 - - ",
            "<190>1 - - - - - - ",
            r#"<34>1 2025-11-10T10:00:00Z web app - ID47 [a@1 b="c\"]"][d] "#,
            "<34>1 2025-11-10T10:00:00Z web app - ID47 - \u{feff}",
        ] {
            let line = format!("{prefix}{{a}} | b: {{}}");
            assert_eq!(after_prefix(line.as_bytes()), Some(&b"{a} | b: {}"[..]), "{prefix}");
        }
        for other in [
            "",
            " ",
            "| {",
            "{",
            "WARN a | {",
            "WARN | {",
            "10:00:00 error | {",
            "WARN a: {",
            "web | WARN {",
            "a b: {",
            "2025-11-10T10:00:00.123Z {",
            "2025-11-10T10:00:00.123Z stdout {",
            "2025-11-10T10:00:00.123Z stdout X {",
            "2025-11-10T10:00:00.123456Z  WARN app::http: {",
            "2025-11-10T10:00:00.123456Z ERROR app::http: {",
            "2025-11-10T10:00:00Z error: {",
            "2025-11-10 10:00:00 web nginx: {",
            "Nov 10 10:00:00 web {",
            "Nov 10 10:00:00 web nginx {",
            "Nov 10 10:00 web nginx: {",
            "<190>{",
            "<190>1 2025-11-10T10:00:00Z web nginx 12 - {",
            r#"<190>1 2025-11-10T10:00:00Z web nginx 12 - [a b="]" {"#,
        ] {
            let found = after_prefix(other.as_bytes());
            assert!(found.is_none_or(|rest| rest.first() != Some(&b'{')), "{other}");
        }
    }
}
