//! The formats of an audit. Each takes rows one by one.

use core::fmt::Write as _;

use serde_json::{Value, json};

use super::row::{About, Row, What};
use super::totals::Totals;
use crate::failure::Result;
use crate::html;
use crate::json;
use crate::output::Style;
use crate::sarif;
use crate::table::CsvArguments;
use crate::text::escaped_json;

/// A format of rows.
pub(super) trait Sink {
    /// Returns the text before the first row.
    fn begin(&mut self) -> Result<String> {
        Ok(String::new())
    }

    /// Returns the text of a row, or keeps the row.
    fn add(&mut self, row: &Row) -> Result<String>;

    /// Returns the text after the last row.
    fn end(&mut self, totals: &Totals, crawlers: &[String]) -> Result<String>;
}

/// Lines for people.
pub(super) struct Human;

impl Sink for Human {
    fn add(&mut self, row: &Row) -> Result<String> {
        let (site, reason) = (&row.place.name, row.reason());
        let (word, style) = match &row.what {
            What::Verdict(decided) => {
                let word = decided.access();
                let style = match word {
                    "nothing" | "disallowed" => Some(Style::Disallowed),
                    "all" | "allowed" => Some(Style::Allowed),
                    _ => None,
                };
                let shown = style.map_or_else(|| word.to_owned(), |style| style.paint(word).to_string());
                let padding = " ".repeat(10_usize.saturating_sub(word.len()));
                let what = if row.kind() == "submitted" { "submitted URL: " } else { "" };
                let url = decided.url().map(|_| format!("{}  ", row.url())).unwrap_or_default();
                let flags = match row.flags() {
                    flags if flags.is_empty() => String::new(),
                    flags => format!("  [{}]", flags.join(", ")),
                };
                let reason = Style::Faint.paint(reason);
                return Ok(format!(
                    "{shown}{padding}  {site}  {}  {what}{url}{reason}{flags}\n",
                    row.crawler()
                ));
            }
            What::Failed(_) => ("failed", Style::Error),
            What::Unchecked => ("unchecked", Style::Note),
            What::Problem(_) => ("problem", Style::Note),
            What::LeftOut(_) => ("left out", Style::Note),
            // The totals have the numbers.
            What::OfList(..) => return Ok(String::new()),
        };
        Ok(format!("{:<10}  {site}  {reason}\n", style.paint(word)))
    }

    fn end(&mut self, totals: &Totals, _: &[String]) -> Result<String> {
        Ok(format!("{totals}\n"))
    }
}

/// Comma-separated values (RFC 4180).
pub(super) struct Csv(pub(super) CsvArguments);

impl Sink for Csv {
    fn begin(&mut self) -> Result<String> {
        let head =
            ["input", "status", "kind", "crawler", "url", "access", "line", "reason", "flags", "profile"];
        self.0.rows(&[head.map(str::to_owned).to_vec()])
    }

    fn add(&mut self, row: &Row) -> Result<String> {
        self.0.rows(&[vec![
            row.place.name.clone(),
            row.place.status.map_or("", |status| status.name()).to_owned(),
            row.kind().to_owned(),
            row.crawler(),
            row.url(),
            row.access().to_owned(),
            row.line().map(|line| line.to_string()).unwrap_or_default(),
            row.reason().into_owned(),
            row.flags().join(","),
            row.decided().map(|decided| decided.profile.document.to_string()).unwrap_or_default(),
        ]])
    }

    fn end(&mut self, _: &Totals, _: &[String]) -> Result<String> {
        Ok(String::new())
    }
}

/// An object on each line.
pub(super) struct JsonLines;

impl Sink for JsonLines {
    fn add(&mut self, row: &Row) -> Result<String> {
        json::line(&row.document())
    }

    fn end(&mut self, _: &Totals, _: &[String]) -> Result<String> {
        Ok(String::new())
    }
}

/// The kinds of findings in SARIF: id, level and description.
const RULES: [(&str, &str, &str); 7] = [
    ("submitted-url-disallowed", "error", "A URL of a sitemap is disallowed"),
    ("url-disallowed", "warning", "A URL is disallowed"),
    ("crawler-shut-out", "warning", "A crawler may access nothing"),
    ("sitemap-unreadable", "warning", "A sitemap, or a part of it, could not be read"),
    ("input-unreadable", "error", "A robots.txt could not be read"),
    ("doubtful-file", "warning", "Crawlers may read other rules in a file than its owner means"),
    ("not-checked", "note", "A part of a list of URLs or of a sitemap, or an input, was not checked"),
];

/// The Static Analysis Results Interchange Format, version 2.1.0.
#[derive(Default)]
pub(super) struct Sarif {
    results: Vec<Value>,
    /// The URI of the last input with doubts.
    doubtful: Option<String>,
}

impl Sarif {
    fn push(&mut self, id: &str, row: &Row, message: &str, line: Option<usize>, flags: &[&str]) {
        let rule = RULES.iter().position(|(other, ..)| *other == id);
        let level = rule.and_then(|rule| RULES.get(rule)).map(|(_, level, _)| *level);
        let region = line.map(|line| json!({ "startLine": line }));
        self.results.push(json!({
            "ruleId": id,
            "ruleIndex": rule,
            "level": level,
            "message": { "text": message },
            "locations": [sarif::location(&row.place.uri, region)],
            "properties": { "flags": flags },
        }));
    }
}

