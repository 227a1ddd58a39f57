//! The points on which the documents differ about access, as data.

use core::time::Duration;

use robots_match::AccessResult;

use crate::backoff;
use crate::table::Table;

/// The rules for access results, caching and outages: one field for each point on which the documents differ, or which
/// they leave to the crawler.
///
/// ```
/// use robots_fetch::{AccessPolicy, AccessResult, CacheOptions, SiteProfile};
///
/// assert_eq!(AccessPolicy::RFC9309.status_result(429), AccessResult::Throttled);
/// assert_eq!(AccessPolicy::GOOGLE.status_result(429), AccessResult::Unreachable);
/// // For crawlers that prefer other choices, with a cache:
/// let mut profile = SiteProfile::RFC9309;
/// profile.access.statuses = AccessPolicy::CLASSES; // 429 is unavailable, like any other 4xx
/// profile.access.outage = AccessPolicy::FILE_AT_ONCE;
/// profile.access.max_redirects = 10;
/// let options = CacheOptions::new(profile);
/// ```
///
/// # Choices
///
/// Some sentences of the documents contradict each other, or leave a choice to the crawler. `READINGS.md` gives the reasons
/// for the choice of each profile. The `robots` command sets the same values by `--access`.
///
/// | field | rfc9309 | draft-koster-rep-00 | google | koster-1996 |
/// |---|---|---|---|---|
/// | [`Self::keep_while_throttled`] | 24 hours | 24 hours | 24 hours | 24 hours |
/// | [`Self::statuses`], for 429 | throttled | unavailable | unreachable | unreachable |
/// | [`Self::outage`], with a file | nothing for 30 days | nothing for 30 days | nothing for 12 hours | nothing |
/// | [`Self::error_page_may_be_404`] | no | no | no | no |
/// | [`Self::redirect_to_disallowed`] | is followed | is followed | unavailable | is followed |
/// | [`Self::max_stale_age`] | 24 hours | 24 hours | 24 hours | no limit |
/// | [`Self::first_retry_503`] | 1 minute | 1 minute | 30 seconds | 1 minute |
/// | [`Self::max_retry_503`] | 1 hour | 1 hour | 10 minutes | 1 hour |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct AccessPolicy {
    /// The access results of HTTP statuses: ranges with the first and the last status, of which the first that contains a
    /// status counts. A status outside all ranges is undefined, which means unreachable (draft-koster-rep-00, section
    /// 2.3.1.4). See [`Self::CLASSES`] and the constants below it.
    pub statuses: Table<(u16, u16, AccessResult), 16>,
    /// The access results of FTP replies, likewise; see [`Self::FTP_REPLIES`].
    pub ftp_replies: Table<(u16, u16, AccessResult), 16>,
    /// The number of consecutive redirects that are followed.
    pub max_redirects: u8,
    /// The access result of one more redirect, and of a redirect to a URL that was requested before.
    pub too_many_redirects: AccessResult,
    /// The access result of a redirect that can't be followed: without a `Location`, with an invalid one, or to a scheme
    /// other than http, https and ftp.
    pub invalid_redirect: AccessResult,
    /// The access result of a redirect to a URL that its own origin's robots.txt disallows, as far as the crawler knows:
    /// caches know the files that they have. With `None`, the redirect is followed. The robots.txt URL of an origin does not
    /// count as disallowed.
    pub redirect_to_disallowed: Option<AccessResult>,
    /// The access result of failures below HTTP, such as a timeout.
    pub failure: AccessResult,
    /// The access while the robots.txt is unreachable: how long an outage has lasted when a step begins, and what crawlers
    /// may access from then on. Before the first step, they may access nothing. See [`Self::THIRTY_DAYS`] and the constants
    /// below it.
    pub outage: Table<(Duration, OutageAccess), 6>,
    /// How long an answer is fresh that does not say so itself (RFC 9309, section 2.4).
    pub default_lifetime: Duration,
    /// As [`Self::default_lifetime`], for an answer that says that the robots.txt does not exist, or that access is restricted.
    pub default_lifetime_without_file: Duration,
    /// The longest lifetime that an `Expires` can ask for. `None`: unlimited.
    pub max_lifetime_by_expires: Option<Duration>,
    /// The longest lifetime that a `max-age` can ask for. `None`: unlimited.
    pub max_lifetime_by_max_age: Option<Duration>,
    /// The shortest lifetime, whatever the answer asks for, including `no-cache` and `no-store`.
    pub min_lifetime: Duration,
    /// How long an answer may be used after its lifetime while it is retrieved again, if the answer does not say so itself by
    /// `stale-while-revalidate` (RFC 5861, section 3): a choice of the crawler (RFC 9111, section 4.2.4). Never after `no-cache`,
    /// `no-store` or `must-revalidate`. Caches obey it; other programs use answers until their lifetime ends.
    pub stale_while_revalidate: Duration,
    /// The longest time for which an answer is used while it is retrieved again, its lifetime included (RFC 9309, section
    /// 2.4). It does not shorten a lifetime. `None`: unlimited.
    pub max_stale_age: Option<Duration>,
    /// How long after its last confirmation a file stays in use when an answer says that the robots.txt does not exist. With
    /// `None`, everything may be accessed at once.
    pub keep_after_unavailable: Option<Duration>,
    /// How long after its last confirmation a file stays in use while answers limit requests ([`AccessResult::Throttled`]); after that,
    /// nothing may be accessed until an answer does not (RFC 9309, section 2.4). `None`: a file of any age.
    pub keep_while_throttled: Option<Duration>,
    /// The pause after the first failed attempt. It doubles with each further one, and is the shortest pause that a
    /// `Retry-After` can ask for.
    pub first_retry: Duration,
    /// The longest pause between two attempts.
    pub max_retry: Duration,
    /// As [`Self::first_retry`], after status 503 (Service Unavailable).
    pub first_retry_503: Duration,
    /// As [`Self::max_retry`], after status 503 (Service Unavailable).
    pub max_retry_503: Duration,
    /// As [`Self::first_retry`], after an answer that limits requests ([`AccessResult::Throttled`]).
    pub first_retry_throttled: Duration,
    /// As [`Self::max_retry`], after an answer that limits requests.
    pub max_retry_throttled: Duration,
    /// The longest pause that a `Retry-After` can ask for.
    pub max_retry_after: Duration,
    /// Whether requests for a file that is cached carry `If-None-Match` or `If-Modified-Since` (RFC 9110, section 13.1),
    /// where the server sent the values for them.
    pub conditional_requests: bool,
    /// The access result of an HTML page in place of a robots.txt. With `None`, the page is read like any other body.
    /// A page in which a group can be read is read in any case; [`Entry::body_kind`](crate::Entry::body_kind) says so.
    pub html: Option<AccessResult>,
    /// Whether a 5xx status counts as unavailable if the words "not found" are within the first 64 KiB of the page:
    /// Google's reading of a server error that was meant as a 404.
    pub error_page_may_be_404: bool,
    /// The most bytes that are read of a body if [`robots_match::syntax::SyntaxPolicy::max_size`] is `None`.
    pub max_body: usize,
}

