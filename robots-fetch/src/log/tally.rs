//! The figures of a log.

use core::fmt;
use core::net::IpAddr;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use robots_match::KnownCrawler;

use crate::log::event::{
    Answer, AnswersSeen, BEFORE, BEFORE_ALLOWS, DISALLOWED, DISPUTED, Event, EventKind, IN_GRACE,
    JudgedLines, LARGER, LATE, LIMITED, LineCounts, OTHER_SIZE, SAME_SIZE, SERVED, Verification,
};
use crate::log::gaps::Gaps;
use crate::log::setup::LogSetup;
use crate::log::top_paths::TopPaths;

/// A map whose hash has a random seed.
type FastMap<K, V> = hashbrown::HashMap<K, V, RandomState>;

const DAY: i64 = 86_400_000;

/// How much later than others a line may be written than its time says, in milliseconds.
const WINDOW: i64 = 300_000;

/// The most requests that wait for earlier ones. Logs with fewer may be in any order.
const MOST_WAITING: usize = 1 << 19;

/// The requests that wait for earlier ones, however long their paths are.
const LEAST_WAITING: usize = 1 << 12;

/// By how many places a request is put before others when it is added. If that is not enough, all are sorted when they are counted.
const MOST_STEPS: usize = 64;

/// The most pairs of a host and a crawler.
const MOST_PAIRS: usize = 100_000;

/// The most addresses of crawlers that are counted one by one.
const MOST_ADDRESSES: usize = 500_000;

/// Counts the requests of a log, which are given in parts in their order.
///
/// A line whose time is before that of a line above it is put in its place, if not more than 262,144 requests of crawlers are between
/// them, or fewer where disallowed paths are long. If it is more than five minutes before, it is counted as out of order and has no gap. What was known of robots.txt at the
/// time of a line that comes later still is unknown, so it accuses no crawler.
///
/// Requests of one time have no order that figures depend on: answers for robots.txt come first.
///
/// # Memory
///
/// Up to about 150 MiB, whatever the log has.
#[derive(Debug)]
pub struct Tally<'s, 'h> {
    pub(super) setup: &'s LogSetup<'h>,
    pub(super) sites: FastMap<u16, SiteTally>,
    /// The last answers of each site, by its number.
    answers: Vec<Answers>,
    pub(super) pairs: Vec<Pair>,
    pair_of: FastMap<(u16, u32), u32>,
    /// The times of reads by the crawlers that share them.
    readers: Vec<Reader>,
    reader_of: HashMap<(u16, SharesReads), u32>,
    waiting: Vec<Event>,
    /// Whether they are to be put in order before they are counted.
    is_mixed: bool,
    /// The time of the last line, and that of the last request that was counted.
    latest: i64,
    counted: i64,
    /// The time of the first line, also if it is before the period of the report.
    begins: i64,
    /// The time of the first line in the period, and those of the first and the last request.
    start: Option<i64>,
    requests: Option<(i64, i64)>,
    pub(super) lines: u64,
    pub(super) unread: u64,
    /// The time of the last request of each crawler from each address.
    pub(super) addresses: FastMap<(u32, u64), i64>,
    pub(super) networks: FastMap<(u32, u64), u32>,
    /// The addresses by their numbers, and the requests of each crawler from each, if they are kept.
    pub(super) texts: FastMap<u64, IpAddr>,
    pub(super) requests_from: FastMap<(u32, u64), u32>,
    pub(super) has_all_addresses: bool,
    pub(super) tops: TopPaths,
}

/// The figures of a host.
#[derive(Debug, Default)]
pub(super) struct SiteTally {
    pub(super) counts: LineCounts,
}

/// The answers for the robots.txt of a host.
#[derive(Clone, Debug, Default)]
struct Answers {
    last: LastAnswers,
    /// How many answers there were of each version.
    seen: Vec<AnswersSeen>,
    sizes: SizesSeen,
}

/// How many answers for the robots.txt of a host have which size.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SizesSeen {
    pub(super) same: u64,
    pub(super) other: u64,
    pub(super) larger: u64,
}

