//! Verdicts, as JavaScript sees them.

use robots_match::syntax::BodyKind;
use robots_match::{DecidingRule, Effect, Reason, Robots, Span};
use serde::Serialize;
use tsify::Tsify;

/// A range of bytes of the file, from 0.
#[derive(Serialize, Tsify)]
pub struct Range {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl From<Span> for Range {
    fn from(span: Span) -> Self {
        Self { start: span.start(), end: span.end() }
    }
}

/// A rule.
#[derive(Serialize, Tsify)]
pub struct Rule {
    /// `allow` or `disallow`.
    pub(crate) effect: &'static str,
    /// The number of its line, from 1.
    pub(crate) line: usize,
    /// The place of its pattern.
    pub(crate) span: Range,
    /// The pattern as written. Bytes that are not UTF-8 are replaced.
    pub(crate) pattern: String,
}

impl Rule {
    pub(crate) fn new(effect: Effect, line: usize, span: Span, body: &[u8]) -> Self {
        let pattern = String::from_utf8_lossy(span.of(body)).into_owned();
        Self { effect: effect_name(effect), line, span: span.into(), pattern }
    }
}

/// Whether a crawler may access a URL, and why.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct Verdict {
    pub(crate) allowed: bool,
    /// `rule`, `no-rule`, `no-group`, `robots-txt` or `not-url`.
    pub(crate) reason: &'static str,
    /// The verdict in words, such as `disallowed by line 2`, also where the file is not a robots.txt file.
    pub(crate) text: String,
    /// The rule that decides, if one does.
    pub(crate) rule: Option<Rule>,
}

impl Verdict {
    pub(crate) fn new(verdict: &robots_match::Verdict, robots: &Robots) -> Self {
        let body = robots.body();
        let text = match verdict.reason() {
            // Where a group applies, one was read.
            Reason::NoGroup => verdict.text_in(BodyKind::of(body, &robots.profile().syntax)),
            _ => verdict.to_string(),
        };
        let rule = |rule: DecidingRule| Rule::new(rule.effect, rule.line, rule.span, body);
        Self {
            allowed: verdict.is_allowed(),
            reason: verdict.reason().code(),
            text,
            rule: verdict.rule().map(rule),
        }
    }
}

pub(crate) fn effect_name(effect: Effect) -> &'static str {
    match effect {
        Effect::Allow => "allow",
        Effect::Disallow => "disallow",
    }
}
