//! The numbers of an audit.

use core::fmt;

use super::listed::Listed;
use super::outcome::{Outcome, Status};
use crate::extent::Extent;
use crate::failure::FAILED;

/// The numbers of inputs and of verdicts.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub(super) inputs: usize,
    /// The files in which a rule was read.
    pub(super) rules: usize,
    /// The robots.txt files without a rule, and the files that are something else, such as an HTML page.
    pub(super) without_rules: usize,
    pub(super) not_robots_txt: usize,
    pub(super) everything: usize,
    pub(super) nothing: usize,
    pub(super) failed: usize,
    /// Verdicts about URLs of the list, and how many of them disallow.
    pub(super) urls: usize,
    pub(super) disallowed: usize,
    /// Verdicts about URLs of sitemaps, and how many of them disallow.
    pub(super) submitted: usize,
    pub(super) blocked: usize,
    /// Sitemaps that could not be read, and what of them was not checked.
    pub(super) problems: usize,
    /// Parts of the sitemaps that were not checked: after a limit, and URLs of other sites.
    not_checked: usize,
    /// The crawlers that may access nothing of an input.
    pub(super) shut_out: usize,
    /// The inputs that are not UTF-8, and that were cut at the size limit.
    not_utf8: usize,
    cut: usize,
    /// The inputs that have no URL of the list.
    pub(super) unchecked: usize,
    /// Parts of the list that were not checked, with their sizes.
    left_out: Vec<(&'static str, usize)>,
}

impl Totals {
    pub(super) fn add(&mut self, outcome: &Outcome) {
        self.inputs += 1;
        match outcome.status {
            Status::Rules if outcome.is_not_robots_txt() => self.not_robots_txt += 1,
            Status::Rules if outcome.has_rules() => self.rules += 1,
            Status::Rules => self.without_rules += 1,
            Status::Everything => self.everything += 1,
            Status::Nothing => self.nothing += 1,
            Status::Failed => self.failed += 1,
        }
        for row in &outcome.rows {
            match (row.extent, row.submitted) {
                (Some(extent), _) => self.shut_out += usize::from(extent == Extent::Nothing),
                (None, false) => {
                    self.urls += 1;
                    self.disallowed += usize::from(!row.verdict.is_allowed());
                }
                (None, true) => self.blocked += usize::from(!row.verdict.is_allowed()),
            }
        }
        self.not_utf8 += usize::from(outcome.flags.is_some_and(|flags| flags.not_utf8));
        self.cut += usize::from(outcome.flags.is_some_and(|flags| flags.cut));
        self.unchecked += usize::from(outcome.is_unchecked);
        self.submitted += outcome.submitted;
        self.problems += outcome.problems.len();
        self.not_checked += outcome.not_checked.len();
    }

    /// Adds the parts of the list that could not be read, or were not checked.
    pub(super) fn add_list(&mut self, list: &Listed) {
        self.problems += list.problems().len();
        self.left_out = list.left_out().collect();
    }

    /// Returns whether a part of the list was not checked.
    pub(super) const fn is_incomplete(&self) -> bool {
        self.unchecked + self.not_checked > 0 || !self.left_out.is_empty()
    }

    /// Returns a sentence about inputs whose rules may be others than their owners mean.
    pub(super) fn doubts(&self) -> Option<String> {
        let all = [
            (self.not_robots_txt, "is not a robots.txt file", "are not robots.txt files"),
            (self.not_utf8, "is not UTF-8", "are not UTF-8"),
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
        if self.failed + self.problems > 0 {
            return FAILED;
        }
        u8::from(self.disallowed + self.blocked + self.shut_out > 0)
    }

    /// Returns the numbers that are not zero, and the first, each with its name.
    pub(super) fn named(&self) -> Vec<(&'static str, usize)> {
        let all = [
            ("inputs", self.inputs),
            ("with rules", self.rules),
            ("without rules", self.without_rules),
            ("not robots.txt files", self.not_robots_txt),
            ("without a robots.txt", self.everything),
            ("unreachable or restricted", self.nothing),
            ("failed", self.failed),
            ("crawlers that may access nothing", self.shut_out),
            ("verdicts about URLs", self.urls),
            ("disallowed URLs", self.disallowed),
            ("verdicts about submitted URLs", self.submitted),
            ("submitted URLs that are disallowed", self.blocked),
            ("problems with sitemaps", self.problems),
            ("parts of sitemaps that were not checked", self.not_checked),
            ("inputs without a URL of the list", self.unchecked),
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
        self.doubts().map_or(Ok(()), |doubts| write!(f, "\n{doubts}"))
    }
}
