//! A use or value is not in the vocabulary of AI preferences.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{RecordView, TermFault};
use crate::lint::text::shown;
use crate::records::RecordKind;

pub(crate) const LINT: Declaration = Declaration {
    code: "content-usage",
    severity: Severity::Warning,
    title: "A use or value is not in the vocabulary of AI preferences",
    check: Check::Record(check),
};

const HELP: &str = "write `train-ai` or `search` with `y` or `n`, as in `search=y, train-ai=n`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::ContentUsage, HELP, drafts);
    if view.record.kind != RecordKind::ContentUsage {
        return;
    }
    for term in &view.terms {
        let written = shown(term.span.of(view.body));
        let message = match term.fault {
            TermFault::List => {
                format!("`{written}` is not a list of preferences, so crawlers ignore all of it")
            }
            TermFault::Name => format!("`{}` is not a use in the vocabulary of AI preferences", term.name),
            TermFault::Value(_) => format!("`{written}` has a value other than `y` and `n`"),
            TermFault::OfOther => continue,
        };
        drafts.add(Draft::new(view.record.line, term.span, message).help(HELP));
    }
}
