//! Sites that answer at once, for tests of caches.

use core::fmt::Display;
use std::time::SystemTime;

use robots_fetch::{AwaitingHead, Head, NextStep, Origin, Outcome, Retrieval};

/// Returns the origin of a site.
pub(crate) fn origin(number: impl Display) -> Origin {
    Origin::parse(&format!("https://site-{number}.example")).unwrap()
}

/// Returns the outcome of a retrieval of a file that disallows `/private`.
pub(crate) fn answered(retrieval: &Retrieval) -> Outcome {
    let now = SystemTime::now();
    let Retrieval { origin, validators, profile, .. } = retrieval;
    let awaiting = AwaitingHead::new(origin, validators, profile, now);
    let NextStep::Read(mut reading) = awaiting.head(&Head::new(200), now) else { panic!("200 is a file") };
    assert!(reading.push(b"User-agent: *\nDisallow: /private\n"));
    reading.end(now)
}
