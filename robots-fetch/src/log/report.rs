//! What a log says about crawlers.

use alloc::collections::{BTreeMap, BTreeSet};
use core::cmp::Reverse;
use core::net::IpAddr;
use std::collections::{HashMap, HashSet};

use robots_match::{Trigger, calendar};

use crate::log::address::{Ranges, network_text};
use crate::log::event::AnswersSeen;
use crate::log::tally::{Counts, Pair, Tally};
use crate::log::time::{LogTime, rfc3339};

/// The figures of a log: for each host, for each crawler.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LogReport {
    /// The hosts, sorted by name; one without a name if the log names none, or the files are for all hosts.
    pub hosts: Vec<HostReport>,
    /// The lines that are about requests or could not be read.
    pub lines: u64,
    /// The lines that could not be read.
    pub unread: u64,
    /// The sums of all hosts.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub totals: LogTotals,
    /// The time of the first line or the earliest request of a crawler, as RFC 3339.
    pub first: Option<String>,
    /// The time of the last request of a crawler, as RFC 3339.
    pub last: Option<String>,
    /// The number of addresses from which requests with the names of several operators came.
    pub rotating: Option<u64>,
    /// By how much the counts of `top_paths` may be too small: 0, unless crawlers requested more than 400,000 different disallowed
    /// paths.
    pub top_paths_error: u64,
    /// Whether there were more addresses than are counted one by one, so that figures about addresses are too small.
    pub are_addresses_approximate: bool,
    /// Whether the addresses are those of a proxy: crawlers of three operators or more made at least 1,000 requests, all of them from
    /// at most four networks. Then no request counts as unverified.
    pub is_behind_proxy: bool,
    /// The crawlers and operators whose ranges were published more than 90 days before the log begins or after it ends.
    pub old_ranges: Vec<String>,
}

/// The figures of a host.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HostReport {
    /// The host, if there are several.
    pub host: Option<String>,
    /// The crawlers, those with the most disallowed requests first.
    pub crawlers: Vec<CrawlerReport>,
    /// The lines that are about requests to this host.
    pub lines: u64,
    /// The answers for robots.txt to anybody, while each version was in force that had any.
    pub answers: Vec<AnswersSeen>,
    /// Answers with the status 200 for `GET /robots.txt` that have as many bytes as a version. 0 if the log has no sizes.
    pub answers_of_same_size: u64,
    /// Those that have as many bytes as no version. They were compressed, or the log counts the bytes of header fields, or another
    /// file was sent.
    pub answers_of_other_size: u64,
    /// Those that have more bytes than every version, which compression does not explain.
    pub larger_answers: u64,
    /// The sums.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub totals: LogTotals,
}

/// Sums of the figures of crawlers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LogTotals {
    /// Requests of browsers, libraries and other programs.
    pub not_crawlers: u64,
    /// Requests without a `User-Agent` header.
    pub no_user_agent: u64,
    /// Requests whose header names crawlers of several operators.
    pub several_names: u64,
    /// Requests that say they are of a crawler, known or unlisted.
    pub crawler_requests: u64,
    /// Those of known crawlers that request by themselves.
    pub automatic: KindTotals,
    /// Those of known fetchers that people trigger.
    pub user_triggered: KindTotals,
    /// Those of crawlers that are not in the catalogue.
    pub unlisted: KindTotals,
}

/// Sums of one kind of crawlers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct KindTotals {
    /// The number of crawlers.
    pub crawlers: u64,
    /// All requests.
    pub requests: u64,
    /// Requests of robots.txt.
    pub robots_txt: u64,
    /// Requests that were compared with a robots.txt.
    pub checked: u64,
    /// Requests to a host without a robots.txt, or before its first version.
    pub no_robots: u64,
    /// Disallowed requests.
    pub disallowed: u64,
    /// Requests that one way of comparing disallows, and another does not.
    pub disputed: u64,
    /// Disallowed requests that a version allows which crawlers could still use.
    pub in_grace: u64,
    /// The other disallowed requests.
    pub beyond_grace: u64,
    /// Requests that the file disallows, made while every answer for robots.txt was 4xx, and none was 429.
    pub excused: u64,
}

