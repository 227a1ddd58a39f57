//! The state of the robots.txt of one origin between retrievals.

pub(crate) mod codec;
pub(crate) mod file;
#[cfg(feature = "stored")]
pub(crate) mod policy_key;
#[cfg(feature = "stored")]
pub(crate) mod stored;
mod words;

use alloc::sync::Arc;
use core::time::Duration;
use std::time::SystemTime;

use robots_match::syntax::BodyKind;
use robots_match::{AccessResult, Crawler, Robots};

use crate::access::{Access, Permission};
use crate::entry::file::{File, FoundKind, TOLERANCE};
use crate::failure::Cause;
use crate::map::allocated;
use crate::message::fields::{Fields, Validators};
use crate::message::freshness::{Freshness, FreshnessSource, later};
use crate::policy::OutageAccess;
use crate::profile::SiteProfile;
use crate::retrieval::outcome::{Hop, Outcome, RetrievalResult};

/// The state of the robots.txt of one origin: the last answer, the last good file, and the outage if there is one.
///
/// An entry is a value: [`Entry::from_outcome`] makes the next one from an entry and an outcome, and [`Entry::access`] and
/// [`Entry::is_fresh`] read it at a given time. Cloning is cheap: the body is shared.
///
/// ```
/// use robots_fetch::{Access, Entry, Origin, SiteProfile};
/// # use robots_fetch::{AwaitingHead, Failure, FailureKind, Validators};
/// use std::time::{Duration, SystemTime};
///
/// let profile = SiteProfile::RFC9309;
/// let origin = Origin::parse("https://example.com")?;
/// // `fails` returns the outcome of a retrieval without an answer.
/// # let fails = |now| {
/// #     let awaiting = AwaitingHead::new(&origin, &Validators::default(), &profile, now);
/// #     awaiting.failure(Failure::new(FailureKind::Timeout, ""), now)
/// # };
/// let start = SystemTime::UNIX_EPOCH;
/// let entry = Entry::from_outcome(None, fails(start), &profile);
/// assert!(matches!(entry.access(start), Access::Nothing(..)));
/// assert_eq!(entry.next_retrieval(), start + Duration::from_secs(60));
/// let later = start + Duration::from_secs(30 * 24 * 60 * 60);
/// let entry = Entry::from_outcome(Some(&entry), fails(later), &profile);
/// assert!(matches!(entry.access(later), Access::Everything(..)));
/// # Ok::<(), robots_fetch::UnsupportedUrl>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub(crate) profile: SiteProfile,
    pub(crate) state: State,
    pub(crate) freshness: Freshness,
    pub(crate) hops: Arc<[Hop]>,
    pub(crate) body_bytes: usize,
}

/// The last answer, and the parts of earlier answers that are kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum State {
    /// This file, new or confirmed.
    File(File),
    /// The robots.txt does not exist. The file is the one before.
    Unavailable { cause: Arc<Cause>, was: Option<File> },
    /// Access to the site is restricted.
    Restricted { cause: Arc<Cause> },
    /// The robots.txt is unreachable. The file is the last good one.
    Unreachable { cause: Arc<Cause>, last_good: Option<File>, outage: Outage },
    /// The site limits requests. The file is the last good one; the attempts are those in a row that were answered so.
    Throttled { cause: Arc<Cause>, last_good: Option<File>, attempts: u32 },
    /// The last attempt ended with a failure that is not the site's. The rest is what was known before.
    Local { cause: Arc<Cause>, before: Before },
}

