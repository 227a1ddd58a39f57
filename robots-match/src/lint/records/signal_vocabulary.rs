use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{RecordView, TermFault};
use crate::lint::text::shown;
use crate::records::RecordKind;

lint! {
    code: "signal-vocabulary",
    severity: warning,
    title: "Content-Signal and Content-Usage are mixed up",
    check: Record(check),
    /// Two lines with similar names use different words. `Content-Signal` uses `ai-train`, `ai-input` and `search`
    /// with `yes` or `no`. `Content-Usage` uses `train-ai` and `search` with `y` or `n`. Crawlers ignore the words of
    /// the other line.
    ///
    /// Write the words that belong to the line.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Content-Signal: search=yes, train-ai=no
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Content-Signal: search=yes, ai-train=no
    /// Content-Usage: train-ai=n
    /// ```
}

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
