//! The release of the suite: statements, files and rows as plain data, for implementations in any language.
//!
//! [`Release::of`] reads the same tables as the runner. `suite/README.md` describes what it writes.

mod answer;
mod ledger;
mod needs;
mod page;
mod read;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

pub use answer::answer;
pub use ledger::Ledger;

use crate::case::Case;
use crate::escape::unescaped;
use crate::row::STEP;
use crate::suite::Suite;
use crate::suite::names::{DOCUMENTS, LINT, is_of_pages, page_policy_named};
use crate::suite::problem::Problem;
use crate::suite::quotes::hexadecimal;
use crate::suite::statement::Statement;

/// The version of the format of `suite.json`.
const FORMAT: u64 = 1;

/// Files larger than this are written as pieces, if their table generates them from pieces.
const LARGE: usize = 16 << 10;

/// The kinds of questions, and the letter with which their ids begin.
const KINDS: [(&str, char); 11] = [
    ("verdict", 'v'),
    ("reading", 'l'),
    ("grammar", 'g'),
    ("selection", 's'),
    ("token", 't'),
    ("location", 'u'),
    ("scope", 'c'),
    ("records", 'r'),
    ("exchange", 'x'),
    ("timeline", 'y'),
    // Its keys are divided in `page`.
    ("page", 'p'),
];

/// The key of an answer that lists decisions, each of which is a part of the answer.
const LISTED: &str = "decisions";

/// A release of the suite.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Release {
    /// The text of `suite.json`.
    pub suite: String,
    /// The text of `verdicts.tsv`.
    pub verdicts: String,
    /// The robots.txt files by the names under which questions refer to them.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What `ids.tsv` records of each question, by its id.
    pub ids: BTreeMap<String, Row>,
    /// Rows that can't be exported, or contradict each other.
    pub problems: Vec<Problem>,
}

/// What `ids.tsv` records of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The first of its names.
    pub name: String,
    /// The first 16 digits of the SHA-256 of the question with its answers, and of the statements that it cites.
    pub digest: String,
}

/// A question with its answers.
#[derive(Serialize)]
struct Question {
    kind: &'static str,
    names: Vec<String>,
    ask: Map<String, Value>,
    needs: BTreeSet<&'static str>,
    expect: Vec<Expected>,
}

/// An answer, and the documents that demand it.
#[derive(Serialize)]
struct Expected {
    documents: BTreeMap<String, Demand>,
    readings: Vec<String>,
    #[serde(skip_serializing_if = "Value::is_null")]
    accept: Value,
    answer: Map<String, Value>,
}

/// What a document demands.
#[derive(Serialize)]
struct Demand {
    level: &'static str,
    cites: Vec<String>,
}

/// The bytes of a file, and the pieces that it is made of if these are shorter.
struct File {
    bytes: Vec<u8>,
    pieces: Option<Vec<(Vec<u8>, u64)>>,
}

impl Release {
    /// Creates the release of the suite in `folder`, which [`Suite::load`] has read without problems.
    ///
    /// The same folder gives the same bytes.
    #[must_use]
    pub fn of(folder: &Path, suite: &Suite, version: &str) -> Self {
        let mut export = Export::new(suite);
        for table in suite.tables.iter().filter(|table| table.document != LINT) {
            let path = folder.join("tables").join(&table.document).join(format!("{}.toml", table.name));
            match fs::read_to_string(&path)
                .map_err(|error| error.to_string())
                .and_then(|text| text.parse::<toml::Table>().map_err(|error| error.to_string()))
            {
                Ok(written) => export.table(&table.id(), &table.file, &written),
                Err(what) => export.problems.push(Problem::new(&table.file, 0, what)),
            }
        }
        export.release(folder, suite, version)
    }
}

struct Export<'s> {
    statements: BTreeMap<&'s str, &'s Statement>,
    files: BTreeMap<String, File>,
    /// In the order of the tables, so that neighbours stay neighbours.
    order: Vec<String>,
    questions: BTreeMap<String, Question>,
    problems: Vec<Problem>,
}

