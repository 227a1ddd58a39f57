//! Bytes of unknown origin as text that can be shown on a terminal.

use core::fmt;
use core::fmt::Write as _;
use core::time::Duration;
use std::ffi::OsStr;

use percent_encoding::percent_decode;
use robots_fetch::Origin;
use robots_match::host_of;
use robots_match::syntax::is_hidden;

/// Bytes of unknown origin as one line of text. Bytes that are not UTF-8 are shown as `\xNN`, and characters that could
/// control a terminal as `\u{NN}`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for char in chunk.valid().chars() {
                match char {
                    '\t' => f.write_str("\\t")?,
                    ' '..='~' => f.write_char(char)?,
                    _ if is_hidden(char) => write!(f, "{}", char.escape_unicode())?,
                    _ => f.write_char(char)?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02X}")?;
            }
        }
        Ok(())
    }
}

/// The characters of a value that [`Text::short`] shows.
const SHOWN: usize = 200;

impl Text<'_> {
    /// Returns the text, of which only the first 200 characters are shown if it is longer, with the number of its bytes.
    ///
    /// # Complexity
    ///
    /// Does not depend on the length of the text.
    pub(crate) fn short(&self) -> String {
        // A character has at most four bytes.
        let start = self.0.get(..4 * SHOWN + 4).unwrap_or(self.0);
        let shown = Text(start).to_string();
        match shown.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}... ({} bytes)", shown.get(..end).unwrap_or_default(), self.0.len()),
            None => shown,
        }
    }
}

/// Returns a number of requests with the noun.
pub(crate) fn counted_requests(requests: u64) -> String {
    format!("{requests} request{}", if requests == 1 { "" } else { "s" })
}

/// Returns names as `a, b and 3 more`, of which at most `most` are shown.
pub(crate) fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>, most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown: Vec<String> = names.take(most).map(|name| Text(name.as_bytes()).to_string()).collect();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Returns a text for a terminal or a log, with the hidden characters escaped that no function before has escaped: all except line
/// ends, tabs, and the escape sequences of colours. No line is taken for a workflow command of GitHub, which begins with `::` after
/// white space, or has `##[`.
pub(crate) fn for_terminal(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    // Whether only spaces and colours were before in the line.
    let (mut at_start, mut in_colour) = (true, false);
    for (at, char) in text.char_indices() {
        let rest = || text.get(at + 1..).unwrap_or_default();
        let is_start = match char {
            '\n' => true,
            '\u{1B}' if is_colour(rest()) => {
                in_colour = true;
                at_start
            }
            _ if in_colour => {
                in_colour = char != 'm';
                at_start
            }
            _ => at_start && char.is_whitespace(),
        };
        match char {
            ':' if at_start && begins_command(rest()) => shown.extend(char.escape_unicode()),
            '[' if begins_old_command(&shown) => shown.extend(char.escape_unicode()),
            _ => push_visible(&mut shown, char, rest()),
        }
        at_start = is_start;
    }
    shown
}

/// Returns whether the rest of a line after `:` makes it a workflow command: `:` and the name. A place in an annotated file has
/// three colons.
fn begins_command(rest: &str) -> bool {
    rest.strip_prefix(':')
        .is_some_and(|name| !name.starts_with(|char: char| char == ':' || char.is_whitespace()))
}

/// Returns whether a `[` after this text makes it a workflow command, wherever it is in a line.
pub(crate) fn begins_old_command(text: &str) -> bool {
    text.ends_with("##")
}

/// Returns a text with workflow commands for a log, with the hidden characters escaped.
pub(crate) fn with_commands(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        match char {
            '[' if begins_old_command(&shown) => shown.extend(char.escape_unicode()),
            _ => push_visible(&mut shown, char, text.get(at + 1..).unwrap_or_default()),
        }
    }
    shown
}

/// Adds a character, escaped if it is hidden and neither a line end nor a tab nor the begin of a colour. `rest` is what follows.
fn push_visible(shown: &mut String, char: char, rest: &str) {
    match char {
        '\n' | '\t' | ' '..='~' => shown.push(char),
        // The line end of CSV (RFC 4180).
        '\r' if rest.starts_with('\n') => shown.push(char),
        '\u{1B}' if is_colour(rest) => shown.push(char),
        _ if is_hidden(char) => shown.extend(char.escape_unicode()),
        _ => shown.push(char),
    }
}

