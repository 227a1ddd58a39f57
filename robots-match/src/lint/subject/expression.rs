//! Patterns that are meant as regular expressions.

use robots_groups::syntax::Span;

/// The letters and characters that follow a backslash in regular expressions.
const AFTER_BACKSLASH: &[u8] = b"dDwWsS.?+*$/()[]{}-";

/// The first part of a pattern that is most likely meant as a regular expression.
pub(crate) fn expression(bytes: &[u8]) -> Option<Span> {
    if bytes.first() == Some(&b'^') {
        return Some(Span::new(0, 1));
    }
    // As in `/^admin$`.
    if bytes.starts_with(b"/^") && bytes.get(2).is_some_and(u8::is_ascii_alphanumeric) {
        return Some(Span::new(1, 2));
    }
    // As in `/admin|login`.
    if let Some(at) = memchr::memchr(b'|', bytes) {
        let (start, rest) = bytes.split_at_checked(at).unwrap_or_default();
        let is_word = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_alphabetic);
        if start.strip_prefix(b"/").is_some_and(is_word) && is_word(rest.get(1..).unwrap_or_default()) {
            return Some(Span::new(at, at + 1));
        }
    }
    let escape =
        bytes.windows(2).position(|pair| matches!(pair, [b'\\', after] if AFTER_BACKSLASH.contains(after)));
    let escape = escape.filter(|&at| {
        // `\\d` before a letter is a folder of Windows.
        let next = bytes.get(at + 2);
        !bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
            || !next.is_some_and(u8::is_ascii_alphanumeric)
    });
    if let Some(at) = escape {
        return Some(Span::new(at, at + 2));
    }
    // `/c.+` would be for a path with a plus sign after a dot.
    if let Some(at) = memchr::memmem::find(bytes, b".+") {
        return Some(Span::new(at, at + 2));
    }
    // As in `/archive/.*`, after a folder without special characters.
    let folder = bytes.strip_suffix(b"$").unwrap_or(bytes).strip_suffix(b"/.*");
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_');
    if let Some(folder) = folder.filter(|folder| !folder.is_empty() && folder.iter().all(is_name)) {
        return Some(Span::new(folder.len() + 1, folder.len() + 3));
    }
    // As in `/.*/print` and `/wp-.*`. `/index.*` is for all endings of a name, and `/.*` and `/.*$` for files that begin with a dot.
    let any = memchr::memmem::find_iter(bytes, b".*").find(|at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        match before {
            Some(b'/') => !matches!(bytes.get(at + 2..), None | Some([] | [b'$' | b'.', ..])),
            Some(b'-' | b'_' | b'=' | b')' | b']') => true,
            _ => false,
        }
    });
    if let Some(at) = any {
        return Some(Span::new(at, at + 2));
    }
    // As in `/(?!blog)` and `[^/]+`.
    let is_group = |pair: &[u8]| matches!(pair, [b'(', b'?'] | [b'[', b'^']);
    if let Some(at) = bytes.windows(2).position(is_group) {
        return Some(Span::new(at, at + 2));
    }
    // As in `/[a-z]{2}/` and `/a{2,}`; `/{0}/` is a placeholder.
    let is_count = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let within = bytes.get(at + 1..).unwrap_or_default();
        let len = within.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b',').count();
        before.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b')' | b']'))
            && within.first().is_some_and(u8::is_ascii_digit)
            && within.get(len) == Some(&b'}')
    };
    if let Some(at) = memchr::memchr_iter(b'{', bytes).find(is_count) {
        return Some(Span::new(at, at + 1));
    }
    let bracketed = |open: u8, close: u8, is_meant: fn(&[u8]) -> bool| {
        let at = memchr::memchr(open, bytes)?;
        let len = memchr::memchr(close, bytes.get(at..)?)? + 1;
        let within = bytes.get(at + 1..at + len - 1)?;
        is_meant(within).then(|| Span::new(at, at + len))
    };
    // A range of characters, as in `[0-9]`, or a choice, as in `(a|b)`.
    let is_range = |within: &[u8]| {
        within
            .windows(3)
            .any(|range| matches!(range, [b'0', b'-', b'0'..=b'9'] | [b'a', b'-', b'z'] | [b'A', b'-', b'Z']))
    };
    let is_choice = |within: &[u8]| within.contains(&b'|') || within == b".*" || within == b".+";
    // As in `{css,js}`. A word in braces is a placeholder.
    let is_list = |within: &[u8]| {
        let mut words = within.split(|byte| *byte == b',');
        let is_word = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_alphanumeric);
        within.contains(&b',') && words.all(is_word)
    };
    bracketed(b'[', b']', is_range)
        .or_else(|| bracketed(b'(', b')', is_choice))
        .or_else(|| bracketed(b'{', b'}', is_list))
        // As in `/*.(jpg)`.
        .or_else(|| memchr::memmem::find(bytes, b".(").map(|at| Span::new(at, at + 2)))
}
