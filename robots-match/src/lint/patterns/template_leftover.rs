//! A template was not filled in.

use alloc::format;

use robots_groups::syntax::{Record, Span};

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Lines;
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "template-leftover",
    severity: Severity::Warning,
    title: "A template was not filled in",
    page: include_str!("template_leftover.md"),
    check: Check::Line(check),
};

/// The brackets of placeholders in common template languages.
const BRACKETS: [(&[u8], &[u8]); 4] = [(b"{{", b"}}"), (b"{%", b"%}"), (b"<%", b"%>"), (b"${", b"}")];

fn check(lines: &Lines<'_>, drafts: &mut Drafts<'_>) {
    let line = &lines.line;
    let value = match line.record {
        Record::UserAgent(value) | Record::Other { value, .. } => value,
        Record::Rule(rule) => rule.pattern,
        _ => return,
    };
    let (bytes, start) = (value.bytes(), value.span().start());
    // Crawlers also find placeholders in links, and a pattern that begins with a star may be there to block these.
    if bytes.starts_with(b"*") || bytes.starts_with(b"/*") {
        return;
    }
    let place = BRACKETS.iter().find_map(|(open, close)| {
        let at = memchr::memmem::find(bytes, open)?;
        let len = memchr::memmem::find(bytes.get(at..)?, close)? + close.len();
        Some(Span::new(at, at + len))
    });
    let Some(place) = place else { return };
    let message =
        format!("`{}` looks like a placeholder of a template that was not filled in", shown(place.of(bytes)));
    drafts.add(
        Draft::new(line.number, Span::new(start + place.start(), start + place.end()), message)
            .help("write the value that the template stands for, or remove the line"),
    );
}
