//! The formats of an audit. Each takes rows one by one.

use robots_fetch::page::Problem;
use serde_json::{Value, json};

use super::page_answers::PageAccess;
use super::row::{About, Row, What};
use super::together::Together;
use super::totals::Totals;
use crate::failure::Result;
use crate::output::csv::CsvArguments;
use crate::output::{Failures, Printable, Style, TextLines, json};
use crate::rule_counts::RuleCounts;
use crate::sarif;
use crate::text::Text;

/// A format of rows.
pub(super) trait Sink {
    /// Returns the text before the first row.
    fn begin(&mut self) -> Result<Printable> {
        Ok(Printable::default())
    }

    /// Returns the text of a row, or keeps the row.
    fn add(&mut self, row: &Row) -> Result<Printable>;

    /// Returns the text after the last row.
    fn end(&mut self, totals: &Totals, crawlers: &[String]) -> Result<Printable>;
}

/// TextLines for people.
#[derive(Default)]
pub(super) struct Human {
    disallowed: RuleCounts,
    together: Together,
}

impl Sink for Human {
    fn add(&mut self, row: &Row) -> Result<Printable> {
        let mut text = Printable::from(self.together.before(row));
        if !self.together.add(row) {
            text.append(self.own_line(row));
        }
        Ok(text)
    }

    fn end(&mut self, totals: &Totals, _: &[String]) -> Result<Printable> {
        let mut lines = self.together.end();
        lines.append(self.disallowed.lines());
        lines.add(totals);
        if let Some(doubts) = totals.doubts() {
            lines.add(doubts);
        }
        Ok(lines.into())
    }
}

impl Human {
    /// Returns a row that stands for nothing else.
    fn own_line(&mut self, row: &Row) -> Printable {
        let (site, reason) = (&row.place.name, row.reason());
        let (word, style) = match &row.what {
            What::Verdict(decided) => {
                let word = decided.access();
                let style = match word {
                    "nothing" | "disallowed" => Style::Disallowed,
                    "all" | "allowed" => Style::Allowed,
                    _ => Style::Plain,
                };
                let shown = style.paint(word);
                let padding = " ".repeat(10_usize.saturating_sub(word.len()));
                let url = decided.url().map(|url| format!("{}  ", Text(url).short())).unwrap_or_default();
                let flags = match row.flags() {
                    flags if flags.is_empty() => String::new(),
                    flags => format!("  [{}]", flags.join(", ")),
                };
                if decided.url().is_some() && decided.is_finding() {
                    self.disallowed.add(format!("disallowed  {site}  {}  {reason}", row.crawler()));
                }
                let reason = Style::Faint.paint(reason);
                let line = format_args!("{shown}{padding}  {site}  {}  {url}{reason}{flags}", row.crawler());
                return TextLines::one(line).into();
            }
            What::Page(said) => {
                let word = said.access.name();
                let style = match said.access {
                    PageAccess::Indexable => Style::Allowed,
                    PageAccess::NotIndexable | PageAccess::UrlOnly => Style::Disallowed,
                    PageAccess::Unknown => Style::Note,
                };
                let codes = match &*said.codes {
                    [] => String::new(),
                    codes => format!("  [{}]", codes.join(", ")),
                };
                let (shown, url, reason) = (style.paint(word), row.url(), Style::Faint.paint(reason));
                let padding = " ".repeat(13_usize.saturating_sub(word.len()));
                let line =
                    format_args!("{shown}{padding}  {site}  {}  page: {url}  {reason}{codes}", row.crawler());
                return TextLines::one(line).into();
            }
            What::Failed(_) => ("failed", Style::Error),
            What::Unchecked => ("unchecked", Style::Note),
            What::Problem(_) => ("problem", Style::Note),
            What::LeftOut(_) => ("left out", Style::Note),
            // Written together; the totals have the numbers of lists.
            What::Expected(..) | What::OfList(..) => return Printable::default(),
        };
        TextLines::one(format_args!("{:<10}  {site}  {reason}", style.paint(word))).into()
    }
}

