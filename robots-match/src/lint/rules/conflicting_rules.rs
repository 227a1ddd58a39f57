use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{RulePair, Sameness};

lint! {
    code: "conflicting-rules",
    severity: warning,
    title: "Rules allow and disallow the same paths",
    check: RulePair(check),
    /// Two rules of a group have the same pattern and opposite effects. Under RFC 9309 the `Allow` rule applies
    /// (section 2.2.2). Crawlers that follow the draft of 1996 obey the rule that comes first.
    ///
    /// Remove one of the two rules.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /a
    /// Allow: /a
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /a
    /// Allow: /a/b
    /// ```
}

fn check(pair: &RulePair<'_>, drafts: &mut Drafts<'_>) {
    if pair.sameness == Sameness::Pattern {
        let message = format!("line {} has the same pattern with the opposite effect", pair.first.line());
        drafts.add(
            Draft::new(pair.rule.line(), pair.rule.pattern.span(), message)
                .help("remove one of the two rules; most crawlers obey the Allow, some the rule that comes first")
                .other(pair.first.pattern.span(), "here first"),
        );
    }
}
