//! `robots check`: verdicts on URLs for one crawler and one file.

use core::fmt::Write as _;

use lexopt::Parser;
use robots_match::syntax::Excerpt;
use robots_match::{Crawler, Reason, Robots, Ruling, Verdict};
use serde_json::{Value, json};

use crate::args::{Format, Question};
use crate::failure::{Failure, Result};
use crate::show::{self, Style, Text};

pub(crate) const HELP: &str = "\
Verdicts on URLs for one crawler and one robots.txt, with the line that decides.

Usage: robots check [OPTION]... --robots FILE --agent TOKEN URL...

Options:
      --robots FILE    the robots.txt; `-` reads it from standard input
  -a, --agent TOKEN    the product token of the crawler (RFC 9309, section 2.2.1); several are tried in turn, until a
                       group names one
  -p, --profile NAME   how the file is read: rfc9309 (default), google, draft-koster-rep-00, koster-1996
      --format NAME    human (default) or json
  -h, --help           this help

A URL is taken as text: scheme, authority and fragment are cut off, nothing is resolved. A path alone will do.

Exit status: 0 if all are allowed, 1 if some are disallowed, 2 if something is wrong.

Examples:
  robots check --robots robots.txt --agent ExampleBot https://example.com/ /private
  robots check --robots robots.txt -a Googlebot-Image -a Googlebot --profile google /cat.gif
  curl -s https://example.com/robots.txt | robots check --robots - -a ExampleBot /
";

/// The command, from its arguments on.
pub(crate) fn run(parser: Parser) -> Result<u8> {
    let Some(question) = Question::of(parser)? else { return crate::help(HELP) };
    let robots = question.robots()?;
    answer(&question, &robots)
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
            "profile": question.reading.name,
            "robots": question.path.to_string_lossy(),
            "agents": question.agents.iter().map(String::from_utf8_lossy).collect::<Vec<_>>(),
            "basis": rules.basis().name(),
            "verdicts": verdicts
                .iter()
                .map(|(url, verdict)| verdict_json(url, verdict, robots))
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
        let word = if verdict.is_allowed() { "allowed" } else { "disallowed" };
        let word = Style::of_verdict(verdict.is_allowed()).paint(word);
        // Writing to a string can't fail.
        let _ = writeln!(out, "{word:<10} {}  {}", Text(url), Style::Faint.paint(why(verdict, robots)));
    }
    out
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
pub(crate) fn verdict_json(url: &[u8], verdict: &Verdict<'_>, robots: &Robots) -> Value {
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
        "allowed": verdict.is_allowed(),
        "reason": verdict.reason().code(),
        "rule": rule,
    })
}
