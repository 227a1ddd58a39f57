//! Properties of retrievals, with answers in any order and a clock that jumps, and of stored entries.
//! Each function panics if its property does not hold.

use std::time::{Duration, SystemTime};

use robots_fetch::matching::Crawler;
use robots_fetch::{
    Access, AccessResult, AwaitingHead, Entry, Failure, FailureKind, Head, NextStep, Origin, Outcome,
    ReadingBody, RetrievalResult, SiteProfile, Validators,
};

use super::input::rooted;
use crate::suite::names::PROFILES;

/// The state of a retrieval.
#[expect(clippy::large_enum_variant, reason = "there is one of it at a time")]
enum State {
    Idle,
    Awaiting(AwaitingHead, usize),
    Reading(ReadingBody),
}

/// Runs a script of answers under each profile. The first line is a URL. The first byte of every other line is an
/// action:
///
/// * `s503 Retry-After: 60|Age: 5` the head of an answer, and its fields;
/// * `b` bytes of a body, with a line end after them; `B` the same, repeated beyond the limit;
/// * `e` the end of a body; `x` a failure, of the kind with this number;
/// * `t` seconds by which the clock jumps, forwards or backwards; `q` a path to check.
pub fn exchanges(script: &[u8]) {
    let mut lines = script.split(|&byte| byte == b'\n');
    let url = String::from_utf8_lossy(lines.next().unwrap_or_default());
    let origin = Origin::parse(&url);
    if let Err(error) = &origin {
        one_line(&error.to_string());
    }
    let Ok(origin) = origin.or_else(|_| Origin::parse("https://example.com")) else { return };
    for (_, mut profile) in PROFILES {
        // Larger limits show nothing more, and are slower.
        profile.access.max_body = SiteProfile::LEAST_MAX_SIZE;
        let mut playback = Playback {
            profile,
            origin: &origin,
            now: SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000),
            state: State::Idle,
            entry: None,
        };
        for line in lines.clone().take(60) {
            playback.step(line);
        }
    }
}

/// Decodes bytes as a stored entry: once unchanged, and once without the first byte after a valid header for the
/// profile that this byte selects.
pub fn stored(data: &[u8]) {
    for (_, profile) in PROFILES {
        read_back(data, &profile);
    }
    let Some((&which, payload)) = data.split_first() else { return };
    for (_, profile) in PROFILES.into_iter().skip(usize::from(which) % PROFILES.len()).take(1) {
        read_back(&with_header(payload, &profile), &profile);
    }
}

/// Returns the entry after a script as in [`exchanges`]; `None` if it has no URL or no retrieval ends.
pub fn entry_after(script: &str, profile: &SiteProfile) -> Option<Entry> {
    let mut lines = script.split('\n');
    let origin = Origin::parse(lines.next()?).ok()?;
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
    let mut playback = Playback { profile: *profile, origin: &origin, now, state: State::Idle, entry: None };
    lines.for_each(|line| playback.step(line.as_bytes()));
    playback.entry
}

/// An entry that can be decoded encodes and decodes as the same entry, and can be used like any other.
fn read_back(bytes: &[u8], profile: &SiteProfile) {
    let entry = match Entry::decode(bytes, profile) {
        Ok(entry) => entry,
        Err(error) => return one_line(&error.to_string()),
    };
    let written = entry.encode();
    // Only the text of a failure may get longer: each of its 200 characters may be replaced by one of three bytes.
    assert!(written.len() <= bytes.len() + 3 * 201, "{} of {}", written.len(), bytes.len());
    let again = Entry::decode(&written, profile);
    assert_eq!(again.as_ref(), Ok(&entry));
    assert_eq!(again.map(|entry| entry.encode()), Ok(written));
    if let Some(cause) = entry.cause() {
        one_line(&cause.to_string());
    }
    if let Some((wait, _)) = entry.next_outage_access() {
        assert!(!wait.is_zero());
    }
    let Ok(origin) = Origin::parse("https://example.com") else { return };
    let received = entry.received();
    let later = received.checked_add(Duration::from_secs(1_000_000)).unwrap_or(received);
    for now in [received, SystemTime::UNIX_EPOCH, later] {
        for script in
            ["q/page", "x", "t99999\nx", "s304", "s404", "s500 Retry-After: 9", "s200\nballow: /\ne"]
        {
            let (state, entry) = (State::Idle, Some(entry.clone()));
            let mut playback = Playback { profile: *profile, origin: &origin, now, state, entry };
            script.split('\n').for_each(|line| playback.step(line.as_bytes()));
        }
    }
}