/// Comma-separated values (RFC 4180).
pub(super) struct Csv(pub(super) CsvArguments);

impl Sink for Csv {
    fn begin(&mut self) -> Result<Printable> {
        let head = [
            "input",
            "status",
            "kind",
            "crawler",
            "url",
            "access",
            "line",
            "reason",
            "flags",
            "profile",
            "wanted",
            "http_status",
            "final_url",
            "redirects",
            "time",
            "bytes",
            "sha256",
            "body",
        ];
        self.0.rows(&[head.map(str::to_owned).to_vec()])
    }

    fn add(&mut self, row: &Row) -> Result<Printable> {
        fn shown(value: Option<impl ToString>) -> String {
            value.map(|value| value.to_string()).unwrap_or_default()
        }
        let received = &row.place.received;
        self.0.rows(&[vec![
            row.place.name.clone(),
            row.place.status.map_or("", |status| status.name()).to_owned(),
            row.kind().to_owned(),
            row.crawler(),
            row.url(),
            row.access().to_owned(),
            shown(row.line()),
            row.reason().into_owned(),
            row.flags().join(","),
            shown(row.profile()),
            row.wanted().unwrap_or_default().to_owned(),
            shown(received.http_status),
            shown(received.final_url.as_deref().map(|url| Text(url.as_bytes()))),
            shown(received.redirects),
            shown(received.time.as_deref()),
            shown(received.bytes),
            shown(received.sha256.as_deref()),
            shown(received.body),
        ]])
    }

    fn end(&mut self, _: &Totals, _: &[String]) -> Result<Printable> {
        Ok(Printable::default())
    }
}

/// An object on each line.
pub(super) struct JsonLines;

impl Sink for JsonLines {
    fn add(&mut self, row: &Row) -> Result<Printable> {
        json::line(&row.document())
    }

    fn end(&mut self, _: &Totals, _: &[String]) -> Result<Printable> {
        Ok(Printable::default())
    }
}

/// The results of a log that has none.
const NO_RESULTS: &str = "\"results\": []";

/// The kinds of findings in SARIF: id, level and description.
const RULES: [(&str, &str, &str); 11] = [
    ("submitted-url-disallowed", "error", "A URL of a sitemap is disallowed"),
    ("url-disallowed", "warning", "A URL is disallowed"),
    ("crawler-shut-out", "warning", "A crawler may access nothing"),
    ("sitemap-unreadable", "warning", "A sitemap, or a part of it, could not be read"),
    ("input-unreadable", "error", "A robots.txt could not be read"),
    ("doubtful-file", "warning", "Crawlers may read other rules in a file than its owner means"),
    ("page-not-indexable", "warning", "A page may not be in an index"),
    ("page-unreadable", "warning", "A page could not be read, or not to its end"),
    ("access-not-wanted", "error", "A crawler has another access than the wanted one"),
    ("access-unknown", "warning", "Nothing is known about wanted access"),
    ("not-checked", "note", "A part of a list of URLs or of a sitemap, or an input, was not checked"),
];

/// Returns the kinds of findings, with those of pages.
fn rules() -> Vec<(&'static str, &'static str, &'static str)> {
    let of_pages = Problem::ALL.iter().map(|problem| (problem.code(), "note", problem.description()));
    RULES.into_iter().chain(of_pages).collect()
}

/// The Static Analysis Results Interchange Format, version 2.1.0. Results are written as they are found.
#[derive(Default)]
pub(super) struct Sarif {
    /// Whether a result was written.
    has_results: bool,
    /// What is written after the results.
    rest: String,
    /// The URI of the last input with doubts.
    doubtful: Option<String>,
}