impl AccessPolicy {
    /// RFC 9309: access results of section 2.3.1, caching of section 2.4.
    pub const RFC9309: Self = Self {
        statuses: Self::TOO_MANY_REQUESTS_THROTTLED,
        ftp_replies: Self::FTP_REPLIES,
        max_redirects: 5,
        too_many_redirects: AccessResult::Unavailable,
        invalid_redirect: AccessResult::Unreachable,
        redirect_to_disallowed: None,
        failure: AccessResult::Unreachable,
        outage: Self::THIRTY_DAYS,
        default_lifetime: DAY,
        default_lifetime_without_file: DAY,
        max_lifetime_by_expires: Some(DAY),
        max_lifetime_by_max_age: Some(DAY),
        min_lifetime: Duration::ZERO,
        stale_while_revalidate: HOUR,
        max_stale_age: Some(DAY),
        keep_after_unavailable: None,
        keep_while_throttled: Some(DAY),
        first_retry: Duration::from_secs(60),
        max_retry: HOUR,
        first_retry_503: Duration::from_secs(60),
        max_retry_503: HOUR,
        first_retry_throttled: Duration::from_secs(60),
        max_retry_throttled: HOUR,
        max_retry_after: DAY,
        conditional_requests: true,
        html: None,
        error_page_may_be_404: false,
        max_body: 16 << 20,
    };

