//! The answers of every profile to every row, in one snapshot for each table. Rows decide what is right, never snapshots: a
//! reviewer reads the difference of a snapshot as before and after.

use std::fs;
use std::path::{Path, PathBuf};

use robots_conformance::Suite;

/// The header of each snapshot.
const DESCRIPTION: &str = "Answers of each profile to each row of a table, for reviews (CONTRIBUTING.md, \
                           Reviewing a change of behaviour). The rows decide what is right, never this file.";

#[test]
fn answers_match_the_snapshots() {
    for table in Suite::load(&Suite::folder()).tables {
        let id = table.id();
        let (folder, name) = id.rsplit_once('/').unwrap();
        insta::with_settings!({
            snapshot_path => format!("snapshots/answers/{folder}"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
            description => DESCRIPTION,
        }, {
            insta::assert_snapshot!(name, table.answers());
        });
    }
}

#[test]
fn every_snapshot_has_a_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/answers");
    let tables = Suite::load(&Suite::folder()).tables;
    let known: Vec<PathBuf> =
        tables.iter().map(|table| folder.join(format!("{}.snap", table.id()))).collect();
    let mut found = Vec::new();
    snapshots(&folder, &mut found);
    found.retain(|path| !known.contains(path));
    assert!(found.is_empty(), "remove these snapshots, their tables do not exist: {found:#?}");
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
