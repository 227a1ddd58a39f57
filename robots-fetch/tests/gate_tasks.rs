//! The gate for tasks, with the paused clock of tokio.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use alloc::task::Wake;
use core::pin::pin;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::time::SystemTime;

use robots_fetch::matching::Crawler;
use robots_fetch::{
    AsyncCache, AsyncGate, AwaitingHead, CacheOptions, Failure, FailureKind, GatePolicy, Head, NextStep,
    Outcome, RefusalReason, Retrieval, SiteProfile,
};
use tokio::runtime::{self, Runtime};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use url::Url;

fn outcome(retrieval: &Retrieval, body: &str) -> Outcome {
    outcome_of(200, retrieval, body)
}

fn outcome_of(status: u16, retrieval: &Retrieval, body: &str) -> Outcome {
    outcome_at(status, retrieval, body, SystemTime::now())
}

fn outcome_at(status: u16, retrieval: &Retrieval, body: &str, now: SystemTime) -> Outcome {
    let awaiting = AwaitingHead::new(&retrieval.origin, &retrieval.validators, &retrieval.profile, now);
    match awaiting.head(&Head::new(status), now) {
        NextStep::Read(mut reading) => {
            assert!(reading.push(body.as_bytes()));
            reading.end(now)
        }
        NextStep::Done(outcome) => outcome,
        NextStep::Send(_) => panic!("no redirect"),
    }
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
    // Only the paused clock goes on: otherwise the gate counts the milliseconds that the test itself takes, too.
    let wall = SystemTime::now();
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309).with_clock(move || wall), fetch);
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
    assert_eq!(refusal.to_string(), "http://site-0.example/private: disallowed by line 3");
    let refusal = gate.permit(&"mailto:a@b".parse().unwrap()).await.unwrap_err();
    assert!(matches!(refusal.reason(), RefusalReason::Unsupported(_)));
    assert_eq!(refusal.to_string(), "mailto:…: scheme `mailto` is not supported; use http, https or ftp",);
    assert_eq!(now.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_request_lasts_until_its_head_has_come() {
    let (gate, _) = gate("User-agent: *\nCrawl-delay: 0\n", GatePolicy::default());
    let first = gate.permit(&url(0, "/a")).await.unwrap();
    let second = url(0, "/b");
    assert!(timeout(Duration::from_secs(10), gate.permit(&second)).await.is_err());
    // The permit is still there, but its request is over.
    first.note(Some(&Head::new(200)));
    let second = timeout(Duration::from_millis(10), gate.permit(&second)).await.unwrap().unwrap();
    second.note(Some(&Head::new(429).with_field("Retry-After", "100")));
    let now = Instant::now();
    gate.permit(&url(0, "/c")).await.unwrap().note(None);
    assert!(now.elapsed() >= Duration::from_secs(100));
    let now = Instant::now();
    let held = gate.permit(&url(0, "/d")).await.unwrap();
    assert!(now.elapsed() >= Duration::from_secs(60), "a second failure in a row: {:?}", now.elapsed());
    // A request without an answer counts for half a minute, so that a task that holds a permit can wait for another one.
    let now = Instant::now();
    let next = gate.permit(&url(0, "/e")).await.unwrap();
    assert_eq!(now.elapsed().as_secs(), 30);
    assert_eq!(gate.unnoted(), 0);
    drop((held, next, first));
    assert_eq!(gate.unnoted(), 2);
}

#[tokio::test(start_paused = true)]
async fn bodies_can_be_limited() {
    let mut policy = GatePolicy::default();
    policy.origin_bodies = Some(2);
    let (gate, _) = gate("User-agent: *\nCrawl-delay: 0\n", policy);
    let mut bodies = Vec::new();
    for page in ["/a", "/b"] {
        bodies.push(gate.permit(&url(0, page)).await.unwrap().note_body(&Head::new(200)));
    }
    let refusal = gate.permit(&url(0, "/c")).await.unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "http://site-0.example/c: waited 120 s for the end of a body of the site that is being read, and the site made no progress"
    );
    bodies.pop();
    let now = Instant::now();
    gate.permit(&url(0, "/c")).await.unwrap().note(None);
    assert_eq!(now.elapsed(), Duration::ZERO);
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
    // The cache knows the site, so that a second gate does not ask. It waits for the delay after the request of the first.
    let other = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), GatePolicy::default());
    let now = Instant::now();
    let _permit = other.permit(&url(0, "/")).await.unwrap();
    assert_eq!((now.elapsed().as_secs(), count.load(Ordering::SeqCst)), (1, 2));
}

