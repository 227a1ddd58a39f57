//! The findings in a file.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::lint::code::Lint;
use crate::lint::context::LintContext;
use crate::lint::draft::Drafts;
use crate::lint::finding::Finding;
use crate::lint::severity::Severity;
use crate::profile::Profile;

/// The findings in a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LintReport {
    /// The findings, in the order of the file.
    pub findings: Vec<Finding>,
    /// The number of further findings of each lint with more than [`LintReport::MAX_PER_LINT`], by severity.
    pub left_out: BTreeMap<(Lint, Severity), usize>,
    /// How the file was read.
    pub(crate) profile: Profile,
    /// The lints that were left out.
    pub(crate) ignored: Vec<Lint>,
    pub(crate) ignores_comments: bool,
}

impl LintReport {
    /// The most findings that are listed for one lint and file.
    pub const MAX_PER_LINT: usize = 100;

    /// Returns the highest severity of the findings; `None` without findings.
    #[must_use]
    pub fn severest(&self) -> Option<Severity> {
        let listed = self.findings.iter().map(|finding| finding.severity);
        listed.chain(self.left_out.keys().map(|(_, severity)| *severity)).max()
    }

    /// Puts together what each lint has found.
    pub(crate) fn new<'s>(
        all: impl IntoIterator<Item = (Lint, Drafts<'s>)>,
        context: &LintContext<'_>,
    ) -> Self {
        let mut report = Self {
            profile: context.profile,
            ignored: context.ignored.to_vec(),
            ignores_comments: context.ignores_comments,
            ..Self::default()
        };
        for (lint, drafts) in all {
            let (list, left_out) = drafts.finish();
            let findings = list.into_iter().map(|(severity, draft)| Finding::new(lint, severity, draft));
            report.findings.extend(findings);
            report.left_out.extend(left_out.map(|(severity, count)| ((lint, severity), count)));
        }
        report.findings.sort_by_key(|finding| (finding.span.start(), finding.lint));
        report
    }
}
