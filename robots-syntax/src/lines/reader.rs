//! The line reader, which never fails.

use core::iter::FusedIterator;

use super::initials::{KEYS, bit, is_end};
use super::split::{Split, after_content, after_end, trim_indent, trimmed_field, until};
use crate::line::{Effect, Line, Record, Rule};
use crate::policy::{SyntaxPolicy, WhiteSpace};
use crate::span::{Field, MAX_BYTES, Span, short};
use crate::spelling::{First, Key, Spelling};

/// An iterator over the lines of a file.
///
/// Any bytes yield lines: reading never fails.
///
/// # Memory
///
/// Nothing is allocated.
///
/// # Complexity
///
/// All lines of a file of *n* bytes take O(*n*) time.
///
/// ```
/// use robots_syntax::{Lines, Record, SyntaxPolicy};
///
/// let file = b"User-agent: ExampleBot\r\nDisallow: /private # not yet\n";
/// let mut lines = Lines::new(file, &SyntaxPolicy::RFC9309);
/// assert!(matches!(lines.next().unwrap().record, Record::UserAgent(name) if name.bytes() == b"ExampleBot"));
/// let second = lines.next().unwrap();
/// assert_eq!(second.to_string(), "2 disallow /private");
/// assert_eq!(second.span().range(), 24..53);
/// assert!(lines.next().is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    pub(super) policy: SyntaxPolicy,
    whole: usize,
    read: usize,
    skipped: usize,
    /// The bytes that are not read yet.
    pub(super) rest: &'a [u8],
    /// The position of the first byte of `rest`.
    at: u32,
    pub(super) number: u32,
    cuts_at_nul: bool,
    /// How many bytes of a line are read.
    pub(super) max_line: usize,
    /// The first letters of the keys of lines that are read fast, as a set of [`bit`]s: none if a NUL ends some lines.
    pub(super) initials: u64,
}

impl<'a> Lines<'a> {
    /// The largest number of bytes that are read from a file, whatever the policy says: 2^28 − 1, one byte less than 256
    /// MiB.
    ///
    /// The limit lets all layers store positions and line numbers in 28 bits. A longer file is cut as described at
    /// [`SyntaxPolicy::max_size`].
    pub const MAX_BYTES: usize = MAX_BYTES;

    /// Creates an iterator over the lines of `input`, in the order of the file.
    ///
    /// # Complexity
    ///
    /// At most one pass over the bytes of the file.
    #[must_use]
    pub fn new(input: &'a [u8], policy: &SyntaxPolicy) -> Self {
        let kept = kept(input, policy);
        let read = input.get(..kept).unwrap_or_default();
        let skipped = policy.byte_order_mark.skipped(read);
        let cuts_at_nul = policy.nul_ends_line && memchr::memchr(0, read).is_some();
        let rest = read.get(skipped..).unwrap_or_default();
        Self {
            policy: *policy,
            whole: input.len(),
            read: kept,
            skipped,
            rest,
            at: short(skipped),
            number: 0,
            cuts_at_nul,
            max_line: policy.max_line.unwrap_or(usize::MAX),
            initials: if cuts_at_nul { 0 } else { KEYS },
        }
    }

    /// Returns the place of the byte order mark that was skipped before the first line; empty if there was none.
    #[must_use]
    pub const fn skipped(&self) -> Span {
        Span::new(0, self.skipped)
    }

    /// Returns the bytes that the size limit left unread, from the start of the line that crosses the limit; empty if
    /// everything is read.
    #[must_use]
    pub const fn dropped(&self) -> Span {
        Span::new(self.read, self.whole)
    }

    /// Returns how many bytes the size limit left unread. Unlike the length of [`Self::dropped`], this count is not
    /// limited to [`Self::MAX_BYTES`].
    #[must_use]
    pub const fn dropped_len(&self) -> usize {
        self.whole - self.read
    }

