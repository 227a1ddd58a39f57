//! Every crawler is blocked from the whole site.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, General};

pub(crate) const LINT: Declaration = Declaration {
    code: "blocks-all",
    severity: Severity::Warning,
    title: "Every crawler is blocked from the whole site",
    page: include_str!("blocks_all.md"),
    check: Check::File(check),
};

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    if let General { allow: None, all: Some(rule), .. } = file.general {
        drafts.add(
            Draft::new(rule.line(), rule.pattern.span(), "this blocks every crawler from the whole site")
                .help("write `Disallow:` without the slash if this is not intended; such a rule is often left over from before a site went live"),
        );
    }
}
