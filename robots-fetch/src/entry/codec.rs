//! Entries as bytes: one format, in which a cache keeps its usual entries and a store keeps all.
//!
//! | value | bytes |
//! |---|---|
//! | number | seven bits in each byte, the lowest first; the highest bit says that more follow |
//! | text | twice its number of bytes, plus 1 if it is shortened by [`words`](super::words); its bytes |
//! | duration | seconds, nanoseconds |
//! | time | 0 for the time before it again, or else 1 (since 1970) or 2 (before 1970) and the distance |
//! | choice, such as a state | its number, and its parts |
//! | option | 0, or 1 and the value |
//! | list | its number of values, and the values |
//!
//! An entry is the text of its body, and then its parts. Each type lists its parts once here, for both directions. Only
//! entries in memory have shortened texts; they take a fifth of what the values take, which have URLs with their offsets, eight
//! optional header fields, and a block of memory for each.
//!
//! The format is ours because a serializer would need a copy of each type with texts that are borrowed, or would make the format
//! a part of the public API, and none writes a repeated time in one byte.

use alloc::sync::Arc;
use core::time::Duration;
use std::time::SystemTime;

use robots_match::Robots;
use url::Url;

use crate::entry::file::{File, FoundKind};
use crate::entry::words::{lengthen, shorten};
use crate::entry::{Before, Entry, Outage, State};
use crate::failure::{Cause, Failure, FailureKind};
use crate::message::fields::Fields;
use crate::message::freshness::{Freshness, FreshnessSource};
use crate::profile::SiteProfile;
use crate::retrieval::outcome::Hop;

/// The longest body that is kept as bytes in memory.
pub(crate) const LONGEST_BODY: usize = 16 * 1024;

/// A value that was read, or what is wrong with the bytes.
pub(super) type Read<T> = Result<T, &'static str>;

const BROKEN: &str = "its encoding";

/// Returns an entry as the bytes that a cache keeps, if it is a usual one: with a file of at most 16 KiB that the last answer brought
/// or confirmed, or without a file because of a status.
pub(crate) fn block(entry: &Entry) -> Option<Vec<u8>> {
    let is_usual = match &entry.state {
        State::File(file) => file.len() <= LONGEST_BODY && *file.robots.profile() == entry.profile.reading(),
        State::Unavailable { cause, was: None } | State::Restricted { cause } => {
            matches!(**cause, Cause::Status(_))
        }
        _ => false,
    };
    is_usual.then(|| write(entry, true))
}

/// Returns the entry that was made under `profile` and written as this block.
pub(crate) fn from_block(block: &[u8], profile: &SiteProfile) -> Entry {
    read(block, profile, true).expect("the block has what was written into it")
}

/// Returns the body of the entry in a block; nothing if it has no file.
pub(crate) fn body_of_block(block: &[u8]) -> Vec<u8> {
    Reader::new(block, true).text().unwrap_or_default()
}

/// Writes an entry.
pub(super) fn write(entry: &Entry, is_short: bool) -> Vec<u8> {
    let Entry { profile: _, state, freshness, hops, body_bytes } = entry;
    let mut writer = Writer { is_short, ..Writer::default() };
    let file = entry.good_file().or_else(|| entry.previous_file());
    writer.text(file.map_or(&[], |file| file.robots.body()));
    freshness.write(&mut writer);
    hops.write(&mut writer);
    body_bytes.write(&mut writer);
    state.write(&mut writer);
    writer.bytes
}

/// Reads an entry. Accepts any bytes; those after the entry are not read.
pub(super) fn read(bytes: &[u8], profile: &SiteProfile, is_short: bool) -> Read<Entry> {
    let mut reader = Reader::new(bytes, is_short);
    let body = reader.text()?;
    if body.len() > profile.max_size() + 1 {
        return Err("a body that is longer than any that is retrieved");
    }
    let has_body = !body.is_empty();
    reader.robots = Some(Arc::new(profile.read(body.into_boxed_slice())));
    let (freshness, hops) = (Part::read(&mut reader)?, Part::read(&mut reader)?);
    let (body_bytes, state) = (Part::read(&mut reader)?, Part::read(&mut reader)?);
    if has_body && reader.robots.is_some() {
        return Err("a body without a file");
    }
    Ok(Entry { profile: *profile, state, freshness, hops, body_bytes })
}

/// A part of an entry.
pub(super) trait Part: Sized {
    fn write(&self, writer: &mut Writer);

    fn read(reader: &mut Reader<'_>) -> Read<Self>;
}

/// The bytes that are written.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
    is_short: bool,
    last_time: Option<SystemTime>,
    last_url: Option<Url>,
}