impl<'s> Export<'s> {
    fn new(suite: &'s Suite) -> Self {
        Self {
            statements: suite.statements.iter().map(|statement| (&*statement.id, statement)).collect(),
            files: BTreeMap::new(),
            order: Vec::new(),
            questions: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    fn table(&mut self, table: &str, file: &str, written: &toml::Table) {
        let mut named: BTreeMap<&str, String> = BTreeMap::new();
        for (section, bodies) in written {
            let Some(bodies) = bodies.as_table() else { continue };
            for (name, body) in bodies {
                match contents(section, body) {
                    Ok(contents) => {
                        let digest: String = sha256(&contents.bytes).chars().take(16).collect();
                        named.insert(name, digest.clone());
                        self.files.entry(digest).or_insert(contents);
                    }
                    Err(what) => self.problems.push(Problem::new(file, 0, what)),
                }
            }
        }
        for (kind, rows) in written {
            let Some(rows) = rows.as_array() else { continue };
            let Some(&(kind, letter)) = KINDS.iter().find(|(known, _)| known == kind) else {
                // Kinds about programs of this project only, such as its policies.
                continue;
            };
            for row in rows.iter().filter_map(toml::Value::as_table).filter(|row| !row.contains_key("turn")) {
                if let Err(what) = self.row(table, (kind, letter), &named, row) {
                    self.problems.push(Problem::new(file, 0, what));
                }
            }
        }
    }

    fn row(
        &mut self,
        table: &str,
        (kind, letter): (&'static str, char),
        named: &BTreeMap<&str, String>,
        row: &toml::Table,
    ) -> Result<(), String> {
        if kind == "page" {
            let mut bodies = PageBodies { files: &mut self.files, named };
            return match page::divided(row, &mut bodies)? {
                Some((ask, answer)) => self.asked(table, (kind, letter), row, ask, answer),
                None => Ok(()),
            };
        }
        let mut ask = Map::new();
        let mut answer = Map::new();
        for (key, value) in row {
            let value = json_of(value, named);
            match &**key {
                "name" | "cites" | "profiles" | "accept" => {}
                "robots" => {
                    let file = value.as_str().and_then(|name| named.get(name));
                    ask.insert("file".to_owned(), json!(file));
                }
                "agent" if matches!(kind, "verdict" | "selection") => {
                    ask.insert("agents".to_owned(), json!([value]));
                }
                "steps" => {
                    let (asked, expected) = steps(value);
                    ask.insert("steps".to_owned(), asked);
                    answer.insert("steps".to_owned(), expected);
                }
                "expect" if kind == "verdict" => drop(answer.insert("decision".to_owned(), value)),
                key if Case::asks(kind).contains(&key) => drop(ask.insert(key.to_owned(), value)),
                key => drop(answer.insert(key.to_owned(), value)),
            }
        }
        if kind == "verdict" {
            let target = match (ask.get("url"), ask.get("path").and_then(Value::as_str)) {
                (Some(url), _) => url.clone(),
                (None, Some(path)) if path.starts_with('/') => json!(format!("https://example.com{path}")),
                (None, _) => Value::Null,
            };
            ask.insert("target".to_owned(), target);
        }
        self.asked(table, (kind, letter), row, ask, answer)
    }

    /// Adds a question with its answer.
    fn asked(
        &mut self,
        table: &str,
        (kind, letter): (&'static str, char),
        row: &toml::Table,
        ask: Map<String, Value>,
        answer: Map<String, Value>,
    ) -> Result<(), String> {
        let name = format!("{table}/{}", text(row, "name"));
        let expected = self.expected(row, answer);
        if expected.documents.is_empty() {
            return Ok(());
        }
        let id = id(letter, kind, &ask);
        let body = ask.get("file").and_then(Value::as_str).and_then(|file| self.files.get(file));
        let needs = needs::of(kind, &ask, body.map(|file| &*file.bytes));
        let question = self.questions.entry(id.clone()).or_insert_with(|| {
            self.order.push(id);
            Question { kind, names: Vec::new(), ask, needs, expect: Vec::new() }
        });
        question.names.push(name.clone());
        question.add(expected).map_err(|document| {
            format!("row `{name}`: another row asks the same and expects another answer under {document}")
        })
    }

    fn expected(&self, row: &toml::Table, answer: Map<String, Value>) -> Expected {
        let cites = strings(row, "cites");
        let readings: Vec<String> =
            cites.iter().filter(|id| id.starts_with("reading/")).map(ToString::to_string).collect();
        let mut documents = BTreeMap::new();
        // What a page may be used for is said by several documents, some of which have no profile.
        let parts =
            cites.iter().filter_map(|id| self.statements.get(*id)).map(|statement| statement.document());
        let parts = parts.filter(|document| is_of_pages(document) && page_policy_named(document).is_none());
        for document in strings(row, "profiles").into_iter().chain(parts) {
            let of_document: Vec<String> = cites
                .iter()
                .filter(|id| {
                    self.statements.get(**id).is_some_and(|statement| statement.document() == document)
                })
                .map(ToString::to_string)
                .collect();
            // A row that cites neither a sentence of the document nor a reading says nothing about it.
            if !of_document.is_empty() || !readings.is_empty() {
                let first = of_document.first().and_then(|id| self.statements.get(&**id));
                documents
                    .insert(document.to_owned(), Demand { level: level(first.copied()), cites: of_document });
            }
        }
        let accept = row.get("accept").map_or(Value::Null, |accept| json_of(accept, &BTreeMap::new()));
        Expected { documents, readings, accept, answer }
    }

    fn release(mut self, folder: &Path, suite: &Suite, version: &str) -> Release {
        // Folders of tables other than that of this crate have no disputes.
        let disputes = fs::read_to_string(folder.join(DISPUTES)).unwrap_or_default();
        let disputes = disputes_in(&disputes, &mut self.problems);
        for id in disputes.keys().filter(|id| !self.questions.contains_key(*id)) {
            self.problems.push(Problem::new(DISPUTES, 0, format!("{id} is not a question")));
        }
        let mut ids = BTreeMap::new();
        let mut tests = Vec::new();
        for (id, question) in self.order.iter().filter_map(|id| Some((id, self.questions.get(id)?))) {
            let test = question.json(id, disputes.get(id));
            let cited = question.expect.iter().flat_map(|expected| expected.documents.values());
            let cited: BTreeSet<&str> = cited.flat_map(|demand| &demand.cites).map(String::as_str).collect();
            let cited = cited.into_iter().filter_map(|id| self.statements.get(id).copied()).map(statement);
            let row = Row {
                name: question.names.first().cloned().unwrap_or_default(),
                digest: digest(&json!([test, cited.collect::<Vec<_>>()]), 16),
            };
            ids.insert(id.clone(), row);
            tests.push(test);
        }
        let documents: Vec<Value> = DOCUMENTS
            .into_iter()
            .filter_map(|id| {
                let source = suite.sources.get(id)?;
                Some(json!({"id": id, "title": source.title, "url": source.url, "terms": source.terms}))
            })
            .collect();
        // Tables have files of kinds that are not exported, too.
        let mut used = BTreeSet::new();
        self.questions
            .values()
            .for_each(|question| question.ask.values().for_each(|of| add_texts(of, &mut used)));
        self.files.retain(|name, _| used.contains(name));
        let statements = suite.statements.iter().filter(|statement| statement.document() != LINT);
        let readings = suite
            .readings
            .iter()
            .map(|reading| json!({"id": reading.id, "title": reading.says, "text": reading.text}));
        let files: Map<String, Value> =
            self.files.iter().map(|(name, file)| (name.clone(), file.json())).collect();
        let whole = json!({
            "$schema": "suite.schema.json",
            "format": FORMAT,
            "suite": {"name": "robots-txt-suite", "version": version, "licence": "CC0-1.0"},
            "defaults": {
                "origin": "https://example.com",
                "agent": "ExampleBot",
                "clock": "Sun, 06 Nov 1994 08:49:37 GMT",
            },
            "documents": documents,
            "statements": statements.map(statement).collect::<Vec<_>>(),
            "readings": readings.collect::<Vec<_>>(),
            "files": files,
            "tests": tests,
        });
        let mut text = String::new();
        write(&sorted(whole), 0, &mut text);
        text.push('\n');
        let verdicts = verdicts::table(&self.order, &self.questions);
        Release {
            suite: text,
            verdicts,
            ids,
            files: core::mem::take(&mut self.files)
                .into_iter()
                .map(|(name, file)| (name, file.bytes))
                .collect(),
            problems: self.problems,
        }
    }
}

/// The files of a table while its rows about pages are exported.
struct PageBodies<'b> {
    files: &'b mut BTreeMap<String, File>,
    named: &'b BTreeMap<&'b str, String>,
}

impl page::Bodies for PageBodies<'_> {
    fn add(&mut self, bytes: Vec<u8>) -> String {
        let digest: String = sha256(&bytes).chars().take(16).collect();
        self.files.entry(digest.clone()).or_insert(File { bytes, pieces: None });
        digest
    }

    fn named(&self, name: &str) -> Option<(String, Vec<u8>)> {
        let digest = self.named.get(name)?;
        Some((digest.clone(), self.files.get(digest)?.bytes.clone()))
    }
}

impl Question {
    /// Adds an answer. Fails with the name of a document for which another answer is expected already.
    fn add(&mut self, expected: Expected) -> Result<(), String> {
        let Expected { documents, readings, accept, answer } = expected;
        let known =
            |of: &Expected| of.documents.keys().find(|document| documents.contains_key(*document)).cloned();
        for other in &mut self.expect {
            let Some(document) = known(other) else { continue };
            let same = |key: &str| {
                other.answer.get(key).is_none()
                    || answer.get(key).is_none()
                    || other.answer.get(key) == answer.get(key)
            };
            if !answer.keys().chain(other.answer.keys()).all(|key| key == LISTED || same(key)) {
                return Err(document);
            }
        }
        // Two rows that ask the same and agree are one question: what they cite adds up.
        if let Some(other) =
            self.expect.iter_mut().find(|other| other.readings == readings && other.accept == accept)
            && documents.keys().all(|document| other.documents.contains_key(document))
        {
            for (document, demand) in documents {
                if let Some(of) = other.documents.get_mut(&document) {
                    let new: Vec<String> =
                        demand.cites.into_iter().filter(|id| !of.cites.contains(id)).collect();
                    of.cites.extend(new);
                }
            }
            for (key, value) in answer {
                match (other.answer.get_mut(&key), value) {
                    (Some(Value::Array(known)), Value::Array(new)) if key == LISTED => {
                        known.extend(
                            new.into_iter().filter(|value| !known.contains(value)).collect::<Vec<_>>(),
                        );
                    }
                    (Some(_), _) => {}
                    (None, value) => drop(other.answer.insert(key, value)),
                }
            }
            return Ok(());
        }
        self.expect.push(Expected { documents, readings, accept, answer });
        Ok(())
    }

    fn json(&self, id: &str, disputed: Option<&String>) -> Value {
        with(json!(self), [("id", json!(id)), ("disputed", json!(disputed))])
    }
}

/// Returns an object with these values, too, except those that are null.
fn with<const N: usize>(mut object: Value, values: [(&str, Value); N]) -> Value {
    if let Value::Object(map) = &mut object {
        let given = values.into_iter().filter(|(_, value)| !value.is_null());
        map.extend(given.map(|(name, value)| (name.to_owned(), value)));
    }
    object
}

impl File {
    fn json(&self) -> Value {
        let whole = json!({"length": self.bytes.len(), "sha256": sha256(&self.bytes)});
        match &self.pieces {
            Some(pieces) if self.bytes.len() > LARGE => {
                let piece = |(piece, times): &(_, u64)| json!({"base64": STANDARD.encode::<&Vec<u8>>(piece), "times": times});
                with(whole, [("pieces", pieces.iter().map(piece).collect())])
            }
            _ => {
                let text = core::str::from_utf8(&self.bytes).ok();
                with(whole, [("base64", json!(STANDARD.encode(&self.bytes))), ("text", json!(text))])
            }
        }
    }
}

/// Returns the SHA-256 of bytes in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Returns the level of a test whose first citation of a document is `statement`: only that one is scored.
fn level(statement: Option<&Statement>) -> &'static str {
    match statement.map(|statement| &*statement.keyword) {
        Some("MUST" | "MUST NOT") => "MUST",
        Some("SHOULD" | "SHOULD NOT") => "SHOULD",
        Some("MAY") => "MAY",
        Some("unverified") => "UNVERIFIED",
        Some(_) => "TEXT",
        None => "NONE",
    }
}

/// Returns the id of a question: a letter, and nine digits of the SHA-256 of kind and question with sorted keys. So it
/// stays when a row is renamed, moved or corrected.
fn id(letter: char, kind: &str, ask: &Map<String, Value>) -> String {
    format!("{letter}{}", digest(&json!([kind, ask]), 9))
}

/// Returns the first digits of the SHA-256 of a value with sorted keys, without spaces, in ASCII.
fn digest(value: &Value, digits: usize) -> String {
    let mut canonical = String::new();
    write_flat(&sorted(value.clone()), &mut canonical);
    sha256(canonical.as_bytes()).chars().take(digits).collect()
}

/// Adds all texts of a value.
fn add_texts(value: &Value, texts: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => drop(texts.insert(text.clone())),
        Value::Array(values) => values.iter().for_each(|value| add_texts(value, texts)),
        Value::Object(map) => map.values().for_each(|value| add_texts(value, texts)),
        _ => {}
    }
}

