//! A retrieval by a client that blocks.

use std::time::SystemTime;

use crate::cause::Failure;
use crate::exchange::{Head, Request};
use crate::fields::Validators;
use crate::machine::{Awaiting, Step};
use crate::origin::Origin;
use crate::outcome::Outcome;
use crate::profile::Profile;

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

    /// Reads a part of the body, after decompression, into `buffer`: how many octets, and 0 at its end.
    ///
    /// # Errors
    ///
    /// What went wrong; an end that comes before the body is complete is [`Incomplete`](crate::FailureKind::Incomplete).
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure>;
}

/// Retrieves the robots.txt of an origin.
///
/// It ends: at most as many requests are made as the profile follows redirects, and one, and of a body at most
/// [`Profile::max_size`] octets are read, and one. That each of them comes in time is the transport's.
pub fn drive<T: Transport>(
    transport: &mut T,
    origin: &Origin,
    validators: &Validators,
    profile: &Profile,
) -> Outcome {
    let (mut request, mut awaiting) = Awaiting::begin(origin, validators, profile, transport.now());
    loop {
        let mut response = match transport.send(&request) {
            Ok(response) => response,
            Err(failure) => return awaiting.failure(failure, transport.now()),
        };
        let mut reading = match awaiting.head(&response.head(), transport.now()) {
            Step::Send(next, state) => {
                (request, awaiting) = (next, state);
                continue;
            }
            Step::Read(reading) => reading,
            Step::Done(outcome) => return outcome,
        };
        let mut buffer = [0; 8 * 1024];
        loop {
            let part = match response.read(&mut buffer) {
                Ok(octets) => buffer.get(..octets).unwrap_or(&buffer),
                Err(failure) => return reading.failure(failure, transport.now()),
            };
            if part.is_empty() || !reading.push(part) {
                return reading.end(transport.now());
            }
        }
    }
}