impl Writer {
    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte((number & 0x7F) as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        let short = if self.is_short { shorten(text) } else { Vec::new() };
        let (text, is_short) =
            if self.is_short && short.len() < text.len() { (&*short, 1) } else { (text, 0) };
        self.number(text.len() as u64 * 2 + is_short);
        self.bytes.extend_from_slice(text);
    }
}

/// The bytes that are read.
pub(super) struct Reader<'b> {
    rest: &'b [u8],
    is_short: bool,
    last_time: Option<SystemTime>,
    last_url: Option<Url>,
    /// The file, until the part that it belongs to.
    robots: Option<Arc<Robots>>,
}

impl<'b> Reader<'b> {
    const fn new(rest: &'b [u8], is_short: bool) -> Self {
        Self { rest, is_short, last_time: None, last_url: None, robots: None }
    }

    fn byte(&mut self) -> Read<u8> {
        let (byte, rest) = self.rest.split_first().ok_or(BROKEN)?;
        self.rest = rest;
        Ok(*byte)
    }

    fn number(&mut self) -> Read<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(BROKEN)
    }

    fn text(&mut self) -> Read<Vec<u8>> {
        let number = self.number()?;
        let length = usize::try_from(number / 2).map_err(|_| BROKEN)?;
        let (text, rest) = self.rest.split_at_checked(length).ok_or(BROKEN)?;
        self.rest = rest;
        match number % 2 == 1 {
            true if self.is_short => Ok(lengthen(text)),
            true => Err(BROKEN),
            false => Ok(text.to_vec()),
        }
    }

    /// Reads one of two values; 0 is the first one.
    fn flag(&mut self) -> Read<bool> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(BROKEN),
        }
    }
}

/// Makes structs parts, by their fields.
macro_rules! parts {
    ($($name:ident { $($field:ident),* })*) => {$(
        impl Part for $name {
            fn write(&self, writer: &mut Writer) {
                let Self { $($field),* } = self;
                $($field.write(writer);)*
            }

            fn read(reader: &mut Reader<'_>) -> Read<Self> {
                $(let $field = Part::read(reader)?;)*
                Ok(Self { $($field),* })
            }
        }
    )*};
}

/// Makes enums parts, by the numbers and fields of their variants.
macro_rules! choices {
    ($($name:ident { $($number:literal $variant:ident $(($($part:ident),*))? $({ $($field:ident),* })?,)* })*) => {$(
        impl Part for $name {
            fn write(&self, writer: &mut Writer) {
                match self {$(
                    Self::$variant $(($($part),*))? $({ $($field),* })? => {
                        writer.byte($number);
                        $($($part.write(writer);)*)? $($($field.write(writer);)*)?
                    }
                )*}
            }

            fn read(reader: &mut Reader<'_>) -> Read<Self> {
                match reader.byte()? {
                    $($number => {
                        $($(let $part = Part::read(reader)?;)*)? $($(let $field = Part::read(reader)?;)*)?
                        Ok(Self::$variant $(($($part),*))? $({ $($field),* })?)
                    })*
                    _ => Err(BROKEN),
                }
            }
        }
    )*};
}

// The order and the numbers are the format: a change needs another version of stored entries.
parts! {
    Freshness { received, lifetime, asked, source, storable, must_revalidate, stale_while_revalidate }
    Hop { url, status }
    Fields { cache_control, expires, date, age, etag, last_modified, retry_after, content_type }
    Outage { since, last, attempts }
    Before { file, is_previous, outage, throttled }
}

choices! {
    FreshnessSource { 0 MaxAge, 1 NoStore, 2 NoCache, 3 Expires, 4 RetryAfter, 5 Default, }
    State {
        0 File(file),
        1 Unavailable { cause, was },
        2 Restricted { cause },
        3 Unreachable { cause, last_good, outage },
        4 Throttled { cause, last_good, attempts },
        5 Local { cause, before },
    }
    Cause {
        0 Status(status),
        1 NotFoundPage(status),
        2 TooManyRedirects(count),
        3 RedirectLoop(url),
        4 RedirectNowhere(status, wrong),
        5 RedirectDisallowed(url),
        6 NotModifiedUnasked,
        7 Html,
        8 Failure(failure),
    }
}

