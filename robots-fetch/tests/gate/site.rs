//! Sites for the tests, and a short way to drive a gate.

use alloc::sync::Arc;
use core::time::Duration;
use std::time::SystemTime;

use robots_fetch::matching::records::CrawlFacts;
use robots_fetch::matching::{Crawler, Robots};
use robots_fetch::{
    Access, AwaitingHead, Entry, Gate, GateStep, Head, NextStep, Origin, Permission, Permit, SiteProfile,
    SiteRules, Validators,
};
use url::Url;

pub(crate) const START: SystemTime = SystemTime::UNIX_EPOCH;

pub(crate) fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(crate) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) fn url(origin: usize, path: &str) -> Url {
    format!("https://site-{origin}.example{path}").parse().unwrap()
}

/// Returns the number of the origin of a URL.
pub(crate) fn number(url: &Url) -> usize {
    url.host_str().unwrap()["site-".len()..].split('.').next().unwrap().parse().unwrap()
}

/// The rules of a robots.txt, which has to be asked for again at `until`.
pub(crate) fn rules(body: &str, until: SystemTime) -> SiteRules {
    let bot = Crawler::new("ExampleBot").unwrap();
    let profile = SiteProfile::RFC9309;
    let robots = Arc::new(Robots::new(body, profile.rules));
    let permission = Permission::new(Access::Rules(&robots), &bot, &profile);
    SiteRules::new(permission, until).with_facts(&CrawlFacts::new(&robots, &bot))
}

/// The rules while a robots.txt is unreachable.
pub(crate) fn unreachable(until: SystemTime) -> SiteRules {
    let (bot, profile) = (Crawler::new("ExampleBot").unwrap(), SiteProfile::RFC9309);
    let origin = Origin::parse("https://example.com").unwrap();
    let awaiting = AwaitingHead::new(&origin, &Validators::default(), &profile, START);
    let NextStep::Done(outcome) = awaiting.head(&Head::new(503), START) else { panic!("503 has no file") };
    SiteRules::new(Entry::from_outcome(None, outcome, &profile).permission(&bot, START), until)
}

/// A gate with the time in seconds.
pub(crate) struct Driver {
    pub(crate) gate: Gate<usize>,
    pub(crate) now: SystemTime,
}

impl Driver {
    pub(crate) fn at(&mut self, second: u64) -> &mut Self {
        self.now = START + seconds(second);
        self
    }

    /// Adds URLs of origin 0.
    pub(crate) fn push(&mut self, paths: &[&str]) {
        for path in paths {
            self.gate.push(url(0, path), 0, self.now).unwrap();
        }
    }

    /// Returns the next step in short, and the permit.
    pub(crate) fn step(&mut self) -> (String, Option<Permit>) {
        match self.gate.next(self.now) {
            GateStep::Ask(permit) => ("ask".to_owned(), Some(permit)),
            GateStep::Request(permit, _) => (permit.url().path().to_owned(), Some(permit)),
            GateStep::Refused { refusal, .. } => {
                (format!("{} {}", refusal.url().unwrap().path(), refusal.reason()), None)
            }
            GateStep::Wait(time) => {
                (format!("wait {}", time.duration_since(START).unwrap().as_secs_f64()), None)
            }
            GateStep::Idle => ("idle".to_owned(), None),
        }
    }

    /// Asserts the next step.
    pub(crate) fn expect(&mut self, expected: &str) -> Option<Permit> {
        let (step, permit) = self.step();
        assert_eq!(step, expected, "at {:?}", self.now.duration_since(START).unwrap());
        permit
    }

    /// Asserts that the next step is to ask, and answers with these rules.
    pub(crate) fn learn(&mut self, rules: SiteRules) {
        let permit = self.expect("ask").unwrap();
        self.gate.learn(&permit, rules, self.now);
        self.gate.finish(permit, Some(&Head::new(200)), self.now);
    }

    /// Asserts that the next step is a request for `path`, and answers with this status and `Retry-After`.
    pub(crate) fn request(&mut self, path: &str, status: u16, retry_after: &str) {
        let permit = self.expect(path).unwrap();
        let head = Head::new(status).with_field("Retry-After", retry_after);
        self.gate.finish(permit, Some(&head).filter(|_| status > 0), self.now);
    }
}
