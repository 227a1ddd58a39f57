//! Entries as bytes: the raw body with the facts of its retrieval.
//!
//! | bytes | content |
//! |---|---|
//! | 4 | `RbTx` |
//! | 2 | the version of the format |
//! | 4 | a checksum (CRC-32) of all bytes after it |
//! | 4 | the number of bytes after this number |
//! | 8 | the key of the access policy and size limit that the entry was made under |
//! | … | the facts, as [postcard](https://postcard.jamesmunns.com/wire-format) |
//! | … | the body, if the entry has a file |
//!
//! Numbers of the header are little endian. The facts are in postcard's wire format because that format is specified and
//! stable since its version 1, is compact, and reads texts without a copy; nothing needs to read a part of an entry, which
//! is what a self-describing format such as CBOR would add. The body follows as it is, so that it is neither copied nor
//! limited by the serializer. One entry has one encoding: facts that would not be written as they are read are refused.

use alloc::sync::Arc;
use core::fmt;
use core::time::Duration;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::entry::file::File;
use crate::entry::policy_key::policy_key;
use crate::entry::{Before, Entry, Outage, State};
use crate::failure::{Cause, Failure, FailureKind};
use crate::message::fields::Fields;
use crate::message::freshness::{Freshness, FreshnessSource};
use crate::profile::SiteProfile;
use crate::retrieval::outcome::Hop;

const MAGIC: &[u8; 4] = b"RbTx";

/// The length of magic, version, checksum and length.
const HEADER: usize = 14;

/// Where the bytes begin that the checksum is of.
const CHECKED: usize = 10;

/// The length of the policy's key.
const KEY: usize = 8;

impl Entry {
    /// Returns the entry as bytes, for [`Self::decode`]. How the rules are read is not part of it: the body is.
    ///
    /// # Memory
    ///
    /// The bytes of the body, and at most 16 KiB for each header field and three times as much for each URL; usually about
    /// 200 bytes more than the body.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let body = match self.file() {
            Some(file) => file.robots.body(),
            None => &[],
        };
        with_header(&self.profile, &Facts::of(self).encode(), body)
    }

    /// Reads what [`Self::encode`] returned, under a profile with the same access policy and size limit.
    ///
    /// Accepts any bytes. Time and memory grow with their number: lengths are checked before memory is reserved.
    ///
    /// # Errors
    ///
    /// The bytes are not an entry, not a whole one, or one that [counts as absent](DecodeError::is_absent).
    ///
    /// ```
    /// # use robots_fetch::{AwaitingHead, DecodeError, Entry, Head, NextStep, Origin, SiteProfile, Validators};
    /// # let now = std::time::SystemTime::UNIX_EPOCH;
    /// # let origin = Origin::parse("https://example.com")?;
    /// # let awaiting = AwaitingHead::new(&origin, &Validators::default(), &SiteProfile::RFC9309, now);
    /// # let NextStep::Done(outcome) = awaiting.head(&Head::new(503), now) else { unreachable!() };
    /// let entry = Entry::from_outcome(None, outcome, &SiteProfile::RFC9309); // of an answer with status 503
    /// let mut bytes = entry.encode();
    /// assert_eq!(Entry::decode(&bytes, &SiteProfile::RFC9309), Ok(entry));
    /// assert_eq!(Entry::decode(&bytes, &SiteProfile::GOOGLE), Err(DecodeError::OtherPolicy));
    /// bytes.pop();
    /// assert_eq!(Entry::decode(&bytes, &SiteProfile::RFC9309), Err(DecodeError::Length));
    /// # Ok::<(), robots_fetch::UnsupportedUrl>(())
    /// ```
    pub fn decode(bytes: &[u8], profile: &SiteProfile) -> Result<Self, DecodeError> {
        let payload = without_header(bytes, profile)?;
        let (facts, body) = postcard::take_from_bytes::<Facts<'_>>(payload)
            .map_err(|_| DecodeError::Invalid("its encoding"))?;
        let entry = facts.into_entry(body, profile)?;
        let written = Facts::of(&entry).encode();
        let read = payload.get(..payload.len() - body.len()).unwrap_or_default();
        if written == read { Ok(entry) } else { Err(DecodeError::Invalid("a value that is never written")) }
    }

    /// The only file that an entry holds.
    fn file(&self) -> Option<&File> {
        self.good_file().or_else(|| self.previous_file())
    }
}

