//! A gate over scripted sites, in paused time: order, gaps, pauses and refusals.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use core::time::Duration;

use robots_fetch::matching::Crawler;
use robots_fetch::testing::{Clock, Sites};
use robots_fetch::{
    AsyncCache, AsyncGate, CacheOptions, FailureKind, GatePolicy, Head, RefusalReason, SiteProfile,
};
use tokio::time::Instant;
use url::Url;

const ROBOTS: &str = "User-agent: *\nCrawl-delay: 3\nDisallow: /private\n";

fn gate(sites: &Sites, clock: &Clock) -> AsyncGate {
    let cache =
        AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309).with_clock(clock.reader()), sites.clone());
    AsyncGate::new(cache, Crawler::new("ExampleBot").unwrap(), GatePolicy::default())
}

async fn visit(gate: &AsyncGate, sites: &Sites, url: &str) -> Result<u16, RefusalReason> {
    let url: Url = url.parse().unwrap();
    let permit = gate.permit(&url).await.map_err(|refusal| refusal.reason().clone())?;
    let answer = sites.request(&url).ok();
    permit.note(answer.as_ref().map(|(head, _)| head));
    Ok(answer.map_or(0, |(head, _)| head.status()))
}

#[tokio::test(start_paused = true)]
async fn requests_have_their_gaps_and_pauses() {
    let clock = Clock::of_runtime();
    let sites = Sites::new(&clock);
    for host in ["a.example", "b.example"] {
        sites.answers(&format!("https://{host}/robots.txt"), [(Head::new(200), ROBOTS)]);
        sites.answers(&format!("https://{host}/1"), [(Head::new(200), "")]);
    }
    sites.answers(
        "https://a.example/busy",
        [(Head::new(503).with_field("Retry-After", "60"), ""), (Head::new(200), "")],
    );
    let gate = gate(&sites, &clock);
    let start = Instant::now();
    assert_eq!(visit(&gate, &sites, "https://a.example/1").await, Ok(200));
    assert_eq!(visit(&gate, &sites, "https://b.example/1").await, Ok(200));
    assert_eq!(start.elapsed().as_secs(), 6);
    assert_eq!(visit(&gate, &sites, "https://a.example/busy").await, Ok(503));
    let paused = Instant::now();
    assert_eq!(visit(&gate, &sites, "https://a.example/busy").await, Ok(200));
    assert_eq!(paused.elapsed().as_secs(), 60);
    let refused = visit(&gate, &sites, "https://a.example/private").await.unwrap_err();
    assert!(matches!(refused, RefusalReason::Disallowed(verdict) if verdict.line() == Some(3)));
    sites.assert_gaps(Duration::from_secs(3));
    sites.assert_order(&[
        "https://a.example/robots.txt",
        "https://a.example/1",
        "https://b.example/robots.txt",
        "https://b.example/1",
        "https://a.example/busy",
        "https://a.example/busy",
    ]);
}

#[tokio::test(start_paused = true)]
async fn a_site_without_an_answer_is_refused_after_its_retries() {
    let clock = Clock::of_runtime();
    let sites = Sites::new(&clock);
    sites.fails("https://down.example/robots.txt", FailureKind::Connect);
    let gate = gate(&sites, &clock);
    let start = Instant::now();
    let refused = visit(&gate, &sites, "https://down.example/").await.unwrap_err();
    assert!(matches!(refused, RefusalReason::NotNow { .. }), "{refused:?}");
    assert_eq!((sites.requests().len(), start.elapsed().as_secs()), (3, 3));
    assert_eq!((gate.waiting(), gate.parked()), (0, 0));
}

#[test]
fn assertions_name_what_they_found() {
    let clock = Clock::new();
    let sites = Sites::new(&clock);
    let url: Url = "https://a.example/".parse().unwrap();
    sites.request(&url).unwrap();
    clock.advance(Duration::from_millis(900));
    sites.request(&url).unwrap();
    sites.assert_gaps(Duration::from_millis(900));
    let close = std::panic::catch_unwind(|| sites.assert_gaps(Duration::from_secs(1))).unwrap_err();
    let text = close.downcast_ref::<String>().unwrap();
    assert_eq!(text, "https://a.example/ was requested 900ms after https://a.example/, and not 1s");
}
