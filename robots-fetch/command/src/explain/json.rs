//! An explanation for programs.

use robots_fetch::AccessResult;
use robots_match::explain::{Explanation, MatchedRule};
use robots_match::syntax::{Field, Rule};
use robots_match::{Document, SelectionBasis};
use serde_json::{Value, json};

use super::by_document::DocumentVerdict;
use super::page::Page;
use crate::json::span;

impl Page<'_> {
    pub(super) fn json(&self, explained: &Explanation<'_>, verdicts: &[DocumentVerdict]) -> Value {
        let groups: Vec<Value> = explained
            .groups
            .iter()
            .map(|group| {
                json!({
                    "agents": group.agents.iter().map(|agent| self.field(*agent)).collect::<Vec<_>>(),
                    "standing": group.status.code(),
                    "applies": group.status.applies(),
                    "rules": group.rules.iter().map(|rule| self.rule(rule)).collect::<Vec<_>>(),
                })
            })
            .collect();
        let near: Vec<Value> = explained
            .near_misses
            .iter()
            .map(|near| json!({ "rule": self.rule(near.rule()), "miss": near.code() }))
            .collect();
        let elsewhere: Vec<Value> = explained
            .other_matches
            .iter()
            .map(|elsewhere| json!({ "rule": self.matched(elsewhere), "group": elsewhere.group }))
            .collect();
        let profiles: Vec<Value> = verdicts
            .iter()
            .map(|other| {
                json!({
                    "profile": other.document.name(),
                    "allowed": other.verdict.is_allowed(),
                    "reason": other.verdict.reason().code(),
                    "basis": other.basis.name(),
                    "line": other.verdict.line(),
                    "span": other.verdict.span().map(span),
                })
            })
            .collect();
        let (reason, profiles) = match &self.site {
            Some(site) if site.cause.is_some() => {
                let reason = |is_allowed: bool| if is_allowed { "everything" } else { "nothing" };
                let of = |(document, result): (Document, AccessResult)| {
                    let is_allowed = result == AccessResult::Unavailable;
                    json!({
                        "profile": document.name(),
                        "allowed": is_allowed,
                        "reason": reason(is_allowed),
                        "basis": SelectionBasis::None.name(),
                        "line": null,
                        "span": null,
                    })
                };
                (reason(site.verdict.is_allowed()), site.access_results().into_iter().map(of).collect())
            }
            _ => (explained.verdict.reason().code(), profiles),
        };
        json!({
            "agent": self.agent,
            "url": String::from_utf8_lossy(explained.url),
            "site": self.site.as_ref().map(|site| site.origin.as_str()),
            "path": String::from_utf8_lossy(&explained.path),
            "compared": String::from_utf8_lossy(&explained.compared),
            "allowed": self.is_allowed(explained),
            "reason": reason,
            "basis": explained.basis.name(),
            "line": explained.winner().map(|rule| rule.line),
            "matched": explained.matched.iter().map(|rule| self.matched(rule)).collect::<Vec<_>>(),
            "near": near,
            "elsewhere": elsewhere,
            "groups": groups,
            "profiles": profiles,
        })
    }

    fn field(&self, field: Field<'_>) -> Value {
        let start = field.span().start();
        json!({
            "written": String::from_utf8_lossy(field.bytes()),
            "line": self.view.line_of(start),
            "column": self.view.column_of(start),
            "span": span(field.span()),
        })
    }

    fn rule(&self, rule: &Rule<'_>) -> Value {
        let mut value = self.field(rule.pattern);
        if let Value::Object(value) = &mut value {
            value.insert("effect".to_owned(), rule.effect.name().into());
        }
        value
    }

    fn matched(&self, rule: &MatchedRule<'_>) -> Value {
        json!({
            "written": String::from_utf8_lossy(rule.written),
            "line": rule.line,
            "column": self.view.column_of(rule.span.start()),
            "span": span(rule.span),
            "effect": rule.effect.name(),
            "pattern": String::from_utf8_lossy(&rule.pattern),
            "bytes": rule.pattern.len(),
            "fate": rule.outcome.code(),
        })
    }
}
