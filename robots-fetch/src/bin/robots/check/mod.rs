//! `robots check`: verdicts on URLs for one crawler, from one file or from the sites of the URLs.

use alloc::sync::Arc;
use core::fmt::Write as _;
use std::time::SystemTime;

use robots_fetch::{Decision, Origin, Permission};
use robots_match::syntax::Excerpt;
use robots_match::{Crawler, Reason, Robots, Ruling, Verdict};
use serde_json::{Value, json};

use crate::arguments::{Format, Question, question_help};
use crate::failure::{Failure, Result};
use crate::output::{self, Style};
use crate::text::Text;

/// Checks whether a crawler may access URLs, and shows the deciding lines
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
  robots check --robots robots.txt -a Googlebot-Image -a Googlebot /cat.gif
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

/// A URL, the index of its origin, and the decision.
struct Asked<'q> {
    url: &'q [u8],
    origin: usize,
    decision: Decision<'q>,
}

/// Checks the URLs with the robots.txt of their sites.
fn ask(question: &Question) -> Result<u8> {
    let (origins, urls) = question.sites()?;
    let profile = question.profile.with_access();
    let tokens = question.agents.tokens(&profile.rules);
    let entries = question.network().sites(profile)?.entries(&origins);
    let now = SystemTime::now();
    let permissions: Vec<Permission> =
        entries.iter().map(|entry| entry.permission(Crawler::new(&tokens), now)).collect();
    let asked: Vec<Asked<'_>> = urls
        .into_iter()
        .filter_map(|(url, origin)| {
            Some(Asked { url, origin, decision: permissions.get(origin)?.check_text(url) })
        })
        .collect();
    let robots = |asked: &Asked<'_>| entries.get(asked.origin).and_then(|entry| entry.robots(now));
    let printed = match question.format {
        Format::Human => {
            let mut out = String::new();
            for asked in &asked {
                line(
                    &mut out,
                    asked.url,
                    asked.decision.is_allowed(),
                    reason(&asked.decision, robots(asked)),
                );
            }
            output::print(&out)
        }
        Format::Json => crate::json::print(&json!({
            "version": 1,
            "profile": question.profile.name,
            "robots": null,
            "agents": question.agents.iter().map(String::from_utf8_lossy).collect::<Vec<_>>(),
            "basis": null,
            "sites": origins
                .iter()
                .zip(&entries)
                .map(|(origin, entry)| crate::fetch::json(origin, entry, now))
                .collect::<Vec<_>>(),
            "verdicts": asked
                .iter()
                .map(|asked| decision_json(asked, origins.get(asked.origin), robots(asked)))
                .collect::<Vec<_>>(),
        })),
    };
    match printed {
        // The exit status is correct even if nobody reads the output.
        Ok(()) | Err(Failure::Closed) => {}
        Err(failure) => return Err(failure),
    }
    Ok(u8::from(asked.iter().any(|asked| !asked.decision.is_allowed())))
}

/// `line 3: Disallow: /private`, or why no line decides.
fn reason(decision: &Decision<'_>, robots: Option<&Arc<Robots>>) -> String {
    match (decision, robots) {
        (Decision::Ruled(verdict), Some(robots)) => why(verdict, robots),
        (Decision::Ruled(_), None) => "/robots.txt is always allowed".to_owned(),
        (Decision::Granted(cause), _) => {
            format!("no robots.txt applies ({})", Text(cause.to_string().as_bytes()))
        }
        (Decision::Refused(cause), _) => {
            format!("robots.txt could not be fetched ({})", Text(cause.to_string().as_bytes()))
        }
    }
}

fn decision_json(asked: &Asked<'_>, origin: Option<&Origin>, robots: Option<&Arc<Robots>>) -> Value {
    match (&asked.decision, robots) {
        (Decision::Ruled(verdict), Some(robots)) => verdict_json(asked.url, origin, verdict, robots),
        (decision, _) => json!({
            "url": String::from_utf8_lossy(asked.url),
            "site": origin.map(Origin::as_str),
            "allowed": decision.is_allowed(),
            "reason": match decision {
                Decision::Ruled(verdict) => verdict.reason().code(),
                Decision::Granted(_) => "everything",
                Decision::Refused(_) => "nothing",
            },
            "rule": null,
        }),
    }
}

