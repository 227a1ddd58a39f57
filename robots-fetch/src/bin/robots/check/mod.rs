//! `robots check`: verdicts on URLs for one crawler, from one file or from the sites of the URLs.

use core::fmt::Write as _;
use std::time::SystemTime;

use robots_fetch::{Origin, Permission};
use robots_match::syntax::Excerpt;
use robots_match::{DecidingRule, Reason, Robots, RuleSet, Verdict, path_of};
use serde_json::{Value, json};

use crate::arguments::{Format, Question, question_help};
use crate::failure::{Failure, Result};
use crate::output::{self, Style};
use crate::text::{Text, with_host};

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

/// A URL, the position of its origin, and the verdict on it.
struct Asked<'q> {
    url: &'q [u8],
    origin: usize,
    verdict: Verdict,
}

/// Checks the URLs with the robots.txt of their sites.
fn ask(question: &Question) -> Result<u8> {
    let (origins, urls) = question.sites()?;
    let profile = question.site.site_profile();
    let crawler = question.agents.crawler(&question.site.profile)?;
    let entries = question.site.network().sites(profile, crawler.clone())?.entries(&origins);
    let now = SystemTime::now();
    let permissions: Vec<Permission> = entries.iter().map(|entry| entry.permission(&crawler, now)).collect();
    let asked: Vec<Asked<'_>> = urls
        .into_iter()
        .filter_map(|(url, origin)| {
            Some(Asked { url, origin, verdict: permissions.get(origin)?.check_text(url) })
        })
        .collect();
    let body = |asked: &Asked<'_>| {
        let robots = entries.get(asked.origin).and_then(|entry| entry.robots(now));
        robots.map_or(&[][..], |robots| robots.body())
    };
    let rules = |asked: &Asked<'_>| permissions.get(asked.origin).and_then(Permission::rules);
    let printed = match question.site.format {
        Format::Human => {
            let mut out = String::new();
            for asked in &asked {
                let why = why(&asked.verdict, body(asked));
                line(&mut out, asked.url, asked.verdict.is_allowed(), why);
            }
            output::print(&out)
        }
        Format::Json => crate::json::print(&json!({
            "version": 1,
            "profile": question.site.profile.name,
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
                .map(|asked| {
                    let rules = rules(asked).map(|rules| &**rules);
                    verdict_json(asked.url, origins.get(asked.origin), &asked.verdict, body(asked), rules)
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

fn answer(question: &Question, robots: &Robots) -> Result<u8> {
    let crawler = question.agents.crawler(&question.site.profile)?;
    let rules = robots.rules(&crawler);
    let verdicts: Vec<(&[u8], Verdict)> = question
        .urls
        .iter()
        .map(|url| (url.as_encoded_bytes(), rules.check_text(url.as_encoded_bytes())))
        .collect();
    let printed = match question.site.format {
        Format::Human => output::print(&human(&verdicts, robots)),
        Format::Json => crate::json::print(&json!({
            "version": 1,
            "profile": question.site.profile.name,
            "robots": question.path().to_string_lossy(),
            "agents": question.agents.iter().map(String::from_utf8_lossy).collect::<Vec<_>>(),
            "basis": rules.basis().name(),
            "sites": [],
            "verdicts": verdicts
                .iter()
                .map(|(url, verdict)| verdict_json(url, None, verdict, robots.body(), Some(&rules)))
                .collect::<Vec<_>>(),
        })),
    };
    match printed {
        // The exit status is correct even if the output is not read.
        Ok(()) | Err(Failure::Closed) => {}
        Err(failure) => return Err(failure),
    }
    Ok(u8::from(verdicts.iter().any(|(_, verdict)| !verdict.is_allowed())))
}

fn human(verdicts: &[(&[u8], Verdict)], robots: &Robots) -> String {
    let mut out = String::new();
    for (url, verdict) in verdicts {
        line(&mut out, url, verdict.is_allowed(), why(verdict, robots.body()));
    }
    out
}

fn line(out: &mut String, url: &[u8], is_allowed: bool, why: String) {
    let word = if is_allowed { "allowed" } else { "disallowed" };
    let word = Style::of_verdict(is_allowed).paint(word);
    // Writing to a string can't fail.
    let _ = writeln!(out, "{word:<10} {}  {}", with_host(url), Style::Faint.paint(why));
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
    origin: Option<&Origin>,
    verdict: &Verdict,
    body: &[u8],
    rules: Option<&RuleSet>,
) -> Value {
    let rule = verdict.rule().zip(rules).map(|(rule, rules)| {
        let compiled = rules.deciding_rule(path_of(url, rules.policy()));
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
        "url": String::from_utf8_lossy(url),
        "site": origin.map(Origin::as_str),
        "allowed": verdict.is_allowed(),
        "reason": reason,
        "rule": rule,
    })
}
