//! The answers about a page for programs.

use robots_fetch::page::{FieldName, PageProblem, PageVerdict, Place, Source};
use robots_match::{Span, Verdict};
use serde_json::{Map, Value, json};

use super::answers;
use super::read::{Asked, Page};

/// Returns the answers about a page.
pub(super) fn page(page: &Page, asked: &[Asked]) -> Value {
    let hops = page.hops.iter().map(|hop| {
        let verdicts = hop.verdicts.iter().zip(asked).map(|(of, asked)| {
            let mut access = verdict(of);
            if let Some(access) = access.as_object_mut() {
                access.insert("agent".to_owned(), json!(asked.named.name));
            }
            access
        });
        json!({ "url": hop.url.as_str(), "status": hop.status, "access": verdicts.collect::<Vec<_>>() })
    });
    let agents = (0..asked.len()).filter_map(|index| {
        let of = asked.get(index)?;
        let verdict_of_page = page.verdict(asked, index);
        let mut found = Map::new();
        found.insert("agent".to_owned(), json!(of.named.name));
        found.insert("document".to_owned(), json!(of.document.name()));
        found.insert("access".to_owned(), verdict(verdict_of_page.access()));
        found.insert(
            "known".to_owned(),
            json!(match verdict_of_page {
                PageVerdict::NotFetched(_) => "url-only",
                PageVerdict::Seen { .. } => "page",
            }),
        );
        let rules = page.rules.get(index);
        found.insert("complete".to_owned(), json!(rules.is_some_and(|rules| rules.is_complete())));
        if let Some(rules) = verdict_of_page.rules() {
            for answer in answers(rules) {
                let rule = answer.source.map(
                    |record| json!({ "rule": record.rule.to_string(), "source": source(&record.source) }),
                );
                found.insert(
                    answer.name.to_owned(),
                    json!({ "value": answer.value, "decides": rule, "others": answer.others }),
                );
            }
            found.insert("tdm_reserved".to_owned(), json!(rules.tdm().value));
            found.insert("noai".to_owned(), json!(rules.noai().value));
            found.insert("noimageai".to_owned(), json!(rules.noimageai().value));
        }
        let problems = rules.map_or(&[][..], |rules| rules.problems());
        found.insert("problems".to_owned(), problems.iter().map(problem).collect());
        Some(Value::Object(found))
    });
    json!({
        "name": page.name,
        "hops": hops.collect::<Vec<_>>(),
        "agents": agents.collect::<Vec<_>>(),
        "problem": page.problem,
    })
}

fn verdict(verdict: &Verdict) -> Value {
    json!({
        "allowed": verdict.is_allowed(),
        "reason": verdict.reason().code(),
        "line": verdict.line(),
    })
}

fn problem(found: &PageProblem) -> Value {
    json!({
        "code": found.problem.code(),
        "message": found.problem.to_string(),
        "source": source(&found.source),
    })
}

fn source(source: &Source) -> Value {
    let field = |name: &FieldName| name.name();
    match source {
        Source::Field { name, occurrence, span } => {
            json!({ "field": field(name), "occurrence": occurrence, "span": bytes(*span) })
        }
        Source::Meta { line, span, place } => json!({
            "element": "meta",
            "line": line,
            "span": bytes(*span),
            "place": match place {
                Place::Head => "head",
                Place::Noscript => "noscript",
                Place::Body => "body",
            },
        }),
        Source::Robots { line, span } => {
            json!({ "robots": { "line": line, "span": bytes(*span) } })
        }
        _ => json!({ "body": true }),
    }
}

/// Returns a span: the first byte, and the byte after the last.
fn bytes(span: Span) -> Value {
    json!({ "start": span.start(), "end": span.end() })
}
