//! Outcomes of clients with short timeouts.

use robots_fetch::{Cause, Failure, FailureKind, Outcome, RetrievalResult};

/// Returns the outcome as that of a client with the default timeouts: the timeouts of tests are shorter, so that a failure
/// would be a local one.
pub(crate) fn with_default_timeouts(mut outcome: Outcome) -> Outcome {
    if let RetrievalResult::None(_, Cause::Failure(failure)) = &mut outcome.result
        && failure.kind() == FailureKind::Timeout
    {
        *failure = Failure::new(FailureKind::Timeout, failure.text());
    }
    outcome
}
