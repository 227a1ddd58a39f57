//! Waiting for the network.

use super::failure::failure;
use crate::client::deadline::Allowed;
use crate::client::limits::{Limit, Limits};
use crate::client::phase::Phase;
use crate::failure::{Failure, FailureKind};

/// A step of a retrieval, which waits for the network.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) allowed: Allowed,
    pub(super) limits: Limits,
    pub(super) phase: Phase,
    /// Whether the request goes through a proxy.
    pub(super) is_proxied: bool,
}

impl Step {
    /// Runs the step for as long as it is allowed.
    pub(super) async fn run<T>(
        self,
        step: impl Future<Output = Result<T, ::reqwest::Error>>,
    ) -> Result<T, Failure> {
        match tokio::time::timeout(self.allowed.time, step).await {
            Ok(done) => done.map_err(|error| self.failure(&error)),
            Err(_) => Err(self.limits.timed_out(self.allowed.limit)),
        }
    }

    fn failure(self, error: &::reqwest::Error) -> Failure {
        let failure = failure(error, self.phase, self.is_proxied);
        // TLS comes after the tunnel.
        if self.is_proxied && error.is_connect() && failure.kind() != FailureKind::Tls {
            return Failure::new(FailureKind::Proxy, failure.text());
        }
        match failure.kind() {
            FailureKind::Timeout if error.is_timeout() => self.limits.timed_out(Limit::Connect),
            _ => self.limits.judged(failure),
        }
    }
}
