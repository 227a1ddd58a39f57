//! Retrievals by clients, blocking and async: one sequence of steps for both.

use core::ops::ControlFlow;
use std::time::SystemTime;

use crate::failure::Failure;
use crate::message::fields::Validators;
use crate::message::head::Head;
use crate::observe;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::{Request, Retrieval};
use crate::retrieval::states::{AwaitingHead, NextStep};

/// How many bytes are read at a time.
const BUFFER: usize = 8 * 1024;

/// A client that blocks, as [`Outcome::retrieve`] uses it: it follows no redirects and decodes bodies
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

    /// Returns whether more bytes came with the end of a body than its announced length counts. They are not part of the answer
    /// (RFC 9112, section 6.3). By default `false`.
    fn has_excess(&self, _body: &mut Self::Body) -> bool {
        false
    }

    /// Returns the retrieval of a cache that this is part of. Under a policy with
    /// [`redirect_to_disallowed`](crate::AccessPolicy::redirect_to_disallowed), it says for which crawler a redirect is followed, and
    /// what the cache knows of its target. By default `None`: for a crawler that no line names, and nothing is known.
    fn retrieval(&self) -> Option<&Retrieval> {
        None
    }

    /// Returns the time, of the clock by which entries are read later.
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// The async twin of [`Transport`](crate::Transport), for [`Outcome::retrieve_async`]. Its methods can be written as `async fn`.
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

    /// Returns whether more bytes came with the end of the last body; see [`Transport::has_excess`](crate::Transport::has_excess).
    fn has_excess(&self, _body: &mut Self::Body) -> bool {
        false
    }

    /// Returns the retrieval of a cache that this is part of; see [`Transport::retrieval`](crate::Transport::retrieval).
    fn retrieval(&self) -> Option<&Retrieval> {
        None
    }

    /// Returns the time, of the clock by which entries are read later.
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

impl Outcome {
    /// Retrieves the robots.txt of an origin. [`Self::retrieve_async`] is the async twin.
    ///
    /// Always terminates: sends at most [`max_redirects`](crate::AccessPolicy::max_redirects) + 1 requests, and reads at most
    /// [`SiteProfile::max_size`] + 1 bytes of a body. Timeouts are the transport's job.
    pub fn retrieve<T: Transport>(
        transport: &mut T,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
    ) -> Self {
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

    /// Retrieves the robots.txt of an origin. [`Self::retrieve`] is the blocking twin.
    ///
    /// Always terminates if the transport does: sends at most [`max_redirects`](crate::AccessPolicy::max_redirects) + 1
    /// requests, and reads at most [`SiteProfile::max_size`] + 1 bytes of a body. Timeouts are the transport's job. Needs no
    /// particular runtime.
    pub async fn retrieve_async<T: AsyncTransport>(
        transport: &mut T,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
    ) -> Self {
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
}

/// Defines the functions of one kind of client: `$step`, which the client's retrieval repeats, and what it needs. `$await` is `.await`, or
/// nothing.
macro_rules! steps {
    ($client:ident, $step:ident, $exchange:ident, $leads_astray:ident, [$($kind:ident)?], [$($await:tt)*]) => {
        /// Sends the request of `awaiting`, and returns the outcome, or the state of the next request.
        pub(crate) $($kind)? fn $step<T: $client>(
            transport: &mut T,
            awaiting: AwaitingHead,
        ) -> ControlFlow<Outcome, AwaitingHead> {
            let next = match $exchange(transport, awaiting)$($await)* {
                ControlFlow::Continue(next) => next,
                done @ ControlFlow::Break(_) => return done,
            };
            if $leads_astray(transport, &next)$($await)* {
                return ControlFlow::Break(next.disallowed(transport.now()));
            }
            observe::redirect(next.redirected_by(), next.request());
            ControlFlow::Continue(next)
        }

        /// As the step, without a look at the target of a redirect.
        $($kind)? fn $exchange<T: $client>(
            transport: &mut T,
            awaiting: AwaitingHead,
        ) -> ControlFlow<Outcome, AwaitingHead> {
            let answer = transport.send(awaiting.request())$($await)*;
            if let Some(retrieval) = transport.retrieval() {
                retrieval.note(awaiting.request());
            }
            let (head, mut body) = match answer {
                Ok(answer) => answer,
                Err(failure) => return ControlFlow::Break(awaiting.failure(failure, transport.now())),
            };
            let mut reading = match awaiting.head(&head, transport.now()) {
                NextStep::Send(next) => return ControlFlow::Continue(next),
                NextStep::Read(reading) => reading,
                NextStep::Done(outcome) => return ControlFlow::Break(outcome),
            };
            let mut buffer = [0; BUFFER];
            loop {
                let part = match transport.read(&mut body, &mut buffer)$($await)* {
                    Ok(bytes) => buffer.get(..bytes).unwrap_or(&buffer),
                    Err(failure) => return ControlFlow::Break(reading.failure(failure, transport.now())),
                };
                if part.is_empty() || !reading.push(part) {
                    let outcome = reading.end(transport.now());
                    return ControlFlow::Break(Outcome { has_excess: transport.has_excess(&mut body), ..outcome });
                }
            }
        }

        /// Returns whether the robots.txt of the target's own origin disallows the target of a redirect. If the cache does not know,
        /// that file is retrieved, so that the answer does not depend on the order of questions. If it can't be, or if the way
        /// there leads back into the chain of redirects, nothing is disallowed.
        $($kind)? fn $leads_astray<T: $client>(transport: &mut T, next: &AwaitingHead) -> bool {
            let Some(url) = next.url_to_check() else { return false };
            if let Some(known) = transport.retrieval().and_then(|retrieval| retrieval.is_disallowed(url)) {
                return known;
            }
            let Some(mut awaiting) = next.file_of_target(transport.now()) else { return false };
            loop {
                if next.has_requested(&awaiting.request().url) {
                    return false;
                }
                match $exchange(transport, awaiting)$($await)* {
                    ControlFlow::Continue(further) => awaiting = further,
                    ControlFlow::Break(outcome) => {
                        let crawler = transport.retrieval().map(|retrieval| &retrieval.crawler);
                        return next.is_disallowed_by(outcome, crawler);
                    }
                }
            }
        }
    };
}

steps!(Transport, step, exchange, leads_astray, [], []);
steps!(AsyncTransport, step_async, exchange_async, leads_astray_async, [async], [.await]);

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
        let outcome = Outcome::retrieve(&mut server, &origin, &Validators::default(), profile);
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

    mod with_tasks {
        use core::pin::pin;
        use core::task::{Context, Poll, Waker};

        use super::*;
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
                    let mut future = pin!(Outcome::retrieve_async(&mut slow, &origin, &validators, &profile));
                    let mut context = Context::from_waker(Waker::noop());
                    let outcome = (0..10_000)
                        .find_map(|_| match future.as_mut().poll(&mut context) {
                            Poll::Ready(outcome) => Some(outcome),
                            Poll::Pending => None,
                        })
                        .expect("the retrieval ends");
                    let expected = Outcome::retrieve(&mut site.clone(), &origin, &validators, &profile);
                    assert_eq!(outcome, expected);
                    let is_file = moves <= 5 && (!breaks || parts == 1000);
                    assert_eq!(matches!(outcome.result, RetrievalResult::File { .. }), is_file);
                }
            }
        }
    }
}
