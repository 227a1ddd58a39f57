//! Sitemaps and archives.

use std::io::{BufReader, Read};

use robots_fetch::log::{LogFormat, LogJudge, LogReport, LogSetup, Ranges, ReportOptions, Tally};
use robots_fetch::matching::{Document, History, Robots};
use robots_fetch::sitemap::{LONGEST_URL, Location, Locations, SitemapError};
use robots_fetch::warc::{Captures, Item};

/// A source that gives few bytes at a time.
struct Slow<'b>(&'b [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let few = buffer.len().min(3);
        self.0.read(buffer.get_mut(..few).unwrap_or_default())
    }
}

/// Bytes as a sitemap: the same URLs however they arrive, none of them too long, one error at most, and that one last and on one
/// line.
///
/// # Panics
///
/// Panics if one of these does not hold.
pub fn sitemap(file: &[u8]) {
    let whole: Vec<Result<Location, SitemapError>> = Locations::new(file).collect();
    let slow: Vec<_> = Locations::new(BufReader::with_capacity(64, Slow(file))).collect();
    assert_eq!(whole, slow);
    for (at, location) in whole.iter().enumerate() {
        match location {
            Ok(Location::Page(url) | Location::Sitemap(url)) => {
                assert!(
                    !url.is_empty() && url.len() <= LONGEST_URL && url.trim_ascii() == url,
                    "{location:?}"
                );
            }
            Ok(_) => {}
            Err(error) => {
                assert_eq!(at + 1, whole.len());
                assert!(!error.to_string().chars().any(char::is_control), "{error:?}");
            }
        }
    }
}

/// Bytes as an archive: the same captures however they arrive, and messages of one line.
///
/// # Panics
///
/// Panics if one of these does not hold.
pub fn archive(file: &[u8]) {
    let read = |source: Box<dyn Read + '_>| -> Vec<Item> {
        // Sources in memory can't fail.
        Captures::new(source).map(|item| item.expect("bytes in memory can be read")).collect()
    };
    let whole = read(Box::new(file));
    assert_eq!(whole, read(Box::new(Slow(file))));
    for item in &whole {
        let damage = match item {
            Item::Capture(capture) => capture.body.as_ref().err(),
            Item::Damaged(damage) => Some(damage),
            _ => None,
        };
        if let Some(damage) = damage {
            assert!(!damage.to_string().chars().any(char::is_control), "{damage:?}");
        }
    }
}

/// In each format, any lines have the same figures whole and cut after the first line, and each line is counted once.
///
/// # Panics
///
/// The property does not hold.
pub fn log_lines(data: &[u8]) {
    let file = "User-agent: *\nDisallow: /a\nDisallow: /*b$\n";
    let history = History::unchanged(Robots::new(file, Document::Rfc9309));
    let _ = LogFormat::detect(data);
    let _ = Ranges::parse(data);
    let own = "%v %a %t %m %U%q %>s %{User-Agent}i";
    for name in LogFormat::NAMES.into_iter().chain([own]) {
        let format = LogFormat::parse(name).expect("the format has a name");
        let whole = report(&format, &[data], &history);
        let middle = data.iter().position(|&byte| byte == b'\n').map_or(data.len(), |at| at + 1);
        let (first, second) = data.split_at(middle);
        assert_eq!(report(&format, &[first, second], &history), whole, "{name}");
        let totals = &whole.totals;
        let counted =
            totals.crawler_requests + totals.not_crawlers + totals.no_user_agent + totals.several_names;
        assert_eq!(counted + whole.unread, whole.lines, "{name}");
    }
}

fn report(format: &LogFormat, parts: &[&[u8]], history: &History) -> LogReport {
    let setup = LogSetup::new([(None, history)]);
    let mut reader = format.reader();
    let mut judge = LogJudge::new(&setup);
    let mut tally = Tally::new(&setup);
    for part in parts {
        tally.add(judge.judge(&mut reader, part));
    }
    tally.report(&ReportOptions::default())
}
