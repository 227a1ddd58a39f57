//! All that the folder holds: statements, readings, tables, exceptions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::Profile;
use crate::case::Case;
use crate::exception::Exception;
use crate::problem::Problem;
use crate::statement::{Reading, Statement};
use crate::table::{Row, Table};
use robots_fetch::matching::lint::Lint;

/// Statements, readings, tables and exceptions, and what is wrong with their files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Suite {
    /// The sentences of the documents, file by file.
    pub statements: Vec<Statement>,
    /// The unclear sentences of READINGS.md.
    pub readings: Vec<Reading>,
    /// The tables.
    pub tables: Vec<Table>,
    /// Rows known to fail.
    pub exceptions: Vec<Exception>,
    /// What is wrong with the files as such.
    pub problems: Vec<Problem>,
}

impl Suite {
    /// The folder of this crate, or the one that the environment variable `ROBOTS_TABLES` names.
    #[must_use]
    pub fn folder() -> PathBuf {
        env::var_os("ROBOTS_TABLES").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
    }

    /// All that `folder` holds in `statements`, `tables` and `exceptions.toml`, and READINGS.md beside it.
    ///
    /// What can't be read becomes a [`Problem`].
    #[must_use]
    pub fn load(folder: &Path) -> Self {
        let mut problems = Vec::new();
        let mut statements = Vec::new();
        for path in files(&folder.join("statements"), &mut problems) {
            let document = stem(&path);
            let file = format!("robots-conformance/statements/{document}.toml");
            if Profile::named(&document).is_none() {
                problems.push(Problem::new(&file, 0, format!("there is no document `{document}`")));
            }
            if let Some(text) = text(&path, &file, &mut problems) {
                statements.extend(Statement::read(&file, &document, &text, &mut problems));
            }
        }
        let lints = folder.join("..").join(LINT_FOLDER);
        if lints.is_dir() {
            statements.extend(Lint::ALL.iter().map(|&lint| Statement::of_lint(lint)));
        }
        let mut tables = Vec::new();
        for document in DOCUMENTS.into_iter().filter(|document| *document != LINT) {
            let of_document = folder.join("tables").join(document);
            if !of_document.is_dir() {
                continue;
            }
            for path in files(&of_document, &mut problems) {
                let name = stem(&path);
                let file = format!("robots-conformance/tables/{document}/{name}.toml");
                if let Some(text) = text(&path, &file, &mut problems) {
                    tables.push(Table::read(&file, document, &name, &text, &mut problems));
                }
            }
        }
        stray_tables(&folder.join("tables"), &mut problems);
        tables.extend(tables_of_lints(&lints, &mut problems));
        let exceptions_file = folder.join("exceptions.toml");
        let exceptions = match exceptions_file.exists() {
            true => text(&exceptions_file, EXCEPTIONS, &mut problems)
                .map(|text| Exception::read(EXCEPTIONS, &text, &mut problems))
                .unwrap_or_default(),
            false => Vec::new(),
        };
        let readings_file = folder.join("..").join(READINGS);
        let readings = match readings_file.exists() {
            true => text(&readings_file, READINGS, &mut problems)
                .map(|text| Reading::read(&text))
                .unwrap_or_default(),
            false => Vec::new(),
        };
        let mut suite = Self { statements, readings, tables, exceptions, problems };
        suite.hold_together();
        suite
    }

