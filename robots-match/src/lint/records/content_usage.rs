use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{RecordView, TermFault};
use crate::lint::text::shown;
use crate::records::RecordKind;

lint! {
    code: "content-usage",
    severity: warning,
    title: "A use or value is not in the vocabulary of AI preferences",
    check: Record(check),
    /// The vocabulary of AI preferences (draft-ietf-aipref-vocab) defines the uses `train-ai` and `search`, each with
    /// the value `y` or `n` in lower case. Crawlers ignore any other use or value. If the value is not a list of
    /// preferences, they ignore all of it.
    ///
    /// Write `train-ai` or `search` with `y` or `n`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Content-Usage: train-ai=never
    /// Content-Usage: /open/
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Content-Usage: /open/ train-ai=y, search=y
    /// ```
}

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
