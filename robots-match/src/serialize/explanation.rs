//! Explanations as documents for programs.

use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::{Field, Rule};
use serde::ser::{Serialize, Serializer};

use super::verdict::{SpanDocument, VerdictDocument};
use crate::explain::{Explanation, GroupExplanation, MatchedRule};

/// An explanation as a document: the fields that the command and an [`Explanation`] itself write.
///
/// ```
/// use robots_match::syntax::{Excerpt, Span};
/// use robots_match::{Crawler, Document, ExplanationDocument, Robots};
///
/// let robots = Robots::new("User-agent: *\nDisallow: /private\n", Document::Rfc9309);
/// let explanation = robots.explain(&Crawler::new("ExampleBot")?, "/private/page");
/// // To be written with serde_json, for example.
/// let document = ExplanationDocument::new(&explanation).with_places(|at| {
///     let excerpt = Excerpt::new(robots.body(), Span::new(at, at));
///     (excerpt.line(), excerpt.column())
/// });
/// # Ok::<(), robots_match::InvalidName>(())
/// ```
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplanationDocument {
    url: String,
    /// The path and query of the URL.
    path: String,
    /// The path in the form in which it is compared.
    compared: String,
    /// Which groups apply to the crawler: `named`, `wildcard` or `none`.
    basis: &'static str,
    #[serde(flatten)]
    verdict: VerdictDocument,
    /// The rules that match, the deciding one first.
    matched: Vec<MatchedDocument>,
    /// The rules that nearly match.
    near: Vec<NearDocument>,
    /// The rules that match in groups that do not apply.
    elsewhere: Vec<ElsewhereDocument>,
    groups: Vec<GroupDocument>,
}

/// A rule that matches, in an [`ExplanationDocument`].
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Matched"))]
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

/// A value as it is written in the file, in an [`ExplanationDocument`].
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Written"))]
struct WrittenDocument {
    written: String,
    /// The number of the line, from 1; null if it is not known.
    line: Option<usize>,
    /// The number of the character in the line, from 1; null if the file is not at hand.
    column: Option<usize>,
    span: SpanDocument,
}

/// A rule as it is written, in an [`ExplanationDocument`].
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WrittenRule"))]
struct WrittenRuleDocument {
    #[serde(flatten)]
    written: WrittenDocument,
    /// `allow` or `disallow`.
    effect: &'static str,
}

/// A rule that nearly matches, in an [`ExplanationDocument`].
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Near"))]
struct NearDocument {
    rule: WrittenRuleDocument,
    /// Why the rule does not match.
    miss: &'static str,
}

/// A rule that matches and does not apply, in an [`ExplanationDocument`].
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Elsewhere"))]
struct ElsewhereDocument {
    rule: MatchedDocument,
    /// The index of the group.
    group: Option<usize>,
}

/// A group, in an [`ExplanationDocument`].
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Group"))]
struct GroupDocument {
    agents: Vec<WrittenDocument>,
    /// Why the group applies or not.
    standing: &'static str,
    applies: bool,
    rules: Vec<WrittenRuleDocument>,
}

impl ExplanationDocument {
    /// Creates the document of an explanation, without columns, and without the lines of `User-agent` lines.
    #[must_use]
    pub fn new(explained: &Explanation<'_>) -> Self {
        let near = explained.near_misses.iter();
        let near =
            near.map(|near| NearDocument { rule: WrittenRuleDocument::new(near.rule()), miss: near.code() });
        let elsewhere = explained.other_matches.iter();
        let elsewhere = elsewhere
            .map(|other| ElsewhereDocument { rule: MatchedDocument::new(other), group: other.group });
        Self {
            url: text(explained.url),
            path: text(&explained.path),
            compared: text(&explained.compared),
            basis: explained.basis.name(),
            verdict: VerdictDocument::new(&explained.verdict),
            matched: explained.matched.iter().map(MatchedDocument::new).collect(),
            near: near.collect(),
            elsewhere: elsewhere.collect(),
            groups: explained.groups.iter().map(GroupDocument::new).collect(),
        }
    }

    /// Sets the verdict, where the site gives another one than the file.
    #[must_use]
    pub fn with_verdict(self, verdict: VerdictDocument) -> Self {
        Self { verdict, ..self }
    }

    /// Adds line and column of each value, both from 1, from a function of the offset of a byte.
    #[must_use]
    pub fn with_places(mut self, place_of: impl Fn(usize) -> (usize, usize)) -> Self {
        let all = self.matched.iter_mut().map(|matched| &mut matched.written);
        let all = all.chain(self.near.iter_mut().map(|near| &mut near.rule.written));
        let all = all.chain(self.elsewhere.iter_mut().map(|other| &mut other.rule.written));
        let all = all.chain(self.groups.iter_mut().flat_map(|group| {
            group.agents.iter_mut().chain(group.rules.iter_mut().map(|rule| &mut rule.written))
        }));
        for written in all {
            let (line, column) = place_of(written.span.start);
            (written.line, written.column) = (Some(line), Some(column));
        }
        self
    }
}

impl MatchedDocument {
    fn new(rule: &MatchedRule<'_>) -> Self {
        Self {
            written: WrittenDocument {
                written: text(rule.written),
                line: Some(rule.line),
                column: None,
                span: rule.span.into(),
            },
            effect: rule.effect.name(),
            pattern: text(&rule.pattern),
            bytes: rule.pattern.len(),
            fate: rule.outcome.code(),
        }
    }
}

impl WrittenDocument {
    fn new(field: Field<'_>, line: Option<usize>) -> Self {
        Self { written: text(field.bytes()), line, column: None, span: field.span().into() }
    }
}

impl WrittenRuleDocument {
    fn new(rule: &Rule<'_>) -> Self {
        Self { written: WrittenDocument::new(rule.pattern, Some(rule.line())), effect: rule.effect.name() }
    }
}

impl GroupDocument {
    fn new(group: &GroupExplanation<'_>) -> Self {
        Self {
            agents: group.agents.iter().map(|agent| WrittenDocument::new(*agent, None)).collect(),
            standing: group.status.code(),
            applies: group.status.applies(),
            rules: group.rules.iter().map(WrittenRuleDocument::new).collect(),
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Writes an [`ExplanationDocument`].
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Explanation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ExplanationDocument::new(self).serialize(serializer)
    }
}
