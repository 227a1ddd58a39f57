//! Running rows.

use core::fmt;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::case::Case;
use crate::knob::{KNOBS, Knob, Value};
use crate::row::Difference;
use crate::suite::Suite;
use crate::suite::names::{PROFILES, profile_named};
use crate::suite::problem::Exception;
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
    /// A part of `document/table/row`.
    pub part: Option<String>,
}

impl Filter {
    /// Returns whether the filter is empty.
    #[must_use]
    pub const fn is_all(&self) -> bool {
        self.document.is_none()
            && self.profile.is_none()
            && self.table.is_none()
            && self.case.is_none()
            && self.part.is_none()
    }

    fn fits(&self, table: &Table, row: &Row, profile: &str) -> bool {
        let is = |wanted: &Option<String>, name: &str| wanted.as_ref().is_none_or(|wanted| wanted == name);
        is(&self.document, &table.document)
            && is(&self.profile, profile)
            && (is(&self.table, &table.name) || is(&self.table, &table.id()))
            && is(&self.case, &row.head.name)
            && self
                .part
                .as_ref()
                .is_none_or(|part| format!("{}/{}", table.id(), row.head.name).contains(part))
    }

    /// Returns the rows that fit, each with each profile that it names, in the order of the tables.
    pub fn rows<'s>(&self, suite: &'s Suite) -> impl Iterator<Item = (&'s Table, &'s Row, &'static str)> {
        let each = suite.rows().flat_map(|(table, row)| PROFILES.map(|(profile, _)| (table, row, profile)));
        each.filter(|(table, row, profile)| {
            row.head.profiles.iter().any(|of| of == profile) && self.fits(table, row, profile)
        })
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
    // The profile of the document of each name, as a crawler gets it.
    let jobs =
        filter.rows(suite).filter_map(|(table, row, name)| Some((table, row, name, profile_named(name)?)));
    parallel(&jobs.collect::<Vec<_>>(), |&(table, row, name, profile)| Outcome {
        table,
        row,
        profile: name,
        differences: table.check(row, &profile),
        exception: suite.exception(table, row, name),
    })
}

/// Runs `work` for each job on all cores. Returns the results in the order of the jobs.
pub(crate) fn parallel<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(jobs.len().max(1));
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else { return done };
            done.push((index, work(job)));
        }
    };
    let mut all: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| match worker.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        workers.into_iter().flat_map(join).collect()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}

/// A value of a knob that no row notices.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Unnoticed {
    /// The profile; `None` if no profile has the value and no row sets it.
    pub profile: Option<&'static str>,
    /// The knob.
    pub knob: &'static Knob,
    /// The value that was set.
    pub value: &'static Value,
}

impl fmt::Display for Unnoticed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.profile {
            Some(profile) => {
                write!(
                    f,
                    "no row of {profile} fails when the knob {} becomes {}",
                    self.knob.name, self.value.name
                )
            }
            None => write!(
                f,
                "no row sets the knob {} to {}, a value that no profile has",
                self.knob.name, self.value.name
            ),
        }
    }
}

/// Sets each knob of each named profile to each value that another profile has, runs the rows of the profile, and
/// returns the values that no row notices. A value that no profile has must be in the `turn` of some row.
#[must_use]
pub fn unnoticed(suite: &Suite) -> Vec<Unnoticed> {
    let mut turns = Vec::new();
    for (name, profile) in PROFILES {
        for knob in KNOBS {
            let own = knob.value(&profile).map(|value| value.name);
            let others = PROFILES.iter().filter_map(|(_, other)| knob.value(other));
            let mut seen: Vec<&str> = own.into_iter().collect();
            for value in others {
                if !seen.contains(&value.name) {
                    seen.push(value.name);
                    turns.push(Unnoticed { profile: Some(name), knob, value });
                }
            }
        }
    }
    let rows = PROFILES.map(|(name, _)| (name, rows_of(suite, name)));
    let noticed = parallel(&turns, |turn| {
        let name = turn.profile.unwrap_or_default();
        let rows = rows.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, rows)| rows);
        profile_named(name).is_some_and(|mut turned| {
            turn.value.set(&mut turned);
            // Rows about access notice the knobs of access, and other rows the other knobs: these come first.
            let is_of_access = turn.knob.name.starts_with("access.");
            let fits = |row: &Row| matches!(row.case, Case::Exchange(_) | Case::Timeline(_)) == is_of_access;
            let first = rows.iter().filter(|(_, row)| fits(row));
            let others = rows.iter().filter(|(_, row)| !fits(row));
            first.chain(others).any(|(table, row)| !table.check(row, &turned).is_empty())
        })
    });
    let mut unnoticed: Vec<Unnoticed> =
        turns.into_iter().zip(noticed).filter(|(_, noticed)| !noticed).map(|(turn, _)| turn).collect();
    for knob in KNOBS {
        for value in knob.extra_values() {
            let turn = format!("{}={}", knob.name, value.name);
            if !suite.rows().any(|(_, row)| row.head.turn.contains(&turn)) {
                unnoticed.push(Unnoticed { profile: None, knob, value });
            }
        }
    }
    unnoticed
}

/// Returns the rows that hold under a profile, those on small files first.
fn rows_of<'s>(suite: &'s Suite, profile: &str) -> Vec<(&'s Table, &'s Row)> {
    let mut rows: Vec<(&Table, &Row)> = suite
        .rows()
        .filter(|(table, row)| {
            // Findings of lints follow from the other rows, and are slower.
            !matches!(row.case, Case::Lint(_))
                && row.head.profiles.iter().any(|of| of == profile)
                && suite.exception(table, row, profile).is_none()
        })
        .collect();
    rows.sort_by_key(|(table, _)| {
        table.files.names().any(|name| table.files.get(name).is_some_and(|file| file.len() > 10_000))
    });
    rows
}
