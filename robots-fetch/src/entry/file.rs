//! A file that was retrieved.

use alloc::sync::Arc;
use core::time::Duration;
use std::time::SystemTime;

use robots_match::Robots;
use url::Url;

use crate::entry::cache_status::TOLERANCE;
use crate::http::fields::Fields;
use crate::http::validators::Validators;
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
    /// When its bytes came.
    pub retrieved: SystemTime,
    /// When an answer said last that this is the file.
    pub confirmed: SystemTime,
    /// Whether it looks like a page of HTML: an error page with a wrong status, a login, a wall.
    pub looks_like_html: bool,
    /// Whether the server lets it be held beyond the moment (no `no-store`).
    pub storable: bool,
}

impl File {
    /// How many bytes its body has.
    pub(crate) fn len(&self) -> usize {
        self.robots.body().len()
    }

    /// How many bytes its URL and its fields have.
    pub(crate) fn facts_len(&self) -> usize {
        self.url.as_str().len() + self.fields.all().into_iter().flatten().map(String::len).sum::<usize>()
    }

    /// How many bytes the size limit dropped, of those that were retrieved: the line that it cut, and one byte more. 0 if
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

    /// Whether the file is still in use at `now`, after an answer said that there is no robots.txt.
    pub(crate) fn outlives_unavailable(&self, keep: Option<Duration>, now: SystemTime) -> bool {
        let age = now.duration_since(self.confirmed);
        keep.is_some_and(|keep| age.map_or_else(|early| early.duration() <= TOLERANCE, |age| age < keep))
    }
}
