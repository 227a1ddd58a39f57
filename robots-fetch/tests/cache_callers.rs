//! Callers that give up: a retrieval that was begun goes on without them, and serves those who ask next.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests are tests")]

extern crate alloc;

#[path = "support/answering_sites.rs"]
mod answering_sites;

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::{Mutex, mpsc};
use std::thread;

use answering_sites::{answered, origin};
use robots_fetch::{AsyncCache, AsyncFetch, Cache, CacheOptions, Origin, Retrieval, SiteProfile};
use tokio::runtime::Builder;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep, timeout};

const LONG: Duration = Duration::from_secs(60);

/// The retrievals of each origin that were begun, and how many run.
#[derive(Default)]
struct Counts {
    begun: Mutex<BTreeMap<String, usize>>,
    running: AtomicUsize,
}

impl Counts {
    fn begin(self: &Arc<Self>, origin: &Origin) -> Running {
        *self.begun.lock().unwrap().entry(origin.to_string()).or_default() += 1;
        self.running.fetch_add(1, Ordering::SeqCst);
        Running(Arc::clone(self))
    }

    fn begun(&self) -> Vec<usize> {
        self.begun.lock().unwrap().values().copied().collect()
    }

    fn running(&self) -> usize {
        self.running.load(Ordering::SeqCst)
    }
}

/// A retrieval that runs until this is dropped.
struct Running(Arc<Counts>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A client that takes this time for an origin.
fn slow<T>(counts: &Arc<Counts>, takes: T) -> impl AsyncFetch + use<T>
where
    T: Fn(&Origin) -> Duration + Send + Sync,
{
    let counts = Arc::clone(counts);
    move |retrieval: Retrieval| {
        let (running, takes) = (counts.begin(&retrieval.origin), takes(&retrieval.origin));
        async move {
            sleep(takes).await;
            drop(running);
            answered(&retrieval)
        }
    }
}

fn options(detached: usize) -> CacheOptions {
    let mut options = CacheOptions::new(SiteProfile::RFC9309);
    options.retrievals.detached = detached;
    options
}

fn cache(counts: &Arc<Counts>, millis: u64, detached: usize) -> Arc<AsyncCache<impl AsyncFetch + use<>>> {
    Arc::new(AsyncCache::new(options(detached), slow(counts, move |_| Duration::from_millis(millis))))
}

/// Numbers that look random, and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Two hundred callers wait 50 ms each for a retrieval of 80 ms. Returns how many got an entry.
async fn two_hundred<F: AsyncFetch + 'static>(cache: &Arc<AsyncCache<F>>) -> usize {
    let callers: Vec<_> = (0..200)
        .map(|_| {
            let cache = Arc::clone(cache);
            tokio::spawn(
                async move { timeout(Duration::from_millis(50), cache.get(&origin(1))).await.is_ok() },
            )
        })
        .collect();
    let mut served = 0;
    for caller in callers {
        served += usize::from(timeout(LONG, caller).await.unwrap().unwrap());
    }
    served
}