/// The last time at which robots.txt was missing, failed, and had any other answer.
#[derive(Clone, Copy, Debug, Default)]
struct LastAnswers {
    missing: Option<i64>,
    failed: Option<i64>,
    other: Option<i64>,
}

/// Those that share a copy of robots.txt: the crawlers of an operator, or a crawler without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum SharesReads {
    Operator(&'static str),
    Crawler(u32),
}

/// What crawlers that share a copy of robots.txt know of it.
#[derive(Debug, Default)]
struct Reader {
    read: Option<i64>,
    /// The last time at which they asked for it with GET, whatever the answer was.
    asked: Option<i64>,
    answers: LastAnswers,
    /// The last time at which robots.txt could not be read, if it was not read since.
    failed: Option<i64>,
}

/// The figures of a crawler on a host.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) site: u16,
    pub(super) crawler: u32,
    reader: u32,
    pub(super) n: Counts,
    pub(super) delay: u32,
    version: u16,
    pub(super) first: i64,
    pub(super) last: i64,
    previous: Option<i64>,
    unread_since: i64,
    pub(super) longest_unread: i64,
    pub(super) gaps: Gaps,
    pub(super) days: Vec<Day>,
    pub(super) by_line: FastMap<(u16, u32), u32>,
}

/// The requests of a day.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Day {
    pub(super) day: i32,
    pub(super) requests: u32,
    pub(super) disallowed: u32,
    pub(super) reads: u32,
}

/// The figures that are added.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) requests: u64,
    pub(super) robots_txt: u64,
    pub(super) read: u64,
    pub(super) redirected: u64,
    pub(super) missing: u64,
    pub(super) failed: u64,
    pub(super) head: u64,
    pub(super) no_target: u64,
    pub(super) no_robots: u64,
    pub(super) checked: u64,
    pub(super) disallowed: u64,
    pub(super) disputed: u64,
    pub(super) in_grace: u64,
    pub(super) excused: u64,
    pub(super) unreachable: u64,
    pub(super) served: u64,
    pub(super) disallowed_verified: u64,
    pub(super) beyond_grace_verified: u64,
    pub(super) fresh: u64,
    pub(super) late: u64,
    pub(super) never: u64,
    pub(super) unknown: u64,
    pub(super) unasked: u64,
    pub(super) unordered: u64,
    pub(super) gaps: u64,
    pub(super) short: u64,
    pub(super) gaps_per_address: u64,
    pub(super) short_per_address: u64,
    pub(super) out_of_order: u64,
    pub(super) verified: u64,
    pub(super) unverified: u64,
    pub(super) no_ranges: u64,
    pub(super) no_address: u64,
    pub(super) addresses: u64,
    pub(super) networks: u64,
    pub(super) with_address: u64,
}

impl<'s, 'h> Tally<'s, 'h> {
    /// Creates a tally of no lines.
    #[must_use]
    pub fn new(setup: &'s LogSetup<'h>) -> Self {
        Self {
            setup,
            sites: FastMap::default(),
            answers: Vec::new(),
            pairs: Vec::new(),
            pair_of: FastMap::default(),
            readers: Vec::new(),
            reader_of: HashMap::new(),
            waiting: Vec::new(),
            is_mixed: false,
            latest: i64::MIN,
            counted: i64::MIN,
            begins: i64::MAX,
            start: None,
            requests: None,
            lines: 0,
            unread: 0,
            addresses: FastMap::default(),
            networks: FastMap::default(),
            texts: FastMap::default(),
            requests_from: FastMap::default(),
            has_all_addresses: true,
            tops: TopPaths::default(),
        }
    }

    /// Adds a later part of the log.
    pub fn add(&mut self, mut judged: JudgedLines) {
        self.add_until(&mut judged, i64::MAX);
    }

