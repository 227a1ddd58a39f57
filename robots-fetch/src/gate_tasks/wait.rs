//! A task that waits for a permit. It does what has to be done for the gate while it is polled.

use alloc::sync::Arc;
use core::net::IpAddr;
use core::panic::AssertUnwindSafe;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use core::time::Duration;
use std::panic::catch_unwind;
use std::time::SystemTime;

use url::Url;

use super::fleet::{Beginning, WithoutServer};
use super::permit::HeldPermit;
use super::shared::{Shared, Slot};
use super::source::Rules;
use super::timer::Timer;
use crate::gate::fleet::{Ended, NotYet, SharedRequest, Wanted};
use crate::gate::origin_queue::Obstacle;
use crate::gate::refusal::{Refusal, RefusalReason};
use crate::gate::step::Permit;
use crate::message::freshness::later;
use crate::observe;
use crate::origin::Origin;

/// The pause before a server that did not answer is asked again.
const SERVER_PAUSE: Duration = Duration::from_secs(1);

/// Waits for the permit of a URL. Dropping it leaves nothing in the gate.
pub(super) struct Wait {
    shared: Arc<Shared>,
    waiter: u64,
    url: Url,
    address: Option<(Origin, IpAddr)>,
    since: Option<SystemTime>,
    timer: Timer,
    question: Option<Question>,
    reservation: Option<Reservation>,
}

/// A request that the server of a fleet is asked to begin: of a page, or of a robots.txt.
struct Reservation {
    permit: Permit,
    is_question: bool,
    beginning: Beginning,
}

/// The question for the rules of the origin, which this task asks for all.
struct Question {
    permit: Permit,
    rules: Pin<Box<dyn Future<Output = Rules> + Send>>,
    fleet: Option<SharedRequest>,
}

impl Wait {
    pub(super) fn new(shared: Arc<Shared>, url: Url, address: Option<(Origin, IpAddr)>) -> Self {
        let waiter = shared.with(|state| state.enter());
        Self {
            shared,
            waiter,
            url,
            address,
            since: None,
            timer: Timer::default(),
            question: None,
            reservation: None,
        }
    }

    fn ask(&mut self, permit: Permit) {
        let shared = Arc::clone(&self.shared);
        let (origin, is_retry) = (permit.site(), permit.is_retry());
        let rules = Box::pin(async move { shared.source.rules(&origin, is_retry).await });
        self.question = Some(Question { permit, rules, fleet: None });
    }

    /// Goes on with the question, if there is one. Returns the end of the wait, if it has come.
    fn poll_question(&mut self, context: &mut Context<'_>) -> Option<Refusal> {
        let question = self.question.as_mut()?;
        // A client that panics is one that does not answer: others that wait for the origin can go on.
        let answer = match catch_unwind(AssertUnwindSafe(|| question.rules.as_mut().poll(context))) {
            Ok(Poll::Pending) => None,
            Ok(Poll::Ready(answer)) => Some(Some(answer)),
            Err(_) => Some(None),
        };
        let origin = question.permit.site();
        let (is_queued, moved) = self.shared.source.requests().queued(&origin);
        let permit = &question.permit;
        self.shared.with(|state| state.gate.queue(permit, is_queued, moved, state.now));
        let answer = answer?;
        self.end_question_in_fleet(answer.as_ref().is_none_or(|(_, was_sent)| *was_sent));
        let Question { permit, .. } = self.question.take()?;
        if let Some(verdict) = answer.as_ref().and_then(|(rules, _)| rules.without_runtime()) {
            // The next one that waits asks for itself.
            let until = self.shared.with(|state| {
                state.asked(self.waiter);
                state.gate.cancel(permit, state.now);
                state.now
            });
            let reason = RefusalReason::NotNow { until, verdict: Some(verdict) };
            return Some(Refusal::new(self.url.clone(), reason));
        }
        let sent = self.shared.source.requests().last(&origin);
        let parked = self.shared.with(|state| {
            let now = state.now;
            let outage = answer.as_ref().and_then(|(rules, _)| rules.outage());
            match answer {
                Some((rules, was_sent)) => {
                    if was_sent && let Some(sent) = sent {
                        // The clock may have been set back since the permit was given.
                        let started = permit.started().min(now);
                        state.gate.began(&permit, sent.clamp(started, now));
                    }
                    state.gate.learn(&permit, rules, now);
                    if was_sent { state.gate.release(&permit, now) } else { state.gate.cancel(permit, now) }
                }
                None => state.gate.finish(permit, None, now),
            }
            state.asked(self.waiter);
            outage
        });
        if let Some((verdict, until)) = parked {
            // The others are refused by now.
            let urls = self.shared.with(|state| state.gate.waiting_at(&origin));
            if urls > 0 {
                observe::parked(&origin, &verdict, urls, until);
            }
        }
        None
    }

    /// Ends the question as the processes of a fleet count it.
    fn end_question_in_fleet(&mut self, was_sent: bool) {
        let Some(question) = &mut self.question else { return };
        let origin = question.permit.site();
        if let (Some(delays), Some(request)) = (&self.shared.delays, question.fleet.take()) {
            let ended = match was_sent {
                true => Ended::Sent(self.shared.age(&origin).unwrap_or_default(), None),
                false => Ended::NotSent,
            };
            delays.end(request, ended);
        }
    }

