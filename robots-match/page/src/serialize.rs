//! Answers as documents for programs (feature `serde`), and their JSON schemas (feature `schema`).

use alloc::borrow::ToOwned as _;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use robots_match::{SpanDocument, Verdict, VerdictDocument};

use crate::crawler_rules::{Answer, CrawlerRules};
use crate::document::PageDocument;
use crate::question::{InWords, Question};
use crate::record::{PageProblem, Place, Record, Source};

/// What a crawler may do with a page, as a document: the fields that the command, the page in the browser and the bindings write.
///
/// ```
/// use robots_page::matching::Crawler;
/// use robots_page::{PageDocument, PagePolicy, PageReader, PageVerdictDocument};
///
/// let mut reader = PageReader::new(PagePolicy::from(PageDocument::Google));
/// reader.field(b"X-Robots-Tag", b"noindex");
/// let page = reader.finish();
/// let rules = page.for_crawler(&Crawler::new("Googlebot")?);
/// let document = PageVerdictDocument::new(PageDocument::Google, None, Some(&rules));
/// assert_eq!(document.known, "page");
/// assert_eq!(document.answers.unwrap().index.value, "no");
/// # Ok::<(), robots_page::matching::InvalidName>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PageVerdict"))]
#[non_exhaustive]
pub struct PageVerdictDocument {
    /// The document by which the page is read, such as `repext-03`.
    pub document: &'static str,
    /// The verdict of robots.txt: of the first request that it disallows, or of the last one; null if no robots.txt was asked.
    pub access: Option<VerdictDocument>,
    /// What the crawler can know of the page: `page`; `url-only` if it may not fetch it; `nothing` if the page was not read.
    pub known: &'static str,
    /// Whether the rules of the page were read to their end.
    pub complete: bool,
    /// The answers; left out unless the crawler can know the page.
    #[serde(flatten)]
    pub answers: Option<PageAnswersDocument>,
    /// What deviates from the document, has no effect, or contradicts another rule.
    pub problems: Vec<PageProblemDocument>,
}

