//! Lines with characters that look like others, or that can't be seen.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

use robots_groups::syntax::{Span, is_hidden};

use crate::lint::subject::joined::{Separator, ending, is_key};
use crate::lint::subject::lines::MARK;
use crate::lint::subject::mojibake::{unmangled, unmangled_escapes};
use crate::lint::text::char_of_hex;

/// A line as it was most likely meant, and what is wrong with it.
pub(crate) struct Repair {
    /// The problem, which a message begins with.
    pub(crate) problem: Problem,
    /// The place of the problem in the line.
    pub(crate) place: Span,
    pub(crate) meant: Meant,
}

/// What a line was most likely meant to be.
pub(crate) enum Meant {
    Unclear,
    /// This line, without its comment.
    Line(String),
    /// A comment with this text.
    Comment(String),
    /// A comment that has this record, which was switched off.
    Off(String),
    /// The line as it is: without the characters, its pattern would be this one, which is about the whole site, or about all URLs
    /// with one sign.
    Kept(String),
}

/// A problem of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A character without width.
    Invisible(char),
    /// A space other than U+0020.
    Space(char),
    /// A quotation mark.
    Quote(char),
    /// A character that looks like a letter or sign of ASCII.
    LookAlike(char, char),
    /// A sign in place of the colon.
    Colon(char),
    /// A second colon.
    SecondColon,
    /// The line is one that a change removed, in the output of `diff`.
    Removed,
    /// A character reference of HTML.
    Entity,
    /// An element of HTML.
    Element,
    /// A mark of Markdown or of a list.
    Mark,
    /// A backslash between the parts of a path.
    Backslash,
    /// A backslash before a character that needs none.
    Escape,
    /// A backslash and a letter in place of a line end.
    LineEnd,
    /// A sign of another language before a comment.
    Comment,
    /// Text in UTF-8 that was read in another encoding.
    Mojibake,
    /// A character that stands for one that was lost.
    Lost,
}

/// The first problem of a line.
#[derive(Default)]
struct First(Option<(Problem, Span)>);

impl First {
    fn add(&mut self, problem: Problem, start: usize, len: usize) {
        self.0 = self.0.or(Some((problem, Span::new(start, start + len))));
    }
}

/// The bytes of the longest line that is repaired. Longer ones were not written by hand, and it takes long to look at all ends of
/// their parts.
const MOST_BYTES: usize = 1_000;

/// The bytes of the longest character reference that is decoded, without its signs.
const LONGEST_REFERENCE: usize = 10;

/// Returns what a line was meant to be if it has a character that looks like another one, or that can't be seen.
pub(crate) fn repair(line: &[u8]) -> Option<Repair> {
    let suspicious = |byte: &u8| {
        !byte.is_ascii()
            || matches!(byte, b'"' | b'\'' | b'=' | b'`' | b'<' | b'>' | b'\\' | b'&' | b';' | b'|' | b'^')
    };
    if line.len() > MOST_BYTES {
        return None;
    }
    let start = line.trim_ascii_start();
    // As in `a) Disallow: /a` and `o  Disallow: /a`, the marks of lists of word processors.
    let is_lettered = matches!(start, [b'a'..=b'z' | b'A'..=b'Z', b')' | b'.', b' ' | b'\t', ..])
        || matches!(start, [b'o', b' ', b' ', ..] | [b'o', b'\t', ..]);
    let is_plain_start =
        !is_lettered && start.first().is_none_or(|byte| byte.is_ascii_alphabetic() || *byte == b'#');
    // Nearly all lines have only letters and the signs of paths.
    let has_remark = || {
        memchr::memchr_iter(b' ', line)
            .any(|at| matches!(line.get(at + 1..at + 3), Some(b"//" | b"/*" | b"--")))
    };
    // Percent-encodings of letters in the wrong encoding begin with these.
    let has_escape =
        || memchr::memmem::find(line, b"%C3%").is_some() || memchr::memmem::find(line, b"%c3%").is_some();
    let is_list = line.trim_ascii_end().ends_with(b"/,");
    let has_second_colon = || {
        let after = memchr::memchr(b':', line).and_then(|colon| line.get(colon + 1..));
        after.is_some_and(|after| after.trim_ascii_start().starts_with(b":"))
    };
    if is_plain_start
        && !is_list
        && !has_second_colon()
        && !line.iter().any(suspicious)
        && !has_remark()
        && !has_escape()
    {
        return None;
    }
    // Byte order marks have a lint of their own.
    if line.starts_with(MARK) {
        return None;
    }
    let Ok(line) = core::str::from_utf8(line) else { return of_windows(line) };
    repair_text(line)
}

