//! From octets to lines: the reader that never fails.

use core::iter::FusedIterator;

use crate::line::{Effect, Line, Record, Rule};
use crate::policy::{Key, Nul, Policy, Separator, WhiteSpace};
use crate::span::{Field, Span};

/// The most octets of a file that are read whatever the policy says: 2^28 − 1, one short of 256 MiB.
///
/// It lets everything above hold positions and line numbers in 28 bits. A file that long is cut as by
/// [`Policy::max_size`].
pub const LONGEST: usize = (1 << 28) - 1;

/// The lines of `input`, in order.
///
/// Any octets yield lines; nothing is allocated. Time grows with the number of octets.
///
/// ```
/// use robots_syntax::{Policy, Record, lines};
///
/// let file = b"User-agent: ExampleBot\r\nDisallow: /private # not yet\n";
/// let mut lines = lines(file, &Policy::RFC9309);
/// assert!(matches!(lines.next().unwrap().record, Record::UserAgent(name) if name.octets() == b"ExampleBot"));
/// let second = lines.next().unwrap();
/// assert_eq!(second.to_string(), "2 disallow /private");
/// assert_eq!(second.span().range(), 24..53);
/// assert!(lines.next().is_none());
/// ```
#[must_use]
pub fn lines<'a>(input: &'a [u8], policy: &Policy) -> Lines<'a> {
    let kept = kept(input, policy);
    let read = input.get(..kept).unwrap_or_default();
    let skipped = policy.byte_order_mark.skipped(read);
    let cuts_at_nul = policy.nul == Nul::EndsLine && memchr::memchr(0, read).is_some();
    let rest = read.get(skipped..).unwrap_or_default();
    Lines {
        policy: *policy,
        whole: input.len(),
        read: kept,
        skipped,
        rest,
        at: short(skipped),
        number: 0,
        cuts_at_nul,
    }
}

/// How many octets of `input` are read: whole lines within the limit.
fn kept(input: &[u8], policy: &Policy) -> usize {
    let limit = policy.max_size.map_or(LONGEST, |max| max.min(LONGEST));
    let Some(&beyond) = input.get(limit) else { return input.len() };
    let within = input.get(..limit).unwrap_or_default();
    if is_end(beyond) && limit < LONGEST {
        // Nothing of the line's content lies beyond: it is complete.
        return limit + 1;
    }
    memchr::memrchr2(b'\n', b'\r', within).map_or(0, |end| end + 1)
}

const fn is_end(octet: u8) -> bool {
    matches!(octet, b'\n' | b'\r')
}

/// An iterator over the lines of a file; see [`lines`].
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    policy: Policy,
    whole: usize,
    read: usize,
    skipped: usize,
    /// What is not read yet.
    rest: &'a [u8],
    /// The position of its first octet.
    at: u32,
    number: u32,
    cuts_at_nul: bool,
}

impl<'a> Lines<'a> {
    /// The byte order mark that was skipped before the first line; empty if there was none.
    #[must_use]
    pub const fn skipped(&self) -> Span {
        Span::new(0, self.skipped)
    }

    /// The octets that the size limit left unread, from the start of the line on which it fell; empty if none.
    #[must_use]
    pub const fn dropped(&self) -> Span {
        Span::new(self.read, self.whole)
    }

    /// How many octets the size limit left unread. Unlike a span's, this count has no bound.
    #[must_use]
    pub const fn dropped_len(&self) -> usize {
        self.whole - self.read
    }

