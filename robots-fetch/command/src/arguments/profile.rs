//! The argument `--profile`.

use alloc::sync::Arc;
use std::time::SystemTime;

use robots_fetch::{Access, Entry, Permission, SiteProfile};
use robots_match::{Crawler, Document, KnownCrawler, Profile, Robots};

use super::one_of::OneOf;
use crate::arguments::catalogue::catalogue;

/// A document and its profile, or the document of each crawler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedProfile {
    /// With `auto`, the document of crawlers that have no other.
    pub(crate) document: Document,
    pub(crate) name: &'static str,
    /// How files are read and rules are compared.
    pub(crate) rules: Profile,
    /// Whether each crawler is read by the document that its operator names.
    pub(crate) is_auto: bool,
}

/// The name of the profile that stands for the document of each crawler.
const AUTO: &str = "auto";

impl Default for NamedProfile {
    fn default() -> Self {
        Self::new(Document::default())
    }
}

impl NamedProfile {
    fn new(document: Document) -> Self {
        Self { document, name: document.name(), rules: document.into(), is_auto: false }
    }

    /// The profile by which each crawler is read as its operator says.
    pub(crate) fn auto() -> Self {
        Self { name: AUTO, is_auto: true, ..Self::default() }
    }

    /// The parser of the argument of commands about crawlers.
    pub(crate) fn parser_for_crawlers() -> OneOf<Self> {
        let documents = Document::ALL.map(|document| (document.name(), Self::new(document)));
        OneOf::new(core::iter::once((AUTO, Self::auto())).chain(documents))
    }

    /// The name of the profile of commands about crawlers if none is named.
    pub(crate) const fn auto_name() -> &'static str {
        AUTO
    }

    /// Returns the profile by which a crawler is read.
    pub(crate) fn of(&self, crawler: &Crawler) -> Self {
        let known = crawler.names().next().and_then(|name| catalogue().find(name)).filter(|_| self.is_auto);
        match known.map(KnownCrawler::document) {
            Some(document) if document != self.document => Self { is_auto: true, ..Self::new(document) },
            _ => *self,
        }
    }

    /// Returns the profile for people who do not know the names of profiles.
    pub(crate) fn in_words(&self) -> String {
        match self.is_auto {
            true => {
                format!("{} for Google's crawlers, {} for all others", Document::Google, Document::default())
            }
            false => self.name.to_owned(),
        }
    }

    /// Returns the words after a verdict for people: the profile, if it was chosen for the crawler and is not the usual one.
    pub(crate) fn suffix(&self) -> String {
        match self.is_auto && self.document != Document::default() {
            true => format!(" ({})", self.document),
            false => String::new(),
        }
    }

    /// Returns the permission of a crawler. A site is asked once, and its file is read by the profile of the crawler.
    pub(crate) fn permission(&self, entry: &Entry, crawler: &Crawler, now: SystemTime) -> Permission {
        let own = self.of(crawler);
        match entry.robots(now) {
            Some(robots) if own.document != self.document => {
                let robots = Arc::new(Robots::new(robots.body(), own.rules));
                Permission::new(Access::Rules(&robots), crawler, &SiteProfile::from(own.document))
            }
            _ => entry.permission(crawler, now),
        }
    }

    /// The parser of the argument.
    pub(crate) fn parser() -> OneOf<Self> {
        OneOf::new(Document::ALL.map(|document| (document.name(), Self::new(document))))
    }

    /// The profile together with what it says about HTTP answers.
    pub(crate) fn with_access(&self) -> SiteProfile {
        self.document.into()
    }
}
