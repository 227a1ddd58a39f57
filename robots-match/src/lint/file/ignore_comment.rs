//! A comment for this tool is not understood.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::UnknownWord;
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "ignore-comment",
    severity: Severity::Warning,
    title: "A comment for this tool is not understood",
    check: Check::UnknownWord(check),
};

fn check(unknown: &UnknownWord<'_>, drafts: &mut Drafts<'_>) {
    let word = unknown.word;
    let message = match word.is_empty() {
        true => "the comment names no code".into(),
        false => format!("`{}` is neither a code nor `ignore` or `ignore-file`", shown(word.bytes())),
    };
    drafts.add(
        Draft::new(unknown.line, word.span(), message)
            .help("write `# robots-lint: ignore CODE`; `robots lint --list` lists the codes"),
    );
}
