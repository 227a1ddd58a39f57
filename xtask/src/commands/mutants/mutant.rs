//! Mutants, as cargo-mutants lists them.

use std::path::Path;

use serde_json::Value;

use crate::process::Cargo;

/// The files that decide verdicts and access. `retrieval/nonblocking.rs` and `entry/codec` are left out: the runner does not
/// use them.
const FILES: [&str; 16] = [
    "robots-syntax/src/**/*.rs",
    "robots-groups/src/**/*.rs",
    "robots-match/src/{document,policy,profile,robots,url_text,verdict}.rs",
    "robots-match/src/pattern/*.rs",
    "robots-match/src/rule_set/**/*.rs",
    "robots-fetch/src/{access,failure,html,origin,policy,profile}.rs",
    "robots-fetch/src/entry/mod.rs",
    "robots-fetch/src/entry/file.rs",
    "robots-fetch/src/entry/lifetime.rs",
    "robots-fetch/src/entry/outage.rs",
    "robots-fetch/src/http/*.rs",
    "robots-fetch/src/retrieval/blocking.rs",
    "robots-fetch/src/retrieval/head.rs",
    "robots-fetch/src/retrieval/outcome.rs",
    "robots-fetch/src/retrieval/request.rs",
    "robots-fetch/src/retrieval/states/*.rs",
];

/// A change of the code in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mutant {
    /// File, line, column, and what is replaced.
    name: String,
    /// The file, relative to the workspace.
    file: String,
    start: Place,
    end: Place,
    replacement: String,
}

/// A line and a column, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    line: usize,
    column: usize,
}

impl Mutant {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// Returns the text of its file with the change; `None` if the place does not exist.
    pub(super) fn applied(&self, text: &str) -> Option<String> {
        let (start, end) = (offset(text, self.start)?, offset(text, self.end)?);
        Some([text.get(..start)?, &self.replacement, text.get(end..).filter(|_| start <= end)?].concat())
    }

    fn read(value: &Value) -> Option<Self> {
        let word = |key: &str| Some(value.get(key)?.as_str()?.to_owned());
        let place = |key: &str| {
            let place = value.get("span")?.get(key)?;
            let number = |key: &str| place.get(key)?.as_u64()?.try_into().ok();
            Some(Place { line: number("line")?, column: number("column")? })
        };
        Some(Self {
            name: word("name")?,
            file: word("file")?,
            start: place("start")?,
            end: place("end")?,
            replacement: word("replacement")?,
        })
    }
}

fn offset(text: &str, place: Place) -> Option<usize> {
    let before: usize = text.split_inclusive('\n').take(place.line.checked_sub(1)?).map(str::len).sum();
    let line = text.split('\n').nth(place.line - 1)?;
    let mut ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    Some(before + ends.nth(place.column.checked_sub(1)?)?)
}

/// Returns all mutants of the files that decide, in the order of the files, those of the workspace in `tree`.
pub(super) fn list(tree: &Path) -> Result<Vec<Mutant>, String> {
    let files: Vec<&str> = FILES.iter().flat_map(|file| ["--file", file]).collect();
    let listed = Cargo::new(["mutants", "--list", "--json", "--no-config", "--dir"])
        .arguments(&[tree])
        .arguments(&files)
        .in_folder(tree)
        .output()?
        .ok_or("cargo mutants --list failed")?;
    let listed: Value = serde_json::from_str(&listed).map_err(|error| format!("cargo mutants: {error}"))?;
    let values = listed.as_array().map(Vec::as_slice).unwrap_or_default();
    let mutants: Option<Vec<Mutant>> = values.iter().map(Mutant::read).collect();
    let mutants = mutants.ok_or("cargo mutants --list has another format than that of version 27")?;
    if mutants.is_empty() { Err("cargo mutants finds no mutants".to_owned()) } else { Ok(mutants) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(start: (usize, usize), end: (usize, usize)) -> Mutant {
        let place = |(line, column): (usize, usize)| serde_json::json!({ "line": line, "column": column });
        let value = serde_json::json!({
            "name": "a.rs:2:5: replace == with !=", "file": "a.rs", "replacement": "!=",
            "span": { "start": place(start), "end": place(end) },
        });
        Mutant::read(&value).unwrap()
    }

    #[test]
    fn the_place_is_replaced() {
        let text = "fn a() {\n  ä == b\n}\n";
        assert_eq!(mutant((2, 5), (2, 7)).applied(text).unwrap(), "fn a() {\n  ä != b\n}\n");
        assert_eq!(mutant((1, 8), (3, 2)).applied(text).unwrap(), "fn a() !=\n");
        assert_eq!(mutant((2, 9), (2, 9)).applied(text).unwrap(), "fn a() {\n  ä == b!=\n}\n");
        for (start, end) in [((2, 10), (2, 10)), ((9, 1), (9, 1)), ((2, 7), (2, 5)), ((0, 1), (1, 1))] {
            assert_eq!(mutant(start, end).applied(text), None, "{start:?}");
        }
        assert_eq!(Mutant::read(&serde_json::json!({ "name": "a" })), None);
    }

    #[test]
    fn files_to_mutate_exist() {
        let root = crate::workspace::root();
        for pattern in FILES {
            let folder = pattern.split(['*', '{']).next().unwrap_or_default();
            let (before, rest) = pattern.split_at(folder.len());
            let names = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix("}.rs"));
            for name in names.map_or_else(
                || vec![before.to_owned()],
                |names| names.split(',').map(|name| format!("{before}{name}.rs")).collect(),
            ) {
                assert!(root.join(&name).exists(), "{name}");
            }
        }
    }
}
