//! Judging the lines of a log.

use core::hash::BuildHasher as _;
use core::net::IpAddr;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use robots_match::groups::{NameIndex, Selection};
use robots_match::records::Records;
use robots_match::{
    Crawler, Document, Effect, Form, MatchPolicy, Profile, ReservedBytes, Robots, RuleSet, SelectionBasis,
};

use crate::log::address::{self, AddressField, AddressKey, is_host};
use crate::log::event::{
    Answer, BEFORE, BEFORE_ALLOWS, DISALLOWED, DISPUTED, Event, EventKind, IN_GRACE, JudgedLines, LARGER,
    LIMITED, Lacking, LineCounts, OTHER_SIZE, SAME_SIZE, SERVED, add_path,
};
use crate::log::format::{LogReader, Scanned};
use crate::log::json::is_object_after_text;
use crate::log::line::{plain_host, present, split_target};
use crate::log::paths::{Asked, Judged, Paths};
use crate::log::quoted::{Combined, split_combined};
use crate::log::raw_line::{BYTE_ORDER_MARK, LONGEST_LINE, lines_of};
use crate::log::raw_line::{RawLine, may_end_with_robots_txt};
use crate::log::setup::{LogSetup, NO_HOST, Sources, public_start};
use crate::log::time::LogTime;
use crate::log::who::{Who, who};

/// What tells rule sets apart: the file, its version, the document, and the groups that apply because of a name.
type Groups = (u16, u16, Option<Document>, SelectionBasis, Vec<usize>);

/// Judges the lines of a log: finds the crawlers, and compares what they request with the robots.txt in force.
///
/// Lines may be given in parts of any size, each of which ends with a line, and parts to several judges, one for each thread. The
/// parts are put together in their order by a [`Tally`](super::Tally), so the figures are the same.
///
/// # Complexity
///
/// Linear in the bytes of the lines. What repeats is remembered: headers, and paths with their verdicts.
///
/// # Memory
///
/// Up to about 30 MiB, whatever the log has.
#[derive(Debug)]
pub struct LogJudge<'s, 'h> {
    setup: &'s LogSetup<'h>,
    headers: Headers,
    /// The version in force of each file.
    sites: Vec<SiteState>,
    /// By what addresses of each crawler are verified, once that was asked.
    sources: Vec<Option<Sources<'s>>>,
    rules: Vec<Rules>,
    /// The names in each version of each file.
    names_of: HashMap<(u16, u16), NameIndex<'s, 'h>>,
    by_groups: HashMap<Groups, u32>,
    by_crawler: HashMap<(u16, u16, u32), u32>,
    paths: Paths,
    /// Paths that were asked for and are not compared yet, their texts one after the other, and their numbers.
    asked: Vec<Asked>,
    asked_text: Vec<u8>,
    numbers: Vec<Option<u32>>,
    /// The host of the last line that named one.
    last_host: (Vec<u8>, u16),
    /// The numbers of crawlers that were named.
    names: HashMap<Box<str>, u32>,
}

/// What the version of a robots.txt in force says about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestVerdict {
    /// Whether the request is disallowed, also if bytes are compared as they are written.
    pub disallowed: bool,
    /// Whether the request is disallowed only if encoded bytes are compared as the profile says.
    pub disputed: bool,
    /// The line that decides, from 1.
    pub line: Option<usize>,
    /// The version, from 0; `None` for robots.txt, which is always allowed.
    pub version: Option<usize>,
    /// Whether a version allows the request that was in force within the grace time.
    pub in_grace: bool,
}

/// Headers that were read, each with who sends it. Like [`Paths`], they are known by length and hash.
#[derive(Debug)]
struct Headers {
    table: HashTable<KnownHeader>,
    seed: RandomState,
}

#[derive(Clone, Copy, Debug)]
struct KnownHeader {
    hash: u64,
    len: u32,
    who: Who,
}

/// A line whose header was looked up.
#[derive(Clone, Copy, Debug)]
struct Split<'l> {
    line: &'l [u8],
    combined: Option<Combined<'l>>,
    /// The hash of the header.
    hash: u64,
    found: Option<Who>,
}

/// The lines whose headers are looked up at once, so that processors wait for their memory at once.
const BATCH: usize = 64;

