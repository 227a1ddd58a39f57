//! The notes below an explanation: groups, rules that nearly matched, and the answers of other profiles.

use robots_fetch::{AccessResult, Cause};
use robots_match::explain::{Explanation, GroupStatus, MatchedRule, NearMiss};
use robots_match::syntax::{Field, Rule};
use robots_match::{Crawler, Document, Effect, Profile, Reason, RuleSet, SelectionBasis, Verdict};

use crate::body::{Body, is_undecided, joined_notes};
use crate::explain::page::Page;
use crate::other_lines::{CleanParam, CrawlDelay, Preference};
use crate::text::{Text, decoded};

/// The number of rules or groups of one kind that are shown to people.
pub(super) const SHOWN: usize = 5;

impl Page<'_> {
    pub(super) fn notes(&self, explained: &Explanation<'_>, verdicts: &[DocumentVerdict]) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(cause) = self.cause() {
            return self.without_rules(cause);
        }
        match explained.verdict.reason() {
            Reason::RobotsTxt => {
                notes.push("`/robots.txt` itself is always allowed".to_owned());
            }
            Reason::NoRule => notes.push("no rule that applies matches, so the URL is allowed".to_owned()),
            Reason::NoGroup => {
                notes.push("no rules apply to this crawler, so every URL is allowed".to_owned());
            }
            _ => {}
        }
        if let Some(note) = Body::of(self.robots).note() {
            notes.push(note);
        }
        if self.site.as_ref().is_some_and(|site| !site.has_rules) {
            return notes;
        }
        if explained.verdict.reason() != Reason::RobotsTxt {
            let decoded = decoded(&explained.compared);
            let decoded = decoded.map(|path| format!(" (decoded: `{path}`)")).unwrap_or_default();
            notes.push(format!(
                "patterns are compared with `{}`, the path of the URL{decoded}",
                Text(&explained.compared)
            ));
        }
        notes.push(self.groups(explained));
        let joined = joined_notes(self.robots);
        if joined.is_empty() && is_undecided(&explained.verdict) {
            notes.extend(Body::of(self.robots).mistake_note(self.robots));
        }
        notes.extend(joined);
        notes.extend(self.listed(explained));
        notes.extend(self.within_a_word(explained));
        if explained.matched.len() > SHOWN + 1 {
            notes.push(format!("{} more rules match", explained.matched.len() - SHOWN - 1));
        }
        for near in explained.near_misses.iter().take(SHOWN) {
            let rule = rule_text(near.rule());
            notes.push(match near {
                NearMiss::Slash(_) => format!(
                    "`{rule}` (line {}) matches `{}/` with a slash at the end, but not the path without it",
                    near.rule().line(),
                    Text(&explained.path)
                ),
                _ => format!(
                    "`{rule}` (line {}) differs from the path only in upper and lower case",
                    near.rule().line()
                ),
            });
        }
        for elsewhere in explained.other_matches.iter().take(SHOWN) {
            notes.push(self.elsewhere(explained, elsewhere));
        }
        if explained.other_matches.len() > SHOWN {
            notes.push(format!(
                "{} more rules would match, but are in groups that do not apply",
                explained.other_matches.len() - SHOWN
            ));
        }
        let other = self.other_lines();
        notes.extend(other.delay.map(CrawlDelay::sentence));
        notes.extend(other.preferences.iter().take(SHOWN).map(Preference::sentence));
        let params: Vec<String> = other.params.iter().map(CleanParam::shown).collect();
        if !params.is_empty() {
            notes.push(format!(
                "the crawler leaves these parameters out of URLs (Clean-param): {}",
                params.join(", ")
            ));
        }
        notes.push(self.readers());
        notes.extend(self.others(explained, verdicts));
        notes
    }

    /// Returns a note if the pattern of the deciding rule ends inside a name of the path. People often expect such a rule to
    /// match only the whole name.
    fn within_a_word(&self, explained: &Explanation<'_>) -> Option<String> {
        let winner = explained.winner().filter(|rule| rule.effect == Effect::Disallow)?;
        let rest = explained.compared.strip_prefix(&*winner.pattern)?;
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'%');
        let goes_on = rest.first().is_some_and(is_of_name) && winner.pattern.last().is_some_and(is_of_name);
        goes_on.then(|| {
            let pattern = Text(winner.written);
            format!("`{pattern}` matches every path that begins with it; `{pattern}/` would match only what is inside that folder")
        })
    }

    /// Returns what follows if no rules apply.
    fn without_rules(&self, cause: &Cause) -> Vec<String> {
        let cause = Text(cause.to_string().as_bytes()).to_string();
        let Some(site) = &self.site else { return Vec::new() };
        let mut notes = Vec::new();
        notes.push(match site.entry.access_result() {
            AccessResult::Unavailable if matches!(site.entry.status(), Some(404 | 410)) => {
                "without a robots.txt, every URL is allowed".to_owned()
            }
            AccessResult::Unavailable => {
                format!("the site does not provide a robots.txt ({cause}); this counts as having none, so every URL is allowed")
            }
            AccessResult::Restricted => {
                "access to the site is restricted, so every URL is disallowed".to_owned()
            }
            AccessResult::Throttled => {
                "the site limits requests and no robots.txt is cached, so every URL is disallowed for now".to_owned()
            }
            _ if site.verdict.is_allowed() => {
                "robots.txt has been unreachable for so long that every URL is allowed".to_owned()
            }
            _ => "the rules of the site are unknown, so every URL is disallowed for now".to_owned(),
        });
        notes.push(self.readers());
        let is_other = |result: AccessResult| {
            let nothing = result != AccessResult::Unavailable;
            nothing == site.verdict.is_allowed()
        };
        for (document, result) in site.access_results() {
            if document == self.profile.document || !is_other(result) {
                continue;
            }
            let what = match result {
                AccessResult::Unavailable => "the site has no robots.txt: every URL is allowed",
                AccessResult::Throttled => {
                    "the site limits requests: without a cached robots.txt, every URL is disallowed for now"
                }
                AccessResult::Restricted => "access to the site is restricted: every URL is disallowed",
                _ => "robots.txt is unreachable: every URL is disallowed for now",
            };
            let followers = document.followers();
            notes.push(format!("for {followers} ({document}), the answer means that {what}"));
        }
        notes
    }

    /// Returns which crawlers this answer is for.
    fn readers(&self) -> String {
        let document = self.profile.document;
        format!("this is the answer of {} ({document})", document.followers())
    }

    /// Returns notes on lines that name several crawlers, with this crawler among them.
    fn listed(&self, explained: &Explanation<'_>) -> Vec<String> {
        let names: Vec<&str> = self.crawler.names().collect();
        let holds = |agent: &Field<'_>| {
            let mut words = agent.bytes().split(|byte| matches!(byte, b',' | b';' | b' ' | b'\t'));
            agent.bytes().contains(&b',')
                && words.any(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes())))
        };
        let others = explained.groups.iter().filter(|group| !group.status.applies());
        let lists = others.flat_map(|group| &group.agents).filter(|agent| holds(agent));
        let note = |agent: &Field<'_>| {
            let line = self.view.line_of(agent.span().start());
            format!(
                "line {line} lists several crawlers (`{}`), but a line can name only one; write one User-agent line for each",
                Text(agent.bytes())
            )
        };
        lists.take(SHOWN).map(note).collect()
    }

    /// Returns which groups apply, and why.
    fn groups(&self, explained: &Explanation<'_>) -> String {
        let lines: Vec<String> = explained
            .groups
            .iter()
            .filter(|group| group.status.applies())
            .filter_map(|group| group.agents.first())
            .map(|agent| self.view.line_of(agent.span().start()).to_string())
            .collect();
        let shown = match lines.get(..SHOWN) {
            Some(first) if lines.len() > SHOWN => {
                format!("{} and {} more", first.join(", "), lines.len() - SHOWN)
            }
            _ => lines.join(", "),
        };
        let crawler = self.given();
        let has = |status| explained.groups.iter().any(|group| group.status == status);
        let has_general = has(GroupStatus::Replaced);
        let has_ignored = has(GroupStatus::WildcardIgnored);
        match (explained.basis, lines.len()) {
            (SelectionBasis::Named, 1) if has_general => {
                format!(
                    "the group of line {shown} names the crawler, so only this group applies, and not the group for `*`"
                )
            }
            (SelectionBasis::Named, 1) => {
                format!("the group of line {shown} names the crawler, so only this group applies")
            }
            (SelectionBasis::Named, _) => {
                format!(
                    "the groups of lines {shown} name the crawler, so only the rules of these groups apply, all together"
                )
            }
            (SelectionBasis::Wildcard, 1) => {
                format!("no group names {crawler}, so the group for `*` applies (line {shown})")
            }
            (SelectionBasis::Wildcard, _) => {
                format!("no group names {crawler}, so the groups for `*` apply together (lines {shown})")
            }
            (SelectionBasis::None, _) if explained.groups.is_empty() => {
                "the file has no group: no User-agent line, and so no rules for any crawler".to_owned()
            }
            (SelectionBasis::None, _) if has_ignored => {
                format!("no group names {crawler}, and this crawler ignores groups for `*`")
            }
            (SelectionBasis::None, _) => format!("no group names {crawler}, and no group is for `*`"),
        }
    }

    fn elsewhere(&self, explained: &Explanation<'_>, rule: &MatchedRule<'_>) -> String {
        let key = if rule.effect == Effect::Allow { "Allow" } else { "Disallow" };
        let shown = format!("`{key}: {}` (line {}) would match, but", Text(rule.written), rule.line);
        let Some(group) = rule.group.and_then(|index| explained.groups.get(index)) else {
            return format!("{shown} is in no group: no User-agent line comes before it");
        };
        let agents: Vec<String> =
            group.agents.iter().take(3).map(|agent| format!("`{}`", Text(agent.bytes()))).collect();
        let more = if group.agents.len() > agents.len() { " and others" } else { "" };
        let agents = format!("{}{more}", agents.join(", "));
        match group.status {
            GroupStatus::Replaced => {
                format!(
                    "{shown} is in the group for `*`; if it should apply to this crawler, repeat it in the group that names the crawler"
                )
            }
            GroupStatus::NotFirst => {
                format!(
                    "{shown} is in a later group for the same crawler ({agents}), and only the first applies"
                )
            }
            GroupStatus::LaterToken { token } => {
                let first = explained.groups.iter().find_map(|group| match group.status {
                    GroupStatus::Named { token, .. } => Some(self.name(token)),
                    _ => None,
                });
                format!(
                    "{shown} is in a group for `{}`, and another group names `{}`, which is tried first",
                    self.name(token),
                    first.unwrap_or_default()
                )
            }
            GroupStatus::WildcardIgnored => {
                format!("{shown} is in a group for `*`, which the crawler ignores")
            }
            _ => match group.agents.iter().find(|agent| self.is_literally_named(agent.bytes())) {
                Some(agent) => format!(
                    "{shown} is in a group whose line `{}` {} reads as another name",
                    Text(agent.bytes()),
                    self.profile.document
                ),
                None => format!("{shown} is in a group for {agents}"),
            },
        }
    }

    /// Returns whether a value is a name of the crawler, letter by letter. A document may read only a part of it.
    fn is_literally_named(&self, value: &[u8]) -> bool {
        self.crawler.names().any(|name| name.as_bytes().eq_ignore_ascii_case(value))
    }

    /// Returns the answers of the other profiles.
    fn others(&self, explained: &Explanation<'_>, verdicts: &[DocumentVerdict]) -> Vec<String> {
        let line = explained.winner().map(|rule| rule.line);
        let asked = self.profile.document;
        let mut notes: Vec<String> = verdicts
            .iter()
            .filter(|other| other.document != asked)
            .filter(|other| {
                other.verdict.is_allowed() != explained.is_allowed() || other.verdict.line() != line
            })
            .map(|other| {
                let verdict = other.verdict;
                let word = if verdict.is_allowed() { "allowed" } else { "disallowed" };
                let also = if verdict.is_allowed() == explained.is_allowed() { "also " } else { "" };
                let why = match verdict.reason() {
                    Reason::Rule(rule) => {
                        format!("by line {} (`{}`)", rule.line, Text(rule.span.of(self.robots.body())))
                    }
                    Reason::NoGroup => "because no group applies".to_owned(),
                    Reason::RobotsTxt => "because `/robots.txt` is always allowed".to_owned(),
                    _ => "because no rule matches".to_owned(),
                };
                format!("for {} ({}) it is {also}{word}, {why}", other.document.followers(), other.document)
            })
            .collect();
        if notes.is_empty() {
            let others = Document::ALL.into_iter().filter(|document| *document != asked);
            let others: Vec<&str> = others.map(Document::name).collect();
            notes.push(format!("other profiles give the same answer ({})", others.join(", ")));
        }
        notes
    }
}

fn rule_text(rule: &Rule<'_>) -> String {
    let key = if rule.effect == Effect::Allow { "Allow" } else { "Disallow" };
    format!("{key}: {}", Text(rule.pattern.bytes()))
}

/// The verdict of one document.
pub(super) struct DocumentVerdict {
    pub(super) document: Document,
    pub(super) verdict: Verdict,
    pub(super) basis: SelectionBasis,
}

/// Returns the verdict of each document on a path.
pub(super) fn verdicts_by_document(body: &[u8], crawler: &Crawler, path: &[u8]) -> Vec<DocumentVerdict> {
    let verdict = |document| {
        let rules = RuleSet::parse(body, crawler, &Profile::from(document));
        DocumentVerdict { document, verdict: rules.check(path), basis: rules.basis() }
    };
    Document::ALL.into_iter().map(verdict).collect()
}