/// What kind of crawler sends a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum CrawlerKind {
    /// A known crawler that requests by itself.
    Automatic,
    /// A known fetcher that people trigger. Rules may not apply to what people ask for.
    UserTriggered,
    /// A crawler that is not in the catalogue.
    Unlisted,
}

/// Whether the addresses of requests were verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum LogIdentity {
    /// Only the header says who sent the requests.
    Claimed,
    /// Addresses were compared with the ranges of the crawler, or looked up.
    Verified,
}

/// The figures of a crawler on a host.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CrawlerReport {
    /// The name, as the catalogue or the header has it; empty for unlisted crawlers after the first 10,000.
    pub name: String,
    /// The kind.
    pub kind: CrawlerKind,
    /// The operator, if it is known.
    pub operator: Option<&'static str>,
    /// The purpose, if the crawler is known.
    pub purpose: Option<&'static str>,
    /// The name of the document by which the files were read for the crawler, if it is not the profile of the files.
    pub profile: Option<&'static str>,
    /// What the operator says.
    pub claims: Claims,
    /// Whether addresses were compared with ranges, or looked up.
    pub identity: LogIdentity,
    /// All requests.
    pub requests: u64,
    /// Requests of `/robots.txt` without a query.
    pub robots_txt: u64,
    /// Those that read it: GET with 2xx or 304.
    pub read: u64,
    /// Those that were answered with 3xx, apart from 304.
    pub redirected: u64,
    /// Those that were answered with 4xx. 429 says nothing about the file: it excuses no request.
    pub missing: u64,
    /// Those that were answered with 5xx.
    pub failed: u64,
    /// Those with the method HEAD.
    pub head: u64,
    /// Requests without a path, such as `OPTIONS *`.
    pub no_target: u64,
    /// Requests to a host without a robots.txt, or before its first version.
    pub no_robots: u64,
    /// Requests that were compared with the version in force.
    pub checked: u64,
    /// Checked requests that the version in force disallows, also if bytes are compared as they are written.
    pub disallowed: u64,
    /// Disallowed requests as a share of the checked ones.
    pub share: Option<f64>,
    /// Checked requests that the version in force disallows only if encoded bytes are compared as the profile says, or if there was no
    /// query, where the log leaves out queries. They are not among the disallowed ones.
    pub disputed: u64,
    /// Disallowed requests that a version allows which the crawler could still use.
    pub in_grace: u64,
    /// The other disallowed requests.
    pub beyond_grace: u64,
    /// Requests that the version disallows, made while every answer for robots.txt was 4xx for a day, and none was 429: those that
    /// the crawlers of the operator got, or if they got none, those that any client got. They are not among the disallowed ones.
    pub excused: u64,
    /// Checked requests that were made while every answer for robots.txt was 5xx for a day: those that the crawlers of the operator got,
    /// or if they got none, those that any client got.
    pub unreachable: u64,
    /// Disallowed requests that were answered with 2xx or 304.
    pub served: u64,
    /// How many requests each line disallows, by its number.
    #[cfg_attr(feature = "serde", serde(serialize_with = "as_map"))]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, u64>"))]
    pub by_line: Vec<(usize, u64)>,
    /// The lines with their versions and texts.
    pub lines: Vec<BrokenLine>,
    /// The disallowed paths that were requested most, the first one most often.
    #[cfg_attr(feature = "serde", serde(serialize_with = "as_map"))]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, u64>"))]
    pub top_paths: Vec<(String, u64)>,
    /// Checked requests at most 24 hours after a read of robots.txt by a crawler of the operator. `None` in a sampled log, like all
    /// figures about order.
    pub fresh: Option<u64>,
    /// Checked requests more than 24 hours after it.
    pub late: Option<u64>,
    /// Checked requests without a read before, from the second day of the log on.
    pub never: Option<u64>,
    /// Checked requests for which a read may be older than the log, or so far out of order that it is not known what was before.
    pub unknown: Option<u64>,
    /// Checked requests without a request of robots.txt with GET on the day before, whatever its answer was, by a crawler of the
    /// operator. Those on the first day of the log, and those made while the site had no robots.txt, do not count.
    pub unasked: Option<u64>,
    /// Reads for each day with requests.
    pub reads_per_day: Option<f64>,
    /// The longest time with requests and without a read, in seconds.
    pub longest_unread: Option<u64>,
    /// The delay that the groups of the last version ask for, in seconds.
    pub crawl_delay: Option<f64>,
    /// Whether the operator says that the crawler reads Crawl-delay; RFC 9309 does not have it.
    pub reads_crawl_delay: bool,
    /// Pairs of requests, one after the other.
    pub gaps: Option<u64>,
    /// Gaps that are shorter than the delay, whatever was rounded.
    pub short: Option<u64>,
    /// The lower median of the gaps in seconds: exact below one hour.
    pub median_gap: Option<u64>,
    /// Pairs of requests from one address.
    pub gaps_per_address: Option<u64>,
    /// Those that are shorter than the delay.
    pub short_per_address: Option<u64>,
    /// Requests whose line is more than five minutes behind its time. They have no gap.
    pub out_of_order: u64,
    /// Checked requests so far out of order that it is not known what the crawler knew of robots.txt. None of them counts as disallowed,
    /// and `never` and `unasked` are unknown then.
    pub unordered: u64,
    /// Requests from addresses in the ranges of the crawler, or that name servers confirmed.
    pub verified: u64,
    /// Requests from other addresses.
    pub unverified: u64,
    /// Requests of a crawler for which there are no ranges, or whose addresses were looked up without an answer.
    pub no_ranges: u64,
    /// Requests without an address, or with that of a proxy, for a crawler for which there are ranges.
    pub no_address: u64,
    /// Disallowed requests from addresses in the ranges.
    pub disallowed_verified: u64,
    /// Those of them that are not in the grace time.
    pub beyond_grace_verified: u64,
    /// The number of addresses. `None` if no line has one.
    pub addresses: Option<u64>,
    /// The number of networks: /24 of IPv4, /48 of IPv6.
    pub networks: Option<u64>,
    /// The networks with the most addresses, if they are asked for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub top_networks: Vec<String>,
    /// The addresses with the most requests, if they are asked for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub top_addresses: Vec<String>,
    /// The time of the first request, as RFC 3339.
    pub first: String,
    /// The time of the last request, as RFC 3339.
    pub last: String,
    /// The number of days with requests.
    pub days: usize,
    /// The requests of each of these days.
    pub per_day: Vec<DayReport>,
}