    /// Adds the requests of a part before the first one that is later than `until`, in milliseconds since 1970, and at least one, so
    /// that logs of the same time are put together. They are no longer in the part then.
    pub fn add_until(&mut self, judged: &mut JudgedLines, until: i64) {
        self.start = self.start.or(judged.start);
        if self.begins == i64::MAX {
            // How the log is cut into parts makes no difference: the first lines of the others do not count.
            self.begins = judged.begins.unwrap_or(self.begins);
        }
        if !core::mem::replace(&mut judged.is_counted, true) {
            self.lines += judged.lines;
            self.unread += judged.unread;
            for (site, counts) in &judged.counts {
                self.sites.entry(*site).or_default().counts.add(counts);
            }
        }
        for (number, address) in judged.addresses.drain(..) {
            if self.texts.len() < MOST_ADDRESSES {
                self.texts.insert(number, address);
            }
        }
        let start = judged.taken;
        while let Some(event) = judged.events.get(judged.taken)
            && (event.time <= until || judged.taken == start)
        {
            let mut event = *event;
            judged.taken += 1;
            if event.flags & DISALLOWED != 0
                && let Some((hash, text, whole)) = judged.path(event.path)
            {
                event.path = self.tops.number(hash, text, whole);
            }
            self.begins = self.begins.min(event.time);
            if event.flags & BEFORE == 0 {
                self.requests = widest(self.requests, Some((event.time, event.time)));
            }
            if event.time < self.latest.saturating_sub(WINDOW) {
                event.flags |= LATE;
            }
            self.latest = self.latest.max(event.time);
            if event.time < self.counted {
                self.count(&event, true);
                continue;
            }
            self.wait(event);
            let is_large = self.tops.is_large() && self.waiting.len() >= LEAST_WAITING;
            if is_large || self.waiting.len() >= MOST_WAITING {
                self.release(self.waiting.len() / 2);
            }
        }
    }

    /// Adds the tally of another log, or of another part of this one, earlier or later. The figures are those of one tally of all
    /// lines in the order of their times; only a line is out of order by the lines above it in its own part.
    ///
    /// So that this holds, both tallies keep all requests of crawlers until the report, which is possible for 524,288 of them, or
    /// fewer where disallowed paths are long. Larger tallies can't be merged, because no figures of less size are enough: whether a
    /// gap is too short depends on each request between two others, and what a crawler knew of robots.txt on each answer before.
    /// Logs of any size are judged apart, in any number of threads, and their [`JudgedLines`] are added in the order of time with
    /// [`add_until`](Self::add_until).
    ///
    /// ```
    /// # use robots_fetch::log::{LogFormat, LogJudge, LogSetup, ReportOptions, Tally};
    /// # use robots_fetch::matching::{Document, History, Robots};
    /// let history = History::unchanged(Robots::new("User-agent: *\nCrawl-delay: 9\n", Document::Rfc9309));
    /// let setup = LogSetup::new([(None, &history)]);
    /// let tally = |second: u8| {
    ///     let line = format!("192.0.2.1 - - [10/Nov/2025:10:00:0{second} +0000] \"GET / HTTP/1.1\" 200 9 \"-\" \"GPTBot/1.2\"\n");
    ///     let mut tally = Tally::new(&setup);
    ///     tally.add(LogJudge::new(&setup).judge(&mut LogFormat::COMBINED.reader(), line.as_bytes()));
    ///     tally
    /// };
    /// let mut all = tally(8);
    /// all.merge(tally(4))?;
    /// all.merge(tally(1))?;
    /// let report = all.report(&ReportOptions::default());
    /// let bot = &report.hosts[0].crawlers[0];
    /// assert_eq!((bot.gaps, bot.short, bot.median_gap), (Some(2), Some(2), Some(3)));
    /// # Ok::<_, robots_fetch::log::TallyTooLarge>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The tallies have more requests together than are kept, or one of them made a report before. Nothing is added then.
    ///
    /// # Panics
    ///
    /// The tallies have different setups.
    ///
    /// # Complexity
    ///
    /// Linear in the requests of crawlers of `other`.
    pub fn merge(&mut self, other: Self) -> Result<(), TallyTooLarge> {
        assert!(core::ptr::eq(self.setup, other.setup), "tallies with one setup are merged");
        let count = self.waiting.len() + other.waiting.len();
        let is_counted = self.counted > i64::MIN || other.counted > i64::MIN;
        if is_counted || count >= MOST_WAITING || self.tops.is_large() || other.tops.is_large() {
            return Err(TallyTooLarge);
        }
        self.lines += other.lines;
        self.unread += other.unread;
        for (site, tally) in &other.sites {
            self.sites.entry(*site).or_default().counts.add(&tally.counts);
        }
        self.start = self.start.into_iter().chain(other.start).min();
        self.requests = widest(self.requests, other.requests);
        self.begins = self.begins.min(other.begins);
        self.latest = self.latest.max(other.latest);
        for (number, address) in other.texts {
            if self.texts.len() < MOST_ADDRESSES {
                self.texts.insert(number, address);
            }
        }
        for mut event in other.waiting {
            if event.flags & DISALLOWED != 0
                && let Some((hash, text, whole)) = other.tops.path(event.path)
            {
                event.path = self.tops.number(hash, text, whole);
            }
            self.wait(event);
        }
        Ok(())
    }

