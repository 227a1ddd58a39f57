//! A retrieval by a client that blocks.

use core::ops::ControlFlow;
use std::time::SystemTime;

use url::Url;

use crate::failure::Failure;
use crate::message::fields::Validators;
use crate::message::head::Head;
use crate::observe;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::Request;
use crate::retrieval::states::{AwaitingHead, NextStep};

/// How many bytes are read at a time.
pub(crate) const BUFFER: usize = 8 * 1024;

/// A client that blocks, as [`retrieve`] uses it: it follows no redirects and decodes bodies
/// ([`AsyncTransport`](crate::AsyncTransport) is its async twin).
pub trait Transport {
    /// The body of an answer, while it is read.
    type Body;

    /// Sends a request, and waits for the head of the answer.
    ///
    /// # Errors
    ///
    /// Anything that goes wrong before the head is complete.
    fn send(&mut self, request: &Request) -> Result<(Head, Self::Body), Failure>;

    /// Reads a part of the decoded body into `buffer`, and returns its number of bytes; 0 at the end of the body.
    ///
    /// # Errors
    ///
    /// Anything that goes wrong. An end that comes before the body is complete is
    /// [`Incomplete`](crate::FailureKind::Incomplete).
    fn read(&mut self, body: &mut Self::Body, buffer: &mut [u8]) -> Result<usize, Failure>;

    /// Returns whether the crawler knows that the robots.txt of another origin disallows this URL of it. A redirect to such a
    /// URL is not followed under a policy with
    /// [`redirect_to_disallowed`](crate::AccessPolicy::redirect_to_disallowed). By default, nothing is known.
    fn is_disallowed(&self, url: &Url) -> bool {
        let _ = url;
        false
    }

    /// Returns the time, of the clock by which entries are read later.
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// Retrieves the robots.txt of an origin. [`retrieve_async`](crate::retrieve_async) is its async twin.
///
/// Always terminates: sends at most [`max_redirects`](crate::AccessPolicy::max_redirects) + 1 requests, and reads at most
/// [`SiteProfile::max_size`] + 1 bytes of a body. Timeouts are the transport's job.
pub fn retrieve<T: Transport>(
    transport: &mut T,
    origin: &Origin,
    validators: &Validators,
    profile: &SiteProfile,
) -> Outcome {
    observe::retrieval(origin, || {
        let mut awaiting = AwaitingHead::new(origin, validators, profile, transport.now());
        loop {
            match step(transport, awaiting) {
                ControlFlow::Continue(next) => awaiting = next,
                ControlFlow::Break(outcome) => return outcome,
            }
        }
    })
}

/// Sends the request of `awaiting`, and returns the outcome, or the state of the next request.
pub(crate) fn step<T: Transport>(
    transport: &mut T,
    awaiting: AwaitingHead,
) -> ControlFlow<Outcome, AwaitingHead> {
    let (head, mut body) = match transport.send(awaiting.request()) {
        Ok(answer) => answer,
        Err(failure) => return ControlFlow::Break(awaiting.failure(failure, transport.now())),
    };
    let mut reading = match awaiting.head(&head, transport.now()) {
        NextStep::Send(next) if next.url_to_check().is_some_and(|url| transport.is_disallowed(url)) => {
            return ControlFlow::Break(next.disallowed(transport.now()));
        }
        NextStep::Send(next) => {
            observe::redirect(head.status(), next.request());
            return ControlFlow::Continue(next);
        }
        NextStep::Read(reading) => reading,
        NextStep::Done(outcome) => return ControlFlow::Break(outcome),
    };
    let mut buffer = [0; BUFFER];
    loop {
        let part = match transport.read(&mut body, &mut buffer) {
            Ok(bytes) => buffer.get(..bytes).unwrap_or(&buffer),
            Err(failure) => return ControlFlow::Break(reading.failure(failure, transport.now())),
        };
        if part.is_empty() || !reading.push(part) {
            return ControlFlow::Break(reading.end(transport.now()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AccessResult, Entry, FailureKind, RetrievalResult};
    use robots_match::Document;

    /// A server that always gives the same answer, with an endless body.
    struct Endless {
        status: u16,
        location: &'static str,
        requests: usize,
        read: Result<usize, FailureKind>,
    }

    impl Transport for Endless {
        type Body = Result<usize, FailureKind>;

        fn send(&mut self, _: &Request) -> Result<(Head, Self::Body), Failure> {
            self.requests += 1;
            let location = format!("{}{}", self.location, self.requests);
            Ok((Head::new(self.status).with_field("location", location), self.read))
        }

        fn read(&mut self, body: &mut Self::Body, buffer: &mut [u8]) -> Result<usize, Failure> {
            let bytes = body.map_err(|kind| Failure::new(kind, ""))?;
            buffer.iter_mut().take(bytes).for_each(|byte| *byte = b'\n');
            Ok(bytes)
        }
    }

    fn outcome(status: u16, read: Result<usize, FailureKind>, profile: &SiteProfile) -> (Outcome, usize) {
        let origin = Origin::parse("https://example.com").unwrap();
        let mut server = Endless { status, location: "/", requests: 0, read };
        let outcome = retrieve(&mut server, &origin, &Validators::default(), profile);
        (outcome, server.requests)
    }

    #[test]
    fn endless_bodies_and_redirects_end() {
        for profile in Document::ALL.map(SiteProfile::from) {
            // Also where a transport says that it read more than there was room for.
            for read in [1000, 8 * 1024, usize::MAX] {
                let (outcome, requests) = outcome(200, Ok(read), &profile);
                assert_eq!((outcome.body_bytes, requests), (profile.max_size() + 1, 1));
            }
            let (outcome, requests) = outcome(301, Ok(1), &profile);
            assert!(matches!(
                outcome.result,
                RetrievalResult::None(AccessResult::Unavailable | AccessResult::Unreachable, _)
            ));
            assert_eq!(requests, usize::from(profile.access.max_redirects) + 1);
            assert_eq!(outcome.hops.len(), requests);
        }
    }

    #[test]
    fn a_body_that_fails_while_it_is_read_is_not_a_file() {
        for &kind in FailureKind::ALL {
            let (outcome, _) = outcome(200, Err(kind), &SiteProfile::RFC9309);
            let entry = Entry::from_outcome(None, outcome, &SiteProfile::RFC9309);
            assert_eq!(
                (entry.access_result(), entry.cause().unwrap().code()),
                (AccessResult::Unreachable, kind.name())
            );
        }
    }
}