/// Returns the name of an input for people: that of a file, or of standard input for `-`.
pub(crate) fn input_name(argument: &OsStr) -> String {
    match argument.as_encoded_bytes() {
        b"-" => "standard input".to_owned(),
        name => Text(name).to_string(),
    }
}

/// Returns whether a text after the escape character begins with the rest of a sequence that sets colours.
fn is_colour(rest: &str) -> bool {
    let end = rest.strip_prefix('[').and_then(|rest| {
        rest.trim_start_matches(|char: char| char.is_ascii_digit() || char == ';').chars().next()
    });
    end == Some('m')
}

/// Returns JSON whose hidden characters are escaped (RFC 8259, section 7), and the `[` of a workflow command. They occur only in
/// strings.
pub(crate) fn escaped_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for char in json.chars() {
        let is_escaped = match char {
            '[' => begins_old_command(&escaped),
            // Most characters need no look at the tables of Unicode.
            ' '..='~' | '\n' => false,
            _ => is_hidden(char),
        };
        if is_escaped {
            for unit in char.encode_utf16(&mut [0; 2]) {
                // Writing to a string can't fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(char);
        }
    }
    escaped
}

/// Returns a duration as `3 hours`, in the largest unit of which it has at least one, rounded down.
pub(crate) fn age(age: Duration) -> String {
    let seconds = age.as_secs();
    let (count, unit) = match seconds {
        0..60 => (seconds, "second"),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// Returns a path with its percent-encoding decoded, if the result differs, can be read, and can't be taken for another path:
/// escapes of delimiters and of `%` are significant (RFC 3986, section 2.2).
pub(crate) fn decoded(path: &[u8]) -> Option<String> {
    let decoded = percent_decode(path).decode_utf8().ok()?;
    let delimiters =
        |bytes: &[u8]| bytes.iter().filter(|byte| b":/?#[]@!$&'()*+,;=`\\".contains(byte)).count();
    let is_plain = |char: char| !is_hidden(char) && char != '%';
    let is_readable = decoded.chars().all(is_plain) && delimiters(decoded.as_bytes()) == delimiters(path);
    (is_readable && decoded.as_bytes() != path).then(|| decoded.into_owned())
}

/// Returns a URL of unknown origin as one line of text, with its [`host_note`].
pub(crate) fn with_host(url: &[u8]) -> String {
    format!("{}{}", Text(url), host_note(url))
}

/// Returns the other form of the host of a URL in parentheses, after a space: an A-label in Unicode, if that can be shown, and
/// any other text as the host that is asked. Empty if the forms do not differ, or the URL has no site.
pub(crate) fn host_note(url: &[u8]) -> String {
    let other_form = || {
        let url = core::str::from_utf8(url).ok()?;
        let origin = Origin::parse(url).ok()?;
        let is_asked = url.get(host_of(url))?.eq_ignore_ascii_case(origin.host());
        if is_asked { origin.unicode_host() } else { Some(origin.host().to_owned()) }
    };
    other_form().map(|host| format!(" ({host})")).unwrap_or_default()
}

/// Values that were left out: their number, and the first.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    pub(crate) count: usize,
    pub(crate) first: String,
}

impl LeftOut {
    pub(crate) fn add(&mut self, value: &[u8]) {
        if self.count == 0 {
            self.first = Text(value).short();
        }
        self.count += 1;
    }

    /// Returns a sentence, if there are any. `one` and `several` follow the number.
    pub(crate) fn message(self, one: &str, several: &str) -> Option<String> {
        let Self { count, first } = self;
        match count {
            0 => None,
            1 => Some(format!("1 {one}: `{first}`")),
            _ => Some(format!("{count} {several}, such as `{first}`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
    use icu_properties::{CodePointMapData, CodePointSetData};

    use super::*;

    #[test]
    fn invisible_characters_are_escaped() {
        let text = "a\u{61C}\u{202E}\u{AD}\u{1B}\t\u{E0041}\u{E4}";
        let shown = Text(text.as_bytes()).to_string();
        assert_eq!(shown, "a\\u{61c}\\u{202e}\\u{ad}\\u{1b}\\t\\u{e0041}\u{E4}");
    }

    #[test]
    fn long_values_are_cut() {
        assert_eq!(Text("\u{E4}".repeat(SHOWN).as_bytes()).short(), "\u{E4}".repeat(SHOWN));
        let long = Text("\u{E4}".repeat(SHOWN + 1).as_bytes()).short();
        assert_eq!(long, format!("{}... (402 bytes)", "\u{E4}".repeat(SHOWN)));
        assert_eq!(Text(&[b'a'; 3000]).short(), format!("{}... (3000 bytes)", "a".repeat(SHOWN)));
    }

    #[test]
    fn hidden_characters_are_those_of_unicode() {
        let (categories, ignorable) = (
            CodePointMapData::<GeneralCategory>::new(),
            CodePointSetData::new::<DefaultIgnorableCodePoint>(),
        );
        for char in '\0'..=char::MAX {
            let is_of_category = matches!(
                categories.get(char),
                GeneralCategory::Control
                    | GeneralCategory::Format
                    | GeneralCategory::LineSeparator
                    | GeneralCategory::ParagraphSeparator
            );
            assert_eq!(is_hidden(char), is_of_category || ignorable.contains(char), "{char:?}");
        }
        assert_eq!(
            for_terminal("a\u{1B}[1;31mb\u{1B}[0m\u{1B}[2J\u{9B}m\r\tc\r\n"),
            "a\u{1B}[1;31mb\u{1B}[0m\\u{1b}[2J\\u{9b}m\\u{d}\tc\r\n"
        );
        for (text, expected) in [
            ("::error::x\n ::a\na::b", "\\u{3a}:error::x\n \\u{3a}:a\na::b"),
            ("  ::: robots.txt:1:13\n:: a", "  ::: robots.txt:1:13\n:: a"),
            ("\u{1B}[1m::x\u{1B}[0m", "\u{1B}[1m\\u{3a}:x\u{1B}[0m"),
            ("\u{A0}::error::x", "\u{A0}\\u{3a}:error::x"),
        ] {
            assert_eq!(for_terminal(text), expected);
            assert_eq!(with_commands(text), text);
        }
        // This begins a command wherever it is in a line, and none of ours.
        let (text, expected) = ("a ##[error]b", "a ##\\u{5b}error]b");
        assert_eq!([for_terminal(text), with_commands(text)], [expected, expected]);
        assert_eq!(escaped_json("[\"##[\"]"), "[\"##\\u005b\"]");
        assert_eq!(escaped_json("{\n \"a\u{9B}\u{E0001}\"}"), "{\n \"a\\u009b\\udb40\\udc01\"}");
    }

    #[test]
    fn ages_are_rounded_down() {
        let ages =
            [0, 1, 59, 60, 7199, 7200, 86_400, 200_000].map(|seconds| age(Duration::from_secs(seconds)));
        let expected =
            ["0 seconds", "1 second", "59 seconds", "1 minute", "1 hour", "2 hours", "1 day", "2 days"];
        assert_eq!(ages, expected);
    }

    #[test]
    fn other_forms_of_hosts_are_shown() {
        for (url, expected) in [
            ("https://xn--exmple-cua.com", "https://xn--exmple-cua.com (ex\u{E4}mple.com)"),
            ("https://XN--exmple-cua.com", "https://XN--exmple-cua.com (ex\u{E4}mple.com)"),
            ("https://a@ex%C3%A4mple.com/b", "https://a@ex%C3%A4mple.com/b (xn--exmple-cua.com)"),
            ("http://0x7f.1/", "http://0x7f.1/ (127.0.0.1)"),
            ("http://[0::1]/", "http://[0::1]/ ([::1])"),
            ("http://Example.com:80/", "http://Example.com:80/"),
            ("/ex\u{E4}mple.com", "/ex\u{E4}mple.com"),
            ("ex\u{E4}mple.com", "ex\u{E4}mple.com"),
        ] {
            assert_eq!(with_host(url.as_bytes()), expected);
        }
    }
}
