//! A line is longer than some crawlers read.

use alloc::format;

use robots_groups::syntax::{Record, Span};

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Lines;
use crate::lint::text::limits;

pub(crate) const LINT: Declaration = Declaration {
    code: "line-too-long",
    severity: Severity::Error,
    title: "A line is longer than some crawlers read",
    check: Check::Line(check),
};

fn check(lines: &Lines<'_>, drafts: &mut Drafts<'_>) {
    let (content, line) = (lines.line.content(), &lines.line);
    let (span, len) = (content.span(), content.bytes().len());
    for (limit, readers) in limits(|profile| profile.syntax.max_line) {
        if len <= limit || matches!(line.record, Record::Comment) {
            continue;
        }
        let message = format!("some crawlers read only {limit} bytes of a line, and this line has {len}");
        drafts.add(
            Draft::new(line.number, Span::new(span.start() + limit, span.end()), message)
                .help("shorten the line; the rest of it is ignored, which may change its meaning")
                .readers(readers),
        );
    }
}