/// What the operator of a crawler says about robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Claims {
    /// Whether the crawler respects robots.txt: `yes`, `no` or `unknown`.
    pub respects: &'static str,
    /// The source, if the crawler is known.
    pub source: Option<&'static str>,
    /// When the source was read, as `2026-11`.
    pub date: Option<&'static str>,
}

/// A line of a robots.txt that disallows requests.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BrokenLine {
    /// The time from which the version was served, as RFC 3339; `None` for the beginning.
    pub version: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The text of the line.
    pub text: String,
    /// The number of requests.
    pub requests: u64,
}

/// The requests of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DayReport {
    /// The day in UTC, as `2025-11-10`.
    pub day: String,
    /// All requests.
    pub requests: u64,
    /// Disallowed requests.
    pub disallowed: u64,
    /// Reads of robots.txt.
    pub reads: u64,
}

/// What a report has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportOptions {
    /// The most paths of each crawler.
    pub top: usize,
    /// Whether networks are listed.
    pub networks: bool,
}

/// The beginning of a path, its length, and its requests.
type CountedPath<'p> = (&'p [u8], usize, u64);

impl Default for ReportOptions {
    /// Five paths, and no networks.
    fn default() -> Self {
        Self { top: 5, networks: false }
    }
}

/// The texts of lines, by site, version and number.
type LineTexts = HashMap<(u16, u16, u32), String>;

