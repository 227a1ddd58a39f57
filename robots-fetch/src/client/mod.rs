//! Clients: thin modules that move octets and name what went wrong. What answers mean is not theirs.
//!
//! All of them follow no redirect by themselves, send no cookie and no credential, undo gzip, deflate and brotli themselves
//! as far as the body is wanted, use no proxy of the environment, and connect to those addresses alone that
//! [`Options::addresses`] lets them. Each has a `fetch`, which makes one retrieval, and a `refresh`, which makes the next
//! [`Entry`](crate::Entry) of the one before. Here alone the clock of the system is read.
//!
//! A client speaks HTTP or FTP; `ByScheme` makes one of two, so that a redirect may lead from one to the other.

mod address;
#[cfg(all(feature = "ftp", any(feature = "reqwest", feature = "ureq")))]
mod by_scheme;
#[cfg(feature = "_coding")]
mod coding;
mod options;

#[cfg(feature = "ftp")]
pub mod ftp;
#[cfg(feature = "reqwest")]
pub mod reqwest;
#[cfg(feature = "ureq")]
pub mod ureq;

use core::time::Duration;
use std::io;
use std::time::Instant;

pub use address::AddressPolicy;
#[cfg(all(feature = "ftp", any(feature = "reqwest", feature = "ureq")))]
pub use by_scheme::ByScheme;
pub use options::{InvalidField, Options, Resolver};

use crate::cause::{Failure, FailureKind};

/// How far an exchange has come, by which one breach of a connection is told from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// There is no connection yet.
    Connect,
    /// The head of the answer is not complete.
    Head,
    /// It is; the body is not.
    Body,
}

impl Phase {
    /// What a connection that breaks means.
    const fn broken(self) -> FailureKind {
        match self {
            Self::Connect => FailureKind::Connect,
            Self::Head => FailureKind::Reset,
            Self::Body => FailureKind::Incomplete,
        }
    }

    /// What an error of a socket means.
    fn kind(self, error: &io::Error) -> FailureKind {
        use io::ErrorKind as Kind;
        match error.kind() {
            Kind::TimedOut | Kind::WouldBlock => FailureKind::Timeout,
            Kind::ConnectionRefused | Kind::HostUnreachable | Kind::NetworkUnreachable
                if self != Self::Body =>
            {
                FailureKind::Connect
            }
            Kind::InvalidData | Kind::InvalidInput if self == Self::Head => FailureKind::InvalidResponse,
            _ => self.broken(),
        }
    }
}

/// The end of a retrieval, whatever comes.
#[derive(Clone, Copy, Debug)]
struct Deadline(Instant);

impl Deadline {
    fn after(whole: Duration) -> Self {
        const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        let now = Instant::now();
        Self(now.checked_add(whole.min(CENTURY)).unwrap_or(now))
    }

    /// How long a step may take that itself may take `step`.
    ///
    /// # Errors
    ///
    /// There is no time left.
    fn allows(self, step: Duration) -> Result<Duration, Failure> {
        let left = self.0.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Failure::new(FailureKind::Timeout, "the whole retrieval took too long"));
        }
        Ok(step.min(left).max(Duration::from_millis(1)))
    }
}
