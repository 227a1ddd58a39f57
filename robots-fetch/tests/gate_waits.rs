//! For how long a URL waits at the gate, and what counts for the delay of its site, in simulated time.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use alloc::task::Wake;
use core::pin::{Pin, pin};
use core::sync::atomic::{AtomicU64, Ordering};
use core::task::{Context, Poll};
use core::time::Duration;

use robots_fetch::matching::Crawler;
use robots_fetch::testing::{Clock, Sites};
use robots_fetch::{
    AsyncCache, AsyncFetch, AsyncGate, AsyncTransport, Awaited, AwaitingHead, CacheOptions, Failure,
    FailureKind, GatePolicy, Head, NextStep, Outcome, RefusalReason, Request, Retrieval, RetrievalLimits,
    SiteProfile,
};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use url::Url;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn url(host: &str) -> Url {
    format!("http://{host}/page").parse().unwrap()
}

fn gate(
    clock: &Clock,
    client: impl AsyncFetch + 'static,
    policy: GatePolicy,
    limits: RetrievalLimits,
) -> AsyncGate {
    let mut options = CacheOptions::new(SiteProfile::RFC9309).with_clock(clock.reader());
    options.retrievals = limits;
    AsyncGate::new(AsyncCache::new(options, client), Crawler::new("ExampleBot").unwrap(), policy)
}

/// Sites that take a time to answer, and whose requests take a time to be sent.
#[derive(Clone)]
struct Slow {
    sites: Sites,
    clock: Clock,
    to_send: Duration,
}

impl AsyncFetch for Slow {
    fn fetch<'a>(&'a self, retrieval: Retrieval) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        let mut connection = Connection { client: self.clone(), retrieval };
        Box::pin(async move {
            let Retrieval { origin, validators, profile, .. } = connection.retrieval.clone();
            Outcome::retrieve_async(&mut connection, &origin, &validators, &profile).await
        })
    }
}

struct Connection {
    client: Slow,
    retrieval: Retrieval,
}

impl AsyncTransport for Connection {
    type Body = Vec<u8>;

    async fn send(&mut self, request: &Request) -> Result<(Head, Vec<u8>), Failure> {
        if request.url.host_str().unwrap().starts_with("hanging") {
            sleep(seconds(30)).await;
            return Err(Failure::new(FailureKind::Timeout, "no answer"));
        }
        sleep(self.client.to_send).await;
        self.client.sites.request(&request.url)
    }

    async fn read(&mut self, body: &mut Vec<u8>, buffer: &mut [u8]) -> Result<usize, Failure> {
        let bytes = body.len().min(buffer.len());
        buffer.iter_mut().zip(body.drain(..bytes)).for_each(|(to, from)| *to = from);
        Ok(bytes)
    }

    fn retrieval(&self) -> Option<&Retrieval> {
        Some(&self.retrieval)
    }

    fn now(&self) -> std::time::SystemTime {
        self.client.clock.now()
    }
}