    /// Each row, with its table.
    pub fn rows(&self) -> impl Iterator<Item = (&Table, &Row)> {
        self.tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)))
    }

    /// The exception for a row under a profile.
    #[must_use]
    pub fn exception(&self, table: &Table, row: &Row, profile: &str) -> Option<&Exception> {
        let is = |of: &str| {
            of.strip_suffix(&*row.head.name).and_then(|of| of.strip_suffix('/')).is_some_and(|of| {
                of.strip_prefix(&*table.document).and_then(|of| of.strip_prefix('/')) == Some(&*table.name)
            })
        };
        self.exceptions.iter().find(|exception| exception.profile == profile && is(&exception.row))
    }

    /// What the statement or reading of this id says.
    #[must_use]
    pub fn says(&self, id: &str) -> Option<&str> {
        let statement = self.statements.iter().find(|statement| statement.id == id);
        let reading = || self.readings.iter().find(|reading| reading.id == id).map(|reading| &*reading.says);
        statement.map(|statement| &*statement.says).or_else(reading)
    }

    /// How many rows cite each id under each profile, by id and then by profile.
    #[must_use]
    pub fn citations(&self) -> BTreeMap<&str, BTreeMap<&str, usize>> {
        let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for (_, row) in self.rows() {
            for id in &row.head.cites {
                let of_id = counts.entry(id).or_default();
                for profile in &row.head.profiles {
                    *of_id.entry(profile).or_default() += 1;
                }
            }
        }
        counts
    }

    /// Lints of which no row shows a file that has it, or none a file that looks alike and has not.
    fn lints_without_rows(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        for statement in self.statements.iter().filter(|statement| statement.document() == LINT) {
            let Some(code) = statement.id.split('/').nth(1).and_then(Lint::from_name) else { continue };
            let has = |triggers: bool| {
                self.rows().any(|(_, row)| match &row.case {
                    Case::Lint(lint) => row.head.cites.contains(&statement.id) && lint.has(code) == triggers,
                    _ => false,
                })
            };
            for (triggers, what) in [(true, "has it"), (false, "looks alike and has it not")] {
                if !has(triggers) {
                    let what = format!("no row that cites `{}` shows a file that {what}", statement.id);
                    found.push(Problem::new(&statement.file, statement.line, what));
                }
            }
        }
        found
    }

    /// What can be seen without running a row: ids that are double or unknown, statements without rows, files that no
    /// row reads.
    fn hold_together(&mut self) {
        let mut found = Vec::new();
        let mut known = BTreeSet::new();
        for statement in &self.statements {
            if !known.insert(&*statement.id) {
                let what = format!("there are two statements `{}`", statement.id);
                found.push(Problem::new(&statement.file, statement.line, what));
            }
        }
        for reading in &self.readings {
            if !known.insert(&*reading.id) {
                found.push(Problem::new(
                    READINGS,
                    reading.line,
                    format!("there are two headings `{}`", reading.id),
                ));
            }
        }
        let mut names = BTreeMap::new();
        for (table, row) in self.rows() {
            if let Some(other) = names.insert((table.id(), &*row.head.name), table)
                && !core::ptr::eq(other, table)
            {
                let what = format!("row `{}`: {} has a row of this name", row.head.name, other.file);
                found.push(Problem::new(&table.file, row.line, what));
            }
        }
        for (table, row) in self.rows() {
            for id in row.head.cites.iter().filter(|id| !known.contains(&***id)) {
                let what = format!("row `{}`: there is no statement or reading `{id}`", row.head.name);
                found.push(Problem::new(&table.file, row.line, what));
            }
        }
        for (table, row) in self.rows() {
            let is_lint = matches!(row.case, Case::Lint(_));
            let is_of_lint = |id: &String| id.split('/').next() == Some(LINT);
            if let Some(id) = row.head.cites.iter().find(|id| is_of_lint(id) != is_lint) {
                let what = format!(
                    "row `{}`: a row of findings cites lints, and no other does: `{id}`",
                    row.head.name
                );
                found.push(Problem::new(&table.file, row.line, what));
            }
        }
        found.extend(self.lints_without_rows());
        let cited = self.citations();
        for statement in &self.statements {
            let wrong = match (cited.contains_key(&*statement.id), &statement.waived) {
                (false, None) => "no row cites it, and it is not waived",
                (true, Some(_)) => "it is waived, and rows cite it",
                _ => continue,
            };
            let said = [&*statement.keyword, &*statement.says].join(" ");
            let what = format!("statement `{}` ({}): {wrong}", statement.id, said.trim());
            found.push(Problem::new(&statement.file, statement.line, what));
        }
        for reading in self.readings.iter().filter(|reading| !cited.contains_key(&*reading.id)) {
            found.push(Problem::new(READINGS, reading.line, format!("no row cites `{}`", reading.id)));
        }
        for exception in &self.exceptions {
            let names = |(table, row): (&Table, &Row)| {
                row.head.profiles.contains(&exception.profile)
                    && self
                        .exception(table, row, &exception.profile)
                        .is_some_and(|of| of.line == exception.line)
            };
            if !self.rows().any(names) {
                let what = format!("there is no row `{}` under {}", exception.row, exception.profile);
                found.push(Problem::new(EXCEPTIONS, exception.line, what));
            }
        }
        if self.tables.iter().all(|table| table.rows.is_empty()) {
            found.push(Problem::new("robots-conformance/tables", 0, "there is not one row"));
        }
        self.problems.append(&mut found);
    }
}

