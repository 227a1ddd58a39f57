//! The gate for tasks, with the paused clock of tokio.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::time::SystemTime;

use robots_fetch::matching::Crawler;
use robots_fetch::{
    AsyncCache, AsyncGate, AwaitingHead, CacheOptions, GatePolicy, Head, NextStep, Outcome, Refusal,
    Retrieval, SiteProfile,
};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use url::Url;

fn outcome(retrieval: &Retrieval, body: &str) -> Outcome {
    let now = SystemTime::now();
    let awaiting = AwaitingHead::new(&retrieval.origin, &retrieval.validators, &retrieval.profile, now);
    let NextStep::Read(mut reading) = awaiting.head(&Head::new(200), now) else { panic!("200 is a file") };
    assert!(reading.push(body.as_bytes()));
    reading.end(now)
}

/// A gate for sites that all have this robots.txt, and the number of retrievals.
fn gate(body: &'static str, policy: GatePolicy) -> (AsyncGate, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let fetch = move |retrieval: Retrieval| {
        counted.fetch_add(1, Ordering::SeqCst);
        async move {
            sleep(Duration::from_millis(50)).await;
            outcome(&retrieval, body)
        }
    };
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
    (AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), policy), count)
}

fn url(site: usize, path: &str) -> Url {
    format!("http://site-{site}.example{path}").parse().unwrap()
}

#[tokio::test(start_paused = true)]
async fn tasks_of_a_site_wait_for_their_turn_in_order() {
    let (gate, count) = gate("User-agent: *\nCrawl-delay: 2\nDisallow: /private\n", GatePolicy::default());
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for number in 0..20_usize {
        let gate = gate.clone();
        tasks.spawn(async move {
            let permit = gate.permit(&url(number % 2, &format!("/{number}"))).await.unwrap();
            permit.note(Some(&Head::new(200)));
            (number, start.elapsed())
        });
    }
    let mut ended = tasks.join_all().await;
    ended.sort_unstable();
    for (number, elapsed) in ended {
        let least = Duration::from_secs(2) * (number as u32 / 2 + 1);
        assert!(elapsed >= least && elapsed < least + Duration::from_millis(20), "{number}: {elapsed:?}");
    }
    assert_eq!(count.load(Ordering::SeqCst), 2);
    // A disallowed URL does not wait.
    let now = Instant::now();
    let refusal = gate.permit(&url(0, "/private")).await.unwrap_err();
    assert_eq!(refusal.to_string(), "disallowed by line 3");
    assert!(matches!(gate.permit(&"mailto:a@b".parse().unwrap()).await, Err(Refusal::Unsupported(_))));
    assert_eq!(now.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_request_lasts_until_its_permit_is_dropped() {
    let (gate, _) = gate("User-agent: *\nCrawl-delay: 0\n", GatePolicy::default());
    let first = gate.permit(&url(0, "/a")).await.unwrap();
    let second = url(0, "/b");
    assert!(timeout(Duration::from_secs(1000), gate.permit(&second)).await.is_err());
    drop(first);
    // The task that gave up does not keep its place.
    let second = timeout(Duration::from_millis(10), gate.permit(&second)).await.unwrap().unwrap();
    second.note(Some(&Head::new(429).with_field("Retry-After", "100")));
    drop(second);
    let now = Instant::now();
    gate.permit(&url(0, "/c")).await.unwrap().note(None);
    assert!(now.elapsed() >= Duration::from_secs(100));
    let now = Instant::now();
    let _permit = gate.permit(&url(0, "/d")).await.unwrap();
    assert!(now.elapsed() >= Duration::from_secs(60), "a second failure in a row: {:?}", now.elapsed());
}

#[tokio::test(start_paused = true)]
async fn sites_at_one_address_share_its_limits() {
    let mut policy = GatePolicy::default();
    policy.address_delay = Duration::from_secs(3);
    let (gate, _) = gate("", policy);
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for port in 1..=4 {
        let gate = gate.clone();
        tasks.spawn(async move {
            let url = format!("http://127.0.0.1:{port}/").parse().unwrap();
            let permit = gate.permit(&url).await.unwrap();
            drop(permit);
        });
    }
    tasks.join_all().await;
    // Four robots.txt files and four pages.
    assert!(start.elapsed() >= Duration::from_secs(3 * 7), "{:?}", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(3 * 7 + 1), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_retrieval_that_panics_pauses_its_site() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let fetch = move |retrieval: Retrieval| {
        let attempt = counted.fetch_add(1, Ordering::SeqCst);
        async move {
            assert!(attempt > 0, "the first attempt fails");
            outcome(&retrieval, "User-agent: *\nAllow: /\n")
        }
    };
    let cache = Arc::new(AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch));
    let gate = AsyncGate::new(Arc::clone(&cache), Crawler::new("ExampleBot").unwrap(), GatePolicy::default());
    let start = Instant::now();
    let _permit = gate.permit(&url(0, "/")).await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(30));
    assert_eq!(count.load(Ordering::SeqCst), 2);
    // The cache knows the site, so that a second gate does not ask.
    let other = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), GatePolicy::default());
    let now = Instant::now();
    let _permit = other.permit(&url(0, "/")).await.unwrap();
    assert_eq!((now.elapsed(), count.load(Ordering::SeqCst)), (Duration::ZERO, 2));
}

#[test]
fn a_gate_outlives_a_runtime() {
    let (gate, _) = gate("User-agent: *\nCrawl-delay: 0\n", GatePolicy::default());
    for page in 0..3 {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let page = url(0, &format!("/{page}"));
        let permit = gate.permit(&page);
        let permit = runtime.block_on(async { timeout(Duration::from_secs(60), permit).await }).unwrap();
        drop(permit.unwrap());
    }
}
