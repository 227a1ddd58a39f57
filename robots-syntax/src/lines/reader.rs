//! From octets to lines: the reader that never fails.

use core::iter::FusedIterator;

use super::split::{Split, behind_line, trim_end, trim_start, until};
use crate::line::{Effect, Line, Record, Rule};
use crate::policy::{Nul, Policy, WhiteSpace};
use crate::span::{Field, Span};
use crate::spelling::{First, Key};

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
    let initials = policy.spellings.iter().filter_map(|spelling| spelling.text().bytes().next());
    let initials = initials.fold(0, |initials, octet| initials | initial(octet));
    Lines {
        policy: *policy,
        whole: input.len(),
        read: kept,
        skipped,
        rest,
        at: short(skipped),
        number: 0,
        cuts_at_nul,
        max_line: policy.max_line.unwrap_or(usize::MAX),
        initials: if cuts_at_nul { 0 } else { initials },
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
    pub(super) rest: &'a [u8],
    /// The position of its first octet.
    at: u32,
    pub(super) number: u32,
    cuts_at_nul: bool,
    /// How many octets of a line are read.
    pub(super) max_line: usize,
    /// With what known keys begin, as [`initial`] has it; none if every line has to be looked at closely.
    pub(super) initials: u64,
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

    /// The key with which the next line begins and its value, if the colon stands right behind the key: nearly all
    /// records of real files are like that.
    #[inline(always)]
    pub(super) fn plain(&mut self) -> Option<Plain<'a>> {
        let rest = self.rest;
        if initial(*rest.first()?) & self.initials == 0 {
            return None;
        }
        let first = First::of(rest);
        for spelling in self.policy.spellings {
            let Some(behind) = spelling.behind_colon(rest, first) else { continue };
            let len = spelling.text().len();
            let stop = memchr::memchr3(b'\n', b'\r', b'#', behind).unwrap_or(behind.len());
            if len + 1 + stop > self.max_line {
                return None;
            }
            let (value, behind) = behind.split_at_checked(stop).unwrap_or((behind, &[]));
            let value = trimmed_field(value, self.at + short(len) + 1, self.policy.white_space);
            let key = Field::at(rest.get(..len).unwrap_or_default(), self.at);
            let (at, octets) = self.advance(behind);
            return Some(Plain { known: spelling.key, key, value, at, octets });
        }
        None
    }

    /// Leaves a line behind, of which this follows the content: a comment, the line end, and what else there is to read.
    /// Gives its place and octets.
    #[inline(always)]
    pub(super) fn advance(&mut self, behind: &'a [u8]) -> (u32, &'a [u8]) {
        let end = if let [b'#', ..] = behind { behind_line(behind) } else { behind };
        let rest = match end {
            [b'\r', b'\n', rest @ ..] => rest,
            [_, rest @ ..] => rest,
            [] => end,
        };
        let len = self.rest.len() - rest.len();
        let octets = self.rest.get(..len).unwrap_or_default();
        let at = self.at;
        self.number += 1;
        self.at += short(len);
        self.rest = rest;
        (at, octets)
    }

    /// The content of the next line, up to a comment, and what follows.
    #[inline]
    pub(super) fn content(&self) -> (&'a [u8], &'a [u8]) {
        let stop = memchr::memchr3(b'\n', b'\r', b'#', self.rest);
        stop.and_then(|stop| self.rest.split_at_checked(stop)).unwrap_or((self.rest, &[]))
    }

    /// What the next line says, whose content this is.
    pub(super) fn record(&self, whole: &'a [u8]) -> Record<'a> {
        let content = self.cut(whole);
        let trimmed = trim_start(content, self.policy.white_space);
        if trimmed.is_empty() {
            let is_comment = content.len() == whole.len() && self.rest.get(whole.len()) == Some(&b'#');
            return if is_comment { Record::Comment } else { Record::Blank };
        }
        let at = self.at + short(content.len() - trimmed.len());
        let split = Split::of_trimmed(trimmed, &self.policy);
        if split.key.is_empty() {
            return Record::Unreadable;
        }
        let value = trimmed_field(split.value, at + short(split.value_at), self.policy.white_space);
        match self.policy.spelling(split.key) {
            Some(spelling) => known(spelling.key, Field::at(split.key, at), value, self.number + 1),
            None => Record::Other { key: Field::at(split.key, at), value },
        }
    }

    /// What is read of a content that may be too long, or hold a NUL that ends it.
    #[inline]
    fn cut(&self, content: &'a [u8]) -> &'a [u8] {
        let content = self.policy.max_line.and_then(|max| content.get(..max)).unwrap_or(content);
        if self.cuts_at_nul { until(content, 0) } else { content }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    // Inlined, or else what is found goes through memory on its way out, which takes as long as finding it.
    #[inline(always)]
    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        if let Some(plain) = self.plain() {
            let record = known(plain.known, plain.key, plain.value, self.number);
            return Some(Line::at(self.number, plain.at, plain.octets, record));
        }
        let (content, behind) = self.content();
        let record = self.record(content);
        let (at, octets) = self.advance(behind);
        Some(Line::at(self.number, at, octets, record))
    }
}

impl FusedIterator for Lines<'_> {}

/// A line that begins with a key that is known.
pub(super) struct Plain<'a> {
    pub(super) known: Key,
    key: Field<'a>,
    pub(super) value: Field<'a>,
    at: u32,
    octets: &'a [u8],
}

