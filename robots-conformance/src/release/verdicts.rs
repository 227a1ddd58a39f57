//! `verdicts.tsv`: verdict questions as a table, for languages without a reader of JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::Question;

/// The names of the columns.
const HEAD: &str = "id\tdocument\tlevel\treadings\tneeds\tagents\turl\tdecision\tline\tfile\n";

/// Returns the table: a line for each question and document. In names and URLs, control characters are `\xHH`, a backslash is `\x5C`,
/// and a comma of a name is `\x2C`, so that each fits into its column.
pub(super) fn table(order: &[String], questions: &BTreeMap<String, Question>) -> String {
    let mut out = String::from(HEAD);
    for (id, question) in order.iter().filter_map(|id| Some((id, questions.get(id)?))) {
        if question.kind != "verdict" {
            continue;
        }
        let url = string(question, "target").unwrap_or_default();
        let file = string(question, "file").unwrap_or_default();
        let agents: Vec<&str> = question
            .ask
            .get("agents")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let url = escaped(url, "\\");
        let agents: Vec<String> = agents.iter().map(|agent| escaped(agent, "\\,")).collect();
        let needs: Vec<&str> = question.needs.iter().copied().collect();
        for expected in &question.expect {
            for (document, demand) in &expected.documents {
                let decision = expected.answer.get("decision").and_then(Value::as_str).unwrap_or_default();
                let line = expected.answer.get("line").and_then(Value::as_u64).unwrap_or_default();
                let _ = writeln!(
                    out,
                    "{id}\t{document}\t{}\t{}\t{}\t{}\t{url}\t{decision}\t{line}\t{file}",
                    demand.level,
                    expected.readings.join(","),
                    needs.join(","),
                    agents.join(","),
                );
            }
        }
    }
    out
}

/// Returns text whose control characters, and those in `also`, are escaped.
fn escaped(text: &str, also: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || also.contains(character) {
            let _ = write!(out, "\\x{:02X}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
}

fn string<'q>(question: &'q Question, key: &str) -> Option<&'q str> {
    question.ask.get(key).and_then(Value::as_str)
}
