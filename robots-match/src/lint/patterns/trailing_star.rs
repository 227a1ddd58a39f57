use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{Pattern, expression};

lint! {
    code: "trailing-star",
    severity: note,
    default: off,
    title: "A pattern ends with a star",
    corrects: true,
    check: Pattern(check),
    /// A pattern matches all paths that begin with it. A star at its end only makes the pattern longer, which counts
    /// where the longest pattern is obeyed. Crawlers that do not know `*` look for a literal star.
    ///
    /// Remove the star.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /private*
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let (bytes, end) = (pattern.bytes(), pattern.rule.pattern.span().end());
    let stars = bytes.iter().rev().take_while(|&&byte| byte == b'*').count();
    // A space at the end is not a part of a pattern: `/ *` would become `/`.
    let is_after_space = bytes.iter().rev().nth(stars).is_some_and(u8::is_ascii_whitespace);
    // Without its star, a regular expression would only be harder to see.
    if stars > 0 && stars < bytes.len() && !is_after_space && expression(bytes).is_none() {
        let span = Span::new(end - stars, end);
        drafts.add(
            Draft::new(
                pattern.rule.line(),
                span,
                "the star at the end matches nothing more: a pattern matches all paths that begin with it",
            )
            .help("remove it; keep it where a longer pattern has to win")
            .fix(span, ""),
        );
    }
}
