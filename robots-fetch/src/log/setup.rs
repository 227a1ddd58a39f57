//! What a log is compared with.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use core::net::IpAddr;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use foldhash::fast::RandomState;
use robots_match::groups::Groups;
use robots_match::{AddressScope, Catalogue, Document, History, KnownCrawler};

use crate::log::address::{AddressField, Ranges, is_host};
use crate::log::event::Verification;
use crate::log::line::plain_host;

/// What the requests of a log are compared with: the robots.txt files that were in force, and published ranges of addresses.
///
/// Threads share one setup; each of them has a [`LogJudge`](super::LogJudge).
#[derive(Debug)]
pub struct LogSetup<'h> {
    pub(super) sites: Vec<LoggedSite<'h>>,
    catalogue: Catalogue,
    by_host: HashMap<String, u16>,
    /// The site of hosts that have no file of their own.
    default: Option<u16>,
    pub(super) ranges: BTreeMap<String, Ranges>,
    looked_up: HashMap<u32, LookedUp>,
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
    /// The sizes of the versions in bytes, in order.
    pub(super) sizes: Vec<usize>,
    /// Whether a version is over the size limit. Then it may be larger than what is known of it.
    pub(super) may_be_larger: bool,
    /// The groups of each version, once a crawler needs them.
    pub(super) groups: Vec<OnceLock<Groups<'h>>>,
}

/// The addresses of a crawler that name servers know.
#[derive(Debug, Default)]
pub(super) struct LookedUp {
    confirmed: Ranges,
    refuted: Ranges,
}

/// By what addresses of a crawler are verified.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sources<'s> {
    ranges: Option<&'s Ranges>,
    looked_up: Option<&'s LookedUp>,
}

