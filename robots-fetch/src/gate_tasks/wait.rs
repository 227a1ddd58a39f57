//! A task that waits for a permit. It does what has to be done for the gate while it is polled.

use alloc::sync::Arc;
use core::net::IpAddr;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::SystemTime;

use url::Url;

use super::permit::HeldPermit;
use super::shared::{Shared, Slot};
use super::source::Rules;
use super::timer::Timer;
use crate::gate::refusal::{Refusal, RefusalReason};
use crate::gate::step::Permit;
use crate::origin::Origin;

/// Waits for the permit of a URL. Dropping it leaves nothing in the gate.
pub(super) struct Wait {
    shared: Arc<Shared>,
    waiter: u64,
    url: Url,
    address: Option<(Origin, IpAddr)>,
    since: Option<SystemTime>,
    timer: Timer,
    question: Option<Question>,
}

/// The question for the rules of the origin, which this task asks for all.
struct Question {
    permit: Permit,
    rules: Pin<Box<dyn Future<Output = Rules> + Send>>,
}

impl Wait {
    pub(super) fn new(shared: Arc<Shared>, url: Url, address: Option<(Origin, IpAddr)>) -> Self {
        let waiter = shared.with(|state| state.enter());
        Self { shared, waiter, url, address, since: None, timer: Timer::default(), question: None }
    }

    fn ask(&mut self, permit: Permit) {
        let shared = Arc::clone(&self.shared);
        let (url, is_retry) = (permit.url().clone(), permit.is_retry());
        let rules = Box::pin(async move {
            let origin = Origin::from_url(&url).expect("the URL of a robots.txt has an origin");
            shared.source.rules(&origin, is_retry).await
        });
        self.question = Some(Question { permit, rules });
    }

    /// Goes on with the question, if there is one.
    fn poll_question(&mut self, context: &mut Context<'_>) {
        let Some(question) = &mut self.question else { return };
        // A client that panics is one that does not answer: others that wait for the origin can go on.
        let answer = match catch_unwind(AssertUnwindSafe(|| question.rules.as_mut().poll(context))) {
            Ok(Poll::Pending) => return,
            Ok(Poll::Ready(answer)) => Some(answer),
            Err(_) => None,
        };
        let Some(Question { permit, .. }) = self.question.take() else { return };
        self.shared.with(|state| {
            let now = state.now;
            match answer {
                Some((rules, was_sent)) => {
                    state.gate.learn(&permit, rules, now);
                    if was_sent { state.gate.release(&permit, now) } else { state.gate.cancel(permit, now) }
                }
                None => state.gate.finish(permit, None, now),
            }
            state.asked(self.waiter);
        });
    }

    /// Begins the request of a permit, if no other gate over the cache has just requested the origin.
    fn begin(&self, permit: Permit) -> Option<HeldPermit> {
        let origin = Origin::from_url(permit.url()).expect("a URL with a permit has an origin");
        self.shared.with(|state| {
            match self.shared.source.requests().begin(&origin, permit.delay(), state.now) {
                Ok(()) => {
                    state.gate.began(&permit, state.now);
                    Some(HeldPermit::new(Arc::clone(&self.shared), permit))
                }
                Err(until) => {
                    state.postpone(self.waiter, permit, until);
                    None
                }
            }
        })
    }

    /// Begins a question for rules, as [`Self::begin`].
    fn begin_question(&mut self, permit: Permit) {
        let origin = Origin::from_url(permit.url()).expect("the URL of a robots.txt has an origin");
        let begun = self.shared.with(|state| {
            match self.shared.source.requests().rested(&origin, permit.delay(), state.now) {
                None => Some(permit),
                Some(until) => {
                    state.asked(self.waiter);
                    state.gate.postpone(permit, None, until, state.now);
                    None
                }
            }
        });
        if let Some(permit) = begun {
            self.ask(permit);
        }
    }
}

impl Future for Wait {
    type Output = Result<HeldPermit, Refusal>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        loop {
            this.poll_question(context);
            let slot = this.shared.with(|state| match state.take(this.waiter, context.waker()) {
                Slot::Aside => {
                    let since = *this.since.get_or_insert(state.now);
                    match state.push(this.waiter, &this.url, since, this.address.as_ref()) {
                        Ok(()) => Slot::Waiting,
                        Err(refusal) => Slot::Refused(refusal),
                    }
                }
                slot => slot,
            });
            match slot {
                Slot::Granted(permit) => {
                    if let Some(held) = this.begin(permit) {
                        return Poll::Ready(Ok(held));
                    }
                    continue;
                }
                Slot::Refused(refusal) => return Poll::Ready(Err(refusal)),
                Slot::Ask(permit) => {
                    this.begin_question(permit);
                    continue;
                }
                // The gate has looked at the new URL.
                Slot::Aside => continue,
                Slot::Waiting | Slot::Asking(_) => {}
            }
            let wait = this.shared.with(|state| state.sleep(this.waiter));
            let Some(wait) = wait else { continue };
            match this.timer.arm(wait, context) {
                Ok(armed) => ready!(armed),
                Err(_) => return Poll::Ready(Err(Refusal::new(this.url.clone(), RefusalReason::NoTimers))),
            }
        }
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        let question = self.question.take();
        self.shared.with(|state| {
            if let Some(Question { permit, .. }) = &question {
                // A request may have been sent.
                state.gate.release(permit, state.now);
            }
            state.leave(self.waiter);
        });
    }
}
