//! Access that is written into real files: what is written is what was wanted, and nothing else changes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]
#![allow(clippy::print_stdout, reason = "a test says what it leaves out")]

extern crate alloc;

use alloc::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use robots_fetch::matching::syntax::Effect;
use robots_fetch::matching::{
    AccessPlan, AccessPlanError, AccessWish, Change, Comparer, Crawler, Difference, Document, KnownCrawler,
    Purpose, Robots, RuleSet, SharedRules, WantedAccess,
};

/// Returns 200 files: those of the project, and others where they lie beside it.
fn files() -> Vec<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/sites");
    let of = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.is_file());
        paths.sort();
        paths
    };
    let (mut files, others) = (of(&project), of(&beside));
    if others.is_empty() {
        println!("skipped: no files at ../shared/corpus/sites");
    }
    let step = (others.len() / 200).max(1);
    files.extend(others.into_iter().step_by(step).take(200));
    files
}

/// The rule sets of all crawlers of the catalogue.
struct All<'r> {
    shared: SharedRules<'r>,
    sets: Vec<RuleSet>,
}

impl<'r> All<'r> {
    fn new(robots: &'r Robots, crawlers: &[Crawler]) -> Self {
        let shared = robots.rules_for(crawlers);
        let sets = (0..shared.sets()).map(|set| shared.rules(set)).collect();
        Self { shared, sets }
    }
}

/// Each file is written for some of the purposes in turn, so that each purpose has about 50 files.
const PURPOSES_OF_A_FILE: usize = 3;

#[test]
fn what_is_written_is_what_was_wanted_and_nothing_else() {
    let crawlers: Vec<Crawler> = KnownCrawler::ALL.iter().map(KnownCrawler::crawler).collect();
    let purposes = Purpose::ALL;
    let (mut written, mut refused) = (0, 0);
    for (index, path) in files().iter().enumerate() {
        let body = fs::read(path).unwrap();
        if body.len() > 32 * 1024 {
            continue;
        }
        let robots = Robots::new(body, Document::Rfc9309);
        for turn in 0..PURPOSES_OF_A_FILE {
            let purpose = purposes[(index * PURPOSES_OF_A_FILE + turn) % purposes.len()];
            let wishes: Vec<AccessWish<'_>> = KnownCrawler::ALL
                .iter()
                .zip(&crawlers)
                .map(|(known, crawler)| AccessWish {
                    crawler,
                    wanted: if known.purpose == purpose {
                        WantedAccess::Nothing
                    } else {
                        WantedAccess::Present
                    },
                })
                .collect();
            let plan = match AccessPlan::new(&robots, &wishes, |_| *robots.profile()) {
                Ok(plan) => plan,
                Err(AccessPlanError::NotPossible(_) | AccessPlanError::Undecided) => {
                    refused += 1;
                    continue;
                }
                Err(other) => panic!("{}: {other}", path.display()),
            };
            written += 1;
            let place = format!("{} {purpose:?}", path.display());
            let after = Robots::new(&plan.body[..], Document::Rfc9309);
            let (before, then) = (All::new(&robots, &crawlers), All::new(&after, &crawlers));
            let mut known: BTreeMap<(usize, usize, bool), bool> = BTreeMap::new();
            for (number, wish) in wishes.iter().enumerate() {
                let (old, new) = (before.shared.set_of(number), then.shared.set_of(number));
                let is_blocked = wish.wanted == WantedAccess::Nothing;
                let holds = *known.entry((old, new, is_blocked)).or_insert_with(|| {
                    let mut comparer = Comparer::new(usize::MAX);
                    let (old, new) = (&before.sets[old], &then.sets[new]);
                    if is_blocked {
                        let found = comparer.exception(new, b"/", Effect::Disallow, Difference::MAX_STATES);
                        matches!(found, Change::Nothing)
                    } else {
                        comparer.difference(old, new, Difference::MAX_STATES).is_nothing()
                    }
                });
                assert!(holds, "{place}: {:?}", wish.crawler);
            }
            // Once more, nothing has to change.
            let again = AccessPlan::new(&after, &wishes, |_| *robots.profile()).unwrap();
            assert!(again.body == plan.body, "{place}");
        }
    }
    println!("{written} written, {refused} refused");
    assert!(written > refused * 20, "{written} written, {refused} refused");
}
