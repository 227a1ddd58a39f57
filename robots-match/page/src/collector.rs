//! Collects records and problems, up to a limit.

use alloc::vec::Vec;

use crate::problem::Problem;
use crate::record::{PageProblem, Place, Record, Scope, Source};
use crate::rule::Rule;

/// The most records, and the most problems, of a page.
pub(crate) const MOST: usize = 256;

#[derive(Clone, Debug, Default)]
pub(crate) struct Collector {
    pub(crate) records: Vec<Record>,
    pub(crate) problems: Vec<PageProblem>,
    /// Whether a record was left out.
    pub(crate) is_full: bool,
    /// Whether a value that can have rules was longer than what is kept of it.
    pub(crate) is_cut: bool,
}

impl Collector {
    pub(crate) fn record(&mut self, source: Source, scope: &Scope, rule: Rule) {
        if self.records.len() < MOST {
            self.records.push(Record { source, scope: scope.clone(), rule });
        } else {
            self.is_full = true;
        }
    }

    pub(crate) fn problem(&mut self, source: Source, problem: Problem) {
        let found = PageProblem { problem, source };
        if self.problems.len() < MOST && self.problems.last() != Some(&found) {
            self.problems.push(found);
        }
    }

    /// Gives the element at `start` the earlier part of the document of two. Returns whether the element is known.
    pub(crate) fn place_again(&mut self, start: usize, place: Place) -> bool {
        let sources = self.records.iter_mut().map(|record| &mut record.source);
        let mut is_known = false;
        for source in sources.chain(self.problems.iter_mut().map(|found| &mut found.source)) {
            match source {
                Source::Meta { span, place: known, .. } if span.start() == start => {
                    *known = place.min(*known);
                    is_known = true;
                }
                _ => {}
            }
        }
        is_known
    }
}
