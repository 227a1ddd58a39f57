//! `robots check`: verdicts on URLs for one crawler, by one file or by those of the sites.

use alloc::sync::Arc;
use core::fmt::Write as _;
use std::time::SystemTime;

use lexopt::Parser;
use robots_fetch::{Decision, Origin, Permission};
use robots_match::syntax::Excerpt;
use robots_match::{Crawler, Reason, Robots, Ruling, Verdict};
use serde_json::{Value, json};

use crate::args::{Format, Question};
use crate::failure::{Failure, Result};
use crate::network::Network;
use crate::show::{self, Style, Text};

pub(crate) const HELP: &str = concat!(
    "\
Verdicts on URLs for one crawler, with the line that decides: by the robots.txt of their sites, or by a file.

Usage: robots check [OPTION]... --agent TOKEN URL...
       robots check [OPTION]... --robots FILE --agent TOKEN URL...

",
    crate::args::question_help!("check"),
    "
Examples:
  robots check --agent ExampleBot https://example.com/ https://www.example.com/private
  robots check --robots robots.txt --agent ExampleBot https://example.com/ /private
  robots check --robots robots.txt -a Googlebot-Image -a Googlebot --profile google /cat.gif
  curl -s https://example.com/robots.txt | robots check --robots - -a ExampleBot /
"
);

/// The command, from its arguments on.
pub(crate) fn run(parser: Parser) -> Result<u8> {
    let mut network = Network::default();
    let Some(question) = Question::of(parser, &mut network)? else { return crate::help(HELP) };
    if question.path.is_none() {
        return ask(&question, &network);
    }
    let robots = question.robots()?;
    answer(&question, &robots)
}

/// A URL, its origin among those of all, and what may be done there.
struct Asked<'q> {
    url: &'q [u8],
    origin: usize,
    decision: Decision<'q>,
}

/// Answers by the robots.txt of the sites.
fn ask(question: &Question, network: &Network) -> Result<u8> {
    let (origins, urls) = question.sites()?;
    let profile = question.reading.access();
    let tokens = question.agents.tokens(&profile.rules);
    let entries = network.sites(profile)?.entries(&origins);
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
            show::print(&out)
        }
        Format::Json => show::print_json(&json!({
            "version": 1,
            "profile": question.reading.name,
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
        // The status is an answer of its own.
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
        (Decision::Granted(_, cause), _) => {
            format!("no robots.txt restricts: {}", Text(cause.to_string().as_bytes()))
        }
        (Decision::Refused(_, cause), _) => {
            format!("the robots.txt can't be had: {}", Text(cause.to_string().as_bytes()))
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
                Decision::Granted(..) => "everything",
                Decision::Refused(..) => "nothing",
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
        Format::Human => show::print(&human(&verdicts, robots)),
        Format::Json => show::print_json(&json!({
            "version": 1,
            "profile": question.reading.name,
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
        // The status is an answer of its own.
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

/// The record of a rule as it is written: its line up to the end of its pattern.
fn written<'r>(ruling: &Ruling<'_>, robots: &'r Robots) -> &'r [u8] {
    let before = robots.body().get(..ruling.span.start()).unwrap_or_default();
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
    let octets = robots.body().get(start..ruling.span.end()).unwrap_or_default();
    octets.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(octets).trim_ascii()
}

/// A verdict for programs. Octets that are no UTF-8 are replaced; the span tells which they are.
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