impl Tally<'_, '_> {
    /// Returns the figures.
    #[must_use]
    pub fn report(&mut self, options: &ReportOptions) -> LogReport {
        self.finish();
        self.pairs.iter_mut().for_each(|pair| pair.gaps.settle());
        self.tops.settle();
        let mut tops = self.top_paths(options);
        let mut networks: HashMap<u32, Vec<(u32, u64)>> = HashMap::new();
        if options.networks {
            for ((pair, network), count) in &self.networks {
                networks.entry(*pair).or_default().push((*count, *network));
            }
        }
        let mut addresses = self.top_addresses(options);
        let is_behind_proxy = self.is_behind_proxy();
        let mut hosts: HashMap<u16, HostReport> = HashMap::new();
        for (site, tally) in &self.sites {
            let totals = LogTotals {
                not_crawlers: tally.counts.not_crawlers,
                no_user_agent: tally.counts.no_user_agent,
                several_names: tally.counts.several_names,
                ..LogTotals::default()
            };
            let host = self.setup.host(*site);
            let answers = self.answers_of(*site);
            let sizes = self.sizes_of(*site);
            let report = HostReport {
                host,
                crawlers: Vec::new(),
                lines: tally.counts.lines,
                answers,
                answers_of_same_size: sizes.same,
                answers_of_other_size: sizes.other,
                larger_answers: sizes.larger,
                totals,
            };
            hosts.insert(*site, report);
        }
        // A read may be among the lines whose order is unknown.
        let is_known = self.pairs.iter().all(|pair| pair.n.unordered == 0);
        let texts = self.texts();
        for (index, pair) in (0_u32..).zip(&self.pairs) {
            let top_paths = tops.remove(&index).unwrap_or_default();
            let mut top_networks = networks.remove(&index).unwrap_or_default();
            top_networks.sort_unstable_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
            top_networks.truncate(options.top);
            let mut crawler = self.crawler(pair, is_known, &texts);
            if is_behind_proxy {
                crawler.no_address += core::mem::take(&mut crawler.unverified);
            }
            crawler.top_paths = top_paths;
            crawler.top_addresses = addresses.remove(&index).unwrap_or_default();
            crawler.top_networks =
                top_networks.into_iter().map(|(_, network)| network_text(network)).collect();
            let Some(host) = hosts.get_mut(&pair.site) else { continue };
            host.totals.add(&crawler);
            host.crawlers.push(crawler);
        }
        let mut hosts: Vec<HostReport> = hosts.into_values().collect();
        hosts.retain(|host| host.lines > 0 || !host.crawlers.is_empty());
        hosts.sort_by(|one, other| one.host.cmp(&other.host));
        let mut totals = LogTotals::default();
        for host in &mut hosts {
            host.crawlers.sort_by(|one, other| {
                let key = |crawler: &CrawlerReport| (crawler.disallowed, crawler.requests);
                key(other).cmp(&key(one)).then_with(|| (one.kind, &one.name).cmp(&(other.kind, &other.name)))
            });
            totals.sum(&host.totals);
        }
        let has_addresses = self.pairs.iter().any(|pair| pair.n.with_address > 0);
        LogReport {
            hosts,
            lines: self.lines,
            unread: self.unread,
            totals,
            first: self.period().map(|(start, _)| rfc3339(start)),
            last: self.period().map(|(_, end)| rfc3339(end)),
            rotating: has_addresses.then(|| self.rotating()),
            top_paths_error: self.tops.error(),
            are_addresses_approximate: !self.has_all_addresses,
            is_behind_proxy,
            old_ranges: self.old_ranges(),
        }
    }

