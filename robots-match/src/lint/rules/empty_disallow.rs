use alloc::format;

use robots_groups::syntax::{Effect, Rule};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{GroupView, is_for_robots_txt};
use crate::lint::text::shown;

lint! {
    code: "empty-disallow",
    severity: warning,
    title: "An empty Disallow is beside other rules",
    check: Group(check),
    /// `Disallow:` without a pattern means that nothing is disallowed, but only in a group without other rules. Beside other rules
    /// most crawlers ignore it. Parsers that obey the first rule that matches, such as the one of Python, take it for a rule that
    /// allows everything, and never reach the rules after it.
    ///
    /// Crawlers read groups with the same name as one group, so the empty line has no effect in a further group, either. Programs
    /// that write a part of the file often add such a group.
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

/// The most groups of one name that are compared.
const MOST_GROUPS: usize = 50;

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let file = view.file;
    let policy = &file.facts.profile.matching;
    let Some(empty) =
        view.group.rules().iter().find(|rule| rule.effect == Effect::Disallow && rule.pattern.is_empty())
    else {
        return;
    };
    // A rule for robots.txt disallows nothing, and may be removed.
    let is_other = |rule: &&Rule<'_>| {
        rule.effect == Effect::Disallow && !rule.pattern.is_empty() && !is_for_robots_txt(rule, policy)
    };
    if let Some(other) = view.group.rules().iter().find(is_other) {
        // Other lints advise to remove the other rules.
        if !file.is_needed(empty.line()) {
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
        return;
    }
    // Groups with the same name are one group to crawlers.
    for agent in view.group.agents() {
        let is_general = file.facts.profile.groups.is_general(agent.bytes());
        let other = file.groups_of(agent.bytes(), is_general).iter().filter(|index| **index != view.index);
        let mut rules = other
            .take(MOST_GROUPS)
            .filter_map(|index| file.groups.get(*index))
            .flat_map(|group| group.rules());
        let Some(other) = rules.find(is_other) else { continue };
        let message = format!(
            "this empty Disallow does not allow what another group for `{}` disallows, because crawlers combine the groups",
            shown(agent.bytes())
        );
        drafts.add(
            Draft::new(empty.line(), empty.pattern.span(), message)
                .help("put all rules for one crawler into one group; without the other rules, everything would be allowed")
                .other(other.pattern.span(), "this is still disallowed"),
        );
        return;
    }
}
