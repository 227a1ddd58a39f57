//! What is known of the robots.txt of one origin, between retrievals.

pub(crate) mod cache_status;
#[cfg(feature = "stored")]
pub(crate) mod codec;
pub(crate) mod file;
pub(crate) mod outage;
#[cfg(feature = "stored")]
pub(crate) mod policy_key;

use alloc::sync::Arc;
use core::time::Duration;
use std::time::SystemTime;

use robots_match::{Crawler, Robots};

use crate::access::{Access, Permission, SiteStatus};
use crate::entry::cache_status::CacheStatus;
use crate::entry::file::File;
use crate::entry::outage::Outage;
use crate::failure::Cause;
use crate::html::looks_like_html;
use crate::http::fields::Fields;
use crate::http::freshness::{Freshness, FreshnessSource};
use crate::http::status::AccessResult;
use crate::http::validators::Validators;
use crate::policy::OutageAccess;
use crate::profile::Profile;
use crate::retrieval::outcome::{Hop, Outcome, RetrievalResult};

/// What is known of the robots.txt of one origin: the last answer, the last good file, and since when there is an outage.
///
/// An entry is a value: [`Entry::from_outcome`] makes the next one of it and of an outcome, and [`Entry::access`] and
/// [`Entry::cache_status`] read it at a time that is given. It is cheap to clone: the body is shared.
///
/// ```
/// use robots_fetch::{Access, AwaitingHead, Entry, Failure, FailureKind, Origin, Profile, Validators};
/// use std::time::{Duration, SystemTime};
///
/// let profile = Profile::RFC9309;
/// let origin = Origin::parse("https://example.com")?;
/// let fails = |now| {
///     let awaiting = AwaitingHead::new(&origin, &Validators::default(), &profile, now);
///     awaiting.failure(Failure::new(FailureKind::Timeout, ""), now)
/// };
/// let start = SystemTime::UNIX_EPOCH;
/// let entry = Entry::from_outcome(None, fails(start), &profile);
/// assert!(matches!(entry.access(start), Access::Nothing(..)));
/// assert_eq!(entry.cache_status(start).next, start + Duration::from_secs(60));
/// let later = start + Duration::from_secs(30 * 24 * 60 * 60);
/// let entry = Entry::from_outcome(Some(&entry), fails(later), &profile);
/// assert!(matches!(entry.access(later), Access::Everything(..)));
/// # Ok::<(), robots_fetch::UnsupportedUrl>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub(crate) profile: Profile,
    pub(crate) state: State,
    pub(crate) freshness: Freshness,
    pub(crate) hops: Arc<[Hop]>,
    pub(crate) body_bytes: usize,
}

/// What the last answer was, and what is held from before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum State {
    /// This file, anew or confirmed.
    File(File),
    /// That there is none. The file was the last one.
    Unavailable { cause: Arc<Cause>, was: Option<File> },
    /// That robots are not wanted.
    Restricted { cause: Arc<Cause> },
    /// None. The file is the last good one.
    Unreachable { cause: Arc<Cause>, last_good: Option<File>, outage: Outage },
}