    /// Returns the paths of each pair that were requested most. Of a long path, the beginning and the length are shown.
    fn top_paths(&self, options: &ReportOptions) -> HashMap<u32, Vec<(String, u64)>> {
        let mut by_pair: HashMap<u32, Vec<CountedPath<'_>>> = HashMap::new();
        for (pair, text, whole, count) in self.tops.iter() {
            by_pair.entry(pair).or_default().push((text, whole, count));
        }
        let shown = |text: &[u8], whole: usize| {
            // Bytes outside of UTF-8 are encoded, as in a URL.
            let mut shown = String::new();
            for chunk in text.utf8_chunks() {
                shown.push_str(chunk.valid());
                for byte in chunk.invalid() {
                    shown.push_str(&format!("%{byte:02X}"));
                }
            }
            if whole > text.len() {
                shown.push_str(&format!("... ({whole} bytes)"));
            }
            shown
        };
        let top = |mut paths: Vec<CountedPath<'_>>| {
            // Long paths with one beginning are shown as one.
            paths.sort_unstable();
            paths.dedup_by(|next, kept| {
                let is_same = (next.0, next.1) == (kept.0, kept.1);
                if is_same {
                    kept.2 += next.2;
                }
                is_same
            });
            paths.sort_by_key(|path| Reverse(path.2));
            paths.truncate(options.top);
            paths.into_iter().map(|(text, whole, count)| (shown(text, whole), count)).collect()
        };
        by_pair.into_iter().map(|(pair, paths)| (pair, top(paths))).collect()
    }

    /// Returns the addresses of each pair from which most requests came, if they were kept.
    fn top_addresses(&self, options: &ReportOptions) -> HashMap<u32, Vec<String>> {
        let mut by_pair: HashMap<u32, Vec<(Reverse<u32>, IpAddr)>> = HashMap::new();
        for ((pair, number), count) in &self.requests_from {
            if let Some(address) = self.texts.get(number) {
                by_pair.entry(*pair).or_default().push((Reverse(*count), *address));
            }
        }
        let top = |mut addresses: Vec<(Reverse<u32>, IpAddr)>| {
            addresses.sort_unstable();
            addresses.truncate(options.top);
            addresses.into_iter().map(|(_, address)| address.to_string()).collect()
        };
        by_pair.into_iter().map(|(pair, addresses)| (pair, top(addresses))).collect()
    }

    /// Returns whether the addresses are those of a proxy.
    fn is_behind_proxy(&self) -> bool {
        let operators = self.pairs.iter().filter_map(|pair| self.setup.known(pair.crawler)?.operator);
        let networks: HashSet<u64> = self.networks.keys().map(|(_, network)| *network).take(10_000).collect();
        let requests: u64 = self.pairs.iter().map(|pair| pair.n.with_address).sum();
        requests >= 1000 && networks.len() <= 4 && operators.collect::<HashSet<_>>().len() >= 3
    }

    /// Returns the names whose ranges are not of the time of the log.
    fn old_ranges(&self) -> Vec<String> {
        const MOST: i64 = 90 * 86_400_000;
        let Some((first, last)) = self.period() else { return Vec::new() };
        let is_old = |ranges: &Ranges| {
            let created = ranges.created().and_then(|text| LogTime::parse_iso(text.as_bytes(), 0));
            created.is_some_and(|created| first - created.millis > MOST || created.millis - last > MOST)
        };
        let old = self.setup.ranges.iter().filter(|(_, ranges)| is_old(ranges));
        old.map(|(name, _)| name.clone()).collect()
    }

    /// Returns the number of addresses that have the names of several operators.
    fn rotating(&self) -> u64 {
        let mut names: HashMap<u64, (String, bool)> = HashMap::new();
        let operators: Vec<String> = self
            .pairs
            .iter()
            .map(|pair| match self.setup.known(pair.crawler) {
                Some(known) => known.operator.unwrap_or(known.name).to_owned(),
                None => format!("unlisted {}", pair.crawler),
            })
            .collect();
        for (pair, address) in self.addresses.keys() {
            let Some(operator) = operators.get(*pair as usize) else { continue };
            match names.get_mut(address) {
                None => drop(names.insert(*address, (operator.clone(), false))),
                Some((first, several)) => *several |= first != operator,
            }
        }
        names.values().filter(|(_, several)| *several).count() as u64
    }

    fn crawler(&self, pair: &Pair, is_known: bool, texts: &LineTexts) -> CrawlerReport {
        let known = self.setup.known(pair.crawler);
        let n: &Counts = &pair.n;
        let kind = match known.map(|known| known.trigger) {
            None => CrawlerKind::Unlisted,
            Some(Trigger::User) => CrawlerKind::UserTriggered,
            Some(_) => CrawlerKind::Automatic,
        };
        let name = match known {
            Some(known) => known.name.to_owned(),
            None if pair.crawler == self.setup.others() => String::new(),
            None => self.setup.unlisted_name(pair.crawler).map(String::from).unwrap_or_default(),
        };
        let ordered = |figure: u64| (!self.setup.is_sampled).then_some(figure);
        let addressed = |figure: u64| (n.with_address > 0).then_some(figure);
        let (lines, by_line) = self.lines(pair, texts);
        let mut days = pair.days.clone();
        days.sort_unstable_by_key(|day| day.day);
        #[expect(clippy::cast_precision_loss, reason = "a share is rounded")]
        let ratio = |part: u64, all: u64| (all > 0).then(|| part as f64 / all as f64);
        CrawlerReport {
            name,
            kind,
            operator: known.and_then(|known| known.operator),
            purpose: known.map(|known| known.purpose.name()),
            profile: self.setup.document_of(pair.crawler).map(|document| document.name()),
            claims: Claims {
                respects: match known.and_then(|known| known.respects) {
                    Some(true) => "yes",
                    Some(false) => "no",
                    None => "unknown",
                },
                source: known.map(|known| known.source),
                date: known.map(|known| known.date),
            },
            identity: match self.setup.sources_of(pair.crawler).are_known() {
                true => LogIdentity::Verified,
                false => LogIdentity::Claimed,
            },
            requests: n.requests,
            robots_txt: n.robots_txt,
            read: n.read,
            redirected: n.redirected,
            missing: n.missing,
            failed: n.failed,
            head: n.head,
            no_target: n.no_target,
            no_robots: n.no_robots,
            checked: n.checked,
            disallowed: n.disallowed,
            share: ratio(n.disallowed, n.checked),
            disputed: n.disputed,
            in_grace: n.in_grace,
            beyond_grace: n.disallowed - n.in_grace,
            excused: n.excused,
            unreachable: n.unreachable,
            served: n.served,
            by_line,
            lines,
            top_paths: Vec::new(),
            fresh: ordered(n.fresh),
            late: ordered(n.late),
            never: ordered(if is_known { n.never } else { 0 }),
            unknown: ordered(if is_known { n.unknown } else { n.unknown + n.never }),
            unasked: ordered(if is_known { n.unasked } else { 0 }),
            reads_per_day: ratio(n.read, days.len() as u64).filter(|_| !self.setup.is_sampled),
            longest_unread: ordered(u64::try_from(pair.longest_unread / 1000).unwrap_or(0)),
            crawl_delay: (pair.delay > 0).then(|| f64::from(pair.delay) / 1000.0),
            reads_crawl_delay: known.is_some_and(|known| known.reads_crawl_delay == Some(true)),
            gaps: ordered(n.gaps),
            short: ordered(n.short),
            median_gap: pair.gaps.median().filter(|_| !self.setup.is_sampled),
            gaps_per_address: ordered(n.gaps_per_address).filter(|_| n.with_address > 0),
            short_per_address: ordered(n.short_per_address).filter(|_| n.with_address > 0),
            out_of_order: n.out_of_order,
            unordered: n.unordered,
            verified: n.verified,
            unverified: n.unverified,
            no_ranges: n.no_ranges,
            no_address: n.no_address,
            disallowed_verified: n.disallowed_verified,
            beyond_grace_verified: n.beyond_grace_verified,
            addresses: addressed(n.addresses),
            networks: addressed(n.networks),
            top_networks: Vec::new(),
            top_addresses: Vec::new(),
            first: rfc3339(pair.first),
            last: rfc3339(pair.last),
            days: days.len(),
            per_day: days
                .iter()
                .map(|day| {
                    let (year, month, date) = calendar::civil(i64::from(day.day));
                    DayReport {
                        day: format!("{year:04}-{month:02}-{date:02}"),
                        requests: u64::from(day.requests),
                        disallowed: u64::from(day.disallowed),
                        reads: u64::from(day.reads),
                    }
                })
                .collect(),
        }
    }

    /// Returns the texts of the lines that disallow requests. Each version is read once, however many crawlers it concerns.
    fn texts(&self) -> LineTexts {
        let mut wanted: BTreeMap<(u16, u16), BTreeSet<u32>> = BTreeMap::new();
        for pair in &self.pairs {
            for (version, line) in pair.by_line.keys() {
                wanted.entry((pair.site, *version)).or_default().insert(*line);
            }
        }
        let mut texts = LineTexts::new();
        for ((site, version), lines) in wanted {
            let history = self.setup.sites.get(usize::from(site)).map(|site| &site.history);
            let Some((_, robots)) = history.and_then(|history| history.version(usize::from(version))) else {
                continue;
            };
            for line in robots.lines() {
                let number = u32::try_from(line.number).unwrap_or(u32::MAX);
                if lines.contains(&number) {
                    let bytes = line.bytes();
                    let text = String::from_utf8_lossy(bytes.get(..200).unwrap_or(bytes).trim_ascii());
                    texts.insert((site, version, number), text.into_owned());
                }
            }
        }
        texts
    }

    /// Returns the lines that disallow requests, the one that disallows most first, and their sums over versions.
    fn lines(&self, pair: &Pair, texts: &LineTexts) -> (Vec<BrokenLine>, Vec<(usize, u64)>) {
        let site = self.setup.sites.get(usize::from(pair.site));
        let mut sums: BTreeMap<usize, u64> = BTreeMap::new();
        let mut lines = Vec::new();
        let mut counts: Vec<(&(u16, u32), &u32)> = pair.by_line.iter().collect();
        counts.sort_unstable_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
        for ((version, number), count) in counts {
            let line = *number as usize;
            *sums.entry(line).or_insert(0) += u64::from(*count);
            let Some((start, _)) = site.and_then(|site| site.history.version(usize::from(*version))) else {
                continue;
            };
            lines.push(BrokenLine {
                version: (start > i64::MIN).then(|| rfc3339(start.saturating_mul(1000))),
                line,
                text: texts.get(&(pair.site, *version, *number)).cloned().unwrap_or_default(),
                requests: u64::from(*count),
            });
        }
        (lines, sums.into_iter().collect())
    }
}