/// The questions that somebody objects to, with the address of the issue.
const DISPUTES: &str = "suite/disputes.tsv";

/// Reads the questions that are disputed: the address of the issue by id.
fn disputes_in(text: &str, problems: &mut Vec<Problem>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (line, number) in text.lines().zip(1..).skip(1) {
        match line.split_once('\t') {
            Some((id, issue)) if issue.starts_with("https://") => {
                found.insert(id.to_owned(), issue.to_owned());
            }
            _ => problems.push(Problem::new(DISPUTES, number, "expected an id and the address of an issue")),
        }
    }
    found
}

fn statement(statement: &Statement) -> Value {
    let whole = json!({
        "id": statement.id,
        "document": statement.document(),
        "section": statement.section,
        "keyword": statement.keyword,
        "says": statement.says,
        "layer": statement.layer,
    });
    let quote = statement.quote.as_ref();
    let versions = Some(&statement.versions).filter(|versions| !versions.is_empty());
    with(
        whole,
        [
            ("quote", json!(quote.map(|quote| &quote.words))),
            ("language", json!(quote.map(|quote| &quote.language))),
            ("versions", json!(versions)),
            ("waived", json!(statement.waived)),
        ],
    )
}

/// Divides the steps of a timeline into the questions and the expected answers.
fn steps(steps: Value) -> (Value, Value) {
    let Value::Array(steps) = steps else { return (Value::Null, Value::Null) };
    let mut asked = Vec::new();
    let mut expected = Vec::new();
    for step in steps {
        let Value::Object(step) = step else { continue };
        let (of, rest): (Map<String, Value>, Map<String, Value>) =
            step.into_iter().partition(|(key, _)| STEP.contains(&&**key));
        asked.push(Value::Object(of));
        expected.push(Value::Object(rest));
    }
    (Value::Array(asked), Value::Array(expected))
}