/// What tables are about: the documents, whose names are those of profiles, and lints.
pub const DOCUMENTS: [&str; 5] = {
    let [(a, _), (b, _), (c, _), (d, _)] = Profile::NAMED;
    [a, b, c, d, LINT]
};

/// The first part of the ids of lints and of their tables.
pub(crate) const LINT: &str = "lint";

/// The folder of the lints, next to the folder of this crate. The rows of a lint are in the file beside its code.
pub(crate) const LINT_FOLDER: &str = "robots-match/src/lint";

const EXCEPTIONS: &str = "robots-conformance/exceptions.toml";
const READINGS: &str = "READINGS.md";

/// The TOML files of a folder, sorted by name.
fn files(folder: &Path, problems: &mut Vec<Problem>) -> Vec<PathBuf> {
    match fs::read_dir(folder) {
        Ok(entries) => {
            let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
            let mut paths: Vec<PathBuf> =
                paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect();
            paths.sort();
            paths
        }
        Err(error) => {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            problems.push(Problem::new(
                &format!("robots-conformance/{name}"),
                0,
                format!("can't be read: {error}"),
            ));
            Vec::new()
        }
    }
}

/// The tables of the lints. The rows of all lints of a subfolder have ids that begin with `lint/` and its name.
fn tables_of_lints(folder: &Path, problems: &mut Vec<Problem>) -> Vec<Table> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut subfolders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    subfolders.retain(|path| path.is_dir());
    subfolders.sort();
    let mut tables = Vec::new();
    for path in subfolders.iter().flat_map(|subfolder| files(subfolder, problems)).collect::<Vec<_>>() {
        let subject = path.parent().map(stem).unwrap_or_default();
        let file = format!("{LINT_FOLDER}/{subject}/{}.toml", stem(&path));
        if let Some(text) = text(&path, &file, problems) {
            tables.push(Table::read(&file, LINT, &subject, &text, problems));
        }
    }
    tables
}

/// Tables where none are looked for: in `tables` itself, or under a name that is no document's.
fn stray_tables(folder: &Path, problems: &mut Vec<Problem>) {
    let Ok(entries) = fs::read_dir(folder) else {
        problems.push(Problem::new("robots-conformance/tables", 0, "can't be read"));
        return;
    };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == LINT || !DOCUMENTS.contains(&&*name) {
            problems.push(Problem::new(
                &format!("robots-conformance/tables/{name}"),
                0,
                "there is no such document",
            ));
        }
    }
}

fn text(path: &Path, file: &str, problems: &mut Vec<Problem>) -> Option<String> {
    fs::read_to_string(path)
        .map_err(|error| problems.push(Problem::new(file, 0, format!("can't be read: {error}"))))
        .ok()
}

fn stem(path: impl AsRef<Path>) -> String {
    path.as_ref().file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
