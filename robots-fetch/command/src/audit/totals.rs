//! The numbers of an audit.

use core::fmt;

use super::page_answers::PageAccess;
use super::row::{About, Place, Row, Status, What};
use super::work::Counts;
use crate::expect::Answer;
use crate::failure::status;

/// The numbers of inputs and of verdicts.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    inputs: usize,
    /// The files in which a rule was read.
    rules: usize,
    /// The robots.txt files without a rule, and the files that are something else, such as an HTML page.
    without_rules: usize,
    not_robots_txt: usize,
    everything: usize,
    nothing: usize,
    /// The sites that gave no answer, of those that are open or closed because of it.
    unanswered: usize,
    failed: usize,
    /// Verdicts about URLs of the list, and how many of them disallow.
    urls: usize,
    disallowed: usize,
    /// Verdicts about URLs of sitemaps, and how many of them disallow.
    submitted: usize,
    blocked: usize,
    /// Sitemaps that could not be read, and what of them was not checked.
    problems: usize,
    /// Parts of the sitemaps that were not checked: after a limit, and URLs of other sites.
    not_checked: usize,
    /// Pages, for each crawler: all, those that may not be indexed, and those about which nothing is known.
    pages: usize,
    not_indexable: usize,
    unknown_pages: usize,
    /// Inputs and crawlers that may access nothing of them by a rule.
    shut_out: usize,
    /// The inputs that are not UTF-8, and that were cut at the size limit.
    not_utf8: usize,
    cut: usize,
    /// The sites that refuse access to their robots.txt, and are open because of it.
    refused: usize,
    /// The inputs that have no URL of the list.
    unchecked: usize,
    /// Wanted access that crawlers have, that they do not have, and about which nothing is known.
    joined: usize,
    kept: usize,
    broken: usize,
    unknown: usize,
    /// Crawlers and URLs that are blocked as it is wanted.
    as_wanted: usize,
    /// Parts of the list that were not checked, with their sizes.
    left_out: Vec<(&'static str, usize)>,
}

impl Totals {
    /// Counts an input, and the verdicts about URLs of its sitemaps.
    pub(super) fn add_input(&mut self, place: &Place, counts: Counts) {
        self.inputs += 1;
        match place.status {
            Some(Status::Rules) if place.is_not_robots_txt() => self.not_robots_txt += 1,
            Some(Status::Rules) if place.has_rules() => self.rules += 1,
            Some(Status::Rules) => self.without_rules += 1,
            Some(Status::Everything) => self.everything += 1,
            Some(Status::Nothing) => self.nothing += 1,
            Some(Status::Failed) | None => {}
        }
        self.not_utf8 += usize::from(place.flags.is_some_and(|flags| flags.not_utf8));
        self.joined += usize::from(!place.joined.is_empty());
        self.cut += usize::from(place.flags.is_some_and(|flags| flags.cut));
        self.unanswered += usize::from(place.received.is_unanswered);
        self.refused += usize::from(place.refusal().is_some());
        self.submitted += counts.submitted;
        self.kept += counts.kept;
    }

    pub(super) fn add(&mut self, row: &Row) {
        match &row.what {
            What::Verdict(decided) => {
                let found = usize::from(decided.is_finding());
                self.as_wanted += usize::from(decided.is_wanted);
                match decided.about {
                    // A site without an answer is counted once.
                    About::Site(_) if row.place.status == Some(Status::Nothing) => {}
                    About::Site(_) => self.shut_out += found,
                    About::Submitted(_) => self.blocked += found,
                    About::Listed(_) => {
                        self.urls += 1;
                        self.disallowed += found;
                    }
                }
            }
            What::Page(said) => {
                self.pages += 1;
                self.not_indexable += usize::from(said.is_finding());
                self.unknown_pages += usize::from(said.access == PageAccess::Unknown);
            }
            What::Failed(_) => self.failed += 1,
            What::Unchecked => self.unchecked += 1,
            What::Problem(_) => self.problems += 1,
            What::LeftOut(_) => self.not_checked += 1,
            What::Expected(outcome, _) => match &*outcome.result {
                Answer::Broken { .. } => self.broken += 1,
                Answer::Unknown(_) => self.unknown += 1,
                Answer::Kept { .. } => self.kept += 1,
            },
            What::OfList(what, count) => self.left_out.push((what, *count)),
        }
    }

    /// Returns a sentence about inputs whose rules may be others than their owners mean.
    pub(super) fn doubts(&self) -> Option<String> {
        let all = [
            (self.not_robots_txt, "is not a robots.txt file", "are not robots.txt files"),
            (self.joined, "has records that ran together", "have records that ran together"),
            (self.not_utf8, "is not UTF-8", "are not UTF-8"),
            (
                self.refused,
                "refuses access to robots.txt, perhaps only to this program (try `--user-agent`)",
                "refuse access to robots.txt, perhaps only to this program (try `--user-agent`)",
            ),
            (self.cut, "was cut at the size limit", "were cut at the size limit"),
        ];
        let doubts: Vec<String> = all
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, several)| format!("{count} {}", if count == 1 { one } else { several }))
            .collect();
        let inputs = if self.inputs == 1 { "input" } else { "inputs" };
        (!doubts.is_empty()).then(|| format!("of {} {inputs}, {}", self.inputs, doubts.join(", ")))
    }

    /// Returns the exit status.
    pub(super) fn status(&self) -> u8 {
        let without = self.unanswered + self.failed + self.problems + self.unknown + self.unknown_pages;
        let closed = self.shut_out + self.nothing;
        let found = closed + self.disallowed + self.blocked + self.broken + self.not_indexable;
        status(without > 0, found > 0)
    }

    /// Returns the numbers that are not zero, and the first, each with its name.
    pub(super) fn named(&self) -> Vec<(&'static str, usize)> {
        let all = [
            ("robots.txt checked", self.inputs),
            ("with rules", self.rules),
            ("without rules", self.without_rules),
            ("not robots.txt files", self.not_robots_txt),
            ("without a robots.txt, so open", self.everything),
            ("without an answer, so closed", self.nothing),
            ("failed", self.failed),
            ("whole sites blocked for a crawler", self.shut_out),
            ("URLs checked", self.urls),
            ("URLs disallowed", self.disallowed),
            ("URLs of sitemaps checked", self.submitted),
            ("URLs of sitemaps disallowed", self.blocked),
            ("pages checked", self.pages),
            ("pages that may not be indexed", self.not_indexable),
            ("pages that could not be read", self.unknown_pages),
            ("as wanted", self.kept),
            ("not as wanted", self.broken),
            ("wanted, and nothing is known", self.unknown),
            ("blocked as wanted", self.as_wanted),
            ("problems with sitemaps and lists", self.problems),
            ("parts of sitemaps not checked", self.not_checked),
            ("without a URL of the list", self.unchecked),
        ];
        all.into_iter()
            .enumerate()
            .filter(|(index, (_, count))| *index == 0 || *count > 0)
            .map(|(_, named)| named)
            .chain(self.left_out.iter().copied())
            .collect()
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, count)) in self.named().into_iter().enumerate() {
            write!(f, "{}{name}: {count}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
