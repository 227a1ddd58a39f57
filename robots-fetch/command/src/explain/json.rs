//! An explanation for programs.

use alloc::borrow::Cow;

use robots_match::explain::Explanation;
use robots_match::{AccessResult, Document, Reason, SelectionBasis, Verdict, VerdictDocument};
use schemars::JsonSchema;
use serde::Serialize;

use super::notes::DocumentVerdict;
use super::page::Page;
use crate::body::{Body, joined_notes};
use crate::fetch::SiteDocument;
use crate::other_lines::{CleanParam, CrawlDelay, Preference};
use crate::output::Failures;

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
    /// The arguments that are neither URLs nor paths.
    pub(super) failed: &'q Failures,
}

/// Why a crawler may or may not access a URL.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Explanation")]
pub(super) struct ExplanationDocument {
    /// The crawler, as it was given.
    agent: String,
    /// The site that was asked.
    site: Option<String>,
    #[serde(flatten)]
    explanation: robots_match::ExplanationDocument,
    /// What the file is.
    body: Body,
    /// Notes on lines in which records for crawlers ran together, so that crawlers do not read all of them.
    joined: Vec<String>,
    /// A note if the rules decide differently about the URL as it is written.
    as_written: Option<String>,
    /// The time that the file asks the crawler to wait between requests.
    crawl_delay: Option<CrawlDelay>,
    /// The Clean-param lines of the file, if the crawler obeys them.
    clean_params: Vec<CleanParam>,
    /// The Content-Signal and Content-Usage lines for the crawler.
    preferences: Vec<Preference>,
    /// The verdict under each profile.
    profiles: Vec<ProfileDocument>,
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
        let other = self.other_lines();
        let verdict = VerdictDocument::new(verdict).with_file(body).with_profile(self.profile.document);
        let place_of = |at| (self.view.line_of(at), self.view.column_of(at));
        let explanation = robots_match::ExplanationDocument::new(explained);
        ExplanationDocument {
            agent: self.agent.to_owned(),
            site: self.site.as_ref().map(|site| site.origin.as_str().to_owned()),
            explanation: explanation.with_verdict(verdict).with_places(place_of),
            body: Body::of(self.robots),
            joined: joined_notes(self.robots),
            as_written: written,
            crawl_delay: other.delay,
            clean_params: other.params,
            preferences: other.preferences,
            profiles,
        }
    }
}
