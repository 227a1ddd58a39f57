//! Running rows.

use core::fmt;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use robots_page::{CrawlerNames, PagePolicy, Preference, RobotsFields, RuleName};

use crate::case::Case;
use crate::knob::{KNOBS, Knob, PAGE_KNOBS, Value};
use crate::row::Difference;
use crate::suite::Suite;
use crate::suite::names::{PAGE_PROFILES, PROFILES, all_profiles, page_policy_named, profile_named};
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
        let each = suite
            .rows()
            .flat_map(|(table, row)| all_profiles().into_iter().map(move |profile| (table, row, profile)));
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
    parallel(&filter.rows(suite).collect::<Vec<_>>(), |&(table, row, name)| Outcome {
        table,
        row,
        profile: name,
        // The profile of the document of each name, as a crawler gets it.
        differences: match (&row.case, page_policy_named(name), profile_named(name)) {
            (Case::Page(_), Some(policy), _) => table.check_page(row, &policy),
            (_, _, Some(profile)) => table.check(row, &profile),
            // A profile of another kind is reported when the table is read.
            _ => Vec::new(),
        },
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
    /// The name of the knob.
    pub knob: &'static str,
    /// The name of the value that was set.
    pub value: &'static str,
}

impl fmt::Display for Unnoticed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.profile {
            Some(profile) => {
                write!(f, "no row of {profile} fails when the knob {} becomes {}", self.knob, self.value)
            }
            None => {
                write!(f, "no row sets the knob {} to {}, a value that no profile has", self.knob, self.value)
            }
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
                    turns.push((name, knob, value));
                }
            }
        }
    }
    let rows = PROFILES.map(|(name, _)| (name, rows_of(suite, name)));
    let noticed = parallel(&turns, |&(name, knob, value)| {
        let rows = rows.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, rows)| rows);
        profile_named(name).is_some_and(|mut turned| {
            value.set(&mut turned);
            // These most likely notice it: rows about access the knobs of access, and others the other knobs, if no profile with the
            // new value has them.
            let is_of_access = knob.name.starts_with("access.");
            let has_value = |of: &str| {
                profile_named(of)
                    .and_then(|profile| knob.value(&profile))
                    .is_some_and(|other| other.name == value.name)
            };
            let holders: Vec<&str> = PROFILES.iter().map(|(of, _)| *of).filter(|of| has_value(of)).collect();
            let rank = |row: &Row| {
                let fits = matches!(row.case, Case::Exchange(_) | Case::Timeline(_)) == is_of_access;
                (!fits, row.head.profiles.iter().any(|of| holders.contains(&&**of)))
            };
            let mut rows: Vec<_> = rows.iter().map(|&(table, row)| (rank(row), table, row)).collect();
            rows.sort_by_key(|(rank, ..)| *rank);
            rows.into_iter().any(|(_, table, row)| !table.check(row, &turned).is_empty())
        })
    });
    let unnoticed = |(name, knob, value): (&'static str, &Knob, &Value)| Unnoticed {
        profile: Some(name),
        knob: knob.name,
        value: value.name,
    };
    let turns = turns.into_iter().zip(noticed).filter(|(_, noticed)| !noticed);
    let mut unnoticed: Vec<Unnoticed> = turns.map(|(turn, _)| unnoticed(turn)).collect();
    for knob in KNOBS {
        for value in knob.extra_values() {
            let turn = format!("{}={}", knob.name, value.name);
            if !suite.rows().any(|(_, row)| row.head.turn.contains(&turn)) {
                unnoticed.push(Unnoticed { profile: None, knob: knob.name, value: value.name });
            }
        }
    }
    unnoticed.extend(unnoticed_of_pages(suite));
    unnoticed
}

/// Does the same for rules of pages: each knob of the first profile is set to each value, and each knob in which another
/// profile differs from the first one is set to the value of the first.
fn unnoticed_of_pages(suite: &Suite) -> Vec<Unnoticed> {
    let [(default, first), ..] = PAGE_PROFILES;
    let mut turns = Vec::new();
    for (name, policy) in PAGE_PROFILES {
        for knob in PAGE_KNOBS {
            let own = knob.value(&policy).map(|value| value.name);
            let of_first = knob.value(&first).map(|value| value.name);
            let others = knob.values.iter().filter(|value| Some(value.name) != own);
            let others = others.filter(|value| name == default || Some(value.name) == of_first);
            turns.extend(others.map(|value| (name, policy, knob, value)));
        }
    }
    let noticed = parallel(&turns, |&(name, mut policy, _, value)| {
        value.set(&mut policy);
        is_noticed_by_pages(suite, name, &policy)
    });
    let turns = turns.into_iter().zip(noticed).filter(|(_, noticed)| !noticed);
    turns
        .map(|((name, _, knob, value), _)| Unnoticed {
            profile: Some(name),
            knob: knob.name,
            value: value.name,
        })
        .collect()
}

