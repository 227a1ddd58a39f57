use robots_groups::SelectionBasis;
use robots_groups::syntax::Effect;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{GroupView, is_all, renders_pages};
use crate::rule_set::RuleSet;

lint! {
    code: "blocks-home-page",
    severity: warning,
    title: "Only the home page is disallowed",
    check: Group(check),
    /// A `$` at the end of a pattern is the end of the path, so `/$` matches only `/`, the home page. All other pages stay allowed,
    /// and search engines do not read the most important page of the site.
    ///
    /// This concerns crawlers that know `$`, such as those of Google and Bing; others look for a path with a dollar sign. Write
    /// `Disallow: /` if the whole site is meant, and remove the line if the home page is to be found.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /$
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /
    /// Allow: /$
    /// ```
}

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let policy = &view.file.facts.profile.matching;
    let rules = view.group.rules();
    let matters = view.group.agents().iter().any(|agent| renders_pages(agent.bytes()));
    let is_home = |pattern: &[u8]| matches!(pattern, b"/$" | b"*/$" | b"/*$$");
    if !matters
        || !policy.wildcards
        || rules.iter().any(|rule| is_all(rule, policy))
        || !rules.iter().any(|rule| rule.effect == Effect::Disallow && is_home(rule.pattern.bytes()))
    {
        return;
    }
    let set = RuleSet::from_rules(rules.iter().copied(), SelectionBasis::Named, policy);
    if let Some(winner) = set.deciding_rule("/").filter(|winner| winner.effect == Effect::Disallow) {
        drafts.add(
            Draft::new(winner.line, winner.span, "this blocks only the home page, `/`, and no other page")
                .help("write `/` without `$` if the whole site is meant; remove the line if the home page is to be found"),
        );
    }
}
