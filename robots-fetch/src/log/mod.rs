//! Access logs: which requests break which line of the robots.txt in force, and do crawlers read the file?
//!
//! [`LogFormat`] reads lines, a [`LogJudge`] compares the requests of crawlers with the [`History`](robots_match::History) of a
//! robots.txt, and a [`Tally`] counts. There is no socket, no file and no clock here. What the figures mean is defined at
//! [`CrawlerReport`].
//!
//! ```
//! use robots_fetch::log::{LogFormat, LogJudge, LogSetup, ReportOptions, Tally};
//! use robots_fetch::matching::{Document, History, Robots};
//!
//! let file = Robots::new("User-agent: GPTBot\nDisallow: /private/\n", Document::Rfc9309);
//! let history = History::unchanged(file);
//! let setup = LogSetup::new([(None, &history)]);
//! let log = br#"192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] "GET /private/a HTTP/1.1" 200 9 "-" "GPTBot/1.2"
//! "#;
//! let mut reader = LogFormat::detect(log).unwrap().reader();
//! let mut judge = LogJudge::new(&setup);
//! let mut tally = Tally::new(&setup);
//! tally.add(judge.judge(&mut reader, log));
//! let report = tally.report(&ReportOptions::default());
//! let bot = &report.hosts[0].crawlers[0];
//! assert_eq!((&*bot.name, bot.disallowed), ("GPTBot", 1));
//! assert_eq!(bot.by_line, [(2, 1)]);
//! ```

mod address;
mod columns;
mod event;
mod format;
mod gaps;
mod json;
mod judge;
mod line;
mod objects;
mod paths;
mod prefix;
mod quoted;
mod raw_line;
mod report;
mod setup;
mod tally;
mod template;
mod time;
mod top_paths;
mod who;

pub use address::{AddressField, Ranges};
pub use event::{AnswersSeen, JudgedLines, Lacking};
pub use format::{InvalidFormat, LogFormat, LogReader};
pub use judge::{LogJudge, RequestVerdict};
pub use line::LogLine;
pub use objects::JsonObjects;
pub use report::{
    BrokenLine, Claims, CrawlerKind, CrawlerReport, DayReport, HostReport, KindTotals, LogIdentity,
    LogReport, LogTotals, ReportOptions,
};
pub use setup::LogSetup;
pub use tally::{Tally, TallyTooLarge};
pub use time::{LogTime, rfc3339};
pub use who::{HeaderSender, sender};