impl LogTotals {
    fn add(&mut self, crawler: &CrawlerReport) {
        self.crawler_requests += crawler.requests;
        let kind = match crawler.kind {
            CrawlerKind::Automatic => &mut self.automatic,
            CrawlerKind::UserTriggered => &mut self.user_triggered,
            CrawlerKind::Unlisted => &mut self.unlisted,
        };
        kind.sum(&KindTotals {
            crawlers: 1,
            requests: crawler.requests,
            robots_txt: crawler.robots_txt,
            checked: crawler.checked,
            no_robots: crawler.no_robots,
            disallowed: crawler.disallowed,
            disputed: crawler.disputed,
            in_grace: crawler.in_grace,
            beyond_grace: crawler.beyond_grace,
            excused: crawler.excused,
        });
    }

    fn sum(&mut self, other: &Self) {
        self.not_crawlers += other.not_crawlers;
        self.no_user_agent += other.no_user_agent;
        self.several_names += other.several_names;
        self.crawler_requests += other.crawler_requests;
        self.automatic.sum(&other.automatic);
        self.user_triggered.sum(&other.user_triggered);
        self.unlisted.sum(&other.unlisted);
    }
}

impl KindTotals {
    const fn sum(&mut self, other: &Self) {
        self.crawlers += other.crawlers;
        self.requests += other.requests;
        self.robots_txt += other.robots_txt;
        self.checked += other.checked;
        self.no_robots += other.no_robots;
        self.disallowed += other.disallowed;
        self.disputed += other.disputed;
        self.in_grace += other.in_grace;
        self.beyond_grace += other.beyond_grace;
        self.excused += other.excused;
    }
}

/// Writes pairs as an object in their order.
#[cfg(feature = "serde")]
fn as_map<K: core::fmt::Display, S: serde::Serializer>(
    pairs: &[(K, u64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key.to_string(), value)))
}