    /// draft-koster-rep-00: as RFC 9309 in its sections 2.3.1 and 2.4, except that section 2.3.1.3 allows the use of a
    /// cached file for up to 24 hours after the robots.txt became unavailable. This includes status 429.
    pub const DRAFT_KOSTER_REP_00: Self =
        Self { statuses: Self::CLASSES, keep_after_unavailable: Some(DAY), ..Self::RFC9309 };

    /// Google's interpretation: "HTTP status codes and errors", "Caching", and requests without a condition.
    ///
    /// Google's text sets no limit for a max-age. The limit here is the longest lifetime that any of the documents names.
    pub const GOOGLE: Self = Self {
        statuses: Self::TOO_MANY_REQUESTS_UNREACHABLE,
        redirect_to_disallowed: Some(AccessResult::Unavailable),
        outage: Self::TWELVE_HOURS,
        first_retry_503: Duration::from_secs(30),
        max_retry_503: Duration::from_secs(10 * 60),
        max_lifetime_by_max_age: Some(WEEK),
        conditional_requests: false,
        ..Self::RFC9309
    };

    /// The draft of 1996, sections 3.1 and 3.4. It follows redirects "until a resource can be found": here as many as
    /// browsers follow.
    pub const KOSTER_1996: Self = Self {
        statuses: Self::RESTRICTIONS,
        max_redirects: 20,
        too_many_redirects: AccessResult::Unreachable,
        outage: Self::DEFERRED,
        default_lifetime: WEEK,
        default_lifetime_without_file: WEEK,
        max_stale_age: None,
        max_lifetime_by_expires: None,
        max_lifetime_by_max_age: None,
        ..Self::RFC9309
    };

    /// The pause after this number of failed attempts, of which the last had this result and status.
    pub(crate) fn retry_pause(&self, attempts: u32, result: AccessResult, status: Option<u16>) -> Duration {
        let (first, most) = self.retry_pauses(result, status);
        backoff::pause(first, most, attempts)
    }

    /// The pause for a `Retry-After` of an answer with this result and status that asks for `asked`.
    pub(crate) fn bounded_retry_after(
        &self,
        asked: Duration,
        result: AccessResult,
        status: Option<u16>,
    ) -> Duration {
        asked.min(self.max_retry_after).max(self.retry_pauses(result, status).0)
    }

    /// The first and the longest pause after an answer with this result and status.
    const fn retry_pauses(&self, result: AccessResult, status: Option<u16>) -> (Duration, Duration) {
        match (result, status) {
            (AccessResult::Throttled, _) => (self.first_retry_throttled, self.max_retry_throttled),
            (_, Some(503)) => (self.first_retry_503, self.max_retry_503),
            _ => (self.first_retry, self.max_retry),
        }
    }
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

/// The access during an outage: how long an outage has lasted when a step begins, and what crawlers may access from then on.
pub(crate) type Outages = Table<(Duration, OutageAccess), 6>;

/// # Access during outages
///
/// Values of [`Self::outage`].
impl AccessPolicy {
    /// Nothing for 30 days, then what the last good file allows, or everything without one (section 2.3.1.4 of RFC 9309 and
    /// of draft-koster-rep-00).
    pub const THIRTY_DAYS: Outages =
        Table::of(&[(Duration::ZERO, OutageAccess::Nothing), (MONTH, OutageAccess::FileOrEverything)]);

