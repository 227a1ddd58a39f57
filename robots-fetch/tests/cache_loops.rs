//! Two origins that redirect their robots.txt to each other, in one cache with one retrieval at a time for each origin: a
//! retrieval follows redirects by itself, and waits for no other retrieval.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use core::pin::Pin;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::mpsc;
use std::thread;
use std::time::SystemTime;

use robots_fetch::matching::Crawler;
use robots_fetch::{
    AsyncCache, AsyncFetch, AsyncTransport, Cache, CacheOptions, Entry, Failure, FailureKind, Fetch, Head,
    Origin, Outcome, Request, Retrieval, SiteProfile, Transport,
};
use tokio::time::{sleep, timeout};

const LONG: Duration = Duration::from_secs(60);

/// How long the answer to a request takes.
const PAUSE: Duration = Duration::from_millis(5);

const PROFILES: [SiteProfile; 2] = [SiteProfile::RFC9309, SiteProfile::GOOGLE];

fn origin(number: usize) -> Origin {
    Origin::parse(if number.is_multiple_of(2) { "https://a.test" } else { "https://b.test" }).unwrap()
}

/// The answer of both sites: a redirect to the robots.txt of the other one.
fn head(request: &Request) -> Head {
    let other = if request.url.host_str() == Some("a.test") { "b" } else { "a" };
    Head::new(302).with_field("location", format!("https://{other}.test/robots.txt"))
}

/// A client of these sites, which counts requests.
#[derive(Clone, Default)]
struct Client(Arc<AtomicUsize>);

/// One retrieval.
struct Session<'s>(&'s Client, &'s Retrieval);

impl Transport for Session<'_> {
    type Body = &'static [u8];

    fn send(&mut self, request: &Request) -> Result<(Head, Self::Body), Failure> {
        self.0.0.fetch_add(1, Ordering::SeqCst);
        thread::sleep(PAUSE);
        Ok((head(request), b""))
    }

    fn retrieval(&self) -> Option<&Retrieval> {
        Some(self.1)
    }

    fn read(&mut self, _: &mut Self::Body, _: &mut [u8]) -> Result<usize, Failure> {
        Err(Failure::new(FailureKind::Other, "no body is needed"))
    }
}

impl Fetch for Client {
    fn fetch(&self, retrieval: Retrieval) -> Outcome {
        let Retrieval { origin, validators, profile, .. } = &retrieval;
        Outcome::retrieve(&mut Session(self, &retrieval), origin, validators, profile)
    }
}

impl AsyncTransport for Session<'_> {
    type Body = &'static [u8];

    async fn send(&mut self, request: &Request) -> Result<(Head, Self::Body), Failure> {
        self.0.0.fetch_add(1, Ordering::SeqCst);
        sleep(PAUSE).await;
        Ok((head(request), b""))
    }

    fn retrieval(&self) -> Option<&Retrieval> {
        Some(self.1)
    }

    async fn read(&mut self, _: &mut Self::Body, _: &mut [u8]) -> Result<usize, Failure> {
        Err(Failure::new(FailureKind::Other, "no body is needed"))
    }
}

impl AsyncFetch for Client {
    fn fetch<'a>(&'a self, retrieval: Retrieval) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        Box::pin(async move {
            let Retrieval { origin, validators, profile, .. } = &retrieval;
            Outcome::retrieve_async(&mut Session(self, &retrieval), origin, validators, profile).await
        })
    }
}

/// A loop is as good as no file (RFC 9309, section 2.3.1.2).
fn inspect(entry: &Entry) {
    assert_eq!(entry.cause().unwrap().code(), "redirect-loop");
    assert_eq!(entry.access(SystemTime::now()).name(), "everything");
}

/// The requests of two retrievals, which both stop at a URL that they have asked before.
const MOST: usize = 2 * 2;

#[test]
fn threads_that_ask_for_both_are_answered() {
    for profile in PROFILES {
        let client = Client::default();
        let cache = Arc::new(Cache::new(CacheOptions::new(profile), client.clone()));
        let (sender, receiver) = mpsc::channel();
        for number in 0..100 {
            let (cache, sender) = (Arc::clone(&cache), sender.clone());
            thread::spawn(move || sender.send(cache.get(&origin(number))).is_ok());
        }
        for _ in 0..100 {
            inspect(&receiver.recv_timeout(LONG).expect("a caller waits for ever"));
        }
        let requests = client.0.load(Ordering::SeqCst);
        assert!(requests <= MOST, "{requests}");
    }
}

#[tokio::test]
async fn tasks_that_ask_for_both_are_answered() {
    for profile in PROFILES {
        let client = Client::default();
        let cache = Arc::new(AsyncCache::new(CacheOptions::new(profile), client.clone()));
        let tasks: Vec<_> = (0..100)
            .map(|number| {
                let cache = Arc::clone(&cache);
                // Some give up, while others wait.
                let patience = if number % 3 == 0 { PAUSE } else { LONG };
                tokio::spawn(async move { (timeout(patience, cache.get(&origin(number))).await, patience) })
            })
            .collect();
        for task in tasks {
            match task.await.unwrap() {
                (Ok(entry), _) => inspect(&entry),
                (Err(_), patience) => assert!(patience < LONG, "a caller waits for ever"),
            }
        }
        let requests = client.0.load(Ordering::SeqCst);
        assert!(requests <= MOST, "{requests}");
        let bot = Crawler::new("ExampleBot").unwrap();
        assert!(cache.check(&"https://a.test/page".parse().unwrap(), &bot).await.unwrap().is_allowed());
    }
}

#[cfg(feature = "gate")]
#[tokio::test]
async fn a_gate_gives_permits_for_both() {
    use robots_fetch::{AsyncGate, GatePolicy};

    let client = Client::default();
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), client.clone());
    let mut policy = GatePolicy::default();
    policy.default_delay = Duration::ZERO;
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), policy);
    let tasks: Vec<_> = (0..20)
        .map(|number| {
            let gate = gate.clone();
            let url = origin(number).robots_url().join(&format!("/{number}")).unwrap();
            tokio::spawn(async move { timeout(LONG, gate.permit(&url)).await.map(|permit| permit.is_ok()) })
        })
        .collect();
    for task in tasks {
        assert!(task.await.unwrap().expect("a caller waits for ever"));
    }
    assert!(client.0.load(Ordering::SeqCst) <= MOST);
}
