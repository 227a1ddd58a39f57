//! The file is in UTF-16.

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Bytes;

pub(crate) const LINT: Declaration = Declaration {
    code: "utf-16",
    severity: Severity::Error,
    title: "The file is in UTF-16",
    check: Check::Bytes(check),
};

fn check(bytes: &Bytes<'_>, drafts: &mut Drafts<'_>) {
    if bytes.is_utf16 {
        drafts.add(
            Draft::new(1, Span::new(0, 2), "the file is in UTF-16")
                .help("save the file as UTF-8; in UTF-16 crawlers find no rules, so everything is allowed"),
        );
    }
}
