//! Which crawlers get groups, so that each has the access that it should have, and the proof of it.

use std::collections::HashMap;
use std::ffi::OsStr;

use robots_match::{Change, Comparer, Difference, Effect, RuleSet};

use super::edit::{Layout, Own};
use super::stances::{Stance, Wish};
use crate::arguments::NamedProfile;
use crate::failure::{Failure, Result};
use crate::subject::{RulesByProfile, Subject};
use crate::text::Text;

/// The most times that groups are added because of others.
const MOST_ROUNDS: usize = 8;

/// The new file, and what changes.
pub(super) struct Plan {
    pub(super) body: Vec<u8>,
    /// The positions of the crawlers that may access nothing any more.
    pub(super) blocked: Vec<usize>,
    /// The positions of the crawlers that may access more.
    pub(super) opened: Vec<usize>,
    /// The positions of the crawlers that got a group with the rules that they had.
    pub(super) kept: Vec<usize>,
    /// The number of crawlers for which it is proved that nothing changes.
    pub(super) unchanged: usize,
}

/// Rules of all crawlers, compiled once for those that share them.
struct Compiled<'s> {
    shared: RulesByProfile<'s>,
    sets: Vec<RuleSet>,
}

impl<'s> Compiled<'s> {
    fn new(subject: &'s Subject, wishes: &[Wish], comparer: &mut Comparer) -> Result<Self> {
        let shared = subject.rules_for(wishes.iter().map(|wish| &wish.named.crawler));
        let sets = (0..shared.sets()).map(|set| shared.compile(set, comparer)).collect::<Option<_>>();
        Ok(Self { sets: sets.ok_or_else(undecided)?, shared })
    }

    fn of(&self, crawler: usize) -> Option<&RuleSet> {
        self.sets.get(self.shared.set_of(crawler))
    }
}

fn undecided() -> Failure {
    Failure::new("the rules take too much work, so it can't be proved what changes; nothing is written")
}

/// Returns whether everything is disallowed.
fn is_blocked(rules: &RuleSet, comparer: &mut Comparer) -> Result<bool> {
    match comparer.exception(rules, b"/", Effect::Disallow, Difference::MAX_STATES) {
        Change::Nothing => Ok(true),
        Change::Path(_) => Ok(false),
        _ => Err(undecided()),
    }
}

/// Plans the groups for `wishes` in a file.
///
/// # Errors
///
/// It can't be proved that each crawler has the access that it should have, and that nothing changes for the others.
pub(super) fn plan(subject: &Subject, profile: &NamedProfile, wishes: &[Wish]) -> Result<Plan> {
    let robots = &subject.robots;
    let layout = Layout::new(robots);
    let mut comparer = Comparer::new(Comparer::work_for(robots.body().len()).saturating_mul(16));
    let before = Compiled::new(subject, wishes, &mut comparer)?;
    let mut blocked_before: HashMap<usize, bool> = HashMap::new();
    let mut owned: Vec<(usize, Own<'_>)> = Vec::new();
    for (index, Wish { named, stance, .. }) in wishes.iter().enumerate() {
        let Some(rules) = before.of(index) else { continue };
        let dropped = match stance {
            Stance::Kept => continue,
            Stance::Blocked => {
                let set = before.shared.set_of(index);
                let is_done = match blocked_before.get(&set) {
                    Some(&is_done) => is_done,
                    None => *blocked_before.entry(set).or_insert(is_blocked(rules, &mut comparer)?),
                };
                if is_done {
                    continue;
                }
                Vec::new()
            }
            Stance::Allowed => {
                match closing(&before.shared, before.shared.set_of(index), rules, &mut comparer)? {
                    lines if lines.is_empty() => continue,
                    lines => lines,
                }
            }
        };
        owned.push((index, Own { crawler: &named.crawler, stance: *stance, dropped }));
    }
    for _ in 0..MOST_ROUNDS {
        let own: Vec<Own<'_>> =
            owned.iter().map(|(_, own)| Own { dropped: own.dropped.clone(), ..*own }).collect();
        let body = layout.with_groups(&own);
        let written = Subject::of_bytes(OsStr::new(""), &body, profile);
        let after = Compiled::new(&written, wishes, &mut comparer)?;
        let mut differences: HashMap<(usize, usize), Difference> = HashMap::new();
        let mut plan = Plan {
            body: body.clone(),
            blocked: Vec::new(),
            opened: Vec::new(),
            kept: Vec::new(),
            unchanged: 0,
        };
        let mut disturbed = Vec::new();
        for (index, wish) in wishes.iter().enumerate() {
            let (Some(old), Some(new)) = (before.of(index), after.of(index)) else { continue };
            let key = (before.shared.set_of(index), after.shared.set_of(index));
            let difference = differences
                .entry(key)
                .or_insert_with(|| comparer.difference(old, new, Difference::MAX_STATES));
            let is_same = difference.is_nothing();
            let is_known = !matches!(difference.newly_allowed, Change::Undecided)
                && !matches!(difference.newly_disallowed, Change::Undecided);
            if !is_known {
                return Err(undecided());
            }
            let is_own = owned.iter().any(|(own, _)| *own == index);
            match wish.stance {
                Stance::Kept if is_same && is_own => {
                    plan.kept.push(index);
                    plan.unchanged += 1;
                }
                Stance::Kept if is_same => plan.unchanged += 1,
                Stance::Kept => disturbed.push(index),
                Stance::Blocked => {
                    if !is_blocked(new, &mut comparer)? {
                        // It was blocked before, and obeys the new group of another crawler.
                        disturbed.push(index);
                    } else if is_same {
                        plan.unchanged += 1;
                    } else {
                        plan.blocked.push(index);
                    }
                }
                Stance::Allowed => {
                    if !new.check("/").is_allowed() {
                        return Err(not_possible(wish));
                    }
                    // A group for another crawler must not change one that is allowed.
                    if !is_own && !is_same {
                        disturbed.push(index);
                    } else if !difference.newly_disallowed.is_nothing() {
                        return Err(not_possible(wish));
                    } else if is_same {
                        plan.unchanged += 1;
                    } else {
                        plan.opened.push(index);
                    }
                }
            }
        }
        if disturbed.is_empty() {
            return Ok(plan);
        }
        for index in disturbed {
            let Some(wish) = wishes.get(index) else { continue };
            // A group of its own did not help, or the crawler has no name for one.
            if owned.iter().any(|(own, _)| *own == index) || wish.named.crawler.names().next().is_none() {
                return Err(not_possible(wish));
            }
            let own = Own { crawler: &wish.named.crawler, stance: wish.stance, dropped: Vec::new() };
            owned.push((index, own));
        }
    }
    Err(undecided())
}

fn not_possible(wish: &Wish) -> Failure {
    Failure::new(format!(
        "no group gives `{}` the access that it should have without a change for others; nothing is written; `robots lint` shows \
         what is odd in the file",
        Text(wish.named.name.as_bytes())
    ))
}

/// Returns the lines of the rules that disallow `/` for a crawler, one after the other.
fn closing(
    shared: &RulesByProfile<'_>,
    set: usize,
    rules: &RuleSet,
    comparer: &mut Comparer,
) -> Result<Vec<usize>> {
    let mut lines = Vec::new();
    let mut next = rules.check("/");
    while let Some(line) = next.line().filter(|_| !next.is_allowed()) {
        lines.push(line);
        next = shared.compile_without(set, &lines, comparer).ok_or_else(undecided)?.check("/");
    }
    Ok(lines)
}
