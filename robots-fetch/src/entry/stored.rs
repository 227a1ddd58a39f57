//! Entries in stores: a header, and the entry without shortened texts.
//!
//! | bytes | content |
//! |---|---|
//! | 4 | `RbTx` |
//! | 2 | the version of the format |
//! | 4 | a checksum (CRC-32) of all bytes after it |
//! | 4 | the number of bytes after this number |
//! | 8 | the key of the access policy and size limit that the entry was made under |
//! | … | the [entry](super::codec) |
//!
//! Numbers of the header are little endian. One entry has one encoding: bytes that would not be written as they are read are
//! refused.

use core::fmt;

use crate::entry::policy_key::policy_key;
use crate::entry::{Entry, Outage, State, codec};
use crate::failure::Cause;
use crate::profile::SiteProfile;

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
        with_header(&self.profile, &codec::write(self, false))
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
        let entry = codec::read(payload, profile, false).map_err(DecodeError::Invalid)?;
        match wrong(&entry.state) {
            Some(wrong) => Err(DecodeError::Invalid(wrong)),
            None if codec::write(&entry, false) == payload => Ok(entry),
            None => Err(DecodeError::Invalid("a value that is never written")),
        }
    }
}

/// Returns what is wrong with a state that no retrieval produces.
fn wrong(state: &State) -> Option<&'static str> {
    let never = |outage: &Outage| outage.attempts == 0;
    let cause = match state {
        State::File(_) => return None,
        State::Unreachable { outage, .. } if never(outage) => return Some("an outage without an attempt"),
        State::Local { before, .. } if before.outage.as_ref().is_some_and(never) => {
            return Some("an outage without an attempt");
        }
        State::Local { cause, .. } if !cause.is_local() => return Some("a local failure that is the site's"),
        State::Local { before, .. } if before.is_previous && before.file.is_none() => {
            return Some("a previous file that is missing");
        }
        State::Throttled { attempts: 0, .. } => return Some("a limit of requests without an attempt"),
        State::Unavailable { cause, .. }
        | State::Restricted { cause }
        | State::Unreachable { cause, .. }
        | State::Throttled { cause, .. }
        | State::Local { cause, .. } => cause,
    };
    // A message shows these texts.
    match &**cause {
        Cause::RedirectLoop(text) | Cause::RedirectNowhere(_, text) | Cause::RedirectDisallowed(text) => {
            text.contains(char::is_control).then_some("a text of several lines")
        }
        _ => None,
    }
}

fn with_header(profile: &SiteProfile, payload: &[u8]) -> Vec<u8> {
    let len = KEY + payload.len();
    let mut bytes = Vec::with_capacity(HEADER + len);
    let len = u32::try_from(len).expect("an entry is far shorter than 4 GiB");
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&len.to_le_bytes());
    bytes.extend_from_slice(&policy_key(profile).to_le_bytes());
    bytes.extend_from_slice(payload);
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

/// The version of the format that is written, and the only one that is read.
pub(crate) const VERSION: u16 = 7;

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

#[cfg(test)]
mod tests {
    use alloc::sync::Arc;
    use core::time::Duration;
    use std::time::SystemTime;

    use proptest::prelude::*;
    use robots_match::Document;

