//! The events and counters of retrievals and of the gate.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use core::fmt;
use std::sync::Mutex;

use metrics::{
    Counter, CounterFn, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};
use robots_fetch::matching::Crawler;
use robots_fetch::{
    AsyncCache, AsyncGate, AsyncTransport, CacheOptions, Failure, GatePolicy, Head, Request, Retrieval,
    SiteProfile, retrieve_async,
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
            retrieve_async(&mut Moved(false), origin, validators, profile).await
        };
        let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
        let gate = AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), GatePolicy::default());
        drop(gate.permit(&"https://example.com/page".parse().unwrap()).await.unwrap());
        gate.permit(&"https://example.com/private".parse().unwrap()).await.unwrap_err();
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
        "DEBUG span retrieval origin=https://example.com",
        "DEBUG redirect status=301 to=https://example.com/files/robots.txt",
        "DEBUG outcome result=\"file\" status=200 bytes=48 requests=2",
        "TRACE permit url=https://example.com/page",
        "DEBUG refusal url=https://example.com/private code=\"disallowed\" reason=disallowed by line 3",
    ] {
        assert_eq!(events.iter().filter(|line| *line == expected).count(), 1, "{expected}: {events:#?}");
    }
    let counts = counts.lock().unwrap();
    for expected in [
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
