//! A rule is about robots.txt itself.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, is_for_robots_txt};

pub(crate) const LINT: Declaration = Declaration {
    code: "rule-for-robots-txt",
    severity: Severity::Note,
    title: "A rule is about robots.txt itself",
    check: Check::File(check),
};

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let policy = &file.facts.profile.matching;
    let groups = file.groups.iter();
    let rules = groups.flat_map(|group| group.rules()).chain(file.groups.strays());
    for rule in rules.filter(|rule| is_for_robots_txt(rule, policy)) {
        let help = match file.is_needed(rule.line()) {
            true => "write `Disallow:` instead; without a rule, this group would be one with the next group",
            false => "remove the rule",
        };
        drafts.add(
            Draft::new(
                rule.line(),
                rule.pattern.span(),
                "this rule has no effect: crawlers may always fetch `/robots.txt`",
            )
            .help(help),
        );
    }
}