#[tokio::test(start_paused = true)]
async fn a_robots_txt_that_never_decides_is_no_progress() {
    for (status, retry_after) in
        [(429, "5"), (503, "5"), (503, "90"), (429, "110"), (500, ""), (503, ""), (429, "")]
    {
        for stall in [30, 120, 600, 1000, 2 * 60 * 60] {
            let clock = Clock::of_runtime();
            let sites = Sites::new(&clock);
            let head = Head::new(status).with_field("Retry-After", retry_after);
            sites.answers("http://a.example/robots.txt", [(head, "")]);
            let mut policy = GatePolicy::default();
            policy.max_stall = seconds(stall);
            let gate = gate(&clock, sites.clone(), policy, RetrievalLimits::DEFAULT);
            let start = Instant::now();
            let tasks: JoinSet<_> = ["/a", "/b"]
                .map(|path| {
                    let (gate, url) = (gate.clone(), url("a.example").join(path).unwrap());
                    async move { gate.permit(&url).await.unwrap_err().code() }
                })
                .into_iter()
                .collect();
            let codes = tokio::time::timeout(seconds(24 * 60 * 60), tasks.join_all()).await;
            let case = format!("{status} {retry_after}, {stall} s: {:?}", start.elapsed());
            let codes = codes.unwrap_or_else(|_| panic!("{case}"));
            assert!(codes.iter().all(|code| ["not-now", "stalled"].contains(code)), "{case}: {codes:?}");
            assert!(start.elapsed() <= seconds(stall + 1), "{case}");
            assert_eq!((gate.waiting(), gate.parked()), (0, 0), "{case}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_delay_counts_from_the_request_and_not_from_its_turn() {
    let clock = Clock::of_runtime();
    let sites = Sites::new(&clock);
    let mut limits = RetrievalLimits::DEFAULT;
    limits.per_second = Some(1);
    let client = Slow { sites: sites.clone(), clock: clock.clone(), to_send: seconds(2) };
    let gate = gate(&clock, client, GatePolicy::default(), limits);
    let mut tasks = JoinSet::new();
    for number in 0..12 {
        let host = format!("site-{number}.example");
        let robots = format!("http://{host}/robots.txt");
        sites.answers(&robots, [(Head::new(200), "User-agent: *\nCrawl-delay: 5\n")]);
        let (gate, sites) = (gate.clone(), sites.clone());
        tasks.spawn(async move {
            let permit = gate.permit(&url(&host)).await.unwrap();
            permit.note(Some(&sites.request(permit.url()).unwrap().0));
        });
    }
    tasks.join_all().await;
    assert_eq!(sites.requests().len(), 24);
    sites.assert_gaps(seconds(5));
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_sent_late_makes_no_gap_shorter() {
    let clock = Clock::of_runtime();
    let sites = Sites::new(&clock);
    sites.answers("http://a.example/robots.txt", [(Head::new(200), "User-agent: *\nCrawl-delay: 1\n")]);
    for most in [1, 3] {
        let mut policy = GatePolicy::default();
        policy.origin_requests = most;
        let gate = gate(&clock, sites.clone(), policy, RetrievalLimits::DEFAULT);
        for late in [20, 1, 15, 0] {
            let permit = gate.permit(&url("a.example")).await.unwrap();
            sleep(Duration::from_millis(late)).await;
            permit.note(Some(&sites.request(permit.url()).unwrap().0));
        }
        sleep(seconds(1)).await;
    }
    sites.assert_gaps(seconds(1));
}

#[tokio::test(start_paused = true)]
async fn sites_that_hang_do_not_end_the_wait_of_others() {
    let clock = Clock::of_runtime();
    let sites = Sites::new(&clock);
    let mut limits = RetrievalLimits::DEFAULT;
    limits.concurrent = 8;
    let client = Slow { sites, clock: clock.clone(), to_send: Duration::ZERO };
    let gate = gate(&clock, client, GatePolicy::default(), limits);
    let mut hanging = JoinSet::new();
    for number in 0..100 {
        let gate = gate.clone();
        hanging.spawn(async move { gate.permit(&url(&format!("hanging-{number}.example"))).await.map(drop) });
    }
    sleep(seconds(1)).await;
    let start = Instant::now();
    gate.permit(&url("healthy.example")).await.unwrap().note(Some(&Head::new(200)));
    // All that came before take 13 turns, and half of the places are not for retries.
    assert!(start.elapsed() < seconds(2 * 13 * 30), "{:?}", start.elapsed());
    for ended in hanging.join_all().await {
        assert_eq!(ended.unwrap_err().code(), "not-now", "each was asked");
    }
}

#[tokio::test(start_paused = true)]
async fn a_queue_of_retrievals_that_does_not_move_is_no_wait_without_an_end() {
    let clock = Clock::of_runtime();
    let mut limits = RetrievalLimits::DEFAULT;
    limits.concurrent = 1;
    let fetch = |_: Retrieval| core::future::pending();
    let gate = gate(&clock, fetch, GatePolicy::default(), limits);
    let other = tokio::spawn({
        let gate = gate.clone();
        async move { gate.permit(&url("a.example")).await.map(drop) }
    });
    sleep(seconds(1)).await;
    let start = Instant::now();
    let refusal = gate.permit(&url("b.example")).await.unwrap_err();
    assert!(
        matches!(refusal.reason(), RefusalReason::Stalled { awaited: Awaited::Retrieval, .. }),
        "{refusal}"
    );
    assert!(start.elapsed() <= seconds(121), "{:?}", start.elapsed());
    let refusal = other.await.unwrap().unwrap_err();
    assert!(matches!(refusal.reason(), RefusalReason::Stalled { awaited: Awaited::Rules, .. }), "{refusal}");
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_forward_shortens_no_delay_and_no_pause() {
    for (head, least) in
        [(Head::new(200), 10), (Head::new(429).with_field("Retry-After", "100"), 100), (Head::new(503), 30)]
    {
        for steps in [&[3_600_000][..], &[2_000], &[900; 20], &[900, 3_600_000, 0, 900]] {
            let (clock, offset) = (Clock::of_runtime(), Arc::new(AtomicU64::new(0)));
            let sites = Sites::new(&clock);
            sites.answers(
                "http://a.example/robots.txt",
                [(Head::new(200), "User-agent: *\nCrawl-delay: 10\n")],
            );
            let (read, set) = (clock.clone(), Arc::clone(&offset));
            let time = move || read.now() + Duration::from_millis(set.load(Ordering::SeqCst));
            let options = CacheOptions::new(SiteProfile::RFC9309).with_clock(time);
            let cache = AsyncCache::new(options, sites);
            let gate =
                |name| AsyncGate::new(cache.clone(), Crawler::new(name).unwrap(), GatePolicy::default());
            let (one, other) = (gate("ExampleBot"), gate("OtherBot"));
            one.permit(&url("a.example")).await.unwrap().note(Some(&head));
            let start = Instant::now();
            let steps_of_clock = async {
                for step in steps {
                    sleep(Duration::from_millis(200)).await;
                    offset.fetch_add(*step, Ordering::SeqCst);
                    let _ = (one.waiting(), other.waiting());
                }
                one.permit(&url("a.example")).await.unwrap().note(Some(&Head::new(200)));
                start.elapsed()
            };
            let waited = steps_of_clock.await;
            assert!(waited >= seconds(least) && waited < seconds(2 * least), "{least} {steps:?}: {waited:?}");
            // Another gate over the cache keeps to the delay, too.
            offset.fetch_add(3_600_000, Ordering::SeqCst);
            let start = Instant::now();
            other.permit(&url("a.example")).await.unwrap().note(Some(&Head::new(200)));
            assert!(start.elapsed() >= seconds(9), "{:?}", start.elapsed());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_while_a_request_is_under_way_makes_no_harm() {
    let (clock, offset) = (Clock::of_runtime(), Arc::new(AtomicU64::new(7_200_000)));
    let sites = Sites::new(&clock);
    for port in [8001, 8002] {
        let robots = format!("http://127.0.0.1:{port}/robots.txt");
        sites.answers(&robots, [(Head::new(200), "User-agent: *\nDisallow:\n")]);
    }
    let (read, set) = (clock.clone(), Arc::clone(&offset));
    let time = move || read.now() + Duration::from_millis(set.load(Ordering::SeqCst));
    let options = CacheOptions::new(SiteProfile::RFC9309).with_clock(time);
    let client = Slow { sites, clock: clock.clone(), to_send: seconds(5) };
    let mut policy = GatePolicy::default();
    policy.address_delay = seconds(10);
    let cache = AsyncCache::new(options, client);
    let gate = AsyncGate::new(cache.clone(), Crawler::new("ExampleBot").unwrap(), policy);
    // Back by an hour, while robots.txt is retrieved.
    let waiting = tokio::spawn({
        let gate = gate.clone();
        async move { gate.permit(&url("127.0.0.1:8001")).await }
    });
    sleep(seconds(2)).await;
    offset.fetch_sub(3_600_000, Ordering::SeqCst);
    let permit = waiting.await.unwrap().unwrap();
    permit.note(Some(&Head::new(200)));
    // The file of the other site is known, so only its page is requested.
    gate.permit(&url("127.0.0.1:8002")).await.unwrap().note(Some(&Head::new(200)));
    let permit = gate.permit(&url("127.0.0.1:8001")).await.unwrap();
    // Forward by an hour, before the answer for the page is noted.
    offset.fetch_add(3_600_000, Ordering::SeqCst);
    let start = Instant::now();
    permit.note(Some(&Head::new(200)));
    gate.permit(&url("127.0.0.1:8002")).await.unwrap().note(Some(&Head::new(200)));
    assert!(start.elapsed() >= seconds(10), "{:?}", start.elapsed());
}

/// A client that needs a runtime.
async fn in_a_runtime(retrieval: Retrieval) -> Outcome {
    let Retrieval { origin, validators, profile, .. } = &retrieval;
    let now = std::time::SystemTime::now();
    let awaiting = AwaitingHead::new(origin, validators, profile, now);
    match tokio::runtime::Handle::try_current() {
        Ok(_) => match awaiting.head(&Head::new(404), now) {
            NextStep::Done(outcome) => outcome,
            _ => panic!("status 404 has no file"),
        },
        Err(_) => awaiting.failure(Failure::new(FailureKind::NoRuntime, "").local(), now),
    }
}

/// Polls a future outside of a runtime until it ends.
fn wait<F: Future>(future: F) -> F::Output {
    struct Unpark(std::thread::Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let waker = Arc::new(Unpark(std::thread::current())).into();
    let (mut context, mut future) = (Context::from_waker(&waker), pin!(future));
    loop {
        if let Poll::Ready(done) = future.as_mut().poll(&mut context) {
            return done;
        }
        std::thread::park();
    }
}

#[test]
fn a_caller_without_a_runtime_spoils_no_site_for_others() {
    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), in_a_runtime);
    let bot = Crawler::new("ExampleBot").unwrap();
    let gate = AsyncGate::new(cache.clone(), bot.clone(), GatePolicy::default());
    let refusal = wait(gate.permit(&url("a.example"))).unwrap_err();
    assert!(refusal.to_string().contains("needs a tokio runtime"), "{refusal}");
    assert!(!wait(cache.check(&url("b.example"), &bot)).unwrap().is_allowed());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let start = Instant::now();
        gate.permit(&url("a.example")).await.unwrap().note(Some(&Head::new(200)));
        assert!(start.elapsed() < seconds(3), "{:?}", start.elapsed());
        assert!(cache.check(&url("b.example"), &bot).await.unwrap().is_allowed());
    });
}

#[test]
fn the_waker_of_a_stranger_may_panic() {
    struct Bad;

    impl Wake for Bad {
        fn wake(self: Arc<Self>) {
            panic!("the executor is gone");
        }
    }

    let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), in_a_runtime);
    let mut policy = GatePolicy::default();
    policy.default_delay = Duration::from_millis(300);
    let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), policy);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let page = url("a.example");
    runtime.block_on(gate.permit(&page)).unwrap().note(Some(&Head::new(200)));
    let waker = Arc::new(Bad).into();
    for _ in 0..2 {
        // The thread that wakes tasks outside of runtimes meets this waker, and so does the task of the next permit.
        let mut bad = Box::pin(gate.permit(&page));
        assert!(bad.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        std::thread::sleep(Duration::from_millis(600));
        drop(bad);
        wait(gate.permit(&page)).unwrap().note(Some(&Head::new(200)));
    }
}
