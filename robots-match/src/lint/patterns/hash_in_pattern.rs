use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::Pattern;

lint! {
    code: "hash-in-pattern",
    severity: warning,
    title: "A number sign cuts off a pattern",
    check: Pattern(check),
    /// A number sign begins a comment, even without a space before it, so the pattern ends there. In a URL it begins
    /// the fragment, which browsers and crawlers never send.
    ///
    /// Write `%23` if the sign is part of the path, or put a space before the comment.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /a#b
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /a # b
    /// Disallow: /a%23b
    /// ```
}

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let end = pattern.rule.pattern.span().end();
    let Some(comment) = pattern.lines.line.comment().filter(|comment| comment.span().start() == end) else {
        return;
    };
    let span = Span::new(end, comment.span().end());
    drafts.add(
        Draft::new(pattern.rule.line(), span, "the number sign begins a comment here")
            .help("write `%23` if it is part of the path, or put a space before the comment"),
    );
}
