//! A retrieval as a typestate machine: each step consumes the state in which it can be taken, so a wrong order does not
//! compile.

use std::time::SystemTime;

use robots_match::syntax::BodyKind;
use robots_match::{AccessResult, Crawler};
use url::Url;

use crate::failure::{Cause, Failure, FailureKind};
use crate::message::fields::{Fields, Validators};
use crate::message::head::Head;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::outcome::{Hop, Outcome, RetrievalResult};
use crate::retrieval::redirect::target;
use crate::retrieval::request::Request;
use crate::text::without_secrets;

/// How many bytes are read of the page of a server error.
const ERROR_PAGE: usize = 64 * 1024;

/// The state of a retrieval that waits for the head of an answer.
///
/// ```
/// use robots_fetch::{RetrievalResult, AwaitingHead, Head, Origin, SiteProfile, NextStep, Validators};
/// use std::time::SystemTime;
///
/// let now = SystemTime::UNIX_EPOCH; // of the crawler's clock
/// let origin = Origin::parse("https://example.com/")?;
/// let awaiting = AwaitingHead::new(&origin, &Validators::default(), &SiteProfile::RFC9309, now);
/// assert_eq!(awaiting.request().url.as_str(), "https://example.com/robots.txt");
/// // The client sends the request, and passes on the answer.
/// let NextStep::Read(mut reading) = awaiting.head(&Head::new(200), now) else { unreachable!() };
/// reading.push(b"User-agent: *\n");
/// reading.push(b"Disallow: /private\n");
/// let outcome = reading.end(now);
/// assert!(matches!(outcome.result, RetrievalResult::File { .. }));
/// # Ok::<(), robots_fetch::UnsupportedUrl>(())
/// ```
#[derive(Debug)]
#[must_use = "a retrieval does nothing until it is driven to its `Outcome`"]
pub struct AwaitingHead {
    profile: SiteProfile,
    asked: Validators,
    request: Request,
    sent: SystemTime,
    hops: Vec<Hop>,
}

/// The next action of a client.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a client has to do each of them")]
#[expect(clippy::large_enum_variant, reason = "there is one at a time, and it is moved on at once")]
#[must_use = "a retrieval does nothing until it is driven to its `Outcome`"]
pub enum NextStep {
    /// Send the request of this state.
    Send(AwaitingHead),
    /// Read the body.
    Read(ReadingBody),
    /// Nothing: the retrieval has ended. The rest of the answer is not needed.
    Done(Outcome),
}

impl AwaitingHead {
    /// Starts a retrieval at `now`. The validators are those of the cached file
    /// ([`Entry::validators`](crate::Entry::validators)); the default without one. Send [`Self::request`] next.
    pub fn new(origin: &Origin, validators: &Validators, profile: &SiteProfile, now: SystemTime) -> Self {
        let asked =
            if profile.access.conditional_requests { validators.clone() } else { Validators::default() };
        let url = origin.robots_url().clone();
        let request = Request { validators: asked.at(&url), url, before: Vec::new() };
        Self { profile: *profile, asked, request, sent: now, hops: Vec::new() }
    }

    /// Returns the request to send.
    #[must_use]
    pub const fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the status of the redirect that led to this request; 0 for the first request.
    pub(crate) fn redirected_by(&self) -> u16 {
        self.hops.last().and_then(|hop| hop.status).unwrap_or(0)
    }