impl Sources<'_> {
    /// Returns whether there are any.
    pub(super) const fn are_known(&self) -> bool {
        self.ranges.is_some() || self.looked_up.is_some()
    }

    /// Returns whether a request with this address is the crawler's.
    pub(super) fn verify(&self, address: Option<IpAddr>) -> Verification {
        if !self.are_known() {
            return Verification::Unknown;
        }
        let Some(address) = address else { return Verification::NoAddress };
        let has = |ranges: &Ranges| ranges.contains(address);
        if self.ranges.is_some_and(has) || self.looked_up.is_some_and(|known| has(&known.confirmed)) {
            return Verification::Verified;
        }
        // That of a proxy.
        if AddressScope::of(address) == AddressScope::Local {
            return Verification::NoAddress;
        }
        match self.looked_up {
            Some(known) if !has(&known.refuted) => Verification::Unknown,
            _ => Verification::Unverified,
        }
    }
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
            catalogue: Catalogue::BUILT_IN,
            by_host: HashMap::new(),
            default: None,
            ranges: BTreeMap::new(),
            looked_up: HashMap::new(),
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
            let versions = || (0..history.len()).filter_map(|index| history.version(index));
            let mut sizes: Vec<usize> = versions().map(|(_, robots)| robots.body().len()).collect();
            sizes.sort_unstable();
            let may_be_larger = versions().any(|(_, robots)| robots.lines().dropped_len() > 0);
            setup.sites.push(LoggedSite { host, history, sizes, may_be_larger, groups });
        }
        setup
    }

    /// Sets the crawlers that are known: those of the built-in catalogue, if this is not called.
    #[must_use]
    pub const fn with_catalogue(mut self, catalogue: Catalogue) -> Self {
        self.catalogue = catalogue;
        self
    }

    /// Adds the published ranges of a crawler, or those of all crawlers of an operator, whose name is written `operator:NAME`.
    pub fn add_ranges(&mut self, name: &str, ranges: Ranges) {
        self.ranges.entry(name.to_ascii_lowercase()).or_default().extend(ranges);
    }

    /// Adds addresses that were looked up for a known crawler: name servers confirmed that some are the crawler's, and that others are
    /// not. Of other addresses outside of the ranges, it is then unknown whose they are. Unlisted crawlers have no addresses.
    pub fn add_looked_up(
        &mut self,
        name: &str,
        confirmed: impl IntoIterator<Item = IpAddr>,
        refuted: impl IntoIterator<Item = IpAddr>,
    ) {
        let Some(crawler) = self.number_of(name) else { return };
        let known = self.looked_up.entry(crawler).or_default();
        known.confirmed.extend(confirmed.into_iter().collect());
        known.refuted.extend(refuted.into_iter().collect());
    }

    /// Returns whether looking up an address of a known crawler would say more: it is in none of its ranges, and not one of a local
    /// network.
    #[must_use]
    pub fn is_in_doubt(&self, name: &str, address: IpAddr) -> bool {
        let verified = |crawler| self.sources_of(crawler).verify(Some(address)) == Verification::Verified;
        self.number_of(name).is_some_and(|crawler| !verified(crawler))
            && AddressScope::of(address) != AddressScope::Local
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

    pub(super) const fn catalogue(&self) -> Catalogue {
        self.catalogue
    }

    /// Returns the known crawler with this number; `None` for unlisted ones.
    pub(super) fn known(&self, crawler: u32) -> Option<&'static KnownCrawler> {
        self.catalogue.crawlers().get(crawler as usize)
    }

    /// Returns the number of a known crawler, by its name.
    pub(super) fn number_of(&self, name: &str) -> Option<u32> {
        u32::try_from(self.catalogue.names().find(name.as_bytes())?).ok()
    }

    /// Returns the number of unlisted crawlers after the first [`MOST_UNLISTED`]. Those of other unlisted crawlers follow it.
    pub(super) fn others(&self) -> u32 {
        u32::try_from(self.catalogue.crawlers().len()).unwrap_or(u32::MAX)
    }

    /// Returns the document by which files are read for the crawler with this number; `None` for that of the files.
    pub(super) fn document_of(&self, crawler: u32) -> Option<Document> {
        let known = self.known(crawler).filter(|_| self.is_by_operator)?;
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

    /// Returns the version of a site's robots.txt that is in force at a time, in milliseconds since 1970.
    pub(super) fn version_at(&self, site: u16, millis: i64) -> Option<usize> {
        self.sites.get(usize::from(site))?.history.at(millis.div_euclid(1000))
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
        // The addresses of clients are not shown as hosts.
        if !is_host(host.as_bytes()) {
            return NO_HOST;
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
        let name = &*public_name(name);
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = names.unlisted_ids.get(name) {
            return *id;
        }
        let Some(count) =
            u32::try_from(names.unlisted.len()).ok().filter(|count| *count < MOST_UNLISTED as u32)
        else {
            return self.others();
        };
        let id = self.others() + 1 + count;
        names.unlisted.push(name.into());
        names.unlisted_ids.insert(name.into(), id);
        id
    }

    /// Returns the name of an unlisted crawler; `None` for all after the most that have one.
    pub(super) fn unlisted_name(&self, crawler: u32) -> Option<Box<str>> {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.unlisted.get(crawler.checked_sub(self.others() + 1)? as usize).cloned()
    }

    /// Returns the host of a site.
    pub(super) fn host(&self, site: u16) -> Option<String> {
        if let Some(site) = self.sites.get(usize::from(site)) {
            return site.host.clone();
        }
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.hosts.get(usize::from(site) - self.sites.len()).map(|host| host.to_string())
    }

    /// Returns by what addresses of a crawler are verified.
    pub(super) fn sources_of(&self, crawler: u32) -> Sources<'_> {
        let Some(known) = self.known(crawler) else { return Sources::default() };
        let by_operator = || {
            let operator = known.operator?.to_ascii_lowercase();
            self.ranges.get(&format!("operator:{operator}"))
        };
        let ranges = self.ranges.get(&known.name.to_ascii_lowercase()).or_else(by_operator);
        Sources { ranges, looked_up: self.looked_up.get(&crawler) }
    }

    /// Returns whether addresses of any crawler are verified.
    pub(super) fn has_sources(&self) -> bool {
        !self.ranges.is_empty() || !self.looked_up.is_empty()
    }

    /// Returns for how long a crawler may use the version before, in milliseconds.
    pub(super) fn grace_of(&self, crawler: u32) -> i64 {
        let known = self.known(crawler);
        let has_max_age = known.is_some_and(|known| known.document() == Document::OF_ONE_OPERATOR);
        if has_max_age { self.grace.max(self.max_age) } else { self.grace }
    }
}

