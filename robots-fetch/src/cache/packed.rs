//! Entries as bytes in memory, which take a fifth of what the entries take.
//!
//! An [`Entry`] of a small file has more bytes of structure than of text: URLs with their offsets, eight optional header
//! fields, and a block of memory for each. A cache keeps the usual entries as one block each: those with a file of at most 16 KiB
//! that the last answer brought or confirmed, and those without a file because of a status. Their texts are shortened. A hit
//! does not read this block.

use alloc::sync::Arc;
use core::time::Duration;
use std::time::SystemTime;

use url::Url;

use crate::entry::file::File;
use crate::entry::{Entry, State};
use crate::failure::Cause;
use crate::message::fields::Fields;
use crate::message::freshness::{Freshness, FreshnessSource};
use crate::profile::SiteProfile;
use crate::retrieval::outcome::Hop;

/// The longest body that is copied into the block.
const LONGEST_BODY: usize = 16 * 1024;

/// The sources of lifetimes, by their numbers in a block.
const SOURCES: [FreshnessSource; 6] = [
    FreshnessSource::MaxAge,
    FreshnessSource::NoStore,
    FreshnessSource::NoCache,
    FreshnessSource::Expires,
    FreshnessSource::RetryAfter,
    FreshnessSource::Default,
];

const FILE: u8 = 0;
const UNAVAILABLE: u8 = 1;
const RESTRICTED: u8 = 2;

/// An entry of a cache.
#[derive(Clone, Debug)]
pub(super) enum Held {
    /// One block.
    Packed(Arc<[u8]>),
    /// An entry that is large or unusual.
    Whole(Arc<Entry>),
}

impl Held {
    /// Packs an entry that was made under `profile`, if it is a usual one.
    pub(super) fn new(entry: &Arc<Entry>) -> Self {
        match pack(entry) {
            Some(bytes) => Self::Packed(bytes.into()),
            None => Self::Whole(Arc::clone(entry)),
        }
    }

    /// Returns the entry. `profile` is that under which it was made.
    pub(super) fn entry(&self, profile: &SiteProfile) -> Arc<Entry> {
        match self {
            Self::Packed(bytes) => {
                Arc::new(unpack(bytes, profile).expect("the block has what was packed into it"))
            }
            Self::Whole(entry) => Arc::clone(entry),
        }
    }

    /// Returns the body of a packed file.
    pub(super) fn body(&self) -> Option<Vec<u8>> {
        match self {
            Self::Packed(bytes) => {
                let mut reader = Reader(bytes);
                (reader.byte()? == FILE).then(|| reader.text()).flatten()
            }
            Self::Whole(_) => None,
        }
    }

    /// Returns about how many bytes the entry takes outside of this value.
    pub(super) fn memory(&self) -> usize {
        match self {
            Self::Packed(bytes) => bytes.len() + 16,
            Self::Whole(entry) => entry.memory(),
        }
    }
}

