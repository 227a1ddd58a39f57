//! Lines in which several records ran together.

use alloc::vec::Vec;

use robots_groups::syntax::Span;

/// The records of one line in which line ends are missing.
pub(crate) struct Joined {
    /// The text before the first record, such as the words of a comment.
    pub(crate) before: Vec<u8>,
    /// The records, each as a line of its own would have it.
    pub(crate) records: Vec<Vec<u8>>,
    /// The place of the first key that should begin a line, in the line.
    pub(crate) place: Span,
    pub(crate) separator: Separator,
    /// Whether a number sign comes before the records, so that crawlers read none of them.
    pub(crate) is_comment: bool,
    /// Whether each record has a value that its key allows, so that the lines are most likely as they were meant.
    pub(crate) is_clear: bool,
}

/// The text that stands in place of a line end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Separator {
    /// Nothing, or spaces and punctuation.
    None,
    /// A code for a line end, such as a backslash and a letter.
    Escape,
    /// An element of HTML, such as `<br>`.
    Element,
    /// A character of Unicode that ends lines elsewhere.
    Character,
}

/// The facts about a file without which comments can't be understood.
#[derive(Clone, Copy, Default)]
pub(crate) struct Live {
    pub(crate) has_agent: bool,
    pub(crate) has_rule: bool,
    /// Whether no rule comes between this line and the next user-agent line or the end of the file.
    pub(crate) ends_names: bool,
}

/// The kind of value that a key has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Agent,
    Rule,
    Url,
    Number,
    Host,
    Other,
}

/// Keys that begin a line, in lower case, longer ones before those with which they end. Some are spellings that people write.
const KEYS: [(&[u8], Kind); 25] = [
    (b"user-agent", Kind::Agent),
    (b"useragent", Kind::Agent),
    (b"user agent", Kind::Agent),
    (b"user_agent", Kind::Agent),
    (b"disallow", Kind::Rule),
    (b"dissallow", Kind::Rule),
    (b"dissalow", Kind::Rule),
    (b"disalow", Kind::Rule),
    (b"allow", Kind::Rule),
    (b"noindex", Kind::Rule),
    (b"sitemap", Kind::Url),
    (b"site-map", Kind::Url),
    (b"sitemaps", Kind::Url),
    (b"license", Kind::Url),
    (b"crawl-delay", Kind::Number),
    (b"crawldelay", Kind::Number),
    (b"crawl delay", Kind::Number),
    (b"request-rate", Kind::Number),
    (b"visit-time", Kind::Number),
    (b"host", Kind::Host),
    (b"clean-param", Kind::Other),
    (b"content-signal", Kind::Other),
    (b"content-signals", Kind::Other),
    (b"content-usage", Kind::Other),
    (b"disallowaitraining", Kind::Rule),
];

/// Signs with which comments begin in other languages.
const COMMENTS: [&[u8]; 5] = [b"//", b"/*", b"<!--", b"--", b";"];

/// Whether a text is a key that begins a line, in one of its usual spellings.
pub(crate) fn is_key(text: &[u8]) -> bool {
    KEYS.iter().any(|(key, _)| text.eq_ignore_ascii_case(key))
}

/// A key in a line, with its colon.
struct Found {
    start: usize,
    end: usize,
    kind: Kind,
}

