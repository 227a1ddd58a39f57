//! The answers about a page for programs.

use robots_fetch::page::{FieldName, PageProblem, PageVerdict, Place, Record, Source};
use robots_match::{Document, SpanDocument, VerdictDocument};
use schemars::JsonSchema;
use serde::Serialize;

use super::read::{Asked, Hop, Page};
use super::{InWords, answers};

/// The output of `robots page --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    version: u8,
    profile: Document,
    /// The pages in the order of the inputs, without those that could not be read.
    pages: Vec<PageDocument>,
    /// Why inputs could not be read.
    failed: Vec<String>,
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
    /// Why the page was not read to its end; null if it was.
    problem: Option<String>,
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
    /// The document by which the page is read, such as `repext-03`.
    document: &'static str,
    /// The verdict of robots.txt: of the first request that it disallows, or of the last one.
    access: VerdictDocument,
    /// What the crawler can know of the page: `page`, or `url-only` if it may not fetch it.
    known: &'static str,
    /// Whether the rules of the page were read to their end.
    complete: bool,
    /// The answers; left out if the crawler may not fetch the page.
    #[serde(flatten)]
    answers: Option<Answers>,
    problems: Vec<ProblemDocument>,
}

macro_rules! answers {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The answers to all questions.
        #[derive(Debug, Serialize, JsonSchema)]
        struct Answers {
            $($(#[$doc])* $name: Option<AnswerDocument>,)*
            /// Whether rights of text and data mining are reserved; null if nothing is stated.
            tdm_reserved: Option<bool>,
            /// Whether `noai` is stated.
            noai: bool,
            /// Whether `noimageai` is stated.
            noimageai: bool,
        }

        impl Answers {
            fn new(of: &robots_fetch::page::CrawlerRules<'_>) -> Self {
                let all = answers(of);
                let named = |name: &str| all.iter().find(|answer| answer.name == name).map(AnswerDocument::new);
                Self {
                    $($name: named(stringify!($name)),)*
                    tdm_reserved: of.tdm().value,
                    noai: of.noai().value,
                    noimageai: of.noimageai().value,
                }
            }
        }

        #[cfg(test)]
        const ANSWERS: &[&str] = &[$(stringify!($name)),*];
    };
}

answers! {
    /// Whether the page may be in an index.
    index,
    /// Whether the page may be quoted.
    snippet,
    /// Whether links of the page may be followed.
    follow,
    /// Whether a copy may be shown.
    archive,
    /// Whether images of the page may be in an index.
    images,
    /// Whether the page may be translated.
    translate,
    /// The size of previews of images.
    image_preview,
    /// The length of previews of videos.
    video_preview,
    /// The time after which the page is not in an index.
    unavailable_after,
    /// The preference about the training of models.
    training,
    /// The preference about answers of AI.
    answers,
    /// The preference about search.
    search,
}

/// The answer to a question.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "PageAnswer")]
struct AnswerDocument {
    /// The answer in a word or two, such as `no`.
    value: String,
    /// The rule that decides; null if there is none.
    decides: Option<Decides>,
    /// The number of other rules about the question.
    others: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Decides {
    /// The rule, such as `noindex`.
    rule: String,
    source: SourceDocument,
}

/// What deviates from the document, or has no effect.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
struct ProblemDocument {
    code: &'static str,
    message: String,
    source: SourceDocument,
}

/// The place of a rule.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Source")]
#[serde(untagged)]
enum SourceDocument {
    /// A field of the response: its name, which of the fields with this name, from 0, and the bytes in its value.
    Field { field: &'static str, occurrence: u32, span: SpanDocument },
    /// A meta element: its line, from 1, the bytes in the page, and `head`, `noscript` or `body`.
    Meta { element: &'static str, line: u32, span: SpanDocument, place: &'static str },
    /// A line of robots.txt.
    Robots { robots: RobotsDocument },
    /// The body as a whole.
    Body { body: bool },
}

/// A line of robots.txt, from 1, and the bytes in the file.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RobotsLine")]
struct RobotsDocument {
    line: usize,
    span: SpanDocument,
}

impl Output {
    pub(super) fn new(profile: Document, pages: &[Page], asked: &[Asked], failed: Vec<String>) -> Self {
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
            problem: page.problem.clone(),
        }
    }
}

impl HopDocument {
    fn new(hop: &Hop, asked: &[Asked]) -> Self {
        let access = hop.verdicts.iter().zip(asked).map(|(verdict, asked)| Access {
            agent: asked.named.name.clone(),
            verdict: VerdictDocument::new(verdict),
        });
        Self { url: hop.url.as_str().to_owned(), status: hop.status, access: access.collect() }
    }
}

impl AgentDocument {
    fn new(page: &Page, asked: &[Asked], index: usize, of: &Asked) -> Self {
        let verdict = page.verdict(asked, index);
        let rules = page.rules.get(index);
        let problems = rules.map_or(&[][..], |rules| rules.problems());
        Self {
            agent: of.named.name.clone(),
            document: of.document.name(),
            access: VerdictDocument::new(verdict.access()),
            known: match verdict {
                PageVerdict::NotFetched(_) => "url-only",
                PageVerdict::Seen { .. } => "page",
            },
            complete: rules.is_some_and(|rules| rules.is_complete()),
            answers: verdict.rules().map(Answers::new),
            problems: problems.iter().map(ProblemDocument::new).collect(),
        }
    }
}

impl AnswerDocument {
    fn new(answer: &InWords<'_>) -> Self {
        let decides = |record: &Record| Decides {
            rule: record.rule.to_string(),
            source: SourceDocument::new(&record.source),
        };
        Self { value: answer.value.clone(), decides: answer.source.map(decides), others: answer.others }
    }
}

impl ProblemDocument {
    fn new(found: &PageProblem) -> Self {
        Self {
            code: found.problem.code(),
            message: found.problem.to_string(),
            source: SourceDocument::new(&found.source),
        }
    }
}

impl SourceDocument {
    fn new(source: &Source) -> Self {
        let field = |name: &FieldName| name.name();
        match source {
            Source::Field { name, occurrence, span } => {
                Self::Field { field: field(name), occurrence: *occurrence, span: (*span).into() }
            }
            Source::Meta { line, span, place } => Self::Meta {
                element: "meta",
                line: *line,
                span: (*span).into(),
                place: match place {
                    Place::Head => "head",
                    Place::Noscript => "noscript",
                    Place::Body => "body",
                },
            },
            Source::Robots { line, span } => {
                Self::Robots { robots: RobotsDocument { line: *line, span: (*span).into() } }
            }
            _ => Self::Body { body: true },
        }
    }
}

#[cfg(test)]
mod tests {
    use robots_fetch::page::{PageDocument, PagePolicy, PageReader};
    use robots_match::Crawler;

    use super::ANSWERS;
    use crate::page::answers;

    #[test]
    fn each_question_has_its_field() {
        let rules = PageReader::new(PagePolicy::from(PageDocument::Repext03)).finish();
        let rules = rules.for_crawler(&Crawler::unnamed());
        assert_eq!(answers(&rules).iter().map(|answer| answer.name).collect::<Vec<_>>(), ANSWERS);
    }
}
