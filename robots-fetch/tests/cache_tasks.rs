//! The cache for tasks: one retrieval at a time, whatever becomes of those who ask.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "helpers of tests are tests"
)]

extern crate alloc;

use alloc::sync::Arc;
use core::future::{pending, ready};
use core::pin::Pin;
use core::pin::pin;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::time::SystemTime;

use robots_fetch::matching::Crawler;
use robots_fetch::{
    AsyncCache, AsyncFetch, AsyncTransport, AwaitingHead, CacheOptions, Entry, Failure, FailureKind, Head,
    Memory, NextStep, Origin, Outcome, Request, Retrieval, RetrievalLimits, SiteProfile, Store, StoreError,
    retrieve_async,
};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use url::Url;

const LONG: Duration = Duration::from_secs(60);

fn origin(number: usize) -> Origin {
    Origin::parse(&format!("https://site-{number}.example")).unwrap()
}

fn outcome(retrieval: &Retrieval) -> Outcome {
    let now = SystemTime::now();
    let Retrieval { origin, validators, profile, .. } = retrieval;
    let awaiting = AwaitingHead::new(origin, validators, profile, now);
    let NextStep::Read(mut reading) = awaiting.head(&Head::new(200), now) else { panic!("200 is a file") };
    assert!(reading.push(b"User-agent: *\nDisallow: /private\n"));
    reading.end(now)
}

/// A client that takes its time, and counts.
fn slow(count: &Arc<AtomicUsize>) -> impl AsyncFetch + use<> {
    let count = Arc::clone(count);
    move |retrieval: Retrieval| {
        count.fetch_add(1, Ordering::SeqCst);
        async move {
            sleep(Duration::from_millis(20)).await;
            outcome(&retrieval)
        }
    }
}

async fn ten_thousand<S: Store + 'static>(store: S) {
    let count = Arc::new(AtomicUsize::new(0));
    let options = CacheOptions::new(SiteProfile::RFC9309).store(store);
    let cache = Arc::new(AsyncCache::new(options, slow(&count)));
    let tasks: Vec<_> = (0..10_000)
        .map(|task| {
            let cache = Arc::clone(&cache);
            tokio::spawn(async move {
                let origin = origin(task * 7 % 100);
                assert_eq!(cache.get(&origin).await.hops()[0].url, *origin.robots_url());
            })
        })
        .collect();
    for task in tasks {
        timeout(LONG, task).await.unwrap().unwrap();
    }
    assert_eq!(count.load(Ordering::SeqCst), 100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_tasks_retrieve_a_hundred_origins_once_each() {
    ten_thousand(Memory::default()).await;
}

#[cfg(feature = "disk")]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_tasks_with_a_disk_retrieve_a_hundred_origins_once_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.sqlite");
    ten_thousand(
        robots_fetch::Disk::open(&path, SiteProfile::RFC9309, robots_fetch::StoreLimits::DEFAULT).unwrap(),
    )
    .await;
}

#[tokio::test]
async fn when_a_retrieving_task_is_dropped_another_one_retrieves() {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    let fetch = move |retrieval: Retrieval| {
        let first = counter.fetch_add(1, Ordering::SeqCst) == 0;
        async move {
            if first {
                pending::<()>().await;
            }
            outcome(&retrieval)
        }
    };
    let cache = Arc::new(AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch));
    let ask = || {
        let cache = Arc::clone(&cache);
        tokio::spawn(async move { cache.get(&origin(1)).await.status() })
    };
    let first = ask();
    sleep(Duration::from_millis(20)).await;
    let others: Vec<_> = (0..10).map(|_| ask()).collect();
    sleep(Duration::from_millis(20)).await;
    assert_eq!(count.load(Ordering::SeqCst), 1);
    first.abort();
    for other in others {
        assert_eq!(timeout(LONG, other).await.unwrap().unwrap(), Some(200));
    }
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn when_a_retrieving_task_panics_another_one_retrieves() {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    let fetch = move |retrieval: Retrieval| {
        let first = counter.fetch_add(1, Ordering::SeqCst) == 0;
        async move {
            sleep(Duration::from_millis(20)).await;
            assert!(!first, "a client that is broken");
            outcome(&retrieval)
        }
    };
    let cache = Arc::new(AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch));
    let mut results = Vec::new();
    let tasks: Vec<_> = (0..10)
        .map(|_| {
            let cache = Arc::clone(&cache);
            tokio::spawn(async move { cache.get(&origin(1)).await.status() })
        })
        .collect();
    for task in tasks {
        results.push(timeout(LONG, task).await.unwrap().ok());
    }
    assert_eq!(results.iter().filter(|result| result.is_none()).count(), 1);
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn the_async_cache_has_the_methods_of_the_blocking_one() {
    let count = Arc::new(AtomicUsize::new(0));
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), slow(&count));
    let bot = Crawler::new("ExampleBot").unwrap();
    let url = origin(1).robots_url().join("/private").unwrap();
    assert!(cache.peek(&origin(1)).await.is_none());
    let permission = cache.permission(&url, &bot).await.unwrap();
    assert_eq!(permission.check_url(&url).line(), Some(2));
    let decision = cache.decide(&url, &bot).await.unwrap();
    assert_eq!((decision.verdict.line(), decision.ask_again), (Some(2), Some(decision.next_retrieval)));
    assert!(cache.decide(&"data:,x".parse().unwrap(), &bot).await.is_err());
    let _ = cache.refresh(&origin(1)).await;
    assert_eq!((count.load(Ordering::SeqCst), cache.size().entries, cache.dropped()), (2, 1, 0));
    cache.forget(&origin(1)).await;
    assert_eq!((cache.size().entries, cache.size().bytes), (0, 0));
    assert!(cache.peek(&origin(1)).await.is_none());
}