/// Returns the records of a line in which line ends are missing.
pub(crate) fn joined(line: &[u8], live: Live) -> Option<Joined> {
    // Nearly all lines have at most one colon, and that of a URL.
    let mut keys: Vec<Found> = Vec::new();
    for colon in memchr::memchr_iter(b':', line) {
        let from = keys.last().map_or(0, |key| key.end);
        let key = key_before(line.get(..colon).unwrap_or_default(), from);
        keys.extend(key.map(|(start, kind)| Found { start, end: colon + 1, kind }));
    }
    let number_sign = memchr::memchr(b'#', line).unwrap_or(line.len());
    let marks = line.iter().take_while(|byte| is_mark(**byte)).count();
    // As in `Sitemap: Sitemap: https://example.com/a.xml`.
    let name = |key: &Found| line.get(key.start..key.end - 1).unwrap_or_default().trim_ascii_end();
    let is_again = |key: &Found, next: Option<&Found>| {
        next.is_some_and(|next| name(key).eq_ignore_ascii_case(name(next)))
    };
    let mut starts = Vec::new();
    let mut is_clear = true;
    for (index, key) in keys.iter().enumerate() {
        let end = keys.get(index + 1).map_or(line.len(), |next| next.start);
        let (value, _) = without_separator(line.get(key.end..end).unwrap_or_default());
        let is_first = key.start <= marks;
        if is_first || is_value(value, key, line) {
            starts.push(key);
            is_clear &= !value.is_empty() || key.kind == Kind::Rule || is_again(key, keys.get(index + 1));
        }
    }
    let first = starts.first()?;
    // Lines that were switched off have a finding of their own.
    let before = line.get(..first.start).unwrap_or_default().trim_ascii_start();
    if COMMENTS.iter().any(|sign| before.starts_with(sign)) {
        return None;
    }
    let is_comment = number_sign < first.start;
    let begins_line = first.start <= marks;
    if is_comment {
        // Words of a comment, or lines that were commented out, unless the file has nothing else.
        let agent = starts.iter().any(|key| key.kind == Kind::Agent);
        let rule = starts.iter().any(|key| key.kind == Kind::Rule);
        let is_all = agent && rule && !live.has_agent || agent != rule && !(live.has_agent && live.has_rule);
        let completes = (agent || live.has_agent) && (rule || live.has_rule);
        let words = line.get(..first.start).unwrap_or_default();
        let has_words =
            words.iter().any(|byte| !matches!(byte, b'#' | b' ' | b'\t' | b'/' | b';' | b'-' | b'*'));
        if !(is_all && completes) || !(has_words || starts.len() > 1 && agent && rule) {
            return None;
        }
    } else if live.ends_names && first.kind == Kind::Agent && begins_line {
        return after_names(line, &starts, number_sign);
    } else {
        // What comes after a number sign in a line with records is a comment.
        starts.retain(|key| key.start < number_sign);
        // As in `Video Sitemap: https://example.com/a.xml`, which is one record with a key that is not known.
        if starts.len() < 2 {
            return None;
        }
    }
    let (first, next) = (starts.first()?, if begins_line { starts.get(1)? } else { starts.first()? });
    let place = Span::new(next.start, next.end);
    let (before, mut separator) = without_separator(line.get(..first.start).unwrap_or_default());
    let end_of_all = if is_comment { line.len() } else { number_sign };
    let comment = line.get(end_of_all..).unwrap_or_default();
    let mut records: Vec<Vec<u8>> = Vec::new();
    for (index, key) in starts.iter().enumerate() {
        let next = starts.get(index + 1).copied();
        let end = next.map_or(end_of_all, |next| next.start);
        let (value, found) = without_separator(line.get(key.end..end).unwrap_or_default());
        separator = if separator == Separator::None { found } else { separator };
        // `Disallow:` before another key is a rule, without which a group would go on.
        if value.is_empty() && is_again(key, next) {
            continue;
        }
        let mut record = line.get(key.start..key.end).unwrap_or_default().to_vec();
        if !value.is_empty() {
            record.push(b' ');
            record.extend_from_slice(value);
        }
        records.push(record);
    }
    // As in `[User-agent: *, Disallow: /a]`.
    let close = match line.trim_ascii_start().first() {
        Some(b'[') => Some(b']'),
        Some(b'{') => Some(b'}'),
        Some(b'(') => Some(b')'),
        _ => None,
    };
    if let Some(last) = records.last_mut().filter(|last| close.is_some() && last.last().copied() == close) {
        last.pop();
    }
    if let Some(last) = records.last_mut().filter(|_| !comment.is_empty()) {
        last.push(b' ');
        last.extend_from_slice(comment);
    }
    let is_clear = is_clear && !records.is_empty();
    Some(Joined { before: before.to_vec(), records, place, separator, is_comment, is_clear })
}