    /// Continues with the head of the answer, received at `now`. The client skips interim answers (1xx before another).
    pub fn head(mut self, head: &Head, now: SystemTime) -> NextStep {
        let status = head.status();
        self.hops.push(Hop::new(self.request.url.clone(), Some(status)));
        let ftp = self.request.url.scheme() == "ftp";
        if status == 304 && !ftp {
            if self.request.validators.is_empty() {
                return self.without_file(AccessResult::Unreachable, Cause::NotModifiedUnasked, head, now);
            }
            return NextStep::Done(self.done(RetrievalResult::NotModified, head.fields.clone(), now));
        }
        let access = &self.profile.access;
        let class = if ftp { access.ftp_result(status) } else { access.status_result(status) };
        let wanted = match class {
            AccessResult::Redirect => return self.redirect(head, now),
            AccessResult::Success if head.is_partial() => {
                let failure = Failure::new(FailureKind::Incomplete, "status 206 with a part of the file");
                let class = access.failure;
                return self.without_file(class, Cause::Failure(failure), head, now);
            }
            AccessResult::Success => Wanted::File,
            AccessResult::Unreachable if access.error_page_may_be_404 && (500..=599).contains(&status) => {
                Wanted::ErrorPage(status)
            }
            _ => return self.without_file(class, Cause::Status(status), head, now),
        };
        let limit = match wanted {
            Wanted::File => self.profile.max_size() + 1,
            Wanted::ErrorPage(_) => ERROR_PAGE,
        };
        NextStep::Read(ReadingBody {
            state: self,
            fields: head.fields.clone(),
            wanted,
            limit,
            whole: head.whole_length(),
            body: Vec::new(),
        })
    }

    /// Ends the retrieval with a failure before the head of an answer was complete. A refused address and an unsupported
    /// scheme are [local](Failure::local) failures unless a redirect led there.
    pub fn failure(mut self, failure: Failure, now: SystemTime) -> Outcome {
        let is_refused =
            matches!(failure.kind(), FailureKind::RefusedAddress | FailureKind::UnsupportedScheme);
        let failure = if is_refused && self.hops.is_empty() { failure.local() } else { failure };
        self.hops.push(Hop::new(self.request.url.clone(), None));
        let answer = RetrievalResult::None(self.profile.access.failure, Cause::Failure(failure));
        self.done(answer, Fields::default(), now)
    }

    /// Returns the URL of the request if a crawler has to check first that it may request it: the target of a redirect, under
    /// a policy that does not follow redirects to disallowed URLs
    /// ([`AccessPolicy::redirect_to_disallowed`](crate::AccessPolicy::redirect_to_disallowed)). If the crawler knows that the
    /// URL is disallowed, call [`Self::disallowed`]; otherwise, send the request.
    ///
    /// Returns `None` for the robots.txt URL of an origin, which crawlers request anyway, and for URLs of the origin whose
    /// robots.txt is being retrieved, because its rules are not known yet.
    #[must_use]
    pub fn url_to_check(&self) -> Option<&Url> {
        let first = self.hops.first()?;
        self.profile.access.redirect_to_disallowed?;
        let origin = Origin::from_url(&self.request.url).ok()?;
        let is_exempt = origin.robots_url() == &self.request.url || origin.robots_url() == &first.url;
        (!is_exempt).then_some(&self.request.url)
    }

    /// Starts the retrieval of the robots.txt that says whether [`Self::url_to_check`] is disallowed. The addresses that it may lead to
    /// are those of this redirect, and it follows all redirects.
    pub(crate) fn file_of_target(&self, now: SystemTime) -> Option<Self> {
        let origin = Origin::from_url(&self.request.url).ok()?;
        let mut profile = self.profile;
        profile.access.redirect_to_disallowed = None;
        let mut awaiting = Self::new(&origin, &Validators::default(), &profile, now);
        awaiting.request.before.clone_from(&self.request.before);
        Some(awaiting)
    }

    /// Returns whether this retrieval has requested a URL, or is about to.
    pub(crate) fn has_requested(&self, url: &Url) -> bool {
        self.request.url == *url || self.hops.iter().any(|hop| hop.url == *url)
    }

    /// Returns whether the file that [`Self::file_of_target`] led to disallows the request of this state for a crawler; `None` for one
    /// that no line names.
    pub(crate) fn is_disallowed_by(&self, outcome: Outcome, crawler: Option<&Crawler>) -> bool {
        let RetrievalResult::File { body } = outcome.result else { return false };
        let robots = self.profile.read(body);
        let rules = match crawler {
            Some(crawler) => robots.rules(crawler),
            None => robots.rules(&Crawler::unnamed()),
        };
        !rules.check_url(&self.request.url).is_allowed()
    }