    /// Returns the times of the first and of the last line that the report is about.
    pub(super) fn period(&self) -> Option<(i64, i64)> {
        widest(self.start.map(|start| (start, start)), self.requests)
    }

    /// Lets a request wait for earlier ones. Most logs are nearly in order, so its place is near the end.
    fn wait(&mut self, event: Event) {
        let is_later = |other: &Event| other.place() > event.place();
        let before = self.waiting.iter().rev().take(MOST_STEPS).take_while(|other| is_later(other)).count();
        self.is_mixed |= before == MOST_STEPS;
        self.waiting.insert(self.waiting.len() - before, event);
    }

    /// Counts the first waiting requests in their order.
    fn release(&mut self, count: usize) {
        let mut waiting = core::mem::take(&mut self.waiting);
        if core::mem::take(&mut self.is_mixed) {
            waiting.sort_by_key(Event::place);
        }
        let end = count.min(waiting.len());
        for event in waiting.iter().take(end) {
            self.count(event, false);
            self.counted = event.time;
        }
        waiting.drain(..end);
        let disallowed = waiting.iter_mut().filter(|event| event.flags & DISALLOWED != 0);
        self.tops.limit(disallowed.map(|event| &mut event.path));
        self.waiting = waiting;
    }

    /// Returns the addresses from which known crawlers seem to come, without duplicates, if the setup keeps addresses
    /// ([`LogSetup::with_addresses`]): those of the first 500,000 pairs of a crawler and an address.
    #[must_use]
    pub fn into_addresses(mut self) -> Vec<(&'static KnownCrawler, IpAddr)> {
        self.finish();
        let pairs = self.requests_from.keys().filter_map(|(pair, number)| {
            let pair = self.pairs.get(*pair as usize)?;
            self.setup.known(pair.crawler)?;
            Some((pair.crawler, *self.texts.get(number)?))
        });
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        let known = |(crawler, address)| Some((self.setup.known(crawler)?, address));
        pairs.into_iter().filter_map(known).collect()
    }

    /// Counts all requests. Later parts may follow, but none of their lines are put before these.
    pub(super) fn finish(&mut self) {
        self.release(usize::MAX);
    }

    /// Returns how many answers there were for the robots.txt of a site, in the order of the versions.
    pub(super) fn answers_of(&self, site: u16) -> Vec<AnswersSeen> {
        let mut seen =
            self.answers.get(usize::from(site)).map(|answers| answers.seen.clone()).unwrap_or_default();
        seen.sort_by_key(|answers| answers.version);
        seen
    }

    /// Returns how many answers there were for the robots.txt of a site by their sizes.
    pub(super) fn sizes_of(&self, site: u16) -> SizesSeen {
        self.answers.get(usize::from(site)).map(|answers| answers.sizes).unwrap_or_default()
    }

