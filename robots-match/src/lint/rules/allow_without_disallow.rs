//! An Allow rule has no effect.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, General};

pub(crate) const LINT: Declaration = Declaration {
    code: "allow-without-disallow",
    severity: Severity::Note,
    title: "An Allow rule has no effect",
    page: include_str!("allow_without_disallow.md"),
    check: Check::File(check),
};

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    if let General { allow: Some((allow, true)), disallow: None, .. } = file.general {
        drafts.add(
            Draft::new(allow.line(), allow.pattern.span(), "this Allow has no effect: nothing is disallowed")
                .help("remove it, or add the Disallow rule that it is an exception to; every path that no rule disallows is allowed"),
        );
    }
}