/// Reads a line in the encoding of Windows for Latin letters, if only its spaces and quotes are not of ASCII.
fn of_windows(line: &[u8]) -> Option<Repair> {
    let char = |byte: &u8| match byte {
        0x91 | 0x92 => Some('\u{2019}'),
        0x93 | 0x94 => Some('\u{201D}'),
        0x96 | 0x97 => Some('\u{2013}'),
        0xA0 | 0xAD | 0xB4 | 0xAB | 0xBB => Some(char::from(*byte)),
        byte if byte.is_ascii() => Some(char::from(*byte)),
        _ => None,
    };
    let text: String = line.iter().map(char).collect::<Option<String>>()?;
    let repair = repair_text(&text)?;
    // Each byte is one character.
    let at = |end: usize| text.get(..end).map_or(0, |before| before.chars().count());
    let place = Span::new(at(repair.place.start()), at(repair.place.end()));
    let is_ascii = match &repair.meant {
        Meant::Unclear => false,
        Meant::Line(text) | Meant::Comment(text) | Meant::Off(text) | Meant::Kept(text) => text.is_ascii(),
    };
    is_ascii.then_some(Repair { place, ..repair })
}

fn repair_text(line: &str) -> Option<Repair> {
    let code = line.split('#').next().unwrap_or_default();
    // A reference of HTML may contain a number sign.
    let code = if code.ends_with('&') { line } else { code };
    if code.trim().is_empty() {
        return None;
    }
    mojibake(code).or_else(|| record(code)).or_else(|| comment(code))
}

/// A record with text in UTF-8 that was read in another encoding. A byte order mark may be a part of it.
fn mojibake(code: &str) -> Option<Repair> {
    if let Some(at) = code.find('\u{FFFD}').filter(|_| has_key(code)) {
        let place = Span::new(at, at + '\u{FFFD}'.len_utf8());
        return Some(Repair { problem: Problem::Lost, place, meant: Meant::Unclear });
    }
    let (line, place) = unmangled(code).or_else(|| unmangled_escapes(code))?;
    let line = line.trim_start_matches('\u{FEFF}').trim();
    has_key(line).then(|| Repair { problem: Problem::Mojibake, place, meant: Meant::Line(line.to_string()) })
}

/// A record with a known key.
fn record(code: &str) -> Option<Repair> {
    let mut first = First::default();
    let (key_end, colon_len, start) = key_of(code, &mut first)?;
    let key = written_key(code.get(start..key_end)?, start, &mut first);
    let sign = code.get(key_end..)?.chars().next()?;
    if sign != ':' {
        first.add(Problem::Colon(sign), key_end, sign.len_utf8());
    }
    let mut value_start = key_end + colon_len;
    let more = code.get(value_start..)?;
    if let Some(rest) = more.trim_start_matches([' ', '\t']).strip_prefix([':', '\u{FF1A}']) {
        // As in `User-agent: ://ExampleBot`.
        let rest =
            rest.strip_prefix("//").filter(|_| ValueKind::of(&key) == ValueKind::Agent).unwrap_or(rest);
        let len = more.trim_start_matches([' ', '\t']).len() - rest.len();
        first.add(Problem::SecondColon, code.len() - rest.len() - len, len);
        value_start = code.len() - rest.len();
    }
    let value = without_closing(code.get(value_start..)?, code.get(..start)?);
    let kind = ValueKind::of(&key);
    let (value, remark) = without_remark(value);
    if !remark.is_empty() {
        first.add(Problem::Comment, value_start + value.len(), 1);
    }
    let meant = meant_value(value, value_start, kind, &mut first);
    let (mut problem, mut place) = first.0?;
    let written = value.trim_matches([' ', '\t']);
    let is_off = is_off(code.get(..start)?, &key, code.get(key_end + colon_len..)?);
    // A lone backslash is hardly meant for the whole site.
    let meant = meant.filter(|meant| problem != Problem::Backslash || meant != "/");
    let Some(meant) = meant else { return Some(Repair { problem, place, meant: Meant::Unclear }) };
    if kind == ValueKind::Pattern && written.starts_with(['/', '*']) && meant != written && is_wide(&meant) {
        return Some(Repair { problem, place, meant: Meant::Kept(meant) });
    }
    let remark = if remark.is_empty() { String::new() } else { format!(" # {remark}") };
    let line = if meant.is_empty() { format!("{key}:{remark}") } else { format!("{key}: {meant}{remark}") };
    if is_off {
        let at = code.len() - code.trim_start().len();
        (problem, place) = (Problem::Comment, Span::new(at, start.max(at + 1)));
    }
    Some(Repair { problem, place, meant: if is_off { Meant::Off(line) } else { Meant::Line(line) } })
}

/// Whether a pattern is about the whole site, or about all URLs with one sign: it has nothing else beside wildcards.
fn is_wide(pattern: &str) -> bool {
    let mut others = pattern.chars().filter(|char| !matches!(char, '/' | '*' | '$'));
    let first = others.next();
    first.is_none_or(|sign| sign.is_ascii_punctuation() && others.next().is_none() && pattern.contains('*'))
}

