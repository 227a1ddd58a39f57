//! Tables: robots.txt files, and rows about them.

use crate::case::{Case, Sections};
use crate::escape::unescaped;
use crate::knob::{page_turned, turned};
use crate::row::{Difference, Files, Head, RowContext};
use crate::suite::names::{page_policy_named, profile_named};
use crate::suite::problem::{Problem, line_of};
use robots_fetch::SiteProfile;
use robots_page::PagePolicy;

/// A table file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Table {
    /// The document: the name of its folder.
    pub document: String,
    /// The name of the file without `.toml`.
    pub name: String,
    /// The file, relative to the folder that holds robots-conformance.
    pub file: String,
    /// The robots.txt files of its rows.
    pub files: Files,
    /// The rows, in the order of the file.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The keys that every row has.
    pub head: Head,
    /// The keys of its kind.
    pub case: Case,
    /// Its line in the file of the table.
    pub line: usize,
}

impl Table {
    /// The most bytes of a generated file.
    const LARGEST: usize = 64 << 20;

    /// Parses a table that belongs to no document.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the table and its rows. Does not check whether cited statements exist.
    pub fn parse(text: &str) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        let table = Self::read("", "", "", text, &mut problems);
        if problems.is_empty() { Ok(table) } else { Err(problems) }
    }

    pub(crate) fn read(
        file: &str,
        document: &str,
        name: &str,
        text: &str,
        problems: &mut Vec<Problem>,
    ) -> Self {
        Self::with_files(file, document, name, Files::default(), text, problems)
    }

    /// Parses a table whose rows may name `files` in addition to its own.
    pub(crate) fn with_files(
        file: &str,
        document: &str,
        name: &str,
        files: Files,
        text: &str,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let mut table = Self {
            document: document.to_owned(),
            name: name.to_owned(),
            file: file.to_owned(),
            files,
            rows: Vec::new(),
        };
        match toml::from_str::<Sections>(text) {
            Ok(mut sections) => {
                table.read_files(&mut sections, text, problems);
                table.read_rows(sections, text, problems);
            }
            Err(error) => problems.push(Problem::of_toml(file, text, &error)),
        }
        table
    }

    fn read_files(&mut self, sections: &mut Sections, text: &str, problems: &mut Vec<Problem>) {
        let mut found = Vec::new();
        for (name, written) in core::mem::take(&mut sections.robots) {
            let span = written.span();
            found.push((name, span, Ok(written.into_inner().into_bytes())));
        }
        for (name, written) in core::mem::take(&mut sections.escaped) {
            let span = written.span();
            found.push((name, span, unescaped(&written.into_inner())));
        }
        for (name, written) in core::mem::take(&mut sections.generated) {
            let span = written.span();
            found.push((name, span, generated(&written.into_inner())));
        }
        for (name, span, bytes) in found {
            let added = bytes.and_then(|bytes| match self.files.add(name.clone(), bytes) {
                true => Ok(()),
                false => Err(format!("the name `{name}` is used for two files")),
            });
            let Err(wrong) = added else { continue };
            problems.push(Problem::new(&self.file, line_of(text, &span), wrong));
        }
    }

    fn read_rows(&mut self, sections: Sections, text: &str, problems: &mut Vec<Problem>) {
        for (span, head, case) in sections.rows() {
            let line = line_of(text, &span);
            let mut wrong = |what: String| {
                problems.push(Problem::new(&self.file, line, format!("row `{}`: {what}", head.name)));
            };
            if let Some(other) = self.rows.iter().find(|row| row.head.name == head.name) {
                wrong(format!("the name is taken by the row in line {}", other.line));
            }
            let is_word = |word: &str| {
                !word.is_empty()
                    && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            };
            if !head.name.split('-').all(is_word) {
                wrong("a name is words of lower case letters and digits, joined by `-`".to_owned());
            }
            if head.cites.is_empty() {
                wrong("it cites nothing; add the id of a statement".to_owned());
            }
            if head.profiles.is_empty() {
                wrong("it names no profile; add one to `profiles`".to_owned());
            }
            for (index, name) in head.profiles.iter().enumerate() {
                let is_known = match case {
                    Case::Page(_) => page_policy_named(name).is_some(),
                    _ => profile_named(name).is_some(),
                };
                if !is_known {
                    wrong(format!("`{name}` is not a profile"));
                }
                if head.profiles.iter().take(index).any(|other| other == name) {
                    wrong(format!("the profile `{name}` is named twice"));
                }
            }
            for (index, id) in head.cites.iter().enumerate() {
                if head.cites.iter().take(index).any(|other| other == id) {
                    wrong(format!("`{id}` is cited twice"));
                }
            }
            let turned = match case {
                Case::Page(_) => page_turned(PagePolicy::REPEXT, &head.turn).map(drop),
                _ => turned(SiteProfile::RFC9309, &head.turn).map(drop),
            };
            if let Err(what) = turned {
                wrong(what);
            }
            if let Err(what) = case.validate(&self.files) {
                wrong(what);
            }
            self.rows.push(Row { head, case, line });
        }
    }

    /// Runs a row about a page under `policy` and returns how the implementation differs; nothing if the row holds.
    #[must_use]
    pub fn check_page(&self, row: &Row, policy: &PagePolicy) -> Vec<Difference> {
        match page_turned(*policy, &row.head.turn) {
            Ok(policy) => row.case.check(&RowContext::of_page(&self.files, &policy)),
            // Reported when the table was read.
            Err(what) => vec![Difference::new("turn", row.head.turn.join(" "), what)],
        }
    }

    /// Returns `document/name`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}/{}", self.document, self.name)
    }

    /// Runs `row` of this table under `profile` and returns how the implementation differs; nothing if the row holds.
    #[must_use]
    pub fn check(&self, row: &Row, profile: &SiteProfile) -> Vec<Difference> {
        match turned(*profile, &row.head.turn) {
            Ok(profile) => row.case.check(&RowContext::new(&self.files, &profile)),
            // Reported when the table was read.
            Err(what) => vec![Difference::new("turn", row.head.turn.join(" "), what)],
        }
    }
}

fn generated(pieces: &[(String, usize)]) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    for (piece, times) in pieces {
        let piece = unescaped(piece)?;
        let len = piece.len().checked_mul(*times).and_then(|len| len.checked_add(out.len()));
        if len.is_none_or(|len| len > Table::LARGEST) {
            return Err(format!("a generated file has more than {} bytes", Table::LARGEST));
        }
        out.extend_from_slice(&piece.repeat(*times));
    }
    Ok(out)
}