/// Returns the bytes of a file of a table. `section` says how the table has it.
fn contents(section: &str, body: &toml::Value) -> Result<File, String> {
    match (section, body) {
        ("robots", toml::Value::String(text)) => Ok(File { bytes: text.clone().into_bytes(), pieces: None }),
        ("escaped", toml::Value::String(text)) => Ok(File { bytes: unescaped(text)?, pieces: None }),
        ("generated", toml::Value::Array(written)) => {
            let mut pieces = Vec::new();
            for piece in written {
                let [toml::Value::String(piece), toml::Value::Integer(times)] =
                    piece.as_array().map_or(&[][..], Vec::as_slice)
                else {
                    return Err("a piece of a generated file is not a text and a number".to_owned());
                };
                pieces.push((unescaped(piece)?, u64::try_from(*times).unwrap_or_default()));
            }
            let bytes = pieces
                .iter()
                .flat_map(|(piece, times)| piece.repeat(usize::try_from(*times).unwrap_or_default()))
                .collect();
            Ok(File { bytes, pieces: Some(pieces) })
        }
        _ => Err(format!("`{section}` has a file of an unknown form")),
    }
}

/// Returns a value as JSON. The names of bodies in `files` become the names of files.
fn json_of(value: &toml::Value, files: &BTreeMap<&str, String>) -> Value {
    match value {
        toml::Value::String(text) => json!(text),
        toml::Value::Integer(number) => json!(number),
        toml::Value::Float(number) => json!(number),
        toml::Value::Boolean(value) => json!(value),
        toml::Value::Datetime(time) => json!(time.to_string()),
        toml::Value::Array(values) => {
            Value::Array(values.iter().map(|value| json_of(value, files)).collect())
        }
        toml::Value::Table(table) => Value::Object(
            table
                .iter()
                .map(|(key, value)| match (&**key, value) {
                    ("body", toml::Value::String(name)) if files.contains_key(&**name) => {
                        ("file".to_owned(), json!(files.get(&**name)))
                    }
                    _ => (key.clone(), json_of(value, files)),
                })
                .collect(),
        ),
    }
}