impl Part for File {
    fn write(&self, writer: &mut Writer) {
        let Self { robots: _, url, fields, retrieved, confirmed, storable, has_excess, found_kind: _ } = self;
        let is_last_url = writer.last_url.as_ref() == Some(url);
        is_last_url.write(writer);
        if !is_last_url {
            url.write(writer);
        }
        fields.write(writer);
        retrieved.write(writer);
        confirmed.write(writer);
        // Both are one byte.
        writer.byte(u8::from(*storable) | u8::from(*has_excess) << 1);
    }

    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let url = if reader.flag()? { reader.last_url.clone().ok_or(BROKEN)? } else { Part::read(reader)? };
        let (fields, retrieved) = (Part::read(reader)?, Part::read(reader)?);
        let (confirmed, flags) = (Part::read(reader)?, reader.byte()?);
        let (storable, has_excess) = (flags & 1 != 0, flags & 2 != 0);
        if flags > 3 {
            return Err(BROKEN);
        }
        let robots = reader.robots.take().ok_or(BROKEN)?;
        let found_kind = FoundKind::default();
        Ok(Self { robots, url, fields, retrieved, confirmed, storable, has_excess, found_kind })
    }
}

impl Part for Failure {
    fn write(&self, writer: &mut Writer) {
        writer.text(self.kind().name().as_bytes());
        writer.text(self.text().as_bytes());
        self.is_local().write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let kind = FailureKind::from_name(&String::read(reader)?).ok_or("a kind of failure")?;
        let failure = Self::new(kind, String::read(reader)?);
        Ok(if reader.flag()? { failure.local() } else { failure })
    }
}

macro_rules! numbers {
    ($($name:ident)*) => {$(
        impl Part for $name {
            fn write(&self, writer: &mut Writer) {
                writer.number(*self as u64);
            }

            fn read(reader: &mut Reader<'_>) -> Read<Self> {
                Self::try_from(reader.number()?).map_err(|_| "a number")
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 usize);

impl Part for bool {
    fn write(&self, writer: &mut Writer) {
        writer.byte(u8::from(*self));
    }

    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        reader.flag()
    }
}

impl Part for Duration {
    fn write(&self, writer: &mut Writer) {
        writer.number(self.as_secs());
        writer.number(u64::from(self.subsec_nanos()));
    }

    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let (seconds, nanos) = (reader.number()?, u32::read(reader)?);
        if nanos < 1_000_000_000 { Ok(Self::new(seconds, nanos)) } else { Err("a duration") }
    }
}

impl Part for SystemTime {
    fn write(&self, writer: &mut Writer) {
        match self.duration_since(Self::UNIX_EPOCH) {
            _ if writer.last_time == Some(*self) => writer.byte(0),
            Ok(since) => {
                writer.byte(1);
                since.write(writer);
            }
            Err(error) => {
                writer.byte(2);
                error.duration().write(writer);
            }
        }
        writer.last_time = Some(*self);
    }

    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let time = match reader.byte()? {
            0 => reader.last_time,
            1 => Self::UNIX_EPOCH.checked_add(Part::read(reader)?),
            2 => Self::UNIX_EPOCH.checked_sub(Part::read(reader)?),
            _ => None,
        };
        reader.last_time = time;
        time.ok_or("a time")
    }
}

impl Part for String {
    fn write(&self, writer: &mut Writer) {
        writer.text(self.as_bytes());
    }

    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        Self::from_utf8(reader.text()?).map_err(|_| "a text")
    }
}

impl Part for Url {
    fn write(&self, writer: &mut Writer) {
        writer.text(self.as_str().as_bytes());
        writer.last_url = Some(self.clone());
    }

    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let text = String::read(reader)?;
        let url = Self::parse(&text).ok().filter(|url| url.as_str() == text).ok_or("a URL")?;
        reader.last_url = Some(url.clone());
        Ok(url)
    }
}

impl<T: Part> Part for Option<T> {
    fn write(&self, writer: &mut Writer) {
        self.is_some().write(writer);
        if let Some(value) = self {
            value.write(writer);
        }
    }

    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        Ok(if reader.flag()? { Some(Part::read(reader)?) } else { None })
    }
}

impl<T: Part> Part for Arc<T> {
    fn write(&self, writer: &mut Writer) {
        T::write(self, writer);
    }

    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        T::read(reader).map(Self::new)
    }
}

impl<T: Part> Part for Arc<[T]> {
    fn write(&self, writer: &mut Writer) {
        self.len().write(writer);
        for value in &**self {
            value.write(writer);
        }
    }

