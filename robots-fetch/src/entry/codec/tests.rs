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
                let next =
                    Entry::from_outcome(before, answer(&head, b"not found", &profile, at(2000)), &profile);
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
    with_header(profile, payload, b"")
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
    let decoded = |facts: Facts<'_>, body: &[u8]| {
        Entry::decode(&with_header(&profile, &facts.encode(), body), &profile).map(|_| ())
    };
    assert_eq!(decoded(Facts::of(&entry), b""), Ok(()));
    let body = Err(DecodeError::Invalid("a body without a file"));
    assert_eq!(decoded(Facts::of(&entry), b"x"), body);
    // 1970 is never written as "0 seconds before 1970".
    let other = Facts { received: Time::Before(Duration::ZERO), ..Facts::of(&entry) };
    assert_eq!(decoded(other, b""), Err(DecodeError::Invalid("a value that is never written")));
    // Numbers are never padded: the last part of these facts is the status, 404.
    let mut facts = Facts::of(&entry).encode();
    assert_eq!(facts[facts.len() - 3..], [0x94, 0x03, 0x00]);
    let at = facts.len() - 2;
    facts[at] |= 0x80;
    facts.insert(at + 1, 0);
    assert!(Entry::decode(&with_header(&profile, &facts, b""), &profile).is_err());
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
