//! `robots check`: verdicts on URLs for crawlers, from one file or from the sites of the URLs.

use core::fmt::Write as _;
use std::time::SystemTime;

use robots_fetch::{Origin, Permission};
use robots_match::syntax::Excerpt;
use robots_match::{Crawler, DecidingRule, Reason, Robots, RuleSet, Verdict, as_url, path_of};
use serde_json::{Value, json};

use crate::arguments::{Format, NamedCrawler, Question, question_help};
use crate::failure::{Failure, Result};
use crate::output::{self, Style};
use crate::text::{Text, with_host};

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

/// A URL, the position of its origin, a crawler, and the verdict.
struct Asked<'q> {
    url: &'q [u8],
    origin: usize,
    crawler: usize,
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
    let permission = |origin: usize, crawler: usize| permissions.get(origin)?.get(crawler);
    let asked: Vec<Asked<'_>> = urls
        .into_iter()
        .flat_map(|(url, origin)| (0..crawlers.len()).map(move |crawler| (url, origin, crawler)))
        .filter_map(|(url, origin, crawler)| {
            let verdict = permission(origin, crawler)?.check_text(url);
            Some(Asked { url, origin, crawler, verdict })
        })
        .collect();
    let body = |asked: &Asked<'_>| {
        let robots = entries.get(asked.origin).and_then(|entry| entry.robots(now));
        robots.map_or(&[][..], |robots| robots.body())
    };
    let rules = |asked: &Asked<'_>| permission(asked.origin, asked.crawler).and_then(Permission::rules);
    let printed = match question.site.format {
        Format::Human => {
            let mut out = String::new();
            for asked in &asked {
                let why = why(&asked.verdict, body(asked));
                line(&mut out, shown(&crawlers, asked.crawler), asked.url, asked.verdict.is_allowed(), why);
            }
            output::print(&out)
        }
        Format::Json => crate::json::print(&json!({
            "version": 1,
            "profile": question.site.profile.name,
            "robots": null,
            "agents": agents(&crawlers),
            "basis": null,
            "sites": origins
                .iter()
                .zip(&entries)
                .map(|(origin, entry)| crate::fetch::json(origin, entry, now))
                .collect::<Vec<_>>(),
            "verdicts": asked
                .iter()
                .map(|asked| {
                    let rules = rules(asked);
                    let agent = crawlers.get(asked.crawler).map(|named| &named.name);
                    verdict_json(asked.url, agent, origins.get(asked.origin), &asked.verdict, body(asked), rules)
                })
                .collect::<Vec<_>>(),
        })),
    };
    match printed {
        // The exit status is correct even if the output is not read.
        Ok(()) | Err(Failure::Closed) => {}
        Err(failure) => return Err(failure),
    }
    Ok(u8::from(asked.iter().any(|asked| !asked.verdict.is_allowed())))
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

/// Returns the name of a crawler, if there are several.
fn shown(crawlers: &[NamedCrawler], index: usize) -> Option<&str> {
    crawlers.get(index).filter(|_| crawlers.len() > 1).map(|named| &*named.name)
}

fn answer(question: &Question, robots: &Robots) -> Result<u8> {
    let crawlers = question.agents.crawlers(&question.site.profile)?;
    let rules: Vec<RuleSet> = crawlers.iter().map(|named| robots.rules(&named.crawler)).collect();
    let verdicts: Vec<(&[u8], usize, &RuleSet, Verdict)> = question
        .urls
        .iter()
        .map(|url| url.as_encoded_bytes())
        .flat_map(|url| {
            rules.iter().enumerate().map(move |(at, rules)| (url, at, rules, rules.check_text(as_url(url))))
        })
        .collect();
    let printed = match question.site.format {
        Format::Human => {
            let mut out = String::new();
            for (url, crawler, _, verdict) in &verdicts {
                let why = why(verdict, robots.body());
                line(&mut out, shown(&crawlers, *crawler), url, verdict.is_allowed(), why);
            }
            output::print(&out)
        }
        Format::Json => crate::json::print(&json!({
            "version": 1,
            "profile": question.site.profile.name,
            "robots": question.path().to_string_lossy(),
            "agents": agents(&crawlers),
            "basis": match &rules[..] {
                [only] => Some(only.basis().name()),
                _ => None,
            },
            "sites": [],
            "verdicts": verdicts
                .iter()
                .map(|(url, crawler, rules, verdict)| {
                    let agent = crawlers.get(*crawler).map(|named| &named.name);
                    verdict_json(url, agent, None, verdict, robots.body(), Some(rules))
                })
                .collect::<Vec<_>>(),
        })),
    };
    match printed {
        // The exit status is correct even if the output is not read.
        Ok(()) | Err(Failure::Closed) => {}
        Err(failure) => return Err(failure),
    }
    Ok(u8::from(verdicts.iter().any(|(.., verdict)| !verdict.is_allowed())))
}

fn line(out: &mut String, agent: Option<&str>, url: &[u8], is_allowed: bool, why: String) {
    let word = if is_allowed { "allowed" } else { "disallowed" };
    let word = Style::of_verdict(is_allowed).paint(word);
    let agent = agent.map(|agent| format!("{}  ", Text(agent.as_bytes()))).unwrap_or_default();
    // Writing to a string can't fail.
    let _ = writeln!(out, "{word:<10} {agent}{}  {}", with_host(url), Style::Faint.paint(why));
}

/// `line 3: Disallow: /private`, or why no line decides.
pub(crate) fn why(verdict: &Verdict, body: &[u8]) -> String {
    match verdict.reason() {
        Reason::Rule(rule) => format!("line {}: {}", rule.line, Text(written(&rule, body))),
        reason => reason.to_string(),
    }
}

/// Returns a rule as it is written: its line up to the end of its pattern.
fn written<'b>(rule: &DecidingRule, body: &'b [u8]) -> &'b [u8] {
    let before = body.get(..rule.span.start()).unwrap_or_default();
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
    let rule = body.get(start..rule.span.end()).unwrap_or_default();
    rule.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(rule).trim_ascii()
}

/// Returns a verdict as JSON. Bytes that are not UTF-8 are replaced, but the span is exact.
fn verdict_json(
    url: &[u8],
    agent: Option<&String>,
    origin: Option<&Origin>,
    verdict: &Verdict,
    body: &[u8],
    rules: Option<&RuleSet>,
) -> Value {
    let rule = verdict.rule().zip(rules).map(|(rule, rules)| {
        let compiled = rules.deciding_rule(path_of(&as_url(url), rules.policy()));
        json!({
            "effect": rule.effect.name(),
            "pattern": compiled.map(|compiled| String::from_utf8_lossy(compiled.pattern).into_owned()),
            "written": String::from_utf8_lossy(rule.span.of(body)),
            "line": rule.line,
            "column": Excerpt::new(body, rule.span).column(),
            "span": { "start": rule.span.start(), "end": rule.span.end() },
        })
    });
    let reason = match verdict.reason() {
        Reason::Site { allowed: true, .. } => "everything",
        Reason::Site { .. } => "nothing",
        reason => reason.code(),
    };
    json!({
        "agent": agent,
        "basis": rules.map(|rules| rules.basis().name()),
        "url": String::from_utf8_lossy(url),
        "site": origin.map(Origin::as_str),
        "allowed": verdict.is_allowed(),
        "reason": reason,
        "rule": rule,
    })
}
