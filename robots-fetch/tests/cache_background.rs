//! The async cache in the background: retrievals before they are due, their limits, and stores that block.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests are tests")]

extern crate alloc;

#[path = "support/answering_sites.rs"]
mod answering_sites;

use alloc::sync::Arc;
use core::future::ready;
use core::pin::pin;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::time::SystemTime;

use answering_sites::{answered, origin};
use robots_fetch::matching::Crawler;
use robots_fetch::{
    AsyncCache, AsyncFetch, AwaitingHead, CacheOptions, Entry, Head, Memory, NextStep, Origin, Retrieval,
    SiteProfile, Store, StoreError,
};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

const LONG: Duration = Duration::from_secs(60);

/// A clock in seconds.
#[derive(Clone, Default)]
struct Clock(Arc<AtomicUsize>);

impl Clock {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(self.0.load(Ordering::SeqCst) as u64)
    }

    fn at(&self, seconds: usize) {
        self.0.store(seconds, Ordering::SeqCst);
    }
}

/// A client whose files last 100 seconds, and which from the second retrieval of a site on waits for a permit.
fn held_back(clock: &Clock, begun: &Arc<AtomicUsize>, permits: &Arc<Semaphore>) -> impl AsyncFetch + use<> {
    let (clock, begun, permits) = (clock.clone(), Arc::clone(begun), Arc::clone(permits));
    move |retrieval: Retrieval| {
        let (clock, permits) = (clock.clone(), Arc::clone(&permits));
        let is_first = clock.now() == SystemTime::UNIX_EPOCH;
        begun.fetch_add(1, Ordering::SeqCst);
        async move {
            if !is_first {
                permits.acquire().await.unwrap().forget();
            }
            let Retrieval { origin, validators, profile, .. } = &retrieval;
            let awaiting = AwaitingHead::new(origin, validators, profile, clock.now());
            let head = Head::new(200).with_field("cache-control", "max-age=100");
            let NextStep::Read(mut reading) = awaiting.head(&head, clock.now()) else { panic!() };
            assert!(reading.push(b"User-agent: *\nDisallow: /private\n"));
            reading.end(clock.now())
        }
    }
}

