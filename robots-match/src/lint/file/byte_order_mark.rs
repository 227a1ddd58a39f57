//! The file begins with a byte order mark.

use robots_groups::syntax::{Lines, Span};

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, MARK};
use crate::lint::text::documents;

pub(crate) const LINT: Declaration = Declaration {
    code: "byte-order-mark",
    severity: Severity::Warning,
    title: "The file begins with a byte order mark",
    check: Check::File(check),
};

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    if !file.body.starts_with(MARK) {
        return;
    }
    let strict = documents(|profile| Lines::new(file.body, &profile.syntax).skipped().is_empty());
    let span = Span::new(0, MARK.len());
    drafts.add(
        Draft::new(1, span, "the file begins with a byte order mark")
            .help("save the file as UTF-8 without a byte order mark; some crawlers read the mark as part of the first line and ignore that line")
            .readers(strict)
            .fix(span, ""),
    );
}
