//! A group allows what nothing disallows.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, General};

pub(crate) const LINT: Declaration = Declaration {
    code: "allow-alone",
    severity: Severity::Note,
    title: "A group allows what nothing disallows",
    page: include_str!("allow_alone.md"),
    check: Check::File(check),
};

fn check(file: &File<'_>, drafts: &mut Drafts) {
    if let General { allow: Some((allow, true)), disallow: None, .. } = file.general {
        drafts.add(
            Draft::new(allow.line(), allow.pattern.span(), "nothing that this allows is disallowed")
                .help("remove it, or write what it should be an exception from: allowed is whatever no rule disallows"),
        );
    }
}
