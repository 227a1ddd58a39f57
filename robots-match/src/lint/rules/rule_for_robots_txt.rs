//! A rule is about robots.txt itself.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Pattern;

pub(crate) const LINT: Declaration = Declaration {
    code: "rule-for-robots-txt",
    severity: Severity::Note,
    title: "A rule is about robots.txt itself",
    page: include_str!("rule_for_robots_txt.md"),
    check: Check::Pattern(check),
};

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    if pattern.form.starts_with(b"/robots.txt") {
        let rule = &pattern.rule;
        drafts.add(
            Draft::new(
                rule.line(),
                rule.pattern.span(),
                "this rule has no effect: crawlers may always fetch `/robots.txt`",
            )
            .help("remove the rule"),
        );
    }
}
