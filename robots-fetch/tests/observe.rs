//! The events and counters of retrievals, caches and the gate.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use core::fmt;
use core::time::Duration;
use std::sync::Mutex;
use std::time::SystemTime;

use metrics::{
    Counter, CounterFn, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};
use robots_fetch::matching::Crawler;
use robots_fetch::{
    AsyncCache, AsyncGate, AsyncTransport, AwaitingHead, Cache, CacheOptions, Entry, Failure, GatePolicy,
    Head, NextStep, Origin, Outcome, Request, Retrieval, SiteProfile, Store, StoreError,
};
use tracing::field::{Field, Visit};
use tracing::span;

/// The lines that were observed.
type Lines = Arc<Mutex<Vec<String>>>;

/// A subscriber that writes spans and events of this crate as lines.
struct Events(Lines);

#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() != "message" {
            self.0 += &format!(" {}={value:?}", field.name());
        }
    }
}

impl tracing::Subscriber for Events {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target() == "robots_fetch"
    }

    fn new_span(&self, attributes: &span::Attributes<'_>) -> span::Id {
        let mut text = Text::default();
        attributes.record(&mut text);
        let (level, name) = (attributes.metadata().level(), attributes.metadata().name());
        self.0.lock().unwrap().push(format!("{level} span {name}{}", text.0));
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut text = Text::default();
        event.record(&mut text);
        let (level, name) = (event.metadata().level(), event.metadata().name());
        self.0.lock().unwrap().push(format!("{level} {name}{}", text.0));
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// A recorder that writes counts as lines.
struct Counts(Lines);

struct Count(String, Lines);

impl CounterFn for Count {
    fn increment(&self, value: u64) {
        self.1.lock().unwrap().push(format!("{} {value}", self.0));
    }

    fn absolute(&self, _: u64) {}
}

impl HistogramFn for Count {
    fn record(&self, value: f64) {
        self.1.lock().unwrap().push(format!("{} {}", self.0, value < 60.0));
    }
}

fn name(key: &Key) -> String {
    let labels = key.labels().map(|label| format!(" {}={}", label.key(), label.value()));
    key.name().to_owned() + &labels.collect::<String>()
}

impl Recorder for Counts {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(Arc::new(Count(name(key), Arc::clone(&self.0))))
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(Arc::new(Count(name(key), Arc::clone(&self.0))))
    }
}

/// A site whose robots.txt moved once.
struct Moved(bool);

impl AsyncTransport for Moved {
    type Body = &'static [u8];

    async fn send(&mut self, _: &Request) -> Result<(Head, Self::Body), Failure> {
        self.0 = !self.0;
        if self.0 {
            return Ok((Head::new(301).with_field("Location", "/files/robots.txt"), b""));
        }
        Ok((Head::new(200), b"User-agent: *\nCrawl-delay: 0\nDisallow: /private\n"))
    }

    async fn read(&mut self, body: &mut Self::Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        Ok(std::io::Read::read(body, buffer).unwrap())
    }
}

#[test]
fn events_and_counters_have_the_documented_names() {
    let (events, counts) = (Lines::default(), Lines::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let crawl = async {
        let fetch = |retrieval: Retrieval| async move {
            let Retrieval { origin, validators, profile, .. } = &retrieval;
            Outcome::retrieve_async(&mut Moved(false), origin, validators, profile).await
        };
        let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
        let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), GatePolicy::default());
        gate.permit(&"https://me:secret@example.com/page?token=1".parse().unwrap())
            .await
            .unwrap()
            .note(Some(&Head::new(200)));
        gate.permit(&"https://me:secret@example.com/private".parse().unwrap()).await.unwrap_err();
    };
    tracing::subscriber::with_default(Events(Arc::clone(&events)), || {
        metrics::with_local_recorder(&Counts(Arc::clone(&counts)), || runtime.block_on(crawl));
    });
    let events: Vec<_> = events
        .lock()
        .unwrap()
        .iter()
        .map(|line| line.split(" waited_ms").next().unwrap().to_owned())
        .collect();
    for expected in [
        "DEBUG miss origin=https://example.com",
        "DEBUG span retrieval origin=https://example.com",
        "DEBUG redirect status=301 to=https://example.com/files/robots.txt",
        "DEBUG outcome result=\"file\" status=200 bytes=48 requests=2",
        "TRACE permit url=https://example.com/page?…",
        "DEBUG refusal url=https://example.com/private code=\"disallowed\" reason=disallowed by line 3",
    ] {
        assert_eq!(events.iter().filter(|line| *line == expected).count(), 1, "{expected}: {events:#?}");
    }
    let counts = counts.lock().unwrap();
    for expected in [
        "robots_cache_misses_total 1",
        "robots_redirects_total 1",
        "robots_retrievals_total result=file 1",
        "robots_permits_total 1",
        "robots_permit_wait_seconds true",
        "robots_refusals_total code=disallowed 1",
    ] {
        assert_eq!(counts.iter().filter(|line| *line == expected).count(), 1, "{expected}: {counts:#?}");
    }
    // The guide lists all names.
    let guide = include_str!("../guide/observing.md");
    let source = include_str!("../src/observe.rs");
    for name in source.split('"').filter(|text| text.starts_with("robots_") && *text != "robots_fetch") {
        assert!(guide.contains(&format!("`{name}`")), "{name} is not in guide/observing.md");
    }
}

