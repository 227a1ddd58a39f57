//! A verdict in the output of all commands.

use robots_match::syntax::BodyKind;
use robots_match::{AccessResult, DecidingRule, Reason, RuleSet, Verdict, VerdictDocument};

use crate::text::Text;

/// `line 3: Disallow: /private`, or why no line decides: also because the body of this kind is not a robots.txt file.
pub(crate) fn why(verdict: &Verdict, body: &[u8], kind: BodyKind) -> String {
    match verdict.reason() {
        Reason::Rule(rule) => format!("line {}: {}", rule.line, Text(written(&rule, body)).short()),
        reason => reason.text_in(kind),
    }
}

/// Returns whether a site gave no answer that says what may be accessed, such as an outage.
pub(crate) const fn is_unanswered(reason: &Reason) -> bool {
    matches!(reason, Reason::Site { result: AccessResult::Unreachable | AccessResult::Throttled, .. })
}

/// Returns a rule as it is written: its line up to the end of its pattern.
fn written<'b>(rule: &DecidingRule, body: &'b [u8]) -> &'b [u8] {
    let before = body.get(..rule.span.start()).unwrap_or_default();
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
    let rule = body.get(start..rule.span.end()).unwrap_or_default();
    rule.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(rule).trim_ascii()
}

/// Returns the document of a verdict about a path that a client requests, with the text of the deciding rule.
pub(crate) fn document(
    verdict: &Verdict,
    body: &[u8],
    rules: Option<&RuleSet>,
    path: &[u8],
) -> VerdictDocument {
    let document = VerdictDocument::new(verdict).with_file(body);
    match rules {
        Some(rules) => document.with_rules(rules, path),
        None => document,
    }
}
