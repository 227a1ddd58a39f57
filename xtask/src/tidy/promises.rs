//! The tests that SECURITY.md names for its promises.

use std::fs;
use std::path::{Path, PathBuf};

/// The heading of the table of promises.
const HEADING: &str = "| promise | test |";

/// Finds promises without a test, and tests that do not exist.
pub(crate) fn promises(root: &Path, security: &str) -> Vec<String> {
    let rows: Vec<&str> = security
        .lines()
        .skip_while(|line| *line != HEADING)
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    if rows.is_empty() {
        return vec![format!("SECURITY.md: the table `{HEADING}` is missing")];
    }
    rows.iter().flat_map(|row| findings(root, row)).collect()
}

/// A test or a table that a row names.
#[derive(Debug, PartialEq, Eq)]
enum Named<'r> {
    /// A file or folder of tests, such as `cli/fix`.
    File(&'r str),
    /// A test in it.
    Test(&'r str, &'r str),
    /// A table of rows or scenarios, such as `connections.toml`.
    Table(&'r str),
    /// Rows whose names begin like this.
    Rows(&'r str),
}

fn findings(root: &Path, row: &str) -> Vec<String> {
    let mut cells = row.trim_matches('|').split(" | ");
    let promise = cells.next().unwrap_or_default().trim();
    let named = named(cells.next().unwrap_or_default());
    if named.is_empty() {
        return vec![format!("SECURITY.md: no test is named for `{promise}`")];
    }
    let missing = named.into_iter().filter(|named| !exists(root, named));
    missing
        .map(|named| format!("SECURITY.md: {named:?} does not exist; it is named for `{promise}`"))
        .collect()
}

/// Returns what the cell names in backquotes, outside of parentheses. A name before a colon is the place of those after it.
fn named(cell: &str) -> Vec<Named<'_>> {
    let mut named = Vec::new();
    let (mut place, mut depth) = (None, 0_usize);
    let mut parts = cell.split('`').peekable();
    while let Some(text) = parts.next() {
        depth = (depth + text.matches('(').count()).saturating_sub(text.matches(')').count());
        if text.contains(';') {
            place = None;
        }
        let Some(name) = parts.next() else { break };
        let is_place = parts.peek().is_some_and(|after| after.starts_with(':'));
        match (place, name.strip_suffix('*')) {
            _ if depth > 0 => {}
            _ if is_place => place = Some(name),
            (_, Some(prefix)) => named.push(Named::Rows(prefix)),
            _ if name.ends_with(".toml") => named.push(Named::Table(name)),
            (Some(place), None) => named.push(Named::Test(place, name)),
            (None, None) => named.push(Named::File(name)),
        }
    }
    named
}

fn exists(root: &Path, named: &Named<'_>) -> bool {
    let conformance = root.join("robots-conformance");
    match named {
        Named::File(place) => !sources(root, place).is_empty(),
        Named::Test(place, test) => sources(root, place).iter().any(|source| has_test(source, test)),
        Named::Table(name) => {
            files(&conformance.join("wire"), "toml").iter().any(|path| path.ends_with(name))
        }
        Named::Rows(prefix) => {
            let name = format!("name = \"{prefix}");
            let tables = files(&conformance.join("tables"), "toml");
            tables.iter().any(|path| fs::read_to_string(path).is_ok_and(|text| text.contains(&name)))
        }
    }
}

/// Returns the source texts of a place: `cli/fix` is in the tests of the command, `wire` in those of robots-fetch, and
/// `store::tests` in its source.
fn sources(root: &Path, place: &str) -> Vec<String> {
    let folder = match place {
        _ if place.starts_with("cli/") => "robots-fetch/command/tests",
        _ if place.contains("::") => "robots-fetch/src",
        _ => "robots-fetch/tests",
    };
    let path = root.join(folder).join(place.replace("::", "/"));
    let mut found = files(&path, "rs");
    found.push(path.with_extension("rs"));
    found.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// Returns the files below a folder with this extension; none if it does not exist.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let below = entries.flat_map(|path| if path.is_dir() { files(&path, extension) } else { vec![path] });
    below.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
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
    use crate::workspace::root;

    #[test]
    fn names_are_read_from_rows() {
        let cell = "rows `a-*`; `x/y`: `one`, `two` (`NOT=1`); `cli/fix`; `wire`: `z.toml`";
        let expected = [
            Named::Rows("a-"),
            Named::Test("x/y", "one"),
            Named::Test("x/y", "two"),
            Named::File("cli/fix"),
            Named::Table("z.toml"),
        ];
        assert_eq!(named(cell), expected);
        assert_eq!(named("none"), []);
    }

    #[test]
    fn promises_without_tests_are_found() {
        let table = |cell: &str| promises(&root(), &format!("{HEADING}\n| --- | --- |\n| p | {cell} |\n"));
        for right in [
            "`cli/fix`",
            "`wire`: `connections.toml`",
            "rows `local-failures-*`",
            "`wire`: `no_cut_coded_or_misframed_answer_becomes_a_file`",
            "`store::tests`: `memory_keeps_within_its_bounds`",
        ] {
            assert_eq!(table(right), [""; 0], "{right}");
        }
        for wrong in [
            "by hand",
            "`cli/none`",
            "`wire`: `none.toml`",
            "rows `no-such-row-*`",
            "`wire`: `no_such_test`",
            // A function that is not a test.
            "`cli/fix`: `lint`",
            "`ftp`, `sockets/redirects`: `no_such_test`",
        ] {
            assert_eq!(table(wrong).len(), 1, "{wrong}");
        }
        assert_eq!(promises(&root(), "no table").len(), 1);
    }
}
