//! `robots explain`: why crawlers may or may not access URLs.

mod human;
mod json;
mod notes;
mod page;

use std::time::SystemTime;

use robots_match::explain::Explanation;
use robots_match::{Reason, Robots};

use self::json::ExplanationDocument;
pub(crate) use self::json::Output;
use self::notes::verdicts_by_document;
use self::page::{Page, Site};
use crate::arguments::{
    Asked, Format, NamedCrawler, NamedProfile, Question, question_help, text_note, written_note,
};
use crate::body::Body;
use crate::check::{agents, only};
use crate::failure::{FAILED, Result, status};
use crate::fetch::SiteDocument;
use crate::output::{self, Failures, Style, TextLines};
use crate::text_view::View;

/// Explains why crawlers may or may not access URLs
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: Question,
}

const HELP: &str = concat!(
    "\
Shows the answer of the site, the deciding rule in its place, the groups that
apply, rules that matched and lost, rules that nearly matched or are in groups
that do not apply, and the answers of other profiles.

",
    question_help!("explain"),
    "
Examples:
  robots explain --agent ExampleBot https://example.com/tmp
  robots explain --robots robots.txt --agent ExampleBot /tmp
  robots explain --robots robots.txt -a Googlebot -p google --format json /a.gif
"
);

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let question = &arguments.question;
    if question.path.is_none() {
        return ask(question);
    }
    let mut failed = Failures::default();
    let targets = question.targets(&mut failed)?;
    let crawlers = question.agents.crawlers(&question.site.profile)?;
    if targets.is_empty() {
        return answer(question, &crawlers, Vec::new(), Vec::new(), &failed);
    }
    let robots = question.robots_for_all_profiles()?;
    let view = View::new(robots.body());
    let path = question.path();
    let name = if path == "-" { "standard input".into() } else { path.to_string_lossy() };
    let mut explained = Vec::new();
    let read: Vec<(NamedProfile, Robots)> = crawlers
        .iter()
        .map(|named| {
            let profile = question.site.profile.of(&named.crawler);
            (profile, Robots::new(robots.body(), profile.rules))
        })
        .collect();
    for asked in targets {
        for (NamedCrawler { name: agent, crawler }, (profile, robots)) in crawlers.iter().zip(&read) {
            let (profile, name) = (*profile, &*name);
            let page = Page { agent, crawler, profile, robots, view: &view, name, site: None };
            let mut answer = robots.explain(crawler, asked.target.path());
            answer.url = asked.text;
            explained.push(explain_url(question.site.format, &page, &answer, &asked));
        }
    }
    let status = answer(question, &crawlers, Vec::new(), explained, &failed)?;
    // An explanation of a file without rules would look like a success.
    Ok(if Body::of(&robots).kind.is_robots_txt() { status } else { FAILED })
}