/// Returns whether a row about pages of a profile fails under another policy.
fn is_noticed_by_pages(suite: &Suite, profile: &str, policy: &PagePolicy) -> bool {
    let is_of_profile = |row: &Row| row.head.profiles.iter().any(|of| of == profile);
    suite
        .rows()
        .filter(|(_, row)| matches!(row.case, Case::Page(_)) && is_of_profile(row))
        .any(|(table, row)| !table.check_page(row, policy).is_empty())
}

/// Leaves out each entry of each list of each policy for rules of pages, and returns those that no row of the profile notices.
#[must_use]
pub fn unnoticed_entries(suite: &Suite) -> Vec<String> {
    fn each<T: Copy + fmt::Debug + 'static>(
        list: &[T],
        what: &str,
        set: impl Fn(&mut PagePolicy, &'static [T]),
        out: &mut Vec<(String, PagePolicy)>,
        policy: PagePolicy,
    ) {
        for (index, entry) in list.iter().enumerate() {
            let mut others = list.to_vec();
            others.remove(index);
            let mut turned = policy;
            set(&mut turned, others.leak());
            out.push((format!("{what} without {entry:?}"), turned));
        }
    }
    let mut turns = Vec::new();
    for (name, policy) in PAGE_PROFILES {
        let mut of_profile: Vec<(String, PagePolicy)> = Vec::new();
        let out = &mut of_profile;
        // The rules of fields and what rules mean have no effect where another list of the policy leaves the rules out.
        let reads_fields = policy.robots_fields != RobotsFields::None;
        let of_fields = if reads_fields { policy.field_rules } else { &[] };
        let counts = |(rule, _): &&(RuleName, Preference)| {
            of_fields.contains(rule) || policy.meta_rules.contains(rule)
        };
        each(of_fields, "field_rules", |policy, list| policy.field_rules = list, out, policy);
        each(policy.meta_rules, "meta_rules", |policy, list| policy.meta_rules = list, out, policy);
        let training: Vec<_> = policy.training.iter().filter(counts).copied().collect();
        each(&training, "training", |policy, list| policy.training = list, out, policy);
        let answers: Vec<_> = policy.answers.iter().filter(counts).copied().collect();
        each(&answers, "answers", |policy, list| policy.answers = list, out, policy);
        each(policy.other_names, "other_names", |policy, list| policy.other_names = list, out, policy);
        if let CrawlerNames::Listed(names) = policy.crawler_names {
            let set = |policy: &mut PagePolicy, list| policy.crawler_names = CrawlerNames::Listed(list);
            each(names, "crawler_names", set, out, policy);
        }
        turns.extend(of_profile.into_iter().map(|(what, turned)| (name, what, turned)));
    }
    let noticed = parallel(&turns, |(name, _, policy)| is_noticed_by_pages(suite, name, policy));
    let turns = turns.into_iter().zip(noticed).filter(|(_, noticed)| !noticed);
    turns.map(|((name, what, _), _)| format!("no row of {name} fails with {what}")).collect()
}

/// Returns the rows that hold under a profile, those on small files first.
fn rows_of<'s>(suite: &'s Suite, profile: &str) -> Vec<(&'s Table, &'s Row)> {
    let mut rows: Vec<(&Table, &Row)> = suite
        .rows()
        .filter(|(table, row)| {
            // Findings of lints follow from the other rows, and are slower.
            !matches!(row.case, Case::Lint(_) | Case::Page(_))
                && row.head.profiles.iter().any(|of| of == profile)
                && suite.exception(table, row, profile).is_none()
        })
        .collect();
    rows.sort_by_key(|(table, _)| {
        table.files.names().any(|name| table.files.get(name).is_some_and(|file| file.len() > 10_000))
    });
    rows
}
