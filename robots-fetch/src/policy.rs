//! What the documents see differently about access, as data.

use core::time::Duration;

use crate::http::status::{AccessResult, StatusTable};

/// What answers mean and how long they hold: one field for each thing on which the documents differ, or which they leave
/// to the crawler.
///
/// ```
/// use robots_fetch::{AccessResult, AccessPolicy, Profile, OutageSchedule};
///
/// assert_eq!(AccessPolicy::RFC9309.statuses.class(429), AccessResult::Unavailable);
/// assert_eq!(AccessPolicy::GOOGLE.statuses.class(429), AccessResult::Unreachable);
/// let mut profile = Profile::GOOGLE;
/// profile.access.outage = OutageSchedule::GOOGLE_LATER;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct AccessPolicy {
    /// What a status of HTTP means.
    pub statuses: StatusTable,
    /// What a reply of FTP means.
    pub replies: StatusTable,
    /// How far redirects are followed, and what more of them mean.
    pub redirects: Redirects,
    /// What failures below HTTP mean.
    pub failure: AccessResult,
    /// What holds while the robots.txt is unreachable.
    pub outage: OutageSchedule,
    /// How long answers are fresh.
    pub lifetime: Lifetime,
    /// Whether an earlier file outlives an answer that there is none.
    pub unavailable: Unavailable,
    /// When to ask again where there was no answer.
    pub retry: Retry,
    /// Whether a file that is held already is asked for on condition that it changed.
    pub requests: Requests,
    /// What a page of HTML means in place of a robots.txt.
    pub html: Html,
    /// What a server error means whose page says that there is no such file.
    pub error_page: ErrorPage,
    /// The most bytes that are taken of a body where the reading of lines has no limit of its own
    /// ([`robots_match::syntax::Policy::max_size`]): memory is finite.
    pub max_body: usize,
}

impl AccessPolicy {
    /// RFC 9309: access results of section 2.3.1, caching of section 2.4.
    pub const RFC9309: Self = Self {
        statuses: StatusTable::CLASSES,
        replies: StatusTable::FTP,
        redirects: Redirects {
            follow: 5,
            beyond: AccessResult::Unavailable,
            nowhere: AccessResult::Unreachable,
        },
        failure: AccessResult::Unreachable,
        outage: OutageSchedule::THIRTY_DAYS,
        lifetime: Lifetime {
            default: DAY,
            most: Some(DAY),
            most_by_max_age: Some(DAY),
            least: Duration::ZERO,
        },
        unavailable: Unavailable::Forgets,
        retry: Retry {
            first: Duration::from_secs(60),
            most: Duration::from_secs(60 * 60),
            most_by_server: DAY,
        },
        requests: Requests::Conditional,
        html: Html::AnyBody,
        error_page: ErrorPage::AsStatus,
        max_body: 16 << 20,
    };

    /// draft-koster-rep-00: the same in its sections 2.3.1 and 2.4, but that section 2.3.1.3 lets a cached file hold for
    /// up to 24 hours where the robots.txt has become unavailable.
    pub const DRAFT_KOSTER_REP_00: Self = Self { unavailable: Unavailable::KeepsFor(DAY), ..Self::RFC9309 };

    /// Google's interpretation: "HTTP status codes and errors", "Caching", and the request that is not conditional.
    ///
    /// Its text sets no bound to what a max-age may raise the lifetime to; taken is the longest that any of the documents
    /// names.
    pub const GOOGLE: Self = Self {
        statuses: StatusTable::BUT_TOO_MANY_REQUESTS,
        lifetime: Lifetime { most_by_max_age: Some(WEEK), ..Self::RFC9309.lifetime },
        requests: Requests::Unconditional,
        ..Self::RFC9309
    };

    /// The draft of 1996, sections 3.1 and 3.4. It follows redirects "until a resource can be found": as many as browsers
    /// do.
    pub const KOSTER_1996: Self = Self {
        statuses: StatusTable::RESTRICTIONS,
        redirects: Redirects {
            follow: 20,
            beyond: AccessResult::Unreachable,
            nowhere: AccessResult::Unreachable,
        },
        outage: OutageSchedule::DEFERRED,
        lifetime: Lifetime { default: WEEK, most: None, most_by_max_age: None, least: Duration::ZERO },
        ..Self::RFC9309
    };
}

impl Default for AccessPolicy {
    fn default() -> Self {
        Self::RFC9309
    }
}

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);
const MONTH: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How far redirects are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Redirects {
    /// How many in a row.
    pub follow: u8,
    /// What one more means, and one that leads back to where the chain has been.
    pub beyond: AccessResult,
    /// What one means that can't be followed: without `Location`, with one that is no URL, to another scheme than http,
    /// https and ftp.
    pub nowhere: AccessResult,
}

/// What holds while the robots.txt is unreachable: steps, by how long it has been.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutageSchedule(&'static [(Duration, OutageAccess)]);

impl OutageSchedule {
    /// Nothing may be accessed for 30 days; then the last good file holds, or everything may be (RFC 9309, section
    /// 2.3.1.4; so also draft-koster-rep-00 and Google's text).
    pub const THIRTY_DAYS: Self =
        Self(&[(Duration::ZERO, OutageAccess::Nothing), (MONTH, OutageAccess::FileOrEverything)]);

