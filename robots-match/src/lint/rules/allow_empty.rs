//! An Allow rule has no pattern.

use robots_groups::syntax::{Effect, Record};

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Lines;

pub(crate) const LINT: Declaration = Declaration {
    code: "allow-empty",
    severity: Severity::Note,
    title: "An Allow rule has no pattern",
    page: include_str!("allow_empty.md"),
    check: Check::Line(check),
};

fn check(lines: &Lines<'_>, drafts: &mut Drafts<'_>) {
    let Record::Rule(rule) = lines.line.record else { return };
    if rule.pattern.is_empty() && rule.effect == Effect::Allow {
        drafts.add(
            Draft::new(rule.line(), rule.pattern.span(), "an Allow without a pattern has no effect")
                .help("write `Allow: /` to allow everything, or remove the line"),
        );
    }
}
