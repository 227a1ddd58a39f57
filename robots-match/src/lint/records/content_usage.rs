//! A preference is none that its vocabulary knows.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{RecordView, TermFault};
use crate::lint::text::shown;
use crate::records::Kind;

pub(crate) const LINT: Declaration = Declaration {
    code: "content-usage",
    severity: Severity::Warning,
    title: "A preference is none that its vocabulary knows",
    page: include_str!("content_usage.md"),
    check: Check::Record(check),
};

const HELP: &str = "write `train-ai` or `search` with `y` or `n`, as in `search=y, train-ai=n`";

fn check(view: &RecordView<'_>, drafts: &mut Drafts) {
    view.report(Kind::ContentUsage, HELP, drafts);
    if view.record.kind != Kind::ContentUsage {
        return;
    }
    for term in &view.terms {
        let written = shown(term.span.of(view.body));
        let message = match term.fault {
            TermFault::List => format!("`{written}` is no list of preferences, so none of it is heard"),
            TermFault::Name => format!("the vocabulary of AI preferences has no use `{}`", term.name),
            TermFault::Value(_) => format!("`{written}` says neither `y` nor `n`"),
            TermFault::OfOther => continue,
        };
        drafts.add(Draft::new(view.record.line, term.span, message).help(HELP));
    }
}