    /// Ends the retrieval, because the request of this state would be for a disallowed URL; see [`Self::url_to_check`].
    #[must_use]
    pub fn disallowed(self, now: SystemTime) -> Outcome {
        let result =
            self.profile.access.redirect_to_disallowed.unwrap_or(self.profile.access.invalid_redirect);
        let cause = Cause::RedirectDisallowed(without_secrets(&self.request.url));
        self.done(RetrievalResult::None(result, cause), Fields::default(), now)
    }

    fn redirect(mut self, head: &Head, now: SystemTime) -> NextStep {
        let access = self.profile.access;
        let mut next = match target(head, &self.request.url) {
            Ok(next) => next,
            Err(wrong) => {
                let cause = Cause::RedirectNowhere(head.status(), wrong);
                return self.without_file(access.invalid_redirect, cause, head, now);
            }
        };
        next.set_fragment(None);
        let cause = if self.hops.iter().any(|hop| hop.url == next) {
            Cause::RedirectLoop(without_secrets(&next))
        } else if self.hops.len() > usize::from(access.max_redirects) {
            Cause::TooManyRedirects(self.hops.len())
        } else {
            let mut before = core::mem::take(&mut self.request.before);
            before.push(self.request.url);
            self.request = Request { validators: self.asked.at(&next), url: next, before };
            self.sent = now;
            return NextStep::Send(self);
        };
        self.without_file(access.too_many_redirects, cause, head, now)
    }

    fn without_file(self, class: AccessResult, cause: Cause, head: &Head, now: SystemTime) -> NextStep {
        NextStep::Done(self.done(RetrievalResult::None(class, cause), head.fields.clone(), now))
    }

    fn done(self, answer: RetrievalResult, fields: Fields, received: SystemTime) -> Outcome {
        Outcome {
            hops: self.hops,
            result: answer,
            fields,
            body_bytes: 0,
            has_excess: false,
            sent: self.sent,
            received,
        }
    }
}

/// The state of a retrieval that reads a body.
#[derive(Debug)]
#[must_use = "a retrieval does nothing until it is driven to its `Outcome`"]
pub struct ReadingBody {
    state: AwaitingHead,
    fields: Fields,
    wanted: Wanted,
    /// The most bytes that are read.
    limit: usize,
    /// The number of bytes that the answer says the file has, if it says so in a `Content-Range`.
    whole: Option<u64>,
    body: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum Wanted {
    File,
    /// The page of a server error with this status.
    ErrorPage(u16),
}

impl ReadingBody {
    /// Takes the next part of the decoded body. Returns `false` if no more is wanted: call [`Self::end`] then, and drop the
    /// connection.
    ///
    /// # Memory
    ///
    /// At most twice the limit of the profile ([`SiteProfile::max_size`]), however much is pushed.
    #[must_use = "what is pushed beyond the limit is lost"]
    pub fn push(&mut self, part: &[u8]) -> bool {
        let room = self.limit.saturating_sub(self.body.len());
        self.body.extend_from_slice(part.get(..room).unwrap_or(part));
        self.body.len() < self.limit
    }

    /// Returns the most bytes that are still wanted.
    #[must_use]
    pub fn wanted(&self) -> usize {
        self.limit.saturating_sub(self.body.len())
    }

    /// Ends the retrieval at the end of the body: after the announced number of bytes, after the last chunk, or at the end of
    /// a connection that delimits the body. An early end is a [`Self::failure`].
    #[must_use]
    pub fn end(self, now: SystemTime) -> Outcome {
        let bytes = self.body.len();
        // A body that ends as its framing says may be a part of the file.
        let is_other_length = self.whole.is_some_and(|whole| match self.wanted() {
            0 => whole < bytes as u64,
            _ => whole != bytes as u64,
        });
        if is_other_length {
            let text = "status 206 with another number of bytes than its `Content-Range` says";
            return self.failed(Failure::new(FailureKind::Incomplete, text), now);
        }
        let access = &self.state.profile.access;
        let answer = match self.wanted {
            Wanted::File => match access.html {
                Some(class) if self.is_page() => RetrievalResult::None(class, Cause::Html),
                _ => RetrievalResult::File { body: self.body.into_boxed_slice() },
            },
            Wanted::ErrorPage(status) if says_not_found(&self.body) => {
                RetrievalResult::None(AccessResult::Unavailable, Cause::NotFoundPage(status))
            }
            Wanted::ErrorPage(status) => {
                RetrievalResult::None(AccessResult::Unreachable, Cause::Status(status))
            }
        };
        Outcome { body_bytes: bytes, ..self.state.done(answer, self.fields, now) }
    }

