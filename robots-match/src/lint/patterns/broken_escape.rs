use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{Pattern, escapes};

lint! {
    code: "broken-escape",
    severity: warning,
    title: "A percent sign is not followed by two hex digits",
    check: Pattern(check),
    /// In a URL a percent sign begins an encoded byte and is followed by two hex digits. Crawlers treat any other
    /// percent sign differently.
    ///
    /// Write `%25` for a literal percent sign.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /100%
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /100%25
    /// ```
}

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    // `*url%2*` is for URLs that have an escape which begins so.
    let bytes = pattern.bytes();
    let is_start = |at: usize| match bytes.get(at + 1..) {
        Some([b'*', ..]) => true,
        Some([digit, b'*', ..]) => digit.is_ascii_hexdigit(),
        _ => false,
    };
    let Some((at, _)) = escapes(bytes).find(|(at, byte)| byte.is_none() && !is_start(*at)) else { return };
    let at = pattern.rule.pattern.span().start() + at;
    drafts.add(
        Draft::new(
            pattern.rule.line(),
            Span::new(at, at + 1),
            "this percent sign is not followed by two hex digits",
        )
        .help("write `%25` for a literal percent sign"),
    );
}