impl Sink for Sarif {
    fn add(&mut self, row: &Row) -> Result<String> {
        let (name, reason, crawler) = (&row.place.name, row.reason(), row.crawler());
        if row.place.doubts().next().is_some() && self.doubtful.as_ref() != Some(&row.place.uri) {
            self.doubtful = Some(row.place.uri.clone());
            let flags: Vec<&str> =
                row.place.flags.map(|flags| flags.names(false).collect()).unwrap_or_default();
            for doubt in row.place.doubts() {
                self.push("doubtful-file", row, &format!("{name}: {doubt}"), None, &flags);
            }
        }
        let (id, message) = match &row.what {
            What::Verdict(decided) if !decided.is_finding() => return Ok(String::new()),
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
            What::Failed(_) => ("input-unreadable", format!("{name}: {reason}")),
            What::Problem(_) => ("sitemap-unreadable", reason.clone().into_owned()),
            What::LeftOut(_) => ("not-checked", reason.clone().into_owned()),
            What::Unchecked | What::OfList(..) => ("not-checked", format!("{name}: {reason}")),
        };
        self.push(id, row, &message, row.line(), &row.flags());
        Ok(String::new())
    }

    fn end(&mut self, _: &Totals, _: &[String]) -> Result<String> {
        let rules = RULES.map(|(id, level, text)| {
            json!({
                "id": id,
                "shortDescription": { "text": text },
                "defaultConfiguration": { "level": level },
            })
        });
        let log = sarif::log(&rules, core::mem::take(&mut self.results), json!({}));
        Ok(escaped_json(&format!("{log:#}\n")))
    }
}

/// The number of rows that the page shows of each table.
const MOST_ROWS: usize = 10_000;

/// One page of HTML.
#[derive(Default)]
pub(super) struct Page {
    problems: Section,
    findings: Section,
    /// Rows of files that may not be what their owners mean.
    doubtful: Section,
    others: Section,
}

/// The first rows of a table, and the number of all.
#[derive(Default)]
struct Section {
    rows: Vec<Vec<String>>,
    count: usize,
}

impl Section {
    fn push(&mut self, row: impl FnOnce() -> Vec<String>) {
        self.count += 1;
        if self.rows.len() < MOST_ROWS {
            self.rows.push(row());
        }
    }

    fn html(&self, title: &str, head: &[&str]) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let left_out = match self.count - self.rows.len() {
            0 => String::new(),
            count => format!("<p>{count} more rows are left out; the format csv has all.</p>\n"),
        };
        let title = html::escaped(title);
        let table = html::table(&format!("{title}: {}", self.count), head, &self.rows);
        format!("<h2>{title}</h2>\n{table}{left_out}")
    }
}

impl Sink for Page {
    fn add(&mut self, row: &Row) -> Result<String> {
        let name = || row.place.name.clone();
        let cells = || {
            let url =
                if row.kind() == "submitted" { format!("{} (in a sitemap)", row.url()) } else { row.url() };
            let access = row.access().to_owned();
            vec![name(), row.crawler(), access, url, row.reason().into_owned(), row.flags().join(", ")]
        };
        match &row.what {
            What::Verdict(decided) if decided.is_finding() => self.findings.push(cells),
            What::Verdict(_) if row.place.doubts().next().is_some() => self.doubtful.push(cells),
            What::Verdict(_) => self.others.push(cells),
            // The numbers above the tables have it.
            What::OfList(..) => {}
            _ => self.problems.push(|| vec![name(), row.reason().into_owned()]),
        }
        Ok(String::new())
    }

    fn end(&mut self, totals: &Totals, crawlers: &[String]) -> Result<String> {
        let mut body = "<h1>Access of crawlers</h1>\n".to_owned();
        let verdict = match totals.is_clean() {
            true => "Nothing was found that blocks a crawler.",
            false => "Something needs a look.",
        };
        // Writing to memory can't fail.
        let _ = write!(body, "<p>{verdict}</p>\n<dl>\n");
        for (what, count) in totals.named() {
            let _ = writeln!(body, "<dt>{}</dt><dd>{count}</dd>", html::escaped(what));
        }
        let _ = writeln!(body, "</dl>");
        if let Some(doubts) = totals.doubts() {
            let _ = writeln!(body, "<p>Look at the files: {doubts}.</p>");
        }
        let _ = writeln!(body, "<p>Crawlers: {}</p>", html::escaped(&crawlers.join(", ")));
        let head = ["Input", "Crawler", "Access", "URL", "Deciding line", "Flags"];
        for section in [
            self.problems.html("Not read or not checked", &["Input", "Reason"]),
            self.findings.html("Blocked", &head),
            self.doubtful.html("Not blocked, but look at the file", &head),
            self.others.html("Not blocked", &head),
        ] {
            body.push_str(&section);
        }
        body.push_str(
            "<p>A deciding line is the line of the robots.txt that allows or disallows; the shortest disallowed path is in \
              parentheses where parts of a site are allowed.</p>\n",
        );
        Ok(html::page("Access of crawlers", &body))
    }
}