impl Entry {
    /// Makes the entry after a retrieval, from the previous entry and the outcome.
    ///
    /// After failures, the last good file is kept, however old it is, until an answer says that it does not exist: the
    /// 24 hours of RFC 9309, section 2.4, do not apply while the robots.txt is unreachable, because section 2.3.1.4 needs
    /// the file. A `no-store` response is never kept.
    ///
    /// An answer that limits requests ([`AccessResult::Throttled`]) neither begins nor prolongs an outage; an outage ends with
    /// it, because the server answers.
    ///
    /// A [local failure](Self::is_local_failure) says nothing about the site: an outage goes on as if there had been no
    /// attempt.
    #[must_use]
    pub fn from_outcome(previous: Option<&Self>, outcome: Outcome, profile: &SiteProfile) -> Self {
        let held = previous.and_then(Self::good_file).filter(|file| file.storable);
        let held = held.map(|file| file.clone().read_by(profile));
        let now = outcome.received;
        let fresh = |fields: &Fields| Freshness::of(fields, outcome.sent, now, &profile.access);
        let mut freshness = fresh(&outcome.fields);
        let status = outcome.status();
        let url = outcome.url().cloned();
        let (hops, body_bytes) = (outcome.hops.into(), outcome.body_bytes);
        let of = |state, freshness| Self { profile: *profile, state, freshness, hops, body_bytes };
        let (class, cause) = match (outcome.result, url, held.clone()) {
            (RetrievalResult::File { body }, Some(url), _) => {
                let file = File {
                    robots: Arc::new(profile.read(body)),
                    url,
                    fields: outcome.fields,
                    retrieved: now,
                    confirmed: now,
                    storable: freshness.storable,
                    has_excess: outcome.has_excess,
                    found_kind: FoundKind::default(),
                };
                return of(State::File(file), freshness);
            }
            (RetrievalResult::NotModified, _, Some(held)) => {
                let fields = held.fields.renewed_by(&outcome.fields);
                freshness = fresh(&fields);
                let file = File { fields, confirmed: now, storable: freshness.storable, ..held };
                return of(State::File(file), freshness);
            }
            (RetrievalResult::None(_, cause @ Cause::Failure(_)), ..) if cause.is_local() => {
                let lifetime = profile.access.first_retry;
                let freshness =
                    Freshness { asked: lifetime, lifetime, source: FreshnessSource::Default, ..freshness };
                let before = previous.map(|previous| previous.before(profile)).unwrap_or_default();
                let state = State::Local { cause: Arc::new(cause), before };
                return of(state, freshness);
            }
            (RetrievalResult::None(class, cause), ..) => (class, cause),
            _ => (AccessResult::Unreachable, Cause::NotModifiedUnasked),
        };
        let asked = outcome.fields.retry_after(now);
        if let Some(asked) = asked {
            let lifetime = profile.access.bounded_retry_after(asked, class, status);
            freshness = freshness.paused(asked, lifetime, FreshnessSource::RetryAfter);
        }
        let paused = |freshness: Freshness, attempts| match asked {
            Some(_) => freshness,
            None => {
                let lifetime = profile.access.retry_pause(attempts, class, status);
                freshness.paused(lifetime, lifetime, FreshnessSource::Default)
            }
        };
        let cause = Arc::new(cause);
        let state = match class {
            AccessResult::Unavailable => {
                freshness = freshness.without_file(&profile.access);
                let keeps = profile.access.keep_after_unavailable.is_some();
                State::Unavailable {
                    cause,
                    was: held
                        .or_else(|| Some(previous?.previous_file()?.clone().read_by(profile)))
                        .filter(|_| keeps),
                }
            }
            AccessResult::Restricted => {
                freshness = freshness.without_file(&profile.access);
                State::Restricted { cause }
            }
            AccessResult::Throttled => {
                let attempts = previous.map_or(0, Self::throttled_attempts).saturating_add(1);
                freshness = paused(freshness, attempts);
                State::Throttled { cause, last_good: held, attempts }
            }
            _ => {
                let outage = Outage::with(previous.and_then(Self::outage_before), now);
                freshness = paused(freshness, outage.attempts);
                State::Unreachable { cause, last_good: held, outage }
            }
        };
        of(state, freshness)
    }

