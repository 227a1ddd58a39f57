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
    /// A group that closes five or more folders at the top of the site one by one is not reported: its author closes most of the site.
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

/// From this number of folders on, a site is closed one by one, and its home page on purpose.
const MANY_FOLDERS: usize = 5;

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let policy = &view.file.facts.profile.matching;
    let rules = view.group.rules();
    let matters = view.group.agents().iter().any(|agent| renders_pages(agent.bytes()));
    let is_home = |pattern: &[u8]| matches!(pattern, b"/$" | b"*/$" | b"/*$$");
    if !matters
        || !policy.wildcards
        || rules.iter().any(|rule| is_all(rule, policy))
        || rules.iter().filter(|rule| rule.effect == Effect::Disallow && is_top(rule.pattern.bytes())).count()
            >= MANY_FOLDERS
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

/// Whether a pattern is about a folder at the top of the site, such as `/news/` and `/news/*`.
fn is_top(pattern: &[u8]) -> bool {
    let pattern = pattern.strip_suffix(b"*").unwrap_or(pattern);
    let name = pattern.strip_prefix(b"/").and_then(|rest| rest.strip_suffix(b"/"));
    name.is_some_and(|name| {
        !name.is_empty() && !name.iter().any(|byte| matches!(byte, b'/' | b'*' | b'?' | b'$'))
    })
}
