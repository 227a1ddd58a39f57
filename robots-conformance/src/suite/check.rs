//! What can be seen of a suite without running a row.

use std::collections::BTreeSet;

use robots_fetch::matching::lint::Code;

use crate::case::Case;
use crate::suite::Suite;
use crate::suite::names::{EXCEPTIONS, LINT, READINGS};
use crate::suite::problem::Problem;
use crate::suite::table::{Row, Table};

impl Suite {
    /// Lints of which no row shows a file that has it, or none a file that looks alike and has not.
    fn lints_without_rows(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        for statement in self.statements.iter().filter(|statement| statement.document() == LINT) {
            let Some(code) = statement.id.split('/').nth(1).and_then(Code::named) else { continue };
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
    pub(super) fn check_consistency(&mut self) {
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
