//! The state of the robots.txt of one origin between retrievals.

pub(crate) mod before;
#[cfg(feature = "stored")]
pub(crate) mod codec;
pub(crate) mod file;
mod lifetime;
mod local;
pub(crate) mod outage;
#[cfg(feature = "stored")]
pub(crate) mod policy_key;
mod size;

use alloc::sync::Arc;
use core::time::Duration;
use std::time::SystemTime;

use robots_match::syntax::BodyKind;
use robots_match::{Crawler, Robots};

use crate::access::{Access, Permission};
use crate::entry::before::Before;
use crate::entry::file::File;
use crate::entry::outage::Outage;
use crate::failure::Cause;
use crate::message::fields::Fields;
use crate::message::fields::Validators;
use crate::message::freshness::{Freshness, FreshnessSource};
use crate::policy::OutageAccess;
use crate::profile::SiteProfile;
use crate::retrieval::outcome::{Hop, Outcome, RetrievalResult};
use robots_match::AccessResult;

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
        let url = outcome.url().cloned();
        let (class, cause) = match (outcome.result, url, held.clone()) {
            (RetrievalResult::File { body }, Some(url), _) => {
                let file = File {
                    robots: Arc::new(profile.read(body)),
                    url,
                    fields: outcome.fields,
                    retrieved: now,
                    confirmed: now,
                    storable: freshness.storable,
                };
                return Self::of(profile, State::File(file), freshness, outcome.hops, outcome.body_bytes);
            }
            (RetrievalResult::NotModified, _, Some(held)) => {
                let fields = held.fields.renewed_by(&outcome.fields);
                freshness = fresh(&fields);
                let file = File { fields, confirmed: now, storable: freshness.storable, ..held };
                return Self::of(profile, State::File(file), freshness, outcome.hops, outcome.body_bytes);
            }
            (RetrievalResult::None(_, cause @ Cause::Failure(_)), ..) if cause.is_local() => {
                let lifetime = profile.access.first_retry;
                let freshness =
                    Freshness { asked: lifetime, lifetime, source: FreshnessSource::Default, ..freshness };
                let before = previous.map(|previous| previous.before(profile)).unwrap_or_default();
                let state = State::Local { cause: Arc::new(cause), before };
                return Self::of(profile, state, freshness, outcome.hops, outcome.body_bytes);
            }
            (RetrievalResult::None(class, cause), ..) => (class, cause),
            _ => (AccessResult::Unreachable, Cause::NotModifiedUnasked),
        };
        let status = outcome.hops.last().and_then(|hop| hop.status);
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
        Self::of(profile, state, freshness, outcome.hops, outcome.body_bytes)
    }

    fn of(
        profile: &SiteProfile,
        state: State,
        freshness: Freshness,
        hops: Vec<Hop>,
        body_bytes: usize,
    ) -> Self {
        Self { profile: *profile, state, freshness, hops: hops.into(), body_bytes }
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

#[cfg(test)]
mod tests;
