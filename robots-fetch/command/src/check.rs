//! `robots check`: verdicts on URLs for crawlers, from one file or from the sites of the URLs.

use alloc::borrow::Cow;
use std::time::SystemTime;

use robots_fetch::{Origin, Permission};
use robots_match::syntax::BodyKind;
use robots_match::{Crawler, Reason, Robots, RuleSet, Verdict, VerdictDocument};
use schemars::JsonSchema;
use serde::Serialize;

use crate::arguments::{
    Asked, Format, NamedCrawler, NamedProfile, Question, question_help, text_note, written_note,
};
use crate::body::{Body, answer_note, cut_note, is_undecided};
use crate::failure::{Result, status};
use crate::fetch::SiteDocument;
use crate::output::{self, Failures, Style, TextLines};
use crate::text::{input_name, with_host};
use crate::verdict::{document, is_unanswered, why};

/// Checks whether crawlers may access URLs, and shows the deciding lines
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: Question,
}

const HELP: &str = concat!(
    question_help!("check"),
    "
Examples:
  robots check --agent ExampleBot https://example.com/ https://example.com/a
  robots check --robots robots.txt --agent ExampleBot /private
  robots check --robots robots.txt -a GPTBot -a Googlebot-Image,Googlebot /a.gif
  curl -sf https://example.com/robots.txt |
    robots check --robots - -a ExampleBot /
"
);

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let question = &arguments.question;
    if question.path.is_none() { ask(question) } else { answer(question) }
}

/// A verdict on a URL for a crawler, and what it comes from.
struct Answer<'a> {
    asked: &'a Asked<'a>,
    named: &'a NamedCrawler,
    site: Option<&'a Origin>,
    body: &'a [u8],
    kind: BodyKind,
    rules: Option<&'a RuleSet>,
    profile: NamedProfile,
    verdict: Verdict,
}

impl Answer<'_> {
    /// Returns a note if the rules decide differently about the URL as it is written.
    fn written(&self) -> Option<String> {
        match self.verdict.reason() {
            Reason::Site { .. } => None,
            _ => written_note(&self.asked.target, self.rules?, &self.verdict),
        }
    }
}

/// Checks the URLs with the robots.txt of their sites.
fn ask(question: &Question) -> Result<u8> {
    let mut failed = Failures::default();
    let (origins, urls) = question.sites(&mut failed)?;
    let profile = question.site.site_profile();
    let crawlers = question.agents.crawlers(&question.site.profile)?;
    let entries = question.site.network().sites(profile, only(&crawlers))?.entries(&origins);
    let now = SystemTime::now();
    let permissions: Vec<Vec<Permission>> = entries
        .iter()
        .map(|entry| {
            let of = |named: &NamedCrawler| question.site.profile.permission(entry, &named.crawler, now);
            crawlers.iter().map(of).collect()
        })
        .collect();
    let files: Vec<Option<(&Robots, Body)>> =
        entries.iter().map(|entry| entry.robots(now).map(|robots| (&**robots, Body::of(robots)))).collect();
    let mut answers = Vec::new();
    let mut has_undecided = vec![false; origins.len()];
    for (asked, place) in &urls {
        let (Some(origin), Some(file), Some(of_site)) =
            (origins.get(*place), files.get(*place), permissions.get(*place))
        else {
            continue;
        };
        for (named, permission) in crawlers.iter().zip(of_site) {
            let verdict = permission.check(asked.target.path());
            if let Some(has) = has_undecided.get_mut(*place) {
                *has |= is_undecided(&verdict);
            }
            answers.push(Answer {
                asked,
                named,
                site: Some(origin),
                body: file.map_or(&[][..], |(robots, _)| robots.body()),
                kind: file.map_or(BodyKind::Rules, |(_, body)| body.kind),
                rules: permission.rules(),
                profile: question.site.profile.of(&named.crawler),
                verdict,
            });
        }
    }
    for (((origin, entry), file), has_undecided) in
        origins.iter().zip(&entries).zip(&files).zip(has_undecided)
    {
        let note = match file {
            Some((robots, body)) => {
                body.note().or_else(|| has_undecided.then(|| body.mistake_note(robots)).flatten())
            }
            None => answer_note(entry),
        };
        let cut = cut_note(entry).filter(|_| file.is_some());
        for note in note.into_iter().chain(cut) {
            let url = with_host(origin.robots_url().as_str().as_bytes());
            output::complain("note", Style::Note, &format!("{url}: {note}"));
        }
    }
    let sites = origins.iter().zip(&entries).map(|(origin, entry)| SiteDocument::new(origin, entry, now));
    print(question, &crawlers, None, sites, &answers, &failed)
}

