//! Knobs without a witness: rows that fail when a knob gets another value.

use core::fmt;

use crate::case::Case;
use crate::knob::{KNOBS, Knob, Value};
use crate::run::parallel::parallel;
use crate::suite::Suite;
use crate::suite::names::{PROFILES, profile_named};
use crate::suite::table::{Row, Table};

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