    /// Returns the number of the figures of a crawler on a site.
    fn pair_of(&mut self, event: &Event) -> u32 {
        if let Some(pair) = self.pair_of.get(&(event.site, event.crawler)) {
            return *pair;
        }
        let is_full = self.pairs.len() >= MOST_PAIRS && event.crawler > self.setup.others();
        let crawler = if is_full { self.setup.others() } else { event.crawler };
        if let Some(pair) = self.pair_of.get(&(event.site, crawler)) {
            return *pair;
        }
        // The host has no other lines, if only requests name it.
        let _ = self.sites.entry(event.site).or_default();
        let reader = self.reader_of(event.site, crawler);
        let pair = u32::try_from(self.pairs.len()).unwrap_or(u32::MAX);
        self.pair_of.insert((event.site, crawler), pair);
        self.pairs.push(Pair {
            site: event.site,
            crawler,
            reader,
            n: Counts::default(),
            delay: 0,
            version: 0,
            first: event.time,
            last: event.time,
            previous: None,
            unread_since: event.time,
            longest_unread: 0,
            gaps: Gaps::default(),
            days: Vec::new(),
            by_line: FastMap::default(),
        });
        pair
    }

    /// Returns the number of what a crawler knows of the robots.txt of a site.
    fn reader_of(&mut self, site: u16, crawler: u32) -> u32 {
        let shares = match self.setup.known(crawler).and_then(|known| known.operator) {
            Some(operator) => SharesReads::Operator(operator),
            None => SharesReads::Crawler(crawler),
        };
        // Without numbers for more, the others share one.
        let shares = if self.reader_of.len() < MOST_PAIRS {
            shares
        } else {
            SharesReads::Crawler(self.setup.others())
        };
        *self.reader_of.entry((site, shares)).or_insert_with(|| {
            self.readers.push(Reader::default());
            u32::try_from(self.readers.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// Counts a request. One whose order is unknown was made before requests that were counted.
    fn count(&mut self, event: &Event, is_unordered: bool) {
        let is_late = is_unordered || event.flags & LATE != 0;
        if self.answers.len() <= usize::from(event.site) {
            self.answers.resize(usize::from(event.site) + 1, Answers::default());
        }
        if let EventKind::OfOthers(answer) = event.kind {
            match self.answers.get_mut(usize::from(event.site)) {
                Some(answers) if event.flags & BEFORE != 0 => answers.last.answered(answer, event),
                Some(answers) => {
                    answers.answered(answer, event, self.setup.version_at(event.site, event.time));
                }
                None => {}
            }
            return;
        }
        if event.flags & BEFORE != 0 {
            let reader = self.reader_of(event.site, event.crawler) as usize;
            if let EventKind::Robots(answer) = event.kind
                && let (Some(site), Some(reader)) =
                    (self.answers.get_mut(usize::from(event.site)), self.readers.get_mut(reader))
            {
                site.last.answered(answer, event);
                reader.answered(answer, event);
            }
            return;
        }
        let index = self.pair_of(event);
        let Some(pair) = self.pairs.get_mut(index as usize) else { return };
        let Some(site) = self.answers.get_mut(usize::from(event.site)) else { return };
        let Some(reader) = self.readers.get_mut(pair.reader as usize) else { return };
        let time = event.time;
        pair.n.requests += 1;
        match event.verification {
            Verification::Unknown => pair.n.no_ranges += 1,
            Verification::Verified => pair.n.verified += 1,
            Verification::Unverified => pair.n.unverified += 1,
            Verification::NoAddress => pair.n.no_address += 1,
        }
        pair.first = pair.first.min(time);
        pair.last = pair.last.max(time);
        if event.kind == EventKind::Checked && (event.version >= pair.version || pair.delay == 0) {
            (pair.version, pair.delay) = (event.version, event.delay);
        }
        // Gaps: too short only if they are so whatever was rounded.
        let delay = i64::from(event.least_delay);
        let is_short = |gap: i64| delay > 0 && gap + i64::from(event.unit) <= delay;
        match pair.previous {
            _ if is_late => pair.n.out_of_order += 1,
            Some(previous) => {
                let gap = time - previous;
                pair.n.gaps += 1;
                pair.n.short += u64::from(is_short(gap));
                pair.gaps.add(gap);
            }
            None => {}
        }
        if !is_late {
            pair.previous = Some(time);
        }
        if event.address != 0 {
            pair.n.with_address += 1;
            if self.setup.has_addresses && self.requests_from.len() < MOST_ADDRESSES {
                *self.requests_from.entry((index, event.address)).or_insert(0) += 1;
            }
            let key = (index, event.address);
            if let Some(last) = self.addresses.get_mut(&key) {
                if is_late {
                    // No gap.
                } else if *last == i64::MIN {
                    *last = time;
                } else if time >= *last {
                    pair.n.gaps_per_address += 1;
                    pair.n.short_per_address += u64::from(is_short(time - *last));
                    *last = time;
                }
            } else if self.addresses.len() < MOST_ADDRESSES {
                self.addresses.insert(key, if is_late { i64::MIN } else { time });
                pair.n.addresses += 1;
                let networks = self.networks.entry((index, event.network)).or_insert(0);
                pair.n.networks += u64::from(*networks == 0);
                *networks += 1;
            } else {
                self.has_all_addresses = false;
            }
        }
        let day = i32::try_from(time.div_euclid(DAY)).unwrap_or(i32::MAX);
        if pair.days.last().is_none_or(|last| last.day != day)
            && !pair.days.iter().any(|other| other.day == day)
        {
            pair.days.push(Day { day, ..Day::default() });
        }
        let today = pair.days.iter_mut().rev().find(|other| other.day == day);
        let mut unused = Day::default();
        let today = today.unwrap_or(&mut unused);
        today.requests += 1;
        match event.kind {
            EventKind::Robots(answer) => {
                pair.n.robots_txt += 1;
                site.answered(answer, event, self.setup.version_at(event.site, time));
                match answer {
                    Answer::Read => {
                        pair.n.read += 1;
                        today.reads += 1;
                        pair.longest_unread = pair.longest_unread.max(time - pair.unread_since);
                        pair.unread_since = pair.unread_since.max(time);
                    }
                    Answer::Redirected => pair.n.redirected += 1,
                    Answer::Missing => pair.n.missing += 1,
                    Answer::Failed => pair.n.failed += 1,
                    Answer::Head => pair.n.head += 1,
                    Answer::Unknown | Answer::Other => {}
                }
                reader.answered(answer, event);
                return;
            }
            EventKind::NoTarget => {
                pair.n.no_target += 1;
                return;
            }
            EventKind::NoRobots => {
                pair.n.no_robots += 1;
                return;
            }
            EventKind::Checked | EventKind::OfOthers(_) => {}
        }
        pair.n.checked += 1;
        pair.longest_unread = pair.longest_unread.max(time - pair.unread_since);
        if is_unordered {
            pair.n.unordered += 1;
            pair.n.unknown += 1;
            return;
        }
        // A read may be older than the log.
        let may_be_older = time.saturating_sub(self.begins) < DAY;
        match reader.read {
            Some(read) if time - read <= DAY => pair.n.fresh += 1,
            Some(_) => pair.n.late += 1,
            None if may_be_older => pair.n.unknown += 1,
            None => pair.n.never += 1,
        }
        pair.n.disputed += u64::from(event.flags & DISPUTED != 0);
        // What the crawler was answered says more than what others were.
        let own = reader.answers.within_day(time);
        let [is_missing, is_failed, is_other] =
            if own == [false; 3] { site.last.within_day(time) } else { own };
        pair.n.unreachable += u64::from(is_failed && !is_missing && !is_other);
        let is_missing = is_missing && !is_failed && !is_other;
        let is_asked = match reader.asked {
            Some(asked) => time - asked <= DAY,
            None => may_be_older,
        };
        // Without a file, there is nothing to read.
        pair.n.unasked += u64::from(!is_asked && !is_missing);
        if event.flags & DISALLOWED == 0 {
            return;
        }
        if is_missing {
            pair.n.excused += 1;
            return;
        }
        pair.n.disallowed += 1;
        today.disallowed += 1;
        pair.n.served += u64::from(event.flags & SERVED != 0);
        // While the file can't be read, a crawler may use the version that it has (RFC 9309, section 2.4).
        let start = || {
            let history = self.setup.sites.get(usize::from(event.site)).map(|site| site.history);
            let version = history.and_then(|history| history.version(usize::from(event.version)));
            version.map_or(i64::MIN, |(start, _)| start.saturating_mul(1000))
        };
        let is_outage = event.flags & BEFORE_ALLOWS != 0
            && reader.failed.is_some_and(|failed| time - failed < self.setup.grace_of(event.crawler))
            && reader.read.is_none_or(|read| read < start());
        let is_in_grace = event.flags & IN_GRACE != 0 || is_outage;
        pair.n.in_grace += u64::from(is_in_grace);
        if event.verification == Verification::Verified {
            pair.n.disallowed_verified += 1;
            pair.n.beyond_grace_verified += u64::from(!is_in_grace);
        }
        *pair.by_line.entry((event.version, event.line)).or_insert(0) += 1;
        self.tops.add(index, event.path);
    }
}

/// Returns the shortest period that contains both, each given by its first and its last time.
fn widest(one: Option<(i64, i64)>, other: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let (Some((first, last)), Some((other_first, other_last))) = (one, other) else { return one.or(other) };
    Some((first.min(other_first), last.max(other_last)))
}

/// The error for tallies that have more requests of crawlers than can be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TallyTooLarge;

impl fmt::Display for TallyTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the tallies have too many requests to be merged; add the judged lines of all logs to one",
        )
    }
}

impl core::error::Error for TallyTooLarge {}

impl LastAnswers {
    /// Returns whether robots.txt was missing, failed, and had any other answer on the day before a time.
    fn within_day(&self, time: i64) -> [bool; 3] {
        [self.missing, self.failed, self.other].map(|at| at.is_some_and(|at| at <= time && time - at < DAY))
    }