/// The paths that are compared at once.
const MOST_ASKED: usize = 256;

/// The most headers that are remembered. Then all are forgotten.
const MOST_HEADERS: usize = 100_000;

/// The rules of some groups of a version.
#[derive(Debug)]
struct Rules {
    rules: RuleSet,
    /// The same rules as most programs compare them, if the profile compares them differently.
    as_written: Option<RuleSet>,
    /// What depends on queries, if something does.
    queries: Option<Queries>,
    /// In milliseconds; 0 for none.
    delay: u32,
}

/// The rules of some groups that are about queries.
#[derive(Debug)]
struct Queries {
    /// Disallows the paths that a rule allows with some query.
    allowed: Option<RuleSet>,
}

/// The version in force on a site, and the rules of crawlers in it.
#[derive(Debug, Default)]
struct SiteState {
    version: Option<u16>,
    /// The time from which the version is in force, and that of the next one.
    start: i64,
    end: i64,
    is_known: bool,
    /// The rule set of each crawler, and that of the version before; [`UNKNOWN`] if it was not looked up.
    sets: Vec<(u32, u32)>,
}

const UNKNOWN: u32 = u32::MAX;

impl<'s, 'h> LogJudge<'s, 'h> {
    /// Creates a judge.
    #[must_use]
    pub fn new(setup: &'s LogSetup<'h>) -> Self {
        Self {
            setup,
            headers: Headers { table: HashTable::new(), seed: RandomState::default() },
            sites: setup.sites.iter().map(|_| SiteState::default()).collect(),
            sources: Vec::new(),
            rules: Vec::new(),
            names_of: HashMap::new(),
            by_groups: HashMap::new(),
            by_crawler: HashMap::new(),
            paths: Paths::new(setup.seed.clone()),
            asked: Vec::new(),
            asked_text: Vec::new(),
            numbers: Vec::new(),
            last_host: (Vec::new(), NO_HOST),
            names: HashMap::new(),
        }
    }