/// What stands for the part of a name that is left out.
const LEFT_OUT: char = '*';

/// Returns the name of an unlisted crawler without addresses and the numbers of those who use it: four numbers as in `192-0-2-1`, six
/// digits or more, and twelve hexadecimal digits or more.
fn public_name(name: &str) -> Cow<'_, str> {
    let bytes = name.as_bytes();
    let end_of = |start: usize, is_part: fn(&u8) -> bool| {
        let rest = bytes.get(start..).unwrap_or_default();
        start + rest.iter().take_while(|byte| is_part(byte)).count()
    };
    let private_end = |start: usize| {
        let digits = end_of(start, u8::is_ascii_digit);
        let mut end = digits;
        let mut numbers = usize::from(end > start && end - start <= 3);
        while numbers > 0 && numbers < 4 && matches!(bytes.get(end), Some(b'.' | b'-' | b'_')) {
            let next = end_of(end + 1, u8::is_ascii_digit);
            numbers = if (1..=3).contains(&(next - end - 1)) { numbers + 1 } else { 0 };
            end = next;
        }
        if numbers == 4 {
            return Some(end);
        }
        let hex = end_of(start, u8::is_ascii_hexdigit);
        let has_digit = bytes.get(start..hex).unwrap_or_default().iter().any(u8::is_ascii_digit);
        match (digits - start, hex - start) {
            (_, 12..) if has_digit => Some(hex),
            (6.., _) => Some(digits),
            _ => None,
        }
    };
    let mut public = String::new();
    let (mut kept, mut at) = (0, 0);
    while at < bytes.len() {
        // A number, or a hexadecimal one, begins where none is before it.
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let is_start = before.is_none_or(|before| !before.is_ascii_hexdigit())
            || bytes.get(at).is_some_and(u8::is_ascii_digit) && !before.is_some_and(u8::is_ascii_digit);
        match is_start.then(|| private_end(at)).flatten() {
            Some(end) => {
                public.push_str(name.get(kept..at).unwrap_or_default());
                public.push(LEFT_OUT);
                (kept, at) = (end, end);
            }
            None => at += 1,
        }
    }
    if kept == 0 {
        return Cow::Borrowed(name);
    }
    public.push_str(name.get(kept..).unwrap_or_default());
    Cow::Owned(public)
}

/// Returns the part of a name that is compared with those in files.
pub(super) fn public_start(name: &str) -> &str {
    match name.split_once(LEFT_OUT) {
        Some((start, _)) => start.trim_end_matches(['.', '-', '_']),
        None => name,
    }
}

/// The site of lines for which there is none.
pub(super) const NO_HOST: u16 = u16::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_addresses_and_no_numbers_of_people() {
        for (name, public) in [
            ("my.192.0.2.44.bot", "my.*.bot"),
            ("crawler192-0-2-44", "crawler*"),
            ("bot-0123456789", "bot-*"),
            ("bot-0123456789abcdef-x", "bot-*-x"),
            ("MJ12bot", "MJ12bot"),
            ("bot.1.2.3", "bot.1.2.3"),
            ("facade-bot", "facade-bot"),
            ("", ""),
        ] {
            assert_eq!(public_name(name), public);
        }
        assert_eq!(public_start("my.*.bot"), "my");
        assert_eq!(public_start("MJ12bot"), "MJ12bot");
    }
}