    /// Reads the next line if it begins with a known key and a colon directly after the key, as nearly all records of
    /// real files do.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn plain(&mut self) -> Option<Plain<'a>> {
        let (spelling, after) = self.known_key(self.rest)?;
        self.plain_after(spelling, after)
    }

    /// Returns the known key with which `rest` begins, and what follows its colon.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn known_key(&self, rest: &'a [u8]) -> Option<(&'static Spelling, &'a [u8])> {
        if bit(*rest.first()?) & self.initials == 0 {
            return None;
        }
        let first = First::of(rest);
        for spelling in self.policy.spellings.list() {
            if let Some(after) = spelling.after_colon(rest, first) {
                return Some((spelling, after));
            }
        }
        None
    }

    /// Reads the next line, which begins with a known key. `after` is what follows its colon.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn plain_after(&mut self, spelling: &Spelling, after: &'a [u8]) -> Option<Plain<'a>> {
        let len = spelling.text().len();
        let stop = memchr::memchr3(b'\n', b'\r', b'#', after).unwrap_or(after.len());
        if len + 1 + stop > self.max_line {
            return None;
        }
        let (value, after) = after.split_at_checked(stop).unwrap_or((after, &[]));
        let value = trimmed_field(value, self.at + short(len) + 1, self.policy.white_space);
        let key = Field::at(self.rest.get(..len).unwrap_or_default(), self.at);
        let (at, bytes) = self.advance(after);
        Some(Plain { known: spelling.key, key, value, at, bytes })
    }

    /// Moves to the next line. `after` is what follows the content of the current line: a comment, the line end, and the
    /// rest of the file. Returns the position and the bytes of the line.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn advance(&mut self, after: &'a [u8]) -> (u32, &'a [u8]) {
        let end = if let [b'#', ..] = after { after_content(after) } else { after };
        let rest = after_end(end);
        let len = self.rest.len() - rest.len();
        let bytes = self.rest.get(..len).unwrap_or_default();
        let at = self.at;
        self.number += 1;
        self.at += short(len);
        self.rest = rest;
        (at, bytes)
    }

    /// Moves over `count` lines to `rest`, which follows them.
    #[inline]
    pub(super) const fn skip(&mut self, rest: &'a [u8], count: u32) {
        self.number += count;
        self.at += short(self.rest.len() - rest.len());
        self.rest = rest;
    }

    /// Splits the rest of the file into the content of the next line, up to a comment, and what follows.
    #[inline]
    pub(super) fn content(&self) -> (&'a [u8], &'a [u8]) {
        let stop = memchr::memchr3(b'\n', b'\r', b'#', self.rest);
        stop.and_then(|stop| self.rest.split_at_checked(stop)).unwrap_or((self.rest, &[]))
    }

    /// Reads the next line if it is a blank line, a comment, or a line without a colon, as most lines of HTML pages are.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn without_record(&self) -> Option<(Record<'a>, &'a [u8])> {
        let indented = trim_indent(self.rest, WhiteSpace::SpaceAndTab);
        if self.initials == 0 || self.rest.len() - indented.len() >= self.max_line {
            return None;
        }
        match indented.first() {
            None | Some(b'\n' | b'\r') => Some((Record::Blank, indented)),
            Some(b'#') => Some((Record::Comment, indented)),
            // Some policies count more bytes as white space.
            Some(first) if *first <= b' ' || self.policy.colon_optional => None,
            Some(_) => {
                let stop = memchr::memchr3(b'\n', b'\r', b':', indented);
                let after = stop.and_then(|stop| indented.get(stop..)).unwrap_or_default();
                (after.first() != Some(&b':')).then_some((Record::Unreadable, after))
            }
        }
    }

    /// Reads the record of the next line, whose content is `whole`.
    pub(super) fn record(&self, whole: &'a [u8]) -> Record<'a> {
        let content = self.cut(whole);
        let trimmed = trim_indent(content, self.policy.white_space);
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
        let may_be_known = split.key.first().is_some_and(|first| bit(*first) & KEYS != 0);
        let spelling = if may_be_known { self.policy.spelling(split.key) } else { None };
        match spelling {
            Some(spelling) => known(spelling.key, Field::at(split.key, at), value, self.number + 1),
            None => Record::Other { key: Field::at(split.key, at), value },
        }
    }

    /// Cuts a content at the line limit, and at a NUL that ends the line.
    #[inline]
    fn cut(&self, content: &'a [u8]) -> &'a [u8] {
        let content = self.policy.max_line.and_then(|max| content.get(..max)).unwrap_or(content);
        if self.cuts_at_nul { until(content, 0) } else { content }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    // Inlined because returning the line through memory would take as long as reading it. Not in WebAssembly, whose modules should
    // be small.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        if let Some(plain) = self.plain() {
            let record = known(plain.known, plain.key, plain.value, self.number);
            return Some(Line::at(self.number, plain.at, plain.bytes, record));
        }
        let (record, after) = self.without_record().unwrap_or_else(|| {
            let (content, after) = self.content();
            (self.record(content), after)
        });
        let (at, bytes) = self.advance(after);
        Some(Line::at(self.number, at, bytes, record))
    }
}

impl FusedIterator for Lines<'_> {}

/// Returns how many bytes of `input` are read: whole lines within the limit.
fn kept(input: &[u8], policy: &SyntaxPolicy) -> usize {
    let limit = policy.max_size.map_or(MAX_BYTES, |max| max.min(MAX_BYTES));
    let Some(&beyond) = input.get(limit) else { return input.len() };
    let within = input.get(..limit).unwrap_or_default();
    if is_end(beyond) && limit < MAX_BYTES {
        // The whole content of the last line is within the limit.
        return limit + 1;
    }
    memchr::memrchr2(b'\n', b'\r', within).map_or(0, |end| end + 1)
}

/// A line that begins with a known key and a colon.
pub(super) struct Plain<'a> {
    pub(super) known: Key,
    key: Field<'a>,
    pub(super) value: Field<'a>,
    at: u32,
    bytes: &'a [u8],
}

