//! The split of a line into key and value, and the removal of white space.

use crate::policy::{SyntaxPolicy, WhiteSpace};
use crate::span::{Field, short};

/// A line, split into key and value.
#[derive(Debug)]
pub(crate) struct Split<'a> {
    /// Everything before the separator.
    pub(crate) written_key: &'a [u8],
    /// The key without white space around it; empty if the line has no key.
    pub(crate) key: &'a [u8],
    /// Whether the separator is a colon.
    pub(crate) colon: bool,
    /// Everything after the separator.
    pub(crate) value: &'a [u8],
    pub(super) value_at: usize,
}

impl<'a> Split<'a> {
    /// Splits the content of a line, comment included.
    pub(crate) fn of(content: &'a [u8], policy: &SyntaxPolicy) -> Self {
        let mut kept = content.get(..policy.max_line.unwrap_or(content.len())).unwrap_or(content);
        if policy.nul_ends_line {
            kept = until(kept, 0);
        }
        Self::of_trimmed(until(kept, b'#'), policy)
    }

    // Inlined because returning the parts through memory would take a tenth of the time to read the line.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn of_trimmed(content: &'a [u8], policy: &SyntaxPolicy) -> Self {
        let space = policy.white_space;
        let colon = memchr::memchr(b':', content);
        let at =
            colon.or_else(|| if policy.colon_optional { between_two_words(content, space) } else { None });
        let Some((written_key, rest)) = at.and_then(|at| content.split_at_checked(at)) else {
            return Self {
                written_key: content,
                key: &[],
                colon: false,
                value: &[],
                value_at: content.len(),
            };
        };
        Self {
            written_key,
            key: trim_end(trim_start(written_key, space), space),
            colon: colon.is_some(),
            value: rest.get(1..).unwrap_or_default(),
            value_at: written_key.len() + 1,
        }
    }
}

pub(super) fn until(bytes: &[u8], stop: u8) -> &[u8] {
    memchr::memchr(stop, bytes).and_then(|at| bytes.get(..at)).unwrap_or(bytes)
}

/// Returns where the first of exactly two words ends. Only spaces and tabs separate words.
fn between_two_words(content: &[u8], space: WhiteSpace) -> Option<usize> {
    let lead = content.len() - trim_start(content, space).len();
    let words = trim_end(content.get(lead..)?, space);
    let end = memchr::memchr2(b' ', b'\t', words)?;
    let second = trim_start(words.get(end..)?, WhiteSpace::SpaceAndTab);
    memchr::memchr2(b' ', b'\t', second).is_none().then_some(lead + end)
}

/// Returns the line end and what follows.
#[inline]
pub(super) fn after_content(bytes: &[u8]) -> &[u8] {
    memchr::memchr2(b'\n', b'\r', bytes).and_then(|at| bytes.get(at..)).unwrap_or_default()
}

/// Returns what follows a line end.
#[inline]
pub(super) const fn after_end(end: &[u8]) -> &[u8] {
    match end {
        [b'\r', b'\n', rest @ ..] => rest,
        [_, rest @ ..] => rest,
        [] => end,
    }
}

/// Does the same as [`trim_start`]. Faster for deep indents, which files have that are not robots.txt files, such as HTML pages.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn trim_indent(mut bytes: &[u8], space: WhiteSpace) -> &[u8] {
    // Blank lines and lines without an indent are frequent, too.
    if !matches!(bytes, [b' ' | b'\t', ..]) {
        return trim_start(bytes, space);
    }
    // Every policy counts spaces and tabs as white space. One step for eight of them, because a processor does not predict how
    // many there are.
    while let Some((eight, rest)) = bytes.split_first_chunk() {
        if eight != b"        " {
            let eight = u64::from_le_bytes(*eight);
            let others = unequal(eight, b' ') & unequal(eight, b'\t');
            if others != 0 {
                bytes = bytes.get(others.trailing_zeros() as usize / 8..).unwrap_or_default();
                break;
            }
        }
        bytes = rest;
    }
    trim_start(bytes, space)
}

/// Returns the highest bit of each of eight bytes that differs from `byte`.
#[inline]
const fn unequal(eight: u64, byte: u8) -> u64 {
    const HIGHEST: u64 = u64::from_le_bytes([0x80; 8]);
    let differs = eight ^ u64::from_le_bytes([byte; 8]);
    // A byte of seven bits plus 127 has the highest bit if the byte is not zero.
    (((differs & !HIGHEST) + !HIGHEST) | differs) & HIGHEST
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn trim_start(mut bytes: &[u8], space: WhiteSpace) -> &[u8] {
    while let [first, rest @ ..] = bytes {
        // No white space has a larger value than the space, so one comparison decides for most bytes.
        if *first > b' ' || !space.contains(*first) {
            break;
        }
        bytes = rest;
    }
    bytes
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn trim_end(mut bytes: &[u8], space: WhiteSpace) -> &[u8] {
    while let [rest @ .., last] = bytes {
        if *last > b' ' || !space.contains(*last) {
            break;
        }
        bytes = rest;
    }
    bytes
}

/// Returns the field of a value, which starts at position `at`, without white space around it.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn trimmed_field(value: &[u8], at: u32, space: WhiteSpace) -> Field<'_> {
    let trimmed = trim_start(value, space);
    Field::at(trim_end(trimmed, space), at + short(value.len() - trimmed.len()))
}
