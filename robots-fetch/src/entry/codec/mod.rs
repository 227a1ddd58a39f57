//! Entries as bytes: the raw body with the facts of its retrieval, in a form of our own that is checked when it is read.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `RbTx` |
//! | 2 | the version of the form |
//! | 4 | a checksum (CRC-32) of all that follows |
//! | 4 | how many bytes follow this number |
//! | 8 | which access policy and size limit the entry was made under |
//! | … | the entry |
//!
//! Numbers are little endian. A text is its length in 4 bytes and its UTF-8; what can be missing has an byte of 0 or 1
//! before it; a time is 0 or 1 for after or before 1970, 8 bytes of seconds, 4 of nanoseconds.

use alloc::sync::Arc;
use core::fmt;
use core::time::Duration;
use std::time::SystemTime;

use url::Url;

use crate::entry::file::File;
use crate::entry::outage::Outage;
use crate::entry::{Entry, State};
use crate::failure::{Cause, Failure, FailureKind};
use crate::html::looks_like_html;
use crate::http::fields::Fields;
use crate::http::freshness::{Freshness, FreshnessSource};
use crate::profile::Profile;
use crate::retrieval::outcome::Hop;

const MAGIC: &[u8; 4] = b"RbTx";

/// The version that is written, and the only one that is read.
const VERSION: u16 = 2;

/// Magic, version, checksum, length.
const HEADER: usize = 14;

impl Entry {
    /// The entry as bytes, for [`Self::decode`]. How rules are read is no part of it: the body is.
    ///
    /// At most as many bytes as the body has, and 16 KiB for each field of a header and three times that for each URL; in
    /// most cases some 200 more than the body.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer(Vec::with_capacity(512 + self.good_file().map_or(0, File::len)));
        out.0.extend_from_slice(&[0; HEADER]);
        out.number(made_under(&self.profile));
        out.freshness(&self.freshness);
        out.number(self.body_bytes as u64);
        out.short(u16::try_from(self.hops.len()).unwrap_or(u16::MAX));
        for hop in self.hops.iter().take(usize::from(u16::MAX)) {
            out.text(hop.url.as_str());
            out.optional(hop.status, Writer::short);
        }
        match &self.state {
            State::File(file) => {
                out.byte(0);
                out.file(file);
            }
            State::Unavailable { cause, was } => {
                out.byte(1);
                out.cause(cause);
                out.optional(was.as_ref(), Writer::file);
            }
            State::Restricted { cause } => {
                out.byte(2);
                out.cause(cause);
            }
            State::Unreachable { cause, last_good, outage } => {
                out.byte(3);
                out.cause(cause);
                out.optional(last_good.as_ref(), Writer::file);
                out.time(outage.since);
                out.time(outage.last);
                out.long(outage.attempts);
            }
        }
        out.finish()
    }

    /// The entry that [`Self::encode`] made of it, under a profile with the same access policy and size limit as that it
    /// was made under.
    ///
    /// Any bytes will do. Time and memory grow with their number; nothing that they claim to hold is believed before it is
    /// there.
    ///
    /// # Errors
    ///
    /// They are no entry, not a whole one, or one that [counts as absent](DecodeError::is_absent).
    ///
    /// ```
    /// # use robots_fetch::{AwaitingHead, Entry, Head, Origin, Profile, NextStep, DecodeError, Validators};
    /// # let now = std::time::SystemTime::UNIX_EPOCH;
    /// # let origin = Origin::parse("https://example.com")?;
    /// # let awaiting = AwaitingHead::new(&origin, &Validators::default(), &Profile::RFC9309, now);
    /// # let NextStep::Done(outcome) = awaiting.head(&Head::new(503), now) else { unreachable!() };
    /// let entry = Entry::from_outcome(None, outcome, &Profile::RFC9309); // of an answer with status 503
    /// let mut bytes = entry.encode();
    /// assert_eq!(Entry::decode(&bytes, &Profile::RFC9309), Ok(entry));
    /// assert_eq!(Entry::decode(&bytes, &Profile::GOOGLE), Err(DecodeError::OtherPolicy));
    /// bytes.pop();
    /// assert_eq!(Entry::decode(&bytes, &Profile::RFC9309), Err(DecodeError::Length));
    /// # Ok::<(), robots_fetch::UnsupportedUrl>(())
    /// ```
    pub fn decode(bytes: &[u8], profile: &Profile) -> Result<Self, DecodeError> {
        let (header, body) = bytes.split_at_checked(HEADER).ok_or(DecodeError::NotAnEntry)?;
        let mut header = Reader(header);
        if header.array()? != *MAGIC {
            return Err(DecodeError::NotAnEntry);
        }
        match header.short()? {
            VERSION => {}
            other => return Err(DecodeError::OtherVersion(other)),
        }
        let checksum = header.long()?;
        if usize::try_from(header.long()?) != Ok(body.len()) {
            return Err(DecodeError::Length);
        }
        if crc32fast::hash(bytes.get(HEADER - 4..).unwrap_or_default()) != checksum {
            return Err(DecodeError::Checksum);
        }
        let mut reader = Reader(body);
        if reader.number()? != made_under(profile) {
            return Err(DecodeError::OtherPolicy);
        }
        let entry = reader.entry(profile)?;
        if reader.0.is_empty() { Ok(entry) } else { Err(DecodeError::Invalid("what stands behind it")) }
    }
}

