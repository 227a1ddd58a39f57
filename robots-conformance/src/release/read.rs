//! Reads a release: its questions become rows, which run as the rows of the tables do.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{KINDS, page};
use crate::row::Files;
use crate::suite::Suite;
use crate::suite::names::{DOCUMENTS, page_policy_named, profile_named};
use crate::suite::problem::Problem;
use crate::suite::table::Table;

/// The document under whose policy the documents are read that are a part of it.
const PAGES: &str = "repext-03";

#[derive(Deserialize)]
struct Written {
    files: BTreeMap<String, File>,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct File {
    base64: Option<String>,
    #[serde(default)]
    pieces: Vec<Piece>,
}

#[derive(Deserialize)]
struct Piece {
    base64: String,
    times: usize,
}

#[derive(Deserialize)]
struct Test {
    id: String,
    kind: String,
    ask: Map<String, Value>,
    expect: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    documents: BTreeMap<String, Demand>,
    readings: Vec<String>,
    answer: Map<String, Value>,
    accept: Option<Value>,
}

#[derive(Deserialize)]
struct Demand {
    cites: Vec<String>,
}

impl Suite {
    /// Reads the text of a `suite.json`. Each answer of each question becomes a row, named by the id of the question; the
    /// tables are the kinds of questions.
    ///
    /// What can't be read becomes a [`Problem`].
    #[must_use]
    pub fn from_release(text: &str) -> Self {
        let mut problems = Vec::new();
        let mut tables = Vec::new();
        match serde_json::from_str::<Written>(text) {
            Ok(written) => tables = written.tables(&mut problems),
            Err(error) => problems.push(Problem::new(FILE, error.line(), error.to_string())),
        }
        Self {
            statements: Vec::new(),
            sources: BTreeMap::new(),
            readings: Vec::new(),
            tables,
            exceptions: Vec::new(),
            problems,
        }
    }
}

const FILE: &str = "suite.json";

impl Written {
    fn tables(self, problems: &mut Vec<Problem>) -> Vec<Table> {
        let mut files = Files::default();
        for (name, file) in &self.files {
            match file.bytes() {
                Ok(bytes) => drop(files.add(name.clone(), bytes)),
                Err(what) => problems.push(Problem::new(FILE, 0, format!("file {name}: {what}"))),
            }
        }
        let mut texts: BTreeMap<&str, String> = BTreeMap::new();
        for test in &self.tests {
            let Some((kind, _)) = KINDS.iter().find(|(kind, _)| *kind == test.kind) else {
                problems.push(Problem::new(
                    FILE,
                    0,
                    format!("{}: the kind {} is not known", test.id, test.kind),
                ));
                continue;
            };
            for (number, expected) in test.expect.iter().enumerate() {
                match test.row(number, expected) {
                    Ok(row) => texts.entry(kind).or_default().push_str(&row),
                    Err(what) => problems.push(Problem::new(FILE, 0, format!("{}: {what}", test.id))),
                }
            }
        }
        let table = |(kind, text): (&str, String)| {
            Table::with_files(FILE, "suite", kind, files.clone(), &text, problems)
        };
        texts.into_iter().map(table).collect()
    }
}

impl File {
    fn bytes(&self) -> Result<Vec<u8>, String> {
        let decoded = |text: &str| STANDARD.decode(text).map_err(|error| error.to_string());
        match &self.base64 {
            Some(text) => decoded(text),
            None => self.pieces.iter().try_fold(Vec::new(), |mut bytes, piece| {
                bytes.extend(decoded(&piece.base64)?.repeat(piece.times));
                Ok(bytes)
            }),
        }
    }
}

impl Test {
    /// Returns the row of an answer in TOML.
    fn row(&self, number: usize, expected: &Expected) -> Result<String, String> {
        let mut profiles: Vec<&str> = Vec::new();
        for document in expected.documents.keys() {
            let known = DOCUMENTS.contains(&&**document);
            let profile = match (profile_named(document), page_policy_named(document)) {
                (None, None) if known => PAGES,
                (None, None) => return Err(format!("the document {document} is not known")),
                _ => document,
            };
            if !profiles.contains(&profile) {
                profiles.push(profile);
            }
        }
        let mut cites: Vec<&str> = expected.readings.iter().map(String::as_str).collect();
        for cite in expected.documents.values().flat_map(|demand| &demand.cites) {
            if !cites.contains(&&**cite) {
                cites.push(cite);
            }
        }
        row(&self.kind, &format!("{}-{number}", self.id), (&cites, &profiles), &self.ask, expected)
    }
}

/// Returns a row in TOML: the keys of the question and of the answer under the names that tables use.
fn row(
    kind: &str,
    name: &str,
    (cites, profiles): (&[&str], &[&str]),
    ask: &Map<String, Value>,
    expected: &Expected,
) -> Result<String, String> {
    let mut out = format!("[[{kind}]]\n");
    let mut add = |key: &str, value: Value| {
        if let Some(value) = toml(&value) {
            out.push_str(&format!("{key} = {value}\n"));
        }
    };
    add("name", json!(name));
    add("cites", json!(cites));
    add("profiles", json!(profiles));
    if let Some(accept) = &expected.accept {
        add("accept", accept.clone());
    }
    if kind == "page" {
        page::joined(ask, &expected.answer, add);
        return Ok(out);
    }
    for (key, value) in ask {
        match &**key {
            "target" if kind == "verdict" => {}
            "file" => add("robots", value.clone()),
            "steps" => add("steps", steps(value, expected.answer.get("steps"))?),
            _ => add(key, with_bodies(value)),
        }
    }
    for (key, value) in &expected.answer {
        match &**key {
            "decision" if kind == "verdict" => add("expect", value.clone()),
            "steps" => {}
            _ => add(key, value.clone()),
        }
    }
    Ok(out)
}

/// Joins the steps of the question and of the answer of a timeline, index by index.
fn steps(asked: &Value, expected: Option<&Value>) -> Result<Value, String> {
    let (Some(asked), Some(expected)) = (asked.as_array(), expected.and_then(Value::as_array)) else {
        return Err("the steps are not lists".to_owned());
    };
    if asked.len() != expected.len() {
        return Err("the question and the answer have different numbers of steps".to_owned());
    }
    let joined = asked.iter().zip(expected).map(|(asked, expected)| {
        let both = [asked, expected].into_iter().filter_map(Value::as_object).flatten();
        Value::Object(both.map(|(key, value)| (key.clone(), with_bodies(value))).collect())
    });
    Ok(joined.collect())
}

/// Answers of servers refer to a file as `body` in tables.
fn with_bodies(value: &Value) -> Value {
    match value {
        Value::Array(values) => values.iter().map(with_bodies).collect(),
        Value::Object(map) => {
            let key = |key: &str| if key == "file" { "body".to_owned() } else { key.to_owned() };
            Value::Object(map.iter().map(|(name, value)| (key(name), with_bodies(value))).collect())
        }
        other => other.clone(),
    }
}

/// Writes a value in TOML on one line; `None` for null. The escapes of JSON are those of TOML.
fn toml(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Array(values) => {
            format!("[{}]", values.iter().filter_map(toml).collect::<Vec<_>>().join(", "))
        }
        Value::Object(map) => {
            let pairs =
                map.iter().filter_map(|(key, value)| Some(format!("{} = {}", json!(key), toml(value)?)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        // DEL may not be written as it is in TOML.
        Value::String(_) => value.to_string().replace('\u{7f}', "\\u007f"),
        other => other.to_string(),
    })
}

/// Returns the table and the row of a question about a page, for programs that answer it.
pub(super) fn page_of(ask: &Map<String, Value>, files: Files) -> Result<Table, String> {
    let expected =
        Expected { documents: BTreeMap::new(), readings: Vec::new(), answer: Map::new(), accept: None };
    let text = row("page", "asked", (&["asked"], &[PAGES]), ask, &expected)?;
    let mut problems = Vec::new();
    let table = Table::with_files(FILE, "suite", "page", files, &text, &mut problems);
    problems.first().map_or(Ok(table), |problem| Err(problem.to_string()))
}
