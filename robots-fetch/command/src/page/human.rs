//! The answers about a page for people: one screen.

use core::fmt::Write as _;

use robots_fetch::page::{PageVerdict, Record};

use super::read::{Asked, Page};
use super::{InWords, answers};
use crate::table::columns;
use crate::text::Text;

/// The questions that are shown even if no rule is about them.
const ALWAYS: [&str; 5] = ["index", "snippet", "follow", "training", "answers"];

/// Returns the answers about a page.
pub(super) fn text(page: &Page, asked: &[Asked]) -> String {
    let mut out = format!("{}\n", page.name);
    if page.hops.len() > 1 {
        for hop in &page.hops {
            let status = hop.status.map_or_else(|| "not fetched".to_owned(), |status| status.to_string());
            let _ = writeln!(out, "  {status}  {}", Text(hop.url.as_str().as_bytes()));
        }
    }
    let mut footnotes: Vec<String> = Vec::new();
    let verdicts: Vec<PageVerdict<'_>> = (0..asked.len()).map(|index| page.verdict(asked, index)).collect();
    let answered: Vec<Option<Vec<InWords<'_>>>> =
        verdicts.iter().map(|verdict| verdict.rules().map(answers)).collect();
    let head = |first: &str, cell: &dyn Fn(&Asked) -> String| -> Vec<String> {
        core::iter::once(first.to_owned()).chain(asked.iter().map(cell)).collect()
    };
    let mut rows = vec![
        head("", &|asked| Text(asked.named.name.as_bytes()).to_string()),
        head("by the document", &|asked| asked.document.name().to_owned()),
    ];
    let fetched = verdicts.iter().map(|verdict| fetched(page, verdict));
    rows.push(core::iter::once("may it be fetched?".to_owned()).chain(fetched).collect());
    let questions = answered.iter().flatten().next().map_or(0, Vec::len);
    for question in 0..questions.max(usize::from(questions == 0)) {
        let of_question = |answers: &Option<Vec<InWords<'_>>>| -> Option<(String, Option<String>)> {
            let answer = answers.as_ref()?.get(question)?;
            Some((answer.value.clone(), answer.source.map(rule)))
        };
        let (name, title) = answered
            .iter()
            .flatten()
            .find_map(|answers| answers.get(question).map(|answer| (answer.name, answer.question)))
            .unwrap_or(("index", "may it be in the index?"));
        let found: Vec<_> = answered.iter().map(of_question).collect();
        let has_source = found.iter().flatten().any(|(_, source)| source.is_some());
        if !has_source && !ALWAYS.contains(&name) {
            continue;
        }
        let cells = found.into_iter().enumerate().map(|(index, found)| match found {
            None if name == "index" => "only its URL can be known".to_owned(),
            None => "-".to_owned(),
            Some((value, None)) => {
                let is_complete = page.rules.get(index).is_some_and(|rules| rules.is_complete());
                if is_complete { value } else { "no rule found".to_owned() }
            }
            Some((value, Some(source))) => {
                let number = footnotes.iter().position(|known| *known == source).unwrap_or_else(|| {
                    footnotes.push(source);
                    footnotes.len() - 1
                });
                format!("{value} [{}]", number + 1)
            }
        });
        rows.push(core::iter::once(title.to_owned()).chain(cells).collect());
    }
    out.push('\n');
    out.push_str(&columns(&rows));
    if !footnotes.is_empty() {
        out.push('\n');
    }
    for (index, footnote) in footnotes.iter().enumerate() {
        let _ = writeln!(out, "[{}] {footnote}", index + 1);
    }
    let notes = notes(page, asked, &verdicts);
    if !notes.is_empty() {
        out.push('\n');
    }
    for note in notes {
        let _ = writeln!(out, "note: {note}");
    }
    out
}

/// Returns whether the page may be fetched, and what decides.
fn fetched(page: &Page, verdict: &PageVerdict<'_>) -> String {
    if page.hops.is_empty() {
        return "a file".to_owned();
    }
    let access = verdict.access();
    let word = if access.is_allowed() { "yes" } else { "no" };
    match access.line() {
        Some(line) => format!("{word}, robots.txt line {line}"),
        None if access.is_allowed() => word.to_owned(),
        None => format!("{word}: {}", access.reason()),
    }
}

/// Returns a rule and its place: `noindex (X-Robots-Tag)`.
pub(super) fn rule(record: &Record) -> String {
    format!("{} ({})", Text(record.rule.to_string().as_bytes()), record.source)
}

/// Returns what prevents, contradicts or has no effect.
fn notes(page: &Page, asked: &[Asked], verdicts: &[PageVerdict<'_>]) -> Vec<String> {
    let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
    let mut add = |text: String, document: &'static str| match notes.iter_mut().find(|(of, _)| *of == text) {
        Some((_, documents)) if documents.contains(&document) => {}
        Some((_, documents)) => documents.push(document),
        None => notes.push((text, vec![document])),
    };
    for (index, asked_of) in asked.iter().enumerate() {
        let document = asked_of.document.name();
        let name = Text(asked_of.named.name.as_bytes());
        let Some(verdict) = verdicts.get(index) else { continue };
        let seen = page.rules_of(asked, index);
        if let (PageVerdict::NotFetched(_), Some(rules)) = (verdict, &seen) {
            for answer in answers(rules).into_iter().filter_map(|answer| answer.source) {
                add(
                    format!(
                        "{name} can't see {}, because it may not fetch the page: let it, or remove the rule",
                        rule(answer)
                    ),
                    document,
                );
            }
        }
        if let PageVerdict::NotFetched(_) = verdict {
            add(
                format!(
                    "{name} may not fetch the page, so rules in it have no effect for {name}; other pages may still lead to its URL in an index"
                ),
                document,
            );
        }
        if let Some(rules) = verdict.rules() {
            let index = rules.index();
            if let (Some(decides), Some(other)) = (index.source, index.others.first())
                && decides.rule.name() != other.rule.name()
            {
                add(format!("{} contradicts {}; the first one counts", rule(decides), rule(other)), document);
            }
        }
        if let Some(rules) = page.rules.get(index) {
            for found in rules.problems() {
                add(format!("{}: {} ({})", found.source, found.problem, found.problem.code()), document);
            }
            if let Some(why) = rules.incomplete_because() {
                add(format!("{why}; there may be more rules"), document);
            }
        }
    }
    let mut documents: Vec<&str> = asked.iter().map(|asked| asked.document.name()).collect();
    documents.sort_unstable();
    documents.dedup();
    let mut out: Vec<String> = notes
        .into_iter()
        .map(
            |(text, of)| {
                if of.len() == documents.len() { text } else { format!("{}: {text}", of.join(", ")) }
            },
        )
        .collect();
    if let Some(status) = page.hops.last().and_then(|hop| hop.status).filter(|status| *status != 200) {
        out.push(format!("the site answered status {status}, so this may not be the page"));
    }
    out.extend(page.problem.clone());
    if page.is_looked_at {
        out.push("the page was fetched although no crawler may (--look-anyway)".to_owned());
    }
    out
}
