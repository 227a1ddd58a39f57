use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{RecordView, TermFault};
use crate::lint::text::shown;
use crate::records::RecordKind;

lint! {
    code: "content-signal",
    severity: warning,
    title: "A signal or value is not in the Content Signals Policy",
    check: Record(check),
    /// The Content Signals Policy defines the signals `search`, `ai-input` and `ai-train`, each with the value `yes`
    /// or `no`. A trial extension adds `use` with the value `immediate`, `reference` or `full`. Any other name or
    /// value has no meaning: it neither permits nor forbids anything.
    ///
    /// Write one of these signals with one of its values.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Content-Signal: search=maybe, training=no
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Content-Signal: /blog/ search=yes, ai-train=no, use=reference
    /// ```
}

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
