//! `robots check`: verdicts on URLs for crawlers, from one file or from the sites of the URLs.

use alloc::borrow::Cow;
use core::fmt::Write as _;
use std::time::SystemTime;

use robots_fetch::{Origin, Permission};
use robots_match::{Crawler, Document, Robots, RuleSet, Verdict, VerdictDocument, as_url};
use schemars::JsonSchema;
use serde::Serialize;

use crate::arguments::{Format, NamedCrawler, Question, question_help};
use crate::failure::{Failure, Result};
use crate::fetch::SiteDocument;
use crate::output::{self, Style};
use crate::text::{Text, with_host};
use crate::verdict::{document, why};

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
  curl -s https://example.com/robots.txt |
    robots check --robots - -a ExampleBot /
"
);

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let question = &arguments.question;
    if question.path.is_none() {
        return ask(question);
    }
    let robots = question.robots()?;
    answer(question, &robots)
}

/// A verdict on a URL for a crawler, and what it comes from.
struct Asked<'q> {
    url: &'q [u8],
    named: &'q NamedCrawler,
    site: Option<&'q Origin>,
    body: &'q [u8],
    rules: Option<&'q RuleSet>,
    verdict: Verdict,
}

/// Checks the URLs with the robots.txt of their sites.
fn ask(question: &Question) -> Result<u8> {
    let (origins, urls) = question.sites()?;
    let profile = question.site.site_profile();
    let crawlers = question.agents.crawlers(&question.site.profile)?;
    let entries = question.site.network().sites(profile, only(&crawlers))?.entries(&origins);
    let now = SystemTime::now();
    let permissions: Vec<Vec<Permission>> = entries
        .iter()
        .map(|entry| crawlers.iter().map(|named| entry.permission(&named.crawler, now)).collect())
        .collect();
    let mut asked = Vec::new();
    for (url, place) in urls {
        let (Some(origin), Some(entry), Some(of_site)) =
            (origins.get(place), entries.get(place), permissions.get(place))
        else {
            continue;
        };
        let body = entry.robots(now).map_or(&[][..], |robots| robots.body());
        asked.extend(crawlers.iter().zip(of_site).map(|(named, permission)| Asked {
            url,
            named,
            site: Some(origin),
            body,
            rules: permission.rules(),
            verdict: permission.check_text(url),
        }));
    }
    let sites = origins.iter().zip(&entries).map(|(origin, entry)| SiteDocument::new(origin, entry, now));
    print(question, &crawlers, sites, &asked)
}

/// Checks the URLs with one file.
fn answer(question: &Question, robots: &Robots) -> Result<u8> {
    let crawlers = question.agents.crawlers(&question.site.profile)?;
    let rules: Vec<RuleSet> = crawlers.iter().map(|named| robots.rules(&named.crawler)).collect();
    let mut asked = Vec::new();
    for url in question.urls.iter().map(|url| url.as_encoded_bytes()) {
        asked.extend(crawlers.iter().zip(&rules).map(|(named, rules)| Asked {
            url,
            named,
            site: None,
            body: robots.body(),
            rules: Some(rules),
            verdict: rules.check_text(as_url(url)),
        }));
    }
    print(question, &crawlers, core::iter::empty(), &asked)
}

/// Prints the verdicts, and returns the exit status.
fn print<'q>(
    question: &'q Question,
    crawlers: &'q [NamedCrawler],
    sites: impl Iterator<Item = SiteDocument<'q>>,
    asked: &[Asked<'q>],
) -> Result<u8> {
    let printed = match question.site.format {
        Format::Human => {
            let mut out = String::new();
            for asked in asked {
                line(&mut out, asked, crawlers.len() > 1);
            }
            output::print(&out)
        }
        Format::Json => crate::json::print(&Output {
            version: 1,
            profile: question.site.profile.document,
            robots: question.path.as_ref().map(|path| path.to_string_lossy()),
            agents: agents(crawlers),
            sites: sites.collect(),
            verdicts: asked
                .iter()
                .map(|asked| Answer {
                    agent: &asked.named.name,
                    basis: asked.rules.map(|rules| rules.basis().name()),
                    url: String::from_utf8_lossy(asked.url),
                    site: asked.site.map(Origin::as_str),
                    verdict: document(&asked.verdict, asked.body, asked.rules, asked.url),
                })
                .collect(),
        }),
    };
    match printed {
        // The exit status is correct even if the output is not read.
        Ok(()) | Err(Failure::Closed) => Ok(u8::from(asked.iter().any(|asked| !asked.verdict.is_allowed()))),
        Err(failure) => Err(failure),
    }
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
fn line(out: &mut String, asked: &Asked<'_>, is_named: bool) {
    let is_allowed = asked.verdict.is_allowed();
    let word = Style::of_verdict(is_allowed).paint(if is_allowed { "allowed" } else { "disallowed" });
    let agent = if is_named { format!("{}  ", Text(asked.named.name.as_bytes())) } else { String::new() };
    let why = Style::Faint.paint(why(&asked.verdict, asked.body));
    // Writing to a string can't fail.
    let _ = writeln!(out, "{word:<10} {agent}{}  {why}", with_host(asked.url));
}

/// The output of `robots check --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'q> {
    version: u8,
    profile: Document,
    /// The file, as it was named; null if the sites were asked.
    robots: Option<Cow<'q, str>>,
    /// The crawlers, as they were given.
    agents: Vec<&'q str>,
    /// The sites that were asked, in the order of the first URL of each.
    sites: Vec<SiteDocument<'q>>,
    /// One for each URL and crawler, in the order of the arguments.
    verdicts: Vec<Answer<'q>>,
}

/// The answer for a URL and a crawler.
#[derive(Debug, Serialize, JsonSchema)]
struct Answer<'q> {
    /// The crawler, as it was given.
    agent: &'q str,
    /// Which groups apply to the crawler: `named`, `wildcard` or `none`; null if the site has no rules.
    basis: Option<&'static str>,
    /// The URL or the path, as it was given.
    url: Cow<'q, str>,
    /// The site that was asked.
    site: Option<&'q str>,
    #[serde(flatten)]
    verdict: VerdictDocument,
}