    /// Keeps the time of an answer.
    fn answered(&mut self, answer: Answer, event: &Event) {
        let place = match answer {
            // It says nothing about the file.
            Answer::Missing if event.flags & LIMITED != 0 => &mut self.other,
            Answer::Missing => &mut self.missing,
            Answer::Failed => &mut self.failed,
            Answer::Read => &mut self.other,
            Answer::Redirected | Answer::Head | Answer::Unknown | Answer::Other => return,
        };
        *place = (*place).max(Some(event.time));
    }
}

impl Reader {
    /// Keeps an answer for one of the crawlers.
    fn answered(&mut self, answer: Answer, event: &Event) {
        let time = Some(event.time);
        match answer {
            Answer::Read => {
                self.read = self.read.max(time);
                self.failed = None;
            }
            Answer::Failed => self.failed = time,
            // Too many requests: the file was not read.
            Answer::Missing if event.flags & LIMITED != 0 => self.failed = time,
            Answer::Missing => self.failed = None,
            Answer::Redirected | Answer::Unknown => {}
            Answer::Head | Answer::Other => return,
        }
        self.asked = self.asked.max(time);
        self.answers.answered(answer, event);
    }
}

impl Answers {
    /// Counts an answer for robots.txt, and keeps its time.
    fn answered(&mut self, answer: Answer, event: &Event, version: Option<usize>) {
        let place = self.seen.iter().rposition(|seen| seen.version == version);
        let place = place.unwrap_or_else(|| {
            self.seen.push(AnswersSeen { version, ..AnswersSeen::default() });
            self.seen.len() - 1
        });
        if let Some(seen) = self.seen.get_mut(place) {
            *match answer {
                Answer::Read => &mut seen.read,
                Answer::Redirected => &mut seen.redirected,
                Answer::Missing => &mut seen.missing,
                Answer::Failed => &mut seen.failed,
                Answer::Head | Answer::Unknown | Answer::Other => &mut seen.other,
            } += 1;
        }
        let has = |flag: u16| u64::from(event.flags & flag != 0);
        self.sizes.same += has(SAME_SIZE);
        self.sizes.other += has(OTHER_SIZE);
        self.sizes.larger += has(LARGER);
        self.last.answered(answer, event);
    }
}
