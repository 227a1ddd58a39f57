//! The memory that a cache holds, and that a question from memory allocates nothing.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use core::fmt::Write as _;
use std::time::SystemTime;

use peak_alloc::PeakAlloc;
use robots_fetch::matching::Crawler;
use robots_fetch::{AwaitingHead, Cache, CacheOptions, Fetch, Head, NextStep, Retrieval, SiteProfile};
use url::Url;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A cache whose origins have files of about this many bytes; without a file, they answer 404.
fn cache_of(bytes: usize) -> Cache<impl Fetch> {
    let mut options = CacheOptions::new(SiteProfile::RFC9309);
    (options.limits.entries, options.limits.bytes) = (1_000_000, 1 << 30);
    Cache::new(options, move |retrieval: Retrieval| {
        let Retrieval { origin, validators, profile, .. } = &retrieval;
        let now = SystemTime::now();
        let status = if bytes == 0 { 404 } else { 200 };
        let head = Head::new(status)
            .with_field("etag", "\"5f3b-1a2b3c4d5e6f7\"")
            .with_field("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT")
            .with_field("content-type", "text/plain; charset=utf-8");
        match AwaitingHead::new(origin, validators, profile, now).head(&head, now) {
            NextStep::Read(mut reading) => {
                let mut body = format!("User-agent: *\nCrawl-delay: 2\nDisallow: /{origin}\n");
                let mut number = 0;
                while body.len() < bytes {
                    writeln!(body, "Disallow: /a/folder/{number:09}").unwrap();
                    number += 1;
                }
                let _ = reading.push(body.as_bytes());
                reading.end(now)
            }
            NextStep::Done(outcome) => outcome,
            NextStep::Send(..) => panic!("no redirects here"),
        }
    })
}

fn url(number: usize) -> Url {
    Url::parse(&format!("https://me@www.site-{number}.example:8443/page/{number}?q=1#here")).unwrap()
}

// One test, because the allocator counts for all threads.
#[test]
fn bytes_are_those_that_are_held_and_a_hit_allocates_nothing() {
    let bot = |name: &str| Crawler::new(name).unwrap();
    let first = bot("ExampleBot");
    for (bytes, origins) in [(0, 750), (100, 750), (600, 750), (8_000, 75), (60_000, 15)] {
        for names in [&["ExampleBot"][..], &["ExampleBot", "OtherBot", "ThirdBot"]] {
            for decides in [false, true] {
                let cache = cache_of(bytes);
                let before = MEMORY.current_usage();
                for number in 0..origins {
                    for name in names {
                        if decides {
                            let _ = cache.decide(&url(number), &bot(name)).unwrap();
                        } else {
                            let _ = cache.check(&url(number), &bot(name)).unwrap();
                        }
                    }
                }
                let held = MEMORY.current_usage() - before;
                let (counted, entries) = (cache.bytes(), cache.len());
                assert_eq!(entries, origins);
                let ratio = counted as f64 / held as f64;
                println!(
                    "{bytes} bytes, {} crawlers, facts {decides}: {} counted, {} held for each origin",
                    names.len(),
                    counted / origins,
                    held / origins,
                );
                assert!((0.8..=1.2).contains(&ratio), "{ratio}");

                let urls: Vec<Url> = (0..origins).step_by(7).map(url).collect();
                MEMORY.reset_peak_usage();
                let held = MEMORY.current_usage();
                for url in &urls {
                    assert!(cache.check(url, &first).unwrap().is_allowed());
                    assert!(cache.permission(url, &first).unwrap().check_url(url).is_allowed());
                    if decides {
                        assert!(cache.decide(url, &first).unwrap().verdict.is_allowed());
                    }
                }
                assert_eq!((MEMORY.peak_usage(), MEMORY.current_usage()), (held, held));
            }
        }
    }
}
