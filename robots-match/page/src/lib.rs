//! Reads what a page says to crawlers after it was fetched: may it be indexed, quoted, followed, archived, used for training?
//!
//! The rules of robots.txt say what may be fetched. Rules of pages are in response fields (`Robots-Tag`, `X-Robots-Tag`,
//! `Content-Usage`, `Content-Signal`) and in `meta` elements of HTML. Documents differ about them, so each document has a
//! [`PagePolicy`].
//!
//! * [`PageReader`] reads the fields and the HTML of a response, in parts of any size. It never fails.
//! * [`PageRules`] has the rules of all crawlers, and the [problems](PageRules::problems) of the page.
//! * [`CrawlerRules`] has the rules of one crawler: [`index`](CrawlerRules::index), [`snippet`](CrawlerRules::snippet),
//!   [`follow`](CrawlerRules::follow), [`training`](CrawlerRules::training) and others.
//! * Each [`Answer`] names the rule that decides and its place, and says whether the reading was complete.
//! * [`PageVerdict`] joins the rules with a verdict about access. [`RobotsStatements`] adds `Content-Usage` and `Content-Signal`
//!   of robots.txt.
//!
//! ```
//! use robots_page::matching::Crawler;
//! use robots_page::{Index, Limit, PagePolicy, PageReader};
//!
//! let mut reader = PageReader::new(PagePolicy::GOOGLE);
//! reader.field(b"X-Robots-Tag", b"googlebot: noindex");
//! reader.html(b"<!doctype html><title>Report</title>\n<meta name=robots content='max-snippet:20, follow'>");
//! let page = reader.finish();
//!
//! let rules = page.for_crawler(&Crawler::new("Googlebot")?);
//! let index = rules.index();
//! assert_eq!(index.value, Index::No);
//! assert_eq!(index.source.unwrap().source.to_string(), "X-Robots-Tag");
//! assert_eq!(rules.snippet().value, Limit::AtMost(20));
//! assert_eq!(rules.snippet().source.unwrap().source.to_string(), "meta element, line 2");
//! assert!(rules.follow().value);
//! # Ok::<(), robots_page::matching::InvalidName>(())
//! ```
//!
//! | feature | adds | needs |
//! | --- | --- | --- |
//! | `serde` | answers as documents, such as JSON | `alloc`, serde |
//! | `schema` | the JSON schemas of documents; includes `serde` | `alloc`, schemars |
//!
//! The crate needs `alloc`, but not the standard library. It reads no clock.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod collector;
mod crawler_rules;
mod date;
mod document;
mod hint;
mod html;
mod knob;
mod link_rel;
mod list_field;
mod page_rules;
mod policy;
mod problem;
mod question;
mod reader;
mod record;
mod robots_statements;
mod rule;
mod rule_list;
#[cfg(feature = "serde")]
mod serialize;
mod verdict;
mod write;

pub use crawler_rules::{Answer, CrawlerRules, Index, Limit};
pub use date::{DateOnly, Timestamp};
pub use document::PageDocument;
#[doc(hidden)]
pub use hint::{Hint, HintKind};
pub use link_rel::LinkRel;
pub use page_rules::PageRules;
pub use policy::{
    AiFromSearch, Combine, CrawlerNames, FieldSyntax, InvalidMember, KeyCase, MetaNames, MetaPlace, Noscript,
    PagePolicy, ParameterValue, Prefix, PrefixScope, Recovery, RobotsFields, RuleAsToken, Separators,
    SignalValues, Tdm, TokenForm, TokenMatch, UsageLines, UsageSources,
};
pub use problem::Problem;
pub use question::{InWords, Question};
pub use reader::{InvalidLimit, Limits, PageReader};
pub use record::{FieldName, PageProblem, Place, Record, Scope, Source};
pub use robots_match as matching;
pub use robots_statements::RobotsStatements;
pub use rule::{ImagePreview, Preference, Rule, RuleName};
#[cfg(feature = "serde")]
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
pub use serialize::{
    PageAnswerDocument, PageAnswersDocument, PageProblemDocument, PageRuleDocument, PageSourceDocument,
    PageVerdictDocument, RobotsLineDocument,
};
pub use verdict::{PageVerdict, Possibility};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