    /// Nothing may be accessed until it can be retrieved (draft of 1996, section 3.1).
    pub const DEFERRED: Self = Self(&[(Duration::ZERO, OutageAccess::Nothing)]);

    /// What Google published later: nothing for 12 hours, then the last good file or everything, and after 30 days
    /// everything if the site can be reached otherwise.
    pub const GOOGLE_LATER: Self = Self(&[
        (Duration::ZERO, OutageAccess::Nothing),
        (HOUR.saturating_mul(12), OutageAccess::FileOrEverything),
        (MONTH, OutageAccess::EverythingIfSiteAnswers),
    ]);

    /// A schedule of one's own: from which time of the outage on, and what holds then. Before the first step, nothing may
    /// be accessed.
    #[must_use]
    pub const fn new(steps: &'static [(Duration, OutageAccess)]) -> Self {
        Self(steps)
    }

    /// What holds when the outage has lasted `elapsed`.
    #[must_use]
    pub fn after(self, elapsed: Duration) -> OutageAccess {
        let reached = self.0.iter().filter(|(from, _)| *from <= elapsed);
        reached.max_by_key(|(from, _)| *from).map_or(OutageAccess::Nothing, |&(_, meanwhile)| meanwhile)
    }

    /// The first step that comes later than `elapsed`.
    #[must_use]
    pub fn next(self, elapsed: Duration) -> Option<(Duration, OutageAccess)> {
        self.0.iter().filter(|(from, _)| *from > elapsed).min_by_key(|(from, _)| *from).copied()
    }
}

/// What holds during one part of an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutageAccess {
    /// Nothing may be accessed.
    Nothing,
    /// The last good file holds; without one, nothing may be accessed.
    FileOrNothing,
    /// The last good file holds; without one, everything may be accessed.
    FileOrEverything,
    /// Everything may be accessed.
    Everything,
    /// Everything may be accessed if the crawler knows that the site answers otherwise; else nothing.
    EverythingIfSiteAnswers,
}

/// How long an answer is fresh (RFC 9309, section 2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Lifetime {
    /// Where the answer does not say.
    pub default: Duration,
    /// The most that an `Expires` can ask for.
    pub most: Option<Duration>,
    /// The most that a `max-age` can ask for.
    pub most_by_max_age: Option<Duration>,
    /// The least, whatever the answer says: who visits many pages of a site may not want to ask before each of them.
    pub least: Duration,
}

/// Whether an earlier file outlives an answer that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unavailable {
    /// No: everything may be accessed at once.
    Forgets,
    /// Until this long after it was last confirmed.
    KeepsFor(Duration),
}

/// When to ask again where the robots.txt is unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Retry {
    /// After the first failure; doubled with each further one. Also the least that a `Retry-After` can ask for.
    pub first: Duration,
    /// The most between two attempts.
    pub most: Duration,
    /// The most that a `Retry-After` can ask for.
    pub most_by_server: Duration,
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

/// Whether a file that is held already is asked for on condition that it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Requests {
    /// With `If-None-Match` or `If-Modified-Since` (RFC 9110, section 13.1), where the server gave what goes there.
    Conditional,
    /// Without.
    Unconditional,
}

/// What a page of HTML means in place of a robots.txt. That it looks like one is told in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Html {
    /// It is a body like any other: lines that are rules are obeyed, which in most cases are none.
    AnyBody,
    /// It says what this class says.
    Means(AccessResult),
}

/// What a server error means whose page says that there is no such file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorPage {
    /// What its status means.
    AsStatus,
    /// Unavailable, if the words "not found" stand within the first 64 KiB of the page: Google's reading of a 5xx that was
    /// meant as a 404, where it can tell.
    NotFoundIsUnavailable,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_most_whatever_the_number_of_attempts() {
        let retry = AccessPolicy::RFC9309.retry;
        let seconds = |attempts| retry.pause(attempts).as_secs();
        assert_eq!([0, 1, 2, 3, 6, 7, 8].map(seconds), [60, 60, 120, 240, 1920, 3600, 3600]);
        assert_eq!([32, 33, 34, u32::MAX].map(seconds), [3600; 4]);
        assert_eq!(retry.bounded(Duration::ZERO).as_secs(), 60);
        assert_eq!(retry.bounded(Duration::from_secs(300)).as_secs(), 300);
        assert_eq!(retry.bounded(Duration::MAX).as_secs(), 86_400);
    }

    #[test]
    fn the_last_step_reached_holds() {
        let later = OutageSchedule::GOOGLE_LATER;
        assert_eq!(later.after(Duration::ZERO), OutageAccess::Nothing);
        assert_eq!(later.after(HOUR * 12), OutageAccess::FileOrEverything);
        assert_eq!(later.after(Duration::MAX), OutageAccess::EverythingIfSiteAnswers);
        assert_eq!(later.next(HOUR * 13), Some((MONTH, OutageAccess::EverythingIfSiteAnswers)));
        assert_eq!(later.next(MONTH), None);
        assert_eq!(OutageSchedule::new(&[]).after(Duration::MAX), OutageAccess::Nothing);
        assert_eq!(AccessPolicy::RFC9309.outage.after(MONTH - Duration::from_secs(1)), OutageAccess::Nothing);
        assert_eq!(AccessPolicy::RFC9309.outage.after(MONTH), OutageAccess::FileOrEverything);
    }
}
