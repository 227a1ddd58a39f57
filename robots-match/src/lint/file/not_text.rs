//! The file is an HTML page.

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Bytes;

pub(crate) const LINT: Declaration = Declaration {
    code: "not-text",
    severity: Severity::Error,
    title: "The file is an HTML page",
    check: Check::Bytes(check),
};

fn check(bytes: &Bytes<'_>, drafts: &mut Drafts<'_>) {
    if !bytes.is_html {
        return;
    }
    let (before, text) = bytes.body.split_at_checked(bytes.start).unwrap_or_default();
    let len = text.iter().take_while(|byte| !matches!(byte, b'\n' | b'\r' | b'>')).count();
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    let span = Span::new(bytes.start, bytes.start + len);
    drafts.add(
        Draft::new(line, span, "this is an HTML page, not a robots.txt file")
            .help("serve plain text at `/robots.txt`, or status 404 if the site has no rules; crawlers find no rules in this page, so it allows everything"),
    );
}
