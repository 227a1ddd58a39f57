//! A file that was retrieved.

use alloc::sync::Arc;
use core::fmt;
use core::time::Duration;
use std::sync::OnceLock;
use std::time::SystemTime;

use robots_match::Robots;
use robots_match::syntax::BodyKind;
use url::Url;

use crate::text::without_secrets;

use crate::message::fields::{Fields, Validators};
use crate::profile::SiteProfile;

/// How far a clock may go back before an entry counts as stale.
pub(crate) const TOLERANCE: Duration = Duration::from_secs(60 * 60);

/// A robots.txt file, and the facts of its retrieval.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct File {
    /// The body, with the profile by which it is read.
    pub robots: Arc<Robots>,
    /// The URL of the file, after all redirects.
    pub url: Url,
    /// The header fields of the answer, updated by 304 answers.
    pub fields: Fields,
    /// When the body was received.
    pub retrieved: SystemTime,
    /// When an answer last said that this is the file.
    pub confirmed: SystemTime,
    /// Whether the server allows storing the file (no `no-store`).
    pub storable: bool,
    /// Whether the server sent more bytes than the `Content-Length` that it announced, so that the last lines of the file may be
    /// missing. The blocking HTTP client sees bytes that come with the end of the body; the other clients don't.
    pub has_excess: bool,
    pub(crate) found_kind: FoundKind,
}

/// The URL is shown without user, password and query.
impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { robots, url, fields, retrieved, confirmed, storable, has_excess, found_kind: _ } = self;
        let mut shown = f.debug_struct("File");
        shown.field("url", &without_secrets(url)).field("robots", robots).field("fields", fields);
        shown.field("retrieved", retrieved).field("confirmed", confirmed).field("storable", storable);
        shown.field("has_excess", has_excess).finish()
    }
}

/// The kind of the body, once it was asked for: a cache may ask for it with each URL. Files with equal bodies are equal without it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundKind(OnceLock<BodyKind>);

impl PartialEq for FoundKind {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl File {
    /// Returns the number of bytes of the body.
    pub(crate) fn len(&self) -> usize {
        self.robots.body().len()
    }

    /// Returns the number of bytes of the URL and the fields.
    pub(crate) fn facts_len(&self) -> usize {
        self.url.as_str().len() + self.fields.all().into_iter().flatten().map(String::len).sum::<usize>()
    }

    /// Returns how many of the received bytes are ignored because of the size limit: the line that the limit cuts, and one
    /// byte more. 0 if the file is within the limit. The length of the whole file is unknown, because the rest is not read.
    #[must_use]
    pub fn dropped(&self) -> usize {
        let dropped = self.robots.lines().dropped_len();
        SiteProfile::unread(self.robots.body(), &self.robots.profile().syntax, dropped)
    }

    /// Returns what kind of thing the body is: a robots.txt file, or what servers send in its place, such as an error page with
    /// status 200.
    ///
    /// # Complexity
    ///
    /// The first call is linear in the length of the body.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        *self.found_kind.0.get_or_init(|| BodyKind::of(self.robots.body(), &self.robots.profile().syntax))
    }

    /// Returns the validators for a conditional request.
    #[must_use]
    pub fn validators(&self) -> Validators {
        self.fields.validators(&self.url)
    }

    /// Returns the file, read by `profile`.
    pub(crate) fn read_by(mut self, profile: &SiteProfile) -> Self {
        if *self.robots.profile() != profile.reading() {
            self.robots = Arc::new(profile.read(self.robots.body().into()));
            self.found_kind = FoundKind::default();
        }
        self
    }

    /// Whether the file is still in use at `now` while answers limit requests. `None`: at any age.
    pub(crate) fn outlives_limit(&self, keep: Option<Duration>, now: SystemTime) -> bool {
        keep.is_none() || self.outlives_unavailable(keep, now)
    }

    /// Whether the file is still in use at `now`, after an answer said that the robots.txt does not exist.
    pub(crate) fn outlives_unavailable(&self, keep: Option<Duration>, now: SystemTime) -> bool {
        let age = now.duration_since(self.confirmed);
        keep.is_some_and(|keep| age.map_or_else(|early| early.duration() <= TOLERANCE, |age| age < keep))
    }
}