#[test]
fn a_gate_outlives_a_runtime() {
    let (gate, _) = gate("User-agent: *\nCrawl-delay: 0\n", GatePolicy::default());
    for page in 0..3 {
        let page = url(0, &format!("/{page}"));
        let permit = gate.permit(&page);
        let permit = runtime().block_on(async { timeout(Duration::from_secs(60), permit).await }).unwrap();
        permit.unwrap().note(Some(&Head::new(200)));
    }
}

fn runtime() -> Runtime {
    runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Asks for a permit, and fails if none comes within 30 seconds.
fn permit_in(runtime: &Runtime, gate: &AsyncGate, path: &str) -> Duration {
    let start = std::time::Instant::now();
    let permit =
        runtime.block_on(async { timeout(Duration::from_secs(30), gate.permit(&url(0, path))).await });
    permit.unwrap().unwrap().note(Some(&Head::new(200)));
    start.elapsed()
}

#[test]
fn a_runtime_that_is_not_polled_any_more_stops_nobody() {
    let mut policy = GatePolicy::default();
    policy.default_delay = Duration::from_millis(100);
    let (gate, _) = gate("", policy);
    let (first, second) = (runtime(), runtime());
    permit_in(&first, &gate, "/a");
    assert!(permit_in(&second, &gate, "/b") < Duration::from_secs(1));
    // Tasks of the first runtime wait, and the runtime is not polled any more. One of them even has its permit.
    let tasks: Vec<_> = (0..20)
        .map(|page| {
            let gate = gate.clone();
            first.spawn(async move { gate.permit(&url(0, &format!("/{page}"))).await.map(drop) })
        })
        .collect();
    first.block_on(async { sleep(Duration::from_millis(10)).await });
    assert!(permit_in(&second, &gate, "/c") < Duration::from_secs(12));
    assert!(permit_in(&second, &gate, "/d") < Duration::from_secs(1));
    // When it is polled again, its tasks get their permits.
    first.block_on(async {
        for task in tasks {
            timeout(Duration::from_secs(30), task).await.unwrap().unwrap().unwrap();
        }
    });
    assert_eq!(gate.waiting(), 0);
}

#[test]
fn a_runtime_that_ends_stops_nobody() {
    let (gate, _) = gate("", GatePolicy::default());
    let (first, second) = (runtime(), runtime());
    permit_in(&first, &gate, "/a");
    let other = gate.clone();
    first.spawn(async move { other.permit(&url(0, "/b")).await.map(drop) });
    first.block_on(async { sleep(Duration::from_millis(10)).await });
    let other = gate.clone();
    let waiting = std::thread::spawn(move || permit_in(&second, &other, "/c"));
    std::thread::sleep(Duration::from_millis(200));
    first.shutdown_background();
    assert!(waiting.join().unwrap() < Duration::from_secs(5));
}

#[test]
fn threads_and_runtimes_share_a_gate() {
    let mut policy = GatePolicy::default();
    policy.default_delay = Duration::from_millis(20);
    let (gate, count) = gate("", policy);
    let start = std::time::Instant::now();
    let threads: Vec<_> = (0..8)
        .map(|page| {
            let gate = gate.clone();
            std::thread::spawn(move || permit_in(&runtime(), &gate, &format!("/{page}")))
        })
        .collect();
    assert!(threads.into_iter().all(|thread| thread.join().is_ok()));
    assert!(start.elapsed() >= Duration::from_millis(20 * 8) && start.elapsed() < Duration::from_secs(10));
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[test]
fn a_runtime_without_timers_is_an_error_and_no_runtime_is_none() {
    let fetch = |retrieval: Retrieval| async move { outcome(&retrieval, "") };
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), GatePolicy::default());
    let without = runtime::Builder::new_current_thread().build().unwrap();
    let refusal = without.block_on(gate.permit(&url(0, "/a"))).unwrap_err();
    assert_eq!(refusal.reason(), &RefusalReason::NoTimers);
    assert!(refusal.to_string().contains("`enable_all`"), "{refusal}");
    // Without a runtime, a thread of the gate wakes the waiting thread.
    struct Unpark(std::thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let page = url(0, "/b");
    let mut permit = pin!(gate.permit(&page));
    let start = std::time::Instant::now();
    let permit = loop {
        match permit.as_mut().poll(&mut context) {
            Poll::Ready(permit) => break permit.unwrap(),
            Poll::Pending => std::thread::park_timeout(Duration::from_secs(10)),
        }
    };
    assert!(start.elapsed() >= Duration::from_millis(900) && start.elapsed() < Duration::from_secs(3));
    permit.note(Some(&Head::new(200)));
}

/// A client whose every site answers like this: the number in its host chooses.
fn misbehaving(retrieval: &Retrieval) -> Option<Outcome> {
    let now = SystemTime::now();
    let awaiting = AwaitingHead::new(&retrieval.origin, &retrieval.validators, &retrieval.profile, now);
    let failed = |kind| Some(awaiting.failure(Failure::new(kind, ""), now));
    match retrieval.origin.host().split(['-', '.']).nth(1) {
        Some("1") => failed(FailureKind::Connect),
        Some("2") => failed(FailureKind::Dns),
        Some("3") => failed(FailureKind::UnsupportedScheme),
        _ => None,
    }
}

#[tokio::test(start_paused = true)]
async fn sites_without_an_answer_are_refused_after_the_retries() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let fetch = move |retrieval: Retrieval| {
        counted.fetch_add(1, Ordering::SeqCst);
        async move { misbehaving(&retrieval).unwrap_or_else(|| outcome(&retrieval, "")) }
    };
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), GatePolicy::default());
    for (site, attempts, seconds, code, text) in [
        (1, 3, 3, "not-now", "could not connect"),
        (2, 3, 3, "not-now", "host name not found"),
        (3, 1, 0, "unsupported", "does not support the scheme `http`"),
    ] {
        let (start, before) = (Instant::now(), count.load(Ordering::SeqCst));
        let refusal = gate.permit(&url(site, "/a")).await.unwrap_err();
        let is_for_now = matches!(refusal.reason(), RefusalReason::NotNow { verdict: Some(_), .. });
        assert_eq!((refusal.code(), is_for_now), (code, code == "not-now"), "{refusal}");
        assert!(refusal.to_string().contains(text), "{refusal}");
        assert_eq!(start.elapsed().as_secs(), seconds, "{refusal}");
        assert_eq!(count.load(Ordering::SeqCst) - before, attempts, "{refusal}");
        // Others are refused at once.
        assert_eq!(gate.permit(&url(site, "/b")).await.unwrap_err().code(), code);
        assert_eq!(count.load(Ordering::SeqCst) - before, attempts, "{refusal}");
    }
}

