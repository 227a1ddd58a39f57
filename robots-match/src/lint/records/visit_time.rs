//! A visit time is not valid.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::Drafts;
use crate::lint::severity::Severity;
use crate::lint::subject::RecordView;
use crate::records::RecordKind;

pub(crate) const LINT: Declaration = Declaration {
    code: "visit-time",
    severity: Severity::Warning,
    title: "A visit time is not valid",
    check: Check::Record(check),
};

const HELP: &str = "write two times of the day in UTC, as in `0600-0845`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::VisitTime, HELP, drafts);
}
