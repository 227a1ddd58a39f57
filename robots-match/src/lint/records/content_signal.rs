//! A signal or value is not in the Content Signals Policy.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{RecordView, TermFault};
use crate::lint::text::shown;
use crate::records::RecordKind;

pub(crate) const LINT: Declaration = Declaration {
    code: "content-signal",
    severity: Severity::Warning,
    title: "A signal or value is not in the Content Signals Policy",
    check: Check::Record(check),
};

const HELP: &str =
    "write `search`, `ai-input` or `ai-train` with `yes` or `no`, as in `search=yes, ai-train=no`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::ContentSignal, HELP, drafts);
    if view.record.kind != RecordKind::ContentSignal {
        return;
    }
    for term in &view.terms {
        let name = &term.name;
        let (span, message) = match term.fault {
            TermFault::Name => {
                (term.name_span, format!("`{name}` is not a signal of the Content Signals Policy"))
            }
            TermFault::Value(values) => {
                let (value, all) = (shown(term.value.bytes()), values.join("`, `"));
                (term.value.span(), format!("`{value}` is not a value of `{name}`; its values are `{all}`"))
            }
            _ => continue,
        };
        drafts.add(Draft::new(view.record.line, span, message).help(HELP));
    }
}
