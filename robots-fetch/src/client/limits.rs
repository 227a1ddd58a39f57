//! Timeouts and sizes, and whose failure it is if one is exceeded.

use core::time::Duration;
use std::io;
use std::time::Instant;

use crate::failure::{Failure, FailureKind};

/// The limits of a client.
///
/// A failure counts against a site only if the limit is at least the default: a site that does not answer within 50 ms may
/// be in perfect health.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) connect: Duration,
    pub(super) read: Duration,
    pub(super) total: Duration,
    pub(super) max_head: usize,
}

/// The timeouts of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    Connect,
    Read,
    Total,
}

impl Limits {
    /// The documented defaults of [`ClientOptions`](super::ClientOptions).
    pub(super) const DEFAULT: Self = Self {
        connect: Duration::from_secs(10),
        read: Duration::from_secs(10),
        total: Duration::from_secs(30),
        max_head: 64 * 1024,
    };

    const fn timeout(self, limit: Limit) -> (&'static str, Duration) {
        match limit {
            Limit::Connect => ("connect", self.connect),
            Limit::Read => ("read", self.read),
            Limit::Total => ("total", self.total),
        }
    }

    /// Returns whether a timeout is shorter than the default.
    pub(super) fn is_short(self, limit: Limit) -> bool {
        self.timeout(limit).1 < Self::DEFAULT.timeout(limit).1
    }

    /// Returns the failure of a timeout.
    pub(super) fn timed_out(self, limit: Limit) -> Failure {
        let (name, set) = self.timeout(limit);
        let set = set.as_secs_f64();
        if self.is_short(limit) {
            let default = Self::DEFAULT.timeout(limit).1.as_secs();
            let text = format!(
                "the client's own {name} timeout of {set} s is shorter than the default of {default} s"
            );
            return Failure::new(FailureKind::Timeout, text).local();
        }
        let text = match limit {
            Limit::Connect => format!("no connection within {set} s"),
            Limit::Read => format!("nothing for {set} s"),
            Limit::Total => format!("the whole retrieval took more than {set} s"),
        };
        Failure::new(FailureKind::Timeout, text)
    }

    /// Returns a failure of the head of an answer, as a local one if the limit for heads is below the default.
    #[cfg(any(feature = "blocking", feature = "reqwest"))]
    pub(super) fn judged(self, failure: Failure) -> Failure {
        if failure.kind() == FailureKind::HeadTooLarge && self.max_head < Self::DEFAULT.max_head {
            failure.local()
        } else {
            failure
        }
    }
}

/// The time at which a retrieval, or a part of it, has to end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    end: Instant,
    /// The timeout that ends it then.
    limit: Limit,
    limits: Limits,
}

/// How long a step may take, and which timeout says so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed {
    pub(super) time: Duration,
    pub(super) limit: Limit,
}

impl Deadline {
    pub(super) fn new(limits: Limits) -> Self {
        const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        let now = Instant::now();
        Self { end: now.checked_add(limits.total.min(CENTURY)).unwrap_or(now), limit: Limit::Total, limits }
    }

    /// Returns the deadline of a part of the retrieval, which has several steps and may take this long.
    ///
    /// # Errors
    ///
    /// No time is left.
    #[cfg(feature = "blocking")]
    pub(super) fn part(self, time: Duration, limit: Limit) -> Result<Self, Failure> {
        let Allowed { time, limit } = self.allows(time, limit)?;
        Ok(Self { end: Instant::now() + time, limit, ..self })
    }

    /// Returns how long a step may take: `step`, or the time that is left if that is less.
    ///
    /// # Errors
    ///
    /// No time is left.
    pub(super) fn allows(self, step: Duration, limit: Limit) -> Result<Allowed, Failure> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.limits.timed_out(self.limit));
        }
        let least = Duration::from_millis(1);
        Ok(if step <= left {
            Allowed { time: step.max(least), limit }
        } else {
            Allowed { time: left.max(least), limit: self.limit }
        })
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_limits_of_at_least_the_default_count_against_a_site() {
        let short = Limits { read: Duration::from_millis(50), max_head: 1000, ..Limits::DEFAULT };
        let failure = short.timed_out(Limit::Read);
        assert_eq!(
            failure.to_string(),
            "timed out: the client's own read timeout of 0.05 s is shorter than the default of 10 s"
        );
        assert!(failure.is_local());
        for limit in [Limit::Connect, Limit::Total] {
            assert!(!short.timed_out(limit).is_local());
        }
        assert_eq!(Limits::DEFAULT.timed_out(Limit::Read).to_string(), "timed out: nothing for 10 s");
        #[cfg(any(feature = "blocking", feature = "reqwest"))]
        {
            let large = Failure::new(FailureKind::HeadTooLarge, "");
            assert!(short.judged(large.clone()).is_local() && !Limits::DEFAULT.judged(large).is_local());
        }
    }
}