/// Returns the record of line `number`, whose key is known.
#[inline]
const fn known<'a>(known: Key, key: Field<'a>, value: Field<'a>, number: u32) -> Record<'a> {
    match known {
        Key::Allow => Record::Rule(Rule::at(Effect::Allow, value, number)),
        Key::Disallow => Record::Rule(Rule::at(Effect::Disallow, value, number)),
        Key::UserAgent => Record::UserAgent(value),
        Key::Sitemap => Record::Other { key, value },
    }
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    fn read(input: &[u8], policy: &SyntaxPolicy) -> Vec<String> {
        let mut at = Lines::new(input, policy).skipped().end();
        let all: Vec<String> = Lines::new(input, policy)
            .map(|line| {
                assert_eq!(line.span().start(), at, "spans tile the file");
                at = line.span().end();
                line.to_string()
            })
            .collect();
        assert_eq!(Lines::new(input, policy).dropped().start(), at);
        all
    }

    #[test]
    fn every_line_end_counts_once() {
        let ends = read(b"a:1\rb:2\r\nc:3\n\rd:4\r\r", &SyntaxPolicy::RFC9309);
        assert_eq!(
            ends,
            ["1 other a = 1", "2 other b = 2", "3 other c = 3", "4 blank", "5 other d = 4", "6 blank"]
        );
    }

    #[test]
    fn spans_of_fields_point_into_the_file() {
        let file = b"\xEF\xBB\xBF \tDisallow :\t/a b \t# c\nsitemap:x\nallow: # \nfoo\t bar";
        for policy in [SyntaxPolicy::RFC9309, SyntaxPolicy::GOOGLE, SyntaxPolicy::KOSTER_1996] {
            for line in Lines::new(file, &policy) {
                let check = |field: Field<'_>| assert_eq!(field.span().of(file), field.bytes());
                match line.record {
                    Record::UserAgent(field) => check(field),
                    Record::Rule(rule) => check(rule.pattern),
                    Record::Other { key, value } => {
                        check(key);
                        check(value);
                    }
                    Record::Comment | Record::Blank | Record::Unreadable => {}
                }
                assert_eq!(line.span().of(file), line.bytes());
            }
        }
    }

    #[test]
    fn two_words_need_no_colon_where_the_policy_says_so() {
        let google = &SyntaxPolicy::GOOGLE;
        assert_eq!(read(b"disallow\t /a\x0B", google), ["1 disallow /a"]);
        assert_eq!(read(b"disallow /a b", google), ["1 unreadable"]);
        assert_eq!(read(b"disallow", google), ["1 unreadable"]);
        assert_eq!(read(b"disallow /a:b", google), ["1 disallow b"]);
        assert_eq!(read(b"disallow /a", &SyntaxPolicy::RFC9309), ["1 unreadable"]);
    }

    #[test]
    fn the_span_of_a_misspelt_sitemap_key_is_complete() {
        let google = read(b"  Site-map:x\nsitemap:y", &SyntaxPolicy::GOOGLE);
        assert_eq!(google, ["1 other Site-map = x", "2 other sitemap = y"]);
    }

    #[test]
    fn a_line_end_is_not_part_of_a_key() {
        assert_eq!(read(b"user\ragent:x", &SyntaxPolicy::RFC9309), ["1 unreadable", "2 other agent = x"]);
        assert_eq!(read(b"allow\n:/x", &SyntaxPolicy::GOOGLE), ["1 unreadable", "2 unreadable"]);
        assert_eq!(read(b"user\0agent:x", &SyntaxPolicy::RFC9309), ["1 other user\\x00agent = x"]);
    }

    #[test]
    fn a_line_is_read_up_to_the_limit_of_the_policy() {
        let mut policy = SyntaxPolicy::GOOGLE;
        for (most, record) in
            [(11, "1 disallow /a"), (10, "1 disallow /"), (9, "1 disallow"), (8, "1 unreadable")]
        {
            policy.max_line = Some(most);
            assert_eq!(read(b"disallow:/a\n", &policy), [record]);
            assert_eq!(read(b"disallow:/a", &policy), [record]);
        }
        assert_eq!(read(b"allow:/a \t \n", &SyntaxPolicy::RFC9309), ["1 allow /a"]);
        assert_eq!(read(b"allow:/a\x0C\n", &SyntaxPolicy::RFC9309), ["1 allow /a\\x0c"]);
    }

    #[test]
    fn nul_ends_a_line_if_the_policy_says_so() {
        assert_eq!(read(b"disallow:/a\0b#c\n\0#", &SyntaxPolicy::GOOGLE), ["1 disallow /a", "2 blank"]);
        assert_eq!(read(b"disallow:/a\0b\n", &SyntaxPolicy::RFC9309), ["1 disallow /a\\x00b"]);
    }
}