impl Entry {
    /// The entry after a retrieval, of the one before and of what came of it.
    ///
    /// Whatever fails, the last good file is kept, however old it is, until an answer says that there is none: that the
    /// 24 hours of RFC 9309, section 2.4, do not bind while the robots.txt is unreachable, is what section 2.3.1.4 needs.
    /// A file that its server let nobody store is not.
    #[must_use]
    pub fn from_outcome(before: Option<&Self>, outcome: Outcome, profile: &Profile) -> Self {
        let held = before.and_then(Self::good_file).filter(|file| file.storable);
        let held = held.map(|file| file.clone().read_by(profile));
        let now = outcome.received;
        let fresh = |fields: &Fields| Freshness::of(fields, outcome.sent, now, &profile.access);
        let mut freshness = fresh(&outcome.fields);
        let url = outcome.url().cloned();
        let (class, cause) = match (outcome.result, url, held.clone()) {
            (RetrievalResult::File { body }, Some(url), _) => {
                let file = File {
                    looks_like_html: looks_like_html(&body),
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
            (RetrievalResult::None(class, cause), ..) => (class, cause),
            _ => (AccessResult::Unreachable, Cause::NotModifiedUnasked),
        };
        let cause = Arc::new(cause);
        let asked = outcome.fields.retry_after(now);
        if let Some(asked) = asked {
            let lifetime = profile.access.bounded_retry_after(asked);
            freshness = Freshness { asked, lifetime, source: FreshnessSource::RetryAfter, ..freshness };
        }
        let state = match class {
            AccessResult::Unavailable => {
                let keeps = profile.access.keep_after_unavailable.is_some();
                State::Unavailable {
                    cause,
                    was: held
                        .or_else(|| Some(before?.previous_file()?.clone().read_by(profile)))
                        .filter(|_| keeps),
                }
            }
            AccessResult::Restricted => State::Restricted { cause },
            _ => {
                let outage = Outage::with(before.and_then(Self::outage), now);
                if asked.is_none() {
                    let lifetime = profile.access.retry_pause(outage.attempts);
                    freshness = Freshness {
                        asked: lifetime,
                        lifetime,
                        source: FreshnessSource::Default,
                        ..freshness
                    };
                }
                State::Unreachable { cause, last_good: held, outage }
            }
        };
        Self::of(profile, state, freshness, outcome.hops, outcome.body_bytes)
    }

    fn of(profile: &Profile, state: State, freshness: Freshness, hops: Vec<Hop>, body_bytes: usize) -> Self {
        Self { profile: *profile, state, freshness, hops: hops.into(), body_bytes }
    }

    /// What a crawler may do at `now`, as far as the last answer tells; whether that is stale, [`Self::cache_status`] tells.
    #[must_use]
    pub fn access(&self, now: SystemTime) -> Access<'_> {
        self.access_with_site(now, SiteStatus::Unknown)
    }

    /// The same, for a crawler that knows whether the site answers otherwise, which matters under
    /// [`OutageAccess::EverythingIfSiteAnswers`].
    #[must_use]
    pub fn access_with_site(&self, now: SystemTime, site: SiteStatus) -> Access<'_> {
        match &self.state {
            State::File(file) => Access::Rules(&file.robots),
            State::Unavailable { cause, was } => match was {
                Some(file) if file.outlives_unavailable(self.profile.access.keep_after_unavailable, now) => {
                    Access::Rules(&file.robots)
                }
                _ => Access::Everything(AccessResult::Unavailable, cause),
            },
            State::Restricted { cause } => Access::Nothing(AccessResult::Restricted, cause),
            State::Unreachable { cause, last_good, outage } => {
                let meanwhile = self.profile.access.outage.after(outage.lasted());
                match (meanwhile, last_good, site) {
                    (OutageAccess::FileOrNothing | OutageAccess::FileOrEverything, Some(file), _) => {
                        Access::Rules(&file.robots)
                    }
                    (OutageAccess::FileOrEverything, None, _)
                    | (OutageAccess::Everything, ..)
                    | (OutageAccess::EverythingIfSiteAnswers, _, SiteStatus::Answers) => {
                        Access::Everything(AccessResult::Unreachable, cause)
                    }
                    _ => Access::Nothing(AccessResult::Unreachable, cause),
                }
            }
        }
    }

