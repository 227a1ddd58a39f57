use alloc::vec::Vec;

use crate::document::Document;
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{File, General};

lint! {
    code: "allow-without-disallow",
    severity: note,
    default: off,
    title: "An Allow rule has no effect",
    check: File(check),
    /// Every path that no rule disallows is allowed. In a group for `*` without a `Disallow` rule, an `Allow` rule
    /// has no effect.
    ///
    /// Remove the rule, or add the `Disallow` rule that it is an exception to. If it is the only rule of its group, and another group
    /// follows, write `Disallow:` instead: without a rule, the user-agent lines of both groups would be together, and the rules of the
    /// second group would be for all of them.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Allow: /
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Allow: /private/open
    /// Disallow: /private
    /// ```
}

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
        "write `Disallow:` instead, or add the Disallow rule that it is an exception to; a group needs a rule, or it goes on with the next one"
    } else {
        "remove it, or add the Disallow rule that it is an exception to; every path that no rule disallows is allowed"
    };
    drafts.add(
        Draft::new(allow.line(), allow.pattern.span(), "this Allow has no effect: nothing is disallowed")
            .help(help)
            .readers(readers),
    );
}