    /// What the content before any comment says. `commented` tells whether there was one.
    #[inline]
    fn record(&self, mut content: &'a [u8], commented: bool) -> Record<'a> {
        let mut cut = false;
        if self.policy.max_line.is_some_and(|max| content.len() > max) || self.cuts_at_nul {
            let whole = content.len();
            content = self.cut(content);
            cut = content.len() < whole;
        }
        let space = self.policy.white_space;
        let trimmed = trim_start(content, space);
        let at = self.at + short(content.len() - trimmed.len());
        if trimmed.is_empty() {
            return if commented && !cut { Record::Comment } else { Record::Blank };
        }
        for spelling in self.policy.spellings {
            // Nearly all lines of real files are like this: the key, and its colon right behind.
            let len = spelling.text.len();
            if trimmed.get(len) == Some(&b':') {
                if let Some((key, rest)) = trimmed.split_at_checked(len) {
                    if same_key(key, spelling.text.as_bytes()) {
                        let value = rest.get(1..).unwrap_or_default();
                        let value = trimmed_field(value, at + short(len) + 1, space);
                        return self.known(spelling.key, key, at, value);
                    }
                }
            }
        }
        self.lenient(trimmed, at)
    }

    /// What is read of a content that may be too long, or hold a NUL that ends it.
    fn cut(&self, content: &'a [u8]) -> &'a [u8] {
        let content = self.policy.max_line.and_then(|max| content.get(..max)).unwrap_or(content);
        if self.cuts_at_nul { until(content, 0) } else { content }
    }

    /// What a line says whose key is not one that is known, with its colon right behind.
    fn lenient(&self, content: &'a [u8], at: u32) -> Record<'a> {
        let split = Split::of_trimmed(content, &self.policy);
        if split.key.is_empty() {
            return Record::Unreadable;
        }
        let value = trimmed_field(split.value, at + short(split.value_at), self.policy.white_space);
        match self.policy.spelling(split.key) {
            Some(spelling) => self.known(spelling.key, split.key, at, value),
            None => Record::Other { key: Field::at(split.key, at), value },
        }
    }

    #[inline]
    fn known(&self, known: Key, key: &'a [u8], at: u32, value: Field<'a>) -> Record<'a> {
        let effect = match known {
            Key::Allow => Effect::Allow,
            Key::Disallow => Effect::Disallow,
            Key::UserAgent => return Record::UserAgent(value),
            Key::Sitemap => return Record::Other { key: Field::at(key, at), value },
        };
        Record::Rule(Rule::at(effect, value, self.number))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.rest;
        if rest.is_empty() {
            return None;
        }
        let stop = memchr::memchr3(b'\n', b'\r', b'#', rest).unwrap_or(rest.len());
        let (content, behind) = rest.split_at(stop);
        let commented = behind.first() == Some(&b'#');
        let end = if commented { stop + until_end(behind).len() } else { stop };
        let len = match rest.get(end..) {
            Some([b'\r', b'\n', ..]) => end + 2,
            Some([_, ..]) => end + 1,
            _ => end,
        };
        let (octets, rest) = rest.split_at(len);
        self.number += 1;
        let record = self.record(content, commented);
        let line = Line::at(self.number, self.at, octets, record);
        self.at += short(len);
        self.rest = rest;
        Some(line)
    }
}

impl FusedIterator for Lines<'_> {}

/// A length within a file that is read, which [`LONGEST`] bounds.
#[expect(clippy::cast_possible_truncation, reason = "LONGEST is below 2^32")]
const fn short(len: usize) -> u32 {
    len as u32
}

/// Whether `key` is `text`, which is in lower case and as long, but for its case.
///
/// Setting the bit that tells lower case from upper leaves letters alike and no other octet like one; what it makes
/// like `-` is a CR, and like a blank a NUL, neither of which stands in a key that is held against one.
#[inline]
fn same_key(key: &[u8], text: &[u8]) -> bool {
    const CASE: u64 = 0x2020_2020_2020_2020;
    let folded = |octets: [u8; 8]| u64::from_ne_bytes(octets) | CASE;
    match (key.first_chunk(), text.first_chunk(), key.last_chunk(), text.last_chunk()) {
        (Some(&key), Some(&text), Some(&key_end), Some(&text_end)) if text.len() <= 16 => {
            folded(key) == folded(text) && folded(key_end) == folded(text_end)
        }
        _ => key.eq_ignore_ascii_case(text),
    }
}

fn until_end(octets: &[u8]) -> &[u8] {
    memchr::memchr2(b'\n', b'\r', octets).and_then(|at| octets.get(..at)).unwrap_or(octets)
}

#[inline]
fn trimmed_field(value: &[u8], at: u32, space: WhiteSpace) -> Field<'_> {
    let trimmed = trim_start(value, space);
    Field::at(trim_end(trimmed, space), at + short(value.len() - trimmed.len()))
}

#[inline]
fn trim_start(mut octets: &[u8], space: WhiteSpace) -> &[u8] {
    while let [first, rest @ ..] = octets {
        if !space.contains(*first) {
            break;
        }
        octets = rest;
    }
    octets
}

#[inline]
fn trim_end(mut octets: &[u8], space: WhiteSpace) -> &[u8] {
    while let [rest @ .., last] = octets {
        if !space.contains(*last) {
            break;
        }
        octets = rest;
    }
    octets
}

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
    value_at: usize,
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