    /// The last good file, at once and for as long as the outage lasts; without one, nothing for 30 days, then
    /// everything (RFC 9309, section 2.4: no limit for a cached file while the robots.txt is unreachable).
    pub const FILE_AT_ONCE: Outages =
        Table::of(&[(Duration::ZERO, OutageAccess::FileOrNothing), (MONTH, OutageAccess::FileOrEverything)]);

    /// Nothing for 12 hours, then what the last good file allows; without one, nothing for 30 days, then everything. All
    /// sentences of Google's page hold under this schedule; the 12 hours are those of its later text.
    pub const TWELVE_HOURS: Outages = Table::of(&[
        (Duration::ZERO, OutageAccess::Nothing),
        (HOUR.saturating_mul(12), OutageAccess::FileOrNothing),
        (MONTH, OutageAccess::FileOrEverything),
    ]);

    /// Nothing until the robots.txt can be retrieved (draft of 1996, section 3.1).
    pub const DEFERRED: Outages = Table::of(&[(Duration::ZERO, OutageAccess::Nothing)]);

    /// Google's later text: nothing for 12 hours, then what the last good file allows, or everything without one; after
    /// 30 days everything if other URLs of the site answer.
    pub const GOOGLE_LATER: Outages = Table::of(&[
        (Duration::ZERO, OutageAccess::Nothing),
        (HOUR.saturating_mul(12), OutageAccess::FileOrEverything),
        (MONTH, OutageAccess::EverythingIfSiteAnswers),
    ]);

    /// The schedules above, each with a name for programs.
    pub const OUTAGES: &[(&str, Outages)] = &[
        ("thirty-days", Self::THIRTY_DAYS),
        ("file-at-once", Self::FILE_AT_ONCE),
        ("twelve-hours", Self::TWELVE_HOURS),
        ("google-later", Self::GOOGLE_LATER),
        ("deferred", Self::DEFERRED),
    ];

    /// Returns what crawlers may access in an outage that has lasted `elapsed`.
    #[must_use]
    pub fn outage_access(&self, elapsed: Duration) -> OutageAccess {
        let reached = self.outage.rows().filter(|(from, _)| *from <= elapsed);
        reached.max_by_key(|(from, _)| *from).map_or(OutageAccess::Nothing, |(_, access)| access)
    }

    /// Returns the first step later than `elapsed`.
    pub(crate) fn next_outage_access(&self, elapsed: Duration) -> Option<(Duration, OutageAccess)> {
        self.outage.rows().filter(|(from, _)| *from > elapsed).min_by_key(|(from, _)| *from)
    }
}

/// The access of crawlers during one part of an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum OutageAccess {
    /// Nothing.
    Nothing,
    /// The URLs that the last good file allows; none without one.
    FileOrNothing,
    /// The URLs that the last good file allows; all without one.
    FileOrEverything,
    /// Everything.
    Everything,
    /// Everything if the crawler knows that other URLs of the site answer; otherwise nothing.
    EverythingIfSiteAnswers,
}

/// The access results of statuses: first and last status of each range, and the access result.
pub(crate) type Statuses = Table<(u16, u16, AccessResult), 16>;

/// # Access results of statuses
///
/// Values of [`Self::statuses`] and [`Self::ftp_replies`].
impl AccessPolicy {
    /// 2xx success, 3xx redirect, 4xx unavailable (RFC 9309, sections 2.3.1.1 to 2.3.1.3); all others unreachable.
    pub const CLASSES: Statuses = Table::of(&[
        (200, 299, AccessResult::Success),
        (300, 399, AccessResult::Redirect),
        (400, 499, AccessResult::Unavailable),
    ]);

