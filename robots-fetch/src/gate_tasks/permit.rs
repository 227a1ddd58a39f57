//! The permit of a task.

use alloc::sync::Arc;
use core::fmt;
use core::mem;
use core::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use url::Url;

use super::clock::MARGIN;
use super::shared::{Shared, WaitingGate};
use crate::cache::decision::Decision;
#[cfg(feature = "redis")]
use crate::gate::policy::{Feedback, GatePolicy};
use crate::gate::step::{OpenBody, Permit};
use crate::message::freshness::later;
use crate::message::head::Head;
use crate::observe;
use crate::origin::Origin;
#[cfg(feature = "redis")]
use crate::store::redis::delays::{Ended, Pauses, SharedRequest};
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
    #[cfg(feature = "redis")]
    fleet: Option<SharedRequest>,
}

impl HeldPermit {
    /// Begins the request of a permit.
    pub(super) fn new(shared: &Arc<Shared>, state: &mut WaitingGate, permit: Permit) -> Self {
        let began = state.now;
        // Until it is known when the request was sent.
        state.gate.began(&permit, later(began, MARGIN.min(permit.delay())));
        Self {
            shared: Arc::clone(shared),
            permit,
            began,
            is_over: AtomicBool::new(false),
            #[cfg(feature = "redis")]
            fleet: None,
        }
    }

    #[cfg(feature = "redis")]
    pub(super) fn with_fleet(self, request: Option<SharedRequest>) -> Self {
        let mut permit = self;
        permit.fleet = request;
        permit
    }

    /// Notes when the request was sent, at the latest.
    fn sent(&self) {
        let margin = MARGIN.min(self.permit.delay());
        self.shared.with(|state| {
            let latest = later(self.began, margin);
            // `new` has noted the latest time, which moves with a clock that is set.
            if (self.began..latest).contains(&state.now) {
                state.gate.began(&self.permit, state.now);
            }
            let sent = latest.min(state.now);
            if let Ok(origin) = Origin::from_url(self.permit.url()) {
                self.shared.source.requests().sent(&origin, self.permit.delay(), sent);
            }
        });
    }

    /// Ends the request as the processes of a fleet count it, with what is known of its answer.
    #[cfg(feature = "redis")]
    fn end_in_fleet(&self, feedback: impl FnOnce(&GatePolicy, SystemTime) -> Option<Feedback>) {
        let (Some(delays), Some(request)) = (&self.shared.delays, &self.fleet) else { return };
        let sent = Origin::from_url(self.permit.url()).ok().and_then(|origin| self.shared.age(&origin));
        let pauses = self.shared.with(|state| {
            let policy = state.gate.policy();
            let (first, most) = (policy.first_pause, policy.max_pause);
            feedback(policy, state.now).map(|feedback| Pauses { feedback, first, most })
        });
        delays.end(request.clone(), Ended::Sent(sent.unwrap_or_default(), pauses));
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
        if self.is_over.swap(true, Ordering::Relaxed) {
            return;
        }
        self.sent();
        #[cfg(feature = "redis")]
        self.end_in_fleet(|policy, now| Some(policy.feedback(head, now)));
        self.shared.with(|state| {
            let now = state.now;
            state.gate.note(&self.permit, head, now);
            state.gate.release(&self.permit, now);
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
        if !self.is_over.swap(true, Ordering::Relaxed) {
            self.sent();
        }
        #[cfg(feature = "redis")]
        self.end_in_fleet(|policy, now| Some(policy.feedback(Some(head), now)));
        let body = self.shared.with(|state| {
            let now = state.now;
            let body = state.gate.begin_body(self.permit.duplicate(), head, now);
            state.wake_next(self.permit.ticket());
            body
        });
        HeldBodyPermit { shared: Arc::clone(&self.shared), permit: self.permit.duplicate(), body: Some(body) }
    }
}

impl Drop for HeldPermit {
    fn drop(&mut self) {
        if mem::replace(self.is_over.get_mut(), true) {
            return;
        }
        observe::unnoted(self.permit.url());
        self.sent();
        #[cfg(feature = "redis")]
        self.end_in_fleet(|_, _| None);
        self.shared.with(|state| {
            state.unnoted += 1;
            let now = state.now;
            state.gate.release(&self.permit, now);
            state.wake_next(self.permit.ticket());
        });
    }
}

/// For example `HeldPermit("https://example.com/page")`: without user, password and query.
impl fmt::Debug for HeldPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HeldPermit").field(&without_secrets(self.permit.url())).finish()
    }
}

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

/// For example `HeldBodyPermit("https://example.com/page")`: without user, password and query.
impl fmt::Debug for HeldBodyPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HeldBodyPermit").field(&without_secrets(self.permit.url())).finish()
    }
}
