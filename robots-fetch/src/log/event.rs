//! Requests of crawlers after they were judged, and before they are put in order.

use core::net::IpAddr;

use crate::log::time::LogTime;
use crate::log::top_paths::LONGEST;

/// A request of a crawler, or an answer for robots.txt to anybody.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    /// Milliseconds since 1970.
    pub(super) time: i64,
    /// The address of the client and its network as numbers; 0 for none.
    pub(super) address: u64,
    pub(super) network: u64,
    pub(super) crawler: u32,
    /// The line that decides; 0 for none.
    pub(super) line: u32,
    /// The delay that the crawler is asked for, in milliseconds; 0 for none.
    pub(super) delay: u32,
    /// The least delay of the versions that the crawler may use.
    pub(super) least_delay: u32,
    /// If the request is disallowed, the number of its path: in [`JudgedLines::paths`], and later among those of the tally.
    pub(super) path: u32,
    pub(super) version: u16,
    pub(super) site: u16,
    pub(super) unit: u16,
    pub(super) kind: EventKind,
    pub(super) verification: Verification,
    pub(super) flags: u16,
}

impl Event {
    /// Creates a request of which only the time, the crawler and the site are known.
    pub(super) const fn new(time: LogTime, crawler: u32, site: u16) -> Self {
        Self {
            time: time.millis,
            address: 0,
            network: 0,
            crawler,
            line: 0,
            delay: 0,
            least_delay: 0,
            path: 0,
            version: 0,
            site,
            unit: time.unit,
            kind: EventKind::NoTarget,
            verification: Verification::Unknown,
            flags: 0,
        }
    }

    /// Returns by what requests are put in order: their times, and of one time answers for robots.txt first.
    pub(super) const fn place(&self) -> (i64, u8) {
        (self.time, self.kind.order())
    }
}

/// The path of a disallowed request.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventPath {
    pub(super) hash: u64,
    /// The end of its text in [`JudgedLines::text`], which begins where the one before ends.
    pub(super) end: u32,
    /// The bytes of the whole path, of which the text is the beginning.
    pub(super) whole: u32,
}

/// The request is disallowed.
pub(super) const DISALLOWED: u16 = 1;
/// Only one way of comparing disallows the request.
pub(super) const DISPUTED: u16 = 2;
/// A version that was in force within the grace time allows the request.
pub(super) const IN_GRACE: u16 = 4;
/// The version before allows the request.
pub(super) const BEFORE_ALLOWS: u16 = 8;
/// The request was answered with a page.
pub(super) const SERVED: u16 = 16;
/// The answer for robots.txt was 429, which says nothing about the file.
pub(super) const LIMITED: u16 = 32;
/// The request is before the period: it only says what is known of robots.txt.
pub(super) const BEFORE: u16 = 64;
/// The line is out of order.
pub(super) const LATE: u16 = 128;
/// The answer for robots.txt has as many bytes as a version.
pub(super) const SAME_SIZE: u16 = 256;
/// It has as many bytes as no version.
pub(super) const OTHER_SIZE: u16 = 512;
/// It is larger than every version.
pub(super) const LARGER: u16 = 1024;

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventKind {
    /// A path that was checked.
    Checked,
    /// No path.
    NoTarget,
    /// A path of a host without a robots.txt, or before its first version.
    NoRobots,
    /// robots.txt, by its answer.
    Robots(Answer),
    /// robots.txt, by somebody who is not a crawler.
    OfOthers(Answer),
}

/// An answer for robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It was read: 2xx or 304 for GET.
    Read,
    Redirected,
    /// 4xx.
    Missing,
    /// 5xx.
    Failed,
    /// An answer for HEAD.
    Head,
    /// An answer for GET whose status is not known, or says nothing about the file.
    Unknown,
    /// An answer for another method.
    Other,
}

impl EventKind {
    /// Returns the place among requests of one time. A file that was read may be that by which the crawler made the others.
    pub(super) const fn order(self) -> u8 {
        match self {
            Self::Robots(answer) | Self::OfOthers(answer) => match answer {
                Answer::Redirected | Answer::Head | Answer::Unknown | Answer::Other => 0,
                Answer::Missing => 1,
                Answer::Failed => 2,
                Answer::Read => 3,
            },
            Self::Checked | Self::NoTarget | Self::NoRobots => 4,
        }
    }
}

/// The answers of a host for its robots.txt, by whomever it was requested.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AnswersSeen {
    /// The number of the version that was in force, from 0; `None` before the first one, and for a host without a file.
    pub version: Option<usize>,
    /// GET with 2xx or 304.
    pub read: u64,
    /// 3xx.
    pub redirected: u64,
    /// 4xx. Only 429 says nothing about the file.
    pub missing: u64,
    /// 5xx.
    pub failed: u64,
    /// HEAD, other methods, and other statuses.
    pub other: u64,
}