    /// Judges lines. `text` begins at the start of a line, and its last line may lack its end.
    pub fn judge(&mut self, reader: &mut LogReader, text: &[u8]) -> JudgedLines {
        let mut judged = JudgedLines::default();
        let has_one_site = self.setup.has_one_site();
        let is_plain = reader.is_combined() && has_one_site && !self.setup.has_period();
        let mut counts = LineCounts::default();
        let mut counted = if has_one_site { 0 } else { NO_HOST };
        let mut lines = lines_of(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text));
        let mut batch = Vec::with_capacity(BATCH);
        loop {
            batch.clear();
            batch.extend(lines.by_ref().take(BATCH).map(|line| self.headers.split(line, is_plain)));
            if batch.is_empty() {
                break;
            }
            for split in &mut batch {
                split.found =
                    self.headers.get(split.hash, split.combined.map_or(0, |combined| combined.agent().len()));
            }
            for split in &batch {
                self.judge_line(reader, split, &mut judged, &mut counts, &mut counted);
            }
            if self.asked.len() >= MOST_ASKED {
                self.compare_asked(&mut judged);
            }
        }
        self.compare_asked(&mut judged);
        judged.add(counted, counts);
        judged
    }

    /// Judges a line.
    fn judge_line(
        &mut self,
        reader: &mut LogReader,
        split: &Split<'_>,
        judged: &mut JudgedLines,
        counts: &mut LineCounts,
        counted: &mut u16,
    ) {
        let Split { line, combined, found, .. } = *split;
        judged.physical += 1;
        if line.is_empty() {
            return;
        }
        // Most lines are of browsers, and nothing else is read in them.
        if let (Some(combined), Some(who), Some(_)) = (combined, found, judged.start)
            && !matches!(who, Who::Crawler(_))
            && !may_end_with_robots_txt(combined.request())
        {
            judged.lines += 1;
            counts.lines += 1;
            count_other(who, counts);
            return;
        }
        let scanned = match combined {
            Some(combined) => Scanned::Line(combined.raw()),
            None => reader.scan(line),
        };
        // The parts are large, so they stay where they are.
        let raw = match &scanned {
            Scanned::Directive => return,
            Scanned::Line(raw) => raw,
            Scanned::Unread => {
                judged.lines += 1;
                judged.count_unread();
                judged.objects_after_text += u64::from(is_object_after_text(line));
                return;
            }
        };
        judged.lines += 1;
        if judged.start.is_none() || self.setup.has_period() {
            let time = reader.time(raw).map(|time| time.millis);
            if self.setup.has_period() {
                let Some(time) = time else {
                    judged.count_unread();
                    return;
                };
                judged.begins = judged.begins.or(Some(time));
                if time < self.setup.since || time >= self.setup.until {
                    judged.lines -= 1;
                    if time < self.setup.since && raw.may_be_robots_txt() {
                        self.answer_before(reader, raw, found, &mut judged.events);
                    }
                    return;
                }
            }
            judged.start = judged.start.or(time);
            judged.begins = judged.begins.or(time);
        }
        let mut site = *counted;
        if !self.setup.has_one_site() {
            site = self.site_of(raw.host.as_deref());
            if site != *counted {
                judged.add(*counted, core::mem::take(counts));
                *counted = site;
            }
        }
        let Some(crawler) = self.crawler_of(raw, found, counts) else {
            if raw.may_be_robots_txt() {
                self.answer_to_others(reader, raw, site, 0, &mut judged.events);
            }
            counts.lines += 1;
            return;
        };
        let Some(time) = reader.time(raw) else {
            judged.count_unread();
            return;
        };
        counts.lines += 1;
        let mut event = Event::new(time, crawler, site);
        judged.lacking.requests += 1;
        let address = self.read_address(raw, &mut event, &mut judged.lacking);
        if let Some(address) = address.filter(|_| self.setup.has_addresses) {
            judged.addresses.push((event.address, address));
        }
        self.read_request(raw, &mut event, judged.events.len(), &mut judged.lacking);
        judged.events.push(event);
    }

    /// Judges one request of a crawler, whose name is that of a known one or of an unlisted one. Returns `None` if it has no
    /// path, or its host no robots.txt at this time, in milliseconds since 1970.
    ///
    /// ```
    /// use robots_fetch::log::{LogJudge, LogSetup};
    /// use robots_fetch::matching::{Document, History, Robots};
    ///
    /// let history = History::unchanged(Robots::new("User-agent: *\nDisallow: /a\n", Document::Rfc9309));
    /// let setup = LogSetup::new([(None, &history)]);
    /// let verdict = LogJudge::new(&setup).request("GPTBot", b"/a/b", 0, None).unwrap();
    /// assert_eq!((verdict.disallowed, verdict.line), (true, Some(2)));
    /// ```
    pub fn request(
        &mut self,
        crawler: &str,
        target: &[u8],
        millis: i64,
        host: Option<&[u8]>,
    ) -> Option<RequestVerdict> {
        let (path, asked) = split_target(target)?;
        let crawler = match self.names.get(crawler) {
            Some(crawler) => *crawler,
            None => {
                let known = self.setup.number_of(crawler);
                let id = known.unwrap_or_else(|| self.setup.unlisted(crawler));
                if self.names.len() < MOST_HEADERS {
                    self.names.insert(crawler.into(), id);
                }
                id
            }
        };
        let site = if self.setup.has_one_site() { 0 } else { self.site_of(asked.or(host)) };
        if path == b"/robots.txt" {
            return Some(RequestVerdict {
                disallowed: false,
                disputed: false,
                line: None,
                version: None,
                in_grace: false,
            });
        }
        let mut event = Event::new(LogTime { millis, unit: 1 }, crawler, site);
        let rooted = [if path.first() == Some(&b'/') { &b""[..] } else { b"/" }, path].concat();
        let key = self.paths.key(&rooted);
        let mut numbers = Vec::new();
        let asked = Asked { event: 0, start: 0, end: rooted.len(), key, lacks_query: false };
        self.paths.numbers(&[asked], &mut numbers);
        self.check(&rooted, numbers.first().copied().flatten(), false, &mut event);
        (event.kind == EventKind::Checked).then_some(RequestVerdict {
            disallowed: event.flags & DISALLOWED != 0,
            disputed: event.flags & DISPUTED != 0,
            line: (event.line > 0).then_some(event.line as usize),
            version: Some(usize::from(event.version)),
            in_grace: event.flags & IN_GRACE != 0,
        })
    }

    fn site_of(&mut self, host: Option<&[u8]>) -> u16 {
        let host = host.and_then(present);
        if host.is_some_and(|host| host == self.last_host.0) {
            return self.last_host.1;
        }
        let site = self.setup.site_of(host);
        if let Some(host) = host {
            self.last_host = (host.get(..256).unwrap_or(host).to_vec(), site);
        }
        site
    }

    /// Returns the crawler that sends the header of a line. Counts lines of others.
    fn crawler_of(&mut self, raw: &RawLine<'_>, found: Option<Who>, counts: &mut LineCounts) -> Option<u32> {
        let found = if let Some(found) = found {
            found
        } else if present(&raw.agent).is_none() {
            Who::NoHeader
        } else {
            let setup = self.setup;
            self.headers.find(&raw.agent, || raw.agent().map_or(Who::NoHeader, |header| who(&header, setup)))
        };
        if let Who::Crawler(crawler) = found {
            return Some(crawler);
        }
        count_other(found, counts);
        None
    }

    /// Returns by what addresses of a crawler are verified.
    fn sources_of(&mut self, crawler: u32) -> Sources<'s> {
        let index = crawler as usize;
        if let Some(Some(sources)) = self.sources.get(index) {
            return *sources;
        }
        let sources = self.setup.sources_of(crawler);
        if self.sources.len() <= index {
            self.sources.resize(index + 1, None);
        }
        if let Some(known) = self.sources.get_mut(index) {
            *known = Some(sources);
        }
        sources
    }

    /// Reads the address of a line into an event, and returns it.
    fn read_address(
        &mut self,
        raw: &RawLine<'_>,
        event: &mut Event,
        lacking: &mut Lacking,
    ) -> Option<IpAddr> {
        let field = match self.setup.address {
            AddressField::Remote => &raw.address,
            AddressField::Forwarded(_) => &raw.forwarded,
        };
        lacking.address += u64::from(field.is_none());
        let text = match self.setup.address {
            AddressField::Remote => raw.address.as_deref(),
            AddressField::Forwarded(number) => {
                let address = || raw.address.as_deref().filter(|_| !raw.has_names);
                let list = raw.forwarded.as_deref().or_else(address);
                list.and_then(|list| list.rsplit(|&byte| byte == b',').nth(number.checked_sub(1)?))
            }
        };
        // W3C writes `+` for a space.
        let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'+';
        let text = text.map(|text| text.get(text.iter().take_while(|byte| blank(byte)).count()..));
        let address = text.flatten().and_then(|text| address::parse(text.trim_ascii()));
        let key = AddressKey::new(address);
        (event.address, event.network) = (key.number(&self.setup.seed), key.network());
        if self.setup.has_sources() {
            event.verification = self.sources_of(event.crawler).verify(address);
        }
        address
    }

    /// Reads the request of an event, which will have this number. Its path is asked later.
    fn read_request(&mut self, raw: &RawLine<'_>, event: &mut Event, number: usize, lacking: &mut Lacking) {
        let status = raw.status();
        let (method, target) = raw.request();
        if matches!(status, Some(200..=299 | 304)) {
            event.flags |= SERVED;
        }
        let split =
            target.as_deref().filter(|_| method.as_deref() != Some(b"CONNECT")).and_then(split_target);
        let Some((path, host)) = split else {
            lacking.target += 1;
            return;
        };
        let logged = raw.host.as_deref().and_then(present);
        if !self.setup.has_one_site() {
            if let Some(host) = host {
                event.site = self.site_of(Some(host));
            }
        } else if let Some(host) = host.or(logged)
            && (host != self.last_host.0 || logged.is_some_and(|logged| logged != host))
        {
            self.last_host.0 = host.get(..256).unwrap_or(host).to_vec();
            let host = plain_host(host);
            // A client tries to use the server as a proxy.
            if logged.is_some_and(|logged| is_host(logged) && plain_host(logged) != host) {
                event.kind = EventKind::NoRobots;
                return;
            }
            if is_host(host.as_bytes()) {
                lacking.add_host(&host);
            }
        }
        if path == b"/robots.txt" {
            event.kind = EventKind::Robots(answer(method.as_deref(), status));
            event.flags |= self.flags_of_answer(raw, method.as_deref(), status, event.site);
            return;
        }
        let start = self.asked_text.len();
        // As in `http://example.com?a`, whose path is that of the root.
        if path.first() != Some(&b'/') {
            self.asked_text.push(b'/');
        }
        self.asked_text.extend_from_slice(path);
        let text = self.asked_text.get(start..).unwrap_or_default();
        let (end, key) = (start + text.len(), self.paths.key(text));
        self.asked.push(Asked { event: number, start, end, key, lacks_query: raw.lacks_query() });
    }

    /// Answers what was asked: compares the paths of events with the versions in force. The steps are loops of their own, because
    /// processors wait for the memory of several paths at once then.
    fn compare_asked(&mut self, judged: &mut JudgedLines) {
        let (asked, text) = (core::mem::take(&mut self.asked), core::mem::take(&mut self.asked_text));
        let mut numbers = core::mem::take(&mut self.numbers);
        self.paths.numbers(&asked, &mut numbers);
        for (asked, number) in asked.iter().zip(&numbers) {
            let Some(event) = judged.events.get_mut(asked.event) else { continue };
            let path = text.get(asked.start..asked.end).unwrap_or_default();
            judged.lacking.query += u64::from(self.check(path, *number, asked.lacks_query, event));
            if event.flags & DISALLOWED == 0 {
                continue;
            }
            let query = if self.setup.has_queries { None } else { start_of_query(path) };
            let (hash, shown) = match query.and_then(|at| path.get(..at)) {
                Some(shown) => (self.paths.key(shown).hash, shown),
                None => (asked.key.hash, path),
            };
            event.path = add_path(&mut judged.paths, &mut judged.text, hash, shown);
        }
        (self.asked, self.asked_text, self.numbers) = (asked, text, numbers);
        self.asked.clear();
        self.asked_text.clear();
    }

    /// Reads an answer for robots.txt before the period, which only says what is known of the file.
    fn answer_before(
        &mut self,
        reader: &mut LogReader,
        raw: &RawLine<'_>,
        found: Option<Who>,
        events: &mut Vec<Event>,
    ) {
        let site = if self.setup.has_one_site() { 0 } else { self.site_of(raw.host.as_deref()) };
        let crawler = self.crawler_of(raw, found, &mut LineCounts::default());
        let before = events.len();
        self.answer_to_others(reader, raw, site, BEFORE, events);
        if let (Some(crawler), Some(event)) = (crawler, events.get_mut(before))
            && let EventKind::OfOthers(answer) = event.kind
        {
            (event.crawler, event.kind) = (crawler, EventKind::Robots(answer));
        }
    }

    /// Reads an answer for robots.txt to somebody who is not a crawler.
    fn answer_to_others(
        &mut self,
        reader: &mut LogReader,
        raw: &RawLine<'_>,
        site: u16,
        flags: u16,
        events: &mut Vec<Event>,
    ) {
        let (method, target) = raw.request();
        let Some((b"/robots.txt", host)) = target.as_deref().and_then(split_target) else { return };
        let Some(time) = reader.time(raw) else { return };
        let status = raw.status();
        let site = match host.filter(|_| !self.setup.has_one_site()) {
            Some(host) => self.site_of(Some(host)),
            None => site,
        };
        events.push(Event {
            kind: EventKind::OfOthers(answer(method.as_deref(), status)),
            flags: flags | self.flags_of_answer(raw, method.as_deref(), status, site),
            ..Event::new(time, 0, site)
        });
    }

    /// Returns what status and size of an answer for robots.txt say.
    fn flags_of_answer(
        &self,
        raw: &RawLine<'_>,
        method: Option<&[u8]>,
        status: Option<u16>,
        site: u16,
    ) -> u16 {
        let compare = || {
            let (site, size) = (self.setup.sites.get(usize::from(site))?, raw.size()?);
            let is_larger = site.sizes.last().is_some_and(|largest| size > *largest);
            Some(match site.sizes.binary_search(&size) {
                Ok(_) => SAME_SIZE,
                Err(_) if is_larger && site.may_be_larger => 0,
                Err(_) if is_larger => OTHER_SIZE | LARGER,
                Err(_) => OTHER_SIZE,
            })
        };
        match status {
            Some(429) => LIMITED,
            Some(200) if answer(method, status) == Answer::Read => compare().unwrap_or(0),
            _ => 0,
        }
    }

    /// Checks a path, which has this number among those that are remembered, with the version in force. Returns whether the log lacks
    /// the query of the path, and rules are about queries.
    fn check(&mut self, path: &[u8], number: Option<u32>, lacks_query: bool, event: &mut Event) -> bool {
        event.kind = EventKind::NoRobots;
        let (Some(site), Some(state)) =
            (self.setup.sites.get(usize::from(event.site)), self.sites.get_mut(usize::from(event.site)))
        else {
            return false;
        };
        if !state.is_known || event.time < state.start || event.time >= state.end {
            let millis = |version: usize| {
                let start = site.history.version(version).map_or(i64::MAX, |(start, _)| start);
                start.saturating_mul(1000)
            };
            let version = site.history.at(event.time.div_euclid(1000));
            *state = SiteState {
                version: version.and_then(|version| u16::try_from(version).ok()),
                start: version.map_or(i64::MIN, millis),
                end: millis(version.map_or(0, |version| version + 1)),
                is_known: true,
                sets: Vec::new(),
            };
        }
        let Some(version) = state.version else { return false };
        event.kind = EventKind::Checked;
        event.version = version;
        let start = state.start;
        let (set, before) = match state.sets.get(event.crawler as usize) {
            Some(sets) if sets.0 != UNKNOWN => *sets,
            _ => self.sets_of(event.site, version, event.crawler),
        };
        let grace = self.setup.grace_of(event.crawler);
        let may_use_others = event.time.saturating_sub(start) < grace;
        let Some(rules) = self.rules.get(set as usize) else { return false };
        (event.delay, event.least_delay) = (rules.delay, rules.delay);
        let is_about_queries = lacks_query && rules.queries.is_some();
        let (line, flags) = self.paths.verdict(set, number, || rules.judge(path));
        event.line = line;
        let may_be_allowed = is_about_queries && flags & DISALLOWED != 0 && rules.allow_a_query(path);
        let flags = if may_be_allowed { DISPUTED } else { flags };
        event.flags |= flags;
        if may_use_others && event.delay > 0 {
            let others = self.others_in_use(event, version, grace);
            let delays = others.iter().filter_map(|set| Some(self.rules.get(*set as usize)?.delay));
            event.least_delay = delays.min().unwrap_or(event.delay).min(event.delay);
        }
        if flags & DISALLOWED == 0 || before == UNKNOWN {
            return is_about_queries;
        }
        if let Some(rules) = self.rules.get(before as usize)
            && self.paths.verdict(before, number, || rules.judge(path)).1 & DISALLOWED == 0
        {
            event.flags |= BEFORE_ALLOWS;
        }
        let is_allowed = |rules: &Rules| rules.judge(path).1 & DISALLOWED == 0;
        if may_use_others
            && self
                .others_in_use(event, version, grace)
                .into_iter()
                .any(|set| self.rules.get(set as usize).is_some_and(is_allowed))
        {
            event.flags |= IN_GRACE;
        }
        is_about_queries
    }

    /// Returns the rule sets of a crawler in a version and in the one before, and remembers them.
    fn sets_of(&mut self, site: u16, version: u16, crawler: u32) -> (u32, u32) {
        let set = self.set_of(site, version, crawler);
        let before = version.checked_sub(1).map(|before| self.set_of(site, before, crawler));
        let sets = (set, before.unwrap_or(UNKNOWN));
        if let Some(state) = self.sites.get_mut(usize::from(site)) {
            if state.sets.len() <= crawler as usize {
                state.sets.resize(crawler as usize + 1, (UNKNOWN, UNKNOWN));
            }
            if let Some(known) = state.sets.get_mut(crawler as usize) {
                *known = sets;
            }
        }
        sets
    }

    /// Returns the rule sets of the versions before that were in force within the grace time before a request.
    fn others_in_use(&mut self, event: &Event, version: u16, grace: i64) -> Vec<u32> {
        let mut sets = Vec::new();
        let history = self.setup.sites.get(usize::from(event.site)).map(|site| site.history);
        let Some(history) = history else { return sets };
        for before in (0..version).rev() {
            // It ended when the next one began.
            let end =
                history.version(usize::from(before) + 1).map_or(0, |(start, _)| start.saturating_mul(1000));
            if event.time.saturating_sub(end) >= grace {
                break;
            }
            sets.push(self.set_of(event.site, before, event.crawler));
        }
        sets.dedup();
        sets
    }

    /// Returns the rule set of a crawler in a version. Crawlers to which the same groups apply share one.
    fn set_of(&mut self, site: u16, version: u16, crawler: u32) -> u32 {
        if let Some(set) = self.by_crawler.get(&(site, version, crawler)) {
            return *set;
        }
        let Some(place) = self.setup.sites.get(usize::from(site)) else { return UNKNOWN };
        let (Some((_, robots)), Some(groups)) =
            (place.history.version(usize::from(version)), place.groups.get(usize::from(version)))
        else {
            return UNKNOWN;
        };
        let selector = match self.setup.known(crawler) {
            Some(known) => known.crawler(),
            None => {
                let name = self.setup.unlisted_name(crawler);
                name.and_then(|name| Crawler::new(public_start(&name)).ok()).unwrap_or_else(Crawler::unnamed)
            }
        };
        let document = self.setup.document_of(crawler);
        let (own, own_groups);
        let selection: Selection<'_, '_>;
        let (robots, groups) = match document {
            None => {
                // A log may have thousands of crawlers, and a file thousands of names.
                let groups = groups.get_or_init(|| robots.groups());
                let index = self.names_of.entry((site, version)).or_insert_with(|| NameIndex::new(groups));
                selection = index.select(&selector);
                (robots, groups)
            }
            Some(document) => {
                own = Robots::new(robots.body(), document);
                own_groups = own.groups();
                selection = own_groups.select(&selector);
                (&own, &own_groups)
            }
        };
        // Without a name, the same groups apply to all.
        let taken = match selection.basis() {
            SelectionBasis::Named => selection.indices().collect(),
            SelectionBasis::Wildcard | SelectionBasis::None => Vec::new(),
        };
        let key = (site, version, document, selection.basis(), taken);
        let set = match self.by_groups.get(&key) {
            Some(set) => *set,
            None => {
                let policy = robots.profile().matching;
                let written = as_written(policy);
                let delay = Records::new(robots, groups).for_crawler(&selection).crawl_delay();
                let rules = RuleSet::compile(&selection, &policy);
                self.rules.push(Rules {
                    queries: Queries::of(&rules, robots.profile()),
                    rules,
                    as_written: (written != policy).then(|| RuleSet::compile(&selection, &written)),
                    delay: delay.map_or(0, |delay| u32::try_from(delay.as_millis()).unwrap_or(u32::MAX)),
                });
                let set = u32::try_from(self.rules.len() - 1).unwrap_or(UNKNOWN);
                self.by_groups.insert(key, set);
                set
            }
        };
        self.by_crawler.insert((site, version, crawler), set);
        set
    }
}

