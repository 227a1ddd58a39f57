//! A crawl delay is not a sensible number.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::RecordView;
use crate::lint::text::shown;
use crate::records::{RecordKind, RecordValue};

pub(crate) const LINT: Declaration = Declaration {
    code: "crawl-delay",
    severity: Severity::Warning,
    title: "A crawl delay is not a sensible number",
    check: Check::Record(check),
};

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
