//! Every crawler is kept out of everything.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, General};

pub(crate) const LINT: Declaration = Declaration {
    code: "blocks-all",
    severity: Severity::Warning,
    title: "Every crawler is kept out of everything",
    page: include_str!("blocks_all.md"),
    check: Check::File(check),
};

fn check(file: &File<'_>, drafts: &mut Drafts) {
    if let General { allow: None, all: Some(rule), .. } = file.general {
        drafts.add(
            Draft::new(rule.line(), rule.pattern.span(), "this keeps every crawler out of the whole site")
                .help("remove the slash (`Disallow:`) if that is not meant; such a rule often stays behind when a site goes live"),
        );
    }
}
