//! The kinds of records.

use robots_groups::syntax::{Key, SyntaxPolicy};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $key:literal;)*) => {
        /// The kind of a record, by its key.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum RecordKind {
            $($(#[$doc])* $name,)*
            /// A record with an unknown key.
            Unknown,
        }

        impl RecordKind {
            /// All known kinds.
            pub const KNOWN: &'static [Self] = &[$(Self::$name),*];

            /// Returns the key in lower case; empty for [`RecordKind::Unknown`].
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $key,)* Self::Unknown => "" }
            }
        }
    };
}

kinds! {
    /// The URL of a sitemap (sitemaps.org; RFC 9309, section 2.2.4).
    Sitemap = "sitemap";
    /// The time to wait between requests.
    CrawlDelay = "crawl-delay";
    /// The preferred host name of the site.
    Host = "host";
    /// Parameters of queries that do not change what a page shows.
    CleanParam = "clean-param";
    /// The number of requests in a period (the extended standard of 2002).
    RequestRate = "request-rate";
    /// The hours in which requests are welcome (the extended standard of 2002).
    VisitTime = "visit-time";
    /// Permitted uses of content (the Content Signals Policy of 2025).
    ContentSignal = "content-signal";
    /// Preferences about the use of content (draft-ietf-aipref-attach).
    ContentUsage = "content-usage";
    /// The URL of a license (RSL 1.0).
    License = "license";
}

impl RecordKind {
    /// Returns the kind of records with the key `key` under `policy`, ignoring ASCII case.
    pub(super) fn of(key: &[u8], policy: &SyntaxPolicy) -> Self {
        if policy.spelling(key).is_some_and(|spelling| spelling.key == Key::Sitemap) {
            return Self::Sitemap;
        }
        let named = Self::KNOWN.iter().find(|kind| key.eq_ignore_ascii_case(kind.name().as_bytes()));
        named.copied().unwrap_or(Self::Unknown)
    }

    /// Returns whether records of this kind concern the crawlers of the group that they are in. Outside of groups, such
    /// records have no effect.
    pub(super) const fn is_of_groups(self) -> bool {
        matches!(
            self,
            Self::CrawlDelay | Self::RequestRate | Self::VisitTime | Self::ContentSignal | Self::ContentUsage
        )
    }
}
