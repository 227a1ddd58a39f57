//! The tests that SECURITY.md names for its promises.

use std::fs;
use std::path::Path;

use super::source::{files, relative};

/// The heading of the table of promises.
const HEADING: &str = "| promise | limit | test |";

/// The texts of a repository in which tests are looked for: path and content of sources, tables and scenarios.
pub(super) struct Tests {
    files: Vec<(String, String)>,
}

impl Tests {
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let paths = files(root)?.into_iter().map(|path| (relative(root, &path), path));
        let paths =
            paths.filter(|(name, _)| [".rs", ".toml", ".mjs", ".py"].iter().any(|end| name.ends_with(end)));
        let read = paths.filter_map(|(name, path)| Some((name, fs::read_to_string(path).ok()?)));
        Ok(Self { files: read.collect() })
    }

    /// Returns whether there is a test, a table of rows, or rows that begin like `a-*`. In `a/b: c`, the test `c` has to be in the
    /// file or folder `a/b`.
    fn has(&self, name: &str) -> bool {
        if let Some(prefix) = name.strip_suffix('*') {
            let row = format!("name = \"{prefix}");
            return self.files.iter().any(|(path, text)| path.contains("tables/") && text.contains(&row));
        }
        let (place, test) = name.split_once(": ").unwrap_or((name, ""));
        let place = place.replace("::", "/");
        let is_there = |path: &str| {
            ["", ".rs", ".toml", "/"].iter().any(|end| {
                let place = format!("/{place}{end}");
                if end == &"/" { path.contains(&place) } else { path.ends_with(&place) }
            })
        };
        let mut within = self.files.iter().filter(|(path, _)| is_there(path));
        within.any(|(_, text)| test.is_empty() || has_test(text, test))
    }
}

/// Finds promises without a test, and tests that do not exist.
pub(super) fn promises(security: &str, tests: &Tests) -> Vec<String> {
    let table = security.lines().skip_while(|line| *line != HEADING).skip(2);
    let rows: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
    if rows.is_empty() {
        return vec![format!("SECURITY.md: the table `{HEADING}` is missing")];
    }
    let mut found = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let promise = cells.first().unwrap_or(&"");
        let named: Vec<&str> = cells.last().unwrap_or(&"").split('`').skip(1).step_by(2).collect();
        if cells.len() != 3 || named.is_empty() {
            found.push(format!("SECURITY.md: no test is named for `{promise}`"));
        }
        let missing = named.into_iter().filter(|name| !tests.has(name));
        found.extend(
            missing.map(|name| format!("SECURITY.md: `{name}` does not exist; it is named for `{promise}`")),
        );
    }
    found
}

/// Returns whether a source has a function of this name that is a test.
fn has_test(source: &str, name: &str) -> bool {
    let function = format!("fn {name}(");
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    lines.iter().enumerate().filter(|(_, line)| line.contains(&function)).any(|(at, _)| {
        let attributes = lines.iter().take(at).rev().take_while(|line| line.starts_with("#["));
        attributes.into_iter().any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises_without_tests_are_found() {
        let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let tests = Tests {
            files: vec![
                file("a/tests/cli/fix.rs", "#[test]\nfn fixes() {}\nfn helper() {}"),
                file("a/src/store/tests.rs", "#[tokio::test]\nasync fn keeps() {}"),
                file("c/tables/x.toml", "name = \"local-one\""),
            ],
        };
        let found = |cell: &str| {
            promises(&format!("{HEADING}\n| --- | --- | --- |\n| p | 1 | {cell} |\n"), &tests).len()
        };
        for right in
            ["`cli/fix`", "`cli`", "`cli/fix: fixes`, `store::tests: keeps`", "rows `local-*`", "`x.toml`"]
        {
            assert_eq!(found(right), 0, "{right}");
        }
        for wrong in ["by hand", "`cli/none`", "`cli/fix: helper`", "`fix: keeps`", "`other-*`", "`li/fix`"] {
            assert_eq!(found(wrong), 1, "{wrong}");
        }
        assert_eq!(promises("no table", &tests).len(), 1);
    }
}
