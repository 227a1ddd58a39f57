//! What the code answers, in snapshots: every profile to every row, how whole files are read, and the results of scripted answers. Rows
//! decide what is right, never snapshots: a reviewer reads the difference of a snapshot line by line, as before and after.

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::unwrap_used,
    reason = "a test never runs without a standard library, and may panic"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use robots_conformance::exchange::{Timeline, by_script};
use robots_conformance::{PROFILES, SiteProfile, Suite, trace};
use robots_fetch::Entry;
use robots_fetch::matching::syntax::BodyKind;

/// The header of each snapshot.
const DESCRIPTION: &str = "Answers of each profile to each row of the tables of a folder, for reviews (CONTRIBUTING.md, \
                           Reviewing a change of behaviour). The rows decide what is right, never this file.";

#[test]
fn answers_match_the_snapshots() {
    for (folder, answers) in answers() {
        let (path, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        insta::with_settings!({
            snapshot_path => format!("snapshots/answers/{path}"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
            description => DESCRIPTION,
        }, {
            insta::assert_snapshot!(name, answers);
        });
    }
}

#[test]
fn every_snapshot_has_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/answers");
    let known: Vec<PathBuf> = answers().keys().map(|name| folder.join(format!("{name}.snap"))).collect();
    let mut found = Vec::new();
    snapshots(&folder, &mut found);
    found.retain(|path| !known.contains(path));
    assert!(found.is_empty(), "remove these snapshots, their tables do not exist: {found:#?}");
}

/// Returns the answers to the tables of each folder.
fn answers() -> &'static BTreeMap<String, String> {
    static ANSWERS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    ANSWERS.get_or_init(|| {
        let mut answers = BTreeMap::<String, String>::new();
        for table in &Suite::own().tables {
            let id = table.id();
            let (folder, name) = id.rsplit_once('/').unwrap();
            let of_folder = answers.entry(folder.to_owned()).or_default();
            let _ = write!(of_folder, "## {name}\n{}\n", table.answers());
        }
        answers
    })
}

/// Finds the snapshots in a folder and its subfolders.
fn snapshots(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder of snapshots exists") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            snapshots(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "snap") {
            found.push(path);
        }
    }
}

#[derive(serde::Deserialize)]
struct Scripts {
    robots: BTreeMap<String, String>,
    scripts: BTreeMap<String, toml::Value>,
}

#[test]
fn exchanges_match_the_snapshots() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/exchanges.toml");
    let Scripts { robots, scripts } = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(scripts.len() >= 7);
    let mut shown = String::new();
    for (name, steps) in scripts {
        for (profile_name, profile) in PROFILES {
            let mut row = toml::Table::new();
            row.insert("name".to_owned(), name.clone().into());
            row.insert("cites".to_owned(), toml::Value::Array(Vec::new()));
            row.insert("profiles".to_owned(), toml::Value::Array(Vec::new()));
            row.insert("steps".to_owned(), steps.clone());
            let timeline: Timeline = row.try_into().unwrap();
            let _ = writeln!(shown, "## {name}, {profile_name}\n{}", played(&timeline, &robots, &profile));
        }
    }
    insta::with_settings!({ snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("exchanges", shown);
    });
}

/// Returns the requests and the results, step by step.
fn played(timeline: &Timeline, robots: &BTreeMap<String, String>, profile: &SiteProfile) -> String {
    let mut shown = String::new();
    let mut entry: Option<Entry> = None;
    let mut first = None;
    let file = |name: &str| robots.get(name).map(String::as_bytes);
    let mismatches = timeline.run_over(file, profile, |retrieval| {
        let now = retrieval.now;
        let since = now.duration_since(*first.get_or_insert(now)).unwrap();
        let retrieved = by_script(retrieval)?;
        let mut outcome = retrieved.outcome.clone();
        (outcome.sent, outcome.received) = (now, now);
        let after = Entry::from_outcome(entry.as_ref(), outcome, profile);
        writeln!(shown, "at {}", hours(since)).unwrap();
        for (request, hop) in retrieved.requests.iter().zip(after.hops()) {
            let status = hop.status.map_or_else(|| "no answer".to_owned(), |status| status.to_string());
            writeln!(shown, "    {request} -> {status}").unwrap();
        }
        let cause = after.cause().map_or_else(String::new, |cause| format!(": {cause}"));
        writeln!(shown, "    {}{cause}", after.access_result()).unwrap();
        let html = if after.body_kind().is_some_and(BodyKind::is_html) { ", looks like HTML" } else { "" };
        writeln!(shown, "    access to {}, {} bytes{html}", after.access(now).name(), after.body_bytes())
            .unwrap();
        let ahead = |time: SystemTime| hours(time.duration_since(now).unwrap_or_default());
        writeln!(
            shown,
            "    fresh for {}, asked again in {}",
            ahead(after.fresh_until()),
            ahead(after.next_retrieval())
        )
        .unwrap();
        entry = Some(after);
        Some(retrieved)
    });
    // Unused answers are not an error here, because profiles stop after different numbers of requests.
    for mismatch in mismatches {
        writeln!(shown, "left: {}", mismatch.got).unwrap();
    }
    shown
}

fn hours(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 3600, seconds % 3600) {
        (hours, 0) if hours > 0 => format!("{hours}h"),
        _ => format!("{seconds}s"),
    }
}

#[test]
fn traces_of_whole_files_match_the_snapshots() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".txt").map(str::to_owned))
        .collect();
    names.sort();
    assert!(names.len() >= 12, "{names:?}");
    let mut traces = String::new();
    for name in names {
        let file = fs::read(folder.join(format!("{name}.txt"))).unwrap();
        for (profile_name, profile) in PROFILES {
            let _ = writeln!(
                traces,
                "## {name}, {profile_name}\n{}",
                trace(&file, &profile, &["ExampleBot", "OtherBot"])
            );
        }
    }
    insta::with_settings!({ snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("traces", traces);
    });
}