    /// Returns what crawlers may do at `now` according to the last answer, fresh or stale (see [`Self::is_fresh`]).
    #[must_use]
    pub fn access(&self, now: SystemTime) -> Access<'_> {
        self.access_if(now, false)
    }

    /// Returns what crawlers may do at `now`, like [`Self::access`], for a crawler that knows that other URLs of the site
    /// answer. This knowledge matters under [`OutageAccess::EverythingIfSiteAnswers`].
    #[must_use]
    pub fn access_if_site_answers(&self, now: SystemTime) -> Access<'_> {
        self.access_if(now, true)
    }

    fn access_if(&self, now: SystemTime, site_answers: bool) -> Access<'_> {
        match &self.state {
            State::File(file) => Access::Rules(&file.robots),
            State::Unavailable { cause, was } => match was {
                Some(file) if file.outlives_unavailable(self.profile.access.keep_after_unavailable, now) => {
                    Access::Rules(&file.robots)
                }
                _ => Access::Everything(AccessResult::Unavailable, cause),
            },
            State::Restricted { cause } => Access::Nothing(AccessResult::Restricted, cause),
            State::Local { cause, before } => match before.usable_file(&self.profile, now) {
                Some(file) => Access::Rules(&file.robots),
                None => Access::Nothing(AccessResult::Unreachable, cause),
            },
            State::Throttled { last_good: Some(file), .. }
                if file.outlives_limit(self.profile.access.keep_while_throttled, now) =>
            {
                Access::Rules(&file.robots)
            }
            State::Throttled { cause, .. } => Access::Nothing(AccessResult::Throttled, cause),
            State::Unreachable { cause, last_good, outage } => {
                let meanwhile = self.profile.access.outage_access(outage.lasted());
                match (meanwhile, last_good, site_answers) {
                    (OutageAccess::FileOrNothing | OutageAccess::FileOrEverything, Some(file), _) => {
                        Access::Rules(&file.robots)
                    }
                    (OutageAccess::FileOrEverything, None, _)
                    | (OutageAccess::Everything, ..)
                    | (OutageAccess::EverythingIfSiteAnswers, _, true) => {
                        Access::Everything(AccessResult::Unreachable, cause)
                    }
                    _ => Access::Nothing(AccessResult::Unreachable, cause),
                }
            }
        }
    }

    /// Compiles what one crawler may do at `now`, for many paths. The permission can be used as long as
    /// the entry is fresh ([`Self::fresh_until`]).
    ///
    /// # Complexity
    ///
    /// Time grows with the bytes of the file.
    ///
    /// ```
    /// # use robots_fetch::{AwaitingHead, Entry, Head, Origin, SiteProfile, NextStep, Validators};
    /// # use robots_fetch::matching::Crawler;
    /// # use std::time::SystemTime;
    /// # let now = SystemTime::UNIX_EPOCH;
    /// # let origin = Origin::parse("https://example.com")?;
    /// # let awaiting = AwaitingHead::new(&origin, &Validators::default(), &SiteProfile::RFC9309, now);
    /// # let NextStep::Done(outcome) = awaiting.head(&Head::new(503), now) else { unreachable!() };
    /// let entry = Entry::from_outcome(None, outcome, &SiteProfile::RFC9309); // of an answer with status 503
    /// let permission = entry.permission(&Crawler::new("ExampleBot").unwrap(), now);
    /// assert_eq!(permission.check(b"/page").to_string(), "disallowed: robots.txt is unreachable (status 503)");
    /// # Ok::<(), robots_fetch::UnsupportedUrl>(())
    /// ```
    #[must_use]
    pub fn permission(&self, crawler: &Crawler, now: SystemTime) -> Permission {
        Permission::new(self.access(now), crawler, &self.profile)
    }

    /// Returns the validators for the next request, which make it conditional.
    #[must_use]
    pub fn validators(&self) -> Validators {
        self.good_file().filter(|file| file.storable).map_or(Validators::default(), File::validators)
    }

    /// Returns the file that the last answer brought or confirmed, or the last good one during an outage or while
    /// the site limits requests.
    #[must_use]
    pub const fn good_file(&self) -> Option<&File> {
        match &self.state {
            State::File(file)
            | State::Unreachable { last_good: Some(file), .. }
            | State::Throttled { last_good: Some(file), .. }
            | State::Local { before: Before { file: Some(file), is_previous: false, .. }, .. } => Some(file),
            _ => None,
        }
    }

    /// Returns the file from before an answer said that the robots.txt does not exist, if the policy keeps it.
    #[must_use]
    pub const fn previous_file(&self) -> Option<&File> {
        match &self.state {
            State::Unavailable { was: Some(file), .. }
            | State::Local { before: Before { file: Some(file), is_previous: true, .. }, .. } => Some(file),
            _ => None,
        }
    }

    /// Returns the access result of the last answer; after a local failure, [`AccessResult::Unreachable`].
    #[must_use]
    pub const fn access_result(&self) -> AccessResult {
        match self.state {
            State::File(_) => AccessResult::Success,
            State::Unavailable { .. } => AccessResult::Unavailable,
            State::Restricted { .. } => AccessResult::Restricted,
            State::Unreachable { .. } | State::Local { .. } => AccessResult::Unreachable,
            State::Throttled { .. } => AccessResult::Throttled,
        }
    }

    /// Returns why the last answer was not a file; `None` if it was.
    #[must_use]
    pub fn cause(&self) -> Option<&Cause> {
        match &self.state {
            State::File(_) => None,
            State::Unavailable { cause, .. }
            | State::Restricted { cause }
            | State::Unreachable { cause, .. }
            | State::Throttled { cause, .. }
            | State::Local { cause, .. } => Some(cause),
        }
    }

    /// Returns the outage, if there is one. After a local failure it is not known whether an outage goes on.
    #[must_use]
    pub const fn outage(&self) -> Option<Outage> {
        match self.state {
            State::Unreachable { outage, .. } => Some(outage),
            _ => None,
        }
    }

    /// Returns how many attempts in a row were answered by a limit of requests.
    pub(super) const fn throttled_attempts(&self) -> u32 {
        match &self.state {
            State::Throttled { attempts, .. } => *attempts,
            State::Local { before, .. } => before.throttled,
            _ => 0,
        }
    }

    /// Returns the next step of the outage schedule: how much longer the outage has to last, and what crawlers may access
    /// then. `None` without an outage or a later step.
    #[must_use]
    pub fn next_outage_access(&self) -> Option<(Duration, OutageAccess)> {
        let lasted = self.outage()?.lasted();
        let (from, meanwhile) = self.profile.access.next_outage_access(lasted)?;
        Some((from.saturating_sub(lasted), meanwhile))
    }

    /// Returns the requests of the last retrieval, in order: all except the last were answered by redirects.
    #[must_use]
    pub fn hops(&self) -> &[Hop] {
        &self.hops
    }

    /// Returns the status of the last answer; `None` without an answer.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.hops.last().and_then(|hop| hop.status)
    }

    /// Returns the number of bytes that were read of the last body, decoded.
    #[must_use]
    pub const fn body_bytes(&self) -> usize {
        self.body_bytes
    }

    /// Returns what kind of thing the body is that was retrieved: of the file, or of a page that
    /// [`AccessPolicy::html`](crate::AccessPolicy::html) does not read.
    #[must_use]
    pub fn body_kind(&self) -> Option<BodyKind> {
        let page = || (self.cause() == Some(&Cause::Html)).then_some(BodyKind::Html);
        self.good_file().map(File::kind).or_else(page)
    }

    /// Returns whether the entry may be written to a disk or a server: not if its file is of a `no-store` response, or the last
    /// failure was a [local one](Self::is_local_failure).
    #[must_use]
    pub fn is_storable(&self) -> bool {
        match &self.state {
            State::File(file) => file.storable,
            State::Local { .. } => false,
            _ => true,
        }
    }

    /// Returns whether the last answer came later than the last answer of another entry. A store keeps the later
    /// one of two entries of an origin.
    pub(crate) fn is_later_than(&self, other: &Self) -> bool {
        self.freshness.received > other.freshness.received
    }

    /// Returns the profile that the entry was made under.
    #[must_use]
    pub const fn profile(&self) -> &SiteProfile {
        &self.profile
    }

    /// Returns the robots.txt whose rules apply at `now`; `None` if everything or nothing may be accessed.
    #[must_use]
    pub fn robots(&self, now: SystemTime) -> Option<&Arc<Robots>> {
        match self.access(now) {
            Access::Rules(robots) => Some(robots),
            _ => None,
        }
    }
}

