use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Rule};
use robots_groups::{Group, SelectionBasis};

use crate::document::Document;
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::{form, without_stars};
use crate::lint::subject::{File, is_whole};
use crate::lint::text::shown;
use crate::policy::{MatchPolicy, Precedence};
use crate::rule_set::{CompiledRule, RuleSet};

lint! {
    code: "shadowed-rule",
    severity: warning,
    title: "Some crawlers never apply a rule",
    check: File(check),
    /// Crawlers that follow the draft of 1996 obey the first rule that matches, not the longest. They never reach an
    /// exception that comes after the rule it is an exception to.
    ///
    /// Other crawlers obey the longest pattern, and `/a/*` is longer than `/a/`. So `Allow: /a/` is no exception to `Disallow: /a/*`; write
    /// `Allow: /a/$` for this page.
    ///
    /// Put the more specific rule first. The order makes no difference to other crawlers.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /a
    /// Allow: /a/b
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Allow: /a/b
    /// Disallow: /a
    /// ```
}

/// How often a rule is compared with a pattern to find out whether the rule ever decides: a bound for files that have
/// little besides patterns with `*`, or without a slash at the beginning.
const MOST_COMPARISONS: usize = 10_000_000;

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let mut shadowed: BTreeMap<usize, (Draft, Vec<Document>)> = BTreeMap::new();
    for (document, profile, groups) in &file.by_document {
        for group in groups.iter() {
            check_group(&group, &profile.matching, |line, draft| {
                let (_, readers) = shadowed.entry(line).or_insert_with(|| (draft(), Vec::new()));
                if readers.last() != Some(document) {
                    readers.push(*document);
                }
            });
        }
    }
    for (draft, readers) in shadowed.into_values() {
        drafts.add(draft.readers(readers));
    }
}

/// Calls `found` with the line of each rule of a group that never decides, and with a function that makes the draft.
fn check_group(
    group: &Group<'_, '_>,
    policy: &MatchPolicy,
    mut found: impl FnMut(usize, &dyn Fn() -> Draft),
) {
    let rules = RuleSet::from_rules(group.rules().iter().copied(), SelectionBasis::Named, policy);
    let has_specials = policy.wildcards;
    // The time of each comparison grows with the number of patterns that are not found by their beginning.
    let searched = |pattern: &[u8]| pattern.contains(&b'*') || !pattern.starts_with(b"/");
    let searched = group.rules().iter().filter(|rule| searched(rule.pattern.bytes())).count();
    let with_patterns = group.rules().iter().filter(|rule| !rule.pattern.is_empty());
    for rule in with_patterns.take(MOST_COMPARISONS / searched.max(1)) {
        let pattern = form(rule.pattern.bytes(), policy);
        if has_specials && (pattern.contains(&b'*') || pattern.ends_with(b"$")) {
            continue;
        }
        // A rule that wins on the path that is the pattern itself wins on all paths that begin with it, unless the
        // rule says where paths end.
        let Some(winner) = rules.deciding_rule(&pattern) else { continue };
        let says_end = has_specials && winner.pattern.ends_with(b"$");
        if says_end || winner.effect == rule.effect || winner.pattern == &*pattern {
            continue;
        }
        found(rule.line(), &|| {
            let mut message =
                format!("for some crawlers line {} always takes precedence over this rule", winner.line);
            let closed = is_all_closed(group, rule, winner, policy);
            if closed {
                message.push_str(", so ");
                message.push_str(&names(group));
                message.push_str(" may fetch nothing");
            }
            // As `Allow: /grid/` beside `Disallow: /grid/*`.
            let is_same_but_star = rule.effect == Effect::Allow && without_stars(winner.pattern) == &*pattern;
            let text = shown(&pattern);
            let help = match policy.precedence {
                Precedence::First => String::from(
                    "put the more specific rule first; these crawlers obey the first rule that matches",
                ),
                Precedence::MostBytes if closed => format!(
                    "write `Allow: {text}$` if only the home page is to be fetched, and remove line {} if the whole site is",
                    winner.line
                ),
                Precedence::MostBytes if is_same_but_star => format!(
                    "write `Allow: {text}$` if the page `{text}` itself is to be fetched; these crawlers obey the rule with the longest pattern"
                ),
                Precedence::MostBytes => {
                    String::from("remove it; these crawlers obey the rule with the longest pattern")
                }
            };
            Draft::new(rule.line(), rule.pattern.span(), message)
                .help(help)
                .other(winner.span, "takes precedence")
        });
    }
}

/// Whether a rule allows everything, another one closes everything, and no exception is left.
fn is_all_closed(
    group: &Group<'_, '_>,
    rule: &Rule<'_>,
    winner: CompiledRule<'_>,
    policy: &MatchPolicy,
) -> bool {
    let is_other = |other: &&Rule<'_>| other.effect == Effect::Allow && !other.pattern.is_empty();
    rule.effect == Effect::Allow
        && is_whole(rule.pattern.bytes())
        && is_whole(winner.pattern)
        && policy.precedence == Precedence::MostBytes
        && group.rules().iter().filter(is_other).nth(1).is_none()
}

/// The crawlers of a group in words.
fn names(group: &Group<'_, '_>) -> String {
    const MOST: usize = 3;
    let agents = group.agents();
    let names: Vec<String> =
        agents.iter().take(MOST).map(|agent| format!("`{}`", shown(agent.bytes()))).collect();
    let more = if agents.len() > MOST { " and others" } else { "" };
    format!("{}{more}", names.join(", "))
}
