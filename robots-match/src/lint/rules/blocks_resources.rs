//! Style sheets or scripts are disallowed.

use robots_groups::syntax::Effect;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Pattern;

pub(crate) const LINT: Declaration = Declaration {
    code: "blocks-resources",
    severity: Severity::Warning,
    title: "Style sheets or scripts are disallowed",
    page: include_str!("blocks_resources.md"),
    check: Check::Pattern(check),
};

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let (rule, form) = (&pattern.rule, &pattern.form);
    let end = form.iter().rposition(|byte| !matches!(byte, b'*' | b'$')).map_or(0, |at| at + 1);
    let stem = form.get(..end).unwrap_or_default().to_ascii_lowercase();
    if rule.effect == Effect::Disallow && (stem.ends_with(b".css") || stem.ends_with(b".js")) {
        drafts.add(
            Draft::new(
                rule.line(),
                rule.pattern.span(),
                "blocks CSS or JavaScript that crawlers need to render pages",
            )
            .help("allow style sheets and scripts, so that crawlers see pages as visitors do"),
        );
    }
}
