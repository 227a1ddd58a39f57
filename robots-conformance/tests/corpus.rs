//! Real files, if there is a folder of them next to the workspace.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::std_instead_of_alloc,
    reason = "helpers of tests are tests"
)]

use core::num::NonZero;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use robots_conformance::{PROFILES, SiteProfile};
use robots_fetch::matching::lint::{Lint, LintContext};
use robots_fetch::matching::{Crawler, Robots};

/// Returns the files next to the workspace, if there are any.
fn files() -> Option<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/sites");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: this workspace has no corpus next to it");
        return None;
    };
    let paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(!paths.is_empty());
    Some(paths)
}

/// Prints how many findings of each lint real files have, and in how many files.
#[test]
fn every_file_is_linted() {
    let Some(paths) = files() else { return };
    let start = Instant::now();
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let sums = Mutex::new(BTreeMap::<Lint, (usize, usize)>::new());
    thread::scope(|scope| {
        for part in paths.chunks(paths.len().div_ceil(threads)) {
            let sums = &sums;
            scope.spawn(move || part.iter().for_each(|path| count(path, sums)));
        }
    });
    let (sums, time) = (sums.into_inner().unwrap(), start.elapsed());
    println!("{} files linted in {:.1} s", paths.len(), time.as_secs_f64());
    for (code, (findings, files)) in &sums {
        println!("{:<22} {findings:>6} in {files:>4} files", code.name());
    }
    assert!(sums.len() > 20, "real files have all kinds of findings");
}

fn count(path: &Path, sums: &Mutex<BTreeMap<Lint, (usize, usize)>>) {
    let body = fs::read(path).expect("the file can be read");
    let report = LintContext::default().lint(&body);
    let mut counts: BTreeMap<Lint, usize> = BTreeMap::new();
    for ((lint, _), count) in report.left_out {
        *counts.entry(lint).or_default() += count;
    }
    for finding in &report.findings {
        assert!(finding.span.end() <= body.len() && finding.line > 0, "{}: {finding}", path.display());
        assert!(!finding.message.is_empty() && !finding.message.contains(['\n', '\r']), "{finding}");
        *counts.entry(finding.lint).or_default() += 1;
    }
    let mut sums = sums.lock().unwrap();
    for (code, count) in counts {
        let (findings, files) = sums.entry(code).or_default();
        *findings += count;
        *files += 1;
    }
}

#[test]
fn lines_cover_every_file_without_gaps_under_every_profile() {
    let Some(paths) = files() else { return };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for part in paths.chunks(paths.len().div_ceil(threads)) {
            scope.spawn(move || part.iter().for_each(|path| read_under_all(path)));
        }
    });
    println!("{} files read under {} profiles", paths.len(), PROFILES.len());
}

fn read_under_all(path: &Path) {
    let body = fs::read(path).expect("the file can be read");
    for (name, profile) in PROFILES {
        read(&body, &profile, &format!("{} under {name}", path.display()));
    }
}

fn read(body: &[u8], profile: &SiteProfile, what: &str) {
    let robots = Robots::new(body, profile.rules);
    let lines = robots.lines();
    let mut at = lines.skipped().end();
    let mut spans = Vec::new();
    for (line, number) in lines.clone().zip(1..) {
        assert_eq!((line.number, line.span().start()), (number, at), "{what}");
        assert_eq!(line.span().of(body), line.bytes(), "{what}");
        assert!(!line.span().is_empty(), "{what}");
        let _ = line.deviations(&profile.rules.syntax).count();
        at = line.span().end();
        spans.push(line.span());
    }
    assert_eq!(lines.dropped().start(), at, "{what}");
    assert_eq!(lines.dropped().end(), body.len(), "{what}");
    let named = Crawler::with_names(["ExampleBot", "Googlebot"]).expect("letters");
    for crawler in [named, Crawler::unnamed()] {
        let rules = robots.rules(&crawler);
        for ruling in rules.compiled_rules() {
            let span = *spans.get(ruling.line - 1).expect("a line of the file");
            assert!(span.start() <= ruling.span.start() && ruling.span.end() <= span.end(), "{what}");
        }
    }
}
