//! Explanations of verdicts.

use robots_match::explain::{Explanation as Explained, GroupStatus, MatchedRule};
use robots_match::syntax::Excerpt;
use robots_match::{Crawler, Document, Precedence, Robots};
use serde::Serialize;
use tsify::Tsify;

use crate::verdict::{Rule, Verdict};

/// The explanation of a verdict.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    verdict: Verdict,
    /// Path and query in the form that is compared with patterns.
    compared: String,
    /// Why groups apply: `named`, `wildcard` or `none`.
    basis: &'static str,
    /// Whether the first rule that matches decides, not the longest one.
    first_match_decides: bool,
    /// The groups that apply, or are for every crawler, or name a later name of this crawler.
    groups: Vec<Group>,
    /// The number of groups that are for other crawlers.
    others: usize,
    /// The rules that apply and match; the first one decides.
    matched: Vec<Matched>,
    /// The rules that would match if the URL was written slightly differently.
    near_misses: Vec<NearMiss>,
    /// The rules that match, but are in groups that do not apply.
    other_matches: Vec<Rule>,
}

/// A group, and its status for the crawler.
#[derive(Serialize, Tsify)]
pub struct Group {
    /// The names in its `user-agent` lines.
    agents: Vec<String>,
    /// The number of the first line that is about the crawler.
    line: usize,
    /// `named`, `wildcard`, `replaced`, `wildcard-ignored`, `later-token` or `not-first`.
    status: &'static str,
    applies: bool,
}

/// A rule that matches, and its outcome.
#[derive(Serialize, Tsify)]
pub struct Matched {
    rule: Rule,
    /// `decides`, `shorter`, `other-kind`, `later` or `duplicate`.
    outcome: &'static str,
    /// The number of bytes that precedence counts.
    bytes: usize,
}

/// A rule that almost matches.
#[derive(Serialize, Tsify)]
pub struct NearMiss {
    rule: Rule,
    /// `slash` or `case`.
    kind: &'static str,
}

/// The verdict of one document.
#[derive(Serialize, Tsify)]
pub struct DocumentVerdict {
    /// The name of the document.
    profile: &'static str,
    verdict: Verdict,
}

impl DocumentVerdict {
    pub(crate) fn new(document: Document, body: &[u8], crawler: &Crawler, url: &str) -> Self {
        let robots = Robots::new(body, document);
        let verdict = robots.check(crawler, url.as_bytes());
        Self { profile: document.name(), verdict: Verdict::new(&verdict, &robots) }
    }
}

impl Explanation {
    pub(crate) fn new(robots: &Robots, explained: &Explained<'_>) -> Self {
        let body = robots.body();
        let matched = |rule: &MatchedRule<'_>| Rule::new(rule.effect, rule.line, rule.span, body);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let about = explained.groups.iter().filter(|group| group.status != GroupStatus::Others);
        let groups: Vec<Group> = about
            .map(|group| {
                let agent = match group.status {
                    GroupStatus::Named { agent, .. } | GroupStatus::General { agent } => agent,
                    _ => 0,
                };
                let place = group.agents.get(agent).map(|agent| Excerpt::new(body, agent.span()).line());
                Group {
                    agents: group.agents.iter().map(|agent| text(agent.bytes())).collect(),
                    line: place.unwrap_or_default(),
                    status: group.status.code(),
                    applies: group.status.applies(),
                }
            })
            .collect();
        Self {
            verdict: Verdict::new(&explained.verdict, robots),
            compared: text(&explained.compared),
            basis: explained.basis.name(),
            first_match_decides: robots.profile().matching.precedence == Precedence::First,
            others: explained.groups.len() - groups.len(),
            groups,
            matched: explained
                .matched
                .iter()
                .map(|rule| Matched {
                    rule: matched(rule),
                    outcome: rule.outcome.code(),
                    bytes: rule.pattern.len(),
                })
                .collect(),
            near_misses: explained
                .near_misses
                .iter()
                .map(|near| NearMiss {
                    rule: Rule::new(near.rule().effect, near.rule().line(), near.rule().pattern.span(), body),
                    kind: near.code(),
                })
                .collect(),
            other_matches: explained.other_matches.iter().map(matched).collect(),
        }
    }
}