/// Whether the text before a key is a mark with which people switch a record off, as in `--Disallow: /a`. One mark of a list is none,
/// unless an exception comes after it, which may open what a rule closes.
fn is_off(before: &str, key: &str, value: &str) -> bool {
    let marks = before.trim();
    let end = value.trim_end().trim_end_matches([',', ';']).trim_end();
    let is_allow = key.eq_ignore_ascii_case("allow");
    match marks {
        "-" => is_allow,
        // Without another one at the end.
        "'" | "\"" => (is_allow || key.eq_ignore_ascii_case("disallow")) && !end.ends_with(marks),
        "_" | "__" => !end.ends_with('_'),
        _ => {
            marks.len() > 1 && marks.bytes().all(|byte| byte == b'-')
                || marks.starts_with(is_mark_of_switched_off)
        }
    }
}

/// Whether a sign before a key is hardly one of a list or of Markdown.
const fn is_mark_of_switched_off(char: char) -> bool {
    matches!(
        char,
        '!' | '%' | '~' | '^' | '@' | '.' | '?' | '\u{FF03}' | '\u{FE5F}' | '\u{2116}' | '\u{266F}'
    )
}

/// A value without the quotation mark at its end whose other one is before the key, as in a line of code or of a list.
fn without_closing<'v>(value: &'v str, before: &str) -> &'v str {
    let Some(open) = before.chars().find(|char| is_quote(*char)) else { return value };
    let close = match open {
        '\u{201C}' | '\u{201E}' => '\u{201D}',
        '\u{2018}' | '\u{201A}' => '\u{2019}',
        '\u{AB}' => '\u{BB}',
        straight => straight,
    };
    let end = value.trim_end().trim_end_matches([',', ';']).trim_end();
    end.strip_suffix(close).filter(|rest| !rest.contains(open)).unwrap_or(value)
}

/// A value without the comment at its end that has a sign of another language, and the words of the comment.
fn without_remark(value: &str) -> (&str, &str) {
    for sign in ["//", "/*", "<!--", "--", ";"] {
        let Some(at) = value.find(&format!(" {sign}")) else { continue };
        let (before, after) = value.split_at_checked(at).unwrap_or_default();
        let words = after.get(1 + sign.len()..).unwrap_or_default().trim();
        let words = words.strip_suffix("*/").or_else(|| words.strip_suffix("-->")).unwrap_or(words).trim();
        // Another path may begin with slashes, and a list has semicolons.
        let is_words = words.starts_with(char::is_alphabetic) && !words.contains(['/', ';', '*', ':', '=']);
        if is_words && !before.trim().is_empty() {
            return (before, words);
        }
    }
    (value, "")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    Agent,
    Pattern,
    Other,
}

impl ValueKind {
    fn of(key: &str) -> Self {
        let key = key.to_ascii_lowercase();
        if key.contains("agent") {
            Self::Agent
        } else if key.contains("llow") {
            Self::Pattern
        } else {
            Self::Other
        }
    }
}

/// Where the key of a line ends and begins, and the length of the sign after it. A key may have marks, quotes and
/// characters that can't be seen around it.
fn key_of(code: &str, first: &mut First) -> Option<(usize, usize, usize)> {
    for (at, sign) in code.char_indices() {
        let is_sign = matches!(
            sign,
            ':' | '='
                | ';'
                | '\u{FF1A}'
                | '\u{A789}'
                | '\u{2236}'
                | '\u{FE55}'
                | '\u{FE13}'
                | '\u{FE30}'
                | '\u{FF1D}'
                | '\u{FF1B}'
                | '\u{02D0}'
                | '\u{0589}'
                | '\u{05C3}'
        );
        if !is_sign {
            continue;
        }
        let mut ignored = First::default();
        let before = code.get(..at)?;
        let start = key_start(before, first);
        let key = written_key(before.get(start..)?, start, &mut ignored);
        if !is_key(key.as_bytes()) {
            *first = First::default();
            // A URL or a value may follow a key that is not known. A number is that of a line.
            let is_number = || mark(code.trim_start()) == Some(before.trim_start().len() + 1);
            if sign == ':' && !is_number() {
                return None;
            }
            continue;
        }
        let mut len = sign.len_utf8();
        // As in `Disallow=: /a`, `Disallow := /a`, `Disallow => /a` and `**User-agent:** *`.
        let rest = code.get(at + len..)?;
        let more = rest.len() - rest.trim_start_matches(['*', '_', '`']).len();
        if more > 1 && code.get(..at)?.contains(['*', '_', '`']) {
            len += more;
        } else if sign == '=' && rest.starts_with(['>', '=', ':']) {
            len += 1;
        }
        return Some((at, len, start));
    }
    None
}

