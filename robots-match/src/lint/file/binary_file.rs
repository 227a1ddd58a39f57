//! The file is not text.

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Bytes;

pub(crate) const LINT: Declaration = Declaration {
    code: "binary-file",
    severity: Severity::Error,
    title: "The file is not text",
    check: Check::Bytes(check),
};

fn check(bytes: &Bytes<'_>, drafts: &mut Drafts<'_>) {
    if !bytes.is_binary {
        return;
    }
    drafts.add(
        Draft::new(1, Span::new(0, bytes.body.len().min(4)), "the file is not text, such as an image or an archive")
            .help("serve plain text at `/robots.txt`, or status 404 if the site has no rules; crawlers find no rules in this file, so everything is allowed"),
    );
}
