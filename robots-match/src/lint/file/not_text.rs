use alloc::format;

use robots_groups::syntax::{BodyKind, Span};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Bytes;

lint! {
    code: "not-text",
    severity: error,
    title: "The file is a page or a message, not a robots.txt file",
    check: Bytes(check),
    /// Some servers answer every path with the same page, such as a login form, an error page or a maintenance notice, or with
    /// an error as JSON, XML or text. When `/robots.txt` is answered in this way, crawlers look for rules in the page and find none, so they
    /// treat the whole site as allowed. Rules that were there before have no effect.
    ///
    /// A page that has rules in it is a warning, because crawlers read these rules. Such a page often begins with a message of a program.
    ///
    /// Serve `/robots.txt` as plain text. If the site has no rules, answer with status 404.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// <!DOCTYPE html>
    /// <html><title>Not found</title></html>
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(bytes: &Bytes<'_>, drafts: &mut Drafts<'_>) {
    let kind = bytes.other.filter(|kind| !matches!(kind, BodyKind::Binary(_)));
    let kind = kind.or_else(|| bytes.has_page.then_some(BodyKind::Html));
    let Some(kind) = kind else { return };
    let (before, text) = bytes.body.split_at_checked(bytes.start).unwrap_or_default();
    let len = text.iter().take_while(|byte| !matches!(byte, b'\n' | b'\r' | b'>')).count();
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    let span = Span::new(bytes.start, bytes.start + len);
    drafts.add(if bytes.has_page {
        Draft::new(line, span, "the file begins as an HTML page, and has rules")
            .severity(Severity::Warning)
            .help("serve only the rules, as plain text; crawlers read them, and ignore the other lines, such as messages of a program")
    } else {
        Draft::new(line, span, format!("this is {kind}, not a robots.txt file"))
            .help("serve plain text at `/robots.txt`, or status 404 if the site has no rules; crawlers find no rules in it, so everything is allowed")
    });
}
