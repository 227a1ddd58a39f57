//! The answers about a page for programs.

use robots_fetch::page::PageVerdictDocument;
use robots_match::VerdictDocument;
use schemars::JsonSchema;
use serde::Serialize;

use super::read::{Asked, Hop, Page};
use super::response::Remark;
use crate::output::Failures;

/// The output of `robots page --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'p> {
    version: u8,
    /// The name of a document, or `auto`: each verdict has its own.
    profile: &'static str,
    /// The pages in the order of the inputs, without those that could not be read.
    pages: Vec<PageDocument>,
    /// The inputs that could not be read.
    failed: &'p Failures,
}

/// What is known of a page.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Page")]
struct PageDocument {
    /// The URL, or the path of the file.
    name: String,
    /// The requests, in order. The answers to all except the last were redirects. None for a file.
    hops: Vec<HopDocument>,
    agents: Vec<AgentDocument>,
    /// Why the page was not read, or why this may not be the page; null if neither is so.
    problem: Option<String>,
    /// What else may decide what search engines show, such as a canonical URL.
    notes: Vec<NoteDocument>,
}

/// What a response says beside its rules.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "PageNote")]
struct NoteDocument {
    /// What is noted: `canonical`, `refresh`, `data-nosnippet`, `redirect-rule`, `field-spelling` or `not-html`.
    code: &'static str,
    /// The note for people.
    message: String,
    /// The line in the page, from 1; null if the note is about a field.
    line: Option<u32>,
    /// The URL that search engines may show in place of the page; null for other notes.
    url: Option<String>,
}

/// A request for the page.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Hop")]
struct HopDocument {
    url: String,
    /// The status of the answer; null if the URL was not requested.
    status: Option<u16>,
    /// The verdict of robots.txt for each crawler.
    access: Vec<Access>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Access {
    agent: String,
    #[serde(flatten)]
    verdict: VerdictDocument,
}

/// What a crawler may do with the page.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Agent")]
struct AgentDocument {
    agent: String,
    #[serde(flatten)]
    verdict: PageVerdictDocument,
}

impl<'p> Output<'p> {
    pub(super) fn new(profile: &'static str, pages: &[Page], asked: &[Asked], failed: &'p Failures) -> Self {
        let pages = pages.iter().map(|page| PageDocument::new(page, asked)).collect();
        Self { version: 1, profile, pages, failed }
    }
}

impl PageDocument {
    fn new(page: &Page, asked: &[Asked]) -> Self {
        Self {
            name: page.name.clone(),
            hops: page.hops.iter().map(|hop| HopDocument::new(hop, asked)).collect(),
            agents: (0..).zip(asked).map(|(index, of)| AgentDocument::new(page, asked, index, of)).collect(),
            problem: page.doubt(),
            notes: page.remarks.iter().map(NoteDocument::new).collect(),
        }
    }
}

impl NoteDocument {
    fn new(remark: &Remark) -> Self {
        Self { code: remark.code, message: remark.to_string(), line: remark.line, url: remark.url.clone() }
    }
}

impl HopDocument {
    fn new(hop: &Hop, asked: &[Asked]) -> Self {
        let access = hop.verdicts.iter().zip(asked).map(|(verdict, asked)| Access {
            agent: asked.named.name.clone(),
            verdict: VerdictDocument::new(verdict)
                .with_kind(verdict, hop.kind)
                .with_profile(asked.profile.document),
        });
        Self { url: hop.url.as_str().to_owned(), status: hop.status, access: access.collect() }
    }
}

impl AgentDocument {
    fn new(page: &Page, asked: &[Asked], index: usize, of: &Asked) -> Self {
        let verdict = page.verdict(asked, index);
        let access = (!page.hops.is_empty()).then(|| verdict.access());
        let rules = page.rules_of(asked, index);
        let mut document = PageVerdictDocument::new(of.document, access, rules.as_ref());
        if let (Some(answers), Some(rules)) = (&mut document.answers, &rules) {
            answers.retain(rules, |question, answer| page.knows(question, answer));
        }
        document.access = access.map(|verdict| {
            let kind = page.kind_for(index);
            VerdictDocument::new(verdict).with_kind(verdict, kind).with_profile(of.profile.document)
        });
        Self { agent: of.named.name.clone(), verdict: document }
    }
}