/// What a line of this number says whose key is known.
#[inline]
const fn known<'a>(known: Key, key: Field<'a>, value: Field<'a>, number: u32) -> Record<'a> {
    match known {
        Key::Allow => Record::Rule(Rule::at(Effect::Allow, value, number)),
        Key::Disallow => Record::Rule(Rule::at(Effect::Disallow, value, number)),
        Key::UserAgent => Record::UserAgent(value),
        Key::Sitemap => Record::Other { key, value },
    }
}

/// One of 64 bits for what a key begins with, upper and lower case alike.
#[inline]
pub(super) const fn initial(octet: u8) -> u64 {
    1 << ((octet | 0x20) & 63)
}

/// A length within a file that is read, which [`LONGEST`] bounds.
#[expect(clippy::cast_possible_truncation, reason = "LONGEST is below 2^32")]
pub(super) const fn short(len: usize) -> u32 {
    len as u32
}

#[inline(always)]
fn trimmed_field(value: &[u8], at: u32, space: WhiteSpace) -> Field<'_> {
    let trimmed = trim_start(value, space);
    Field::at(trim_end(trimmed, space), at + short(value.len() - trimmed.len()))
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
    fn the_key_of_a_misspelt_sitemap_is_whole() {
        let google = read(b"  Site-map:x\nsitemap:y", &Policy::GOOGLE);
        assert_eq!(google, ["1 other Site-map = x", "2 other sitemap = y"]);
    }

    #[test]
    fn a_line_end_is_no_part_of_a_key() {
        assert_eq!(read(b"user\ragent:x", &Policy::RFC9309), ["1 unreadable", "2 other agent = x"]);
        assert_eq!(read(b"allow\n:/x", &Policy::GOOGLE), ["1 unreadable", "2 unreadable"]);
        assert_eq!(read(b"user\0agent:x", &Policy::RFC9309), ["1 other user\\x00agent = x"]);
    }

    #[test]
    fn no_more_of_a_line_is_read_than_the_policy_says() {
        let mut policy = Policy::GOOGLE;
        for (most, record) in
            [(11, "1 disallow /a"), (10, "1 disallow /"), (9, "1 disallow"), (8, "1 unreadable")]
        {
            policy.max_line = Some(most);
            assert_eq!(read(b"disallow:/a\n", &policy), [record]);
            assert_eq!(read(b"disallow:/a", &policy), [record]);
        }
        assert_eq!(read(b"allow:/a \t \n", &Policy::RFC9309), ["1 allow /a"]);
        assert_eq!(read(b"allow:/a\x0C\n", &Policy::RFC9309), ["1 allow /a\\x0c"]);
    }

    #[test]
    fn what_the_limit_left_unread_is_counted() {
        let mut policy = Policy::RFC9309;
        policy.max_size = Some(4);
        assert_eq!(lines(b"a:b\nc:de\n", &policy).dropped_len(), 5);
        assert_eq!(lines(b"a:b\n", &policy).dropped_len(), 0);
        assert_eq!(LONGEST, (1 << 28) - 1);
    }

    #[test]
    fn nul_ends_a_line_or_does_not() {
        assert_eq!(read(b"disallow:/a\0b#c\n\0#", &Policy::GOOGLE), ["1 disallow /a", "2 blank"]);
        assert_eq!(read(b"disallow:/a\0b\n", &Policy::RFC9309), ["1 disallow /a\\x00b"]);
    }
}