/// The parts of an entry that outlast a local failure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Before {
    pub(crate) file: Option<File>,
    /// Whether an answer said since then that the site has no robots.txt.
    pub(crate) is_previous: bool,
    pub(crate) outage: Option<Outage>,
    /// How many attempts in a row were answered by a limit of requests.
    pub(crate) throttled: u32,
}

impl Before {
    /// Returns the file, unless the outage before closes the site even with a file.
    pub(super) fn usable_file(&self, profile: &SiteProfile, now: SystemTime) -> Option<&File> {
        let file = self.file.as_ref()?;
        let is_usable = match self.outage {
            _ if self.is_previous => file.outlives_unavailable(profile.access.keep_after_unavailable, now),
            None if self.throttled > 0 => file.outlives_limit(profile.access.keep_while_throttled, now),
            None => true,
            Some(outage) => matches!(
                profile.access.outage_access(outage.lasted()),
                OutageAccess::FileOrNothing | OutageAccess::FileOrEverything
            ),
        };
        is_usable.then_some(file)
    }
}

/// A period in which the robots.txt is unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outage {
    /// When the first attempt failed.
    pub since: SystemTime,
    /// When the last attempt failed.
    pub last: SystemTime,
    /// The number of failed attempts.
    pub attempts: u32,
}

