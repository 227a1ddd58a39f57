use alloc::format;

use robots_groups::syntax::{Rule, Span};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, expression};
use crate::lint::text::shown;

lint! {
    code: "regular-expression",
    severity: warning,
    title: "A pattern is a regular expression",
    check: File(check),
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

/// The most rules of a group that are compared with an expression.
const MOST_RULES: usize = 500;

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    for rule in file.rules() {
        let (bytes, start) = (rule.pattern.bytes(), rule.pattern.span().start());
        let Some(place) = expression(bytes).filter(|place| !is_decided(file, &rule, *place)) else {
            continue;
        };
        let message = format!("`{}` is a regular expression, which patterns are not", shown(place.of(bytes)));
        // A rule of Shopify, which owners of shops can't change.
        let is_of_platform = bytes.starts_with(b"/products/*-[a-f0-9]") && bytes.ends_with(b"-remote");
        let draft = Draft::new(rule.line(), Span::new(start + place.start(), start + place.end()), message)
            .help("crawlers match these characters literally; only `*` and a `$` at the end are special");
        drafts.add(if is_of_platform { draft.severity(Severity::Note).idle() } else { draft });
    }
}

/// Returns whether an expression is any text in a folder for which another rule has the same effect, so that nothing is lost.
fn is_decided(file: &File<'_>, rule: &Rule<'_>, place: Span) -> bool {
    let Some((folder, rest)) = rule.pattern.bytes().split_at_checked(place.start()) else { return false };
    if !rest.starts_with(b".*") {
        return false;
    }
    let places = file.by_document.iter().zip(file.rule_indices());
    let group = places.filter_map(|((.., groups), rules)| groups.get(rules.place(rule.line())?.0)).next();
    group.is_some_and(|group| {
        group.rules().iter().take(MOST_RULES).any(|other| {
            let pattern = other.pattern.bytes();
            other.effect == rule.effect && pattern.starts_with(b"/") && folder.starts_with(pattern)
        })
    })
}
