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
    let is_signal = view.record.kind == RecordKind::ContentSignal;
    let (own, other) =
        if is_signal { ("Content-Signal", "Content-Usage") } else { ("Content-Usage", "Content-Signal") };
    for term in view.terms.iter().filter(|term| matches!(term.fault, TermFault::OfOther)) {
        let written = shown(term.span.of(view.body));
        let is_one = |words: [&str; 2]| {
            words.iter().any(|word| term.value.bytes().eq_ignore_ascii_case(word.as_bytes()))
        };
        let name = term.name.to_ascii_lowercase();
        let name = match &*name {
            "train-ai" | "ai-train" if is_signal => "ai-train",
            "train-ai" | "ai-train" => "train-ai",
            "search" => "search",
            "ai-input" if is_signal => "ai-input",
            // Only Content-Signal has a word for it.
            _ => {
                let message = format!("`{written}` belongs in a {other} line");
                let value = match (is_one(["y", "yes"]), is_one(["n", "no"])) {
                    (true, _) => "yes",
                    (_, true) => "no",
                    _ => "",
                };
                let help = match value {
                    "" => format!(
                        "write it in a {other} line, with `yes` or `no`; {own} has no word for this use"
                    ),
                    value => format!("write `{other}: {name}={value}`; {own} has no word for this use"),
                };
                drafts.add(Draft::new(view.record.line, term.span, message).help(help));
                continue;
            }
        };
        let value = match (is_one(["y", "yes"]), is_one(["n", "no"])) {
            (true, _) if is_signal => "yes",
            (true, _) => "y",
            (_, true) if is_signal => "no",
            (_, true) => "n",
            _ => "",
        };
        let message = format!("`{written}` is not a preference of {own} lines");
        let draft = Draft::new(view.record.line, term.span, message);
        drafts.add(match value {
            "" => draft.help(
                "Content-Signal uses `ai-train`, `ai-input` and `search` with `yes` or `no`; Content-Usage uses `train-ai` and `search` with `y` or `n`",
            ),
            value => {
                let meant = format!("{name}={value}");
                draft.help(format!("write `{meant}` in a {own} line")).suggest(term.span, meant)
            }
        });
    }
}