/// Whether the address is one of the crawler's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verification {
    /// Nothing says what addresses the crawler has, or name servers did not answer.
    Unknown,
    Verified,
    Unverified,
    NoAddress,
}

/// Requests in the order of a log, as a [`LogJudge`](super::LogJudge) judged them.
#[derive(Clone, Debug, Default)]
pub struct JudgedLines {
    pub(super) events: Vec<Event>,
    /// The number of requests that were counted, and whether the lines were.
    pub(super) taken: usize,
    pub(super) is_counted: bool,
    /// The paths of disallowed requests, and their texts one after the other.
    pub(super) paths: Vec<EventPath>,
    pub(super) text: Vec<u8>,
    /// The addresses of events by their numbers, if they are kept.
    pub(super) addresses: Vec<(u64, IpAddr)>,
    pub(super) counts: Vec<(u16, LineCounts)>,
    /// The time of the first line.
    pub(super) start: Option<i64>,
    /// The time of the first line, also if it is before the period.
    pub(super) begins: Option<i64>,
    /// What the requests of crawlers lack.
    pub(super) lacking: Lacking,
    pub(super) lines: u64,
    pub(super) unread: u64,
    /// All lines, also those that are not about requests.
    pub(super) physical: u64,
    /// The numbers of the first lines that were not read, from 1 in this part.
    pub(super) first_unread: Vec<u64>,
    /// The lines that were not read and end with an object of JSON after other text.
    pub(super) objects_after_text: u64,
}

/// What the requests of crawlers in a part of a log lack, without which they can't be judged, or not well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lacking {
    /// The requests of crawlers.
    pub requests: u64,
    /// Those without a path, such as `OPTIONS *`.
    pub target: u64,
    /// Those without the field of the address that was chosen.
    pub address: u64,
    /// Those whose query the log leaves out, where the rules of the crawler are about queries.
    pub query: u64,
    /// The first two hosts that lines name, if one robots.txt is that of all hosts.
    pub hosts: Vec<String>,
}

impl Lacking {
    /// Adds what another part of the log lacks.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.target += other.target;
        self.address += other.address;
        self.query += other.query;
        for host in &other.hosts {
            self.add_host(host);
        }
    }

    pub(super) fn add_host(&mut self, host: &str) {
        if self.hosts.len() < 2 && self.hosts.iter().all(|known| known != host) {
            self.hosts.push(host.to_owned());
        }
    }
}

impl JudgedLines {
    /// Returns what the requests of crawlers lack.
    #[must_use]
    pub const fn lacking(&self) -> &Lacking {
        &self.lacking
    }

    /// Returns the number of lines that are about requests or could not be read.
    #[must_use]
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the number of lines that could not be read.
    #[must_use]
    pub const fn unread(&self) -> u64 {
        self.unread
    }

    /// Returns the number of all lines, also of those that are not about requests.
    #[must_use]
    pub const fn all_lines(&self) -> u64 {
        self.physical
    }

    /// Returns the numbers of the first three lines that could not be read, from 1 in this part.
    #[must_use]
    pub fn first_unread(&self) -> &[u64] {
        &self.first_unread
    }

    /// Returns how many of the lines that could not be read end with an object of JSON after text that is not the prefix of syslog or
    /// of a container. Programs log what clients send, so such an object may be a client's.
    #[must_use]
    pub const fn objects_after_text(&self) -> u64 {
        self.objects_after_text
    }

    /// Returns the time of the next request of a crawler in milliseconds since 1970, or `None` if there is none left.
    #[must_use]
    pub fn next_time(&self) -> Option<i64> {
        self.events.get(self.taken).map(|event| event.time)
    }

    /// Returns the hash, the text and the whole length of a path.
    pub(super) fn path(&self, number: u32) -> Option<(u64, &[u8], u32)> {
        let number = number as usize;
        let path = self.paths.get(number)?;
        let before = number.checked_sub(1).and_then(|before| self.paths.get(before));
        let start = before.map_or(0, |before| before.end as usize);
        Some((path.hash, self.text.get(start..path.end as usize)?, path.whole))
    }

    /// Returns the time of the first line in milliseconds since 1970.
    #[must_use]
    pub const fn start(&self) -> Option<i64> {
        self.start
    }
}

/// Adds a path to those of [`JudgedLines`], and returns its number.
pub(super) fn add_path(paths: &mut Vec<EventPath>, text: &mut Vec<u8>, hash: u64, path: &[u8]) -> u32 {
    text.extend_from_slice(path.get(..LONGEST).unwrap_or(path));
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    paths.push(EventPath { hash, end: number(text.len()), whole: number(path.len()) });
    number(paths.len() - 1)
}

/// How many lines are about what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LineCounts {
    pub(super) lines: u64,
    pub(super) not_crawlers: u64,
    pub(super) no_user_agent: u64,
    pub(super) several_names: u64,
}

impl LineCounts {
    pub(super) fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.not_crawlers += other.not_crawlers;
        self.no_user_agent += other.no_user_agent;
        self.several_names += other.several_names;
    }
}