/// A store that does not work.
struct Broken;

impl Store for Broken {
    fn get(&self, _: &Origin) -> Result<Option<Arc<Entry>>, StoreError> {
        Err(StoreError::Busy { path: "cache.db".to_owned() })
    }

    fn put(&self, _: &Origin, _: &Arc<Entry>) -> Result<(), StoreError> {
        Ok(())
    }

    fn remove(&self, _: &Origin) -> Result<(), StoreError> {
        Ok(())
    }
}

#[test]
fn questions_to_a_cache_are_observed() {
    let (events, counts) = (Lines::default(), Lines::default());
    let clock = Arc::new(Mutex::new(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)));
    let ask = || {
        let (now, of_client) = (Arc::clone(&clock), Arc::clone(&clock));
        let client = move |retrieval: Retrieval| {
            let Retrieval { origin, validators, profile, .. } = &retrieval;
            let now = *of_client.lock().unwrap();
            let head = Head::new(200).with_field("Cache-Control", "max-age=100, stale-while-revalidate=100");
            let awaiting = AwaitingHead::new(origin, validators, profile, now);
            let NextStep::Read(body) = awaiting.head(&head, now) else { panic!("200 has a body") };
            body.end(now)
        };
        let options = CacheOptions::new(SiteProfile::RFC9309)
            .with_store(Broken)
            .with_clock(move || *now.lock().unwrap());
        let cache = Cache::new(options, client);
        let (url, bot) =
            ("https://example.com:8443/page".parse().unwrap(), Crawler::new("ExampleBot").unwrap());
        cache.check(&url, &bot).unwrap();
        cache.check(&url, &bot).unwrap();
        cache.permission(&url, &Crawler::unnamed()).unwrap();
        let _ = cache.get(&Origin::from_url(&url).unwrap());
        *clock.lock().unwrap() += Duration::from_secs(150);
        cache.decide(&url, &bot).unwrap();
    };
    tracing::subscriber::with_default(Events(Arc::clone(&events)), || {
        metrics::with_local_recorder(&Counts(Arc::clone(&counts)), ask);
    });
    // Events of the retrieval in the background belong to another thread.
    assert_eq!(
        *events.lock().unwrap(),
        [
            "DEBUG miss origin=https://example.com:8443",
            "WARN store_error error=store `cache.db` is in use",
            "TRACE hit origin=https://example.com:8443",
            "TRACE hit origin=https://example.com:8443",
            "TRACE hit origin=https://example.com:8443",
            "DEBUG stale origin=https://example.com:8443",
        ]
    );
    assert_eq!(
        *counts.lock().unwrap(),
        [
            "robots_cache_misses_total 1",
            "robots_store_errors_total 1",
            "robots_cache_hits_total 1",
            "robots_cache_hits_total 1",
            "robots_cache_hits_total 1",
            "robots_cache_stale_total 1",
        ]
    );
}

#[test]
fn only_urls_that_wait_are_parked() {
    let events = Lines::default();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let crawl = async {
        let fetch = |retrieval: Retrieval| async move {
            let Retrieval { origin, validators, profile, .. } = &retrieval;
            let now = SystemTime::now();
            let pause = if origin.host() == "away.example" { "3600" } else { "90" };
            let head = Head::new(503).with_field("Retry-After", pause);
            let NextStep::Done(outcome) =
                AwaitingHead::new(origin, validators, profile, now).head(&head, now)
            else {
                panic!("503 has no file")
            };
            outcome
        };
        let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
        let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), GatePolicy::default());
        for site in ["away", "busy"] {
            let url = format!("https://{site}.example/page").parse().unwrap();
            let _ = tokio::time::timeout(Duration::from_secs(1), gate.permit(&url)).await;
        }
    };
    tracing::subscriber::with_default(Events(Arc::clone(&events)), || runtime.block_on(crawl));
    let events = events.lock().unwrap();
    let parked: Vec<_> = events.iter().filter(|line| line.starts_with("INFO parked")).collect();
    assert_eq!(parked.len(), 1, "{events:#?}");
    assert!(
        parked.iter().all(|line| line.starts_with("INFO parked origin=https://busy.example")),
        "{parked:?}"
    );
}
