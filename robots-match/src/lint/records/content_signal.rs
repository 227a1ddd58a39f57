//! A content signal is none that its policy knows.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{RecordView, TermFault};
use crate::lint::text::shown;
use crate::records::Kind;

pub(crate) const LINT: Declaration = Declaration {
    code: "content-signal",
    severity: Severity::Warning,
    title: "A content signal is none that its policy knows",
    page: include_str!("content_signal.md"),
    check: Check::Record(check),
};

const HELP: &str =
    "write `search`, `ai-input` or `ai-train` with `yes` or `no`, as in `search=yes, ai-train=no`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts) {
    view.report(Kind::ContentSignal, HELP, drafts);
    if view.record.kind != Kind::ContentSignal {
        return;
    }
    for term in &view.terms {
        let name = &term.name;
        let (span, message) = match term.fault {
            TermFault::Name => (term.name_span, format!("the Content Signals Policy has no signal `{name}`")),
            TermFault::Value(values) => {
                let (value, all) = (shown(term.value.octets()), values.join("`, `"));
                (term.value.span(), format!("the signal `{name}` has no value `{value}`: there are `{all}`"))
            }
            _ => continue,
        };
        drafts.add(Draft::new(view.record.line, span, message).help(HELP));
    }
}