    /// As [`Self::CLASSES`], except that 429 (Too Many Requests) is unreachable.
    pub const TOO_MANY_REQUESTS_UNREACHABLE: Statuses = Table::of(&[
        (200, 299, AccessResult::Success),
        (300, 399, AccessResult::Redirect),
        (429, 429, AccessResult::Unreachable),
        (400, 499, AccessResult::Unavailable),
    ]);

    /// As [`Self::CLASSES`], except that 429 (Too Many Requests) is throttled.
    pub const TOO_MANY_REQUESTS_THROTTLED: Statuses = Table::of(&[
        (200, 299, AccessResult::Success),
        (300, 399, AccessResult::Redirect),
        (429, 429, AccessResult::Throttled),
        (400, 499, AccessResult::Unavailable),
    ]);

    /// 2xx success, 3xx redirect, 401 and 403 restricted, 404 unavailable (draft of 1996, section 3.1); all others
    /// unreachable.
    pub const RESTRICTIONS: Statuses = Table::of(&[
        (200, 299, AccessResult::Success),
        (300, 399, AccessResult::Redirect),
        (401, 401, AccessResult::Restricted),
        (403, 403, AccessResult::Restricted),
        (404, 404, AccessResult::Unavailable),
    ]);

    /// FTP replies (RFC 959, section 4.2): 125, 150 (the file follows) and 2xx success, 550 (no such file) unavailable; all
    /// others unreachable.
    pub const FTP_REPLIES: Statuses = Table::of(&[
        (125, 125, AccessResult::Success),
        (150, 150, AccessResult::Success),
        (200, 299, AccessResult::Success),
        (550, 550, AccessResult::Unavailable),
    ]);

    /// Returns the access result of an HTTP status.
    #[must_use]
    pub fn status_result(&self, status: u16) -> AccessResult {
        result(self.statuses, status)
    }

    /// Returns the access result of an FTP reply.
    #[must_use]
    pub fn ftp_result(&self, reply: u16) -> AccessResult {
        result(self.ftp_replies, reply)
    }
}