/// What of a profile an entry depends on, as a number: FNV-1a of how the policy prints, which names all it holds. A
/// policy that gets a field, or another value of one, makes another number, and entries of before count as absent.
pub(crate) fn made_under(profile: &Profile) -> u64 {
    let text = format!("{:?} {}", profile.access, profile.max_size());
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// Why bytes are no entry that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// They don't begin as one does.
    NotAnEntry,
    /// It is of this version of the form, which this version of the crate does not read.
    OtherVersion(u16),
    /// It was made under another access policy or size limit, so what it says about the answer may not hold.
    OtherPolicy,
    /// There are fewer or more bytes than it says.
    Length,
    /// The checksum is not that of the bytes.
    Checksum,
    /// This part of it is not as it has to be, though the checksum is right.
    Invalid(&'static str),
}

impl DecodeError {
    /// Whether it is whole, as far as can be told, but of another version or policy: for a store, as if it were not there.
    #[must_use]
    pub const fn is_absent(self) -> bool {
        matches!(self, Self::OtherVersion(_) | Self::OtherPolicy)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnEntry => f.write_str("no stored entry"),
            Self::OtherVersion(version) => {
                write!(f, "a stored entry of version {version}, not of version {VERSION}")
            }
            Self::OtherPolicy => f.write_str("a stored entry that was made under another access policy"),
            Self::Length => f.write_str("a stored entry that is cut or too long"),
            Self::Checksum => f.write_str("a stored entry with a wrong checksum"),
            Self::Invalid(what) => write!(f, "a stored entry with an invalid part: {what}"),
        }
    }
}

impl core::error::Error for DecodeError {}

struct Writer(Vec<u8>);

impl Writer {
    fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    fn flag(&mut self, value: bool) {
        self.byte(u8::from(value));
    }

    fn short(&mut self, value: u16) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn long(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn number(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn bytes(&mut self, value: &[u8]) {
        self.long(u32::try_from(value.len()).expect("texts and bodies are far shorter than 4 GiB"));
        self.0.extend_from_slice(value);
    }

    fn text(&mut self, value: &str) {
        self.bytes(value.as_bytes());
    }

    fn optional<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
    }

    fn duration(&mut self, value: Duration) {
        self.number(value.as_secs());
        self.long(value.subsec_nanos());
    }

    fn time(&mut self, value: SystemTime) {
        match value.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => {
                self.byte(0);
                self.duration(after);
            }
            Err(error) => {
                self.byte(1);
                self.duration(error.duration());
            }
        }
    }

    fn freshness(&mut self, value: &Freshness) {
        self.time(value.received);
        self.duration(value.lifetime);
        self.duration(value.asked);
        self.text(value.source.name());
        self.flag(value.storable);
        self.flag(value.must_revalidate);
    }

    fn cause(&mut self, value: &Cause) {
        match value {
            Cause::Status(status) => {
                self.byte(0);
                self.short(*status);
            }
            Cause::NotFoundPage(status) => {
                self.byte(1);
                self.short(*status);
            }
            Cause::TooManyRedirects(count) => {
                self.byte(2);
                self.number(*count as u64);
            }
            Cause::RedirectLoop(url) => {
                self.byte(3);
                self.text(url);
            }
            Cause::RedirectNowhere(status, wrong) => {
                self.byte(4);
                self.short(*status);
                self.text(wrong);
            }
            Cause::NotModifiedUnasked => self.byte(5),
            Cause::Html => self.byte(6),
            Cause::Failure(failure) => {
                self.byte(7);
                self.text(failure.kind().name());
                self.text(failure.text());
            }
        }
    }

    fn file(&mut self, file: &File) {
        self.text(file.url.as_str());
        for field in file.fields.all() {
            self.optional(field.as_deref(), Self::text);
        }
        self.time(file.retrieved);
        self.time(file.confirmed);
        self.flag(file.storable);
        self.bytes(file.robots.body());
    }

    fn finish(mut self) -> Vec<u8> {
        let len = u32::try_from(self.0.len() - HEADER).expect("an entry is far shorter than 4 GiB");
        let mut header = Self(Vec::with_capacity(HEADER));
        header.0.extend_from_slice(MAGIC);
        header.short(VERSION);
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&len.to_le_bytes());
        checksum.update(self.0.get(HEADER..).unwrap_or_default());
        header.long(checksum.finalize());
        header.long(len);
        self.0.splice(..HEADER, header.0);
        self.0
    }
}

/// What is left to be read.
struct Reader<'a>(&'a [u8]);