fn pack(entry: &Entry) -> Option<Vec<u8>> {
    let mut writer = Writer(Vec::new());
    let file = match &entry.state {
        State::File(file) if *file.robots.profile() == entry.profile.reading() => {
            if file.robots.body().len() > LONGEST_BODY {
                return None;
            }
            writer.byte(FILE);
            writer.text(file.robots.body());
            Some(file)
        }
        State::Unavailable { cause, was: None } => {
            writer.status(UNAVAILABLE, cause)?;
            None
        }
        State::Restricted { cause } => {
            writer.status(RESTRICTED, cause)?;
            None
        }
        _ => return None,
    };
    let Freshness { received, lifetime, asked, source, storable, must_revalidate, stale_while_revalidate } =
        entry.freshness;
    writer.time(received)?;
    writer.duration(lifetime);
    // These are usually equal, or zero.
    writer.duration(asked.max(lifetime) - asked.min(lifetime));
    writer.byte(u8::from(asked < lifetime));
    writer.duration(stale_while_revalidate);
    let source = SOURCES.iter().position(|known| *known == source)?;
    writer.number(source as u64);
    let flags = [storable, must_revalidate];
    writer.flags(&flags);
    writer.number(entry.body_bytes as u64);
    writer.number(entry.hops.len() as u64);
    for hop in &*entry.hops {
        writer.text(hop.url.as_str().as_bytes());
        writer.number(hop.status.map_or(0, |status| u64::from(status) + 1));
    }
    if let Some(file) = file {
        let is_last_url = entry.hops.last().is_some_and(|hop| hop.url == file.url);
        let (at_once, confirmed_at_once) = (file.retrieved == received, file.confirmed == received);
        writer.flags(&[file.storable, is_last_url, at_once, confirmed_at_once]);
        if !is_last_url {
            writer.text(file.url.as_str().as_bytes());
        }
        for (time, is_known) in [(file.retrieved, at_once), (file.confirmed, confirmed_at_once)] {
            if !is_known {
                writer.time(time)?;
            }
        }
        for field in file.fields.all() {
            writer.byte(u8::from(field.is_some()));
            if let Some(field) = field {
                writer.text(field.as_bytes());
            }
        }
    }
    Some(writer.0)
}

fn unpack(bytes: &[u8], profile: &SiteProfile) -> Option<Entry> {
    let mut reader = Reader(bytes);
    let kind = reader.byte()?;
    let (body, cause) = match kind {
        FILE => (Some(reader.text()?), None),
        _ => (None, Some(Arc::new(Cause::Status(u16::try_from(reader.number()?).ok()?)))),
    };
    let received = reader.time()?;
    let lifetime = reader.duration()?;
    let difference = reader.duration()?;
    let asked = if reader.byte()? == 1 { lifetime - difference } else { lifetime + difference };
    let stale_while_revalidate = reader.duration()?;
    let source = *SOURCES.get(usize::try_from(reader.number()?).ok()?)?;
    let [storable, must_revalidate, ..] = reader.flags()?;
    let body_bytes = usize::try_from(reader.number()?).ok()?;
    let hops = (0..reader.number()?).map(|_| {
        let url = reader.url()?;
        let status = reader.number()?.checked_sub(1).and_then(|status| u16::try_from(status).ok());
        Some(Hop::new(url, status))
    });
    let hops: Arc<[Hop]> = hops.collect::<Option<_>>()?;
    let state = match (kind, body, cause) {
        (FILE, Some(body), _) => {
            let [storable, is_last_url, at_once, confirmed_at_once, ..] = reader.flags()?;
            let url = if is_last_url { hops.last()?.url.clone() } else { reader.url()? };
            let retrieved = if at_once { received } else { reader.time()? };
            let confirmed = if confirmed_at_once { received } else { reader.time()? };
            let mut field = || {
                Some(match reader.byte()? {
                    0 => None,
                    _ => Some(String::from_utf8(reader.text()?).ok()?),
                })
            };
            // In the order of `Fields::all`.
            let fields = Fields {
                cache_control: field()?,
                expires: field()?,
                date: field()?,
                age: field()?,
                etag: field()?,
                last_modified: field()?,
                retry_after: field()?,
                content_type: field()?,
            };
            let robots = Arc::new(profile.read(body.into_boxed_slice()));
            State::File(File { robots, url, fields, retrieved, confirmed, storable })
        }
        (UNAVAILABLE, _, Some(cause)) => State::Unavailable { cause, was: None },
        (_, _, Some(cause)) => State::Restricted { cause },
        _ => return None,
    };
    let freshness =
        Freshness { received, lifetime, asked, source, storable, must_revalidate, stale_while_revalidate };
    Some(Entry { profile: *profile, state, freshness, hops, body_bytes })
}

