//! A rule is outside of all groups.

use alloc::collections::BTreeSet;

use robots_groups::syntax::Rule;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::File;

pub(crate) const LINT: Declaration = Declaration {
    code: "rule-outside-group",
    severity: Severity::Error,
    title: "A rule is outside of all groups",
    check: Check::File(check),
};

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
