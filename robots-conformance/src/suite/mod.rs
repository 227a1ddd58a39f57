//! The suite: statements, readings, tables and exceptions.

mod check;
mod load;
pub(crate) mod names;
pub(crate) mod problem;
pub(crate) mod quotes;
pub(crate) mod statement;
pub(crate) mod table;

use std::collections::{BTreeMap, BTreeSet};

use crate::suite::problem::{Exception, Problem};
use crate::suite::statement::{Reading, Source, Statement};
use crate::suite::table::{Row, Table};

/// Statements, readings, tables and exceptions, and the problems of their files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Suite {
    /// The statements, file by file.
    pub statements: Vec<Statement>,
    /// Where the quotes of each document come from, by the document's name.
    pub sources: BTreeMap<String, Source>,
    /// The readings of READINGS.md.
    pub readings: Vec<Reading>,
    /// The tables.
    pub tables: Vec<Table>,
    /// Rows known to fail.
    pub exceptions: Vec<Exception>,
    /// The problems of the files.
    pub problems: Vec<Problem>,
}

impl Suite {
    /// Returns each row, with its table.
    pub fn rows(&self) -> impl Iterator<Item = (&Table, &Row)> {
        self.tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)))
    }

    /// Returns the exception for a row under a profile.
    #[must_use]
    pub fn exception(&self, table: &Table, row: &Row, profile: &str) -> Option<&Exception> {
        let is = |of: &str| {
            of.strip_suffix(&*row.head.name).and_then(|of| of.strip_suffix('/')).is_some_and(|of| {
                of.strip_prefix(&*table.document).and_then(|of| of.strip_prefix('/')) == Some(&*table.name)
            })
        };
        self.exceptions.iter().find(|exception| exception.profile == profile && is(&exception.row))
    }

    /// Returns the text of the statement or reading with this id.
    #[must_use]
    pub fn says(&self, id: &str) -> Option<&str> {
        let statement = self.statements.iter().find(|statement| statement.id == id);
        let reading = || self.readings.iter().find(|reading| reading.id == id).map(|reading| &*reading.says);
        statement.map(|statement| &*statement.says).or_else(reading)
    }

    /// Returns the ids that are shown only under a knob: rows cite them, and each of these rows sets knobs. The value is what
    /// they set.
    pub(crate) fn only_under_a_knob(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut turns: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut by_default = BTreeSet::new();
        for (_, row) in self.rows() {
            for id in &row.head.cites {
                if row.head.turn.is_empty() {
                    by_default.insert(&**id);
                }
                turns.entry(id).or_default().extend(row.head.turn.iter().map(String::as_str));
            }
        }
        turns.retain(|id, _| !by_default.contains(id));
        turns
    }

    /// Returns how many rows cite each id, by id and profile.
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
}