    use super::*;
    use crate::AccessResult;
    use crate::failure::{Cause, Failure, FailureKind};
    use crate::message::fields::Validators;
    use crate::message::head::Head;
    use crate::origin::Origin;
    use crate::retrieval::outcome::Outcome;
    use crate::retrieval::states::{AwaitingHead, NextStep};

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::new(seconds, 7)
    }

    fn answer(head: &Head, body: &[u8], profile: &SiteProfile, now: SystemTime) -> Outcome {
        let origin = Origin::parse("https://example.com").unwrap();
        let validators = Validators { url: Some(origin.robots_url().clone()), ..Validators::default() };
        let validators = Validators { etag: Some("\"1\"".to_owned()), ..validators };
        let awaiting = AwaitingHead::new(&origin, &validators, profile, now);
        match awaiting.head(head, now) {
            NextStep::Read(mut reading) => {
                let _ = reading.push(body);
                reading.end(now)
            }
            NextStep::Done(outcome) => outcome,
            NextStep::Send(awaiting) => awaiting.failure(Failure::new(FailureKind::Reset, "on the way"), now),
        }
    }

    /// Entries of every state and cause, under every profile.
    fn entries() -> Vec<Entry> {
        let file = Head::new(200)
            .with_field("cache-control", "max-age=600, must-revalidate")
            .with_field("etag", "\"1\"")
            .with_field("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT")
            .with_field("date", "Sun, 06 Nov 1994 08:49:37 GMT")
            .with_field("age", "5")
            .with_field("expires", "never");
        let mut entries = Vec::new();
        for mut profile in Document::ALL.map(SiteProfile::from) {
            profile.access.error_page_may_be_404 = true;
            let heads = [
                Head::new(304),
                Head::new(404),
                Head::new(401),
                Head::new(429).with_field("retry-after", "77"),
                Head::new(500),
                Head::new(302),
                Head::new(302).with_field("location", "/robots.txt#x"),
                Head::new(302).with_field("location", "https://www.example.com/ä"),
                Head::new(200).with_field("cache-control", "no-store"),
                Head::new(206).with_field("content-range", "bytes 2-3/9"),
            ];
            let body = b"\xFFUser-agent: *\nDisallow: /private\0\n";
            let first = Entry::from_outcome(None, answer(&file, body, &profile, at(1000)), &profile);
            let html = answer(&Head::new(200), b"<html>Not found", &profile, at(2000));
            entries.push(Entry::from_outcome(None, html, &profile));
            for head in heads {
                for before in [None, Some(&first)] {
                    let next = Entry::from_outcome(
                        before,
                        answer(&head, b"not found", &profile, at(2000)),
                        &profile,
                    );
                    entries.push(Entry::from_outcome(
                        Some(&next),
                        answer(&Head::new(503), b"", &profile, at(3000)),
                        &profile,
                    ));
                    entries.push(next);
                }
            }
            entries.push(first);
            // Before 1970.
            let early = SystemTime::UNIX_EPOCH - Duration::new(5, 1);
            entries.push(Entry::from_outcome(None, answer(&file, b"", &profile, early), &profile));
        }
        for &kind in FailureKind::ALL {
            let origin = Origin::parse("ftp://[::1]:2121").unwrap();
            let awaiting = AwaitingHead::new(&origin, &Validators::default(), &SiteProfile::GOOGLE, at(9));
            let outcome = awaiting.failure(Failure::new(kind, "ä\n".repeat(300)), at(10));
            entries.push(Entry::from_outcome(None, outcome, &SiteProfile::GOOGLE));
        }
        let mut loops = entries[0].clone();
        let disallowed = Cause::RedirectDisallowed("https://example.org/a".to_owned());
        for cause in [Cause::TooManyRedirects(usize::MAX), Cause::Html, disallowed] {
            loops.state = State::Restricted { cause: Arc::new(cause) };
            entries.push(loops.clone());
        }
        entries
    }

    #[test]
    fn decoded_entries_equal_the_encoded_ones() {
        let all = entries();
        for entry in &all {
            let bytes = entry.encode();
            let back = Entry::decode(&bytes, entry.profile()).unwrap();
            assert_eq!(&back, entry);
            assert_eq!(back.encode(), bytes);
        }
        // None of the states and causes was forgotten above.
        let mut seen: Vec<_> = all.iter().filter_map(Entry::cause).map(Cause::code).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 8 + FailureKind::ALL.len(), "{seen:?}");
        assert!(all.iter().any(|entry| entry.previous_file().is_some()));
        assert!(all.iter().any(|entry| entry.outage().is_some() && entry.good_file().is_some()));
        let throttled = |entry: &&Entry| entry.access_result() == AccessResult::Throttled;
        assert!(all.iter().filter(throttled).any(|entry| entry.good_file().is_some()));
        assert!(all.iter().filter(throttled).any(|entry| entry.good_file().is_none()));
    }

    #[test]
    fn a_truncated_file_decodes_as_truncated() {
        let profile = SiteProfile::RFC9309;
        let body = b"Disallow: /0123456789\n".repeat(30_000);
        let entry = Entry::from_outcome(None, answer(&Head::new(200), &body, &profile, at(1)), &profile);
        let back = Entry::decode(&entry.encode(), &profile).unwrap();
        let dropped = entry.good_file().unwrap().dropped();
        assert!(dropped > 0);
        assert_eq!((back.good_file().unwrap().dropped(), back.body_bytes()), (dropped, 512_001));
    }

    #[test]
    fn a_file_that_is_longer_than_its_length_decodes_as_one() {
        let profile = SiteProfile::RFC9309;
        for (has_excess, fields) in [(true, &[][..]), (false, &[]), (true, &[("cache-control", "no-store")])]
        {
            let head =
                fields.iter().fold(Head::new(200), |head, (name, value)| head.with_field(name, *value));
            let outcome = Outcome { has_excess, ..answer(&head, b"Disallow: /a", &profile, at(1)) };
            let entry = Entry::from_outcome(None, outcome, &profile);
            assert_eq!(Entry::decode(&entry.encode(), &profile).unwrap(), entry);
            let file = entry.good_file().unwrap();
            assert_eq!((file.has_excess, file.storable), (has_excess, fields.is_empty()));
            // The file stays as it is until it is sent again.
            let later = answer(&Head::new(304), b"", &profile, at(2));
            let later = Entry::from_outcome(Some(&entry), later, &profile);
            assert_eq!(later.good_file().is_some_and(|file| file.has_excess), has_excess && file.storable);
        }
    }

    #[test]
    fn partial_entries_and_entries_with_a_flipped_bit_are_refused() {
        for entry in entries() {
            let mut bytes = entry.encode();
            for len in 0..bytes.len() {
                assert!(Entry::decode(&bytes[..len], entry.profile()).is_err(), "{len} bytes of {entry:?}");
            }
            for bit in 0..bytes.len() * 8 {
                bytes[bit / 8] ^= 1 << (bit % 8);
                let error = Entry::decode(&bytes, entry.profile()).unwrap_err();
                assert_eq!(error.is_absent(), (32..48).contains(&bit), "bit {bit}: {error}");
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            bytes.push(0);
            assert_eq!(Entry::decode(&bytes, entry.profile()), Err(DecodeError::Length));
        }
    }

    /// Bytes with a header that lets them pass for an entry of this profile.
    fn passing(payload: &[u8], profile: &SiteProfile) -> Vec<u8> {
        with_header(profile, payload)
    }

    #[test]
    fn entries_that_no_retrieval_produces_are_refused() {
        let profile = SiteProfile::RFC9309;
        let outage = Entry::from_outcome(None, answer(&Head::new(503), b"", &profile, at(1)), &profile);
        let with = |cause, attempts| {
            let mut entry = outage.clone();
            if let State::Unreachable { cause: why, outage, .. } = &mut entry.state {
                *why = Arc::new(cause);
                outage.attempts = attempts;
            }
            Entry::decode(&entry.encode(), &profile).map(|_| ())
        };
        let (url, wrong) = ("https://example.com/".to_owned(), "no\nhost".to_owned());
        assert_eq!(with(Cause::RedirectLoop(url.clone()), 1), Ok(()));
        let of_lines = Err(DecodeError::Invalid("a text of several lines"));
        assert_eq!(with(Cause::RedirectLoop(url + "\r\n"), 1), of_lines);
        assert_eq!(with(Cause::RedirectDisallowed(wrong.clone()), 1), of_lines);
        assert_eq!(with(Cause::RedirectNowhere(302, wrong), 1), of_lines);
        let never = Err(DecodeError::Invalid("an outage without an attempt"));
        assert_eq!(with(Cause::Html, 0), never);
        let cause = Arc::new(Cause::Status(429));
        let state = State::Throttled { cause, last_good: None, attempts: 0 };
        let throttled = Entry { state, ..outage };
        let never = Err(DecodeError::Invalid("a limit of requests without an attempt"));
        assert_eq!(Entry::decode(&throttled.encode(), &profile), never);
    }

    #[test]
    fn an_entry_has_one_encoding() {
        let profile = SiteProfile::RFC9309;
        let entry = Entry::from_outcome(None, answer(&Head::new(404), b"", &profile, at(1)), &profile);
        let payload = codec::write(&entry, false);
        let decoded = |payload: &[u8]| Entry::decode(&passing(payload, &profile), &profile).map(|_| ());
        assert_eq!(decoded(&payload), Ok(()));
        let never = Err(DecodeError::Invalid("a value that is never written"));
        assert_eq!(decoded(&[&payload[..], &[0]].concat()), never);
        let body = Err(DecodeError::Invalid("a body without a file"));
        assert_eq!(decoded(&[&[2, b'x'], &payload[1..]].concat()), body);
        // Texts are shortened in memory only.
        assert_eq!(decoded(&[&[3, 0x80], &payload[1..]].concat()), Err(DecodeError::Invalid("its encoding")));
        // 1970 is never written as "0 seconds before 1970", and numbers are never padded: the last parts are the status, 404,
        // and the former file, which is missing.
        assert_eq!((payload[1], &payload[payload.len() - 3..]), (1, &[0x94, 0x03, 0][..]));
        let epoch = Entry::from_outcome(
            None,
            answer(&Head::new(404), b"", &profile, SystemTime::UNIX_EPOCH),
            &profile,
        );
        let mut before = codec::write(&epoch, false);
        before[1] = 2;
        assert_eq!(decoded(&before), never);
        let mut padded = payload;
        padded.pop();
        *padded.last_mut().unwrap() |= 0x80;
        padded.extend([0, 0]);
        assert_eq!(decoded(&padded), never);
    }

    proptest! {
        #[test]
        fn random_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            prop_assert!(Entry::decode(&bytes, &SiteProfile::RFC9309).is_err());
            // Also with a correct checksum; if the bytes are an entry, it is written as it was read.
            let bytes = passing(&bytes, &SiteProfile::RFC9309);
            if let Ok(entry) = Entry::decode(&bytes, &SiteProfile::RFC9309) {
                prop_assert_eq!(entry.encode(), bytes);
            }
        }

        #[test]
        fn entries_with_other_bytes_and_a_right_checksum_get_an_answer(
            which in any::<prop::sample::Index>(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        ) {
            let entries = entries();
            let entry = which.get(&entries);
            let profile = *entry.profile();
            let bytes = entry.encode();
            let mut payload = bytes[HEADER + KEY..].to_vec();
            for (at, byte) in changes {
                *at.get_mut(&mut payload) = byte;
            }
            if let Ok(entry) = Entry::decode(&passing(&payload, &profile), &profile) {
                let again = Entry::decode(&entry.encode(), &profile);
                prop_assert_eq!(again, Ok(entry));
            }
        }
    }
}