    /// Asks the server of the fleet to begin a request. Returns the permit if there is no fleet.
    fn reserve(&mut self, permit: Permit, is_question: bool) -> Option<Permit> {
        let Some(delays) = &self.shared.delays else { return Some(permit) };
        let origin = permit.site();
        let wanted = self.shared.with(|state| Wanted {
            delay: permit.delay(),
            last: self.shared.source.requests().age(&origin, state.now),
            most: state.gate.policy().origin_requests,
            lease: state.gate.policy().max_request,
        });
        let beginning = delays.begin(origin, wanted);
        self.reservation = Some(Reservation { permit, is_question, beginning });
        None
    }

    /// Goes on with the question to the server of the fleet. Returns the end of the wait, if it has come.
    fn poll_reservation(&mut self, context: &mut Context<'_>) -> Option<Result<HeldPermit, Refusal>> {
        let Poll::Ready(begun) = self.reservation.as_mut()?.beginning.as_mut().poll(context) else {
            return None;
        };
        let Reservation { permit, is_question, .. } = self.reservation.take()?;
        let delays = self.shared.delays.as_ref()?;
        if begun.is_ok() {
            self.shared.with(|state| state.without_server = None);
        }
        let (factor, request) = match begun {
            Ok(Ok(request)) => (None, Some(request)),
            Ok(Err(NotYet { wait, is_pause })) => {
                if is_pause {
                    // The gate knows whether the URL can wait for so long.
                    self.shared.with(|state| state.gate.pause(&permit, later(state.now, wait)));
                }
                let pause = if is_pause { Duration::ZERO } else { wait };
                self.put_back(permit, is_question, pause, Obstacle::Others);
                return None;
            }
            Err(error) => {
                let error = error.to_string();
                // The URLs of a site wait together, and each since it was added.
                let waits = || {
                    self.shared.with(|state| {
                        let now = state.now;
                        let since = state.without_server.get_or_insert_with(|| (now, error.clone())).0;
                        let since = since.max(self.since.unwrap_or(since));
                        state.now.duration_since(since).unwrap_or_default() < state.gate.policy().max_stall
                    })
                };
                match delays.without() {
                    WithoutServer::Alone { processes } => (Some(processes), None),
                    WithoutServer::Wait if waits() => {
                        self.put_back(permit, is_question, SERVER_PAUSE, Obstacle::NoServer);
                        return None;
                    }
                    WithoutServer::Wait | WithoutServer::Refuse => {
                        self.shared.with(|state| {
                            state.asked(self.waiter);
                            state.gate.cancel(permit, state.now);
                        });
                        return Some(Err(Refusal::new(self.url.clone(), RefusalReason::NoServer { error })));
                    }
                }
            }
        };
        let origin = permit.site();
        if let Some(processes) = factor {
            let delay = permit.delay().saturating_mul(processes.max(1));
            let now = self.shared.with(|state| state.now);
            if let Some(until) = self.shared.source.requests().rested(&origin, delay, now) {
                let pause = until.duration_since(now).unwrap_or_default();
                self.put_back(permit, is_question, pause, Obstacle::Others);
                return None;
            }
        }
        if is_question {
            self.ask(permit);
            if let Some(question) = &mut self.question {
                question.fleet = request;
            }
            return None;
        }
        let held = self.shared.with(|state| {
            self.shared.source.requests().note(&origin, state.now);
            HeldPermit::new(&self.shared, state, permit)
        });
        Some(Ok(held.with_fleet(request)))
    }

    /// Gives a permit back, to try again after a pause.
    fn put_back(&self, permit: Permit, is_question: bool, pause: Duration, obstacle: Obstacle) {
        self.shared.with(|state| {
            let until = later(state.now, pause);
            if is_question {
                state.asked(self.waiter);
                state.gate.postpone_because(obstacle, permit, None, until, state.now);
            } else {
                state.postpone(self.waiter, permit, until, obstacle);
            }
        });
    }

    /// Begins the request of a permit, if no other gate over the cache has just requested the origin.
    fn begin(&self, permit: Permit) -> Option<HeldPermit> {
        let origin = permit.site();
        self.shared.with(|state| {
            match self.shared.source.requests().begin(&origin, permit.delay(), state.now) {
                Ok(()) => Some(HeldPermit::new(&self.shared, state, permit)),
                Err(until) => {
                    state.postpone(self.waiter, permit, until, Obstacle::Others);
                    None
                }
            }
        })
    }

    /// Begins a question for rules, as [`Self::begin`].
    fn begin_question(&mut self, permit: Permit) {
        let origin = permit.site();
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
            // It may begin the question.
            if let Some(ended) = this.poll_reservation(context) {
                return Poll::Ready(ended);
            }
            if let Some(refusal) = this.poll_question(context) {
                return Poll::Ready(Err(refusal));
            }
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
                    let Some(permit) = this.reserve(permit, false) else { continue };
                    if let Some(held) = this.begin(permit) {
                        return Poll::Ready(Ok(held));
                    }
                    continue;
                }
                Slot::Refused(refusal) => return Poll::Ready(Err(refusal)),
                Slot::Ask(permit) => {
                    let Some(permit) = this.reserve(permit, true) else { continue };
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
        self.end_question_in_fleet(true);
        let reservation = self.reservation.take();
        let question = self.question.take();
        self.shared.with(|state| {
            if let Some(Reservation { permit, .. }) = reservation {
                state.gate.cancel(permit, state.now);
            }
            if let Some(Question { permit, .. }) = &question {
                // A request may have been sent.
                state.gate.release(permit, state.now);
            }
            state.leave(self.waiter);
        });
    }
}
