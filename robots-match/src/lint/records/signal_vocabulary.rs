//! Content-Signal and Content-Usage are mixed up.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{RecordView, TermFault};
use crate::lint::text::shown;
use crate::records::RecordKind;

pub(crate) const LINT: Declaration = Declaration {
    code: "signal-vocabulary",
    severity: Severity::Warning,
    title: "Content-Signal and Content-Usage are mixed up",
    check: Check::Record(check),
};

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    for term in view.terms.iter().filter(|term| matches!(term.fault, TermFault::OfOther)) {
        let (written, other) = match view.record.kind {
            RecordKind::ContentSignal => {
                (format!("{}={}", term.name, shown(term.value.bytes())), "Content-Usage")
            }
            _ => (shown(term.span.of(view.body)), "Content-Signal"),
        };
        let message = format!("`{written}` belongs in a {other} line");
        drafts.add(Draft::new(view.record.line, term.span, message).help(
            "Content-Signal uses `ai-train`, `ai-input` and `search` with `yes` or `no`; Content-Usage uses `train-ai` and `search` with `y` or `n`",
        ));
    }
}