/// Returns the access result of the first range that contains `status`.
fn result(ranges: Statuses, status: u16) -> AccessResult {
    let range = ranges.rows().find(|(first, last, _)| (*first..=*last).contains(&status));
    range.map_or(AccessResult::Unreachable, |(_, _, class)| class)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOWN: AccessResult = AccessResult::Unreachable;

    #[test]
    fn each_result_has_its_pauses() {
        let mut policy = AccessPolicy::RFC9309;
        policy.first_retry_throttled = Duration::from_secs(5);
        policy.max_retry_throttled = Duration::from_secs(18);
        let seconds = |attempts| policy.retry_pause(attempts, AccessResult::Throttled, Some(429)).as_secs();
        assert_eq!([1, 2, 3, 9].map(seconds), [5, 10, 18, 18]);
        assert_eq!(policy.retry_pause(1, DOWN, Some(429)).as_secs(), 60);
        let asked = policy.bounded_retry_after(Duration::ZERO, AccessResult::Throttled, Some(503));
        assert_eq!(asked.as_secs(), 5);
    }

    #[test]
    fn pauses_double_up_to_the_maximum_for_any_number_of_attempts() {
        let policy = AccessPolicy::RFC9309;
        let seconds = |attempts| policy.retry_pause(attempts, DOWN, Some(503)).as_secs();
        assert_eq!([0, 1, 2, 3, 6, 7, 8].map(seconds), [60, 60, 120, 240, 1920, 3600, 3600]);
        assert_eq!([32, 33, 34, u32::MAX].map(seconds), [3600; 4]);
        assert_eq!(policy.bounded_retry_after(Duration::ZERO, DOWN, None).as_secs(), 60);
        assert_eq!(policy.bounded_retry_after(Duration::from_secs(300), DOWN, None).as_secs(), 300);
        assert_eq!(policy.bounded_retry_after(Duration::MAX, DOWN, None).as_secs(), 86_400);
        let google = AccessPolicy::GOOGLE;
        let seconds = |attempts| google.retry_pause(attempts, DOWN, Some(503)).as_secs();
        assert_eq!([1, 2, 5, 6, 7, u32::MAX].map(seconds), [30, 60, 480, 600, 600, 600]);
        assert_eq!(google.bounded_retry_after(Duration::ZERO, DOWN, Some(503)).as_secs(), 30);
        assert_eq!(google.retry_pause(1, DOWN, Some(502)).as_secs(), 60);
    }

    #[test]
    fn the_last_step_reached_applies() {
        let with = |outage| AccessPolicy { outage, ..AccessPolicy::RFC9309 };
        let later = with(AccessPolicy::GOOGLE_LATER);
        assert_eq!(later.outage_access(Duration::ZERO), OutageAccess::Nothing);
        assert_eq!(later.outage_access(HOUR * 12), OutageAccess::FileOrEverything);
        assert_eq!(later.outage_access(Duration::MAX), OutageAccess::EverythingIfSiteAnswers);
        let step = later.next_outage_access(HOUR * 13);
        assert_eq!(step, Some((MONTH, OutageAccess::EverythingIfSiteAnswers)));
        assert_eq!(later.next_outage_access(MONTH), None);
        let once = with(AccessPolicy::FILE_AT_ONCE);
        assert_eq!(once.outage_access(Duration::ZERO), OutageAccess::FileOrNothing);
        assert_eq!(once.next_outage_access(Duration::ZERO), Some((MONTH, OutageAccess::FileOrEverything)));
        assert_eq!(with(Table::of(&[])).outage_access(Duration::MAX), OutageAccess::Nothing);
        let rfc = AccessPolicy::RFC9309;
        assert_eq!(rfc.outage_access(MONTH - Duration::from_secs(1)), OutageAccess::Nothing);
        assert_eq!(rfc.outage_access(MONTH), OutageAccess::FileOrEverything);
    }

    #[test]
    fn the_first_matching_range_counts_and_other_statuses_are_unreachable() {
        for (status, rfc, google, koster) in [
            (0, AccessResult::Unreachable, AccessResult::Unreachable, AccessResult::Unreachable),
            (100, AccessResult::Unreachable, AccessResult::Unreachable, AccessResult::Unreachable),
            (204, AccessResult::Success, AccessResult::Success, AccessResult::Success),
            (308, AccessResult::Redirect, AccessResult::Redirect, AccessResult::Redirect),
            (401, AccessResult::Unavailable, AccessResult::Unavailable, AccessResult::Restricted),
            (404, AccessResult::Unavailable, AccessResult::Unavailable, AccessResult::Unavailable),
            (410, AccessResult::Unavailable, AccessResult::Unavailable, AccessResult::Unreachable),
            (429, AccessResult::Throttled, AccessResult::Unreachable, AccessResult::Unreachable),
            (500, AccessResult::Unreachable, AccessResult::Unreachable, AccessResult::Unreachable),
            (600, AccessResult::Unreachable, AccessResult::Unreachable, AccessResult::Unreachable),
            (u16::MAX, AccessResult::Unreachable, AccessResult::Unreachable, AccessResult::Unreachable),
        ] {
            assert_eq!(AccessPolicy::RFC9309.status_result(status), rfc, "{status}");
            let draft = if status == 429 { AccessResult::Unavailable } else { rfc };
            assert_eq!(AccessPolicy::DRAFT_KOSTER_REP_00.status_result(status), draft, "{status}");
            assert_eq!(AccessPolicy::GOOGLE.status_result(status), google, "{status}");
            assert_eq!(AccessPolicy::KOSTER_1996.status_result(status), koster, "{status}");
        }
    }
}