fn seconds_of(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

#[tokio::test]
async fn none_waits_while_an_origin_in_use_is_retrieved_again() {
    let (clock, begun, permits) = (Clock::default(), Arc::default(), Arc::new(Semaphore::new(0)));
    let now = clock.clone();
    let options = CacheOptions::new(SiteProfile::RFC9309).with_clock(move || now.now());
    let cache = AsyncCache::new(options, held_back(&clock, &begun, &permits));
    let bot = Crawler::new("ExampleBot").unwrap();
    let url = origin(1).robots_url().join("/private").unwrap();
    let ask = async || {
        assert_eq!(cache.check(&url, &bot).await.unwrap().line(), Some(2));
        assert_eq!(cache.permission(&url, &bot).await.unwrap().check_url(&url).line(), Some(2));
        let received = cache.decide(&url, &bot).await.unwrap().received;
        assert_eq!(cache.get(&origin(1)).await.received(), received);
        tokio::task::yield_now().await;
        seconds_of(received)
    };
    for (seconds, retrievals) in [(0, 1), (79, 1), (80, 2), (99, 2), (100, 2), (3_699, 2)] {
        clock.at(seconds);
        assert_eq!(timeout(LONG, ask()).await.unwrap(), 0);
        assert_eq!(begun.load(Ordering::SeqCst), retrievals, "{seconds}");
    }
    clock.at(90);
    permits.add_permits(1);
    while ask().await != 90 {}
    // After the window, the next answer is waited for.
    clock.at(90 + 3_700);
    assert!(timeout(Duration::from_millis(20), ask()).await.is_err());
    permits.add_permits(1);
    assert_eq!(timeout(LONG, ask()).await.unwrap(), 90 + 3_700);
}

#[tokio::test]
async fn tasks_in_the_background_are_bounded_and_end_with_the_cache() {
    let (clock, begun, permits) = (Clock::default(), Arc::default(), Arc::new(Semaphore::new(0)));
    let now = clock.clone();
    let mut options = CacheOptions::new(SiteProfile::RFC9309).with_clock(move || now.now());
    options.retrievals.background = 3;
    let cache = AsyncCache::new(options, held_back(&clock, &begun, &permits));
    for seconds in [0, 90, 92] {
        clock.at(seconds);
        for number in 0..20 {
            let _ = cache.get(&origin(number)).await;
        }
        sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(begun.load(Ordering::SeqCst), 23);
    // The cache, the client in it, and the three retrievals.
    assert_eq!(Arc::strong_count(&permits), 5);
    drop(cache);
    while Arc::strong_count(&permits) > 1 {
        timeout(LONG, sleep(Duration::from_millis(1))).await.unwrap();
    }
}

#[tokio::test]
async fn origins_are_retrieved_in_turn_within_the_limits() {
    let (most, running) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (highest, count) = (Arc::clone(&most), Arc::clone(&running));
    let fetch = move |retrieval: Retrieval| {
        let (highest, count) = (Arc::clone(&highest), Arc::clone(&count));
        async move {
            highest.fetch_max(count.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            sleep(Duration::from_millis(1)).await;
            count.fetch_sub(1, Ordering::SeqCst);
            answered(&retrieval)
        }
    };
    let mut options = CacheOptions::new(SiteProfile::RFC9309);
    (options.retrievals.concurrent, options.retrievals.per_second) = (2, Some(100));
    let cache = Arc::new(AsyncCache::new(options, fetch));
    let start = std::time::Instant::now();
    let tasks: Vec<_> = (0..20)
        .map(|number| {
            let cache = Arc::clone(&cache);
            tokio::spawn(async move { cache.get(&origin(number)).await.status() })
        })
        .collect();
    for task in tasks {
        assert_eq!(timeout(LONG, task).await.unwrap().unwrap(), Some(200));
    }
    assert!(most.load(Ordering::SeqCst) <= 2);
    assert!(start.elapsed() >= Duration::from_millis(19 * 10));
}

/// A slow store that counts its look-ups.
#[derive(Default)]
struct Blocking(Memory, AtomicUsize);

impl Store for Blocking {
    fn get(&self, origin: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.get(origin)
    }

    fn put(&self, origin: &Origin, entry: &Arc<Entry>) -> Result<(), StoreError> {
        self.0.put(origin, entry)
    }

    fn remove(&self, origin: &Origin) -> Result<(), StoreError> {
        self.0.remove(origin)
    }

    fn blocks(&self) -> bool {
        true
    }
}

#[test]
fn a_hit_over_a_store_that_blocks_is_ready_at_once() {
    let count = Arc::new(AtomicUsize::new(0));
    let store = Arc::new(Blocking::default());
    let options = CacheOptions::new(SiteProfile::RFC9309).with_store(Arc::clone(&store));
    let counter = Arc::clone(&count);
    let fetch = move |retrieval: Retrieval| {
        counter.fetch_add(1, Ordering::SeqCst);
        ready(answered(&retrieval))
    };
    let cache = AsyncCache::new(options, fetch);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let bot = Crawler::new("ExampleBot").unwrap();
    let url = origin(1).robots_url().join("/private").unwrap();
    runtime.block_on(async { assert_eq!(cache.check(&url, &bot).await.unwrap().line(), Some(2)) });
    let lookups = store.1.load(Ordering::SeqCst);
    // Nothing runs these futures, so whatever left the thread would never end.
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..100 {
        let check = pin!(cache.check(&url, &bot)).poll(&mut context);
        assert!(matches!(check, Poll::Ready(Ok(verdict)) if verdict.line() == Some(2)));
        assert!(pin!(cache.decide(&url, &bot)).poll(&mut context).is_ready());
        assert!(pin!(cache.permission(&url, &bot)).poll(&mut context).is_ready());
        assert!(pin!(cache.get(&origin(1))).poll(&mut context).is_ready());
    }
    assert_eq!((store.1.load(Ordering::SeqCst), count.load(Ordering::SeqCst)), (lookups, 1));
}

#[test]
fn without_a_runtime_the_caller_retrieves() {
    let clock = Clock::default();
    let (now, web) = (clock.clone(), clock.clone());
    let options = CacheOptions::new(SiteProfile::RFC9309).with_clock(move || now.now());
    let fetch = move |retrieval: Retrieval| {
        let now = web.now();
        let awaiting = AwaitingHead::new(&retrieval.origin, &retrieval.validators, &retrieval.profile, now);
        let head = Head::new(200).with_field("cache-control", "max-age=100");
        let NextStep::Read(reading) = awaiting.head(&head, now) else { panic!() };
        ready(reading.end(now))
    };
    let cache = AsyncCache::new(options, fetch);
    let mut context = Context::from_waker(Waker::noop());
    let bot = Crawler::new("ExampleBot").unwrap();
    for (seconds, received) in [(0, 0), (79, 0), (80, 80), (81, 80), (5_000, 5_000)] {
        clock.at(seconds);
        let Poll::Ready(decision) = pin!(cache.decide(origin(1).robots_url(), &bot)).poll(&mut context)
        else {
            panic!("nothing here waits")
        };
        assert_eq!(seconds_of(decision.unwrap().received), received);
        let Poll::Ready(entry) = pin!(cache.get(&origin(1))).poll(&mut context) else { panic!() };
        assert_eq!(seconds_of(entry.received()), received);
    }
}
