//! `verdicts.tsv`: verdict questions as a table, for languages without a reader of JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::Question;

/// The names of the columns.
const HEAD: &str = "id\tdocument\tlevel\treadings\tneeds\tagents\turl\tdecision\tline\tfile\n";

/// Returns the table: a line for each question and document. Questions whose URL or names have a control character are
/// left out, because such text does not fit into a table.
pub(super) fn table(order: &[String], questions: &BTreeMap<String, Question>) -> String {
    let mut out = String::from(HEAD);
    for (id, question) in order.iter().filter_map(|id| Some((id, questions.get(id)?))) {
        if question.kind != "verdict" {
            continue;
        }
        let (Some(url), Some(file)) = (string(question, "target"), string(question, "file")) else {
            continue;
        };
        let agents: Vec<&str> = question
            .ask
            .get("agents")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let fits = |text: &str, separator: char| !text.contains(|c: char| c.is_control() || c == separator);
        if !fits(url, '\t') || !agents.iter().all(|agent| fits(agent, ',')) {
            continue;
        }
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

fn string<'q>(question: &'q Question, key: &str) -> Option<&'q str> {
    question.ask.get(key).and_then(Value::as_str)
}
