//! The answers about a page for people: one screen.

use robots_fetch::page::{
    Answer, CrawlerRules, InWords, PageProblem, PageVerdict, Problem, Question, Record, Rule,
};

use super::read::{Asked, Page};
use super::response::Remark;
use crate::output::TextLines;
use crate::text::Text;

/// The questions that are shown even if no rule is about them.
const ALWAYS: [Question; 5] =
    [Question::Index, Question::Snippet, Question::Follow, Question::Training, Question::Answers];

/// Returns the answers about a page.
pub(super) fn text(page: &Page, asked: &[Asked]) -> TextLines {
    let mut out = TextLines::one(&page.name);
    if page.hops.len() > 1 {
        for hop in &page.hops {
            let status = hop.status.map_or_else(|| "not fetched".to_owned(), |status| status.to_string());
            out.add(format_args!("  {status}  {}", hop.url));
        }
    }
    let mut footnotes: Vec<String> = Vec::new();
    let doubt = page.doubt();
    let verdicts: Vec<PageVerdict<'_>> = (0..asked.len()).map(|index| page.verdict(asked, index)).collect();
    let head = |first: &str, cell: &dyn Fn(&Asked) -> String| -> Vec<String> {
        core::iter::once(first.to_owned()).chain(asked.iter().map(cell)).collect()
    };
    let mut rows = vec![
        head("", &|asked| Text(asked.named.name.as_bytes()).to_string()),
        head("by the document", &|asked| asked.document.name().to_owned()),
    ];
    let fetched = (0..).zip(&verdicts).zip(asked).map(|((index, verdict), asked)| {
        let (word, why) = fetched(page, index, verdict);
        let suffix = asked.profile.suffix();
        match why {
            Some(why) => format!("{word} [{}]{suffix}", number_of(&mut footnotes, why)),
            None => word + &suffix,
        }
    });
    rows.push(core::iter::once("may it be fetched?".to_owned()).chain(fetched).collect());
    // If no crawler can know the page, one row says so.
    let is_seen = verdicts.iter().any(|verdict| verdict.rules().is_some());
    let mut is_open = !page.hops.is_empty() && verdicts.iter().all(|verdict| verdict.access().is_allowed());
    for &question in if is_seen { Question::ALL } else { &[Question::Index] } {
        let found: Vec<Option<Answer<'_, InWords>>> =
            verdicts.iter().map(|verdict| verdict.rules().map(|rules| rules.answer(question))).collect();
        let has_source = found.iter().flatten().any(|answer| answer.source.is_some());
        if !has_source && !ALWAYS.contains(&question) {
            continue;
        }
        let cells = found.into_iter().zip(&verdicts).map(|(found, verdict)| match found {
            None if question == Question::Index && verdict.access().is_allowed() => "not known".to_owned(),
            None if question == Question::Index => "only its URL can be known".to_owned(),
            None => "-".to_owned(),
            // An error page says nothing about the page.
            Some(answer) if !page.knows(question, &answer) => {
                if doubt.is_some() { "not known" } else { "no rule found" }.to_owned()
            }
            Some(Answer { source: Some(source), value, .. }) => {
                format!("{} [{}]", value.text, number_of(&mut footnotes, rule(source)))
            }
            Some(answer) => answer.value.text,
        });
        let cells: Vec<String> = cells.collect();
        is_open &= question != Question::Index || cells.iter().all(|cell| cell == "yes");
        rows.push(core::iter::once(question.to_string()).chain(cells).collect());
    }
    out.add_blank();
    out.add_columns(&rows);
    if !footnotes.is_empty() {
        out.add_blank();
    }
    for (index, footnote) in footnotes.iter().enumerate() {
        out.add(format_args!("[{}] {footnote}", index + 1));
    }
    let mut notes = notes(page, asked, &verdicts);
    if is_open && notes.is_empty() {
        notes.push(
            "nothing here keeps the page out of an index; each search engine decides whether it is in one, and shows that in its tools \
             for owners of sites, such as Google Search Console"
                .to_owned(),
        );
    }
    if !notes.is_empty() {
        out.add_blank();
    }
    for note in notes {
        out.add(format_args!("note: {note}"));
    }
    out
}