fn answer(question: &Question, robots: &Robots) -> Result<u8> {
    let tokens = question.agents.tokens(robots.profile());
    let rules = robots.rules(Crawler::new(&tokens));
    let verdicts: Vec<(&[u8], Verdict<'_>)> = question
        .urls
        .iter()
        .map(|url| (url.as_encoded_bytes(), rules.check_text(url.as_encoded_bytes())))
        .collect();
    let printed = match question.format {
        Format::Human => output::print(&human(&verdicts, robots)),
        Format::Json => crate::json::print(&json!({
            "version": 1,
            "profile": question.profile.name,
            "robots": question.path().to_string_lossy(),
            "agents": question.agents.iter().map(String::from_utf8_lossy).collect::<Vec<_>>(),
            "basis": rules.basis().name(),
            "sites": [],
            "verdicts": verdicts
                .iter()
                .map(|(url, verdict)| verdict_json(url, None, verdict, robots))
                .collect::<Vec<_>>(),
        })),
    };
    match printed {
        // The exit status is correct even if nobody reads the output.
        Ok(()) | Err(Failure::Closed) => {}
        Err(failure) => return Err(failure),
    }
    Ok(u8::from(verdicts.iter().any(|(_, verdict)| !verdict.is_allowed())))
}

fn human(verdicts: &[(&[u8], Verdict<'_>)], robots: &Robots) -> String {
    let mut out = String::new();
    for (url, verdict) in verdicts {
        line(&mut out, url, verdict.is_allowed(), why(verdict, robots));
    }
    out
}

fn line(out: &mut String, url: &[u8], is_allowed: bool, why: String) {
    let word = if is_allowed { "allowed" } else { "disallowed" };
    let word = Style::of_verdict(is_allowed).paint(word);
    // Writing to a string can't fail.
    let _ = writeln!(out, "{word:<10} {}  {}", Text(url), Style::Faint.paint(why));
}

/// `line 3: Disallow: /private`, or why no line decides.
pub(crate) fn why(verdict: &Verdict<'_>, robots: &Robots) -> String {
    match verdict.reason() {
        Reason::Rule(ruling) => format!("line {}: {}", ruling.line, Text(written(&ruling, robots))),
        Reason::NoRule => "no rule matches".to_owned(),
        Reason::NoGroup => "no group applies".to_owned(),
        Reason::RobotsTxt => "/robots.txt is always allowed".to_owned(),
        other => other.code().to_owned(),
    }
}

/// Returns a rule as it is written: its line up to the end of its pattern.
fn written<'r>(ruling: &Ruling<'_>, robots: &'r Robots) -> &'r [u8] {
    let before = robots.body().get(..ruling.span.start()).unwrap_or_default();
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
    let rule = robots.body().get(start..ruling.span.end()).unwrap_or_default();
    rule.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(rule).trim_ascii()
}

/// Returns a verdict as JSON. Bytes that are not UTF-8 are replaced, but the span is exact.
fn verdict_json(url: &[u8], origin: Option<&Origin>, verdict: &Verdict<'_>, robots: &Robots) -> Value {
    let rule = verdict.ruling().map(|ruling| {
        let place = Excerpt::new(robots.body(), ruling.span);
        json!({
            "effect": ruling.effect.name(),
            "pattern": String::from_utf8_lossy(ruling.pattern),
            "written": String::from_utf8_lossy(ruling.span.of(robots.body())),
            "line": ruling.line,
            "column": place.column(),
            "span": { "start": ruling.span.start(), "end": ruling.span.end() },
        })
    });
    json!({
        "url": String::from_utf8_lossy(url),
        "site": origin.map(Origin::as_str),
        "allowed": verdict.is_allowed(),
        "reason": verdict.reason().code(),
        "rule": rule,
    })
}