#[tokio::test]
async fn a_dropped_future_leaves_nothing() {
    let fetch = |retrieval: Retrieval| async move {
        match retrieval.origin.host() {
            "site-0.example" => outcome_of(503, &retrieval, ""),
            _ => outcome(&retrieval, ""),
        }
    };
    let mut policy = GatePolicy::default();
    policy.max_stall = Duration::MAX;
    policy.max_bytes = 1 << 20;
    policy.default_delay = Duration::from_millis(5);
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), policy);
    let parked = url(0, "/parked");
    assert!(timeout(Duration::from_millis(20), gate.permit(&parked)).await.is_err());
    let bytes = gate.bytes();
    let long = "x".repeat(200);
    for page in 0..100_000 {
        let page = url(0, &format!("/{page}/{long}"));
        let mut permit = pin!(gate.permit(&page));
        assert!(
            core::future::poll_fn(|context| Poll::Ready(permit.as_mut().poll(context))).await.is_pending()
        );
    }
    assert_eq!((gate.waiting(), gate.bytes()), (0, bytes));
    // A dead site that fills its share leaves room for a healthy one.
    let mut tasks = JoinSet::new();
    for page in 0..4_000 {
        let (gate, page) = (gate.clone(), url(0, &format!("/{page}/{long}")));
        tasks.spawn(async move { gate.permit(&page).await.map(drop) });
    }
    let full = timeout(Duration::from_secs(30), tasks.join_next()).await.unwrap();
    assert_eq!(full.unwrap().unwrap().unwrap_err().code(), "full");
    assert!(gate.parked() > 500, "{gate:?}");
    let healthy = url(1, "/");
    timeout(Duration::from_secs(5), gate.permit(&healthy))
        .await
        .unwrap()
        .unwrap()
        .note(Some(&Head::new(200)));
    tasks.shutdown().await;
    assert_eq!(gate.waiting(), 0);
}

