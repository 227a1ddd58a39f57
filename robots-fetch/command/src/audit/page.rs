//! An audit as one page of HTML.

use super::formats::{access, name};
use super::listed::Listed;
use super::outcome::{Outcome, Status, UNCHECKED};
use super::sarif::is_finding;
use super::totals::Totals;
use crate::arguments::NamedCrawler;
use crate::html;
use crate::text::Text;

/// The number of rows that the page shows of each table.
const MOST_ROWS: usize = 10_000;

/// The rows of the page.
#[derive(Debug, Default)]
pub(super) struct Page {
    findings: Rows,
    /// Rows of files that may not be what their owners mean.
    doubtful: Rows,
    others: Rows,
    problems: Rows,
}

/// The first rows of a table, and the number of all.
#[derive(Debug, Default)]
struct Rows {
    rows: Vec<Vec<String>>,
    count: usize,
}

impl Rows {
    fn push(&mut self, row: impl FnOnce() -> Vec<String>) {
        self.count += 1;
        if self.rows.len() < MOST_ROWS {
            self.rows.push(row());
        }
    }

    fn section(&self, title: &str, head: &[&str]) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let left_out = match self.count - self.rows.len() {
            0 => String::new(),
            count => format!("<p>{count} more rows are left out; the format csv has all.</p>\n"),
        };
        let title = html::escaped(title);
        format!(
            "<h2>{title}</h2>\n{}{left_out}",
            html::table(&format!("{title}: {}", self.count), head, &self.rows)
        )
    }
}

impl Page {
    pub(super) fn add(&mut self, outcome: &Outcome, crawlers: &[NamedCrawler]) {
        for row in &outcome.rows {
            let cells = || {
                let url = row.url.as_deref().map(|url| Text(url).to_string()).unwrap_or_default();
                let url = if row.submitted { format!("{url} (in a sitemap)") } else { url };
                vec![
                    outcome.name.clone(),
                    name(crawlers, row.crawler),
                    access(row).to_owned(),
                    url,
                    row.decides.clone(),
                    outcome.flags(Some(row)).join(", "),
                ]
            };
            match is_finding(row) {
                true => self.findings.push(cells),
                false if outcome.doubts().next().is_some() => self.doubtful.push(cells),
                false => self.others.push(cells),
            }
        }
        let problem = |what: &str| vec![outcome.name.clone(), what.to_owned()];
        if outcome.status == Status::Failed {
            self.problems.push(|| problem(outcome.note.as_deref().unwrap_or_default()));
        }
        if outcome.is_unchecked {
            self.problems.push(|| problem(UNCHECKED));
        }
        for what in outcome.problems.iter().chain(&outcome.not_checked) {
            self.problems.push(|| problem(what));
        }
    }

    /// Adds the parts of the list that could not be read.
    pub(super) fn add_list(&mut self, list: &Listed) {
        for problem in list.problems() {
            self.problems.push(|| vec![list.name.clone(), problem.clone()]);
        }
    }

    pub(super) fn finish(self, totals: &Totals, crawlers: &[NamedCrawler]) -> String {
        let mut body = "<h1>Access of crawlers</h1>\n".to_owned();
        let found = totals.disallowed + totals.blocked + totals.shut_out + totals.failed + totals.problems;
        let verdict = match found == 0 && !totals.is_incomplete() && totals.doubts().is_none() {
            true => "Nothing was found that blocks a crawler.",
            false => "Something needs a look.",
        };
        body.push_str(&format!("<p>{verdict}</p>\n<dl>\n"));
        for (what, count) in totals.named() {
            body.push_str(&format!("<dt>{}</dt><dd>{count}</dd>\n", html::escaped(what)));
        }
        body.push_str("</dl>\n");
        if let Some(doubts) = totals.doubts() {
            body.push_str(&format!("<p>Look at the files: {doubts}.</p>\n"));
        }
        let names: Vec<String> = (0..crawlers.len()).map(|index| name(crawlers, index)).collect();
        body.push_str(&format!("<p>Crawlers: {}</p>\n", html::escaped(&names.join(", "))));
        body.push_str(&self.problems.section("Not read or not checked", &["Input", "Reason"]));
        let head = ["Input", "Crawler", "Access", "URL", "Deciding line", "Flags"];
        body.push_str(&self.findings.section("Blocked", &head));
        body.push_str(&self.doubtful.section("Not blocked, but look at the file", &head));
        body.push_str(&self.others.section("Not blocked", &head));
        body.push_str(
            "<p>A deciding line is the line of the robots.txt that allows or disallows; the shortest disallowed path is in \
             parentheses where parts of a site are allowed.</p>\n",
        );
        html::page("Access of crawlers", &body)
    }
}