/// Where the key begins after marks of lists and Markdown, elements of HTML, quotes and spaces.
fn key_start(before: &str, first: &mut First) -> usize {
    let mut at = 0;
    loop {
        let rest = before.get(at..).unwrap_or_default();
        let Some(char) = rest.chars().next() else { return at };
        let len = if matches!(char, ' ' | '\t') {
            at += 1;
            continue;
        } else if is_invisible(char) {
            first.add(Problem::Invisible(char), at, char.len_utf8());
            char.len_utf8()
        } else if char.is_whitespace() {
            first.add(Problem::Space(char), at, char.len_utf8());
            char.len_utf8()
        } else if is_quote(char) && char != '`' {
            first.add(Problem::Quote(char), at, char.len_utf8());
            char.len_utf8()
        } else if let Some(len) = element(rest) {
            first.add(Problem::Element, at, len);
            len
        } else if let Some(len) = mark(rest) {
            first.add(Problem::Mark, at, len);
            len
        } else {
            return at;
        };
        at += len;
    }
}

/// The length of a mark of Markdown or of a list at the start of a text.
fn mark(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if (1..4).contains(&digits) {
        let after = text.get(digits..)?;
        return (after.starts_with(['.', ')', ':']) || after.starts_with([' ', '\t'])).then_some(digits + 1);
    }
    let is_lettered = matches!(text.as_bytes(), [letter, b')' | b'.', b' ' | b'\t', ..] if letter.is_ascii_alphabetic())
        || text.starts_with("o  ")
        || text.starts_with("o\t");
    if is_lettered {
        return Some(2);
    }
    let char = text.chars().next()?;
    let is_mark = matches!(
        char,
        '-' | '*'
            | '+'
            | '>'
            | '\u{2022}'
            | '\u{B7}'
            | '\u{25CF}'
            | '\u{25AA}'
            | '\u{25E6}'
            | '\u{2023}'
            // Bullets of the fonts Symbol and Wingdings.
            | '\u{F0A7}'
            | '\u{F0B7}'
            | '\u{F0D8}'
            | '`'
            | '_'
            | '\u{2013}'
            | '\u{2014}'
            | '$'
            | '|'
            | '{'
            | '['
            | '('
            | ','
    );
    (is_mark || is_mark_of_switched_off(char)).then_some(char.len_utf8())
}

/// The length of an element of HTML at the start of a text.
fn element(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('<')?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let is_end = inner.len() + 1 < text.len();
    if !inner.starts_with(|char: char| char.is_ascii_alphabetic()) {
        return None;
    }
    let end = text.find('>')?;
    // `</account/>` is a path in brackets.
    let name = text.get(2..end).filter(|_| is_end).unwrap_or_default();
    (!name.contains('/')).then_some(end + 1)
}

/// The key with letters of ASCII, and without what is around it.
fn written_key(text: &str, start: usize, first: &mut First) -> String {
    let mut key = String::new();
    for (at, char) in text.char_indices() {
        let (at, len) = (start + at, char.len_utf8());
        if is_invisible(char) {
            first.add(Problem::Invisible(char), at, len);
        } else if matches!(char, '*' | '`' | '\\') {
            first.add(Problem::Mark, at, len);
        } else if char != ' ' && char != '\t' && char.is_whitespace() {
            first.add(Problem::Space(char), at, len);
            key.push(' ');
        } else if is_quote(char) {
            first.add(Problem::Quote(char), at, len);
        } else if let Some(ascii) = ascii_of(char) {
            first.add(Problem::LookAlike(char, ascii), at, len);
            key.push(ascii);
        } else {
            key.push(char);
        }
    }
    key.trim().to_string()
}