/// Checks the URLs with one file.
fn answer(question: &Question) -> Result<u8> {
    let mut failed = Failures::default();
    let targets = question.targets(&mut failed)?;
    let crawlers = question.agents.crawlers(&question.site.profile)?;
    if targets.is_empty() {
        return print(question, &crawlers, None, core::iter::empty(), &[], &failed);
    }
    let robots = &question.robots()?;
    let rules: Vec<RuleSet> = crawlers
        .iter()
        .map(|named| {
            let profile = question.site.profile.of(&named.crawler);
            RuleSet::parse(robots.body(), &named.crawler, &profile.rules)
        })
        .collect();
    let read = Body::of(robots);
    let mut answers = Vec::new();
    for asked in &targets {
        answers.extend(crawlers.iter().zip(&rules).map(|(named, rules)| Answer {
            asked,
            named,
            site: None,
            body: robots.body(),
            kind: read.kind,
            rules: Some(rules),
            profile: question.site.profile.of(&named.crawler),
            verdict: rules.check(asked.target.path()),
        }));
    }
    let has_undecided = answers.iter().any(|answer: &Answer<'_>| is_undecided(&answer.verdict));
    if let Some(note) = read.note().or_else(|| has_undecided.then(|| read.mistake_note(robots)).flatten()) {
        output::complain("note", Style::Note, &format!("{}: {note}", input_name(question.path())));
    }
    print(question, &crawlers, Some(read), core::iter::empty(), &answers, &failed)
}

/// Prints the verdicts, and returns the exit status.
fn print<'q>(
    question: &'q Question,
    crawlers: &'q [NamedCrawler],
    read: Option<Body>,
    sites: impl Iterator<Item = SiteDocument<'q>>,
    answers: &[Answer<'_>],
    failed: &'q Failures,
) -> Result<u8> {
    let mut last = None;
    for Answer { asked, rules, verdict, .. } in answers {
        let note = text_note(asked.text, &asked.target, *rules, verdict);
        if let Some(note) = note.filter(|note| last.as_ref() != Some(note)) {
            output::complain("note", Style::Note, &note);
            last = Some(note);
        }
    }
    let printed = match question.site.format {
        Format::Human => {
            let mut out = TextLines::new();
            for answer in answers {
                line(&mut out, answer, crawlers.len() > 1);
                if let Some(note) = answer.written() {
                    output::complain("note", Style::Note, &note);
                }
            }
            output::print(out)
        }
        Format::Json => output::json::print(&Output {
            version: 1,
            profile: question.site.profile.name,
            robots: question.path.as_ref().map(|path| path.to_string_lossy()),
            agents: agents(crawlers),
            body: read,
            sites: sites.collect(),
            verdicts: answers
                .iter()
                .map(|answer| AnswerDocument {
                    agent: &answer.named.name,
                    basis: answer.rules.map(|rules| rules.basis().name()),
                    url: String::from_utf8_lossy(answer.asked.text),
                    path: String::from_utf8_lossy(answer.asked.target.path()),
                    site: answer.site.map(Origin::as_str),
                    verdict: document(&answer.verdict, answer.body, answer.rules, answer.asked.target.path())
                        .with_kind(&answer.verdict, answer.kind)
                        .with_profile(answer.profile.document),
                    as_written: answer.written(),
                })
                .collect(),
            failed,
        }),
    };
    // A verdict on a file without rules would look like a success.
    let is_other_file = read.is_some_and(|read| !read.kind.is_robots_txt());
    let has_no_answer = answers.iter().any(|answer| is_unanswered(&answer.verdict.reason()));
    let is_disallowed = answers.iter().any(|answer| !answer.verdict.is_allowed());
    output::ended(printed, status(is_other_file || has_no_answer || !failed.is_empty(), is_disallowed))
}

/// Returns the only crawler, or one without a name if there are several. It decides which redirects are followed.
pub(crate) fn only(crawlers: &[NamedCrawler]) -> Crawler {
    match crawlers {
        [only] => only.crawler.clone(),
        _ => Crawler::unnamed(),
    }
}

/// Returns the crawlers as they were given.
pub(crate) fn agents(crawlers: &[NamedCrawler]) -> Vec<&str> {
    crawlers.iter().map(|named| &*named.name).collect()
}

/// Adds the line of a verdict, with the name of the crawler if there are several.
fn line(out: &mut TextLines, answer: &Answer<'_>, is_named: bool) {
    let is_allowed = answer.verdict.is_allowed();
    let word = Style::of_verdict(is_allowed).paint(if is_allowed { "allowed" } else { "disallowed" });
    let agent = if is_named { format!("{}  ", answer.named.name) } else { String::new() };
    let why = why(&answer.verdict, answer.body, answer.kind) + &answer.profile.suffix();
    let why = Style::Faint.paint(why);
    out.add(format_args!("{word:<10} {agent}{}  {why}", with_host(answer.asked.text)));
}

/// The output of `robots check --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'q> {
    version: u8,
    /// The name of a document, or `auto`: each verdict has its own.
    profile: &'static str,
    /// The file, as it was named; null if the sites were asked.
    robots: Option<Cow<'q, str>>,
    /// The crawlers, as they were given.
    agents: Vec<&'q str>,
    /// What the file is; null if the sites were asked.
    body: Option<Body>,
    /// The sites that were asked, in the order of the first URL of each.
    sites: Vec<SiteDocument<'q>>,
    /// One for each URL and crawler, in the order of the arguments.
    verdicts: Vec<AnswerDocument<'q>>,
    /// The arguments that are neither URLs nor paths.
    failed: &'q Failures,
}

/// The answer for a URL and a crawler.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "UrlAnswer")]
struct AnswerDocument<'q> {
    /// The crawler, as it was given.
    agent: &'q str,
    /// Which groups apply to the crawler: `named`, `wildcard` or `none`; null if the site has no rules.
    basis: Option<&'static str>,
    /// The URL or the path, as it was given.
    url: Cow<'q, str>,
    /// The path and the query that a client requests.
    path: Cow<'q, str>,
    /// The site that was asked.
    site: Option<&'q str>,
    #[serde(flatten)]
    verdict: VerdictDocument,
    /// A note if the rules decide differently about the URL as it is written.
    as_written: Option<String>,
}
