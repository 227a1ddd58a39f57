use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Pattern, expression};
use crate::lint::text::shown;

lint! {
    code: "regular-expression",
    severity: warning,
    title: "A pattern is a regular expression",
    check: Pattern(check),
    /// Only `*` and a `$` at the end of a pattern are special. Crawlers compare everything else literally (RFC 9309, section
    /// 2.2.3), so `/page-\\d+` matches only paths that contain a backslash.
    ///
    /// Write `*` for any characters, or several rules.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /archive/[0-9]+/
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /archive/*/
    /// ```
}

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let (bytes, start) = (pattern.bytes(), pattern.rule.pattern.span().start());
    let Some(place) = expression(bytes) else { return };
    let message = format!("`{}` is a regular expression, which patterns are not", shown(place.of(bytes)));
    // A rule of Shopify, which owners of shops can't change.
    let is_of_platform = bytes.starts_with(b"/products/*-[a-f0-9]") && bytes.ends_with(b"-remote");
    let draft =
        Draft::new(pattern.rule.line(), Span::new(start + place.start(), start + place.end()), message)
            .help("crawlers match these characters literally; only `*` and a `$` at the end are special");
    drafts.add(if is_of_platform { draft.severity(Severity::Note).idle() } else { draft });
}
