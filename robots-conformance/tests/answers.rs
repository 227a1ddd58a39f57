//! The answers of every profile to every row, in one snapshot for the tables of each folder. Rows decide what is right, never snapshots: a
//! reviewer reads the difference of a snapshot as before and after.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use robots_conformance::Suite;

/// The header of each snapshot.
const DESCRIPTION: &str = "Answers of each profile to each row of the tables of a folder, for reviews (CONTRIBUTING.md, \
                           Reviewing a change of behaviour). The rows decide what is right, never this file.";

#[test]
fn answers_match_the_snapshots() {
    for (folder, answers) in answers() {
        let (path, name) = folder.rsplit_once('/').unwrap_or(("", &folder));
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
fn answers() -> BTreeMap<String, String> {
    let mut answers = BTreeMap::<String, String>::new();
    for table in Suite::load(&Suite::folder()).tables {
        let id = table.id();
        let (folder, name) = id.rsplit_once('/').unwrap();
        let of_folder = answers.entry(folder.to_owned()).or_default();
        let _ = write!(of_folder, "## {name}\n{}\n", table.answers());
    }
    answers
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
