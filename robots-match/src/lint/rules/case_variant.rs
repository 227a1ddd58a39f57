use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{RulePair, Sameness};

lint! {
    code: "case-variant",
    severity: note,
    default: off,
    title: "Two patterns differ only in letter case",
    check: RulePair(check),
    /// Paths are case-sensitive. Two patterns that differ only in letter case are often an attempt to cover all
    /// spellings of one path, and only one of the paths exists.
    ///
    /// Keep both rules only if both paths exist.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /Private
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// Disallow: /secret
    /// ```
}

fn check(pair: &RulePair<'_>, drafts: &mut Drafts<'_>) {
    if pair.sameness == Sameness::ExceptCase {
        let message = format!("same as line {} except for letter case", pair.first.line());
        drafts.add(
            Draft::new(pair.rule.line(), pair.rule.pattern.span(), message)
                .help("paths are case-sensitive; keep both rules only if both paths exist")
                .other(pair.first.pattern.span(), "here first"),
        );
    }
}
