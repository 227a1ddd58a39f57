use alloc::format;
use alloc::vec::Vec;

use robots_groups::syntax::Rule;

use crate::document::Document;
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::form;
use crate::lint::subject::{RulePair, Sameness};

lint! {
    code: "duplicate-rule",
    severity: note,
    title: "A rule is repeated",
    corrects: true,
    check: RulePair(check),
    /// The second rule has no effect. The two patterns may be written differently and still mean the same. Some crawlers may compare
    /// them otherwise, or read a user-agent line between them; then the finding names the documents for which the rule is repeated.
    ///
    /// Remove the second rule, unless other crawlers need it.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /a%2fb
    /// Disallow: /a%2Fb
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /~a
    /// Allow: /~a/b
    /// ```
}

fn check(pair: &RulePair<'_>, drafts: &mut Drafts<'_>) {
    if pair.sameness != Sameness::All {
        return;
    }
    let (span, first) = (pair.rule.pattern.span(), pair.first.line());
    let readers = readers(pair);
    let is_for_all = drafts.are_all(&readers);
    let message = match is_for_all {
        true => format!("this repeats the rule in line {first}"),
        false => format!("for some crawlers this repeats the rule in line {first}"),
    };
    let mut draft = Draft::new(pair.rule.line(), span, message)
        .other(pair.first.pattern.span(), "here first")
        .readers(readers);
    if !is_for_all {
        draft = draft.help("keep it; other crawlers read these lines otherwise, and need both rules");
    } else if let Some(line) = pair.file.index.removable(span) {
        draft = draft.help("remove this line").fix(line, "");
    }
    // The same path as it is and percent-encoded, which is careful and does no harm.
    let is_twin = pair.first.pattern.bytes() != pair.rule.pattern.bytes();
    drafts.add(if is_twin { draft.idle() } else { draft });
}

/// The documents for whose readers the second rule can go.
fn readers(pair: &RulePair<'_>) -> Vec<Document> {
    let file = pair.file;
    let readings = file.by_document.iter().zip(file.rule_indices());
    let repeating = readings.filter(|((_, profile, groups), index)| {
        // A line that is not a rule of a group has no effect either.
        let Some((group, position)) = index.place(pair.rule.line()) else { return true };
        let Some((first_group, first)) = index.place(pair.first.line()) else { return false };
        let rules = groups.get(group).map_or(&[][..], |group| group.rules());
        let (Some(first), Some(rule)) = (rules.get(first), rules.get(position)) else { return false };
        let pattern = |rule: &Rule<'_>| form(rule.pattern.bytes(), &profile.matching).into_owned();
        group == first_group && first.effect == rule.effect && pattern(first) == pattern(rule)
    });
    repeating.map(|((document, ..), _)| *document).collect()
}
