//! `cargo xtask mutants`: changes the code in one place at a time (a *mutant*) and runs the rows, one of which has to fail.
//!
//! cargo-mutants finds the places. The work is done in a copy of the last commit, so the files of the workspace never change.

mod choice;
mod explained;
mod mutant;
mod results;
mod trial;

use std::path::absolute;
use std::time::{Duration, Instant};

use clap::Args;

use self::choice::Shard;
use self::mutant::Mutant;
use self::results::{Results, Verdict};
use self::trial::Workshop;
use crate::help::ending;
use crate::process::{Ended, Outcome, printed, say, skipped, well};
use crate::workspace::target;

/// Changes the code in one place at a time, and checks that a row of the conformance tables fails.
///
/// The rows are the only test. All mutants take hours: --shard divides them, and --resume continues
/// a run that was stopped. The mutants are those of the last commit. Results are written to
/// target/mutants. Needs cargo-mutants.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("mutants --rows --shard 2/8 --resume"))]
pub(crate) struct Mutants {
    /// Use the rows of the conformance tables as the only test
    #[arg(long, required = true)]
    rows: bool,
    /// Only part I of N equal parts, counted from 1
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Only the mutants whose name contains this text, such as a file or a function
    #[arg(long, value_name = "TEXT", conflicts_with = "shard")]
    only: Option<String>,
    /// Keep the results that an earlier run has for the same commit and part
    #[arg(long)]
    resume: bool,
    /// Only N mutants, chosen by the seed
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Seed of the sample (made from the commit if absent)
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Start no mutant that could take the run beyond this time, in minutes
    #[arg(long, value_name = "M")]
    minutes: Option<u32>,
}

impl Mutants {
    /// The sample of `cargo xtask ci`: as many mutants of the last commit as fit in `minutes`, in an order that the seed decides.
    pub(crate) fn for_minutes(minutes: u32) -> Self {
        let sample = Some(usize::MAX);
        Self {
            rows: true,
            shard: None,
            only: None,
            resume: false,
            sample,
            seed: None,
            minutes: Some(minutes),
        }
    }
}

pub(crate) fn mutants(options: &Mutants) -> Outcome {
    let started = Instant::now();
    if printed("cargo", &["mutants", "--version"]).is_none() {
        skipped("mutants", "cargo-mutants is not installed (cargo install cargo-mutants --locked)");
        return Ok(Ended::Well);
    }
    let folder = absolute(target().join("mutants")).map_err(|error| format!("target: {error}"))?;
    let workshop = Workshop::of_last_commit(&folder)?;
    if printed("git", &["status", "--porcelain"]).is_some_and(|changes| !changes.trim().is_empty()) {
        say("the mutants are those of the last commit: changes that are not committed are left out");
    }
    let all = mutant::list(workshop.tree())?;
    let seed = options.seed.unwrap_or_else(|| choice::seed_of(workshop.commit()));
    let mut chosen: Vec<&Mutant> = match options.shard {
        Some(shard) => shard.part(&all).collect(),
        None => all.iter().collect(),
    };
    if let Some(text) = &options.only {
        chosen.retain(|mutant| mutant.name().contains(&**text));
        if chosen.is_empty() {
            return Err(format!("no mutant has `{text}` in its name"));
        }
    }
    if let Some(count) = options.sample {
        choice::sample(&mut chosen, count, seed);
        say(&format!("seed {seed}"));
    }

    let name = match (options.shard, &options.only) {
        (Some(shard), _) => format!("rows-{shard:#}"),
        (None, Some(_)) => "rows-only".to_owned(),
        (None, None) => "rows".to_owned(),
    };
    let mut results =
        Results::open(&folder.join(format!("{name}.jsonl")), workshop.commit(), options.resume)?;
    let limit = options.minutes.map(|minutes| Duration::from_secs(60) * minutes);
    let usual = workshop.unchanged()?;
    let mut longest = usual.total();
    let mut left_out = all.len() - chosen.len();
    for (index, mutant) in chosen.iter().enumerate() {
        if results.has(mutant) {
            continue;
        }
        if limit.is_some_and(|limit| started.elapsed() + longest > limit) {
            left_out += chosen.iter().skip(index).filter(|mutant| !results.has(mutant)).count();
            break;
        }
        let result = workshop.try_out(mutant, &usual)?;
        longest = longest.max(result.time);
        say(&format!("{:8} {:4} s  {}", result.verdict.name(), result.time.as_secs(), mutant.name()));
        results.add(mutant, &result)?;
    }
    finish(&results, workshop.commit(), left_out)
}

/// Prints the counts, and the missed mutants that MUTANTS.md does not explain.
fn finish(results: &Results, commit: &str, left_out: usize) -> Outcome {
    let explained = explained::read()?;
    let (known, unknown): (Vec<&str>, Vec<&str>) =
        results.names(Verdict::Missed).partition(|name| explained::contains(&explained, name));
    say("");
    for name in &unknown {
        say(&format!("no row notices {name}"));
    }
    let count = |verdict: Verdict| results.names(verdict).count();
    say(&format!(
        "commit {commit}: {} caught, {} timeouts, {} unviable, {} missed ({} of them explained); {left_out} left out",
        count(Verdict::Caught),
        count(Verdict::Timeout),
        count(Verdict::Unviable),
        known.len() + unknown.len(),
        known.len(),
    ));
    if !unknown.is_empty() {
        say("add a row for each, or explain it in robots-conformance/MUTANTS.md");
    }
    well(unknown.is_empty())
}
