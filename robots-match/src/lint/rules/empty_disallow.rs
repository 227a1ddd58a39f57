use robots_groups::syntax::{Effect, Rule};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{GroupView, is_for_robots_txt};

lint! {
    code: "empty-disallow",
    severity: warning,
    title: "An empty Disallow is beside other rules",
    check: Group(check),
    /// `Disallow:` without a pattern means that nothing is disallowed, but only in a group without other rules. Beside other rules
    /// most crawlers ignore it. Parsers that obey the first rule that matches, such as the one of Python, take it for a rule that
    /// allows everything, and never reach the rules after it.
    ///
    /// Remove the empty line, or the other rules if crawlers may fetch everything.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow:
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: ExampleBot
    /// Disallow:
    ///
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let disallows = || view.group.rules().iter().filter(|rule| rule.effect == Effect::Disallow);
    let policy = &view.file.facts.profile.matching;
    // A rule for robots.txt disallows nothing, and may be removed.
    let is_other = |rule: &&Rule<'_>| !rule.pattern.is_empty() && !is_for_robots_txt(rule, policy);
    let Some(other) = disallows().find(is_other) else { return };
    let Some(empty) = disallows().find(|rule| rule.pattern.is_empty()) else { return };
    // Other lints advise to remove the other rules.
    if !view.file.is_needed(empty.line()) {
        drafts.add(
            Draft::new(
                empty.line(),
                empty.pattern.span(),
                "this empty Disallow does not allow what other lines of its group disallow",
            )
            .help("remove it; crawlers ignore it, and some parsers take it for a rule that allows everything")
            .other(other.pattern.span(), "this is still disallowed"),
        );
    }
}