impl Queries {
    /// Finds the rules that are about queries.
    fn of(rules: &RuleSet, profile: &Profile) -> Option<Self> {
        let rules = rules.compiled_rules();
        let has_query = |pattern: &[u8]| memchr::memchr(b'?', pattern);
        let is_about = |pattern: &[u8]| has_query(pattern).is_some() || pattern.ends_with(b"$");
        if !rules.iter().any(|rule| is_about(rule.pattern)) {
            return None;
        }
        let mut body = b"User-agent: *\n".to_vec();
        let mut has_allowed = false;
        for rule in rules.iter().filter(|rule| rule.effect == Effect::Allow) {
            if let Some(path) = has_query(rule.pattern).and_then(|at| rule.pattern.get(..at)) {
                body.extend_from_slice(&[b"Disallow: ", path, b"$\n"].concat());
                has_allowed = true;
            }
        }
        let allowed = has_allowed.then(|| RuleSet::parse(&body, &Crawler::unnamed(), profile));
        Some(Self { allowed })
    }
}

impl Rules {
    /// Returns whether a path that is disallowed may be allowed with a query.
    fn allow_a_query(&self, path: &[u8]) -> bool {
        let allowed = self.queries.as_ref().and_then(|queries| queries.allowed.as_ref());
        self.rules.check([path, b"?"].concat()).is_allowed()
            || allowed.is_some_and(|allowed| !allowed.check(path).is_allowed())
    }

