//! Running rows.

pub(crate) mod parallel;
pub(crate) mod witness;

use crate::row::difference::Difference;
use crate::run::parallel::parallel;
use crate::suite::Suite;
use crate::suite::exception::Exception;
use crate::suite::names::{PROFILES, profile_named};
use crate::suite::table::{Row, Table};

/// A filter for rows: a row has to match every field that is set.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Filter {
    /// The document of the table.
    pub document: Option<String>,
    /// The profile.
    pub profile: Option<String>,
    /// The table, by its name or `document/name`.
    pub table: Option<String>,
    /// The row, by its name.
    pub case: Option<String>,
}

impl Filter {
    /// Returns whether the filter is empty.
    #[must_use]
    pub const fn is_all(&self) -> bool {
        self.document.is_none() && self.profile.is_none() && self.table.is_none() && self.case.is_none()
    }

    fn fits(&self, table: &Table, row: &Row, profile: &str) -> bool {
        let is = |wanted: &Option<String>, name: &str| wanted.as_ref().is_none_or(|wanted| wanted == name);
        is(&self.document, &table.document)
            && is(&self.profile, profile)
            && (is(&self.table, &table.name) || is(&self.table, &table.id()))
            && is(&self.case, &row.head.name)
    }
}

/// A row that was run under a profile.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome<'s> {
    /// Its table.
    pub table: &'s Table,
    /// The row.
    pub row: &'s Row,
    /// The name of the profile.
    pub profile: &'static str,
    /// How the implementation differs from the row.
    pub differences: Vec<Difference>,
    /// The exception, if the row is known to fail.
    pub exception: Option<&'s Exception>,
}

impl Outcome<'_> {
    /// Returns whether the row holds, or fails as its exception says.
    #[must_use]
    pub const fn passed(&self) -> bool {
        self.differences.is_empty() != self.exception.is_some()
    }
}

/// Runs the rows that match `filter`, each under every profile it names, in the order of the tables.
#[must_use]
pub fn run<'s>(suite: &'s Suite, filter: &Filter) -> Vec<Outcome<'s>> {
    let mut jobs = Vec::new();
    for (table, row) in suite.rows() {
        for (name, _) in PROFILES {
            // The profile of the document of this name, as a crawler gets it.
            let Some(profile) = profile_named(name) else { continue };
            if row.head.profiles.iter().any(|of| of == name) && filter.fits(table, row, name) {
                jobs.push((table, row, name, profile));
            }
        }
    }
    parallel(&jobs, |&(table, row, name, profile)| Outcome {
        table,
        row,
        profile: name,
        differences: table.check(row, &profile),
        exception: suite.exception(table, row, name),
    })
}
