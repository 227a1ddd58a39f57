//! An explanation for programs.

use robots_fetch::Class;
use robots_match::Basis;
use robots_match::explain::{Answer, Explanation, Matched};
use robots_match::syntax::{Field, Rule};
use serde_json::{Value, json};

use super::page::Page;
use crate::json::span;

impl Page<'_> {
    pub(super) fn json(&self, explained: &Explanation<'_>, answers: &[Answer]) -> Value {
        let groups: Vec<Value> = explained
            .groups
            .iter()
            .map(|group| {
                json!({
                    "agents": group.agents.iter().map(|agent| self.field(*agent)).collect::<Vec<_>>(),
                    "standing": group.standing.code(),
                    "applies": group.standing.applies(),
                    "rules": group.rules.iter().map(|rule| self.rule(rule)).collect::<Vec<_>>(),
                })
            })
            .collect();
        let near: Vec<Value> = explained
            .near
            .iter()
            .map(|near| json!({ "rule": self.rule(&near.rule), "miss": near.miss.code() }))
            .collect();
        let elsewhere: Vec<Value> = explained
            .elsewhere
            .iter()
            .map(|elsewhere| json!({ "rule": self.matched(&elsewhere.rule), "group": elsewhere.group }))
            .collect();
        let profiles: Vec<Value> = answers
            .iter()
            .map(|answer| {
                json!({
                    "profile": answer.profile,
                    "allowed": answer.is_allowed,
                    "reason": answer.decision.code(),
                    "basis": answer.basis.name(),
                    "line": answer.line.map(|(line, _)| line),
                    "span": answer.line.map(|(_, place)| span(place)),
                })
            })
            .collect();
        let (reason, profiles) = match &self.site {
            Some(site) if site.cause().is_some() => {
                let reason = |is_allowed: bool| if is_allowed { "everything" } else { "nothing" };
                let of = |(name, class): (&str, Class)| {
                    let is_allowed = class == Class::Unavailable;
                    json!({
                        "profile": name,
                        "allowed": is_allowed,
                        "reason": reason(is_allowed),
                        "basis": Basis::None.name(),
                        "line": null,
                        "span": null,
                    })
                };
                (reason(site.decision.is_allowed()), site.classes().into_iter().map(of).collect())
            }
            _ => (explained.decision.code(), profiles),
        };
        json!({
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
            "written": String::from_utf8_lossy(field.octets()),
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

    fn matched(&self, rule: &Matched<'_>) -> Value {
        json!({
            "written": String::from_utf8_lossy(rule.written),
            "line": rule.line,
            "column": self.view.column_of(rule.span.start()),
            "span": span(rule.span),
            "effect": rule.effect.name(),
            "pattern": String::from_utf8_lossy(&rule.pattern),
            "octets": rule.pattern.len(),
            "fate": rule.fate.code(),
        })
    }
}