/// The records of a user-agent line that has rules in its comment, and no others.
fn after_names(line: &[u8], starts: &[&Found], number_sign: usize) -> Option<Joined> {
    let lost = starts.get(1..)?;
    let next = lost.first().filter(|next| next.start > number_sign)?;
    if lost.iter().any(|key| key.kind != Kind::Rule) {
        return None;
    }
    let first = line.get(..next.start)?.trim_ascii_end();
    let mut records = alloc::vec![first.strip_suffix(b"#").unwrap_or(first).trim_ascii().to_vec()];
    for (index, key) in lost.iter().enumerate() {
        let end = lost.get(index + 1).map_or(line.len(), |next| next.start);
        let (value, _) = without_separator(line.get(key.end..end)?);
        records.push([line.get(key.start..key.end)?, b" ", value].concat().trim_ascii_end().to_vec());
    }
    Some(Joined {
        before: Vec::new(),
        records,
        place: Span::new(next.start, next.end),
        separator: Separator::None,
        is_comment: false,
        is_clear: true,
    })
}

/// The key at the end of a text before a colon, if it begins at `from` or later.
fn key_before(text: &[u8], from: usize) -> Option<(usize, Kind)> {
    let text = text.trim_ascii_end();
    KEYS.iter().find_map(|(key, kind)| {
        let start = text.len().checked_sub(key.len()).filter(|start| *start >= from)?;
        let (before, written) = text.split_at_checked(start)?;
        let begins = is_boundary(before, written);
        (written.eq_ignore_ascii_case(key) && begins).then_some((start, *kind))
    })
}

/// Whether a word may begin after a text: at a character that is not part of words, and where lower case ends.
fn is_boundary(before: &[u8], word: &[u8]) -> bool {
    let Some(last) = before.last() else { return true };
    let ends: [&[u8]; 7] = [b"\\n", b"\\r", b"\\t", b"%0A", b"%0a", b"^M", b"--"];
    if ends.iter().any(|end| before.ends_with(end)) {
        return true;
    }
    let is_capital = word.first().is_some_and(u8::is_ascii_uppercase);
    match last {
        b'a'..=b'z' | b'0'..=b'9' => is_capital,
        // As in `/*?Sitemap: https://example.com/`.
        b'?' | b'&' => is_capital,
        b'A'..=b'Z' | b'-' | b'_' | b'.' | b'%' => false,
        _ => true,
    }
}

/// Whether a byte is white space or a mark, which may come before the first key of a line.
const fn is_mark(byte: u8) -> bool {
    !byte.is_ascii_alphanumeric() && !matches!(byte, b'#' | b'/' | b'<' | b'%')
}