fn with_header(profile: &SiteProfile, facts: &[u8], body: &[u8]) -> Vec<u8> {
    let len = KEY + facts.len() + body.len();
    let mut bytes = Vec::with_capacity(HEADER + len);
    let len = u32::try_from(len).expect("an entry is far shorter than 4 GiB");
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&len.to_le_bytes());
    bytes.extend_from_slice(&policy_key(profile).to_le_bytes());
    bytes.extend_from_slice(facts);
    bytes.extend_from_slice(body);
    let checksum = crc32fast::hash(bytes.get(CHECKED..).unwrap_or_default());
    if let Some(place) = bytes.get_mut(CHECKED - 4..CHECKED) {
        place.copy_from_slice(&checksum.to_le_bytes());
    }
    bytes
}

/// The facts and the body, if the header is right.
fn without_header<'b>(bytes: &'b [u8], profile: &SiteProfile) -> Result<&'b [u8], DecodeError> {
    fn number<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], DecodeError> {
        let (number, after) = rest.split_first_chunk().ok_or(DecodeError::Length)?;
        *rest = after;
        Ok(*number)
    }
    if bytes.len() < HEADER || !bytes.starts_with(MAGIC) {
        return Err(DecodeError::NotAnEntry);
    }
    let mut rest = bytes.get(MAGIC.len()..).unwrap_or_default();
    match u16::from_le_bytes(number(&mut rest)?) {
        VERSION => {}
        other => return Err(DecodeError::OtherVersion(other)),
    }
    let checksum = u32::from_le_bytes(number(&mut rest)?);
    if usize::try_from(u32::from_le_bytes(number(&mut rest)?)) != Ok(rest.len()) {
        return Err(DecodeError::Length);
    }
    if crc32fast::hash(bytes.get(CHECKED..).unwrap_or_default()) != checksum {
        return Err(DecodeError::Checksum);
    }
    if u64::from_le_bytes(number(&mut rest)?) != policy_key(profile) {
        return Err(DecodeError::OtherPolicy);
    }
    Ok(rest)
}

/// All of an entry but its profile, which the caller knows, and the body.
///
/// The order of fields and variants is the format: a change of it needs another [`VERSION`].
#[derive(Serialize, Deserialize)]
struct Facts<'b> {
    received: Time,
    lifetime: Duration,
    asked: Duration,
    source: &'b str,
    storable: bool,
    must_revalidate: bool,
    stale_while_revalidate: Duration,
    body_bytes: u64,
    #[serde(borrow)]
    hops: Vec<(&'b str, Option<u16>)>,
    #[serde(borrow)]
    state: StateFacts<'b>,
}

