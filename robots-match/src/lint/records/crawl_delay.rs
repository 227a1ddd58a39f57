use alloc::format;

use robots_groups::syntax::Field;

use crate::catalogue::{KnownCrawler, Purpose};
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::obedience::obeys_record;
use crate::lint::severity::Severity;
use crate::lint::subject::{File, RecordView, agents_above, renders_pages};
use crate::lint::text::shown;
use crate::records::{OtherRecord, RecordKind, RecordValue};

lint! {
    code: "crawl-delay",
    severity: warning,
    title: "A crawl delay is not a sensible number",
    check: File(check),
    /// The value of `Crawl-delay` is a number of seconds between two requests. Crawlers ignore other values, and with a long delay
    /// the crawlers that obey it read almost nothing: with 10 seconds a crawler makes 8,640 requests a day, with 3600 seconds 24.
    ///
    /// A line is for the crawlers of the user-agent lines directly above it. For `*` and for search engines, 300 seconds and more are
    /// reported as a warning, and 100 seconds and more as a note. For other crawlers, an hour and more is a note: write `Disallow: /`
    /// for those that should stay away. A second line with another delay for the same crawlers is a note, too. Crawlers that may fetch nothing are
    /// not reported.
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
const HELP_FOR_OTHERS: &str = "write `Disallow: /` for this crawler if it should stay away";

/// Names that a crawler has no longer, each with the one that it has now.
const RETIRED: [(&str, &str); 2] = [("msnbot", "bingbot"), ("googlebot-mobile", "Googlebot")];

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    // The first line of the last block, and what is true of its crawlers, which may have many such lines.
    let mut of_block: Option<(Option<usize>, Crawlers, &OtherRecord<'_>)> = None;
    for record in file.records.all().iter().filter(|record| record.kind == RecordKind::CrawlDelay) {
        // Outside of groups, the line has another finding.
        if record.group.is_none() {
            continue;
        }
        let Some(view) = RecordView::new(record, file.body) else { continue };
        view.report(RecordKind::CrawlDelay, HELP, drafts);
        let Some(RecordValue::CrawlDelay(delay)) = record.value else { continue };
        let agents = agents_above(file, record);
        let block = agents.first().map(|agent| agent.span().start());
        let (crawlers, first) = match of_block {
            Some((of, crawlers, first)) if of == block => (crawlers, Some(first)),
            _ => (Crawlers::of(agents, file), None),
        };
        of_block = Some((block, crawlers, first.unwrap_or(record)));
        // A crawler that may fetch nothing does not wait either.
        if crawlers == Crawlers::WithoutIt || record.group.is_some_and(|index| file.is_closed(index)) {
            continue;
        }
        let seconds = delay.as_secs();
        let is_search = crawlers == Crawlers::OfSearch;
        let severity = match seconds {
            TOO_LONG.. if is_search => Severity::Warning,
            LONG.. if is_search => Severity::Note,
            TOO_LONG_FOR_ANY.. => Severity::Note,
            _ => {
                if let Some(draft) = first.and_then(|first| with_another(record, first)) {
                    drafts.add(draft);
                }
                continue;
            }
        };
        let value = shown(record.raw.bytes());
        let message = match DAY / seconds {
            0 => format!("with a delay of `{value}` seconds, a crawler makes less than one request a day"),
            1 => format!("with a delay of `{value}` seconds, a crawler makes only one request a day"),
            count => {
                format!("with a delay of `{value}` seconds, a crawler makes only {count} requests a day")
            }
        };
        let help = if is_search { HELP } else { HELP_FOR_OTHERS };
        drafts.add(Draft::new(record.line, record.raw.span(), message).help(help).severity(severity));
    }
}

/// A finding about a line that has another delay than the first line for the same crawlers.
fn with_another(record: &OtherRecord<'_>, first: &OtherRecord<'_>) -> Option<Draft> {
    (record.value != first.value && first.value.is_some()).then(|| {
        let message = format!(
            "line {} has another delay for the same crawlers, so only one of them counts",
            first.line
        );
        Draft::new(record.line, record.raw.span(), message)
            .help("keep the line with the delay that is meant, and remove the other one")
            .other(first.raw.span(), "the other delay")
            .severity(Severity::Note)
    })
}

/// The crawlers that a line is written for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Crawlers {
    /// One is for searches, or every crawler is meant.
    OfSearch,
    /// None is for searches.
    Others,
    /// None waits: all ignore the line, or have a group with their present name.
    WithoutIt,
}

impl Crawlers {
    fn of(agents: &[Field<'_>], file: &File<'_>) -> Self {
        let is_retired = |name: &str| {
            RETIRED
                .iter()
                .any(|(former, now)| name.eq_ignore_ascii_case(former) && file.group_of(now).is_some())
        };
        let is_without = |agent: &Field<'_>| {
            core::str::from_utf8(agent.bytes()).is_ok_and(|name| {
                obeys_record(RecordKind::CrawlDelay, name) == Some(false) || is_retired(name)
            })
        };
        let is_of_search = |agent: &Field<'_>| {
            let known = || KnownCrawler::find(core::str::from_utf8(agent.bytes()).ok()?);
            renders_pages(agent.bytes())
                || known().is_some_and(|known| matches!(known.purpose, Purpose::Search | Purpose::AiSearch))
        };
        let mut crawlers = Self::WithoutIt;
        for agent in agents.iter().filter(|agent| !is_without(agent)) {
            crawlers = Self::Others;
            if is_of_search(agent) {
                return Self::OfSearch;
            }
        }
        crawlers
    }
}
