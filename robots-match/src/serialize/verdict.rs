//! Verdicts as documents for programs, and their JSON schemas.

use alloc::string::{String, ToString as _};

use robots_groups::syntax::{BodyKind, Excerpt, Span};
use serde::ser::{Serialize, Serializer};

use crate::document::Document;
use crate::rule_set::RuleSet;
use crate::verdict::{AccessResult, DecidingRule, Reason, Verdict};

/// A verdict as a document: the fields that every command, format and binding writes for a verdict.
///
/// ```
/// use robots_match::{Crawler, Document, Robots, VerdictDocument};
///
/// let robots = Robots::new("User-agent: *\nDisallow: /private\n", Document::Rfc9309);
/// let verdict = robots.check(&Crawler::new("ExampleBot")?, "/private");
/// let document = VerdictDocument::new(&verdict).with_file(robots.body());
/// assert!(!document.allowed);
/// assert_eq!(document.rule.unwrap().written.unwrap(), "/private");
/// # Ok::<(), robots_match::InvalidName>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Verdict"))]
#[non_exhaustive]
pub struct VerdictDocument {
    /// Whether the URL may be accessed.
    pub allowed: bool,
    /// Why: `rule`, `no-rule`, `no-group`, `robots-txt`, or the code of the site's answer.
    pub reason: &'static str,
    /// The deciding rule.
    pub rule: Option<RuleDocument>,
    /// The answer of a site without rules to apply.
    pub answer: Option<AnswerDocument>,
    /// The document by which the file is read, where several are possible.
    pub profile: Option<Document>,
    /// The verdict for people, such as `disallowed by line 2`.
    pub text: String,
}

/// The deciding rule of a [`VerdictDocument`].
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Rule"))]
#[non_exhaustive]
pub struct RuleDocument {
    /// `allow` or `disallow`.
    pub effect: &'static str,
    /// The number of the line, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: usize,
    /// The number of the character in the line, from 1; null if the file is not at hand.
    pub column: Option<usize>,
    /// The place of the pattern in the file.
    pub span: SpanDocument,
    /// The pattern as it is written, with other bytes than UTF-8 replaced; null if the file is not at hand. Of a pattern of more
    /// than 8 KiB, which no URL reaches, the beginning.
    pub written: Option<String>,
    /// The pattern in the form in which it is compared; null if the rules are not at hand.
    pub pattern: Option<String>,
}

/// A place in a file, in bytes. It is exact even if bytes that are not UTF-8 are replaced in strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Span"))]
#[expect(clippy::exhaustive_structs, reason = "a span has two ends")]
pub struct SpanDocument {
    /// The first byte, counted from 0.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// The answer of a site without rules to apply, in a [`VerdictDocument`].
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Answer"))]
#[non_exhaustive]
pub struct AnswerDocument {
    /// The meaning of the answer.
    pub result: AccessResult,
    /// The status of HTTP or the reply of FTP; null without an answer.
    pub status: Option<u16>,
    /// A short name of the cause, such as `status` or `timeout`.
    pub code: &'static str,
    /// The cause in a few words, for people.
    pub cause: &'static str,
}

impl VerdictDocument {
    /// Creates the document of a verdict.
    #[must_use]
    pub fn new(verdict: &Verdict) -> Self {
        let answer = match verdict.reason() {
            Reason::Site { result, status, code, cause, .. } => {
                Some(AnswerDocument { result, status, code, cause })
            }
            _ => None,
        };
        Self {
            allowed: verdict.is_allowed(),
            reason: verdict.reason().code(),
            rule: verdict.rule().map(|rule| RuleDocument::new(&rule)),
            answer,
            profile: None,
            text: verdict.to_string(),
        }
    }

