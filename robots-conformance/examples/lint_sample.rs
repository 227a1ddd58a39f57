//! Draws findings of lints in real files, for people to judge: `cargo run --example lint_sample FOLDER`.
//!
//! Ten findings of each code are drawn with a fixed seed, at most two in one file, or all if there are fewer; of equal places only one.
//! `lint-precision.tsv` has the judgements about them. With `--count`, the example prints how often each code fires without being asked for, and in how many
//! files, as `lint-frequency.tsv` has it.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its result")]

extern crate alloc;

use alloc::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use robots_fetch::matching::lint::{Lint, LintContext};

const SEED: u64 = 20_261_128;
const COUNT: usize = 10;
const MOST_OF_FILE: usize = 2;

/// A finding in one of the files.
struct Drawn {
    rank: u64,
    file: String,
    text: String,
}

fn main() -> ExitCode {
    let Some(folder) = env::args_os().nth(1) else {
        eprintln!("usage: lint_sample FOLDER");
        return ExitCode::FAILURE;
    };
    let counts = env::args_os().nth(2).is_some_and(|word| word == "--count");
    match drawn(&PathBuf::from(folder), counts) {
        Ok(lines) => {
            print!("{lines}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn drawn(folder: &PathBuf, counts: bool) -> std::io::Result<String> {
    let mut by_code: BTreeMap<Lint, Vec<Drawn>> = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (file, body) = (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?);
        for finding in LintContext::default().lint(&body).findings {
            let start = finding.span.start();
            let from = body
                .iter()
                .take(start)
                .rposition(|byte| matches!(byte, b'\n' | b'\r'))
                .map_or(0, |at| at + 1);
            let line = body.get(from..).unwrap_or_default();
            let line = line.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
            let line: String = String::from_utf8_lossy(line).chars().take(100).collect();
            let place = format!("{file}\t{}\t{}", finding.lint, finding.line);
            let rank = rank(&place);
            let text =
                format!("{place}\t{}\t{}\t{}", finding.severity, finding.message, line.replace('\t', " "));
            by_code.entry(finding.lint).or_default().push(Drawn { rank, file: file.clone(), text });
        }
    }
    if counts {
        let line = |(lint, found): (Lint, Vec<Drawn>)| {
            let files: BTreeSet<&str> = found.iter().map(|drawn| &*drawn.file).collect();
            format!("{lint}\t{}\t{}\n", found.len(), files.len())
        };
        return Ok(by_code.into_iter().map(line).collect());
    }
    let mut text = String::new();
    for mut list in by_code.into_values() {
        list.sort_by(|one, other| (one.rank, &one.file).cmp(&(other.rank, &other.file)));
        list.dedup_by(|one, other| one.rank == other.rank);
        let mut of_files = BTreeMap::<String, usize>::new();
        let is_drawn = |drawn: &&Drawn| {
            let of_file = of_files.entry(drawn.file.clone()).or_default();
            *of_file += 1;
            *of_file <= MOST_OF_FILE
        };
        for drawn in list.iter().filter(is_drawn).take(COUNT) {
            text.push_str(&drawn.text);
            text.push('\n');
        }
    }
    Ok(text)
}

/// The place of a finding in the order in which findings of its code are drawn (FNV-1a, then mixed).
fn rank(place: &str) -> u64 {
    let mut hash = SEED ^ 0xCBF2_9CE4_8422_2325;
    for byte in place.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
    // The last step of splitmix64: without it, findings of one file would come one after the other.
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ (hash >> 31)
}
