//! Requests to origins, as the processes of a fleet count them together.

use core::time::Duration;

use super::policy::Feedback;

/// A request to an origin, as all processes count it.
#[derive(Clone, Debug)]
pub(crate) struct SharedRequest {
    pub(crate) key: String,
    pub(crate) token: String,
}

/// The limits of an origin, when a process wants to request it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) delay: Duration,
    /// How long ago this process requested the origin without asking the server, if it did.
    pub(crate) last: Option<Duration>,
    /// The most requests at a time.
    pub(crate) most: u32,
    /// For how long a request counts whose process does not end it.
    pub(crate) lease: Duration,
}

/// Why a request can't begin yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotYet {
    /// How long to wait before the next attempt.
    pub(crate) wait: Duration,
    /// Whether the site rests for this long after an answer to another process.
    pub(crate) is_pause: bool,
}

/// How a request ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ended {
    /// It was not sent.
    NotSent,
    /// It was sent this long ago, and what its answer said if that is known.
    Sent(Duration, Option<Pauses>),
}

/// What an answer said, and the pauses of the policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pauses {
    pub(crate) feedback: Feedback,
    pub(crate) first: Duration,
    pub(crate) most: Duration,
}
