//! A retrieval by a client that does not block.

use core::ops::ControlFlow;
use std::time::SystemTime;

use url::Url;

use crate::failure::Failure;
use crate::message::fields::Validators;
use crate::message::head::Head;
use crate::observe;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::blocking::BUFFER;
use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::Request;
use crate::retrieval::states::{AwaitingHead, NextStep};

/// The async twin of [`Transport`](crate::Transport), for [`retrieve_async`]. Its methods can be written as `async fn`.
pub trait AsyncTransport {
    /// The body of an answer, while it is read.
    type Body;

    /// Sends a request, and waits for the head of the answer.
    ///
    /// # Errors
    ///
    /// Anything that goes wrong before the head is complete.
    fn send(&mut self, request: &Request)
    -> impl Future<Output = Result<(Head, Self::Body), Failure>> + Send;

    /// Reads a part of the decoded body into `buffer`, and returns its number of bytes; 0 at the end of the body.
    ///
    /// # Errors
    ///
    /// Anything that goes wrong. An end that comes before the body is complete is
    /// [`Incomplete`](crate::FailureKind::Incomplete).
    fn read(
        &mut self,
        body: &mut Self::Body,
        buffer: &mut [u8],
    ) -> impl Future<Output = Result<usize, Failure>> + Send;

    /// Returns whether the crawler knows that the robots.txt of another origin disallows this URL of it; see
    /// [`Transport::is_disallowed`](crate::Transport::is_disallowed).
    fn is_disallowed(&self, url: &Url) -> bool {
        let _ = url;
        false
    }

    /// Returns the time, of the clock by which entries are read later.
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// Retrieves the robots.txt of an origin. [`retrieve`](crate::retrieve) is its blocking twin.
///
/// Always terminates if the transport does: sends at most [`max_redirects`](crate::AccessPolicy::max_redirects) + 1
/// requests, and reads at most [`SiteProfile::max_size`] + 1 bytes of a body. Timeouts are the transport's job. Needs no
/// particular runtime.
pub async fn retrieve_async<T: AsyncTransport>(
    transport: &mut T,
    origin: &Origin,
    validators: &Validators,
    profile: &SiteProfile,
) -> Outcome {
    let retrieve = async {
        let mut awaiting = AwaitingHead::new(origin, validators, profile, transport.now());
        loop {
            match step_async(transport, awaiting).await {
                ControlFlow::Continue(next) => awaiting = next,
                ControlFlow::Break(outcome) => return outcome,
            }
        }
    };
    observe::retrieval_async(origin, retrieve).await
}

/// Sends the request of `awaiting`, and returns the outcome, or the state of the next request.
pub(crate) async fn step_async<T: AsyncTransport>(
    transport: &mut T,
    awaiting: AwaitingHead,
) -> ControlFlow<Outcome, AwaitingHead> {
    let (head, mut body) = match transport.send(awaiting.request()).await {
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
        let part = match transport.read(&mut body, &mut buffer).await {
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
    use core::pin::pin;
    use core::task::{Context, Poll, Waker};

    use super::*;
    use crate::retrieval::blocking::{Transport, retrieve};
    use crate::{FailureKind, RetrievalResult};

    /// A site that moves its robots.txt as often as `moves` says, and whose body ends or breaks after some parts.
    #[derive(Clone)]
    struct Site {
        moves: usize,
        requests: usize,
        parts: usize,
        breaks: bool,
    }

    impl Transport for Site {
        type Body = usize;

        fn send(&mut self, _: &Request) -> Result<(Head, usize), Failure> {
            self.requests += 1;
            if self.requests > self.moves {
                return Ok((Head::new(200), self.parts));
            }
            Ok((Head::new(301).with_field("location", format!("/{}", self.requests)), 0))
        }

        fn read(&mut self, left: &mut usize, buffer: &mut [u8]) -> Result<usize, Failure> {
            match left.checked_sub(1) {
                Some(fewer) => *left = fewer,
                None if self.breaks => return Err(Failure::new(FailureKind::Incomplete, "")),
                None => return Ok(0),
            }
            buffer.fill(b'\n');
            Ok(buffer.len())
        }

        fn now(&self) -> SystemTime {
            SystemTime::UNIX_EPOCH
        }
    }

    /// A site that pauses before each result.
    struct Slow(Site);

    async fn pause() {
        let mut again = false;
        core::future::poll_fn(|_| {
            again = !again;
            if again { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
    }

    impl AsyncTransport for Slow {
        type Body = usize;

        async fn send(&mut self, request: &Request) -> Result<(Head, usize), Failure> {
            pause().await;
            self.0.send(request)
        }

        async fn read(&mut self, body: &mut usize, buffer: &mut [u8]) -> Result<usize, Failure> {
            pause().await;
            self.0.read(body, buffer)
        }

        fn now(&self) -> SystemTime {
            self.0.now()
        }
    }

    #[test]
    fn blocking_and_async_retrievals_agree() {
        let origin = Origin::parse("https://example.com").unwrap();
        let (profile, validators) = (SiteProfile::RFC9309, Validators::default());
        for moves in [0, 1, 5, 6, 100] {
            for (parts, breaks) in [(0, false), (3, false), (3, true), (1000, true)] {
                let site = Site { moves, requests: 0, parts, breaks };
                let mut slow = Slow(site.clone());
                let mut future = pin!(retrieve_async(&mut slow, &origin, &validators, &profile));
                let mut context = Context::from_waker(Waker::noop());
                let outcome = (0..10_000)
                    .find_map(|_| match future.as_mut().poll(&mut context) {
                        Poll::Ready(outcome) => Some(outcome),
                        Poll::Pending => None,
                    })
                    .expect("the retrieval ends");
                let expected = retrieve(&mut site.clone(), &origin, &validators, &profile);
                assert_eq!(outcome, expected);
                let is_file = moves <= 5 && (!breaks || parts == 1000);
                assert_eq!(matches!(outcome.result, RetrievalResult::File { .. }), is_file);
            }
        }
    }
}
