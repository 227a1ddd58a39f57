//! `robots page`: what a page says to crawlers, and what prevents that it is indexed, quoted or used.

mod arguments;
mod human;
mod json;
mod read;
mod response;

use robots_fetch::page::{PageVerdict, Question};

pub(crate) use self::arguments::Arguments;
pub(crate) use self::json::Output;

pub(crate) use self::human::rule;
pub(crate) use self::read::{Asked, Page, Pages};
pub(crate) use self::response::Remark;

use crate::arguments::{Format, NamedCrawler, catalogue, crawlers};
use crate::failure::{FAILED, Failure, Result};
use crate::output::{self, Failures, TextLines};
use crate::verdict::is_unanswered;

/// The crawlers that are asked about if none is named.
const USUAL: [&str; 4] = ["Googlebot", "bingbot", "YandexBot", "GPTBot"];

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let mut crawlers = crawlers(&arguments.agents, &arguments.site.profile)?;
    if crawlers.is_empty() {
        // Their habits need no note, because the user did not name them.
        crawlers.extend(USUAL.iter().filter_map(|name| catalogue().find(name)).map(NamedCrawler::known));
    }
    if crawlers.is_empty() {
        return Err(Failure::new("the catalogue has none of the usual crawlers; name one with `--agent`"));
    }
    let asked: Vec<Asked> = crawlers
        .into_iter()
        .map(|named| Asked::new(named, &arguments.site.profile, arguments.document))
        .collect();
    let mut pages = Vec::new();
    let mut failed = Failures::default();
    for input in &arguments.inputs {
        pages.extend(failed.read(input, Page::read(input, &asked, arguments))?);
    }
    let printed = match arguments.site.format {
        Format::Human => {
            let mut all = TextLines::new();
            for (index, page) in pages.iter().enumerate() {
                if index > 0 {
                    all.add_blank();
                }
                all.append(human::text(page, &asked));
            }
            output::print(all)
        }
        Format::Json => {
            let profile = arguments.site.profile.name;
            output::json::print(&Output::new(profile, &pages, &asked, &failed))
        }
    };
    output::ended(printed, if failed.is_empty() { status(arguments, &pages, &asked) } else { FAILED })
}

/// Returns the exit status for pages that were all read.
fn status(arguments: &Arguments, pages: &[Page], asked: &[Asked]) -> u8 {
    let denied = if arguments.deny.is_empty() { &[Question::Index][..] } else { &arguments.deny };
    let is_limited = |page: &Page, index: usize| match page.verdict(asked, index) {
        // Rules of a page that may not be fetched can't be known.
        PageVerdict::NotFetched(access) => !access.is_allowed(),
        PageVerdict::Seen { rules, .. } => {
            denied.iter().any(|&question| rules.answer(question).value.is_limited)
        }
    };
    let any = |of: &dyn Fn(&Page, usize) -> bool| {
        pages.iter().any(|page| (0..asked.len()).any(|index| of(page, index)))
    };
    // Where a site gives no answer, nothing is known of the page.
    let has_no_answer = |page: &Page, index: usize| match page.verdict(asked, index) {
        PageVerdict::NotFetched(access) => is_unanswered(&access.reason()),
        PageVerdict::Seen { .. } => false,
    };
    if any(&has_no_answer) {
        return FAILED;
    }
    if any(&is_limited) {
        return 1;
    }
    let is_unknown = |page: &Page, index: usize| {
        page.doubt().is_some() || page.rules_of(asked, index).is_some_and(|rules| !rules.page().is_complete())
    };
    if any(&is_unknown) { FAILED } else { 0 }
}
