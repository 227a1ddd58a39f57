//! An explanation for programs.

use alloc::borrow::Cow;

use robots_match::explain::{Explanation, MatchedRule};
use robots_match::syntax::{Effect, Field, Rule};
use robots_match::{AccessResult, Document, Reason, SelectionBasis, SpanDocument, Verdict, VerdictDocument};
use schemars::JsonSchema;
use serde::Serialize;

use super::by_document::DocumentVerdict;
use super::page::Page;
use crate::body::Body;
use crate::fetch::SiteDocument;
use crate::other_lines::{CleanParam, CrawlDelay, Preference};

/// The output of `robots explain --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'q> {
    pub(super) version: u8,
    /// The name of a document, or `auto`: each verdict has its own.
    pub(super) profile: &'static str,
    /// The file, as it was named; null if the sites were asked.
    pub(super) robots: Option<Cow<'q, str>>,
    /// The crawlers, as they were given.
    pub(super) agents: Vec<&'q str>,
    /// The sites that were asked, in the order of the first URL of each.
    pub(super) sites: Vec<SiteDocument<'q>>,
    /// One for each URL and crawler, in the order of the arguments.
    pub(super) explanations: Vec<ExplanationDocument>,
}

/// Why a crawler may or may not access a URL.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Explanation")]
pub(super) struct ExplanationDocument {
    /// The crawler, as it was given.
    agent: String,
    url: String,
    /// The site that was asked.
    site: Option<String>,
    /// The path and query of the URL.
    path: String,
    /// The path in the form in which it is compared.
    compared: String,
    /// Which groups apply to the crawler: `named`, `wildcard` or `none`.
    basis: &'static str,
    #[serde(flatten)]
    verdict: VerdictDocument,
    /// What the file is.
    body: Body,
    /// A note if the rules decide differently about the URL as it is written.
    as_written: Option<String>,
    /// The rules that match, the deciding one first.
    matched: Vec<MatchedDocument>,
    /// The rules that nearly match.
    near: Vec<NearDocument>,
    /// The rules that match in groups that do not apply.
    elsewhere: Vec<ElsewhereDocument>,
    groups: Vec<GroupDocument>,
    /// The time that the file asks the crawler to wait between requests.
    crawl_delay: Option<CrawlDelay>,
    /// The Clean-param lines of the file, if the crawler obeys them.
    clean_params: Vec<CleanParam>,
    /// The Content-Signal and Content-Usage lines for the crawler.
    preferences: Vec<Preference>,
    /// The verdict under each profile.
    profiles: Vec<ProfileDocument>,
}

/// A rule that matches.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Matched")]
struct MatchedDocument {
    #[serde(flatten)]
    written: WrittenDocument,
    /// `allow` or `disallow`.
    effect: &'static str,
    /// The pattern in the form in which it is compared.
    pattern: String,
    /// The number of its bytes.
    bytes: usize,
    /// Why the rule decides or not.
    fate: &'static str,
}

/// A value as it is written in the file.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Written")]
struct WrittenDocument {
    written: String,
    line: usize,
    /// The number of the character in the line, from 1.
    column: usize,
    span: SpanDocument,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Rule")]
struct WrittenRule {
    #[serde(flatten)]
    written: WrittenDocument,
    /// `allow` or `disallow`.
    effect: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Near")]
struct NearDocument {
    rule: WrittenRule,
    /// Why the rule does not match.
    miss: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Elsewhere")]
struct ElsewhereDocument {
    rule: MatchedDocument,
    /// The index of the group.
    group: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Group")]
struct GroupDocument {
    agents: Vec<WrittenDocument>,
    /// Why the group applies or not.
    standing: &'static str,
    applies: bool,
    rules: Vec<WrittenRule>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OtherProfile")]
struct ProfileDocument {
    basis: &'static str,
    #[serde(flatten)]
    verdict: VerdictDocument,
}

impl Page<'_> {
    pub(super) fn json(
        &self,
        explained: &Explanation<'_>,
        verdicts: &[DocumentVerdict],
        written: Option<String>,
    ) -> ExplanationDocument {
        let body = self.robots.body();
        let of_file = |other: &DocumentVerdict| ProfileDocument {
            basis: other.basis.name(),
            verdict: VerdictDocument::new(&other.verdict).with_file(body).with_profile(other.document),
        };
        let of_site = |(profile, result): (Document, AccessResult), verdict: &Verdict| {
            let is_allowed = result == AccessResult::Unavailable;
            let reason = match verdict.reason() {
                Reason::Site { status, code, cause, .. } => {
                    Reason::Site { allowed: is_allowed, result, status, code, cause }
                }
                reason => reason,
            };
            let verdict = VerdictDocument::new(&Verdict::new(reason)).with_profile(profile);
            ProfileDocument { basis: SelectionBasis::None.name(), verdict }
        };
        let (verdict, profiles) = match &self.site {
            Some(site) if site.cause.is_some() => {
                let results = site.access_results().into_iter();
                (&site.verdict, results.map(|result| of_site(result, &site.verdict)).collect())
            }
            _ => (&explained.verdict, verdicts.iter().map(of_file).collect()),
        };
        let near = explained
            .near_misses
            .iter()
            .map(|near| NearDocument { rule: self.rule(near.rule()), miss: near.code() });
        let elsewhere = explained
            .other_matches
            .iter()
            .map(|other| ElsewhereDocument { rule: self.matched(other), group: other.group });
        let groups = explained.groups.iter().map(|group| GroupDocument {
            agents: group.agents.iter().map(|agent| self.field(*agent)).collect(),
            standing: group.status.code(),
            applies: group.status.applies(),
            rules: group.rules.iter().map(|rule| self.rule(rule)).collect(),
        });
        let other = self.other_lines();
        ExplanationDocument {
            agent: self.agent.to_owned(),
            url: String::from_utf8_lossy(explained.url).into_owned(),
            site: self.site.as_ref().map(|site| site.origin.as_str().to_owned()),
            path: String::from_utf8_lossy(&explained.path).into_owned(),
            compared: String::from_utf8_lossy(&explained.compared).into_owned(),
            basis: explained.basis.name(),
            verdict: VerdictDocument::new(verdict).with_file(body).with_profile(self.profile.document),
            body: Body::of(self.robots),
            as_written: written,
            matched: explained.matched.iter().map(|rule| self.matched(rule)).collect(),
            near: near.collect(),
            elsewhere: elsewhere.collect(),
            groups: groups.collect(),
            crawl_delay: other.delay,
            clean_params: other.params,
            preferences: other.preferences,
            profiles,
        }
    }

    fn field(&self, field: Field<'_>) -> WrittenDocument {
        let start = field.span().start();
        WrittenDocument {
            written: String::from_utf8_lossy(field.bytes()).into_owned(),
            line: self.view.line_of(start),
            column: self.view.column_of(start),
            span: field.span().into(),
        }
    }

    fn rule(&self, rule: &Rule<'_>) -> WrittenRule {
        WrittenRule { written: self.field(rule.pattern), effect: Effect::name(rule.effect) }
    }

    fn matched(&self, rule: &MatchedRule<'_>) -> MatchedDocument {
        MatchedDocument {
            written: WrittenDocument {
                written: String::from_utf8_lossy(rule.written).into_owned(),
                line: rule.line,
                column: self.view.column_of(rule.span.start()),
                span: rule.span.into(),
            },
            effect: rule.effect.name(),
            pattern: String::from_utf8_lossy(&rule.pattern).into_owned(),
            bytes: rule.pattern.len(),
            fate: rule.outcome.code(),
        }
    }
}
