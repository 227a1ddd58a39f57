//! The file is not served as plain text.

use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Bytes;
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "content-type",
    severity: Severity::Warning,
    title: "The file is not served as plain text",
    check: Check::Bytes(check),
};

fn check(bytes: &Bytes<'_>, drafts: &mut Drafts<'_>) {
    let Some(served) = bytes.facts.content_type else { return };
    let kind = served.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("text/plain") {
        let message = format!("the file is served as `{}`", shown(kind.as_bytes()));
        drafts.add(
            Draft::new(1, Span::new(0, 0), message).help("serve it as `text/plain` (RFC 9309, section 2.3)"),
        );
    }
}