/// The value as it was meant; `None` where this is not clear.
fn meant_value(value: &str, start: usize, kind: ValueKind, first: &mut First) -> Option<String> {
    let mut is_clear = true;
    // What is at the ends.
    let (mut from, mut to) = (0, value.len());
    loop {
        let text = value.get(from..to)?;
        let Some(char) = text.chars().next() else { break };
        if let Some(problem) = blank(char) {
            if let Some(problem) = problem {
                first.add(problem, start + from, char.len_utf8());
            }
            from += char.len_utf8();
            continue;
        }
        let Some(last) = text.chars().next_back() else { break };
        if let Some(problem) = blank(last) {
            to -= last.len_utf8();
            if let Some(problem) = problem {
                first.add(problem, start + to, last.len_utf8());
            }
            continue;
        }
        // A name in brackets has another finding.
        let is_tag = |len: &usize| match kind {
            ValueKind::Agent => *len < text.len(),
            ValueKind::Pattern => true,
            ValueKind::Other => !text.starts_with("<http"),
        };
        if let Some(len) = element(text).filter(is_tag) {
            first.add(Problem::Element, start + from, len);
            // As in `<a href="/admin">`.
            let has_more = len < text.len() || !value.get(..from).unwrap_or_default().trim().is_empty();
            is_clear &= has_more || !text.contains('=');
            from += len;
            continue;
        }
        if let Some((rest, separator)) = ending(text.as_bytes()) {
            let is_backslash = separator == Separator::Escape && text.ends_with('\\');
            if !is_backslash && rest.len() < text.len() {
                let problem = match separator {
                    Separator::Element => Problem::Element,
                    Separator::Character => Problem::Invisible(text.chars().next_back().unwrap_or(' ')),
                    _ => Problem::LineEnd,
                };
                first.add(problem, start + from + rest.len(), text.len() - rest.len());
                to = from + rest.len();
                continue;
            }
        }
        // After the end of an element, its start may be there, too: `/a<b></b>`.
        let has_element = matches!(first.0, Some((Problem::Element, _)));
        let open = if has_element { "<" } else { "</" };
        if text.ends_with('>')
            && text.rfind(open).is_some_and(|at| {
                at > 0 && element(text.get(at..).unwrap_or_default()) == Some(text.len() - at)
            })
        {
            let at = text.rfind(open).unwrap_or_default();
            first.add(Problem::Element, start + from + at, text.len() - at);
            to = from + at;
            continue;
        }
        let is_bracketed = text.starts_with('<') && last == '>' && kind == ValueKind::Other;
        if is_bracketed {
            first.add(Problem::Mark, start + from, 1);
            (from, to) = (from + 1, to - 1);
            continue;
        }
        if is_quote(char) && !(text.len() == char.len_utf8() && char.is_ascii()) {
            first.add(Problem::Quote(char), start + from, char.len_utf8());
            from += char.len_utf8();
            continue;
        }
        // A pattern with a star and a straight quote only at its end may block URLs that end with a quote.
        let is_opened = from > 0 && !value.get(..from)?.trim().is_empty();
        let is_path = kind == ValueKind::Pattern && text.starts_with('/') && !text.contains(['*', '?', '%']);
        let is_only = is_path && text.len() > 2 && text.matches(last).count() == 1 && last != '`';
        if is_quote(last) && (!last.is_ascii() || is_opened || is_only) {
            to -= last.len_utf8();
            first.add(Problem::Quote(last), start + to, last.len_utf8());
            continue;
        }
        // As in a list of a program.
        let is_list = match kind {
            ValueKind::Agent => {
                text.len() > 1 && text.ends_with([';', ',']) && !text.contains(['(', ' ', '&'])
            }
            // After a name, `;` may begin a parameter of a path.
            ValueKind::Pattern => text.len() > 2 && (text.ends_with("/;") || text.ends_with("/,")),
            ValueKind::Other => false,
        };
        if is_list {
            first.add(Problem::Mark, start + to - 1, 1);
            to -= 1;
            continue;
        }
        if text.starts_with("**") && text.ends_with("**") && text.len() > 4 {
            first.add(Problem::Mark, start + from, 2);
            (from, to) = (from + 2, to - 2);
            continue;
        }
        break;
    }
    let text = value.get(from..to)?;
    let mut meant = String::new();
    // As in `\images\*.jpg`: the signs are between folders, and not of Markdown.
    let has_folders = text.starts_with('\\')
        && !text.starts_with("\\/")
        && text
            .as_bytes()
            .windows(2)
            .any(|pair| matches!(pair, [b'\\', next] if next.is_ascii_alphanumeric()));
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let (place, len) = (start + from + at, char.len_utf8());
        if is_invisible(char) && !joins(text, at, char) {
            first.add(Problem::Invisible(char), place, len);
        } else if !matches!(char, ' ' | '\t') && char.is_whitespace() {
            first.add(Problem::Space(char), place, len);
            is_clear = false;
        } else if char == '&' {
            match entity(text.get(at..)?) {
                Some((len, decoded)) => {
                    first.add(Problem::Entity, place, len);
                    // A space inside of a path.
                    is_clear &= !(decoded.is_empty() && !meant.is_empty() && at + len < text.len());
                    meant.push_str(&decoded);
                    while chars.peek().is_some_and(|(next, _)| *next < at + len) {
                        chars.next();
                    }
                }
                None => meant.push(char),
            }
        } else if char == '\\' && kind != ValueKind::Other {
            let next = chars.peek().map(|(_, next)| *next);
            // As in JSON: `\u00e9`.
            let digits = text.get(at..)?.strip_prefix("\\u");
            if let Some(char) = digits.and_then(|digits| char_of_hex(digits.as_bytes())) {
                let len = "\\u00e9".len();
                first.add(Problem::Escape, place, len);
                meant.push(char);
                while chars.peek().is_some_and(|(next, _)| *next < at + len) {
                    chars.next();
                }
                continue;
            }
            match next {
                // `\_` and `\*` are of Markdown, `\/` is of JSON.
                Some(next @ ('_' | '*' | '/' | '-' | '#' | '~' | '&' | '=' | '%'))
                    if !is_expression(text) && !has_folders =>
                {
                    first.add(Problem::Escape, place, 1);
                    meant.push(next);
                    chars.next();
                }
                // As in configurations of Apache.
                Some(' ') if kind == ValueKind::Agent => first.add(Problem::Escape, place, 1),
                _ if kind == ValueKind::Agent || is_expression(text) => meant.push(char),
                // A query has no folders.
                None if meant.contains('?') => first.add(Problem::Escape, place, 1),
                // As in `\\admin\\`.
                Some('\\') => {
                    first.add(Problem::Backslash, place, 1);
                }
                _ => {
                    first.add(Problem::Backslash, place, 1);
                    // A folder of a disk is not a path of the site.
                    is_clear &= !meant.ends_with(':');
                    if !meant.ends_with('/') {
                        meant.push('/');
                    }
                }
            }
        } else {
            // Full-width signs are letters of paths in some languages; at the start of a pattern there is a slash.
            // If that slash is another character, so are the others.
            let is_slash = kind == ValueKind::Pattern && ascii_of(char) == Some('/');
            let is_start = meant.is_empty()
                || kind == ValueKind::Agent
                || is_slash && text.trim_start().starts_with(char);
            match ascii_of(char).filter(|_| is_start && kind != ValueKind::Other) {
                Some(ascii) if kind == ValueKind::Agent && is_of_other_alphabet(text) => {
                    meant.push(char);
                    let _ = ascii;
                }
                Some(ascii) if kind == ValueKind::Agent || matches!(ascii, '/' | '*') => {
                    first.add(Problem::LookAlike(char, ascii), place, len);
                    meant.push(ascii);
                }
                _ => {
                    match ascii_of(char).filter(|_| kind == ValueKind::Pattern && is_in_latin_word(text, at))
                    {
                        Some(ascii) => {
                            first.add(Problem::LookAlike(char, ascii), place, len);
                            meant.push(ascii);
                        }
                        None => {
                            // Beside letters of other languages, full-width forms may be of the path.
                            let is_wide =
                                |char: char| char.is_ascii() || matches!(char, '\u{FF01}'..='\u{FF5E}');
                            // These are hardly letters of a path.
                            let is_sign = matches!(
                                char,
                                '\u{2044}' | '\u{2215}' | '\u{29F8}' | '\u{2217}' | '\u{204E}'
                            );
                            let is_form = kind == ValueKind::Pattern
                                && !char.is_ascii()
                                && (is_sign || text.chars().all(is_wide));
                            if let Some(ascii) = ascii_of(char).filter(|_| is_form) {
                                first.add(Problem::LookAlike(char, ascii), place, len);
                                is_clear = false;
                            }
                            meant.push(char);
                        }
                    }
                }
            }
        }
    }
    // A header in quotes is not a name, either.
    let is_name = kind != ValueKind::Agent || !meant.contains(['(', '/', ';']);
    (is_clear && is_name).then_some(meant)
}

