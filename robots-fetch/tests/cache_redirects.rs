//! Redirects to URLs that the robots.txt of their own origin disallows, as far as a cache knows.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::sync::Mutex;
use std::time::SystemTime;

use robots_fetch::matching::Crawler;
use robots_fetch::{
    Cache, CacheOptions, Failure, FailureKind, Fetch, Head, Origin, Outcome, Request, Retrieval, SiteProfile,
    Transport, retrieve,
};
use url::Url;

/// A clock in seconds.
#[derive(Default)]
struct Clock(AtomicU64);

impl Clock {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

fn bot(name: &str) -> Crawler {
    Crawler::new(name).unwrap()
}

/// A transport for which each URL either redirects, to the location of its pair, or has a file that disallows `/closed`.
struct Moves<'m> {
    redirects: &'m [(&'m str, &'m str)],
    retrieval: &'m Retrieval,
    requests: &'m Mutex<Vec<String>>,
    now: SystemTime,
}

impl Transport for Moves<'_> {
    type Body = &'static [u8];

    fn send(&mut self, request: &Request) -> Result<(Head, Self::Body), Failure> {
        self.requests.lock().unwrap().push(request.url.to_string());
        let redirect = self.redirects.iter().find(|(from, _)| *from == request.url.as_str());
        Ok(match redirect {
            Some((_, to)) => (Head::new(301).with_field("location", to), b""),
            None => (Head::new(200), b"User-agent: *\nDisallow: /closed\n\nUser-agent: OtherBot\nAllow: /\n"),
        })
    }

    fn is_disallowed(&self, url: &Url) -> bool {
        self.retrieval.is_disallowed(url)
    }

    fn read(&mut self, body: &mut Self::Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        std::io::Read::read(body, buffer).map_err(|error| Failure::new(FailureKind::Other, error))
    }

    fn now(&self) -> SystemTime {
        self.now
    }
}

/// A client over [`Moves`].
struct Moving {
    clock: Arc<Clock>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Fetch for Moving {
    fn fetch(&self, retrieval: Retrieval) -> Outcome {
        let redirects = &[
            ("https://a.test/robots.txt", "https://b.test/closed/robots.txt"),
            ("https://c.test/robots.txt", "https://b.test/open/robots.txt"),
        ];
        let now = self.clock.now();
        let mut transport = Moves { redirects, retrieval: &retrieval, requests: &self.requests, now };
        let Retrieval { origin, validators, profile, .. } = &retrieval;
        retrieve(&mut transport, origin, validators, profile)
    }
}

#[test]
fn a_redirect_to_a_url_that_is_known_to_be_disallowed_is_a_404_under_google() {
    let site = |name: &str| Origin::parse(&format!("https://{name}.test")).unwrap();
    for (profile, crawler, stops) in [
        (SiteProfile::GOOGLE, Crawler::unnamed(), true),
        (SiteProfile::GOOGLE, bot("ExampleBot"), true),
        (SiteProfile::GOOGLE, bot("OtherBot"), false),
        (SiteProfile::RFC9309, Crawler::unnamed(), false),
    ] {
        let (clock, requests) = (Arc::new(Clock::default()), Arc::default());
        let shared = Arc::clone(&clock);
        let options = CacheOptions::new(profile).clock(move || shared.now()).crawler(crawler);
        let fetch = Moving { clock: Arc::clone(&clock), requests: Arc::clone(&requests) };
        let cache = Cache::new(options, fetch);
        // Nothing is known of the other site, so the redirect is followed.
        assert_eq!(cache.get(&site("a")).status(), Some(200));
        assert_eq!(cache.get(&site("b")).status(), Some(200));
        let asked_before = requests.lock().unwrap().len();
        let entry = cache.refresh(&site("a"));
        let asked = requests.lock().unwrap().split_off(asked_before);
        if stops {
            assert_eq!(asked, ["https://a.test/robots.txt"]);
            assert_eq!(entry.access(clock.now()).name(), "everything");
            assert_eq!(
                entry.cause().unwrap().to_string(),
                "redirect to https://b.test/closed/robots.txt, which its own robots.txt disallows"
            );
        } else {
            assert_eq!(asked, ["https://a.test/robots.txt", "https://b.test/closed/robots.txt"]);
        }
        assert_eq!(cache.get(&site("c")).access(clock.now()).name(), "rules");
        // An entry that is due for retrieval does not count as known.
        clock.0.store(25 * 60 * 60, Ordering::SeqCst);
        assert_eq!(cache.get(&site("a")).access(clock.now()).name(), "rules");
    }
}
