//! The permit of a task.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use url::Url;

use super::clock::MARGIN;
use super::shared::{Shared, WaitingGate};
use crate::cache::decision::Decision;
use crate::gate::fleet::{Ended, Pauses, SharedRequest};
use crate::gate::step::{OpenBody, Permit};
use crate::message::freshness::later;
use crate::message::head::Head;
use crate::observe;
use crate::text::without_secrets;

/// A permit for one request, from [`AsyncGate::permit`](crate::AsyncGate::permit). Send the request at once, and pass on the head of
/// its answer by [`Self::note`], which ends the permit: the body may be read afterwards.
///
/// A permit that is dropped without a note counts as a request that got an answer without a pause, so the gate learns nothing of
/// status 429 and 503. [`AsyncGate::unnoted`](crate::AsyncGate::unnoted) counts these.
#[must_use = "the request ends when its permit is dropped"]
pub struct HeldPermit {
    shared: Arc<Shared>,
    permit: Permit,
    began: SystemTime,
    is_over: AtomicBool,
    /// The request as the processes of a fleet count it.
    fleet: Option<SharedRequest>,
}

impl HeldPermit {
    /// Begins the request of a permit.
    pub(super) fn new(shared: &Arc<Shared>, state: &mut WaitingGate, permit: Permit) -> Self {
        let began = state.now;
        // Until it is known when the request was sent.
        state.gate.began(&permit, later(began, MARGIN.min(permit.delay())));
        Self { shared: Arc::clone(shared), permit, began, is_over: AtomicBool::new(false), fleet: None }
    }

    pub(super) fn with_fleet(self, request: Option<SharedRequest>) -> Self {
        let mut permit = self;
        permit.fleet = request;
        permit
    }

    /// Ends the request, with what is known of its answer: the head, or that none came. Returns `false` if it has ended before.
    fn end(&self, answer: Option<Option<&Head>>) -> bool {
        if self.is_over.swap(true, Ordering::Relaxed) {
            return false;
        }
        let (site, delay) = (self.permit.site(), self.permit.delay());
        let pauses = self.shared.with(|state| {
            let latest = later(self.began, MARGIN.min(delay));
            // `new` has noted the latest time, which moves with a clock that is set.
            if (self.began..latest).contains(&state.now) {
                state.gate.began(&self.permit, state.now);
            }
            self.shared.source.requests().sent(&site, delay, latest.min(state.now));
            let policy = state.gate.policy();
            let feedback = policy.feedback(answer?, state.now);
            Some(Pauses { feedback, first: policy.first_pause, most: policy.max_pause })
        });
        if let (Some(delays), Some(request)) = (&self.shared.delays, &self.fleet) {
            let sent = self.shared.age(&site).unwrap_or_default();
            delays.end(request.clone(), Ended::Sent(sent, pauses));
        }
        true
    }

    /// Returns the URL to request.
    #[must_use]
    pub const fn url(&self) -> &Url {
        self.permit.url()
    }

    /// Returns the decision that the permit is for: the verdict, the facts of the site such as its crawl delay and its sitemaps, and
    /// the preferences about the use of the content.
    ///
    /// # Panics
    ///
    /// Never: the rules of a gate over a cache always come with a decision.
    #[must_use]
    pub fn decision(&self) -> Decision {
        let decided = self.permit.rules().and_then(|rules| rules.decide(self.permit.url()));
        decided.expect("the rules of a gate over a cache come with a decision")
    }

    /// Ends the request: passes on the head of the answer, or `None` if no answer came. It can pause the site; see
    /// [`Gate::finish`](crate::Gate::finish). Only the first call has an effect.
    pub fn note(&self, head: Option<&Head>) {
        if !self.end(Some(head)) {
            return;
        }
        self.shared.with(|state| {
            state.gate.note(&self.permit, head, state.now);
            state.gate.release(&self.permit, state.now);
            state.wake_next(self.permit.ticket());
        });
    }

    /// Returns whether the policy limits the bodies that are read at a time.
    #[cfg(any(feature = "reqwest-middleware", feature = "tower"))]
    pub(crate) fn limits_bodies(&self) -> bool {
        self.shared.with(|state| state.gate.policy().origin_bodies.is_some())
    }

    /// As [`Self::note`], for an answer whose body is read now. Keep the value while you read it, if
    /// [`GatePolicy::origin_bodies`](crate::GatePolicy::origin_bodies) limits the bodies that are read at a time.
    pub fn note_body(self, head: &Head) -> HeldBodyPermit {
        self.end(Some(Some(head)));
        let body = self.shared.with(|state| {
            let body = state.gate.begin_body(self.permit.duplicate(), head, state.now);
            state.wake_next(self.permit.ticket());
            body
        });
        HeldBodyPermit { shared: Arc::clone(&self.shared), permit: self.permit.duplicate(), body: Some(body) }
    }
}

impl Drop for HeldPermit {
    fn drop(&mut self) {
        if !self.end(None) {
            return;
        }
        observe::unnoted(self.permit.url());
        self.shared.with(|state| {
            state.unnoted += 1;
            state.gate.release(&self.permit, state.now);
            state.wake_next(self.permit.ticket());
        });
    }
}

// Without user, password and query.
debug!([] HeldPermit as "HeldPermit", |held| "url": without_secrets(held.permit.url()));

/// The body of an answer that is being read, from [`HeldPermit::note_body`].
#[must_use = "the body counts until this is dropped"]
pub struct HeldBodyPermit {
    shared: Arc<Shared>,
    permit: Permit,
    body: Option<OpenBody>,
}

impl Drop for HeldBodyPermit {
    fn drop(&mut self) {
        let Some(body) = self.body.take() else { return };
        self.shared.with(|state| {
            state.gate.end_body(body, state.now);
            state.wake_next(self.permit.ticket());
        });
    }
}

debug!([] HeldBodyPermit as "HeldBodyPermit", |held| "url": without_secrets(held.permit.url()));