type Read<T> = Result<T, DecodeError>;

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Read<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(DecodeError::Length)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(DecodeError::Length)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Read<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn flag(&mut self) -> Read<bool> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(DecodeError::Invalid("a flag")),
        }
    }

    fn short(&mut self) -> Read<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn long(&mut self) -> Read<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn number(&mut self) -> Read<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn size(&mut self) -> Read<usize> {
        usize::try_from(self.number()?).map_err(|_| DecodeError::Invalid("a size"))
    }

    fn bytes(&mut self) -> Read<&'a [u8]> {
        let len = self.long()?;
        self.take(usize::try_from(len).unwrap_or(usize::MAX))
    }

    fn text(&mut self) -> Read<&'a str> {
        core::str::from_utf8(self.bytes()?).map_err(|_| DecodeError::Invalid("a text that is no UTF-8"))
    }

    /// A text that can be told in one line, as those are that are written.
    fn line(&mut self) -> Read<&'a str> {
        let text = self.text()?;
        if text.contains(char::is_control) {
            Err(DecodeError::Invalid("a text of several lines"))
        } else {
            Ok(text)
        }
    }

    fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<Option<T>> {
        if self.flag()? { read(self).map(Some) } else { Ok(None) }
    }

    fn url(&mut self) -> Read<Url> {
        let text = self.text()?;
        Url::parse(text).ok().filter(|url| url.as_str() == text).ok_or(DecodeError::Invalid("a URL"))
    }

    fn duration(&mut self) -> Read<Duration> {
        let (seconds, nanos) = (self.number()?, self.long()?);
        if nanos < 1_000_000_000 {
            Ok(Duration::new(seconds, nanos))
        } else {
            Err(DecodeError::Invalid("a duration"))
        }
    }

    fn time(&mut self) -> Read<SystemTime> {
        let time = match (self.flag()?, self.duration()?) {
            (false, after) => SystemTime::UNIX_EPOCH.checked_add(after),
            (true, before) => SystemTime::UNIX_EPOCH.checked_sub(before),
        };
        time.ok_or(DecodeError::Invalid("a time"))
    }

    fn freshness(&mut self) -> Read<Freshness> {
        Ok(Freshness {
            received: self.time()?,
            lifetime: self.duration()?,
            asked: self.duration()?,
            source: FreshnessSource::from_name(self.text()?)
                .ok_or(DecodeError::Invalid("the basis of a lifetime"))?,
            storable: self.flag()?,
            must_revalidate: self.flag()?,
        })
    }

    fn cause(&mut self) -> Read<Arc<Cause>> {
        let cause = match self.byte()? {
            0 => Cause::Status(self.short()?),
            1 => Cause::NotFoundPage(self.short()?),
            2 => Cause::TooManyRedirects(self.size()?),
            3 => Cause::RedirectLoop(self.line()?.to_owned()),
            4 => Cause::RedirectNowhere(self.short()?, self.line()?.to_owned()),
            5 => Cause::NotModifiedUnasked,
            6 => Cause::Html,
            7 => {
                let kind =
                    FailureKind::from_name(self.text()?).ok_or(DecodeError::Invalid("a kind of failure"))?;
                Cause::Failure(Failure::new(kind, self.text()?))
            }
            _ => return Err(DecodeError::Invalid("a cause")),
        };
        Ok(Arc::new(cause))
    }

    fn file(&mut self, profile: &Profile) -> Read<File> {
        let url = self.url()?;
        let mut field = || self.optional(|reader| reader.text().map(str::to_owned));
        // As `Fields::all` has them.
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
        let (retrieved, confirmed, storable) = (self.time()?, self.time()?, self.flag()?);
        let body = self.bytes()?;
        if body.len() > profile.max_size() + 1 {
            return Err(DecodeError::Invalid("a body that is longer than any that is retrieved"));
        }
        let looks_like_html = looks_like_html(body);
        let robots = Arc::new(profile.read(body.into()));
        Ok(File { robots, url, fields, retrieved, confirmed, looks_like_html, storable })
    }

    fn outage(&mut self) -> Read<Outage> {
        let outage = Outage { since: self.time()?, last: self.time()?, attempts: self.long()? };
        if outage.attempts == 0 {
            Err(DecodeError::Invalid("an outage without an attempt"))
        } else {
            Ok(outage)
        }
    }

    fn entry(&mut self, profile: &Profile) -> Read<Entry> {
        let freshness = self.freshness()?;
        let bytes = self.size()?;
        let count = self.short()?;
        let mut hops = Vec::new();
        for _ in 0..count {
            hops.push(Hop::new(self.url()?, self.optional(Self::short)?));
        }
        let state = match self.byte()? {
            0 => State::File(self.file(profile)?),
            1 => State::Unavailable {
                cause: self.cause()?,
                was: self.optional(|reader| reader.file(profile))?,
            },
            2 => State::Restricted { cause: self.cause()? },
            3 => State::Unreachable {
                cause: self.cause()?,
                last_good: self.optional(|reader| reader.file(profile))?,
                outage: self.outage()?,
            },
            _ => return Err(DecodeError::Invalid("what the answer was")),
        };
        Ok(Entry { profile: *profile, state, freshness, hops: hops.into(), body_bytes: bytes })
    }
}

#[cfg(test)]
mod tests;
