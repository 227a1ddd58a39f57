//! Redirects to URLs that the robots.txt of their own origin disallows.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::sync::Mutex;
use std::time::SystemTime;

use robots_fetch::matching::Crawler;
use robots_fetch::{
    Cache, CacheOptions, Failure, FailureKind, Fetch, Head, Memory, Origin, Outcome, Request, Retrieval,
    RetrievalResult, SiteProfile, Transport, Validators,
};

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

    fn retrieval(&self) -> Option<&Retrieval> {
        Some(self.retrieval)
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
        Outcome::retrieve(&mut transport, origin, validators, profile)
    }
}

/// The order of questions, and what was in memory or on disk before.
#[derive(Clone, Copy, Debug)]
enum Before {
    Nothing,
    TargetFirst,
    BothOnDisk,
}

#[test]
fn a_redirect_to_a_disallowed_url_is_a_404_under_google_whatever_was_asked_before() {
    let site = |name: &str| Origin::parse(&format!("https://{name}.test")).unwrap();
    for (profile, crawler, is_disallowed) in [
        (SiteProfile::GOOGLE, Crawler::unnamed(), true),
        (SiteProfile::GOOGLE, bot("ExampleBot"), true),
        (SiteProfile::GOOGLE, bot("OtherBot"), false),
        (SiteProfile::RFC9309, Crawler::unnamed(), false),
    ] {
        for before in [Before::Nothing, Before::TargetFirst, Before::BothOnDisk] {
            let (clock, requests) = (Arc::new(Clock::default()), Arc::default());
            let store = Arc::new(Memory::default());
            let cache = || {
                let shared = Arc::clone(&clock);
                let mut options = CacheOptions::new(profile).with_clock(move || shared.now());
                options.crawler = crawler.clone();
                let fetch = Moving { clock: Arc::clone(&clock), requests: Arc::clone(&requests) };
                Cache::new(options.with_store(Arc::clone(&store)), fetch)
            };
            if matches!(before, Before::BothOnDisk) {
                let _ = (cache().get(&site("a")), cache().get(&site("b")));
            }
            let cache = cache();
            if matches!(before, Before::TargetFirst) {
                let _ = cache.get(&site("b"));
            }
            // A fresh entry on disk is used; so ask anew, too.
            for entry in [cache.get(&site("a")), cache.refresh(&site("a"))] {
                let place = format!("{crawler:?} {before:?}");
                let access = entry.access(clock.now()).name();
                assert_eq!(access, if is_disallowed { "everything" } else { "rules" }, "{place}");
                if is_disallowed {
                    assert_eq!(
                        entry.cause().unwrap().to_string(),
                        "redirect to https://b.test/closed/robots.txt, which its own robots.txt disallows"
                    );
                }
            }
            let asked = requests.lock().unwrap();
            let closed = asked.iter().any(|url| url == "https://b.test/closed/robots.txt");
            assert_eq!(closed, !is_disallowed, "{asked:?}");
            drop(asked);
            assert_eq!(cache.get(&site("c")).access(clock.now()).name(), "rules");
        }
    }
}

#[test]
fn a_redirect_is_followed_if_the_rules_about_it_can_not_be_read() {
    // The file of the target can't be retrieved, or leads back into the chain.
    for answers in [
        &[("https://b.test/robots.txt", "https://b.test/robots.txt")][..],
        &[("https://b.test/robots.txt", "https://a.test/robots.txt")],
        &[("https://b.test/robots.txt", "https://b.test/closed/robots.txt")],
    ] {
        let mut redirects = vec![("https://a.test/robots.txt", "https://b.test/closed/robots.txt")];
        redirects.extend_from_slice(answers);
        let origin = Origin::parse("https://a.test").unwrap();
        let retrieval = Retrieval::new(origin.clone(), Validators::default(), SiteProfile::GOOGLE);
        let requests = Mutex::default();
        let now = SystemTime::UNIX_EPOCH;
        let mut moves = Moves { redirects: &redirects, retrieval: &retrieval, requests: &requests, now };
        let outcome = Outcome::retrieve(&mut moves, &origin, &Validators::default(), &SiteProfile::GOOGLE);
        assert_eq!(outcome.url().unwrap().as_str(), "https://b.test/closed/robots.txt", "{answers:?}");
        assert!(matches!(outcome.result, RetrievalResult::File { .. }));
    }
}
