//! A Clean-param line is not valid.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::Drafts;
use crate::lint::severity::Severity;
use crate::lint::subject::RecordView;
use crate::records::RecordKind;

pub(crate) const LINT: Declaration = Declaration {
    code: "clean-param",
    severity: Severity::Warning,
    title: "A Clean-param line is not valid",
    check: Check::Record(check),
};

const HELP: &str = "write the parameters with `&` between them, then a space and the path they are for";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::CleanParam, HELP, drafts);
}
