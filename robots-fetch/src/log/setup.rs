//! What a log is compared with.

use alloc::collections::BTreeMap;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use foldhash::fast::RandomState;
use robots_match::groups::Groups;
use robots_match::{Document, History, KnownCrawler};

use crate::log::address::{AddressField, Ranges};
use crate::log::line::plain_host;

/// What the requests of a log are compared with: the robots.txt files that were in force, and published ranges of addresses.
///
/// Threads share one setup; each of them has a [`LogJudge`](super::LogJudge).
#[derive(Debug)]
pub struct LogSetup<'h> {
    pub(super) sites: Vec<LoggedSite<'h>>,
    by_host: HashMap<String, u16>,
    /// The site of hosts that have no file of their own.
    default: Option<u16>,
    pub(super) ranges: BTreeMap<String, Ranges>,
    pub(super) grace: i64,
    pub(super) max_age: i64,
    pub(super) address: AddressField,
    pub(super) since: i64,
    pub(super) until: i64,
    pub(super) is_sampled: bool,
    /// Whether each crawler is read by the document of its operator.
    is_by_operator: bool,
    pub(super) has_queries: bool,
    pub(super) has_addresses: bool,
    /// The seed of the hashes of paths and addresses, which judges share.
    pub(super) seed: RandomState,
    names: Mutex<Names>,
}

/// A host, or several, and the versions of its robots.txt.
#[derive(Debug)]
pub(super) struct LoggedSite<'h> {
    pub(super) host: Option<String>,
    pub(super) history: &'h History,
    /// The groups of each version, once a crawler needs them.
    pub(super) groups: Vec<OnceLock<Groups<'h>>>,
}

/// Names that the log has and the setup does not.
#[derive(Debug, Default)]
struct Names {
    unlisted: Vec<Box<str>>,
    unlisted_ids: HashMap<Box<str>, u32>,
    hosts: Vec<Box<str>>,
    host_ids: HashMap<Box<str>, u16>,
}

/// The most names of unlisted crawlers; others are counted as one.
const MOST_UNLISTED: usize = 10_000;

/// The most hosts without a file; others are counted as one.
const MOST_HOSTS: usize = 1_000;

/// The identity of unlisted crawlers after the first [`MOST_UNLISTED`].
pub(super) const OTHERS: u32 = KnownCrawler::ALL.len() as u32;

const DAY: i64 = 86_400_000;

