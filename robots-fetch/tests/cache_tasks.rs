//! The cache for tasks: one retrieval at a time, whatever becomes of those who ask.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "helpers of tests are tests"
)]

extern crate alloc;

#[path = "support/answering_sites.rs"]
mod answering_sites;

use alloc::sync::Arc;
use core::pin::Pin;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::time::SystemTime;

use answering_sites::{answered, origin};
use robots_fetch::matching::Crawler;
use robots_fetch::{
    AsyncCache, AsyncFetch, AsyncTransport, CacheOptions, Failure, FailureKind, Head, Memory, Outcome,
    Request, Retrieval, SiteProfile, Store,
};
use tokio::time::{sleep, timeout};

const LONG: Duration = Duration::from_secs(60);

/// A client that takes its time, and counts.
fn slow(count: &Arc<AtomicUsize>) -> impl AsyncFetch + use<> {
    let count = Arc::clone(count);
    move |retrieval: Retrieval| {
        count.fetch_add(1, Ordering::SeqCst);
        async move {
            sleep(Duration::from_millis(20)).await;
            answered(&retrieval)
        }
    }
}

async fn ten_thousand<S: Store + 'static>(store: S) {
    let count = Arc::new(AtomicUsize::new(0));
    let options = CacheOptions::new(SiteProfile::RFC9309).with_store(store);
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
async fn when_a_retrieving_task_panics_another_one_retrieves() {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    let fetch = move |retrieval: Retrieval| {
        let first = counter.fetch_add(1, Ordering::SeqCst) == 0;
        async move {
            sleep(Duration::from_millis(20)).await;
            assert!(!first, "a client that is broken");
            answered(&retrieval)
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
    assert_eq!((count.load(Ordering::SeqCst), cache.len(), cache.dropped()), (2, 1, 0));
    cache.forget(&origin(1)).await;
    assert_eq!((cache.len(), cache.bytes()), (0, 0));
    assert!(cache.peek(&origin(1)).await.is_none());
}

/// A client of a web in which `site-1` redirects to a page of `site-2` that the file of `site-2` disallows.
struct Moving(Arc<AtomicUsize>);

impl AsyncFetch for Moving {
    fn fetch<'a>(&'a self, retrieval: Retrieval) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        Box::pin(async move {
            let mut transport = MovingTransport { requests: &self.0, retrieval: &retrieval };
            let Retrieval { origin, validators, profile, .. } = &retrieval;
            Outcome::retrieve_async(&mut transport, origin, validators, profile).await
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

    fn retrieval(&self) -> Option<&Retrieval> {
        Some(self.retrieval)
    }

    async fn read(&mut self, body: &mut Self::Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        std::io::Read::read(body, buffer).map_err(|error| Failure::new(FailureKind::Other, error))
    }
}

async fn disallowed_redirects<S: Store + 'static>(profile: SiteProfile, store: S) -> (usize, &'static str) {
    let requests = Arc::new(AtomicUsize::new(0));
    let options = CacheOptions::new(profile).with_store(store);
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
    assert_eq!(disallowed_redirects(SiteProfile::GOOGLE, disk).await, (2, "everything"));
}