/// Whether a letter or hyphen is in a word of a path whose other letters are of ASCII, as in `/wp-admin/` with U+2010. Dashes are a part of titles.
fn is_in_latin_word(text: &str, at: usize) -> bool {
    let is_other = |char: char| char.is_ascii() && !char.is_alphanumeric();
    let before = text.get(..at).unwrap_or_default();
    let after = text.get(at..).unwrap_or_default();
    let start = before.rfind(is_other).map_or(0, |found| found + 1);
    let end = after.find(is_other).map_or(text.len(), |found| at + found);
    let word = text.get(start..end).unwrap_or_default();
    // A name of WordPress, in which an editor made a dash of the hyphen.
    if word == "wp\u{2013}admin" || word == "wp\u{2013}content" {
        return true;
    }
    let latin = word.chars().filter(char::is_ascii_alphabetic).count();
    let other = word.chars().filter(|char| !char.is_ascii());
    let is_like = |char: char| {
        matches!(char, '\u{370}'..='\u{52F}' | '\u{2010}' | '\u{2011}' | '\u{2212}' | '\u{FE63}' | '\u{2043}')
            && ascii_of(char).is_some()
    };
    let (count, alike) =
        other.fold((0, 0), |(count, alike), char| (count + 1, alike + usize::from(is_like(char))));
    count == alike && latin > 2 * count
}

/// Whether a name is written in another alphabet, and not in Latin letters with a few that look like them.
fn is_of_other_alphabet(text: &str) -> bool {
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    let other = text
        .chars()
        .filter(|char| {
            char.is_alphabetic()
                && ascii_of(*char).is_none_or(|_| ('\u{370}'..'\u{530}').contains(char))
                && !char.is_ascii()
        })
        .count();
    other > latin
}

/// Whether a pattern is a regular expression, about which another lint reports.
fn is_expression(text: &str) -> bool {
    let bytes = text.as_bytes();
    let after = |at: usize| bytes.get(at + 2).is_none_or(|next| !next.is_ascii_alphanumeric());
    let is_class = bytes.windows(2).enumerate().any(|(at, pair)| match pair {
        [b'\\', b'd' | b'w' | b's' | b'D' | b'W' | b'S'] => after(at),
        [b'\\', b'.' | b'?' | b'+' | b'(' | b'[' | b'$'] => true,
        _ => false,
    });
    let marks = [".*", "(?", "|", "{", "[^"];
    is_class || text.starts_with('^') || marks.iter().any(|mark| text.contains(mark))
}

