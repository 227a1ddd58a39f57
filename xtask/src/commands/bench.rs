//! `cargo xtask bench`: a workspace of its own, so that other builds do not need the crates it compares with.

use std::path::PathBuf;

use clap::Args;

use crate::commands::cost::cost;
use crate::commands::instructions::instructions;
use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome};
use crate::workspace::root;

/// Measures this implementation beside other crates, or each call of its layers.
///
/// Google's C++ parser takes part if ROBOTSTXT_SRC names a checkout of it; this needs a C++ compiler,
/// pkg-config and Abseil (libabsl-dev on Debian).
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("bench --rounds 3 --only compile"))]
pub(crate) struct Bench {
    /// Measure each call of each layer by time instead
    #[arg(long, conflicts_with_all = ["instructions", "cache", "corpus", "json", "rounds", "only"])]
    layers: bool,
    /// Measure questions to a cache, and its memory, instead (needs 6 GB)
    #[arg(long, conflicts_with_all = ["instructions", "json"])]
    cache: bool,
    /// Compare instructions with recorded counts instead (needs valgrind)
    #[arg(long, conflicts_with_all = ["corpus", "json", "rounds", "only"])]
    instructions: bool,
    /// With --instructions: record the counts anew
    #[arg(long, requires = "instructions")]
    record: bool,
    /// Build a program with each crate instead, and show seconds, crates and size
    #[arg(long, conflicts_with_all = ["layers", "instructions", "cache", "corpus", "json", "rounds"])]
    cost: bool,
    /// Folder with robots.txt files (generated files if absent)
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Also write the figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Number of rounds (7 if absent)
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Only this workload
    #[arg(long, value_name = "WORKLOAD")]
    only: Option<String>,
    /// With --layers: arguments for the benchmark harness, after `--`
    #[arg(last = true, value_name = "ARGUMENT")]
    harness: Vec<String>,
}

pub(crate) fn bench(options: &Bench) -> Outcome {
    if options.instructions {
        return instructions(options.record);
    }
    if options.cost {
        return cost(options.only.as_deref());
    }
    let command: &[&str] = if options.layers {
        &["bench", "--bench", "layers"]
    } else if options.cache {
        &["run", "--release", "--bin", "cache"]
    } else if std::env::var_os("ROBOTSTXT_SRC").is_some() {
        &["run", "--release", "--features", "googlebot"]
    } else {
        &["run", "--release"]
    };
    let manifest = root().join("robots-conformance/bench/Cargo.toml");
    let manifest = manifest.to_string_lossy();
    let common = ["--quiet", "--locked", "--manifest-path", &*manifest, "--"];
    let mut arguments = options.harness.clone();
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
    for (name, value) in [
        ("--corpus", path(&options.corpus)),
        ("--json", path(&options.json)),
        ("--rounds", options.rounds.map(|rounds| rounds.to_string())),
        ("--only", options.only.clone()),
    ] {
        arguments.extend(value.into_iter().flat_map(|value| [name.to_owned(), value]));
    }
    if options.only.is_none() && !options.layers {
        // A program of its own, because an allocator that counts would slow down the others.
        let program = if options.cache { "cache-memory" } else { "memory" };
        let command = ["run", "--release", "--bin", program].into_iter().chain(common);
        let corpus = path(&options.corpus).into_iter().flat_map(|folder| ["--corpus".to_owned(), folder]);
        let memory = Cargo::new(command).arguments(&corpus.collect::<Vec<_>>()).in_place().run()?;
        if !matches!(memory, Ended::Well) {
            return Ok(memory);
        }
    }
    Cargo::new(command.iter().copied().chain(common)).arguments(&arguments).in_place().run()
}