#[derive(Serialize, Deserialize)]
enum StateFacts<'b> {
    #[serde(borrow)]
    File(FileFacts<'b>),
    Unavailable(#[serde(borrow)] CauseFacts<'b>, #[serde(borrow)] Option<FileFacts<'b>>),
    #[serde(borrow)]
    Restricted(CauseFacts<'b>),
    Unreachable(#[serde(borrow)] CauseFacts<'b>, #[serde(borrow)] Option<FileFacts<'b>>, OutageFacts),
    Throttled(#[serde(borrow)] CauseFacts<'b>, #[serde(borrow)] Option<FileFacts<'b>>, u32),
    Local(#[serde(borrow)] CauseFacts<'b>, #[serde(borrow)] BeforeFacts<'b>),
}

#[derive(Serialize, Deserialize)]
struct BeforeFacts<'b> {
    #[serde(borrow)]
    file: Option<FileFacts<'b>>,
    is_previous: bool,
    outage: Option<OutageFacts>,
    throttled: u32,
}

#[derive(Serialize, Deserialize)]
struct FileFacts<'b> {
    url: &'b str,
    /// As [`Fields::all`] has them.
    #[serde(borrow)]
    fields: [Option<&'b str>; 8],
    retrieved: Time,
    confirmed: Time,
    storable: bool,
}

#[derive(Serialize, Deserialize)]
struct OutageFacts {
    since: Time,
    last: Time,
    attempts: u32,
}

impl<'e> Facts<'e> {
    fn of(entry: &'e Entry) -> Self {
        let Freshness {
            received,
            lifetime,
            asked,
            source,
            storable,
            must_revalidate,
            stale_while_revalidate,
        } = entry.freshness;
        let state = match &entry.state {
            State::File(file) => StateFacts::File(FileFacts::of(file)),
            State::Unavailable { cause, was } => {
                StateFacts::Unavailable(CauseFacts::of(cause), was.as_ref().map(FileFacts::of))
            }
            State::Restricted { cause } => StateFacts::Restricted(CauseFacts::of(cause)),
            State::Unreachable { cause, last_good, outage } => {
                let file = last_good.as_ref().map(FileFacts::of);
                StateFacts::Unreachable(CauseFacts::of(cause), file, OutageFacts::of(*outage))
            }
            State::Local { cause, before } => {
                let Before { file, is_previous, outage, throttled } = before;
                let before = BeforeFacts {
                    file: file.as_ref().map(FileFacts::of),
                    is_previous: *is_previous,
                    outage: outage.map(OutageFacts::of),
                    throttled: *throttled,
                };
                StateFacts::Local(CauseFacts::of(cause), before)
            }
            State::Throttled { cause, last_good, attempts } => {
                let file = last_good.as_ref().map(FileFacts::of);
                StateFacts::Throttled(CauseFacts::of(cause), file, *attempts)
            }
        };
        Self {
            received: received.into(),
            lifetime,
            asked,
            source: source.name(),
            storable,
            must_revalidate,
            stale_while_revalidate,
            body_bytes: entry.body_bytes as u64,
            hops: entry.hops.iter().map(|hop| (hop.url.as_str(), hop.status)).collect(),
            state,
        }
    }

    fn encode(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("memory that grows takes all that these types hold")
    }

    fn into_entry(self, body: &[u8], profile: &SiteProfile) -> Result<Entry, DecodeError> {
        let freshness = Freshness {
            received: self.received.read()?,
            lifetime: self.lifetime,
            asked: self.asked,
            source: FreshnessSource::from_name(self.source)
                .ok_or(DecodeError::Invalid("the source of the lifetime"))?,
            storable: self.storable,
            must_revalidate: self.must_revalidate,
            stale_while_revalidate: self.stale_while_revalidate,
        };
        let body_bytes = usize::try_from(self.body_bytes).map_err(|_| DecodeError::Invalid("a size"))?;
        let hops = self.hops.into_iter().map(|(hop, status)| Ok(Hop::new(url(hop)?, status)));
        let hops = hops.collect::<Result<Vec<_>, DecodeError>>()?;
        let read = |file: FileFacts<'_>| file.read(body, profile);
        let state = match self.state {
            StateFacts::File(file) => State::File(read(file)?),
            StateFacts::Unavailable(cause, was) => {
                State::Unavailable { cause: cause.read()?, was: was.map(read).transpose()? }
            }
            StateFacts::Restricted(cause) => State::Restricted { cause: cause.read()? },
            StateFacts::Unreachable(cause, last_good, outage) => State::Unreachable {
                cause: cause.read()?,
                last_good: last_good.map(read).transpose()?,
                outage: outage.read()?,
            },
            StateFacts::Throttled(cause, last_good, attempts) => State::Throttled {
                cause: cause.read()?,
                last_good: last_good.map(read).transpose()?,
                attempts: if attempts == 0 {
                    Err(DecodeError::Invalid("a limit of requests without an attempt"))?
                } else {
                    attempts
                },
            },
            StateFacts::Local(cause, before) => {
                let cause = cause.read()?;
                if !cause.is_local() {
                    return Err(DecodeError::Invalid("a local failure that is the site's"));
                }
                let before = Before {
                    is_previous: before.is_previous && before.file.is_some(),
                    file: before.file.map(read).transpose()?,
                    outage: before.outage.map(OutageFacts::read).transpose()?,
                    throttled: before.throttled,
                };
                State::Local { cause, before }
            }
        };
        let entry = Entry { profile: *profile, state, freshness, hops: hops.into(), body_bytes };
        if entry.file().is_none() && !body.is_empty() {
            return Err(DecodeError::Invalid("a body without a file"));
        }
        Ok(entry)
    }
}

impl<'e> FileFacts<'e> {
    fn of(file: &'e File) -> Self {
        Self {
            url: file.url.as_str(),
            fields: file.fields.all().map(Option::as_deref),
            retrieved: file.retrieved.into(),
            confirmed: file.confirmed.into(),
            storable: file.storable,
        }
    }

    fn read(self, body: &[u8], profile: &SiteProfile) -> Result<File, DecodeError> {
        if body.len() > profile.max_size() + 1 {
            return Err(DecodeError::Invalid("a body that is longer than any that is retrieved"));
        }
        let fields = self.fields.map(|field| field.map(str::to_owned));
        let [cache_control, expires, date, age, etag, last_modified, retry_after, content_type] = fields;
        Ok(File {
            robots: Arc::new(profile.read(body.into())),
            url: url(self.url)?,
            fields: Fields {
                cache_control,
                expires,
                date,
                age,
                etag,
                last_modified,
                retry_after,
                content_type,
            },
            retrieved: self.retrieved.read()?,
            confirmed: self.confirmed.read()?,
            storable: self.storable,
        })
    }
}

impl OutageFacts {
    fn of(outage: Outage) -> Self {
        let Outage { since, last, attempts } = outage;
        Self { since: since.into(), last: last.into(), attempts }
    }

    fn read(self) -> Result<Outage, DecodeError> {
        if self.attempts == 0 {
            return Err(DecodeError::Invalid("an outage without an attempt"));
        }
        Ok(Outage { since: self.since.read()?, last: self.last.read()?, attempts: self.attempts })
    }
}

fn url(text: &str) -> Result<Url, DecodeError> {
    Url::parse(text).ok().filter(|url| url.as_str() == text).ok_or(DecodeError::Invalid("a URL"))
}

#[cfg(test)]
mod tests;

/// A cause. The order of the variants is part of the format.
#[derive(Serialize, Deserialize)]
pub(super) enum CauseFacts<'b> {
    Status(u16),
    NotFoundPage(u16),
    TooManyRedirects(u64),
    RedirectLoop(&'b str),
    RedirectNowhere(u16, &'b str),
    RedirectDisallowed(&'b str),
    NotModifiedUnasked,
    Html,
    /// Kind, text, and whether the failure is local.
    Failure(&'b str, &'b str, bool),
}

impl<'e> CauseFacts<'e> {
    pub(super) fn of(cause: &'e Cause) -> Self {
        match cause {
            Cause::Status(status) => Self::Status(*status),
            Cause::NotFoundPage(status) => Self::NotFoundPage(*status),
            Cause::TooManyRedirects(count) => Self::TooManyRedirects(*count as u64),
            Cause::RedirectLoop(url) => Self::RedirectLoop(url),
            Cause::RedirectNowhere(status, wrong) => Self::RedirectNowhere(*status, wrong),
            Cause::RedirectDisallowed(url) => Self::RedirectDisallowed(url),
            Cause::NotModifiedUnasked => Self::NotModifiedUnasked,
            Cause::Html => Self::Html,
            Cause::Failure(failure) => {
                Self::Failure(failure.kind().name(), failure.text(), failure.is_local())
            }
        }
    }

    pub(super) fn read(self) -> Result<Arc<Cause>, DecodeError> {
        Ok(Arc::new(match self {
            Self::Status(status) => Cause::Status(status),
            Self::NotFoundPage(status) => Cause::NotFoundPage(status),
            Self::TooManyRedirects(count) => Cause::TooManyRedirects(
                usize::try_from(count).map_err(|_| DecodeError::Invalid("a number of redirects"))?,
            ),
            Self::RedirectLoop(url) => Cause::RedirectLoop(line(url)?.to_owned()),
            Self::RedirectNowhere(status, wrong) => Cause::RedirectNowhere(status, line(wrong)?.to_owned()),
            Self::RedirectDisallowed(url) => Cause::RedirectDisallowed(line(url)?.to_owned()),
            Self::NotModifiedUnasked => Cause::NotModifiedUnasked,
            Self::Html => Cause::Html,
            Self::Failure(kind, text, is_local) => {
                let kind = FailureKind::from_name(kind).ok_or(DecodeError::Invalid("a kind of failure"))?;
                let failure = Failure::new(kind, text);
                Cause::Failure(if is_local { failure.local() } else { failure })
            }
        }))
    }
}

/// A text that a message can show, as all are that are written.
fn line(text: &str) -> Result<&str, DecodeError> {
    let is_line = !text.contains(char::is_control);
    is_line.then_some(text).ok_or(DecodeError::Invalid("a text of several lines"))
}

/// The version of the format that is written, and the only one that is read.
pub(crate) const VERSION: u16 = 6;

/// Why bytes can't be read as an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// They don't begin as an entry does.
    NotAnEntry,
    /// The entry is of this version of the format, which this version of the crate does not read.
    OtherVersion(u16),
    /// The entry was made under another access policy or size limit, so what it says about the answer may be wrong here.
    OtherPolicy,
    /// There are fewer or more bytes than the entry says.
    Length,
    /// The checksum is not that of the bytes.
    Checksum,
    /// This part of the entry is invalid, although the checksum is right.
    Invalid(&'static str),
}

impl DecodeError {
    /// Returns whether the entry seems intact but is of another version or policy. A store treats it as absent.
    #[must_use]
    pub const fn is_absent(self) -> bool {
        matches!(self, Self::OtherVersion(_) | Self::OtherPolicy)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnEntry => f.write_str("not a stored entry"),
            Self::OtherVersion(version) => {
                write!(f, "stored entry of version {version}; only version {VERSION} can be read")
            }
            Self::OtherPolicy => f.write_str("stored entry was made under another access policy"),
            Self::Length => f.write_str("stored entry is cut or too long"),
            Self::Checksum => f.write_str("stored entry has a wrong checksum"),
            Self::Invalid(part) => write!(f, "stored entry is invalid: {part}"),
        }
    }
}

impl core::error::Error for DecodeError {}

/// The time since or before 1970.
#[derive(Serialize, Deserialize)]
pub(super) enum Time {
    Since(Duration),
    Before(Duration),
}

impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Self {
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => Self::Since(since),
            Err(error) => Self::Before(error.duration()),
        }
    }
}

impl Time {
    pub(super) fn read(self) -> Result<SystemTime, DecodeError> {
        let time = match self {
            Self::Since(since) => SystemTime::UNIX_EPOCH.checked_add(since),
            Self::Before(before) => SystemTime::UNIX_EPOCH.checked_sub(before),
        };
        time.ok_or(DecodeError::Invalid("a time"))
    }
}