impl Outage {
    /// Returns the outage with one more attempt, which failed at `now`.
    pub(crate) fn with(before: Option<Self>, now: SystemTime) -> Self {
        let Some(before) = before else { return Self { since: now, last: now, attempts: 1 } };
        Self { last: now, attempts: before.attempts.saturating_add(1), ..before }
    }

    /// Returns how long the outage has lasted: from the first failed attempt to the last. Gaps without attempts do not
    /// count, so neither a sleeping crawler nor a clock change ends an outage.
    #[must_use]
    pub fn lasted(&self) -> Duration {
        self.last.duration_since(self.since).unwrap_or_default()
    }
}

impl Entry {
    /// Returns whether the last attempt ended with a failure that is [not the site's](crate::Failure::is_local): the user's own
    /// limits, a failing proxy, or no network at all.
    ///
    /// Until the next attempt, crawlers use the last good file, unless an outage before had closed the site, and access nothing
    /// without one. The pause before the next attempt is [`AccessPolicy::first_retry`](crate::AccessPolicy::first_retry) and does not grow. Caches do not store such
    /// an entry, because other users of a store may have other limits.
    #[must_use]
    pub const fn is_local_failure(&self) -> bool {
        matches!(self.state, State::Local { .. })
    }

    /// Returns the outage, or the one before a local failure.
    pub(super) const fn outage_before(&self) -> Option<Outage> {
        match &self.state {
            State::Local { before, .. } => before.outage,
            _ => self.outage(),
        }
    }

    /// Returns what outlasts a local failure.
    pub(super) fn before(&self, profile: &SiteProfile) -> Before {
        let good = self.good_file().filter(|file| file.storable);
        let file = good.or_else(|| self.previous_file());
        Before {
            file: file.map(|file| file.clone().read_by(profile)),
            is_previous: good.is_none() && file.is_some(),
            outage: self.outage_before(),
            throttled: self.throttled_attempts(),
        }
    }
}

impl Entry {
    /// Returns about how many bytes the entry takes in memory: body, URLs and header fields, and 512 bytes more.
    #[must_use]
    pub fn weight(&self) -> usize {
        const OVERHEAD: usize = 512;
        let hops: usize = self.hops.iter().map(|hop| size_of_val(hop) + hop.url.as_str().len()).sum();
        let file = self.good_file().or_else(|| self.previous_file());
        OVERHEAD + hops + file.map_or(0, |file| file.len() + file.facts_len())
    }