    /// Returns the line that decides, and flags.
    fn judge(&self, path: &[u8]) -> Judged {
        let verdict = self.rules.check(path);
        let line = verdict.line().and_then(|line| u32::try_from(line).ok()).unwrap_or(0);
        if verdict.is_allowed() {
            return (line, 0);
        }
        match &self.as_written {
            Some(rules) if rules.check(path).is_allowed() => (line, DISPUTED),
            _ => (line, DISALLOWED),
        }
    }
}

/// Returns how most programs compare rules with paths: byte by byte, apart from bytes outside of ASCII, which logs and files encode or
/// do not.
const fn as_written(mut policy: MatchPolicy) -> MatchPolicy {
    policy.pattern = Form::NonAsciiEncoded;
    policy.path = Form::NonAsciiEncoded;
    policy.reserved = ReservedBytes::AsWritten;
    policy
}

fn answer(method: Option<&[u8]>, status: Option<u16>) -> Answer {
    match (method, status) {
        (Some(b"HEAD"), _) => Answer::Head,
        // Scanners try other methods. Some formats have none.
        (Some(method), _) if method != b"GET" => Answer::Other,
        (_, Some(200..=299 | 304)) => Answer::Read,
        (_, Some(300..=399)) => Answer::Redirected,
        (_, Some(400..=499)) => Answer::Missing,
        (_, Some(500..=599)) => Answer::Failed,
        _ => Answer::Unknown,
    }
}

