use alloc::collections::BTreeSet;

use robots_groups::syntax::Rule;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::File;

lint! {
    code: "rule-outside-group",
    severity: error,
    title: "A rule is outside of all groups",
    check: File(check),
    /// A rule belongs to the user-agent lines before it. A rule before the first user-agent line is for no crawler,
    /// and crawlers ignore it (RFC 9309, section 2.2.2).
    ///
    /// Add a user-agent line before the rule, or move the rule into a group.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// Disallow: /private
    /// User-agent: *
    /// Disallow: /tmp
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// Disallow: /tmp
    /// ```
}

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    if file.groups.strays().is_empty() {
        return;
    }
    let lines = file.by_document.each_ref().map(|(document, _, groups)| {
        (*document, groups.strays().iter().map(Rule::line).collect::<BTreeSet<_>>())
    });
    for rule in file.groups.strays() {
        let readers =
            lines.iter().filter(|(_, lines)| lines.contains(&rule.line())).map(|(document, _)| *document);
        drafts.add(
            Draft::new(
                rule.line(),
                rule.pattern.span(),
                "no user-agent line comes before this rule, so crawlers ignore it",
            )
            .help("add a user-agent line before the rule")
            .readers(readers.collect()),
        );
    }
}
