//! Loading a suite from its folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs};

use robots_fetch::matching::lint::Lint;

use crate::suite::Suite;
use crate::suite::names::{DOCUMENTS, EXCEPTIONS, LINT, LINT_FOLDER, READINGS};
use crate::suite::problem::{Exception, Problem};
use crate::suite::statement::{Reading, Statement};
use crate::suite::table::Table;

impl Suite {
    /// Returns the folder of this crate, or the folder in the environment variable `ROBOTS_TABLES`.
    #[must_use]
    pub fn folder() -> PathBuf {
        env::var_os("ROBOTS_TABLES").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
    }

    /// Returns the suite in [`Suite::folder`], which is loaded once.
    pub fn own() -> &'static Self {
        static OWN: OnceLock<Suite> = OnceLock::new();
        OWN.get_or_init(|| Self::load(&Self::folder()))
    }

    /// Loads `statements`, `tables` and `exceptions.toml` in `folder`, and READINGS.md in the folder above.
    ///
    /// Files that can't be read become [`Problem`]s.
    #[must_use]
    pub fn load(folder: &Path) -> Self {
        let mut problems = Vec::new();
        let mut statements = Vec::new();
        let mut sources = BTreeMap::new();
        for path in files(&folder.join("statements"), &mut problems) {
            let document = stem(&path);
            let file = format!("robots-conformance/statements/{document}.toml");
            if document == LINT || !DOCUMENTS.contains(&&*document) {
                problems.push(Problem::new(&file, 0, format!("`{document}` is not a document")));
            }
            if let Some(text) = text(&path, &file, &mut problems) {
                let read = Statement::read(&file, &document, &text, &mut problems);
                statements.extend(read.statements);
                sources.extend(read.source.map(|source| (document, source)));
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
        tables.extend(lint_tables(&lints, &mut problems));
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
        let mut suite = Self { statements, sources, readings, tables, exceptions, problems };
        suite.check_consistency();
        suite
    }
}

/// Returns the TOML files of a folder, sorted by name.
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

/// Returns the tables of the lints. Each has the name of its folder and of its lint: `agents/agent-list`.
fn lint_tables(folder: &Path, problems: &mut Vec<Problem>) -> Vec<Table> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut subfolders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    subfolders.retain(|path| path.is_dir());
    subfolders.sort();
    let mut tables = Vec::new();
    for subfolder in subfolders {
        let subject = stem(&subfolder);
        for path in files(&subfolder, problems) {
            let name = format!("{subject}/{}", stem(&path).replace('_', "-"));
            let file = format!("{LINT_FOLDER}/{subject}/{}.toml", stem(&path));
            if let Some(text) = text(&path, &file, problems) {
                tables.push(Table::read(&file, LINT, &name, &text, problems));
            }
        }
    }
    tables
}

/// Reports entries of `tables` that are not the folder of a document.
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
                "this is not the name of a document",
            ));
        }
    }
}

fn text(path: &Path, file: &str, problems: &mut Vec<Problem>) -> Option<String> {
    fs::read_to_string(path)
        .map_err(|error| problems.push(Problem::new(file, 0, format!("can't be read: {error}"))))
        .ok()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
