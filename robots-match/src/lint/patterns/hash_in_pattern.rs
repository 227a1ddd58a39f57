use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::Pattern;
use crate::lint::text::shown;

lint! {
    code: "hash-in-pattern",
    severity: warning,
    title: "A number sign cuts off a pattern",
    check: Pattern(check),
    /// A number sign begins a comment, even without a space before it, so the pattern ends there. In a URL it begins
    /// the fragment, which browsers and crawlers never send.
    ///
    /// Put a space before the comment. A rule about a fragment can't match; write `%23` only if the name of a file has the sign.
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
        Draft::new(
            pattern.rule.line(),
            span,
            format!("the number sign begins a comment here, so the pattern is `{}`", shown(pattern.bytes())),
        )
        .help(
            "put a space before a comment; crawlers never send what follows `#` in a URL; write `%23` only if a file has it in its name",
        ),
    );
}
