//! Properties of access logs.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

use robots_fetch::log::{LogFormat, LogJudge, LogReport, LogSetup, Ranges, ReportOptions, Tally};
use robots_fetch::matching::{Document, History, Robots};

/// In each format, any lines have the same figures whole and cut after the first line, and each line is counted once.
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
