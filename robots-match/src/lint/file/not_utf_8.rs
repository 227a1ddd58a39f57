use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Lines;

lint! {
    code: "not-utf-8",
    severity: warning,
    title: "A line is not UTF-8",
    check: Line(check),
    /// A robots.txt file must be UTF-8 (RFC 9309, section 2.2). A path in another encoding does not match, because
    /// browsers and crawlers send the same letters as different bytes.
    ///
    /// Save the file as UTF-8, or percent-encode the letters, such as `%C3%A9` for `é`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /caf\xE9
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /caf%C3%A9
    /// ```
}

fn check(lines: &Lines<'_>, drafts: &mut Drafts<'_>) {
    let content = lines.line.content();
    let Err(error) = core::str::from_utf8(content.bytes()) else { return };
    let at = content.span().start() + error.valid_up_to();
    let len = error.error_len().unwrap_or(content.bytes().len() - error.valid_up_to());
    let draft = Draft::new(lines.line.number, Span::new(at, at + len), "the line is not UTF-8").help(
        "save the file as UTF-8 (RFC 9309, section 2.2), or percent-encode all characters other than ASCII",
    );
    // Crawlers ignore comments.
    let is_comment = lines.line.comment().is_some_and(|comment| comment.span().start() <= at);
    drafts.add(if is_comment { draft.severity(Severity::Note).idle() } else { draft });
}
