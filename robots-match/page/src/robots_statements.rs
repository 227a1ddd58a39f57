//! `Content-Usage` and `Content-Signal` of robots.txt about a page.

use alloc::vec::Vec;

use robots_match::records::{CrawlFacts, Statement};
use robots_match::{Crawler, Robots, RuleSet};

use crate::reader::{signal_record, usage_record};
use crate::record::{Record, Source};

/// What robots.txt states about the use of a page: `Content-Usage` (draft-ietf-aipref-attach-05, section 3) and
/// `Content-Signal`.
///
/// ```
/// use robots_page::matching::{Crawler, Document, Robots};
/// use robots_page::{PagePolicy, PageReader, Preference, RobotsStatements};
///
/// let robots = Robots::new("User-agent: *\nAllow: /\nContent-Usage: train-ai=n\n", Document::Rfc9309);
/// let bot = Crawler::new("ExampleBot")?;
/// let statements = RobotsStatements::new(&robots, &bot, b"/page");
///
/// let mut reader = PageReader::new(PagePolicy::REPEXT);
/// reader.field(b"Content-Usage", b"train-ai=y");
/// let page = reader.finish();
/// let rules = page.for_crawler(&bot).with_robots(statements.records());
/// assert_eq!(rules.training().value, Preference::Disallowed);
/// assert_eq!(rules.training().source.unwrap().source.to_string(), "robots.txt line 3");
/// # Ok::<(), robots_page::matching::InvalidName>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RobotsStatements {
    records: Vec<Record>,
}

impl RobotsStatements {
    /// Reads the statements of a file about the page at `path` (path and query, as sent). A path that the crawler may not
    /// access has no preferences.
    #[must_use]
    pub fn new(robots: &Robots, crawler: &Crawler, path: &[u8]) -> Self {
        Self::from_facts(&CrawlFacts::new(robots, crawler), &robots.rules(crawler), path)
    }

    /// Takes the statements from facts that were read before. `rules` are those of the same crawler.
    #[must_use]
    pub fn from_facts(facts: &CrawlFacts, rules: &RuleSet, path: &[u8]) -> Self {
        let source = |statement: Statement| Source::Robots { line: statement.line, span: statement.span };
        let mut records = Vec::new();
        for (statement, preferences) in facts.usage_statements(path, rules).into_iter().flatten() {
            let Some(preferences) = preferences else { continue };
            let of_labels =
                preferences.iter().map(|(label, granted)| usage_record(source(statement), label, granted));
            records.extend(of_labels);
        }
        let signals = ["search", "ai-input", "ai-train"].into_iter().filter_map(|name| {
            let (statement, granted) = facts.signal_statement(name, path)?;
            Some(signal_record(source(statement), name, granted))
        });
        let mut signals = signals.peekable();
        // Most files have no signals, so the rules are asked last.
        if signals.peek().is_some() && rules.check(path).is_allowed() {
            records.extend(signals);
        }
        Self { records }
    }

    /// Returns the statements.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robots_match::Document;

    #[test]
    fn a_path_that_may_not_be_fetched_has_no_signals() {
        let bot = Crawler::new("ExampleBot").unwrap();
        let text = "User-agent: *\nContent-Signal: ai-train=no\nDisallow: /a/\n";
        let robots = Robots::new(text, Document::Rfc9309);
        assert!(RobotsStatements::new(&robots, &bot, b"/a/x").records().is_empty());
        assert_eq!(RobotsStatements::new(&robots, &bot, b"/b").records().len(), 1);
    }
}