    /// Returns whether the body is an HTML page in which no group can be read.
    fn is_page(&self) -> bool {
        BodyKind::of(&self.body, &self.state.profile.rules.syntax) == BodyKind::Html
    }

    /// Ends the retrieval with a failure before the body was complete. The part that was read is dropped, unless no more was
    /// wanted.
    #[must_use]
    pub fn failure(self, failure: Failure, now: SystemTime) -> Outcome {
        if self.wanted() == 0 {
            return self.end(now);
        }
        self.failed(failure, now)
    }

    fn failed(self, failure: Failure, now: SystemTime) -> Outcome {
        let (class, cause) = match self.wanted {
            Wanted::File => (self.state.profile.access.failure, Cause::Failure(failure)),
            Wanted::ErrorPage(status) => (AccessResult::Unreachable, Cause::Status(status)),
        };
        let answer = RetrievalResult::None(class, cause);
        Outcome { body_bytes: self.body.len(), ..self.state.done(answer, Fields::default(), now) }
    }
}

/// Whether the page of an error says that the file does not exist. Time grows with its length.
pub(crate) fn says_not_found(page: &[u8]) -> bool {
    page.windows(9).any(|words| words.eq_ignore_ascii_case(b"not found"))
}

#[cfg(test)]
mod tests {
    use core::time::Duration;
    use robots_match::Document;
    use robots_match::syntax::BodyKind;

    use super::*;
    use crate::entry::Entry;

    const NOW: SystemTime = SystemTime::UNIX_EPOCH;
    const START: &str = "https://example.com/robots.txt";

    fn begin(profile: &SiteProfile) -> AwaitingHead {
        let origin = Origin::parse("https://example.com").unwrap();
        AwaitingHead::new(&origin, &Validators::default(), profile, NOW)
    }

    fn moved(awaiting: AwaitingHead, location: &str) -> NextStep {
        awaiting.head(&Head::new(302).with_field("location", location), NOW)
    }

    fn done(step: NextStep) -> Outcome {
        match step {
            NextStep::Done(outcome) => outcome,
            other => panic!("{other:?}"),
        }
    }

    fn sent(step: NextStep) -> (String, AwaitingHead) {
        match step {
            NextStep::Send(awaiting) => (awaiting.request().url.clone().into(), awaiting),
            other => panic!("{other:?}"),
        }
    }

    fn read(step: NextStep) -> ReadingBody {
        match step {
            NextStep::Read(reading) => reading,
            other => panic!("{other:?}"),
        }
    }

