//! What an entry holds: files, outages, and how it stands at a time.

use alloc::sync::Arc;
use core::time::Duration;
use std::time::SystemTime;

use robots_match::Robots;
use url::Url;

use crate::fields::{Fields, Validators};
use crate::freshness::{Freshness, later};
use crate::policy::{Retry, Unavailable};
use crate::profile::Profile;

/// A file that was retrieved, and the facts of its retrieval.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct File {
    /// It, with the profile by which it is read.
    pub robots: Arc<Robots>,
    /// Where it came from, at the end of all redirects.
    pub url: Url,
    /// The fields that came with it, or with what confirmed it.
    pub fields: Fields,
    /// When its octets came.
    pub retrieved: SystemTime,
    /// When an answer said last that this is the file.
    pub confirmed: SystemTime,
    /// Whether it looks like a page of HTML: an error page with a wrong status, a login, a wall.
    pub looks_like_html: bool,
    /// Whether the server lets it be held beyond the moment (no `no-store`).
    pub storable: bool,
}

impl File {
    /// How many octets its body has.
    pub(crate) fn len(&self) -> usize {
        self.robots.body().len()
    }

    /// How many octets its URL and its fields have.
    pub(crate) fn facts_len(&self) -> usize {
        self.url.as_str().len() + self.fields.all().into_iter().flatten().map(String::len).sum::<usize>()
    }

    /// How many octets the size limit dropped, of those that were retrieved: the line that it cut, and one octet more. 0 if
    /// it dropped none; how long the whole file is, nobody knows.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.robots.lines().dropped_len()
    }

    /// What to send in order to be told only of a change.
    #[must_use]
    pub fn validators(&self) -> Validators {
        self.fields.validators(&self.url)
    }

    /// The same file, read as `profile` says.
    pub(crate) fn read_by(mut self, profile: &Profile) -> Self {
        if *self.robots.profile() != profile.reading() {
            self.robots = Arc::new(profile.read(self.robots.body().into()));
        }
        self
    }
}

impl Unavailable {
    /// Whether `file`, which was there and is no more, holds at `now`.
    pub(crate) fn lets_hold(self, file: &File, now: SystemTime) -> bool {
        match self {
            Self::Forgets => false,
            Self::KeepsFor(time) => now
                .duration_since(file.confirmed)
                .map_or_else(|early| early.duration() <= TOLERANCE, |age| age < time),
        }
    }
}

/// A time in which the robots.txt could not be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outage {
    /// The first attempt that failed.
    pub since: SystemTime,
    /// The last one.
    pub last: SystemTime,
    /// How many there were.
    pub attempts: u32,
}

impl Outage {
    /// The outage with one more attempt, which failed at `now`.
    pub(crate) fn with(before: Option<Self>, now: SystemTime) -> Self {
        let Some(before) = before else { return Self { since: now, last: now, attempts: 1 } };
        Self { last: now, attempts: before.attempts.saturating_add(1), ..before }
    }

    /// How long it has lasted: from the first attempt to the last. Time in which nobody tried shows nothing, so a crawler
    /// that slept, or a clock that was set, ends no outage by waiting.
    #[must_use]
    pub fn lasted(&self) -> Duration {
        self.last.duration_since(self.since).unwrap_or_default()
    }
}

impl Retry {
    /// How long to wait after so many attempts that failed.
    #[must_use]
    pub fn pause(&self, attempts: u32) -> Duration {
        let doubled = 1_u32.checked_shl(attempts.saturating_sub(1)).unwrap_or(u32::MAX);
        self.first.saturating_mul(doubled).min(self.most)
    }

    /// What of a `Retry-After` is followed.
    #[must_use]
    pub fn bounded(&self, asked: Duration) -> Duration {
        asked.min(self.most_by_server).max(self.first)
    }
}

/// How an entry stands at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Standing {
    /// Whether the last answer holds still. It never does during an outage.
    pub fresh: bool,
    /// Until when it holds or held.
    pub until: SystemTime,
    /// When to retrieve the robots.txt next: when it is stale, or when the server asked for, or after a pause that grows
    /// with the attempts of an outage.
    pub next: SystemTime,
    /// Whether that time has come.
    pub due: bool,
}

/// How far a clock may go backwards before an entry counts as one of another time, which is stale.
const TOLERANCE: Duration = Duration::from_secs(60 * 60);

impl Standing {
    /// That of an answer of this freshness.
    pub(crate) fn of(freshness: &Freshness, now: SystemTime) -> Self {
        let until = freshness.until();
        let of_this_time = later(now, TOLERANCE) >= freshness.received;
        let fresh = of_this_time && now < until;
        Self { fresh, until, next: until, due: !fresh }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;

    #[test]
    fn pauses_double_up_to_the_most_whatever_the_number_of_attempts() {
        let retry = Policy::RFC9309.retry;
        let seconds = |attempts| retry.pause(attempts).as_secs();
        assert_eq!([0, 1, 2, 3, 6, 7, 8].map(seconds), [60, 60, 120, 240, 1920, 3600, 3600]);
        assert_eq!([32, 33, 34, u32::MAX].map(seconds), [3600; 4]);
        assert_eq!(retry.bounded(Duration::ZERO).as_secs(), 60);
        assert_eq!(retry.bounded(Duration::from_secs(300)).as_secs(), 300);
        assert_eq!(retry.bounded(Duration::MAX).as_secs(), 86_400);
    }

    #[test]
    fn an_outage_lasts_from_attempt_to_attempt() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let one = Outage::with(None, at(100));
        assert_eq!((one.lasted().as_secs(), one.attempts), (0, 1));
        let two = Outage::with(Some(one), at(500));
        assert_eq!((two.lasted().as_secs(), two.attempts), (400, 2));
        let back = Outage::with(Some(two), at(50));
        assert_eq!((back.lasted().as_secs(), back.attempts), (0, 3));
    }
}
