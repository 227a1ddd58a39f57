use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::Bytes;
use crate::lint::text::escaped;

lint! {
    code: "no-robots-txt",
    severity: note,
    title: "The site has no robots.txt",
    check: Bytes(check),
    /// A server that answers `/robots.txt` with a status such as 404 has no rules: crawlers may access everything (RFC 9309, section
    /// 2.3.1.3). Many sites are meant to be like this, but a deploy may also have lost the file.
    ///
    /// If the site should have rules, put the file at `/robots.txt` of its root. To fail where it is missing, use
    /// `robots lint --deny no-robots-txt URL`.
    ///
    /// A site with this finding:
    ///
    /// ```robots.txt found (missing=404)
    /// ```
    ///
    /// A site without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(bytes: &Bytes<'_>, drafts: &mut Drafts<'_>) {
    let Some(answer) = bytes.facts.missing else { return };
    let message = format!("{}; nothing to lint", escaped(answer.as_bytes()));
    drafts.add(Draft::new(1, Span::new(0, 0), message).help(
        "crawlers may access everything; if the site should have rules, a deploy may have lost the file",
    ));
}
