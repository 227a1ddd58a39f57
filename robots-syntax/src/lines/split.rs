//! Key and value of a line, and the white space round them.

use crate::policy::{Nul, Policy, Separator, WhiteSpace};

/// A line taken apart into key and value.
#[derive(Debug)]
pub(crate) struct Split<'a> {
    /// All that stands before the separator.
    pub(crate) written_key: &'a [u8],
    /// The same without white space round it; empty if the line has no key.
    pub(crate) key: &'a [u8],
    /// Whether a colon separates.
    pub(crate) colon: bool,
    /// All that stands behind the separator.
    pub(crate) value: &'a [u8],
    pub(super) value_at: usize,
}

impl<'a> Split<'a> {
    /// Of the content of a line, comment included.
    pub(crate) fn of(content: &'a [u8], policy: &Policy) -> Self {
        let mut kept = content.get(..policy.max_line.unwrap_or(content.len())).unwrap_or(content);
        if policy.nul == Nul::EndsLine {
            kept = until(kept, 0);
        }
        Self::of_trimmed(until(kept, b'#'), policy)
    }

    pub(super) fn of_trimmed(content: &'a [u8], policy: &Policy) -> Self {
        let space = policy.white_space;
        let colon = memchr::memchr(b':', content);
        let at = colon.or_else(|| match policy.separator {
            Separator::Colon => None,
            Separator::ColonOrBlank => between_two_words(content, space),
        });
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

pub(super) fn until(octets: &[u8], stop: u8) -> &[u8] {
    memchr::memchr(stop, octets).and_then(|at| octets.get(..at)).unwrap_or(octets)
}

/// Where the first of two words ends, if there are exactly two. Only blanks and tabs separate words.
fn between_two_words(content: &[u8], space: WhiteSpace) -> Option<usize> {
    let lead = content.len() - trim_start(content, space).len();
    let words = trim_end(content.get(lead..)?, space);
    let end = memchr::memchr2(b' ', b'\t', words)?;
    let second = trim_start(words.get(end..)?, WhiteSpace::Blank);
    memchr::memchr2(b' ', b'\t', second).is_none().then_some(lead + end)
}

/// The line end, and what follows it.
#[inline]
pub(super) fn behind_line(octets: &[u8]) -> &[u8] {
    memchr::memchr2(b'\n', b'\r', octets).and_then(|at| octets.get(at..)).unwrap_or_default()
}

#[inline(always)]
pub(super) fn trim_start(mut octets: &[u8], space: WhiteSpace) -> &[u8] {
    while let [first, rest @ ..] = octets {
        // No white space is above the blank: one comparison settles most.
        if *first > b' ' || !space.contains(*first) {
            break;
        }
        octets = rest;
    }
    octets
}

#[inline(always)]
pub(super) fn trim_end(mut octets: &[u8], space: WhiteSpace) -> &[u8] {
    while let [rest @ .., last] = octets {
        if *last > b' ' || !space.contains(*last) {
            break;
        }
        octets = rest;
    }
    octets
}
