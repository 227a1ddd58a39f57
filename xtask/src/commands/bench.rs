//! `cargo xtask bench`: a workspace of its own, so that other builds do not need the crates it compares with.

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
    #[arg(long, conflicts_with_all = ["instructions", "cache"])]
    layers: bool,
    /// Measure questions to a cache, and its memory, instead (needs 6 GB)
    #[arg(long, conflicts_with = "instructions")]
    cache: bool,
    /// Measure reports of an access log beside other programs instead, and compare the figures with those of a slow reader: 10 million
    /// lines, or LINES (needs 220 bytes on the disk for each)
    #[arg(long, value_name = "LINES", num_args = 0..=1, default_missing_value = "10000000", conflicts_with_all = ["layers", "instructions", "cache"])]
    log: Option<u64>,
    /// Compare instructions with recorded counts instead (needs valgrind)
    #[arg(long)]
    instructions: bool,
    /// With --instructions: record the counts anew
    #[arg(long, requires = "instructions")]
    record: bool,
    /// Build a program with each crate (or with NAME) instead, and show its cost
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    cost: Option<String>,
    /// Options of the benchmark: --corpus DIR, --json FILE, --rounds N, --only WORKLOAD
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

pub(crate) fn bench(bench: &Bench) -> Outcome {
    if bench.instructions {
        return instructions(bench.record);
    }
    if let Some(only) = &bench.cost {
        return cost(only);
    }
    if let Some(lines) = bench.log {
        let file = std::env::temp_dir().join(format!("robots-bench-{lines}.log"));
        return Cargo::new(["run", "--release", "--bin", "log", "--quiet", "--locked", "--manifest-path"])
            .arguments(&[root().join("robots-conformance/bench/Cargo.toml")])
            .arguments(&["--", "all", &*lines.to_string()])
            .arguments(&[file])
            .in_place()
            .run();
    }
    let command: &[&str] = if bench.layers {
        &["bench", "--bench", "layers"]
    } else if bench.cache {
        &["run", "--release", "--bin", "cache"]
    } else if std::env::var_os("ROBOTSTXT_SRC").is_some() {
        &["run", "--release", "--features", "googlebot"]
    } else {
        &["run", "--release"]
    };
    let manifest = root().join("robots-conformance/bench/Cargo.toml");
    let manifest = manifest.to_string_lossy();
    let run = |command: &[&str]| {
        let common = ["--quiet", "--locked", "--manifest-path", &*manifest, "--"];
        Cargo::new(command.iter().copied().chain(common)).arguments(&bench.options).in_place().run()
    };
    if !bench.layers && !bench.options.iter().any(|option| option.starts_with("--only")) {
        // A program of its own, because an allocator that counts would slow down the others.
        let program = if bench.cache { "cache-memory" } else { "memory" };
        let memory = run(&["run", "--release", "--bin", program])?;
        if memory != Ended::Well {
            return Ok(memory);
        }
    }
    run(command)
}
