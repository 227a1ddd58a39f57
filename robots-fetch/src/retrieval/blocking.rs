//! A retrieval by a client that blocks.

use core::ops::ControlFlow;
use std::time::SystemTime;

use crate::failure::Failure;
use crate::http::validators::Validators;
use crate::origin::Origin;
use crate::profile::Profile;
use crate::retrieval::head::Head;
use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::Request;
use crate::retrieval::states::{AwaitingHead, NextStep};

/// What sends requests: a client that follows no redirects and undoes the coding of bodies.
pub trait Transport {
    /// Its answers.
    type Response: Response;

    /// Sends a request, and waits for the head of the answer.
    ///
    /// # Errors
    ///
    /// What went wrong until then.
    fn send(&mut self, request: &Request) -> Result<Self::Response, Failure>;

    /// The time, of the clock that entries are asked by.
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// An answer whose head has come.
pub trait Response {
    /// The head.
    fn head(&self) -> Head;

    /// Reads a part of the body, after decompression, into `buffer`: how many bytes, and 0 at its end.
    ///
    /// # Errors
    ///
    /// What went wrong; an end that comes before the body is complete is [`Incomplete`](crate::FailureKind::Incomplete).
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure>;
}

/// Retrieves the robots.txt of an origin.
///
/// It ends: at most as many requests are made as the profile follows redirects, and one, and of a body at most
/// [`Profile::max_size`] bytes are read, and one. That each of them comes in time is the transport's.
pub fn retrieve<T: Transport>(
    transport: &mut T,
    origin: &Origin,
    validators: &Validators,
    profile: &Profile,
) -> Outcome {
    let mut awaiting = AwaitingHead::new(origin, validators, profile, transport.now());
    loop {
        match step(transport, awaiting) {
            ControlFlow::Continue(next) => awaiting = next,
            ControlFlow::Break(outcome) => return outcome,
        }
    }
}

/// Makes the request that a retrieval waits for: the outcome, or the next request.
pub(crate) fn step<T: Transport>(
    transport: &mut T,
    awaiting: AwaitingHead,
) -> ControlFlow<Outcome, AwaitingHead> {
    let mut response = match transport.send(awaiting.request()) {
        Ok(response) => response,
        Err(failure) => return ControlFlow::Break(awaiting.failure(failure, transport.now())),
    };
    let mut reading = match awaiting.head(&response.head(), transport.now()) {
        NextStep::Send(next) => return ControlFlow::Continue(next),
        NextStep::Read(reading) => reading,
        NextStep::Done(outcome) => return ControlFlow::Break(outcome),
    };
    let mut buffer = [0; 8 * 1024];
    loop {
        let part = match response.read(&mut buffer) {
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

    /// A server of which every answer is the same, and an endless body of it.
    struct Endless {
        status: u16,
        location: &'static str,
        requests: usize,
        read: Result<usize, FailureKind>,
    }

    struct Body(Head, Result<usize, FailureKind>);

    impl Transport for Endless {
        type Response = Body;

        fn send(&mut self, _: &Request) -> Result<Body, Failure> {
            self.requests += 1;
            let location = format!("{}{}", self.location, self.requests);
            Ok(Body(Head::new(self.status).with_field("location", location), self.read))
        }
    }

    impl Response for Body {
        fn head(&self) -> Head {
            self.0.clone()
        }

        fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
            let bytes = self.1.map_err(|kind| Failure::new(kind, ""))?;
            buffer.iter_mut().take(bytes).for_each(|byte| *byte = b'\n');
            Ok(bytes)
        }
    }

    fn outcome(status: u16, read: Result<usize, FailureKind>, profile: &Profile) -> (Outcome, usize) {
        let origin = Origin::parse("https://example.com").unwrap();
        let mut server = Endless { status, location: "/", requests: 0, read };
        let outcome = retrieve(&mut server, &origin, &Validators::default(), profile);
        (outcome, server.requests)
    }

    #[test]
    fn endless_bodies_and_redirects_end() {
        for (_, profile) in Profile::NAMED {
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
    fn what_breaks_while_reading_is_no_file() {
        for &kind in FailureKind::ALL {
            let (outcome, _) = outcome(200, Err(kind), &Profile::RFC9309);
            let entry = Entry::from_outcome(None, outcome, &Profile::RFC9309);
            assert_eq!(
                (entry.access_result(), entry.cause().unwrap().code()),
                (AccessResult::Unreachable, kind.name())
            );
        }
    }
}
