//! The last requests to origins, which the gates over a cache share.

use core::hash::BuildHasher as _;
use core::time::Duration;
use std::collections::HashMap;
use std::hash::RandomState;
use std::sync::Mutex;
use std::time::SystemTime;

use crate::common::lock;
use crate::message::freshness::later;
use crate::origin::Origin;

/// For how long a request is known at least, in case a gate with a longer delay comes.
const KNOWN: Duration = Duration::from_secs(5 * 60);

/// How many requests are known before those that were long ago are forgotten.
const MANY: usize = 1024;

/// When each origin was requested last: by a retrieval of the cache, or with a permit of one of its gates.
#[derive(Default)]
pub(crate) struct RecentRequests(Mutex<Requests>);

#[derive(Default)]
struct Requests {
    /// By the hash of the origin, which takes a fifth of its memory. Two origins with one hash of 64 bits share a delay.
    last: HashMap<u64, Request>,
    hasher: RandomState,
    /// How many requests are known before old ones are forgotten again.
    most: usize,
    /// The retrievals that wait for their turn, by the hash of the origin: how many there are.
    queued: HashMap<u64, usize>,
    /// When a retrieval had its turn last.
    turned: Option<SystemTime>,
}

/// A retrieval that waits for its turn, until this is dropped.
pub(crate) struct Queued<'r>(&'r RecentRequests, u64);

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        let mut requests = lock(&self.0.0);
        if let Some(count) = requests.queued.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                requests.queued.remove(&self.1);
            }
        }
    }
}

struct Request {
    time: SystemTime,
    /// From then on it may be forgotten.
    known_until: SystemTime,
}

impl RecentRequests {
    /// Notes a request at `now`.
    pub(crate) fn note(&self, origin: &Origin, now: SystemTime) {
        lock(&self.0).note(origin, Duration::ZERO, now);
    }

    /// Notes that a retrieval waits for its turn.
    pub(crate) fn queue(&self, origin: &Origin) -> Queued<'_> {
        let mut requests = lock(&self.0);
        let hash = requests.hasher.hash_one(origin);
        *requests.queued.entry(hash).or_default() += 1;
        Queued(self, hash)
    }

    /// Notes that a retrieval has its turn at `now`: it requests the origin.
    pub(crate) fn turned(&self, origin: &Origin, now: SystemTime) {
        let mut requests = lock(&self.0);
        requests.turned = Some(now);
        requests.note(origin, Duration::ZERO, now);
    }

    /// Returns whether a retrieval of the origin waits for its turn, and until when the wait for its turn was one in a queue that
    /// moves: the last turn of any retrieval, or its own one if it came.
    pub(crate) fn queued(&self, origin: &Origin) -> (bool, Option<SystemTime>) {
        let requests = lock(&self.0);
        let hash = requests.hasher.hash_one(origin);
        match requests.queued.contains_key(&hash) {
            true => (true, requests.turned),
            false => (false, requests.last.get(&hash).map(|request| request.time)),
        }
    }

    /// Notes a request at `now` if the delay after the last one has passed.
    ///
    /// # Errors
    ///
    /// Returns when the delay will have passed.
    pub(crate) fn begin(&self, origin: &Origin, delay: Duration, now: SystemTime) -> Result<(), SystemTime> {
        let mut requests = lock(&self.0);
        match requests.rested(origin, delay, now) {
            Some(rested) => Err(rested),
            None => {
                requests.note(origin, delay, now);
                Ok(())
            }
        }
    }

    /// Notes that a request that has begun was sent at `time`, unless another one is later.
    pub(crate) fn sent(&self, origin: &Origin, delay: Duration, time: SystemTime) {
        let mut requests = lock(&self.0);
        let hash = requests.hasher.hash_one(origin);
        if requests.last.get(&hash).is_none_or(|last| last.time < time) {
            requests.note(origin, delay, time);
        }
    }

    /// Returns when the delay after the last request will have passed; `None` if it has passed.
    pub(crate) fn rested(&self, origin: &Origin, delay: Duration, now: SystemTime) -> Option<SystemTime> {
        lock(&self.0).rested(origin, delay, now)
    }

    /// Makes all requests later by this much, because the clock was set forward or the machine slept: delays go on.
    pub(crate) fn excuse(&self, by: Duration, now: SystemTime) {
        for request in lock(&self.0).last.values_mut() {
            request.time = later(request.time, by).min(now);
        }
    }

    /// Returns the time of the last request, if that is known.
    pub(crate) fn last(&self, origin: &Origin) -> Option<SystemTime> {
        let requests = lock(&self.0);
        Some(requests.last.get(&requests.hasher.hash_one(origin))?.time)
    }

    /// Returns how long ago the last request was, if that is known.
    pub(crate) fn age(&self, origin: &Origin, now: SystemTime) -> Option<Duration> {
        Some(now.duration_since(self.last(origin)?).unwrap_or_default())
    }
}

impl Requests {
    fn rested(&mut self, origin: &Origin, delay: Duration, now: SystemTime) -> Option<SystemTime> {
        let request = self.last.get_mut(&self.hasher.hash_one(origin))?;
        // After the clock was set back, the request counts as one of now.
        request.time = request.time.min(now);
        Some(later(request.time, delay)).filter(|rested| *rested > now)
    }

    fn note(&mut self, origin: &Origin, delay: Duration, now: SystemTime) {
        if self.last.len() > self.most.max(MANY) {
            self.last.retain(|_, request| request.known_until > now);
            self.most = 2 * self.last.len();
            self.last.shrink_to(self.most);
        }
        let request = Request { time: now, known_until: later(now, delay.max(KNOWN)) };
        self.last.insert(self.hasher.hash_one(origin), request);
    }
}