/// Returns a stored entry of this profile with another payload and a matching checksum.
fn with_header(payload: &[u8], profile: &SiteProfile) -> Vec<u8> {
    let Ok(origin) = Origin::parse("https://example.com") else { return Vec::new() };
    let awaiting = AwaitingHead::new(&origin, &Validators::default(), profile, SystemTime::UNIX_EPOCH);
    let outcome = awaiting.failure(Failure::new(FailureKind::Other, ""), SystemTime::UNIX_EPOCH);
    let some = Entry::from_outcome(None, outcome, profile).encode();
    let part = |range| some.get(range).expect("an entry is longer than its header");
    // Magic and version, checksum, length, policy, payload.
    let len = u32::try_from(payload.len() + 8).unwrap_or(u32::MAX);
    let checked = [&len.to_le_bytes()[..], part(14..22), payload].concat();
    [part(0..6), &crc32(&checked).to_le_bytes()[..], &checked[..]].concat()
}

/// Computes the CRC-32 of Ethernet, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(
            sum ^ u32::from(byte),
            |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 },
        )
    })
}

struct Playback<'o> {
    profile: SiteProfile,
    origin: &'o Origin,
    now: SystemTime,
    state: State,
    entry: Option<Entry>,
}

impl Playback<'_> {
    fn step(&mut self, line: &[u8]) {
        let Some((&what, rest)) = line.split_first() else { return };
        match what {
            b's' => self.head(rest),
            b'b' | b'B' => {
                if let State::Reading(reading) = &mut self.state {
                    let part = [rest, b"\n"].concat();
                    let (part, times) = match what {
                        b'b' => (part, 1),
                        _ => (part.repeat(32 * 1024 / part.len() + 1), 65_536),
                    };
                    for _ in 0..times {
                        let wants_more = reading.push(&part);
                        assert_eq!(wants_more, reading.wanted() > 0);
                        if !wants_more {
                            break;
                        }
                    }
                }
            }
            b'e' => match core::mem::replace(&mut self.state, State::Idle) {
                State::Reading(reading) => {
                    let outcome = reading.end(self.now);
                    self.ended(outcome);
                }
                other => self.state = other,
            },
            b'x' => {
                let index = usize::from(rest.first().copied().unwrap_or_default());
                let kind = FailureKind::ALL.iter().cycle().nth(index).copied().unwrap_or(FailureKind::Other);
                let failure = Failure::new(kind, String::from_utf8_lossy(rest));
                match core::mem::replace(&mut self.state, State::Idle) {
                    State::Idle => {
                        let awaiting = self.begin();
                        let outcome = awaiting.failure(failure, self.now);
                        self.ended(outcome);
                    }
                    State::Awaiting(awaiting, _) => {
                        let outcome = awaiting.failure(failure, self.now);
                        self.ended(outcome);
                    }
                    State::Reading(reading) => {
                        let outcome = reading.failure(failure, self.now);
                        self.ended(outcome);
                    }
                }
            }
            b't' => {
                let seconds: i64 = String::from_utf8_lossy(rest).trim().parse().unwrap_or_default();
                let jump = Duration::from_secs(seconds.unsigned_abs());
                let then = if seconds < 0 { self.now.checked_sub(jump) } else { self.now.checked_add(jump) };
                self.now = then.unwrap_or(self.now);
            }
            b'q' => self.ask(rest),
            _ => {}
        }
    }

    fn begin(&self) -> AwaitingHead {
        let validators = self.entry.as_ref().map(Entry::validators).unwrap_or_default();
        let awaiting = AwaitingHead::new(self.origin, &validators, &self.profile, self.now);
        assert_eq!(&awaiting.request().url, self.origin.robots_url());
        awaiting
    }

    fn head(&mut self, rest: &[u8]) {
        let (awaiting, requests) = match core::mem::replace(&mut self.state, State::Idle) {
            State::Idle => (self.begin(), 1),
            State::Awaiting(awaiting, requests) => (awaiting, requests),
            State::Reading(reading) => {
                self.state = State::Reading(reading);
                return;
            }
        };
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (status, fields) = rest.split_at(digits);
        let status = String::from_utf8_lossy(status).parse().unwrap_or(200);
        let mut head = Head::new(status);
        for field in fields.split(|&byte| byte == b'|') {
            let mut parts = field.splitn(2, |&byte| byte == b':');
            let name = String::from_utf8_lossy(parts.next().unwrap_or_default());
            head.add_field(name.trim(), parts.next().unwrap_or_default());
        }
        match awaiting.head(&head, self.now) {
            NextStep::Send(awaiting) => {
                let request = awaiting.request();
                let most = usize::from(self.profile.access.max_redirects) + 1;
                assert!(requests < most, "{requests} requests");
                assert!(matches!(request.url.scheme(), "http" | "https" | "ftp"));
                for (name, value) in request.fields() {
                    one_line(name);
                    assert!(!value.contains(['\r', '\n', '\0']), "{value:?}");
                }
                self.state = State::Awaiting(awaiting, requests + 1);
            }
            NextStep::Read(reading) => {
                assert!(reading.wanted() > 0 && reading.wanted() <= self.profile.max_size() + 1);
                self.state = State::Reading(reading);
            }
            NextStep::Done(outcome) => self.ended(outcome),
        }
    }

    fn ended(&mut self, outcome: Outcome) {
        assert!(outcome.body_bytes <= self.profile.max_size() + 1);
        assert_eq!(outcome.received, self.now);
        assert!(!outcome.hops.is_empty());
        let status = outcome.status();
        let answer = outcome.result.clone();
        let before = self.entry.take();
        let held = before.as_ref().and_then(|entry| entry.good_file().cloned());
        let entry = Entry::from_outcome(before.as_ref(), outcome, &self.profile);
        match &answer {
            RetrievalResult::File { body } => {
                assert!(body.len() <= self.profile.max_size() + 1);
                assert!(matches!(entry.access(self.now), Access::Rules(robots) if robots.body() == &**body));
            }
            // A server error or failure must not allow access at once (RFC 9309, section 2.3.1.4).
            RetrievalResult::None(AccessResult::Unreachable, cause) => {
                one_line(&cause.to_string());
                // After a local failure, the outage before it goes on.
                let first = before
                    .as_ref()
                    .is_none_or(|before| before.outage().is_none() && !before.is_local_failure());
                if entry.is_local_failure() {
                    // It says nothing about the site: crawlers use the file that was read last, or access nothing.
                    assert!(!matches!(entry.access(self.now), Access::Everything(..)));
                } else if first && held.is_none() {
                    assert!(!matches!(entry.access(self.now), Access::Rules(_)));
                    assert!(
                        !matches!(entry.access(self.now), Access::Everything(..)),
                        "everything right after {status:?}"
                    );
                }
                assert!(!entry.is_fresh(self.now));
            }
            RetrievalResult::None(_, cause) => one_line(&cause.to_string()),
            _ => {}
        }
        self.entry = Some(entry);
        self.ask(b"/page");
    }

    fn ask(&self, path: &[u8]) {
        let path = &*rooted(path);
        let Some(entry) = &self.entry else { return };
        assert!(!(entry.is_fresh(self.now) && self.now >= entry.fresh_until()));
        assert!(entry.is_due(self.now) || self.now < entry.next_retrieval());
        let crawler = Crawler::new("foo").expect("letters are a token");
        let permission = entry.permission(&crawler, self.now);
        let verdict = permission.check(path);
        one_line(&verdict.to_string());
        match entry.access(self.now) {
            Access::Everything(..) => assert!(verdict.is_allowed()),
            Access::Nothing(..) => assert!(!verdict.is_allowed() || path == b"/robots.txt"),
            Access::Rules(robots) => {
                let rules = robots.rules(&crawler);
                assert_eq!(verdict.is_allowed(), rules.check(path).is_allowed());
                assert_eq!(verdict.line(), rules.check(path).line());
            }
        }
        assert_eq!(entry.permission(&crawler, self.now).check(path), verdict);
        if let Some(outage) = entry.outage() {
            assert!(outage.attempts >= 1);
        }
    }
}

fn one_line(message: &str) {
    assert!(!message.is_empty() && !message.chars().any(char::is_control), "{message:?}");
}
