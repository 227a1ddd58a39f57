//! A pattern is a whole URL.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, Hosted};
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "pattern-is-url",
    severity: Severity::Error,
    title: "A pattern is a whole URL",
    check: Check::File(check),
};

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let policy = &file.facts.profile.matching;
    for rule in file.rules() {
        let (bytes, span) = (rule.pattern.bytes(), rule.pattern.span());
        let Some(hosted) = Hosted::find(bytes, policy).filter(|hosted| hosted.has_scheme) else { continue };
        let message = format!(
            "`{}` is a URL, but patterns are compared with paths, so it matches nothing",
            shown(bytes)
        );
        let draft = Draft::new(rule.line(), span, message);
        drafts.add(hosted.advise(draft, span, file.facts, file.is_needed(rule.line())));
    }
}