macro_rules! answers {
    ($($(#[$doc:meta])* $name:ident = $question:ident,)*) => {
        /// The answers to all questions about a page.
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "schema", schemars(rename = "PageAnswers"))]
        #[non_exhaustive]
        pub struct PageAnswersDocument {
            $($(#[$doc])* pub $name: PageAnswerDocument,)*
            /// Whether rights of text and data mining are reserved; null if nothing is stated.
            pub tdm_reserved: Option<bool>,
            /// Whether `noai` is stated.
            pub noai: bool,
            /// Whether `noimageai` is stated.
            pub noimageai: bool,
        }

        impl PageAnswersDocument {
            /// Creates the document of a crawler's rules.
            #[must_use]
            pub fn new(rules: &CrawlerRules<'_>) -> Self {
                Self {
                    $($name: PageAnswerDocument::new(rules, Question::$question),)*
                    tdm_reserved: rules.tdm().value,
                    noai: rules.noai().value,
                    noimageai: rules.noimageai().value,
                }
            }

            /// Makes answers `unknown` that are not known.
            #[doc(hidden)]
            pub fn retain(
                &mut self,
                rules: &CrawlerRules<'_>,
                is_known: impl Fn(Question, &Answer<'_, InWords>) -> bool,
            ) {
                $(if !is_known(Question::$question, &rules.answer(Question::$question)) {
                    self.$name.value = "unknown".to_owned();
                })*
            }
        }

        #[cfg(test)]
        const QUESTIONS: &[(&str, Question)] = &[$((stringify!($name), Question::$question)),*];
    };
}

crate::page_answers!(answers);

/// The answer to a question about a page.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PageAnswer"))]
#[non_exhaustive]
pub struct PageAnswerDocument {
    /// The answer in a word or two, such as `no`; `unknown` if no preference is stated, or if `robots page` can't know the answer: no
    /// rule restricts the use, and the page was not read to its end, or this may not be the page.
    pub value: String,
    /// Whether the use is prevented or limited.
    pub limited: bool,
    /// The rule that decides; null if there is none.
    pub decides: Option<PageRuleDocument>,
    /// The number of other rules about the question.
    pub others: usize,
}

/// A rule of a page, and its place.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Decides"))]
#[non_exhaustive]
pub struct PageRuleDocument {
    /// The rule, such as `noindex`.
    pub rule: String,
    /// Its place.
    pub source: PageSourceDocument,
}

/// What deviates from the document, has no effect, or contradicts another rule.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Problem"))]
#[non_exhaustive]
pub struct PageProblemDocument {
    /// The name of the problem, such as `meta-in-body`.
    pub code: &'static str,
    /// The problem for people.
    pub message: String,
    /// Its place.
    pub source: PageSourceDocument,
}

/// The place of a rule.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Source"))]
#[serde(untagged)]
#[non_exhaustive]
pub enum PageSourceDocument {
    /// A field of the response: its name, which of the fields with this name, from 1, and the bytes in its value.
    Field {
        /// The name.
        field: &'static str,
        /// The number among the fields of this name, from 1.
        occurrence: u32,
        /// The bytes in the value.
        span: SpanDocument,
    },
    /// A meta element: its line, from 1, the bytes in the page, and `head`, `noscript` or `body`.
    Meta {
        /// Always `meta`.
        element: &'static str,
        /// The line, from 1.
        line: u32,
        /// The bytes in the page.
        span: SpanDocument,
        /// `head`, `noscript` or `body`.
        place: &'static str,
    },
    /// A line of robots.txt.
    Robots {
        /// The line.
        robots: RobotsLineDocument,
    },
    /// The body as a whole.
    Body {
        /// Always true.
        body: bool,
    },
}

/// A line of robots.txt, from 1, and the bytes in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RobotsLine"))]
#[non_exhaustive]
pub struct RobotsLineDocument {
    /// The number of the line, from 1.
    pub line: usize,
    /// The bytes in the file.
    pub span: SpanDocument,
}

impl PageVerdictDocument {
    /// Creates the document of a page that was read by `document`. `access` is the verdict of robots.txt, if one was asked, and
    /// `rules` are those of the page, if it was read, even if the crawler may not fetch it.
    #[must_use]
    pub fn new(document: PageDocument, access: Option<&Verdict>, rules: Option<&CrawlerRules<'_>>) -> Self {
        let is_fetched = access.is_none_or(Verdict::is_allowed);
        let problems = rules.map_or_else(Vec::new, |rules| rules.problems(is_fetched));
        Self {
            document: document.name(),
            access: access.map(VerdictDocument::new),
            known: match rules {
                _ if !is_fetched => "url-only",
                Some(_) => "page",
                None => "nothing",
            },
            complete: rules.is_some_and(|rules| rules.page().is_complete()),
            answers: rules.filter(|_| is_fetched).map(PageAnswersDocument::new),
            problems: problems.iter().map(PageProblemDocument::new).collect(),
        }
    }
}

impl PageAnswerDocument {
    /// Creates the document of the answer to a question.
    #[must_use]
    pub fn new(rules: &CrawlerRules<'_>, question: Question) -> Self {
        let answer = rules.answer(question);
        Self {
            value: answer.value.text,
            limited: answer.value.is_limited,
            decides: answer.source.map(PageRuleDocument::new),
            others: answer.others.len(),
        }
    }
}

impl PageRuleDocument {
    fn new(record: &Record) -> Self {
        Self { rule: record.rule.to_string(), source: PageSourceDocument::new(&record.source) }
    }
}

impl PageProblemDocument {
    fn new(found: &PageProblem) -> Self {
        Self {
            code: found.problem.code(),
            message: found.problem.to_string(),
            source: PageSourceDocument::new(&found.source),
        }
    }
}

impl PageSourceDocument {
    fn new(source: &Source) -> Self {
        match source {
            Source::Field { name, occurrence, span } => {
                Self::Field { field: name.name(), occurrence: *occurrence, span: (*span).into() }
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
                Self::Robots { robots: RobotsLineDocument { line: *line, span: (*span).into() } }
            }
            Source::Body => Self::Body { body: true },
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use robots_match::Span;

    use super::{PageSourceDocument, QUESTIONS, Question};
    use crate::record::{Place, Source};

    #[test]
    fn each_question_has_its_field() {
        let questions: Vec<_> = Question::ALL.iter().map(|question| (question.name(), *question)).collect();
        assert_eq!(questions, QUESTIONS);
    }

    #[test]
    fn the_place_of_an_element_has_its_name() {
        for (place, name) in [(Place::Head, "head"), (Place::Noscript, "noscript"), (Place::Body, "body")] {
            let source = Source::Meta { line: 2, span: Span::new(7, 40), place };
            let span = Span::new(7, 40).into();
            let expected = PageSourceDocument::Meta { element: "meta", line: 2, span, place: name };
            assert_eq!(PageSourceDocument::new(&source), expected);
        }
    }
}