/// A block of bytes that is written.
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Writes seven bits in each byte, the lowest first; the highest bit says that more follow.
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7F) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes the length of a text, doubled, plus 1 if the text is shortened.
    pub(super) fn text(&mut self, text: &[u8]) {
        let short = shorten(text);
        let (text, is_short) = if short.len() < text.len() { (&*short, 1) } else { (text, 0) };
        self.number(text.len() as u64 * 2 + is_short);
        self.0.extend_from_slice(text);
    }

    pub(super) fn duration(&mut self, duration: Duration) {
        self.number(duration.as_secs());
        self.number(u64::from(duration.subsec_nanos()));
    }

    /// Writes a time; `None` if it is before 1970.
    pub(super) fn time(&mut self, time: SystemTime) -> Option<()> {
        self.duration(time.duration_since(SystemTime::UNIX_EPOCH).ok()?);
        Some(())
    }

    pub(super) fn flags(&mut self, flags: &[bool]) {
        self.byte(flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u8::from(flag)));
    }

    /// Writes the kind of an entry without a file; `None` if its cause is not a status.
    pub(super) fn status(&mut self, kind: u8, cause: &Cause) -> Option<()> {
        let Cause::Status(status) = cause else { return None };
        self.byte(kind);
        self.number(u64::from(*status));
        Some(())
    }
}

/// The bytes that were not read yet.
pub(super) struct Reader<'b>(pub(super) &'b [u8]);

impl<'b> Reader<'b> {
    pub(super) fn take(&mut self, len: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn text(&mut self) -> Option<Vec<u8>> {
        let number = self.number()?;
        let text = self.take(usize::try_from(number / 2).ok()?)?;
        Some(if number % 2 == 1 { lengthen(text) } else { text.to_vec() })
    }

    pub(super) fn duration(&mut self) -> Option<Duration> {
        let seconds = self.number()?;
        Some(Duration::new(seconds, u32::try_from(self.number()?).ok()?))
    }

    pub(super) fn time(&mut self) -> Option<SystemTime> {
        SystemTime::UNIX_EPOCH.checked_add(self.duration()?)
    }

    pub(super) fn flags(&mut self) -> Option<[bool; 8]> {
        let bits = self.byte()?;
        Some(core::array::from_fn(|at| bits >> at & 1 == 1))
    }

    pub(super) fn url(&mut self) -> Option<Url> {
        Url::parse(core::str::from_utf8(&self.text()?).ok()?).ok()
    }
}

/// The words, longer ones before their beginnings. A word is written as [`FIRST`] plus its index.
const WORDS: &[&[u8]] = &[
    b"\r\nDisallow: /",
    b"\nDisallow: /",
    b"Disallow: /",
    b"disallow: /",
    b"Disallow:",
    b"\r\nAllow: /",
    b"\nAllow: /",
    b"Allow: /",
    b"\nUser-agent: ",
    b"User-agent: *",
    b"User-agent: ",
    b"User-Agent: ",
    b"Sitemap: https://www.",
    b"Sitemap: https://",
    b"Sitemap: http",
    b"Crawl-delay: ",
    b"https://www.",
    b"https://",
    b"/robots.txt",
    b"text/plain",
    b"; charset=",
    b"max-age=",
    b" 20",
    b" GMT",
    b"wp-admin/",
    b"admin-ajax.php",
    b"wp-content/",
    b"includes/",
    b"content/",
    b"components/",
    b"templates/",
    b"modules/",
    b"plugins/",
    b"themes/",
    b"cgi-bin/",
    b"images/",
    b"password",
    b"register",
    b"comment",
    b"sitemap",
    b"search",
    b"filter",
    b"login",
    b"admin",
    b"index",
    b"media",
    b"node/",
    b".html",
    b".com/",
    b"user/",
    b"tion",
    b".xml",
    b".php",
    b"\n\n",
    b"\n# ",
    b"/\r\n",
    b"\r\n",
    b"/\n",
    b"/*",
    b"?q=",
    b"bot",
];

/// The byte of the first word.
const FIRST: u8 = 0x80;

/// The next byte stands for itself, although it is not below this one.
const LITERAL: u8 = 0x7F;

const _: () = assert!(WORDS.len() <= 0x80);

/// Writes `text` in short.
///
/// # Complexity
///
/// O(*n*) for a text of *n* bytes.
pub(super) fn shorten(text: &[u8]) -> Vec<u8> {
    let mut short = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        let word =
            WORDS.iter().zip(FIRST..).find(|(word, _)| word.first() == Some(byte) && rest.starts_with(word));
        rest = match word {
            Some((word, code)) => {
                short.push(code);
                rest.get(word.len()..).unwrap_or_default()
            }
            None => {
                if *byte >= LITERAL {
                    short.push(LITERAL);
                }
                short.push(*byte);
                after
            }
        };
    }
    short
}