    /// Adds the text and the column of the deciding rule, from the file that the verdict is about.
    ///
    /// # Complexity
    ///
    /// Linear in the length of the line.
    #[must_use]
    pub fn with_file(mut self, body: &[u8]) -> Self {
        if let Some(rule) = &mut self.rule {
            let span = Span::new(rule.span.start, rule.span.end);
            rule.written = Some(text_of(span.of(body)));
            rule.column = Some(Excerpt::new(body, span).column());
        }
        self
    }

    /// Adds the document by which the file is read.
    #[must_use]
    pub const fn with_profile(mut self, profile: Document) -> Self {
        self.profile = Some(profile);
        self
    }

    /// Says in the text what the file is, if no rule decides because it is not a robots.txt file; see [`Verdict::text_in`].
    #[must_use]
    pub fn with_kind(mut self, verdict: &Verdict, kind: BodyKind) -> Self {
        self.text = verdict.text_in(kind);
        self
    }

    /// Adds the compared form of the deciding rule, from the rules that have it. `path` is what was checked.
    ///
    /// # Complexity
    ///
    /// That of [`RuleSet::deciding_rule`].
    #[must_use]
    pub fn with_rules(mut self, rules: &RuleSet, path: &[u8]) -> Self {
        if let (Some(rule), Some(compiled)) = (&mut self.rule, rules.deciding_rule(path)) {
            rule.pattern = Some(text_of(compiled.pattern));
        }
        self
    }

    /// Returns the number of the deciding line, from 1.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.rule.as_ref().map(|rule| rule.line)
    }
}

/// Returns the text of a pattern, or its beginning: a list may have the same rule for a thousand crawlers.
fn text_of(pattern: &[u8]) -> String {
    const MOST: usize = 8 << 10;
    match pattern.get(..MOST) {
        Some(start) if pattern.len() > MOST => {
            String::from_utf8_lossy(start).trim_end_matches(char::REPLACEMENT_CHARACTER).into()
        }
        _ => String::from_utf8_lossy(pattern).into_owned(),
    }
}

impl RuleDocument {
    fn new(rule: &DecidingRule) -> Self {
        Self {
            effect: rule.effect.name(),
            line: rule.line,
            column: None,
            span: rule.span.into(),
            written: None,
            pattern: None,
        }
    }
}

impl From<Span> for SpanDocument {
    fn from(span: Span) -> Self {
        Self { start: span.start(), end: span.end() }
    }
}

/// Writes a [`VerdictDocument`].
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        VerdictDocument::new(self).serialize(serializer)
    }
}

/// Writes the name.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for AccessResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Writes the name.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "schema")]
mod schema {
    use alloc::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{AccessResult, Document, Verdict, VerdictDocument};

    #[cfg_attr(docsrs, doc(cfg(feature = "schema")))]
    impl JsonSchema for Verdict {
        fn schema_name() -> Cow<'static, str> {
            VerdictDocument::schema_name()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            VerdictDocument::json_schema(generator)
        }
    }

    #[cfg_attr(docsrs, doc(cfg(feature = "schema")))]
    impl JsonSchema for AccessResult {
        fn schema_name() -> Cow<'static, str> {
            Cow::Borrowed("AccessResult")
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "The meaning of an answer: a file; a redirect; a missing file; the file is unreachable; the site limits requests; access is refused.",
                "enum": Self::ALL.map(Self::name),
            })
        }
    }

    #[cfg_attr(docsrs, doc(cfg(feature = "schema")))]
    impl JsonSchema for Document {
        fn schema_name() -> Cow<'static, str> {
            Cow::Borrowed("Profile")
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "The document by which files and answers are read.",
                "enum": Self::ALL.map(Self::name),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::text_of;

    #[test]
    fn long_patterns_are_cut_between_characters() {
        let text = alloc::format!("/{}", "\u{e4}".repeat(5000));
        assert_eq!(text_of(&text.as_bytes()[..8192]).len(), 8194);
        assert_eq!(text_of(text.as_bytes()), text[..8191]);
        assert_eq!(text_of(&[b'a'; 8193]).len(), 8192);
    }
}