/// Returns where the part of a path begins that may say what people typed: a query, also an encoded one, or a fragment.
fn start_of_query(path: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr::memchr3(b'?', b'#', b'%', path.get(from..)?)?;
        if path.get(at) != Some(&b'%')
            || path.get(at + 1..at + 3).is_some_and(|code| code.eq_ignore_ascii_case(b"3F"))
        {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Counts a line of somebody who is not a crawler.
const fn count_other(who: Who, counts: &mut LineCounts) {
    match who {
        Who::Crawler(_) => {}
        Who::Several => counts.several_names += 1,
        Who::Other => counts.not_crawlers += 1,
        Who::NoHeader => counts.no_user_agent += 1,
    }
}

impl Headers {
    /// Finds the parts of a line in the Combined Log Format, if lines are in it and their headers are read first.
    fn split<'l>(&self, line: &'l [u8], is_plain: bool) -> Split<'l> {
        let combined = if is_plain && line.len() <= LONGEST_LINE { split_combined(line) } else { None };
        let hash = combined.map_or(0, |combined| self.seed.hash_one(combined.agent()));
        Split { line, combined, hash, found: None }
    }

    /// Returns who sends a header with this hash and length, if it was read before.
    fn get(&self, hash: u64, len: usize) -> Option<Who> {
        let is_equal = |known: &KnownHeader| known.hash == hash && known.len as usize == len;
        self.table.find(hash, is_equal).map(|known| known.who)
    }

    fn find(&mut self, header: &[u8], read: impl FnOnce() -> Who) -> Who {
        let hash = self.seed.hash_one(header);
        if let Some(who) = self.get(hash, header.len()) {
            return who;
        }
        let who = read();
        if self.table.len() >= MOST_HEADERS {
            self.table.clear();
        }
        let Ok(len) = u32::try_from(header.len()) else { return who };
        let known = KnownHeader { hash, len, who };
        self.table.insert_unique(known.hash, known, |known| known.hash);
        who
    }
}

impl JudgedLines {
    fn count_unread(&mut self) {
        self.unread += 1;
        if self.first_unread.len() < 3 {
            self.first_unread.push(self.physical);
        }
    }

    fn add(&mut self, site: u16, counts: LineCounts) {
        if counts != LineCounts::default() {
            self.counts.push((site, counts));
        }
    }
}