    fn of_trimmed(content: &'a [u8], policy: &Policy) -> Self {
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

fn until(octets: &[u8], stop: u8) -> &[u8] {
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

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    fn read(input: &[u8], policy: &Policy) -> Vec<String> {
        let mut at = lines(input, policy).skipped().end();
        let all: Vec<String> = lines(input, policy)
            .map(|line| {
                assert_eq!(line.span().start(), at, "spans tile the file");
                at = line.span().end();
                line.to_string()
            })
            .collect();
        assert_eq!(lines(input, policy).dropped().start(), at);
        all
    }

    #[test]
    fn every_line_end_counts_once() {
        let ends = read(b"a:1\rb:2\r\nc:3\n\rd:4\r\r", &Policy::RFC9309);
        assert_eq!(
            ends,
            ["1 other a = 1", "2 other b = 2", "3 other c = 3", "4 blank", "5 other d = 4", "6 blank"]
        );
    }

    #[test]
    fn spans_of_fields_are_those_of_the_file() {
        let file = b"\xEF\xBB\xBF \tDisallow :\t/a b \t# c\nsitemap:x\nallow: # \nfoo\t bar";
        for policy in [Policy::RFC9309, Policy::GOOGLE, Policy::KOSTER_1996] {
            for line in lines(file, &policy) {
                let check = |field: Field<'_>| assert_eq!(field.span().of(file), field.octets());
                match line.record {
                    Record::UserAgent(field) => check(field),
                    Record::Rule(rule) => check(rule.pattern),
                    Record::Other { key, value } => {
                        check(key);
                        check(value);
                    }
                    Record::Comment | Record::Blank | Record::Unreadable => {}
                }
                assert_eq!(line.span().of(file), line.octets());
            }
        }
    }

    #[test]
    fn the_limit_drops_the_line_it_cuts() {
        let mut policy = Policy::RFC9309;
        policy.max_size = Some(8);
        for (input, kept) in [
            (&b"allow:/a"[..], 8),
            (b"allow:/a\n", 9),
            (b"allow:/ab", 0),
            (b"a:b\nallow:/ab", 4),
            (b"a:b\r\nc:d\r\nx", 9),
            (b"a:b\r\nc:de\r\nx", 5),
            (b"a:b\n123\r\nx", 9),
            (b"a:b\n1234\r\nx", 9),
        ] {
            assert_eq!(lines(input, &policy).dropped().start(), kept, "{}", input.escape_ascii());
        }
    }

    #[test]
    fn two_words_need_no_colon_where_the_policy_says_so() {
        let google = &Policy::GOOGLE;
        assert_eq!(read(b"disallow\t /a\x0B", google), ["1 disallow /a"]);
        assert_eq!(read(b"disallow /a b", google), ["1 unreadable"]);
        assert_eq!(read(b"disallow", google), ["1 unreadable"]);
        assert_eq!(read(b"disallow /a:b", google), ["1 disallow b"]);
        assert_eq!(read(b"disallow /a", &Policy::RFC9309), ["1 unreadable"]);
    }

    #[test]
    fn nul_ends_a_line_or_does_not() {
        assert_eq!(read(b"disallow:/a\0b#c\n\0#", &Policy::GOOGLE), ["1 disallow /a", "2 blank"]);
        assert_eq!(read(b"disallow:/a\0b\n", &Policy::RFC9309), ["1 disallow /a\\x00b"]);
    }
}
