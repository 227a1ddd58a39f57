//! Rows for people that stand for several: URLs of sitemaps that a rule disallows, and wanted access that crawlers of a purpose share.

use alloc::sync::Arc;
use std::collections::HashMap;

use super::row::{About, Place, Row, What};
use crate::expect::{MOST_NAMES, SharedAnswer};
use crate::output::{Style, TextLines};
use crate::rule_counts::{UrlRow, UrlRows};
use crate::text::{Text, listed};

/// The rows of one input that are not written yet. They are of one kind, and follow each other.
#[derive(Debug)]
pub(super) struct Together {
    place: Option<Arc<Place>>,
    submitted: UrlRows,
    /// Those of one entry of the file of wanted access.
    entry: usize,
    expected: Vec<Expected>,
    /// The positions in `expected` of answers that crawlers share.
    shared: HashMap<SharedAnswer, usize>,
}

/// Wanted access that crawlers do not have.
#[derive(Debug)]
struct Expected {
    name: &'static str,
    crawlers: Vec<Arc<str>>,
    reason: String,
}

impl Default for Together {
    fn default() -> Self {
        Self {
            place: None,
            submitted: UrlRows::new("submitted URL: ", "submitted URLs", Style::Faint),
            entry: 0,
            expected: Vec::new(),
            shared: HashMap::new(),
        }
    }
}

impl Together {
    /// Returns the lines of the rows before, if the next row is not one of them.
    pub(super) fn before(&mut self, row: &Row) -> TextLines {
        let is_same = match &row.what {
            What::Expected(outcome, _) => !self.expected.is_empty() && self.entry == outcome.entry,
            What::Verdict(decided) => {
                matches!(decided.about, About::Submitted(_)) && !self.submitted.is_empty()
            }
            _ => false,
        };
        if is_same && self.place.as_ref().is_some_and(|place| Arc::ptr_eq(place, &row.place)) {
            return TextLines::new();
        }
        self.end()
    }

    /// Keeps a row that may be written together with the next ones, and returns whether it is one.
    pub(super) fn add(&mut self, row: &Row) -> bool {
        let (site, crawler) = (&row.place.name, row.crawler());
        match &row.what {
            What::Expected(outcome, _) => {
                self.entry = outcome.entry;
                let next = self.expected.len();
                let place =
                    outcome.shared().map_or(next, |answer| *self.shared.entry(answer).or_insert(next));
                match self.expected.get_mut(place) {
                    Some(before) => before.crawlers.push(Arc::clone(&outcome.crawler)),
                    None => self.expected.push(Expected {
                        name: outcome.name(),
                        crawlers: vec![Arc::clone(&outcome.crawler)],
                        reason: row.reason().into_owned(),
                    }),
                }
            }
            What::Verdict(decided) if matches!(decided.about, About::Submitted(_)) => {
                let word = decided.access();
                let padding = " ".repeat(10_usize.saturating_sub(word.len()));
                let flags = match row.flags() {
                    flags if flags.is_empty() => String::new(),
                    flags => format!("  [{}]", flags.join(", ")),
                };
                self.submitted.add(UrlRow {
                    style: Style::of_verdict(decided.is_allowed()),
                    word,
                    about: format!("{padding}  {site}  {crawler}  "),
                    url: decided.url().map(|url| Text(url).short()).unwrap_or_default(),
                    cause: format!("{}{flags}", row.reason()),
                });
            }
            _ => return false,
        }
        self.place = Some(Arc::clone(&row.place));
        true
    }

    /// Returns the lines of all rows that are not written yet.
    pub(super) fn end(&mut self) -> TextLines {
        let Self { place, submitted, expected, .. } = core::mem::take(self);
        let mut lines = submitted.lines("`--format csv`");
        let site = place.as_ref().map(|place| &*place.name).unwrap_or_default();
        for Expected { name, crawlers, reason } in expected {
            let style = if name == "broken" { Style::Disallowed } else { Style::Note };
            let crawlers = listed(crawlers.iter().map(|name| &**name), MOST_NAMES);
            lines.add(format_args!("{:<10}  {site}  {crawlers}  {reason}", style.paint(name)));
        }
        lines
    }
}
