//! `robots page`: what a page says to crawlers, and what prevents that it is indexed, quoted or used.

mod arguments;
mod human;
mod json;
mod read;

use std::ffi::OsString;

use robots_fetch::page::{Answer, Index, Limit, PageDocument, PagePolicy, PageVerdict, Preference};

pub(crate) use self::arguments::Arguments;
pub(crate) use self::json::Output;

use self::arguments::Use;
use self::read::{Asked, Page};
use crate::arguments::{Format, NamedCrawler, crawlers};
use crate::failure::{FAILED, Failure, Result};
use crate::output::{self, Style};

/// The crawlers that are asked about if none is named.
const USUAL: [&str; 4] = ["Googlebot", "bingbot", "YandexBot", "GPTBot"];

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let usual = USUAL.map(OsString::from);
    let names = if arguments.agents.is_empty() { &usual[..] } else { &arguments.agents };
    let crawlers = crawlers(names, &arguments.site.profile)?;
    let asked: Vec<Asked> = crawlers.into_iter().map(|named| arguments.asked(named)).collect();
    let mut pages = Vec::new();
    let mut failed = Vec::new();
    for input in &arguments.inputs {
        match Page::read(input, &asked, arguments) {
            Ok(page) => pages.push(page),
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(Failure::Message(message)) => {
                output::complain("error", Style::Error, &message);
                failed.push(message);
            }
        }
    }
    let printed = match arguments.site.format {
        Format::Human => {
            let texts: Vec<String> = pages.iter().map(|page| human::text(page, &asked)).collect();
            output::print(&texts.join("\n"))
        }
        Format::Json => {
            let document = arguments.site.profile.document;
            crate::json::print(&Output::new(document, &pages, &asked, failed.clone()))
        }
    };
    match printed {
        // The exit status is correct even if the output is not read.
        Ok(()) | Err(Failure::Closed) => {}
        Err(failure) => return Err(failure),
    }
    if !failed.is_empty() {
        return Ok(FAILED);
    }
    let denied = if arguments.deny.is_empty() { &[Use::Index][..] } else { &arguments.deny };
    let is_prevented = pages.iter().any(|page| {
        (0..asked.len()).any(|index| denied.iter().any(|of| is_prevented(&page.verdict(&asked, index), *of)))
    });
    Ok(u8::from(is_prevented))
}

impl Arguments {
    fn asked(&self, named: NamedCrawler) -> Asked {
        let document = self.document.unwrap_or_else(|| PageDocument::of_crawler(named.crawler.names()));
        Asked { named, document, policy: PagePolicy::from(document) }
    }
}

/// Returns whether something prevents the use. What can't be seen does not prevent it.
fn is_prevented(verdict: &PageVerdict<'_>, of: Use) -> bool {
    let Some(rules) = verdict.rules() else { return true };
    match of {
        Use::Index => rules.index().value != Index::Yes,
        Use::Snippet => rules.snippet().value != Limit::Free,
        Use::Follow => !rules.follow().value,
        Use::Training => rules.training().value > Preference::Allowed,
    }
}

/// An answer in words, and the rule that decides.
struct InWords<'p> {
    /// The name of the question in JSON.
    name: &'static str,
    question: &'static str,
    value: String,
    source: Option<&'p robots_fetch::page::Record>,
    others: usize,
}

/// Returns the answers to all questions, in the order in which they are shown.
fn answers<'p>(rules: &robots_fetch::page::CrawlerRules<'p>) -> Vec<InWords<'p>> {
    fn in_words<'p, T>(
        name: &'static str,
        question: &'static str,
        answer: Answer<'p, T>,
        value: impl FnOnce(T) -> String,
    ) -> InWords<'p> {
        InWords {
            name,
            question,
            source: answer.source,
            others: answer.others.len(),
            value: value(answer.value),
        }
    }
    let yes = |is_allowed: bool| if is_allowed { "yes" } else { "no" }.to_owned();
    let limit = |unit: &'static str| {
        move |limit: Limit| match limit {
            Limit::Free => "yes".to_owned(),
            Limit::AtMost(most) => format!("at most {most} {unit}"),
            Limit::None => "no".to_owned(),
        }
    };
    vec![
        in_words("index", "may it be in the index?", rules.index(), |index| index.to_string()),
        in_words("snippet", "may it be quoted?", rules.snippet(), limit("characters")),
        in_words("follow", "may its links be followed?", rules.follow(), yes),
        in_words("archive", "may a copy be shown?", rules.archive(), yes),
        in_words("images", "may its images be indexed?", rules.images(), yes),
        in_words("translate", "may it be translated?", rules.translate(), yes),
        in_words("image_preview", "previews of images", rules.image_preview(), |size| size.to_string()),
        in_words("video_preview", "previews of videos", rules.video_preview(), limit("seconds")),
        in_words("unavailable_after", "until when?", rules.unavailable_after(), |time| {
            time.map_or_else(|| "no limit".to_owned(), |time| time.to_string())
        }),
        in_words("training", "may it train models?", rules.training(), |value| value.to_string()),
        in_words("answers", "may AI answer with it?", rules.answers(), |value| value.to_string()),
        in_words("search", "preference about search", rules.search(), |value| value.to_string()),
    ]
}
