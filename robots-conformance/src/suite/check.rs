//! Checks of a suite that run no row.

use std::collections::BTreeSet;

use robots_fetch::matching::lint::Lint;

use crate::case::Case;
use crate::suite::Suite;
use crate::suite::names::{EXCEPTIONS, LINT, READINGS};
use crate::suite::problem::Problem;
use crate::suite::table::{Row, Table};

impl Suite {
    /// Returns the lints without a row whose file has the finding, or without a row whose similar file does not have
    /// it.
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
            for (triggers, what) in [(true, "has it"), (false, "is similar and does not have it")] {
                if !has(triggers) {
                    let what = format!("no row that cites `{}` shows a file that {what}", statement.id);
                    found.push(Problem::new(&statement.file, statement.line, what));
                }
            }
        }
        found
    }

    /// Adds problems: ids that are duplicate or unknown, statements without rows, exceptions without a row.
    pub(super) fn check_consistency(&mut self) {
        let mut found = Vec::new();
        let mut known = BTreeSet::new();
        for statement in &self.statements {
            if !known.insert(&*statement.id) {
                let what = format!("the id of the statement `{}` is used twice", statement.id);
                found.push(Problem::new(&statement.file, statement.line, what));
            }
        }
        for reading in &self.readings {
            if !known.insert(&*reading.id) {
                found.push(Problem::new(
                    READINGS,
                    reading.line,
                    format!("the heading `{}` is used twice", reading.id),
                ));
            }
        }
        for (table, row) in self.rows() {
            for id in row.head.cites.iter().filter(|id| !known.contains(&***id)) {
                let what = format!("row `{}`: no statement or reading has the id `{id}`", row.head.name);
                found.push(Problem::new(&table.file, row.line, what));
            }
        }
        for (table, row) in self.rows() {
            let is_lint = matches!(row.case, Case::Lint(_));
            let is_of_lint = |id: &String| id.split('/').next() == Some(LINT);
            if row.head.cites.iter().any(is_of_lint) != is_lint {
                let what = format!(
                    "row `{}`: rows next to lints cite a lint, and other rows cite none",
                    row.head.name
                );
                found.push(Problem::new(&table.file, row.line, what));
            }
        }
        found.extend(self.lints_without_rows());
        let cited = self.citations();
        for statement in &self.statements {
            let wrong = match (cited.contains_key(&*statement.id), &statement.waived) {
                (false, None) => "no row cites it, and it is not waived; add a row or a reason",
                (true, Some(_)) => "it is waived, but rows cite it; remove `waived`",
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
                let what = format!("no row `{}` exists under {}", exception.row, exception.profile);
                found.push(Problem::new(EXCEPTIONS, exception.line, what));
            }
        }
        if self.tables.iter().all(|table| table.rows.is_empty()) {
            found.push(Problem::new("robots-conformance/tables", 0, "no table has a row"));
        }
        self.problems.append(&mut found);
    }
}