/// Whether a character joins letters or emojis, as some scripts need.
fn joins(text: &str, at: usize, char: char) -> bool {
    matches!(char, '\u{200C}' | '\u{200D}' | '\u{FE0F}')
        && text
            .get(..at)
            .and_then(|before| before.chars().next_back())
            .is_some_and(|before| !before.is_ascii())
}

/// The problem of a character that is blank, or `None` for a space and a tab.
fn blank(char: char) -> Option<Option<Problem>> {
    match char {
        ' ' | '\t' => Some(None),
        _ if char.is_whitespace() && !char.is_ascii() => Some(Some(Problem::Space(char))),
        _ if is_invisible(char) => Some(Some(Problem::Invisible(char))),
        _ => None,
    }
}

/// Whether a character looks like nothing, or stands for an object that was not copied.
fn is_invisible(char: char) -> bool {
    is_hidden(char) && !char.is_control() || matches!(char, '\u{2800}' | '\u{FFFC}')
}

fn is_quote(char: char) -> bool {
    matches!(char, '"' | '\'' | '`' | '\u{B4}' | '\u{2018}'..='\u{201F}' | '\u{2039}' | '\u{203A}' | '\u{AB}' | '\u{BB}' | '\u{300C}'..='\u{300F}' | '\u{FF02}' | '\u{FF07}' | '\u{2032}' | '\u{2033}')
}

/// Letters of other alphabets that look like letters of ASCII.
const LOOK_ALIKE: [(&str, &str); 3] = [
    (
        "\u{430}\u{435}\u{43E}\u{440}\u{441}\u{443}\u{445}\u{456}\u{458}\u{455}\u{4BB}\u{501}\u{51B}\u{51D}",
        "aeopcyxijshdqw",
    ),
    (
        "\u{410}\u{412}\u{415}\u{41A}\u{41C}\u{41D}\u{41E}\u{420}\u{421}\u{422}\u{425}\u{405}\u{406}\u{408}\u{423}",
        "ABEKMHOPCTXSIJY",
    ),
    (
        "\u{391}\u{392}\u{395}\u{396}\u{397}\u{399}\u{39A}\u{39C}\u{39D}\u{39F}\u{3A1}\u{3A4}\u{3A5}\u{3A7}\u{3BF}\u{3BD}",
        "ABEZHIKMNOPTYXov",
    ),
];

/// The character of ASCII that a character looks like.
fn ascii_of(char: char) -> Option<char> {
    match char {
        // Nearly all characters are these, so the tables are not searched for them.
        '\0'..='\u{7F}' => None,
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(char) - 0xFEE0),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE63}' | '\u{2043}' => Some('-'),
        '\u{2044}' | '\u{2215}' | '\u{29F8}' => Some('/'),
        '\u{2217}' | '\u{204E}' | '\u{2731}' => Some('*'),
        _ => LOOK_ALIKE.iter().find_map(|(like, ascii)| {
            let at = like.chars().position(|one| one == char)?;
            ascii.chars().nth(at)
        }),
    }
}

/// A character reference of HTML at the start of a text: its length and what it stands for.
fn entity(text: &str) -> Option<(usize, Cow<'static, str>)> {
    const NAMES: [(&str, &str); 38] = [
        ("amp", "&"),
        ("lt", "<"),
        ("gt", ">"),
        ("quot", "\""),
        ("apos", "'"),
        ("nbsp", ""),
        ("ast", "*"),
        ("sol", "/"),
        ("AMP", "&"),
        ("LT", "<"),
        ("GT", ">"),
        ("QUOT", "\""),
        ("num", "#"),
        ("colon", ":"),
        ("quest", "?"),
        ("equals", "="),
        ("dollar", "$"),
        ("percnt", "%"),
        ("lowbar", "_"),
        ("hyphen", "-"),
        ("ndash", "\u{2013}"),
        ("mdash", "\u{2014}"),
        ("agrave", "\u{E0}"),
        ("aacute", "\u{E1}"),
        ("auml", "\u{E4}"),
        ("ccedil", "\u{E7}"),
        ("egrave", "\u{E8}"),
        ("eacute", "\u{E9}"),
        ("ecirc", "\u{EA}"),
        ("iacute", "\u{ED}"),
        ("ntilde", "\u{F1}"),
        ("oacute", "\u{F3}"),
        ("ouml", "\u{F6}"),
        ("uacute", "\u{FA}"),
        ("uuml", "\u{FC}"),
        ("szlig", "\u{DF}"),
        ("zwnj", ""),
        ("shy", ""),
    ];
    let inner = text.strip_prefix('&')?;
    let end = inner.bytes().take(LONGEST_REFERENCE + 1).position(|byte| byte == b';')?;
    let name = inner.get(..end)?;
    let len = name.len() + 2;
    if let Some((_, char)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some((len, Cow::Borrowed(char)));
    }
    let digits = name.strip_prefix('#')?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((len, Cow::Owned(char::from_u32(code)?.to_string())))
}