/// A client of a web in which `site-1` redirects to a page of `site-2` that the file of `site-2` disallows.
struct Moving(Arc<AtomicUsize>);

impl AsyncFetch for Moving {
    fn fetch<'a>(&'a self, retrieval: Retrieval) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        Box::pin(async move {
            let mut transport = MovingTransport { requests: &self.0, retrieval: &retrieval };
            let Retrieval { origin, validators, profile, .. } = &retrieval;
            retrieve_async(&mut transport, origin, validators, profile).await
        })
    }
}

struct MovingTransport<'a> {
    requests: &'a AtomicUsize,
    retrieval: &'a Retrieval,
}

impl AsyncTransport for MovingTransport<'_> {
    type Body = &'static [u8];

    async fn send(&mut self, request: &Request) -> Result<(Head, Self::Body), Failure> {
        self.requests.fetch_add(1, Ordering::SeqCst);
        Ok(match request.url.as_str() {
            "https://site-1.example/robots.txt" => {
                (Head::new(302).with_field("location", "https://site-2.example/private/robots.txt"), b"")
            }
            _ => (Head::new(200), b"User-agent: *\nDisallow: /private\n"),
        })
    }

    fn is_disallowed(&self, url: &Url) -> bool {
        self.retrieval.is_disallowed(url)
    }

    async fn read(&mut self, body: &mut Self::Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        std::io::Read::read(body, buffer).map_err(|error| Failure::new(FailureKind::Other, error))
    }
}

async fn disallowed_redirects<S: Store + 'static>(profile: SiteProfile, store: S) -> (usize, &'static str) {
    let requests = Arc::new(AtomicUsize::new(0));
    let options = CacheOptions::new(profile).store(store);
    let cache = AsyncCache::new(options, Moving(Arc::clone(&requests)));
    cache.get(&origin(2)).await;
    let entry = timeout(LONG, cache.get(&origin(1))).await.unwrap();
    (requests.load(Ordering::SeqCst), entry.access(SystemTime::now()).name())
}

#[tokio::test]
async fn a_redirect_to_a_url_that_is_known_to_be_disallowed_is_a_404_under_google() {
    let memory = Memory::default;
    assert_eq!(disallowed_redirects(SiteProfile::GOOGLE, memory()).await, (2, "everything"));
    assert_eq!(disallowed_redirects(SiteProfile::RFC9309, memory()).await, (3, "rules"));
}

#[cfg(feature = "disk")]
#[tokio::test]
async fn a_redirect_to_a_disallowed_url_is_a_404_under_google_with_a_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.sqlite");
    let disk =
        robots_fetch::Disk::open(&path, SiteProfile::GOOGLE, robots_fetch::StoreLimits::DEFAULT).unwrap();
    // Only the entries in memory are known.
    let store = robots_fetch::Tiered::new(Memory::default(), disk);
    assert_eq!(disallowed_redirects(SiteProfile::GOOGLE, store).await, (2, "everything"));
}

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
    let options = CacheOptions::new(SiteProfile::RFC9309).clock(move || now.now());
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
    let mut limits = RetrievalLimits::DEFAULT;
    limits.background = 3;
    let options = CacheOptions::new(SiteProfile::RFC9309).clock(move || now.now()).retrieval_limits(limits);
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
            outcome(&retrieval)
        }
    };
    let mut limits = RetrievalLimits::DEFAULT;
    (limits.concurrent, limits.per_second) = (2, Some(100));
    let options = CacheOptions::new(SiteProfile::RFC9309).retrieval_limits(limits);
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
    let options = CacheOptions::new(SiteProfile::RFC9309).store(Arc::clone(&store));
    let cache = AsyncCache::new(options, slow(&count));
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
    let options = CacheOptions::new(SiteProfile::RFC9309).clock(move || now.now());
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
