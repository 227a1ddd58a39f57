//! An Allow rule has no effect.

use alloc::vec::Vec;

use crate::document::Document;
use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, General};

pub(crate) const LINT: Declaration = Declaration {
    code: "allow-without-disallow",
    severity: Severity::Note,
    title: "An Allow rule has no effect",
    check: Check::File(check),
};

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let General { allow: Some((allow, true)), disallow: None, .. } = file.general else { return };
    let has_no_effect = |general: &General<'_>| {
        let is_pure = general.allow.is_none_or(|(_, is_pure)| is_pure);
        is_pure && general.disallow.is_none()
    };
    let readings = file.by_document.iter();
    let readers = readings.filter(|(_, profile, groups)| has_no_effect(&General::new(groups, profile)));
    let readers: Vec<Document> = readers.map(|(document, ..)| *document).collect();
    let help = if !drafts.are_all(&readers) {
        "add the Disallow rule that it is an exception to; keep it for crawlers that read another rule for `*`"
    } else if file.is_needed(allow.line()) {
        "write `Disallow:` instead, or add the Disallow rule that it is an exception to; without a rule, this group would be one with the next group"
    } else {
        "remove it, or add the Disallow rule that it is an exception to; every path that no rule disallows is allowed"
    };
    drafts.add(
        Draft::new(allow.line(), allow.pattern.span(), "this Allow has no effect: nothing is disallowed")
            .help(help)
            .readers(readers),
    );
}