#[tokio::test(start_paused = true)]
async fn every_request_counts() {
    let fetch = |retrieval: Retrieval| async move {
        outcome(&retrieval, "User-agent: *\nCrawl-delay: 2\nSitemap: http://a.example/s.xml\n")
    };
    let cache = Arc::new(AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch));
    let gate = |name| AsyncGate::new(Arc::clone(&cache), Crawler::new(name).unwrap(), GatePolicy::default());
    let (one, other) = (gate("ExampleBot"), gate("OtherBot"));
    let start = Instant::now();
    // The retrieval by the cache counts.
    let decision = one.decide(&url(0, "/a")).await.unwrap();
    assert_eq!((decision.verdict.is_allowed(), decision.facts.sitemaps.len()), (true, 1));
    // So do the requests of another gate.
    for (turn, gate) in [&one, &other, &other, &one].into_iter().enumerate() {
        let permit = gate.permit(&url(0, "/a")).await.unwrap();
        assert_eq!(permit.decision().facts.crawl_delay, Some(Duration::from_secs(2)));
        permit.note(Some(&Head::new(200)));
        let least = Duration::from_secs(2 * (turn as u64 + 1));
        // The clock of the cache does not stand still in this test.
        let slack = Duration::from_millis(200);
        assert!(start.elapsed() + slack >= least && start.elapsed() < least + slack, "{:?}", start.elapsed());
    }
}

#[tokio::test]
async fn gate_and_cache_have_one_clock() {
    let (offset, first) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicUsize::new(0)));
    let (read, counted) = (Arc::clone(&offset), Arc::clone(&first));
    let clock = move || SystemTime::now() + Duration::from_secs(read.load(Ordering::SeqCst));
    let fetch_clock = clock.clone();
    let fetch = move |retrieval: Retrieval| {
        let body = match counted.fetch_add(1, Ordering::SeqCst) {
            0 => "User-agent: *\nCrawl-delay: 0\n",
            _ => "User-agent: *\nDisallow: /\n",
        };
        let now = fetch_clock();
        async move { outcome_at(200, &retrieval, body, now) }
    };
    let options = CacheOptions::new(SiteProfile::RFC9309).with_clock(clock);
    let gate = AsyncGate::new(
        AsyncCache::new(options, fetch),
        Crawler::new("ExampleBot").unwrap(),
        GatePolicy::default(),
    );
    gate.permit(&url(0, "/a")).await.unwrap().note(Some(&Head::new(200)));
    // A night later, the rules are too old.
    offset.store(25 * 60 * 60, Ordering::SeqCst);
    let page = url(0, "/b");
    let refusal = timeout(Duration::from_secs(10), gate.permit(&page)).await.unwrap().unwrap_err();
    assert_eq!(refusal.code(), "disallowed");
    // The clock is set back: nothing waits for a day.
    offset.store(0, Ordering::SeqCst);
    let refusal = timeout(Duration::from_secs(10), gate.permit(&page)).await.unwrap().unwrap_err();
    assert_eq!(refusal.code(), "disallowed");
}

#[tokio::test]
async fn jumps_of_the_clock_neither_stop_waiters_nor_hurry_them() {
    let offset = Arc::new(AtomicU64::new(0));
    let read = Arc::clone(&offset);
    // Far from 1970, so that it can also be set back.
    let clock = move || SystemTime::now() + Duration::from_secs(read.load(Ordering::SeqCst));
    let fetch_clock = clock.clone();
    let fetch = move |retrieval: Retrieval| {
        let now = fetch_clock();
        async move { outcome_at(200, &retrieval, "User-agent: *\nCrawl-delay: 0.3\n", now) }
    };
    let options = CacheOptions::new(SiteProfile::RFC9309).with_clock(clock);
    let cache = AsyncCache::new(options, fetch);
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), GatePolicy::default());
    let mut tasks = JoinSet::new();
    for page in 0..12 {
        let gate = gate.clone();
        tasks.spawn(async move {
            gate.permit(&url(0, &format!("/{page}"))).await.unwrap().note(Some(&Head::new(200)));
            std::time::Instant::now()
        });
    }
    let jumps = async {
        const DAY: u64 = 24 * 60 * 60;
        // A suspend of two days, back by two days, far ahead, back, and small steps.
        for seconds in [2 * DAY, 0, 10_000 * DAY, 3, 0, 1] {
            sleep(Duration::from_millis(350)).await;
            offset.store(seconds, Ordering::SeqCst);
        }
    };
    let all = timeout(Duration::from_secs(30), async { tokio::join!(tasks.join_all(), jumps).0 });
    let mut times = all.await.unwrap();
    times.sort_unstable();
    for pair in times.windows(2) {
        assert!(pair[1] - pair[0] >= Duration::from_millis(250), "{:?}", pair[1] - pair[0]);
    }
}