    /// Returns about how many bytes the entry takes in memory as it is, with the blocks that it points to.
    pub(crate) fn memory(&self) -> usize {
        let hops: usize =
            self.hops.iter().map(|hop| size_of_val(hop) + allocated(hop.url.as_str().len())).sum();
        let file = self.good_file().or_else(|| self.previous_file()).map_or(0, |file| {
            let fields: usize =
                file.fields.all().into_iter().flatten().map(|field| allocated(field.len())).sum();
            let body = allocated(file.len()) + size_of::<Robots>() + 24;
            body + fields + allocated(file.url.as_str().len())
        });
        // A cause has a block of its own.
        let cause = self.cause().map_or(0, |cause| size_of_val(cause) + 24);
        size_of::<Self>() + 24 + hops + 24 + file + cause
    }
}

impl Entry {
    /// Returns whether the last answer is fresh at `now`. It never is during an outage or while the site limits requests. A
    /// clock that went back by more than an hour since the last answer makes the entry stale, because its age is unknown.
    #[must_use]
    pub fn is_fresh(&self, now: SystemTime) -> bool {
        !self.is_failing() && !self.is_due(now)
    }

    /// Returns whether it is time to retrieve the robots.txt: [`Self::next_retrieval`] has come, or the clock went back by
    /// more than an hour since the last answer.
    #[must_use]
    pub fn is_due(&self, now: SystemTime) -> bool {
        now >= self.freshness.until() || later(now, TOLERANCE) < self.freshness.received
    }

    /// Returns until when the last answer is or was fresh.
    #[must_use]
    pub fn fresh_until(&self) -> SystemTime {
        if self.is_failing() { self.freshness.received } else { self.freshness.until() }
    }

    /// Returns when to retrieve the robots.txt next: when the answer is stale, or when the server asks for, or after a pause
    /// that doubles with the failed attempts.
    #[must_use]
    pub fn next_retrieval(&self) -> SystemTime {
        self.freshness.until()
    }

    /// Returns whether there is an outage, the site limits requests, or the last failure was a local one.
    const fn is_failing(&self) -> bool {
        matches!(self.state, State::Unreachable { .. } | State::Throttled { .. } | State::Local { .. })
    }

    /// Returns when the last answer was received.
    #[must_use]
    pub const fn received(&self) -> SystemTime {
        self.freshness.received
    }

    /// Returns how long the last answer is fresh from [`Self::received`] on: its lifetime less its age, within the limits of
    /// the policy. During an outage or while the site limits requests, the pause before the next attempt.
    #[must_use]
    pub const fn lifetime(&self) -> Duration {
        self.freshness.lifetime
    }

    /// Returns the value that [`Self::lifetime`] would have without the limits of the policy.
    #[must_use]
    pub const fn asked_lifetime(&self) -> Duration {
        self.freshness.asked
    }

    /// Returns where the lifetime comes from: `max-age`, `no-store` or `no-cache` of `Cache-Control`, `expires`,
    /// `retry-after` (of an answer without a file), or `default` for the default of the policy.
    #[must_use]
    pub const fn lifetime_source(&self) -> &'static str {
        self.freshness.source.name()
    }

    /// Returns whether the last answer has `must-revalidate`: a stale file must not be used without a new request. That
    /// applies to every stale file here, except while the robots.txt is unreachable, for which the documents have their own
    /// rules.
    #[must_use]
    pub const fn must_revalidate(&self) -> bool {
        self.freshness.must_revalidate
    }

    /// Returns how long the answer may be used after its lifetime while it is retrieved again (RFC 5861, section 3), within
    /// [`AccessPolicy::max_stale_age`](crate::AccessPolicy::max_stale_age). Zero after `no-cache`, `no-store` or
    /// `must-revalidate`, during an outage, and while the site limits requests.
    #[must_use]
    pub const fn stale_while_revalidate(&self) -> Duration {
        self.freshness.stale_while_revalidate
    }
}

#[cfg(test)]
mod lifetime_tests {
    use super::*;

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

#[cfg(test)]
mod tests;
