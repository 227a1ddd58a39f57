//! The scenarios of `robots-conformance/wire`, read from TOML and multiplied.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::bytes::{FILE, filled};

/// The protocol of a scenario.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Over {
    /// HTTP/1.0 or 1.1 over TCP.
    Http,
    /// HTTP/1.0 or 1.1 over TLS.
    Tls,
    /// HTTP/2 over TLS.
    Http2,
    Ftp,
}

impl Over {
    pub(crate) const ALL: [Self; 4] = [Self::Http, Self::Tls, Self::Http2, Self::Ftp];
}

/// The next act of a server.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Send(Vec<u8>),
    Pause(Duration),
    /// A command for a server of HTTP/2 or FTP.
    Do(String),
}

/// The act of a server after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It ends the connection in the usual way.
    Close,
    /// It ends TCP without a word of TLS.
    Cut,
    /// It resets the connection.
    Reset,
    /// It waits until the client goes.
    Silence,
    /// It waits for the next request.
    Keep,
    /// It seems to wait for the next request, but closes the connection after a time.
    CloseAfter(Duration),
    /// It sends these bytes until the client goes.
    Endless(u8),
}

/// An answer to one request.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) acts: Vec<Act>,
    pub(crate) end: End,
}

/// The right result of a client in a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    File(Vec<u8>),
    Unavailable,
    Unreachable,
}

#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) over: Over,
    pub(crate) cites: String,
    pub(crate) because: String,
    pub(crate) answers: Vec<Answer>,
    /// The acts of an FTP server on commands.
    pub(crate) on: BTreeMap<String, Vec<Act>>,
    /// All of these are right.
    pub(crate) expected: Vec<Expected>,
}

/// A file of scenarios.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    scenario: Vec<Row>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    over: Vec<Over>,
    cites: String,
    because: String,
    /// Each value of each name becomes a scenario.
    #[serde(default)]
    each: BTreeMap<String, Vec<String>>,
    /// The answer to the first request.
    #[serde(default)]
    script: Vec<Item>,
    end: Option<String>,
    /// The answers to further requests.
    #[serde(default)]
    then: Vec<Further>,
    /// A scenario for each answer that is cut after a multiple of this number of bytes, from the first byte in `from`.
    cut: Option<Cut>,
    #[serde(default)]
    on: BTreeMap<String, Vec<Item>>,
    expect: String,
    /// Other expectations for some values of `each`.
    #[serde(default)]
    when: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Further {
    script: Vec<Item>,
    end: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cut {
    from: usize,
    every: usize,
}

/// Bytes, or a pause in milliseconds.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Item {
    Pause(u64),
    Text(String),
}

/// Reads all scenarios.
pub(crate) fn all() -> Vec<Scenario> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../robots-conformance/wire");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let table: Table =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        all.extend(table.scenario.iter().flat_map(multiplied));
    }
    all
}

/// Returns the scenarios of a row.
fn multiplied(row: &Row) -> Vec<Scenario> {
    let mut chosen = vec![BTreeMap::new()];
    for (name, values) in &row.each {
        chosen = chosen
            .iter()
            .flat_map(|before: &BTreeMap<&String, &String>| {
                values.iter().map(move |value| {
                    let mut more = before.clone();
                    more.insert(name, value);
                    more
                })
            })
            .collect();
    }
    let mut all = Vec::new();
    for over in &row.over {
        for chosen in &chosen {
            let fill = |text: &str| {
                chosen
                    .iter()
                    .fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
            };
            let act = |item: &Item| match item {
                Item::Pause(pause) => Act::Pause(Duration::from_millis(*pause)),
                Item::Text(text) if matches!(over, Over::Http | Over::Tls) => Act::Send(filled(&fill(text))),
                Item::Text(text) => Act::Do(fill(text)),
            };
            let answer = |script: &[Item], end: Option<&String>| Answer {
                acts: script.iter().map(act).collect(),
                end: end_named(&fill(end.map_or("close", String::as_str))),
            };
            let first = answer(&row.script, row.end.as_ref());
            let further = row.then.iter().map(|further| answer(&further.script, further.end.as_ref()));
            let expect = chosen.values().find_map(|value| row.when.get(*value)).unwrap_or(&row.expect);
            let scenario = Scenario {
                name: fill(&row.name),
                over: *over,
                cites: row.cites.clone(),
                because: row.because.clone(),
                answers: std::iter::once(first).chain(further).collect(),
                on: row
                    .on
                    .iter()
                    .map(|(name, items)| (name.clone(), items.iter().map(act).collect()))
                    .collect(),
                expected: expect.split(" | ").map(|text| expectation(&fill(text))).collect(),
            };
            match row.cut {
                Some(cut) => all.extend(cuts(&scenario, cut)),
                None => all.push(scenario),
            }
        }
    }
    all
}

/// Returns a scenario for each place where its answer is cut.
fn cuts(scenario: &Scenario, cut: Cut) -> Vec<Scenario> {
    let whole: Vec<u8> = scenario.answers[0]
        .acts
        .iter()
        .flat_map(|act| match act {
            Act::Send(bytes) => bytes.clone(),
            _ => panic!("{}: only bytes can be cut", scenario.name),
        })
        .collect();
    (cut.from..whole.len())
        .step_by(cut.every)
        .map(|at| {
            let mut scenario = scenario.clone();
            scenario.name = format!("{} after {at} of {} bytes", scenario.name, whole.len());
            scenario.answers[0].acts = vec![Act::Send(whole[..at].to_vec())];
            scenario
        })
        .collect()
}

fn end_named(text: &str) -> End {
    let (name, argument) = text.split_once(' ').unwrap_or((text, ""));
    match name {
        "close" if !argument.is_empty() => End::CloseAfter(Duration::from_millis(argument.parse().unwrap())),
        "close" => End::Close,
        "cut" => End::Cut,
        "reset" => End::Reset,
        "silence" => End::Silence,
        "keep" => End::Keep,
        "endless" => End::Endless(argument.bytes().next().unwrap_or(b'x')),
        other => panic!("unknown end {other:?}"),
    }
}

fn expectation(text: &str) -> Expected {
    match text.split_once(' ').unwrap_or((text, "")) {
        ("file", "") => Expected::File(FILE.to_vec()),
        ("file", other) => Expected::File(filled(other)),
        ("unavailable", _) => Expected::Unavailable,
        ("unreachable", _) => Expected::Unreachable,
        _ => panic!("unknown expectation {text:?}"),
    }
}