impl<'h> LogSetup<'h> {
    /// Creates a setup from the versions of robots.txt files, each with its host. A file without a host is that of every host that
    /// has none of its own. If a log does not name hosts, the only file is used.
    ///
    /// # Panics
    ///
    /// There are more than 60,000 files, or 65,535 versions of one.
    #[must_use]
    pub fn new(files: impl IntoIterator<Item = (Option<String>, &'h History)>) -> Self {
        let mut setup = Self {
            sites: Vec::new(),
            by_host: HashMap::new(),
            default: None,
            ranges: BTreeMap::new(),
            grace: DAY,
            max_age: 0,
            address: AddressField::Remote,
            since: i64::MIN,
            until: i64::MAX,
            is_sampled: false,
            is_by_operator: false,
            has_queries: false,
            has_addresses: false,
            seed: RandomState::default(),
            names: Mutex::default(),
        };
        for (host, history) in files {
            assert!(setup.sites.len() < 60_000, "there are at most 60,000 files");
            assert!(history.len() <= usize::from(u16::MAX), "there are at most 65,535 versions");
            #[expect(clippy::cast_possible_truncation, reason = "the number is limited above")]
            let index = setup.sites.len() as u16;
            let host = host.map(|host| plain_host(host.as_bytes()));
            match &host {
                Some(host) => drop(setup.by_host.insert(host.clone(), index)),
                None => setup.default = Some(index),
            }
            let groups = (0..history.len()).map(|_| OnceLock::new()).collect();
            setup.sites.push(LoggedSite { host, history, groups });
        }
        setup
    }

    /// Adds the published ranges of a crawler, or those of all crawlers of an operator, whose name is written `operator:NAME`.
    pub fn add_ranges(&mut self, name: &str, ranges: Ranges) {
        self.ranges.entry(name.to_ascii_lowercase()).or_default().extend(ranges);
    }

    /// Sets for how long a crawler may use the version before: 24 hours if it is not set (RFC 9309, section 2.4).
    #[must_use]
    pub const fn with_grace(mut self, seconds: i64) -> Self {
        self.grace = seconds.saturating_mul(1000);
        self
    }

    /// Sets the lifetime with which robots.txt was served, in seconds: Google's crawlers may use a version so long, if that is longer
    /// than the grace time.
    #[must_use]
    pub const fn with_max_age(mut self, seconds: i64) -> Self {
        self.max_age = seconds.saturating_mul(1000);
        self
    }

    /// Sets where the address of the client is.
    #[must_use]
    pub const fn with_address(mut self, field: AddressField) -> Self {
        self.address = field;
        self
    }

    /// Leaves out requests before `since` and from `until` on, in seconds since 1970.
    #[must_use]
    pub const fn with_period(mut self, since: Option<i64>, until: Option<i64>) -> Self {
        if let Some(since) = since {
            self.since = since.saturating_mul(1000);
        }
        if let Some(until) = until {
            self.until = until.saturating_mul(1000);
        }
        self
    }

    /// Sets whether the log has only some of the requests, so that reads of robots.txt and gaps are unknown.
    #[must_use]
    pub const fn with_sampling(mut self, is_sampled: bool) -> Self {
        self.is_sampled = is_sampled;
        self
    }

    /// Sets whether the files are read for each known crawler by the document of its operator ([`KnownCrawler::document`]), where this
    /// differs from that of other crawlers. Otherwise, files are read by their own profile for all crawlers.
    #[must_use]
    pub const fn with_operators(mut self, is_by_operator: bool) -> Self {
        self.is_by_operator = is_by_operator;
        self
    }

    /// Returns the document by which files are read for the crawler with this number; `None` for that of the files.
    pub(super) fn document_of(&self, crawler: u32) -> Option<Document> {
        let known = KnownCrawler::ALL.get(crawler as usize).filter(|_| self.is_by_operator)?;
        Some(known.document()).filter(|document| *document != Document::default())
    }

    /// Sets whether paths are reported with their queries, which may contain what people typed. Otherwise, paths that differ only in
    /// their queries are counted together.
    #[must_use]
    pub const fn with_queries(mut self, has_queries: bool) -> Self {
        self.has_queries = has_queries;
        self
    }

    /// Sets whether the addresses of crawlers are kept, so that a report can list them. They are not by default.
    #[must_use]
    pub const fn with_addresses(mut self, has_addresses: bool) -> Self {
        self.has_addresses = has_addresses;
        self
    }

    /// Returns whether all lines are of one site, whatever hosts they name.
    pub(super) const fn has_one_site(&self) -> bool {
        self.sites.len() == 1 && self.default.is_some()
    }

    pub(super) const fn has_period(&self) -> bool {
        self.since != i64::MIN || self.until != i64::MAX
    }

    /// Returns the site of a host that a line names, or of lines that name none.
    pub(super) fn site_of(&self, host: Option<&[u8]>) -> u16 {
        let Some(host) = host.filter(|host| !host.is_empty()) else {
            return match &*self.sites {
                _ if self.default.is_some() => self.default.unwrap_or(NO_HOST),
                [_] => 0,
                _ => NO_HOST,
            };
        };
        let host = plain_host(host);
        if let Some(site) = self.by_host.get(&host).copied().or(self.default) {
            return site;
        }
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(site) = names.host_ids.get(&*host) {
            return *site;
        }
        let host = host.get(..255).unwrap_or(&host);
        if names.hosts.len() >= MOST_HOSTS {
            return NO_HOST;
        }
        let index = u16::try_from(self.sites.len() + names.hosts.len()).unwrap_or(NO_HOST);
        names.hosts.push(host.into());
        names.host_ids.insert(host.into(), index);
        index
    }

    /// Returns the number of an unlisted crawler.
    pub(super) fn unlisted(&self, name: &str) -> u32 {
        let name = name.get(..64).unwrap_or(name);
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = names.unlisted_ids.get(name) {
            return *id;
        }
        let Some(count) =
            u32::try_from(names.unlisted.len()).ok().filter(|count| *count < MOST_UNLISTED as u32)
        else {
            return OTHERS;
        };
        let id = OTHERS + 1 + count;
        names.unlisted.push(name.into());
        names.unlisted_ids.insert(name.into(), id);
        id
    }

    /// Returns the name of an unlisted crawler; `None` for all after the most that have one.
    pub(super) fn unlisted_name(&self, crawler: u32) -> Option<Box<str>> {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.unlisted.get(crawler.checked_sub(OTHERS + 1)? as usize).cloned()
    }

    /// Returns the host of a site.
    pub(super) fn host(&self, site: u16) -> Option<String> {
        if let Some(site) = self.sites.get(usize::from(site)) {
            return site.host.clone();
        }
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.hosts.get(usize::from(site) - self.sites.len()).map(|host| host.to_string())
    }

    /// Returns the ranges of a known crawler, or of its operator.
    pub(super) fn ranges_of(&self, crawler: u32) -> Option<&Ranges> {
        let known = KnownCrawler::ALL.get(crawler as usize)?;
        let by_operator = || {
            let operator = known.operator?.to_ascii_lowercase();
            self.ranges.get(&format!("operator:{operator}"))
        };
        self.ranges.get(&known.name.to_ascii_lowercase()).or_else(by_operator)
    }

    /// Returns for how long a crawler may use the version before, in milliseconds.
    pub(super) fn grace_of(&self, crawler: u32) -> i64 {
        let known = KnownCrawler::ALL.get(crawler as usize);
        let has_max_age = known.is_some_and(|known| known.document() == Document::OF_ONE_OPERATOR);
        if has_max_age { self.grace.max(self.max_age) } else { self.grace }
    }
}

/// The site of lines for which there is none.
pub(super) const NO_HOST: u16 = u16::MAX;