    fn cause(outcome: &Outcome) -> (AccessResult, String) {
        match &outcome.result {
            RetrievalResult::None(class, cause) => (*class, cause.to_string()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_status_has_the_access_result_of_its_class() {
        for name in Document::ALL {
            let profile = SiteProfile::from(name);
            for status in (0..1000).chain([u16::MAX]) {
                let step = begin(&profile).head(&Head::new(status), NOW);
                match (step, profile.access.status_result(status)) {
                    (NextStep::Read(_), AccessResult::Success) => {
                        assert!((200..300).contains(&status), "{name} {status}");
                    }
                    (NextStep::Done(outcome), class) => {
                        // A redirect without a location, and a part without a range.
                        let is_unusable = class == AccessResult::Redirect || status == 206;
                        let expected = if is_unusable { AccessResult::Unreachable } else { class };
                        assert_eq!(cause(&outcome).0, expected, "{name} {status}");
                        assert_eq!(outcome.status(), Some(status));
                        assert_eq!(outcome.url().unwrap().as_str(), START);
                    }
                    (step, class) => panic!("{name} {status}: {step:?} {class}"),
                }
            }
        }
    }

    #[test]
    fn locations_are_resolved_and_stripped() {
        for (location, expected) in [
            ("/a", "https://example.com/a"),
            ("a", "https://example.com/a"),
            ("?a", "https://example.com/robots.txt?a"),
            ("//www.example.com/robots.txt", "https://www.example.com/robots.txt"),
            ("http://example.com/robots.txt", "http://example.com/robots.txt"),
            ("HTTPS://Example.ORG:443/x#y", "https://example.org/x"),
            ("https://me:secret@example.org/", "https://example.org/"),
            ("ftp://example.com/robots.txt", "ftp://example.com/robots.txt"),
            ("https://exämple.com/ä", "https://xn--exmple-cua.com/%C3%A4"),
        ] {
            let (url, _) = sent(moved(begin(&SiteProfile::RFC9309), location));
            assert_eq!(url, expected, "{location}");
        }
    }

    #[test]
    fn invalid_locations_do_not_allow_access() {
        for location in [
            "",
            "https://",
            "https://a b/",
            "http://[::1",
            "http://example.com:99999/",
            "mailto:me@example.com",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/plain,User-agent:*",
            "gopher://example.com/",
        ] {
            for name in Document::ALL {
                let profile = SiteProfile::from(name);
                let outcome = done(moved(begin(&profile), location));
                let (class, cause) = cause(&outcome);
                assert_eq!(class, AccessResult::Unreachable, "{name} {location}");
                assert!(cause.starts_with("redirect 302 that can't be followed: "), "{cause}");
            }
        }
        let two = Head::new(301).with_field("location", "/a").with_field("location", "/b");
        let (_, cause) = cause(&done(begin(&SiteProfile::RFC9309).head(&two, NOW)));
        assert_eq!(cause, "redirect 301 that can't be followed: several `Location` fields that differ");
    }

    #[test]
    fn five_redirects_are_followed_and_the_sixth_is_not() {
        let mut awaiting = begin(&SiteProfile::RFC9309);
        for hop in 1..=5 {
            (_, awaiting) = sent(moved(awaiting, &format!("https://{hop}.example.org/robots.txt")));
        }
        let outcome = done(moved(awaiting, "https://6.example.org/robots.txt"));
        assert_eq!(cause(&outcome), (AccessResult::Unavailable, "6 redirects in a row".to_owned()));
        assert_eq!(outcome.hops.len(), 6);
        assert_eq!(outcome.hops[5], Hop::new("https://5.example.org/robots.txt".parse().unwrap(), Some(302)));
    }

    #[test]
    fn a_file_after_five_redirects_is_read() {
        let mut awaiting = begin(&SiteProfile::RFC9309);
        for hop in 1..=5 {
            (_, awaiting) = sent(moved(awaiting, &format!("/{hop}")));
        }
        let mut reading = read(awaiting.head(&Head::new(200), NOW));
        assert!(reading.push(b"User-agent: *\nDisallow: /a\n"));
        let outcome = reading.end(NOW);
        assert_eq!((outcome.hops.len(), outcome.body_bytes), (6, 27));
        assert!(matches!(outcome.result, RetrievalResult::File { .. }));
    }

    #[test]
    fn loops_end_at_once_whatever_their_length_and_fragment() {
        for (chain, class) in [
            (&["/robots.txt"][..], AccessResult::Unavailable),
            (&["#a"], AccessResult::Unavailable),
            (&["/a", "/robots.txt#b"], AccessResult::Unavailable),
            (&["/a", "/b", "https://EXAMPLE.com:443/a"], AccessResult::Unavailable),
        ] {
            let mut awaiting = begin(&SiteProfile::RFC9309);
            let (last, before) = chain.split_last().unwrap();
            for location in before {
                (_, awaiting) = sent(moved(awaiting, location));
            }
            let outcome = done(moved(awaiting, last));
            assert_eq!(cause(&outcome).0, class, "{chain:?}");
            assert!(cause(&outcome).1.starts_with("redirect loop at https://example.com/"), "{chain:?}");
            assert_eq!(outcome.hops.len(), chain.len());
        }
        let outcome = done(moved(begin(&SiteProfile::KOSTER_1996), "/robots.txt"));
        assert_eq!(cause(&outcome).0, AccessResult::Unreachable);
    }

    #[test]
    fn memory_is_bounded_and_one_byte_more_than_the_limit_is_kept() {
        let limit = SiteProfile::RFC9309.max_size();
        let line = b"Disallow: /0123456789\n";
        let mut whole = line.repeat(limit / line.len() + 2);
        for (len, cut) in [(limit - 1, false), (limit, false), (limit + 1, true), (whole.len(), true)] {
            let mut reading = read(begin(&SiteProfile::RFC9309).head(&Head::new(200), NOW));
            let mut more = true;
            for part in whole[..len].chunks(1000) {
                more = reading.push(part);
            }
            assert_eq!(more, len <= limit);
            assert!(cut || reading.wanted() > 0);
            let outcome = reading.end(NOW);
            assert_eq!(outcome.body_bytes, len.min(limit + 1));
            let entry = Entry::from_outcome(None, outcome, &SiteProfile::RFC9309);
            let file = entry.good_file().unwrap();
            assert_eq!(file.dropped() > 0, cut, "{len}");
            assert!(file.robots.lines().count() <= limit / line.len() + 1);
        }
        // A line that ends with the limit is whole: the byte beyond shows it.
        whole.truncate(limit);
        whole[limit - 3..].copy_from_slice(b"x/a");
        whole.extend_from_slice(b"\nDisallow: /b\n");
        let mut reading = read(begin(&SiteProfile::RFC9309).head(&Head::new(200), NOW));
        assert!(!reading.push(&whole));
        assert!(!reading.push(b"more"));
        let entry = Entry::from_outcome(None, reading.end(NOW), &SiteProfile::RFC9309);
        let file = entry.good_file().unwrap();
        // Also that the file goes on.
        assert_eq!((file.dropped(), file.robots.lines().dropped_len()), (1, 0));
        assert!(file.robots.body().ends_with(b"x/a\n"));
    }

    #[test]
    fn a_cut_line_is_dropped_where_lines_have_no_limit() {
        let mut profile = SiteProfile::KOSTER_1996;
        profile.access.max_body = 0;
        assert_eq!(profile.max_size(), 512_000);
        let mut file = vec![b'#'; 511_985];
        file.extend_from_slice(b"\nAllow: /private");
        let mut reading = read(begin(&profile).head(&Head::new(200), NOW));
        assert!(!reading.push(&file));
        let entry = Entry::from_outcome(None, reading.end(NOW), &profile);
        assert_eq!(entry.good_file().unwrap().robots.lines().count(), 1);
    }

    #[test]
    fn an_incomplete_body_is_not_a_file_unless_it_reached_the_limit() {
        for &kind in FailureKind::ALL {
            let mut reading = read(begin(&SiteProfile::RFC9309).head(&Head::new(200), NOW));
            assert!(reading.push(b"User-agent: *\n"));
            let outcome = reading.failure(Failure::new(kind, "x"), NOW);
            assert_eq!(cause(&outcome).0, AccessResult::Unreachable);
            assert_eq!(outcome.body_bytes, 14);
            let outcome = begin(&SiteProfile::RFC9309).failure(Failure::new(kind, "x"), NOW);
            assert_eq!((cause(&outcome).0, outcome.status()), (AccessResult::Unreachable, None));
        }
        let mut reading = read(begin(&SiteProfile::RFC9309).head(&Head::new(200), NOW));
        assert!(!reading.push(&vec![b'\n'; 600_000]));
        let outcome = reading.failure(Failure::new(FailureKind::Reset, ""), NOW);
        assert!(matches!(outcome.result, RetrievalResult::File { .. }));
    }

    #[test]
    fn a_part_is_not_accepted_as_a_file() {
        let part = Head::new(206).with_field("content-range", "bytes 0-9/100");
        let outcome = done(begin(&SiteProfile::RFC9309).head(&part, NOW));
        let expected = "incomplete body: status 206 with a part of the file";
        assert_eq!(cause(&outcome), (AccessResult::Unreachable, expected.to_owned()));
        let whole = Head::new(206).with_field("content-range", "bytes 0-9/10");
        for (body, is_file) in
            [(&b"0123456789"[..], true), (b"012345678", false), (b"0123456789a", false), (b"", false)]
        {
            let mut reading = read(begin(&SiteProfile::RFC9309).head(&whole, NOW));
            assert!(reading.push(body));
            assert_eq!(matches!(reading.end(NOW).result, RetrievalResult::File { .. }), is_file);
        }
        // The range counts the bytes of the coding.
        let coded = whole.with_field("Content-Encoding", "gzip");
        assert_eq!(cause(&done(begin(&SiteProfile::RFC9309).head(&coded, NOW))).0, AccessResult::Unreachable);
        // A file over the limit is read up to it.
        let large = Head::new(206).with_field("content-range", "bytes 0-999999/1000000");
        let mut reading = read(begin(&SiteProfile::RFC9309).head(&large, NOW));
        assert!(!reading.push(&vec![b'\n'; 1_000_000]));
        assert!(matches!(reading.end(NOW).result, RetrievalResult::File { .. }));
    }

    #[test]
    fn validators_are_sent_only_to_the_url_that_sent_them() {
        let origin = Origin::parse("https://example.com").unwrap();
        let validators = |url: &str| Validators {
            url: Some(url.parse().unwrap()),
            etag: Some("\"1\"".to_owned()),
            last_modified: None,
        };
        let awaiting = AwaitingHead::new(&origin, &validators(START), &SiteProfile::RFC9309, NOW);
        assert_eq!(awaiting.request().fields().collect::<Vec<_>>(), [("if-none-match", "\"1\"")]);
        assert_eq!(done(awaiting.head(&Head::new(304), NOW)).result, RetrievalResult::NotModified);

        let elsewhere = validators("https://www.example.com/robots.txt");
        let awaiting = AwaitingHead::new(&origin, &elsewhere, &SiteProfile::RFC9309, NOW);
        assert!(awaiting.request().validators.is_empty());
        let (_, awaiting) = sent(moved(awaiting, "https://www.example.com/robots.txt"));
        assert!(!awaiting.request().validators.is_empty());
        assert_eq!(done(awaiting.head(&Head::new(304), NOW)).result, RetrievalResult::NotModified);

        let awaiting = AwaitingHead::new(&origin, &validators(START), &SiteProfile::GOOGLE, NOW);
        assert!(awaiting.request().validators.is_empty());
        let outcome = done(awaiting.head(&Head::new(304), NOW));
        assert_eq!(
            cause(&outcome),
            (AccessResult::Unreachable, "status 304 to an unconditional request".to_owned())
        );
    }

    #[test]
    fn a_server_error_that_says_not_found_is_read_only_where_the_policy_says_so() {
        let mut profile = SiteProfile::GOOGLE;
        profile.access.error_page_may_be_404 = true;
        let page = |text: &[u8]| {
            let mut reading = read(begin(&profile).head(&Head::new(500), NOW));
            let _ = reading.push(text);
            reading
        };
        assert_eq!(cause(&page(b"<h1>Not Found</h1>").end(NOW)).0, AccessResult::Unavailable);
        assert_eq!(
            cause(&page(b"<h1>Oops</h1>").end(NOW)),
            (AccessResult::Unreachable, "status 500".to_owned())
        );
        let broken = page(b"Not Found").failure(Failure::new(FailureKind::Reset, ""), NOW);
        assert_eq!(cause(&broken), (AccessResult::Unreachable, "status 500".to_owned()));
        let mut long = vec![b' '; ERROR_PAGE];
        long.extend_from_slice(b"not found");
        assert_eq!(cause(&page(&long).end(NOW)).0, AccessResult::Unreachable);
        // 429 counts as a server error, and its page is that of no missing file.
        assert_eq!(cause(&done(begin(&profile).head(&Head::new(429), NOW))).0, AccessResult::Unreachable);
    }

    #[test]
    fn replies_of_ftp_are_not_statuses_of_http() {
        let origin = Origin::parse("ftp://example.com").unwrap();
        let reply = |reply: u16| {
            AwaitingHead::new(&origin, &Validators::default(), &SiteProfile::RFC9309, NOW)
                .head(&Head::new(reply), NOW)
        };
        assert!(matches!(read(reply(150)).end(NOW).result, RetrievalResult::File { .. }));
        assert_eq!(cause(&done(reply(550))).0, AccessResult::Unavailable);
        for code in [100, 304, 331, 421, 425, 426, 450, 500, 530, 551] {
            assert_eq!(cause(&done(reply(code))).0, AccessResult::Unreachable, "{code}");
        }
    }

    #[test]
    fn html_is_reported_and_can_count_as_unavailable() {
        let page = |profile: &SiteProfile, body: &[u8]| {
            let mut reading = read(begin(profile).head(&Head::new(200), NOW));
            assert!(reading.push(body));
            Entry::from_outcome(None, reading.end(NOW), profile)
        };
        let (rules, none) = (&b"<!DOCTYPE html>\nUser-agent: *\nDisallow: /\n"[..], &b"<!doctypehtml>\n"[..]);
        let mut strict = SiteProfile::GOOGLE;
        strict.access.html = Some(AccessResult::Unreachable);
        for (profile, body, kind, access) in [
            (&SiteProfile::GOOGLE, rules, BodyKind::HtmlWithRules, "rules"),
            (&SiteProfile::GOOGLE, none, BodyKind::Html, "rules"),
            (&strict, rules, BodyKind::HtmlWithRules, "rules"),
            (&strict, none, BodyKind::Html, "nothing"),
        ] {
            let entry = page(profile, body);
            // An entry that was asked is equal to one that was not.
            let other = entry.clone();
            assert_eq!((entry.body_kind(), entry.access(NOW).name()), (Some(kind), access));
            assert_eq!((&entry, entry.body_kind()), (&other, other.body_kind()));
        }
    }

    #[test]
    fn freshness_starts_at_the_last_request() {
        let at = |seconds| NOW + Duration::from_secs(seconds);
        let step = begin(&SiteProfile::RFC9309).head(&Head::new(302).with_field("location", "/a"), at(5));
        let (_, awaiting) = sent(step);
        let outcome = read(awaiting.head(&Head::new(200), at(7))).end(at(9));
        assert_eq!((outcome.sent, outcome.received), (at(5), at(9)));
    }

    #[test]
    fn a_redirect_is_checked_before_it_is_followed_where_the_policy_says_so() {
        let url = |profile: &SiteProfile, location| {
            let (_, awaiting) = sent(moved(begin(profile), location));
            awaiting.url_to_check().map(ToString::to_string)
        };
        let google = SiteProfile::GOOGLE;
        assert!(begin(&google).url_to_check().is_none());
        for (location, expected) in [
            ("https://www.example.com/a?b#c", Some("https://www.example.com/a?b")),
            ("http://example.com/rules.txt", Some("http://example.com/rules.txt")),
            ("https://example.org/robots.txt?a", Some("https://example.org/robots.txt?a")),
            // The file of another origin, and a file of the origin itself.
            ("https://example.org/robots.txt", None),
            ("/rules.txt", None),
            ("https://EXAMPLE.com:443/rules.txt", None),
        ] {
            assert_eq!(url(&google, location).as_deref(), expected, "{location}");
            assert_eq!(url(&SiteProfile::RFC9309, location), None, "{location}");
        }
        let (_, awaiting) = sent(moved(begin(&google), "https://example.org/a"));
        let outcome = awaiting.disallowed(NOW);
        assert_eq!(outcome.hops.len(), 1);
        assert_eq!(
            cause(&outcome),
            (
                AccessResult::Unavailable,
                "redirect to https://example.org/a, which its own robots.txt disallows".to_owned()
            )
        );
    }
}

#[cfg(test)]
mod html_tests {
    use super::*;

    #[test]
    fn the_words_not_found_are_found_anywhere_in_a_page() {
        assert!(says_not_found(b"<h1>404 Not Found</h1>"));
        assert!(!says_not_found(b"not foun"));
        assert!(!says_not_found(b""));
    }
}