/// Returns the text that was shortened. Any bytes are accepted.
pub(super) fn lengthen(short: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(short.len() * 2);
    let mut bytes = short.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            LITERAL => text.extend(bytes.next()),
            FIRST.. => {
                text.extend_from_slice(WORDS.get(usize::from(byte - FIRST)).copied().unwrap_or_default());
            }
            _ => text.push(byte),
        }
    }
    text
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
                let held = Held::new(&next);
                prop_assert_eq!(&held.entry(&profile), &next);
                let body = next.good_file().map(|file| file.robots.body());
                if let Held::Packed(block) = &held {
                    let unpacked = held.body();
                    prop_assert_eq!(unpacked.as_deref(), body);
                    let texts: usize = next.hops().iter().map(|hop| hop.url.as_str().len()).sum();
                    let file = next.good_file().map_or(0, |file| file.robots.body().len() + file.facts_len());
                    prop_assert!(block.len() <= texts + file + 110, "{} {} {}", block.len(), texts, file);
                }
                previous = Some(next);
            }
        }
    }

    #[test]
    fn the_usual_entries_are_packed() {
        let profile = SiteProfile::RFC9309;
        let answer = |status, body: usize| Answer {
            status,
            fields: vec![("etag", "\"1\"".to_owned())],
            body: vec![b'#'; body],
            redirected: false,
            at: Duration::from_secs(1),
        };
        let is_packed =
            |previous, answer| matches!(Held::new(&entry(previous, &answer, &profile)), Held::Packed(_));
        assert!(is_packed(None, answer(200, 600)) && is_packed(None, answer(404, 0)));
        assert!(!is_packed(None, answer(200, LONGEST_BODY + 1)) && !is_packed(None, answer(503, 0)));
        let file = entry(None, &answer(200, 600), &profile);
        assert!(is_packed(Some(&file), answer(304, 0)));
        let validators = Held::new(&file).entry(&profile).validators();
        assert_eq!(validators, Validators { url: validators.url.clone(), ..file.validators() });
    }
}

#[cfg(test)]
mod words_tests {
    use proptest::prelude::*;

    use super::*;

    fn piece() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            3 => prop::sample::select(WORDS).prop_map(<[u8]>::to_vec),
            2 => prop::collection::vec(any::<u8>(), 0..8),
            2 => "[ -~]{0,8}".prop_map(String::into_bytes),
        ]
    }

    proptest! {
        #[test]
        fn a_text_comes_back_as_it_was(pieces in prop::collection::vec(piece(), 0..40)) {
            let text = pieces.concat();
            let short = shorten(&text);
            prop_assert_eq!(lengthen(&short), &text[..]);
            prop_assert!(short.len() <= 2 * text.len());
        }
    }

    #[test]
    fn no_word_hides_a_longer_one() {
        for (at, word) in WORDS.iter().enumerate() {
            assert_eq!(shorten(word).len(), 1, "{}", word.escape_ascii());
            assert!(
                WORDS.iter().skip(at + 1).all(|later| !later.starts_with(word)),
                "{}",
                word.escape_ascii()
            );
        }
        let file = b"User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n";
        assert_eq!((file.len(), shorten(file).len()), (67, 7));
    }
}
