//! The value of a Host line is not a host name.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::Drafts;
use crate::lint::severity::Severity;
use crate::lint::subject::RecordView;
use crate::records::RecordKind;

pub(crate) const LINT: Declaration = Declaration {
    code: "host-name",
    severity: Severity::Note,
    title: "The value of a Host line is not a host name",
    check: Check::Record(check),
};

const HELP: &str = "write the name of the host, such as `www.example.com`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::Host, HELP, drafts);
}
