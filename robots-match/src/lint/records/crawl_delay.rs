use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::RecordView;
use crate::lint::text::shown;
use crate::records::{RecordKind, RecordValue};

lint! {
    code: "crawl-delay",
    severity: warning,
    title: "A crawl delay is not a sensible number",
    check: Record(check),
    /// A crawl delay is a number of seconds, such as `10` or `2.5`. Crawlers that obey `Crawl-delay` ignore a value
    /// with a unit or without a number. With a delay of more than an hour, a crawler fetches fewer than 24 pages a
    /// day.
    ///
    /// Write a small number of seconds without a unit.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Crawl-delay: 10s
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Crawl-delay: 10
    /// ```
}

/// The longest delay between two requests that still lets a site be crawled, in seconds.
const LONGEST: u64 = 3600;
const HELP: &str = "write a small number of seconds without a unit, such as 10 or 2.5";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::CrawlDelay, HELP, drafts);
    let record = view.record;
    if matches!(record.value, Some(RecordValue::CrawlDelay(delay)) if delay.as_secs() > LONGEST) {
        let message =
            format!("`{}` seconds is more than an hour between two requests", shown(record.raw.bytes()));
        drafts.add(Draft::new(record.line, record.raw.span(), message).help(HELP));
    }
}