#[tokio::test]
async fn a_task_that_is_polled_seldom_gets_its_permits() {
    let (gate, _) = gate("User-agent: *\nCrawl-delay: 0.1\n", GatePolicy::default());
    let other = gate.clone();
    let seldom = tokio::spawn(async move {
        for page in 0..2 {
            other.permit(&url(0, &format!("/{page}"))).await.unwrap().note(Some(&Head::new(200)));
        }
    });
    // Each permit comes while the thread is busy, for longer than a permit is kept for a task.
    let busy = tokio::spawn(async {
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(2_500));
            tokio::task::yield_now().await;
        }
    });
    timeout(Duration::from_secs(30), seldom).await.unwrap().unwrap();
    busy.await.unwrap();
    assert_eq!(gate.waiting(), 0);
}

#[tokio::test]
async fn permits_that_are_dropped_at_any_poll_leave_nothing() {
    let mut policy = GatePolicy::default();
    policy.default_delay = Duration::from_millis(2);
    let fetch = |retrieval: Retrieval| async move {
        tokio::task::yield_now().await;
        assert!(retrieval.origin.host() != "site-3.example", "a client that panics");
        outcome(&retrieval, "")
    };
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), policy);
    let mut permits = 0;
    for page in 0..2_000_usize {
        let page_url = url(page % 4, &format!("/{page}"));
        let mut permit = pin!(gate.permit(&page_url));
        let mut left = page % 5;
        let ended = core::future::poll_fn(|context| match permit.as_mut().poll(context) {
            Poll::Ready(permit) => Poll::Ready(Some(permit)),
            Poll::Pending if left == 0 => Poll::Ready(None),
            Poll::Pending => {
                left -= 1;
                Poll::Pending
            }
        });
        let ended = if page % 4 == 3 {
            timeout(Duration::from_millis(1), ended).await.ok().flatten()
        } else {
            ended.await
        };
        if let Some(Ok(permit)) = ended {
            permits += 1;
            // Every other permit is dropped without a note.
            if page % 2 == 0 {
                permit.note(Some(&Head::new(200)));
            }
        }
    }
    assert!(permits > 500, "{permits}");
    assert_eq!(gate.waiting(), 0);
    for site in 0..3 {
        let page = url(site, "/last");
        timeout(Duration::from_secs(5), gate.permit(&page)).await.unwrap().unwrap().note(None);
    }
}

/// A waker that is the only owner of what it has, as in executors whose waiting tasks belong to their wakers.
struct Owner(
    #[expect(dead_code, reason = "it is dropped with the waker")] Box<dyn core::any::Any + Send + Sync>,
);

impl Wake for Owner {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn a_waker_may_own_another_wait_of_the_gate() {
    let (gate, _) = gate("User-agent: *\nCrawl-delay: 20\n", GatePolicy::default());
    for is_replaced in [true, false] {
        let (owned, outer) = (gate.clone(), gate.clone());
        let mut inner = Box::pin(async move { owned.permit(&url(0, "/inner")).await.is_ok() });
        assert!(inner.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        let waker = Waker::from(Arc::new(Owner(Box::new(std::sync::Mutex::new(inner)))));
        let mut permit = Box::pin(async move { outer.permit(&url(0, "/outer")).await.is_ok() });
        assert!(permit.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        drop(waker);
        assert_eq!(gate.waiting(), 2);
        if is_replaced {
            assert!(permit.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            assert_eq!(gate.waiting(), 1);
        }
        drop(permit);
        assert_eq!(gate.waiting(), 0);
    }
}

#[test]
fn look_ups_that_get_no_thread_have_an_end() {
    let mut policy = GatePolicy::default();
    policy.address_delay = Duration::from_millis(1);
    policy.default_delay = Duration::ZERO;
    let (gate, _) = gate("", policy);
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(1)
        .enable_all()
        .build()
        .unwrap();
    // The only thread that could look up the host waits for the permit.
    let waiting = runtime.spawn_blocking(move || {
        let page = "http://localhost:1/page".parse().unwrap();
        runtime::Handle::current().block_on(gate.permit(&page)).map(drop)
    });
    runtime.block_on(async { timeout(Duration::from_secs(60), waiting).await }).unwrap().unwrap().unwrap();
}