    /// What one crawler may do at `now`, compiled: for many paths, to be kept as long as [`Self::cache_status`] says that the
    /// entry is fresh. Time grows with the bytes of the file.
    ///
    /// ```
    /// # use robots_fetch::{AwaitingHead, Entry, Head, Origin, Profile, NextStep, Validators};
    /// # use robots_fetch::matching::ProductToken;
    /// # use std::time::SystemTime;
    /// # let now = SystemTime::UNIX_EPOCH;
    /// # let origin = Origin::parse("https://example.com")?;
    /// # let awaiting = AwaitingHead::new(&origin, &Validators::default(), &Profile::RFC9309, now);
    /// # let NextStep::Done(outcome) = awaiting.head(&Head::new(503), now) else { unreachable!() };
    /// let entry = Entry::from_outcome(None, outcome, &Profile::RFC9309); // of an answer with status 503
    /// let permission = entry.permission(&ProductToken::new("ExampleBot").unwrap(), now);
    /// assert_eq!(permission.check(b"/page").to_string(), "disallowed: robots.txt is unreachable (status 503)");
    /// # Ok::<(), robots_fetch::UnsupportedUrl>(())
    /// ```
    #[must_use]
    pub fn permission<'t>(&self, crawler: impl Into<Crawler<'t>>, now: SystemTime) -> Permission {
        Permission::new(self.access(now), crawler, &self.profile)
    }

    /// How it stands at `now`. A clock that went back by more than an hour since the last answer makes it stale: nobody
    /// can tell how old it is.
    #[must_use]
    pub fn cache_status(&self, now: SystemTime) -> CacheStatus {
        let standing = CacheStatus::of(&self.freshness, now);
        match self.state {
            State::Unreachable { .. } => {
                CacheStatus { fresh: false, until: self.freshness.received, ..standing }
            }
            _ => standing,
        }
    }

    /// What to send with the next request, so that the file is sent only if it is another.
    #[must_use]
    pub fn validators(&self) -> Validators {
        self.good_file().filter(|file| file.storable).map_or(Validators::default(), File::validators)
    }

    /// The file that the last answer brought or confirmed, or the last good one during an outage.
    #[must_use]
    pub const fn good_file(&self) -> Option<&File> {
        match &self.state {
            State::File(file) | State::Unreachable { last_good: Some(file), .. } => Some(file),
            _ => None,
        }
    }

    /// The file that was there before an answer said that there is none, if the policy keeps it.
    #[must_use]
    pub const fn previous_file(&self) -> Option<&File> {
        match &self.state {
            State::Unavailable { was: Some(file), .. } => Some(file),
            _ => None,
        }
    }

    /// What the last answer meant.
    #[must_use]
    pub const fn access_result(&self) -> AccessResult {
        match self.state {
            State::File(_) => AccessResult::Success,
            State::Unavailable { .. } => AccessResult::Unavailable,
            State::Restricted { .. } => AccessResult::Restricted,
            State::Unreachable { .. } => AccessResult::Unreachable,
        }
    }

    /// Why the last answer was no file; nothing if it was one.
    #[must_use]
    pub fn cause(&self) -> Option<&Cause> {
        match &self.state {
            State::File(_) => None,
            State::Unavailable { cause, .. }
            | State::Restricted { cause }
            | State::Unreachable { cause, .. } => Some(cause),
        }
    }

    /// The outage, if there is one.
    #[must_use]
    pub const fn outage(&self) -> Option<Outage> {
        match self.state {
            State::Unreachable { outage, .. } => Some(outage),
            _ => None,
        }
    }

    /// How much longer an outage has to last until something else holds, and what that is.
    #[must_use]
    pub fn next_outage_access(&self) -> Option<(Duration, OutageAccess)> {
        let lasted = self.outage()?.lasted();
        let (from, meanwhile) = self.profile.access.outage.next(lasted)?;
        Some((from.saturating_sub(lasted), meanwhile))
    }

    /// How long the last answer holds, and why. During an outage, how long to wait before the next attempt.
    #[must_use]
    pub const fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    /// The requests of the last retrieval, in order: all but the last were answered by redirects.
    #[must_use]
    pub fn hops(&self) -> &[Hop] {
        &self.hops
    }

    /// The status of its last answer; nothing where none came.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.hops.last().and_then(|hop| hop.status)
    }

    /// How many bytes of a body it took, after decompression.
    #[must_use]
    pub const fn body_bytes(&self) -> usize {
        self.body_bytes
    }

    /// Whether the file that holds looks like a page of HTML.
    #[must_use]
    pub fn looks_like_html(&self) -> bool {
        self.good_file().is_some_and(|file| file.looks_like_html) || self.cause() == Some(&Cause::Html)
    }

    /// The profile it was made under.
    #[must_use]
    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The robots.txt whose rules hold at `now`, if it is rules that hold.
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
