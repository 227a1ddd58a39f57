//! How whole files are read. Read a changed snapshot line by line before you accept it.

use std::fs;
use std::path::Path;

use robots_conformance::{PROFILES, trace};

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
    for name in names {
        let file = fs::read(folder.join(format!("{name}.txt"))).unwrap();
        let traces = PROFILES.map(|(profile_name, profile)| {
            format!("## {profile_name}\n{}", trace(&file, &profile, &["ExampleBot", "OtherBot"]))
        });
        insta::with_settings!({ snapshot_path => "snapshots/traces", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, traces.join("\n"));
        });
    }
}