fn text<'r>(row: &'r toml::Table, key: &str) -> &'r str {
    row.get(key).and_then(toml::Value::as_str).unwrap_or_default()
}

fn strings<'r>(row: &'r toml::Table, key: &str) -> Vec<&'r str> {
    let values = row.get(key).and_then(toml::Value::as_array);
    values.into_iter().flatten().filter_map(toml::Value::as_str).collect()
}

/// Returns a value whose keys are sorted, whatever order a map of this build keeps.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
        Value::Object(map) => {
            let map: BTreeMap<String, Value> =
                map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            Value::Object(map.into_iter().collect())
        }
        other => other,
    }
}

/// Writes a value on one line, with ASCII only.
fn write_flat(value: &Value, out: &mut String) {
    for character in value.to_string().chars() {
        if character.is_ascii() {
            out.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
}

/// Writes a value with a line for each question, statement and file, so that differences of releases can be read.
fn write(value: &Value, depth: usize, out: &mut String) {
    let (open, close, items): (char, char, Vec<(Option<&String>, &Value)>) = match value {
        Value::Array(values) if depth < 2 => ('[', ']', values.iter().map(|value| (None, value)).collect()),
        Value::Object(map) if depth < 2 => {
            ('{', '}', map.iter().map(|(key, value)| (Some(key), value)).collect())
        }
        _ => return write_flat(value, out),
    };
    out.push(open);
    for (index, (key, value)) in items.iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.extend(core::iter::repeat_n(' ', depth + 1));
        if let Some(key) = key {
            write_flat(&json!(key), out);
            out.push_str(": ");
        }
        write(value, depth + 1, out);
    }
    out.push('\n');
    out.extend(core::iter::repeat_n(' ', depth));
    out.push(close);
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;

    fn release() -> &'static Release {
        static RELEASE: OnceLock<Release> = OnceLock::new();
        RELEASE.get_or_init(new)
    }

    fn new() -> Release {
        Release::of(&Suite::folder(), Suite::own(), "0.0.0")
    }

    #[test]
    fn the_tables_are_exported_without_contradictions() {
        let release = release();
        assert!(release.problems.is_empty(), "{:#?}", release.problems);
        assert!(release.ids.len() > 2000, "{}", release.ids.len());
    }

    #[test]
    fn the_same_tables_give_the_same_bytes() {
        let (one, two) = (release(), new());
        assert!(one.suite == two.suite && one.verdicts == two.verdicts);
    }

    #[test]
    fn disputes_have_an_issue() {
        let mut problems = Vec::new();
        let found = disputes_in("id\tissue\nv1\thttps://example.com/1\nv2\tsoon\n", &mut problems);
        assert_eq!(found, [("v1".to_owned(), "https://example.com/1".to_owned())].into());
        let messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(messages, ["suite/disputes.tsv:3: expected an id and the address of an issue"]);
    }

    #[test]
    fn an_id_depends_on_the_question_only() {
        let ask =
            |path: &str| json!({"path": path, "agents": ["a"]}).as_object().cloned().unwrap_or_default();
        assert_eq!(id('v', "verdict", &ask("/a")), id('v', "verdict", &ask("/a")));
        assert_ne!(id('v', "verdict", &ask("/a")), id('v', "verdict", &ask("/b")));
        assert_ne!(id('v', "verdict", &ask("/a")), id('v', "selection", &ask("/a")));
    }

    #[test]
    fn rows_that_contradict_each_other_are_a_problem() {
        let expected = |decision: &str| Expected {
            documents: [(
                "rfc9309".to_owned(),
                Demand { level: "MUST", cites: vec!["rfc9309/1-1".to_owned()] },
            )]
            .into(),
            readings: Vec::new(),
            accept: Value::Null,
            answer: json!({"decision": decision}).as_object().cloned().unwrap_or_default(),
        };
        let mut question = Question {
            kind: "verdict",
            names: Vec::new(),
            ask: Map::new(),
            needs: BTreeSet::new(),
            expect: Vec::new(),
        };
        assert_eq!(question.add(expected("allow")), Ok(()));
        assert_eq!(question.add(expected("allow")), Ok(()));
        assert_eq!(question.expect.len(), 1);
        assert_eq!(question.add(expected("disallow")), Err("rfc9309".to_owned()));
    }

    /// `suite/judgements.tsv` has a judgement for each MUST and SHOULD sentence that a test shows, and for no other.
    #[test]
    fn sentences_with_a_keyword_are_judged() {
        let folder = Suite::folder();
        let release: Value = serde_json::from_str(&release().suite).unwrap();
        let mut shown = BTreeSet::new();
        for expected in
            release["tests"].as_array().unwrap().iter().flat_map(|test| test["expect"].as_array().unwrap())
        {
            if expected["readings"].as_array().is_some_and(|readings| !readings.is_empty()) {
                continue;
            }
            for demand in expected["documents"].as_object().unwrap().values() {
                if matches!(demand["level"].as_str(), Some("MUST" | "SHOULD")) {
                    shown.insert(demand["cites"][0].as_str().unwrap().to_owned());
                }
            }
        }
        let text = fs::read_to_string(folder.join("suite/judgements.tsv")).unwrap();
        let mut judged = BTreeSet::new();
        for line in text.lines().skip(1) {
            let [statement, supports, why] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            assert!(matches!(supports, "yes" | "no") && !why.is_empty(), "{line}");
            assert!(judged.insert(statement.to_owned()), "{statement} is judged twice");
        }
        assert_eq!(shown, judged);
    }
}