/// A comment with the sign of another language.
fn comment(code: &str) -> Option<Repair> {
    let text = code.trim();
    let at = code.len() - code.trim_start().len();
    let signs = ["//", "<!--", "-->", "/*", "*/", "--", ";", "*", "REM ", "rem "];
    let sign = signs.iter().find(|sign| text.starts_with(**sign))?;
    // A path without a key, and a line of stars.
    if matches!(*sign, "*" | "/*" | "--" | "REM " | "rem ")
        && (text.len() <= sign.len() + 1 || text.contains(':') && !has_key(text.get(sign.len()..)?))
    {
        return None;
    }
    // As in `/*?*`.
    if *sign == "/*" && !text.contains([' ', '\t']) && !text.ends_with("*/") {
        return None;
    }
    if *sign == "//" && text.len() < 3 || *sign == "*" && !text.starts_with("* ") {
        return None;
    }
    let rest = text.strip_prefix(*sign).unwrap_or_default().trim();
    let rest = rest.strip_suffix("-->").or_else(|| rest.strip_suffix("*/")).unwrap_or(rest).trim();
    Some(Repair {
        problem: Problem::Comment,
        place: Span::new(at, at + sign.len()),
        meant: Meant::Comment(rest.to_string()),
    })
}

/// Whether a text begins with a key and a colon.
fn has_key(text: &str) -> bool {
    text.split_once(':').is_some_and(|(key, _)| is_key(key.trim().as_bytes()))
}

impl Problem {
    /// The problem in words: the first part of a message.
    pub(crate) fn says(self) -> String {
        let code = |char: char| format!("U+{:04X}", u32::from(char));
        match self {
            Self::Invisible(char) => match name(char) {
                Some(name) => format!("the line contains the invisible character {} ({name})", code(char)),
                None => format!("the line contains the invisible character {}", code(char)),
            },
            Self::Space(char) => match name(char) {
                Some(name) => format!(
                    "the line contains {} ({name}), which crawlers do not take for a space",
                    code(char)
                ),
                None => {
                    format!("the line contains {}, a space that crawlers do not take for one", code(char))
                }
            },
            Self::Quote(char) if char.is_ascii() => {
                "crawlers take the quotation marks for a part of the text".to_string()
            }
            Self::Quote(char) => {
                format!("crawlers take the quotation mark {} for a part of the text", code(char))
            }
            Self::LookAlike(char, ascii) => {
                format!("the line contains {}, which only looks like `{ascii}`", code(char))
            }
            Self::Colon(char) if char.is_ascii() => format!("`{char}` is in place of the colon"),
            Self::Colon(char) => format!("{} is in place of the colon, and only looks like it", code(char)),
            Self::SecondColon => "crawlers take the second colon for a part of the value".to_string(),
            Self::Removed => {
                "the file shows a change, and this line is one that the change removed".to_string()
            }
            Self::Entity => {
                "the line contains a character reference (entity) of HTML, which crawlers do not decode"
                    .to_string()
            }
            Self::Element => {
                "the line contains a tag of HTML, which crawlers take for a part of the text".to_string()
            }
            Self::Mark => {
                "the line contains marks of Markdown or of a list, which crawlers take for a part of the text"
                    .to_string()
            }
            Self::Backslash => "paths have slashes, and crawlers take a backslash literally".to_string(),
            Self::Escape => {
                "crawlers take the backslash literally; patterns have no escapes with backslashes".to_string()
            }
            Self::LineEnd => "a code such as `\\n` is in place of a line end".to_string(),
            Self::Mojibake => {
                "text in UTF-8 was read in another encoding and written again, so the letters are wrong"
                    .to_string()
            }
            Self::Lost => "U+FFFD stands for a letter that was lost when the file was converted".to_string(),
            Self::Comment => {
                "a comment begins with `#`; crawlers read this line as something else, or ignore it"
                    .to_string()
            }
        }
    }
}

fn name(char: char) -> Option<&'static str> {
    Some(match char {
        '\u{A0}' => "no-break space",
        '\u{AD}' => "soft hyphen",
        '\u{2002}' => "en space",
        '\u{2003}' => "em space",
        '\u{2009}' => "thin space",
        '\u{202F}' => "narrow no-break space",
        '\u{3000}' => "ideographic space",
        '\u{200B}' => "zero width space",
        '\u{200C}' => "zero width non-joiner",
        '\u{200D}' => "zero width joiner",
        '\u{200E}' => "left-to-right mark",
        '\u{200F}' => "right-to-left mark",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{2060}' => "word joiner",
        '\u{FEFF}' => "zero width no-break space",
        _ => return None,
    })
}