#[tokio::test(start_paused = true)]
async fn a_retrieval_outlives_two_hundred_callers_and_serves_the_next_one() {
    let counts = Arc::default();
    let cache = cache(&counts, 80, 256);
    let start = Instant::now();
    assert_eq!(two_hundred(&cache).await, 0);
    assert_eq!((counts.begun(), counts.running()), (vec![1], 1));
    // The next caller waits for the rest only.
    assert_eq!(cache.get(&origin(1)).await.status(), Some(200));
    assert!(start.elapsed() < Duration::from_millis(85), "{:?}", start.elapsed());
    assert_eq!(two_hundred(&cache).await, 200);
    assert_eq!((counts.begun(), counts.running()), (vec![1], 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_retrieval_outlives_callers_on_several_threads() {
    let counts = Arc::default();
    let cache = cache(&counts, 80, 256);
    two_hundred(&cache).await;
    assert_eq!(timeout(LONG, cache.get(&origin(1))).await.unwrap().status(), Some(200));
    assert_eq!(counts.begun(), [1]);
}

/// Ten thousand callers come at random times within 300 ms, with random patience up to 200 ms. The retrieval of an origin takes
/// 20 to 119 ms. Time is simulated, so that nothing depends on the speed of the machine.
#[tokio::test(start_paused = true)]
async fn ten_thousand_callers_with_random_patience_cause_one_retrieval_of_each_origin() {
    const ORIGINS: u64 = 50;
    let takes = |number: u64| Duration::from_millis(20 + number * 2 + number % 2);
    let by_name: BTreeMap<_, _> =
        (0..ORIGINS).map(|number| (origin(number).to_string(), takes(number))).collect();
    let counts = Arc::default();
    let client = slow(&counts, move |origin| by_name[&origin.to_string()]);
    let cache = Arc::new(AsyncCache::new(options(256), client));
    let mut numbers = Numbers(1);
    let callers: Vec<_> = (0..10_000)
        .map(|_| {
            let number = numbers.below(ORIGINS);
            let [comes, patience] = [300, 200].map(|limit| Duration::from_millis(numbers.below(limit)));
            let cache = Arc::clone(&cache);
            let call = async move {
                sleep(comes).await;
                let is_served = timeout(patience, cache.get(&origin(number))).await.is_ok();
                // Timers are exact to a millisecond.
                (is_served, patience > takes(number) + Duration::from_millis(1))
            };
            tokio::spawn(call)
        })
        .collect();
    let (mut patient, mut impatient) = (0, 0);
    for caller in callers {
        let (is_served, is_patient) = caller.await.unwrap();
        assert!(is_served || !is_patient, "a patient caller went without an answer");
        patient += usize::from(is_patient);
        impatient += usize::from(!is_served);
    }
    assert_eq!(counts.begun(), [1; ORIGINS as usize]);
    // Both kinds are there.
    assert!(patient > 5_000 && impatient > 200, "{patient} patient callers, {impatient} without an answer");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_callers_on_several_threads_cause_one_retrieval_of_each_origin() {
    let counts = Arc::default();
    let cache = cache(&counts, 30, 256);
    let mut numbers = Numbers(2);
    let callers: Vec<_> = (0..10_000)
        .map(|_| {
            let number = numbers.below(200);
            let patience =
                if numbers.below(4) == 0 { LONG } else { Duration::from_millis(numbers.below(40)) };
            let cache = Arc::clone(&cache);
            tokio::spawn(async move {
                timeout(patience, cache.get(&origin(number))).await.is_ok() || patience < LONG
            })
        })
        .collect();
    for caller in callers {
        assert!(caller.await.unwrap(), "a patient caller went without an answer");
    }
    assert_eq!(counts.begun(), [1; 200]);
}

#[tokio::test(start_paused = true)]
async fn callers_that_wait_are_served_when_the_first_one_gives_up() {
    let counts = Arc::default();
    // Not even one retrieval may go on without callers: this one has some.
    let cache = cache(&counts, 80, 0);
    let others: Vec<_> = (0..10)
        .map(|_| {
            let cache = Arc::clone(&cache);
            tokio::spawn(async move {
                sleep(Duration::from_millis(10)).await;
                cache.get(&origin(1)).await.status()
            })
        })
        .collect();
    assert!(timeout(Duration::from_millis(50), cache.get(&origin(1))).await.is_err());
    for other in others {
        assert_eq!(other.await.unwrap(), Some(200));
    }
    assert_eq!(counts.begun(), [1]);
}

#[tokio::test(start_paused = true)]
async fn retrievals_without_callers_are_bounded() {
    let counts = Arc::default();
    let cache = cache(&counts, 80, 3);
    let ask = async |number: u64, millis: u64| {
        timeout(Duration::from_millis(millis), cache.get(&origin(number))).await.is_ok()
    };
    for number in 0..10 {
        assert!(!ask(number, 2).await);
    }
    yield_now().await;
    assert_eq!(counts.running(), 3);
    // A caller that comes back frees the place of the retrieval that it waits for.
    let returned = Arc::clone(&cache);
    let returned = tokio::spawn(async move { returned.get(&origin(0)).await.status() });
    yield_now().await;
    assert!(!ask(10, 2).await);
    yield_now().await;
    assert_eq!(counts.running(), 4);
    assert_eq!(returned.await.unwrap(), Some(200));
    sleep(LONG).await;
    assert_eq!(counts.running(), 0);
    // The four that went on serve at once; the others are retrieved again when somebody asks.
    for number in [0, 1, 2, 10] {
        assert!(ask(number, 0).await, "{number}");
    }
    for number in 3..10 {
        assert!(!ask(number, 0).await, "{number}");
        assert!(ask(number, 100).await, "{number}");
    }
    assert_eq!(counts.begun().iter().sum::<usize>(), 4 + 2 * 7);
    // All places are free again.
    for number in 20..30 {
        assert!(!ask(number, 2).await);
    }
    yield_now().await;
    assert_eq!(counts.running(), 3);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_cache_ends_retrievals_without_callers() {
    let counts = Arc::default();
    let cache = cache(&counts, 80, 256);
    for number in 0..10 {
        assert!(timeout(Duration::from_millis(2), cache.get(&origin(number))).await.is_err());
    }
    assert_eq!(counts.running(), 10);
    drop(cache);
    yield_now().await;
    assert_eq!(counts.running(), 0);
}

#[test]
fn when_the_runtime_of_a_retrieval_ends_another_caller_retrieves() {
    let runtime = || Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let counts = Arc::default();
    let cache = cache(&counts, 300, 256);
    let (first, second) = (runtime(), runtime());
    let impatient = async { timeout(Duration::from_millis(20), cache.get(&origin(1))).await };
    assert!(first.block_on(impatient).is_err());
    let other = Arc::clone(&cache);
    let other = second.spawn(async move { other.get(&origin(1)).await.status() });
    thread::sleep(Duration::from_millis(20));
    drop(first);
    assert_eq!(second.block_on(async { timeout(LONG, other).await }).unwrap().unwrap(), Some(200));
    assert_eq!(counts.begun(), [2]);
}

/// A caller of a blocking cache that gives up: it waits for the thread that asks only for a time.
fn ask_for<F>(cache: &Arc<Cache<F>>, number: u64, patience: Duration) -> bool
where
    F: robots_fetch::Fetch + 'static,
{
    let (sender, receiver) = mpsc::channel();
    let cache = Arc::clone(cache);
    thread::spawn(move || sender.send(cache.get(&origin(number)).status()).is_ok());
    receiver.recv_timeout(patience) == Ok(Some(200))
}

fn blocking(counts: &Arc<Counts>, millis: u64) -> Arc<Cache<impl robots_fetch::Fetch + use<>>> {
    let counts = Arc::clone(counts);
    let client = move |retrieval: Retrieval| {
        let _running = counts.begin(&retrieval.origin);
        thread::sleep(Duration::from_millis(millis));
        answered(&retrieval)
    };
    Arc::new(Cache::new(options(256), client))
}

#[test]
fn a_blocking_retrieval_outlives_two_hundred_callers_and_serves_the_next_one() {
    let counts = Arc::default();
    let cache = blocking(&counts, 80);
    let callers: Vec<_> = (0..200)
        .map(|_| {
            let cache = Arc::clone(&cache);
            thread::spawn(move || ask_for(&cache, 1, Duration::from_millis(50)))
        })
        .collect();
    for caller in callers {
        let _ = caller.join().unwrap();
    }
    assert!(ask_for(&cache, 1, LONG));
    assert_eq!((counts.begun(), counts.running()), (vec![1], 0));
}

#[test]
fn ten_thousand_callers_of_a_blocking_cache_cause_one_retrieval_of_each_origin() {
    let counts = Arc::default();
    let cache = blocking(&counts, 10);
    let callers: Vec<_> = (0..50)
        .map(|thread| {
            let cache = Arc::clone(&cache);
            thread::spawn(move || {
                let mut numbers = Numbers(thread);
                for _ in 0..200 {
                    let is_patient = numbers.below(2) == 0;
                    let patience = if is_patient { LONG } else { Duration::from_millis(numbers.below(12)) };
                    let is_served = ask_for(&cache, numbers.below(500), patience);
                    assert!(is_served || !is_patient, "a patient caller went without an answer");
                }
            })
        })
        .collect();
    for caller in callers {
        caller.join().unwrap();
    }
    assert_eq!(counts.begun(), [1; 500]);
}
