//! User-agent lines form one group across another line.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Between, Gap};
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "accidental-group",
    severity: Severity::Warning,
    title: "User-agent lines form one group across another line",
    page: include_str!("accidental_group.md"),
    check: Check::Gap(check),
};

fn check(gap: &Gap<'_>, drafts: &mut Drafts) {
    if let Between::Record { key, line, next } = gap.between {
        let message = format!("`{}` and `{}` form one group", shown(gap.agent.bytes()), shown(next.bytes()));
        drafts.add(
            Draft::new(line, next.span(), message)
                .help("give the first one a rule (`Disallow:` allows everything), or put the two lines together if one group is meant")
                .other(key.span(), "this line does not end a group"),
        );
    }
}