/// Returns the number of a footnote, from 1, which is added if it is new.
fn number_of(footnotes: &mut Vec<String>, text: String) -> usize {
    match footnotes.iter().position(|known| *known == text) {
        Some(index) => index + 1,
        None => {
            footnotes.push(text);
            footnotes.len()
        }
    }
}

/// Returns whether the page may be fetched, and what decides if that takes more than a few words.
fn fetched(page: &Page, index: usize, verdict: &PageVerdict<'_>) -> (String, Option<String>) {
    if page.hops.is_empty() {
        return ("a file".to_owned(), None);
    }
    let access = verdict.access();
    let word = if access.is_allowed() { "yes" } else { "no" };
    let kind = page.kind_for(index);
    match access.line() {
        Some(line) => (format!("{word}, robots.txt line {line}"), None),
        None if access.is_allowed() && kind.is_robots_txt() => (word.to_owned(), None),
        None if access.is_allowed() => (word.to_owned(), Some(format!("the robots.txt is {kind}"))),
        None => (word.to_owned(), Some(access.reason().to_string())),
    }
}

/// Returns a rule and its place: `noindex (X-Robots-Tag)`.
pub(crate) fn rule(record: &Record) -> String {
    format!("{} ({})", Text(record.rule.to_string().as_bytes()), record.source)
}

/// Returns a problem, the rule that has it, and its place: `noindex (meta element in the body, line 9): this element … (meta-in-body)`.
fn problem(found: &PageProblem, rules: &CrawlerRules<'_>) -> String {
    let mut with_it = rules.page().records().iter().filter(|record| record.source == found.source);
    let place = match found.problem {
        // All rules of an element have its place.
        Problem::UnknownRule | Problem::InvisibleCharacter => {
            let unknown = with_it.filter(|record| matches!(record.rule, Rule::Unknown(_)));
            let names = unknown.map(|record| Text(record.rule.to_string().as_bytes()).to_string());
            names
                .reduce(|all, name| format!("{all}, {name}"))
                .map(|names| format!("{names} ({})", found.source))
        }
        _ => with_it.next().map(rule),
    };
    let place = place.unwrap_or_else(|| found.source.to_string());
    format!("{place}: {} ({})", found.problem, found.problem.code())
}

/// Returns what prevents, contradicts or has no effect.
fn notes(page: &Page, asked: &[Asked], verdicts: &[PageVerdict<'_>]) -> Vec<String> {
    let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
    let mut add = |text: String, document: &'static str| match notes.iter_mut().find(|(of, _)| *of == text) {
        Some((_, documents)) if documents.contains(&document) => {}
        Some((_, documents)) => documents.push(document),
        None => notes.push((text, vec![document])),
    };
    let mut kept_out = Vec::new();
    for (index, asked_of) in asked.iter().enumerate() {
        let document = asked_of.document.name();
        let name = Text(asked_of.named.name.as_bytes());
        let Some(verdict) = verdicts.get(index) else { continue };
        let is_fetched = verdict.rules().is_some();
        let rules = page.rules_of(asked, index);
        for found in rules.iter().flat_map(|rules| rules.problems(is_fetched)) {
            let text = rules.as_ref().map(|rules| problem(&found, rules)).unwrap_or_default();
            let whose = if found.problem == Problem::NotSeen { format!("{name}: ") } else { String::new() };
            add(format!("{whose}{text}"), document);
        }
        if !verdict.access().is_allowed() {
            kept_out.push(name.to_string());
        }
        if let Some(why) = rules.as_ref().and_then(|rules| rules.page().incomplete_because()) {
            add(format!("{why}; there may be more rules"), document);
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
    if !kept_out.is_empty() {
        out.push(format!(
            "{} may not fetch the page, so rules in it have no effect there; other pages may still lead to its URL in an index",
            kept_out.join(", ")
        ));
    }
    out.extend(page.remarks.iter().map(Remark::to_string));
    if page.hops.len() > 1 && page.doubt().is_none() {
        out.push("the answers are about the page to which the URL leads; search engines show that one, and not the first".to_owned());
    }
    out.extend(page.doubt());
    if page.is_looked_at {
        out.push("the page was fetched although no crawler may (--look-anyway)".to_owned());
    }
    out
}
