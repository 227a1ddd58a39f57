//! A request rate is not valid.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::Drafts;
use crate::lint::severity::Severity;
use crate::lint::subject::RecordView;
use crate::records::RecordKind;

pub(crate) const LINT: Declaration = Declaration {
    code: "request-rate",
    severity: Severity::Warning,
    title: "A request rate is not valid",
    check: Check::Record(check),
};

const HELP: &str = "write a number of requests, a slash and a time, as in `1/10s`; hours may follow, as in `1/10s 0600-0845`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::RequestRate, HELP, drafts);
}
