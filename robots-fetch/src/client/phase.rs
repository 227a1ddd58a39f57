//! Which failure an error of a socket is.

use std::io;

use crate::failure::FailureKind;

/// How far an exchange has come, by which one breach of a connection is told from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// There is no connection yet.
    Connect,
    /// The head of the answer is not complete.
    Head,
    /// It is; the body is not.
    Body,
}

impl Phase {
    /// What a connection that breaks means.
    pub(super) const fn broken(self) -> FailureKind {
        match self {
            Self::Connect => FailureKind::Connect,
            Self::Head => FailureKind::Reset,
            Self::Body => FailureKind::Incomplete,
        }
    }

    /// What an error of a socket means.
    pub(super) fn kind(self, error: &io::Error) -> FailureKind {
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
