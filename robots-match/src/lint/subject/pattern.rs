//! The pattern of a rule.

use alloc::vec::Vec;

use robots_groups::syntax::{Record, Rule};

use crate::lint::subject::lines::Lines;
use crate::pattern::percent::Unit;

/// A rule whose pattern is not empty.
pub(crate) struct Pattern<'a> {
    pub(crate) rule: Rule<'a>,
    pub(crate) lines: &'a Lines<'a>,
}

impl<'a> Pattern<'a> {
    pub(crate) fn find(lines: &'a Lines<'a>) -> Option<Self> {
        let Record::Rule(rule) = lines.line.record else { return None };
        (!rule.pattern.is_empty()).then_some(Self { rule, lines })
    }

    /// The pattern as it is written.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.rule.pattern.bytes()
    }
}

/// Whether a pattern contains several paths: a word after the first begins with a slash.
pub(crate) fn are_paths(pattern: &[u8]) -> bool {
    pattern.windows(2).any(|pair| matches!(pair, [b' ' | b'\t', b'/']))
}

/// Each `%` of a pattern: its position and the byte that it encodes, if it encodes one.
pub(crate) fn escapes(pattern: &[u8]) -> impl Iterator<Item = (usize, Option<u8>)> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let at = next + memchr::memchr(b'%', pattern.get(next..)?)?;
        let unit = Unit::of(pattern.get(at..)?);
        next = at + unit.len();
        Some((at, unit.escaped()))
    })
}

/// A pattern in whose path `%2F` is a slash, and one slash where there are several. A query stays as it is.
pub(crate) fn with_slashes(pattern: &[u8]) -> Vec<u8> {
    let mut meant: Vec<u8> = Vec::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'?' {
            meant.extend_from_slice(rest);
            break;
        }
        let is_slash = rest.get(..3).is_some_and(|code| code.eq_ignore_ascii_case(b"%2F"));
        rest = if is_slash { rest.get(3..).unwrap_or_default() } else { after };
        let byte = if is_slash { b'/' } else { byte };
        if byte != b'/' || meant.last() != Some(&b'/') {
            meant.push(byte);
        }
    }
    meant
}

/// The paths of a list; one or none if a pattern is not a list.
pub(crate) fn paths(pattern: &[u8]) -> Vec<&[u8]> {
    if !matches!(pattern.first(), Some(b'/' | b'*')) {
        return Vec::new();
    }
    let is_between = |byte: &u8| matches!(byte, b',' | b';' | b'|' | b' ' | b'\t');
    if !pattern.iter().any(is_between) {
        return Vec::new();
    }
    // As in `/a and /b`, `/a & /b` and `/a + /b`.
    let words: [&[u8]; 14] =
        [b"and", b"or", b"und", b"oder", b"et", b"ou", b"y", b"o", b"en", b"och", b"og", b"&", b"+", b"&&"];
    let is_word = |part: &&[u8]| words.iter().any(|word| part.eq_ignore_ascii_case(word));
    let parts: Vec<&[u8]> =
        pattern.split(is_between).filter(|part| !part.is_empty() && !is_word(part)).collect();
    let has_space = pattern.iter().any(u8::is_ascii_whitespace);
    // `/* */` is a comment of another language, and so is what comes after `//`. A slash after another sign goes on with the path.
    let is_path = |part: &&[u8]| {
        !matches!(*part, b"//" | b"/*" | b"*/")
            && (part.starts_with(b"/") && (part.len() > 1 || has_space)
                || has_space && part.starts_with(b"*/") && part.len() > 2)
    };
    let is_end = |part: &&[u8]| part.starts_with(b"*.") && part.len() > 2;
    // Without a space, a star after a comma goes on with the path, as in `/item-*,*.html`, unless all parts are ends, as in `/*.a,*.b`.
    let are_ends = parts.iter().all(|part| is_end(&part.strip_prefix(b"/").unwrap_or(part)));
    let is_end = |part: &&[u8]| (has_space || are_ends) && is_end(part);
    if parts.iter().all(|part| is_path(part) || is_end(part)) || is_list_of_names(pattern, &parts) {
        parts
    } else {
        Vec::new()
    }
}

/// Whether a pattern is a list of folders of which only the first has a slash, as in `/admin, login, cart`.
fn is_list_of_names(pattern: &[u8], parts: &[&[u8]]) -> bool {
    let is_name =
        |part: &[u8]| part.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let mut rest = parts.iter();
    let first = rest.next().and_then(|first| first.strip_prefix(b"/"));
    let first = first.map(|first| first.strip_suffix(b"/").unwrap_or(first));
    let signs = [&b", "[..], b"; ", b" | "];
    let is_apart =
        signs.iter().any(|sign| memchr::memmem::find_iter(pattern, sign).count() + 1 == parts.len());
    first.is_some_and(is_name)
        && parts.len() > 1
        && is_apart
        && rest.all(|part| is_name(part.strip_suffix(b"/").unwrap_or(part)))
}