/// Whether a text is a value of a key that begins inside of a line. `/wiki/Sitemap:` has none, for example.
fn is_value(value: &[u8], key: &Found, line: &[u8]) -> bool {
    let before = line.get(..key.start).unwrap_or_default();
    let is_apart = !before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'/');
    // As in `/docs/user-agent:test`, the path of a page.
    let is_folder = || {
        let word = line.get(key.start..key.end + 1).unwrap_or_default();
        before.ends_with(b"/")
            && word.first().is_some_and(u8::is_ascii_lowercase)
            && !word.last().is_some_and(u8::is_ascii_whitespace)
    };
    match key.kind {
        Kind::Agent => !value.is_empty() && !is_folder(),
        Kind::Rule if value.is_empty() => {
            let ends = |end: &[u8]| {
                let last = before.get(before.len().wrapping_sub(end.len())..);
                last.is_some_and(|last| last.eq_ignore_ascii_case(end))
            };
            ends(b" ") || ends(b"\t") || SEPARATORS.iter().any(|(separator, _)| ends(separator))
        }
        Kind::Rule | Kind::Number if is_folder() => false,
        Kind::Rule => matches!(value.first(), Some(b'/' | b'*' | b'$')),
        Kind::Url => {
            let is_http = value.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"http"));
            is_http || value.starts_with(b"/") && is_apart
        }
        Kind::Number => value.first().is_some_and(u8::is_ascii_digit),
        Kind::Host => {
            // As in `/searchHost: example.com` and `/a Host: https://example.com`.
            let is_glued = before.last().is_some_and(u8::is_ascii_lowercase);
            let is_capital = line.get(key.start).is_some_and(u8::is_ascii_uppercase);
            (is_apart || is_glued && is_capital)
                && before.len() > 1
                && value.contains(&b'.')
                && !value.contains(&b' ')
                && (!value.contains(&b'/')
                    || value.get(..4).is_some_and(|http| http.eq_ignore_ascii_case(b"http")))
        }
        Kind::Other => value.contains(&b'=') || is_apart && !value.is_empty(),
    }
}

/// Texts that stand in place of line ends.
const SEPARATORS: [(&[u8], Separator); 23] = [
    (b"\\r\\n", Separator::Escape),
    (b"\\n", Separator::Escape),
    (b"\\r", Separator::Escape),
    (b"\\t", Separator::Escape),
    (b"\\par", Separator::Escape),
    (b"\\", Separator::Escape),
    (b"%0D%0A", Separator::Escape),
    (b"%0A", Separator::Escape),
    (b"%0D", Separator::Escape),
    (b"^M", Separator::Escape),
    (b"`n", Separator::Escape),
    (b"<br>", Separator::Element),
    (b"<br/>", Separator::Element),
    (b"<br />", Separator::Element),
    (b"</br>", Separator::Element),
    (b"<p>", Separator::Element),
    (b"</p>", Separator::Element),
    (b"<div>", Separator::Element),
    (b"</div>", Separator::Element),
    (b"</li>", Separator::Element),
    (b"\xE2\x80\xA8", Separator::Character),
    (b"\xE2\x80\xA9", Separator::Character),
    (b"\xC2\x85", Separator::Character),
];

/// A text without white space at both ends, and without what stands in place of a line end.
fn without_separator(mut text: &[u8]) -> (&[u8], Separator) {
    let mut separator = Separator::None;
    loop {
        text = text.trim_ascii();
        let ends = |found: &[u8]| {
            let start = text.len().checked_sub(found.len());
            start.filter(|start| text.get(*start..).is_some_and(|end| end.eq_ignore_ascii_case(found)))
        };
        if let Some((start, kind)) = SEPARATORS.iter().find_map(|(found, kind)| Some((ends(found)?, *kind))) {
            text = text.get(..start).unwrap_or_default();
            separator = kind;
            continue;
        }
        let begins = SEPARATORS.iter().find(|(found, _)| {
            found.len() > 1 && text.get(..found.len()).is_some_and(|start| start.eq_ignore_ascii_case(found))
        });
        if let Some((found, kind)) = begins {
            text = text.get(found.len()..).unwrap_or_default();
            separator = *kind;
            continue;
        }
        // As in `Disallow: /a, Disallow: /b` and `"User-agent: *"`.
        let trimmed =
            text.strip_suffix(b",").or_else(|| text.strip_suffix(b";")).or_else(|| text.strip_suffix(b"|"));
        let quoted = || text.strip_suffix(b"\"").filter(|text| !text.contains(&b'"'));
        match trimmed.or_else(quoted) {
            Some(shorter) => text = shorter,
            None => return (text, separator),
        }
    }
}

/// The separator of a text that ends a line, such as `<br>`, and the text without it.
pub(crate) fn ending(text: &[u8]) -> Option<(&[u8], Separator)> {
    let (rest, separator) = without_separator(text);
    (separator != Separator::None).then_some((rest, separator))
}
