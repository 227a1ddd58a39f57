use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Rule, Span};
use robots_groups::{Group, SelectionBasis};

use crate::document::Document;
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::{form, without_stars};
use crate::lint::subject::{File, is_whole};
use crate::lint::text::shown;
use crate::policy::{MatchPolicy, Precedence};
use crate::rule_set::RuleSet;

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

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let mut shadowed: BTreeMap<usize, Shadowed> = BTreeMap::new();
    for (number, (_, profile, groups)) in file.by_document.iter().enumerate() {
        for (index, group) in groups.iter().enumerate() {
            check_group(file, &group, &profile.matching, |rule, line, found| {
                let place = [number, index, rule];
                let shadowed = shadowed.entry(line).or_insert(Shadowed { place, ..found });
                if let Some(reads) = shadowed.readers.get_mut(number) {
                    *reads = true;
                }
            });
        }
    }
    for found in shadowed.into_values() {
        if let Some(draft) = found.draft(file) {
            drafts.add(draft);
        }
    }
}

/// A rule that never decides. A file may have tens of thousands of them, of which few are reported.
#[derive(Default)]
struct Shadowed {
    /// The document that is the first to read the rule so, the group and the rule, by their positions.
    place: [usize; 3],
    /// Whether each document reads the rule so.
    readers: [bool; Document::ALL.len()],
    /// The line and the place of the rule that always takes precedence.
    line: usize,
    span: Span,
    /// Whether the two rules differ by stars at the end only, as `Allow: /grid/` beside `Disallow: /grid/*`.
    is_same_but_star: bool,
    /// Whether the crawlers of the group may fetch nothing because of that.
    is_closed: bool,
}

impl Shadowed {
    fn draft(self, file: &File<'_>) -> Option<Draft> {
        let [number, group, rule] = self.place;
        let (_, profile, groups) = file.by_document.get(number)?;
        let group = groups.get(group)?;
        let rule = group.rules().get(rule)?;
        let mut message =
            format!("for some crawlers line {} always takes precedence over this rule", self.line);
        if self.is_closed {
            message.push_str(", so ");
            message.push_str(&names(&group));
            message.push_str(" may fetch nothing");
        }
        let text = shown(&form(rule.pattern.bytes(), &profile.matching));
        let help = match profile.matching.precedence {
            Precedence::First => String::from(
                "put the more specific rule first; these crawlers obey the first rule that matches",
            ),
            Precedence::MostBytes if self.is_closed => format!(
                "write `Allow: {text}$` if only the home page is to be fetched, and remove line {} if the whole site is",
                self.line
            ),
            Precedence::MostBytes if self.is_same_but_star => format!(
                "write `Allow: {text}$` if the page `{text}` itself is to be fetched; these crawlers obey the rule with the longest pattern"
            ),
            Precedence::MostBytes => {
                String::from("remove it; these crawlers obey the rule with the longest pattern")
            }
        };
        let readers = Document::ALL.into_iter().zip(self.readers).filter(|(_, reads)| *reads);
        Some(
            Draft::new(rule.line(), rule.pattern.span(), message)
                .help(help)
                .other(self.span, "takes precedence")
                .readers(readers.map(|(document, _)| document).collect()),
        )
    }
}

/// Calls `found` with the position and the line of each rule of a group that never decides.
fn check_group(
    file: &File<'_>,
    group: &Group<'_, '_>,
    policy: &MatchPolicy,
    mut found: impl FnMut(usize, usize, Shadowed),
) {
    let rules = RuleSet::from_rules(group.rules().iter().copied(), SelectionBasis::Named, policy);
    let has_specials = policy.wildcards;
    // Another exception would be left where one that allows everything is not obeyed.
    let is_exception = |rule: &&Rule<'_>| rule.effect == Effect::Allow && !rule.pattern.is_empty();
    let has_one_exception = group.rules().iter().filter(is_exception).nth(1).is_none();
    for (index, rule) in group.rules().iter().enumerate().filter(|(_, rule)| !rule.pattern.is_empty()) {
        let pattern = form(rule.pattern.bytes(), policy);
        if has_specials && (pattern.contains(&b'*') || pattern.ends_with(b"$")) {
            continue;
        }
        if !file.may_check(&rules, &pattern) {
            return;
        }
        // A rule that wins on the path that is the pattern itself wins on all paths that begin with it, unless the
        // rule says where paths end.
        let Some(winner) = rules.deciding_rule(&pattern) else { continue };
        let says_end = has_specials && winner.pattern.ends_with(b"$");
        if says_end || winner.effect == rule.effect || winner.pattern == &*pattern {
            continue;
        }
        let allows = rule.effect == Effect::Allow;
        let shadowed = Shadowed {
            line: winner.line,
            span: winner.span,
            is_same_but_star: allows && without_stars(winner.pattern) == &*pattern,
            is_closed: allows
                && is_whole(rule.pattern.bytes())
                && is_whole(winner.pattern)
                && policy.precedence == Precedence::MostBytes
                && has_one_exception,
            ..Shadowed::default()
        };
        found(index, rule.line(), shadowed);
    }
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
