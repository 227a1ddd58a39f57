//! Findings for people, each with the lines of the file.

use core::cmp::Reverse;

use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use robots_match::Document;
use robots_match::lint::{Edit, Finding, Severity};
use robots_match::syntax::is_hidden;

use super::checked_file::Checked;
use crate::output::TextLines;
use crate::text::Text;
use crate::text_view::{Part, View};

pub(super) fn human(file: &Checked<'_>) -> TextLines {
    let view = View::new(&file.body);
    let mut text = TextLines::new();
    // What matters most comes first.
    let mut findings: Vec<&Finding> = file.report.findings.iter().collect();
    findings.sort_by_key(|finding| Reverse(finding.severity));
    for finding in findings {
        text.append(finding_human(finding, file, &view));
        text.add_blank();
    }
    for ((lint, severity), count) in &file.report.left_out {
        let title = format!("{count} more findings of this kind in {}", file.name_and_host());
        let level = level(*severity);
        let group = Group::with_title(level.primary_title(title).id(lint.name()));
        text.append(TextLines::drawn(&Renderer::styled().render(&[group])));
        text.add_blank();
    }
    text
}

const fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    }
}

fn finding_human(finding: &Finding, file: &Checked<'_>, view: &View<'_>) -> TextLines {
    let shown = |text: &str| Text(text.as_bytes()).to_string();
    let title = level(finding.severity).primary_title(shown(&finding.message)).id(finding.lint.name());
    let part = view.part([finding.span]);
    let name = file.name_and_host();
    let snippet = Snippet::source(part.text).line_start(part.line).path(name.as_str());
    let mut group = Group::with_title(title);
    let mut marks = vec![AnnotationKind::Primary.span(view.range(part, finding.span))];
    // Another place is marked in the same snippet if it is in the same line.
    let mut elsewhere = None;
    if let Some((span, what)) = &finding.other {
        let other = view.part([*span]);
        if other.line == part.line {
            marks.push(AnnotationKind::Context.span(view.range(part, *span)).label(shown(what)));
        } else {
            let mark = AnnotationKind::Context.span(view.range(other, *span)).label(shown(what));
            elsewhere =
                Some(Snippet::source(other.text).line_start(other.line).path(name.as_str()).annotation(mark));
        }
    }
    group = group.element(snippet.annotations(marks));
    if let Some(snippet) = elsewhere {
        group = group.element(snippet);
    }
    if !finding.readers.is_empty() {
        group = group.element(Level::NOTE.message(format!("this affects {}", readers(&finding.readers))));
    }
    let help = finding.help.as_deref().map(shown);
    match patch(finding, view) {
        Some((part, range, replacement)) => {
            let fix = Level::HELP.secondary_title(help.unwrap_or_else(|| "make this correction".to_owned()));
            let snippet =
                Snippet::source(part.text).line_start(part.line).patch(Patch::new(range, replacement));
            TextLines::drawn(&Renderer::styled().render(&[group, fix.element(snippet)]))
        }
        None => {
            if let Some(help) = help {
                group = group.element(Level::HELP.message(help));
            }
            TextLines::drawn(&Renderer::styled().render(&[group]))
        }
    }
}

/// Returns the crawlers that follow the documents, as text for people.
fn readers(documents: &[Document]) -> String {
    if !documents.iter().any(|document| Document::CURRENT.contains(document)) {
        return "only very old crawlers".to_owned();
    }
    let shown: Vec<String> =
        documents.iter().map(|document| format!("{} ({document})", document.followers())).collect();
    match shown.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => shown.concat(),
    }
}

/// The most bytes of a line, and of what is put into it, for which a correction is shown.
const MOST_SHOWN: usize = 4096;

/// Returns the correction or the suggestion, if it can be shown as text. A very long one is not, as it would take much memory to
/// compare it with the line.
fn patch<'v>(finding: &Finding, view: &'v View<'_>) -> Option<(Part<'v>, core::ops::Range<usize>, String)> {
    let Edit { span, replacement, .. } = finding.fix.as_ref().or(finding.suggestion.as_ref())?;
    let part = view.part([*span]);
    if part.text.len() > MOST_SHOWN || replacement.len() > MOST_SHOWN {
        return None;
    }
    let range = view.range(part, *span);
    let replacement = core::str::from_utf8(replacement).ok()?;
    let is_visible = |char: char| !is_hidden(char) || char == '\n';
    (replacement.chars().all(is_visible) && replacement.trim() != ""
        || !range.is_empty() && replacement.is_empty())
    .then(|| (part, range, replacement.to_owned()))
}
