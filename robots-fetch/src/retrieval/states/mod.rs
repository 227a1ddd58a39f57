//! A retrieval as a typestate machine: each step consumes the state in which it can be taken, so a wrong order does not
//! compile.

use std::time::SystemTime;

use robots_match::Crawler;
use url::Url;

use robots_match::syntax::BodyKind;

use crate::failure::{Cause, Failure, FailureKind};
use crate::html::says_not_found;
use crate::message::fields::Fields;
use crate::message::fields::Validators;
use crate::message::head::{Head, Location};
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::outcome::{Hop, Outcome, RetrievalResult};
use crate::retrieval::request::Request;
use crate::text::shown;
use robots_match::AccessResult;

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
            let answer = if self.request.validators.is_empty() {
                RetrievalResult::None(AccessResult::Unreachable, Cause::NotModifiedUnasked)
            } else {
                RetrievalResult::NotModified
            };
            return NextStep::Done(self.done(answer, head.fields.clone(), now));
        }
        let access = &self.profile.access;
        let class = if ftp { access.ftp_result(status) } else { access.status_result(status) };
        let wanted = match class {
            AccessResult::Redirect => return self.redirect(head, now),
            AccessResult::Success if head.is_partial() => {
                let failure = Failure::new(FailureKind::Incomplete, "status 206 with a part of the file");
                let answer = RetrievalResult::None(access.failure, Cause::Failure(failure));
                return NextStep::Done(self.done(answer, head.fields.clone(), now));
            }
            AccessResult::Success => Wanted::File,
            AccessResult::Unreachable if access.error_page_may_be_404 && (500..=599).contains(&status) => {
                Wanted::ErrorPage(status)
            }
            _ => {
                let answer = RetrievalResult::None(class, Cause::Status(status));
                return NextStep::Done(self.done(answer, head.fields.clone(), now));
            }
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
        let cause = Cause::RedirectDisallowed(shown(self.request.url.as_str()));
        self.done(RetrievalResult::None(result, cause), Fields::default(), now)
    }

    fn redirect(mut self, head: &Head, now: SystemTime) -> NextStep {
        let access = self.profile.access;
        let next = match target(&self.request.url, &head.location) {
            Ok(next) => next,
            Err(wrong) => {
                let answer = RetrievalResult::None(
                    access.invalid_redirect,
                    Cause::RedirectNowhere(head.status(), wrong),
                );
                return NextStep::Done(self.done(answer, head.fields.clone(), now));
            }
        };
        let cause = if self.hops.iter().any(|hop| hop.url == next) {
            Cause::RedirectLoop(shown(next.as_str()))
        } else if self.hops.len() > usize::from(access.max_redirects) {
            Cause::TooManyRedirects(self.hops.len())
        } else {
            let mut before = core::mem::take(&mut self.request.before);
            before.push(self.request.url);
            self.request = Request { validators: self.asked.at(&next), url: next, before };
            self.sent = now;
            return NextStep::Send(self);
        };
        NextStep::Done(self.done(
            RetrievalResult::None(access.too_many_redirects, cause),
            head.fields.clone(),
            now,
        ))
    }

    fn done(self, answer: RetrievalResult, fields: Fields, received: SystemTime) -> Outcome {
        Outcome { hops: self.hops, result: answer, fields, body_bytes: 0, sent: self.sent, received }
    }
}

/// Returns the target of a redirect: an absolute URL without userinfo and fragment, of a supported scheme.
fn target(from: &Url, location: &Location) -> Result<Url, String> {
    let location = match location {
        Location::Missing => return Err("no `Location`".to_owned()),
        Location::Unusable(why) => return Err((*why).to_owned()),
        Location::At(location) => location,
    };
    let mut url = from.join(location).map_err(|error| format!("`{}`: {error}", shown(location)))?;
    Origin::from_url(&url).map_err(|error| error.to_string())?;
    url.set_fragment(None);
    // Userinfo of a `Location` is not sent: no credential leaves this crate.
    let bare = url.set_username("").and_then(|()| url.set_password(None));
    bare.map_err(|()| format!("`{}` has no host", shown(location)))?;
    Ok(url)
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
        let cause = match self.wanted {
            Wanted::File => Cause::Failure(failure),
            Wanted::ErrorPage(status) => Cause::Status(status),
        };
        let class = match self.wanted {
            Wanted::File => self.state.profile.access.failure,
            Wanted::ErrorPage(_) => AccessResult::Unreachable,
        };
        let bytes = self.body.len();
        Outcome {
            body_bytes: bytes,
            ..self.state.done(RetrievalResult::None(class, cause), Fields::default(), now)
        }
    }
}

#[cfg(test)]
mod tests;
