use alloc::format;

use robots_groups::syntax::Field;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::obedience::obeys_record;
use crate::lint::severity::Severity;
use crate::lint::subject::{File, RecordView, renders_pages};
use crate::lint::text::shown;
use crate::records::{RecordKind, RecordValue};

lint! {
    code: "crawl-delay",
    severity: warning,
    title: "A crawl delay is not a sensible number",
    check: File(check),
    /// The value of `Crawl-delay` is a number of seconds between two requests. Crawlers ignore other values, and with a long delay
    /// the crawlers that obey it read almost nothing: with 10 seconds a crawler makes 8,640 requests a day, with 3600 seconds 24.
    ///
    /// For `*` and for search engines, 300 seconds and more are reported as a warning, and 60 seconds and more as a note. For other
    /// crawlers, an hour and more is a warning.
    ///
    /// bingbot, ClaudeBot, CCBot and most crawlers for search engine optimization obey the line; Google's crawlers and Yandex
    /// ignore it. Write a small number without a unit, such as 10 or 2.5.
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

/// The delays from which on search engines read too little, and from which on any crawler does, in seconds.
const LONG: u64 = 100;
const TOO_LONG: u64 = 300;
const TOO_LONG_FOR_ANY: u64 = 3600;
const DAY: u64 = 86_400;
const HELP: &str = "write a small number of seconds without a unit, such as 10 or 2.5";

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    // What is true of the agents of the last group, which may have many such lines.
    let mut of_group = None;
    for record in file.records.all().iter().filter(|record| record.kind == RecordKind::CrawlDelay) {
        let Some(view) = RecordView::new(record, file.body) else { continue };
        view.report(RecordKind::CrawlDelay, HELP, drafts);
        let Some(RecordValue::CrawlDelay(delay)) = record.value else { continue };
        let seconds = delay.as_secs();
        // Whoever ignores the line does not wait.
        let ignores = |agent: &Field<'_>| {
            core::str::from_utf8(agent.bytes())
                .is_ok_and(|name| obeys_record(RecordKind::CrawlDelay, name) == Some(false))
        };
        let facts = || {
            let Some(group) = record.group.and_then(|index| file.groups.get(index)) else {
                return (true, false);
            };
            let is_search = group.agents().iter().any(|agent| renders_pages(agent.bytes()));
            (is_search, group.agents().iter().all(ignores))
        };
        let (is_search, is_ignored) = match of_group {
            Some((group, facts)) if group == record.group => facts,
            _ => facts(),
        };
        of_group = Some((record.group, (is_search, is_ignored)));
        if is_ignored {
            continue;
        }
        let severity = match seconds {
            TOO_LONG_FOR_ANY.. => Severity::Warning,
            TOO_LONG.. if is_search => Severity::Warning,
            LONG.. if is_search => Severity::Note,
            _ => continue,
        };
        let value = shown(record.raw.bytes());
        let message = match DAY / seconds {
            0 => format!("with a delay of `{value}` seconds, a crawler makes less than one request a day"),
            1 => format!("with a delay of `{value}` seconds, a crawler makes only one request a day"),
            count => {
                format!("with a delay of `{value}` seconds, a crawler makes only {count} requests a day")
            }
        };
        drafts.add(Draft::new(record.line, record.raw.span(), message).help(HELP).severity(severity));
    }
}