/// Explains the URLs with the robots.txt of their sites.
fn ask(question: &Question) -> Result<u8> {
    let mut failed = Failures::default();
    let (origins, urls) = question.sites(&mut failed)?;
    let profile = question.site.site_profile();
    let crawlers = question.agents.crawlers(&question.site.profile)?;
    let entries = question.site.network().sites(profile, only(&crawlers))?.entries(&origins);
    let now = SystemTime::now();
    let mut explained = Vec::new();
    let mut shown = None;
    for (asked, place) in urls {
        let (Some(origin), Some(entry)) = (origins.get(place), entries.get(place)) else { continue };
        let robots = entry.robots(now);
        let view = View::new(robots.map_or(&[], |robots| robots.body()));
        let file = entry.good_file().or_else(|| entry.previous_file()).filter(|_| robots.is_some());
        let name = file.map_or_else(|| origin.robots_url().as_str(), |file| file.url.as_str());
        for NamedCrawler { name: agent, crawler } in &crawlers {
            let profile = question.site.profile.of(crawler);
            let permission = question.site.profile.permission(entry, crawler, now);
            let verdict = permission.check(asked.target.path());
            let cause = permission.cause().filter(|_| matches!(verdict.reason(), Reason::Site { .. }));
            let site = Site { origin, entry, has_rules: robots.is_some(), verdict, cause };
            let read = Robots::new(robots.map_or(&[][..], |robots| robots.body()), profile.rules);
            let robots = &read;
            let page = Page { agent, crawler, profile, robots, view: &view, name, site: Some(site) };
            let mut answer = robots.explain(crawler, asked.target.path());
            answer.url = asked.text;
            let mut one = explain_url(question.site.format, &page, &answer, &asked);
            // The answer of a site is shown once for successive URLs of the site.
            if let Shown::Human(human) = &mut one.shown
                && shown != Some(place)
            {
                let mut all = crate::fetch::human(origin, entry, now);
                all.add_blank();
                all.append(core::mem::take(human));
                *human = all;
                shown = Some(place);
            }
            explained.push(one);
        }
    }
    let sites = origins.iter().zip(&entries).map(|(origin, entry)| SiteDocument::new(origin, entry, now));
    answer(question, &crawlers, sites.collect(), explained, &failed)
}

/// The explanation of one URL.
struct Explained {
    is_allowed: bool,
    is_unanswered: bool,
    shown: Shown,
}

/// An explanation in the format that is printed. Each may be as large as the file.
enum Shown {
    Human(TextLines),
    Json(Box<ExplanationDocument>),
}

/// Prints the explanations, in the order of the URLs.
fn answer(
    question: &Question,
    crawlers: &[NamedCrawler],
    sites: Vec<SiteDocument<'_>>,
    explained: Vec<Explained>,
    failed: &Failures,
) -> Result<u8> {
    let is_disallowed = explained.iter().any(|one| !one.is_allowed);
    let has_no_answer = explained.iter().any(|one| one.is_unanswered);
    let printed = match question.site.format {
        Format::Human => {
            let text = |one: Explained| match one.shown {
                Shown::Human(human) => Some(human),
                Shown::Json(_) => None,
            };
            let mut all = TextLines::new();
            for (index, one) in explained.into_iter().filter_map(text).enumerate() {
                if index > 0 {
                    all.add_blank();
                }
                all.append(one);
            }
            output::print(all)
        }
        Format::Json => output::json::print(&Output {
            version: 1,
            profile: question.site.profile.name,
            robots: question.path.as_ref().map(|path| path.to_string_lossy()),
            agents: agents(crawlers),
            sites,
            explanations: explained
                .into_iter()
                .filter_map(|one| match one.shown {
                    Shown::Json(json) => Some(*json),
                    Shown::Human(_) => None,
                })
                .collect(),
            failed,
        }),
    };
    output::ended(printed, status(has_no_answer || !failed.is_empty(), is_disallowed))
}

/// Returns the explanation of a URL in the format that is asked for.
fn explain_url(format: Format, page: &Page<'_>, explained: &Explanation<'_>, asked: &Asked<'_>) -> Explained {
    let verdicts = match page.cause() {
        None => verdicts_by_document(page.whole_lines(), page.crawler, asked.target.path()),
        Some(_) => Vec::new(),
    };
    let rules = page.cause().is_none().then(|| page.robots.rules(page.crawler));
    let (rules, verdict) = (rules.as_ref(), &explained.verdict);
    let written = rules.and_then(|rules| written_note(&asked.target, rules, verdict));
    if let Some(note) = text_note(asked.text, &asked.target, rules, verdict) {
        output::complain("note", Style::Note, &note);
    }
    let shown = match format {
        Format::Human => Shown::Human(page.human(explained, &verdicts, written.as_deref())),
        Format::Json => Shown::Json(Box::new(page.json(explained, &verdicts, written))),
    };
    Explained { is_allowed: page.is_allowed(explained), is_unanswered: page.is_unanswered(), shown }
}
