//! The last line has no line end.

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::File;

pub(crate) const LINT: Declaration = Declaration {
    code: "no-line-end",
    severity: Severity::Note,
    title: "The last line has no line end",
    check: Check::File(check),
};

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let Some(line) = file.last.filter(|line| line.content().bytes().len() == line.bytes().len()) else {
        return;
    };
    if line.span().end() == file.body.len() {
        let end = Span::new(file.body.len(), file.body.len());
        drafts.add(
            Draft::new(line.number, end, "the last line has no line end")
                .help("add a line end; text that is appended to the file later becomes part of this line")
                .fix(end, file.index.line_end()),
        );
    }
}
