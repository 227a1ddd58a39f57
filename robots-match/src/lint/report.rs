//! The findings in a file.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::lint::draft::Drafts;
use crate::lint::finding::Finding;
use crate::lint::registry::Lint;
use crate::lint::severity::Severity;

/// The findings in a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LintReport {
    /// The findings, in the order of the file.
    pub findings: Vec<Finding>,
    /// The number of further findings of each lint with more than [`LintReport::MAX_PER_LINT`].
    pub left_out: BTreeMap<Lint, usize>,
}

impl LintReport {
    /// The most findings that are listed for one lint and file.
    pub const MAX_PER_LINT: usize = Drafts::MAX;

    /// Returns the highest severity of the findings; `None` without findings.
    #[must_use]
    pub fn severest(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.lint.severity()).max()
    }

    /// Puts together what each lint has found.
    pub(crate) fn new(all: impl IntoIterator<Item = (Lint, Drafts)>) -> Self {
        let mut report = Self::default();
        for (lint, drafts) in all {
            report.findings.extend(drafts.list.into_iter().map(|draft| Finding::new(lint, draft)));
            if drafts.left_out > 0 {
                report.left_out.insert(lint, drafts.left_out);
            }
        }
        report.findings.sort_by_key(|finding| (finding.span.start(), finding.lint));
        report
    }
}
