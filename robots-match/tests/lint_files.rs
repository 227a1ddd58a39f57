//! The files of each lint: code with its page, rows, and the lists that name it.

#![cfg(feature = "lint")]
#![allow(clippy::unwrap_used, clippy::std_instead_of_alloc, reason = "helpers of tests are tests")]

mod pages;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use robots_match::lint::Lint;

/// Folders of `src/lint` whose files are not lints.
const NOT_LINTS: [&str; 1] = ["subject"];

#[test]
fn every_lint_is_complete() {
    let missing = missing(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lint"));
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn missing_parts_of_a_new_lint_are_listed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lint-files-{}", std::process::id()));
    let rules = folder.join("rules");
    fs::create_dir_all(&rules).unwrap();
    fs::write(folder.join("code.rs"), "").unwrap();
    fs::write(rules.join("mod.rs"), "").unwrap();
    fs::write(rules.join("new_lint.rs"), "").unwrap();
    let mut expected = vec![
        "rules/new_lint.rs: declares no `code: \"new-lint\"`",
        "rules/new_lint.rs: rules/mod.rs has no line `pub(crate) mod new_lint;`",
        "rules/new_lint.rs: code.rs has no line `NewLint = rules::new_lint;`",
        "rules/new_lint.rs: has no rows, rules/new_lint.toml",
    ];
    assert_eq!(missing(&folder), expected);

    fs::write(rules.join("new_lint.rs"), "lint! {\n    code: \"new-lint\",\n}").unwrap();
    fs::write(rules.join("mod.rs"), "pub(crate) mod new_lint;\n").unwrap();
    fs::write(folder.join("code.rs"), "    NewLint = rules::new_lint;\n").unwrap();
    fs::write(rules.join("new_lint.toml"), "[[lint]]\ncites = [\"lint/new-lint\"]\nfindings = []\n").unwrap();
    fs::write(rules.join("old_lint.toml"), "").unwrap();
    expected = vec![
        "rules/new_lint.toml: no row shows a file that has it",
        "rules/old_lint.toml: has no code, rules/old_lint.rs",
    ];
    assert_eq!(missing(&folder), expected);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn pages_show_the_title_and_the_severity_and_both_kinds_of_files() {
    for &lint in Lint::ALL {
        let page = lint.page();
        let head = format!("# {lint}\n\n{} ({}", lint.title(), lint.severity());
        assert!(page.starts_with(&head), "{lint}: the page does not begin with\n{head}");
        let examples = pages::examples(page);
        for (is_found, what) in [(true, "has it"), (false, "does not have it")] {
            let has = examples.iter().any(|example| example.is_found == is_found);
            assert!(has, "{lint}: no example is a file that {what}");
        }
    }
}

/// Returns the files that lints in the folders of `folder` lack.
fn missing(folder: &Path) -> Vec<String> {
    let codes = text(&folder.join("code.rs"));
    let mut missing = Vec::new();
    for subject in names(folder).into_iter().filter(|name| folder.join(name).is_dir()) {
        if NOT_LINTS.contains(&&*subject) {
            continue;
        }
        let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for name in names(&folder.join(&subject)).into_iter().filter(|name| name != "mod.rs") {
            let (stem, extension) = name.rsplit_once('.').unwrap();
            files.entry(stem.to_owned()).or_default().insert(extension.to_owned());
        }
        let modules = text(&folder.join(&subject).join("mod.rs"));
        for (stem, extensions) in files {
            let of = |extension: &str| format!("{subject}/{stem}.{extension}");
            if !extensions.contains("rs") {
                for extension in &extensions {
                    missing.push(format!("{}: has no code, {}", of(extension), of("rs")));
                }
                continue;
            }
            let read = |extension: &str| text(&folder.join(of(extension)));
            let mut add = |extension: &str, what: String| missing.push(format!("{}: {what}", of(extension)));
            let code = stem.replace('_', "-");
            if !read("rs").contains(&format!("code: \"{code}\"")) {
                add("rs", format!("declares no `code: \"{code}\"`"));
            }
            let line = format!("pub(crate) mod {stem};");
            if !modules.lines().any(|found| found == line) {
                add("rs", format!("{subject}/mod.rs has no line `{line}`"));
            }
            let line = format!("{} = {subject}::{stem};", variant(&stem));
            if !codes.lines().any(|found| found.trim() == line) {
                add("rs", format!("code.rs has no line `{line}`"));
            }
            match extensions.contains("toml") {
                true => missing_of_rows(&code, &read("toml"), |what| add("toml", what)),
                false => add("rs", format!("has no rows, {}", of("toml"))),
            }
        }
    }
    missing
}

fn missing_of_rows(code: &str, table: &str, mut add: impl FnMut(String)) {
    let rows: Vec<&str> = table.split("[[lint]]").skip(1).collect();
    let cites = |row: &&&str| row.contains(&format!("\"lint/{code}\""));
    let has_it = |row: &str| {
        let findings = row.split_once("findings = [").map_or("", |(_, findings)| findings);
        ["note", "warning", "error"].iter().any(|severity| {
            findings
                .split(&format!(" {severity} {code}"))
                .skip(1)
                .any(|rest| rest.starts_with(['"', '\'', ' ']))
        })
    };
    for (has, what) in [(true, "has it"), (false, "looks alike and does not have it")] {
        if !rows.iter().filter(cites).any(|row| has_it(row) == has) {
            add(format!("no row shows a file that {what}"));
        }
    }
}

/// The name of the variant for a file: `NewLint` for `new_lint`.
fn variant(stem: &str) -> String {
    let words = stem.split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// The names of the files and folders of a folder, sorted.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}
