//! A line that belongs in a group is outside of all groups.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::RecordView;
use crate::lint::text::shown;
use crate::records::ProblemKind;

pub(crate) const LINT: Declaration = Declaration {
    code: "record-outside-group",
    severity: Severity::Warning,
    title: "A line that belongs in a group is outside of all groups",
    check: Check::Record(check),
};

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    let record = view.record;
    for problem in record.problems.iter().filter(|problem| problem.kind == ProblemKind::NoGroup) {
        let message =
            format!("`{}` is outside of all groups, so crawlers ignore it", shown(record.key.bytes()));
        drafts.add(
            Draft::new(record.line, problem.span, message)
                .help("move it below the user-agent line of the crawlers that it is for"),
        );
    }
}