impl Sarif {
    /// Returns the text of a result.
    fn result(
        &mut self,
        id: &str,
        row: &Row,
        message: &str,
        line: Option<usize>,
        flags: &[&str],
    ) -> Printable {
        let rules = rules();
        let rule = rules.iter().position(|(other, ..)| *other == id);
        let level = rule.and_then(|rule| rules.get(rule)).map(|(_, level, _)| *level);
        // A finding of a page is in the page.
        let uri = match row.what {
            What::Page(_) => row.url(),
            _ => row.place.uri.clone(),
        };
        let region = line.map(|line| json!({ "startLine": line }));
        let result = json!({
            "ruleId": id,
            "ruleIndex": rule,
            "level": level,
            "message": { "text": message },
            "locations": [sarif::location(&uri, region)],
            "properties": { "flags": flags },
        });
        let before = if core::mem::replace(&mut self.has_results, true) { ",\n" } else { "\n" };
        let result = format!("{result:#}").replace('\n', "\n        ");
        json::part(&format!("{before}        {result}"))
    }
}

impl Sink for Sarif {
    fn begin(&mut self) -> Result<Printable> {
        let rules = rules().into_iter().map(|(id, level, text)| {
            json!({
                "id": id,
                "shortDescription": { "text": text },
                "defaultConfiguration": { "level": level },
            })
        });
        let rules: Vec<Value> = rules.collect();
        let log = format!("{:#}\n", sarif::log(&rules, Vec::new(), &Failures::default()));
        let start = log.find(NO_RESULTS).map(|at| at + NO_RESULTS.len() - 1).expect("a log has results");
        let (start, rest) = log.split_at(start);
        rest.clone_into(&mut self.rest);
        Ok(json::part(start))
    }

    fn add(&mut self, row: &Row) -> Result<Printable> {
        let (name, reason, crawler) = (&row.place.name, row.reason(), row.crawler());
        let mut text = Printable::default();
        if row.place.doubts().next().is_some() && self.doubtful.as_ref() != Some(&row.place.uri) {
            self.doubtful = Some(row.place.uri.clone());
            let flags = row.place.flags(false);
            for doubt in row.place.doubts() {
                text.append(self.result("doubtful-file", row, &format!("{name}: {doubt}"), None, &flags));
            }
        }
        if let What::Page(said) = &row.what {
            for code in &said.codes {
                let found = Problem::ALL.iter().find(|problem| problem.code() == *code);
                let says = found.map(ToString::to_string).unwrap_or_default();
                let message = format!("{}: {crawler}: {says}", row.url());
                text.append(self.result(code, row, &message, None, &[]));
            }
        }
        let (id, message) = match &row.what {
            What::Page(said) if said.access == PageAccess::Unknown => {
                ("page-unreadable", format!("{}: {crawler}: {reason}", row.url()))
            }
            What::Page(said) if !said.is_finding() => return Ok(text),
            What::Page(_) => ("page-not-indexable", format!("{}: {crawler}: {reason}", row.url())),
            What::Verdict(decided) if !decided.is_finding() => return Ok(text),
            What::Verdict(decided) => match decided.about {
                About::Site(_) => ("crawler-shut-out", format!("{crawler} may access nothing: {reason}")),
                About::Submitted(_) => (
                    "submitted-url-disallowed",
                    format!("the URL {} of a sitemap is disallowed for {crawler}: {reason}", row.url()),
                ),
                About::Listed(_) => {
                    ("url-disallowed", format!("{} is disallowed for {crawler}: {reason}", row.url()))
                }
            },
            What::Expected(outcome, _) => {
                let id = if outcome.name() == "broken" { "access-not-wanted" } else { "access-unknown" };
                (id, format!("{name}: {crawler}: {reason}"))
            }
            What::Failed(_) => ("input-unreadable", format!("{name}: {reason}")),
            What::Problem(_) => ("sitemap-unreadable", reason.clone().into_owned()),
            What::LeftOut(_) => ("not-checked", reason.clone().into_owned()),
            What::Unchecked | What::OfList(..) => ("not-checked", format!("{name}: {reason}")),
        };
        text.append(self.result(id, row, &message, row.line(), &row.flags()));
        Ok(text)
    }

    fn end(&mut self, _: &Totals, _: &[String]) -> Result<Printable> {
        let before = if self.has_results { "\n      " } else { "" };
        Ok(json::part(&format!("{before}{}", self.rest)))
    }
}
