//! Kinds of failures for socket errors.

use std::io;

use crate::failure::FailureKind;

/// How far an exchange has come. A socket error has another meaning in each phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Before the connection.
    Connect,
    /// The head of the answer is not complete.
    Head,
    /// The head is complete; the body is not.
    Body,
}

impl Phase {
    /// Returns the kind of failure of a connection that breaks in this phase.
    pub(super) const fn broken(self) -> FailureKind {
        match self {
            Self::Connect => FailureKind::Connect,
            Self::Head => FailureKind::Reset,
            Self::Body => FailureKind::Incomplete,
        }
    }

    /// Returns the kind of failure of a socket error in this phase.
    pub(super) fn kind(self, error: &io::Error) -> FailureKind {
        use io::ErrorKind as Kind;
        match error.kind() {
            Kind::TimedOut | Kind::WouldBlock => FailureKind::Timeout,
            Kind::NetworkUnreachable | Kind::NetworkDown | Kind::AddrNotAvailable => FailureKind::NoNetwork,
            Kind::ConnectionRefused | Kind::HostUnreachable if self != Self::Body => FailureKind::Connect,
            Kind::InvalidData | Kind::InvalidInput if self == Self::Head => FailureKind::InvalidResponse,
            _ => self.broken(),
        }
    }
}
