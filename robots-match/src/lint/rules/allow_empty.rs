//! An Allow rule has no pattern.

use robots_groups::syntax::Effect;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::File;

pub(crate) const LINT: Declaration = Declaration {
    code: "allow-empty",
    severity: Severity::Note,
    title: "An Allow rule has no pattern",
    check: Check::File(check),
};

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let groups = file.groups.iter();
    let rules = groups.flat_map(|group| group.rules()).chain(file.groups.strays());
    for rule in rules.filter(|rule| rule.pattern.is_empty() && rule.effect == Effect::Allow) {
        let help = match file.is_needed(rule.line()) {
            true => {
                "write `Disallow:` to allow everything; without a rule, this group would be one with the next group"
            }
            false => "write `Allow: /` to allow everything, or remove the line",
        };
        drafts.add(
            Draft::new(rule.line(), rule.pattern.span(), "an Allow without a pattern has no effect")
                .help(help),
        );
    }
}