    // Memory is reserved for values that were read: the number may be any.
    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        (0..u64::read(reader)?).map(|_| Part::read(reader)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use core::time::Duration;
    use std::time::SystemTime;

    use super::*;
    use crate::{AwaitingHead, Failure, FailureKind, Head, NextStep, Origin, Validators};

    #[derive(Clone, Debug)]
    struct Answer {
        status: u16,
        fields: Vec<(&'static str, String)>,
        body: Vec<u8>,
        redirected: bool,
        at: Duration,
    }

    fn entry(previous: Option<&Entry>, answer: &Answer, profile: &SiteProfile) -> Arc<Entry> {
        let origin = Origin::parse("https://example.com:8443").unwrap();
        let now = SystemTime::UNIX_EPOCH + answer.at;
        let validators = previous.map(Entry::validators).unwrap_or_default();
        let mut awaiting = AwaitingHead::new(&origin, &validators, profile, now);
        if answer.redirected {
            let head = Head::new(302).with_field("location", "https://www.example.com/robots.txt?a#b");
            match awaiting.head(&head, now) {
                NextStep::Send(next) => awaiting = next,
                other => panic!("{other:?}"),
            }
        }
        let head = answer
            .fields
            .iter()
            .fold(Head::new(answer.status), |head, (name, value)| head.with_field(name, value));
        let outcome = match awaiting.head(&head, now) {
            NextStep::Read(mut reading) => {
                let _ = reading.push(&answer.body);
                reading.end(now)
            }
            NextStep::Done(outcome) => outcome,
            NextStep::Send(next) => next.failure(Failure::new(FailureKind::Other, "x"), now),
        };
        Arc::new(Entry::from_outcome(previous, outcome, profile))
    }

    fn answer() -> impl Strategy<Value = Answer> {
        let status = prop_oneof![
            6 => Just(200_u16),
            2 => Just(304),
            2 => Just(404),
            1 => Just(403),
            1 => Just(429),
            1 => Just(503),
            1 => Just(301)
        ];
        let field = prop_oneof![
            prop::sample::select(vec![
                "max-age=60",
                "no-cache",
                "no-store",
                "must-revalidate, max-age=9",
                "max-age=5, stale-while-revalidate=7"
            ])
            .prop_map(|value| ("cache-control", value.to_owned())),
            "\"[a-z]{0,20}\"".prop_map(|value| ("etag", value)),
            Just(("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT".to_owned())),
            Just(("date", "Sun, 06 Nov 1994 08:49:37 GMT".to_owned())),
            Just(("expires", "Sun, 06 Nov 1994 09:49:37 GMT".to_owned())),
            Just(("age", "17".to_owned())),
            "[ -~]{0,300}".prop_map(|value| ("content-type", value)),
        ];
        let body = prop_oneof![
            9 => prop::collection::vec(any::<u8>(), 0..400),
            1 => Just(vec![b'#'; LONGEST_BODY + 1])
        ];
        let fields = prop::collection::vec(field, 0..6);
        (status, fields, body, any::<bool>(), 0..4_000_000_000_000_000_000_u64).prop_map(
            |(status, fields, body, redirected, at)| Answer {
                status,
                fields,
                body,
                redirected,
                at: Duration::from_nanos(at),
            },
        )
    }

    proptest! {
        #[test]
        fn an_entry_comes_back_as_it_was(answers in prop::collection::vec(answer(), 1..4), document in 0..4_usize) {
            let profile = SiteProfile::from(robots_match::Document::ALL[document]);
            let mut previous: Option<Arc<Entry>> = None;
            for answer in &answers {
                let next = entry(previous.as_deref(), answer, &profile);
                let body = next.good_file().map(|file| file.robots.body());
                if let Some(block) = block(&next) {
                    prop_assert_eq!(&from_block(&block, &profile), &*next);
                    prop_assert_eq!(&*body_of_block(&block), body.unwrap_or_default());
                    let texts: usize = next.hops().iter().map(|hop| hop.url.as_str().len()).sum();
                    let file = next.good_file().map_or(0, |file| file.robots.body().len() + file.facts_len());
                    prop_assert!(block.len() <= texts + file + 110, "{} {} {}", block.len(), texts, file);
                }
                previous = Some(next);
            }
        }
    }

    #[test]
    fn usual_entries_are_blocks() {
        let profile = SiteProfile::RFC9309;
        let answer = |status, body: usize| Answer {
            status,
            fields: vec![("etag", "\"1\"".to_owned())],
            body: vec![b'#'; body],
            redirected: false,
            at: Duration::from_secs(1),
        };
        let is_block = |previous, answer| block(&entry(previous, &answer, &profile)).is_some();
        assert!(is_block(None, answer(200, 600)) && is_block(None, answer(404, 0)));
        assert!(!is_block(None, answer(200, LONGEST_BODY + 1)) && !is_block(None, answer(503, 0)));
        let file = entry(None, &answer(200, 600), &profile);
        assert!(is_block(Some(&file), answer(304, 0)));
        let validators = from_block(&block(&file).unwrap(), &profile).validators();
        assert_eq!(validators, Validators { url: validators.url.clone(), ..file.validators() });
    }
}
