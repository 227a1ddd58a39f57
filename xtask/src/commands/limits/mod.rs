//! `cargo xtask limits`

mod commands;
mod layers;
mod search;
mod shapes;

use clap::Args;

use crate::help::ending;
use crate::process::{Ended, Outcome};

/// Counts memory and instructions for the most expensive files.
///
/// Fails if the instructions grow faster than the input, or if a command takes too much for a file of
/// 500 KiB. The counts do not depend on the load of the machine. Needs valgrind for the instructions.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("limits --commands diff lint"))]
pub(crate) struct Limits {
    /// Only these cases: files for the layers, or parts of the names of commands (all if absent)
    cases: Vec<String>,
    /// Measure only the layers of the libraries
    #[arg(long, conflicts_with_all = ["commands", "search"])]
    layers: bool,
    /// Measure only the commands
    #[arg(long)]
    commands: bool,
    /// Measure only the commands, with their most expensive files, under one profile
    #[arg(long, conflicts_with_all = ["layers", "search"])]
    quick: bool,
    /// Look for worse files for so many seconds, in place of the known ones
    #[arg(long, value_name = "SECONDS")]
    search: Option<u64>,
    /// The seed of the search, which is printed (the time if absent): the same seed has the same files
    #[arg(long, value_name = "NUMBER", requires = "search")]
    seed: Option<u64>,
    /// The number of the first file of the search
    #[arg(long, value_name = "NUMBER", requires = "search", default_value_t = 0)]
    from: u64,
    /// Measure each command with the file that costs it most, in the build of the tests
    #[arg(long, conflicts_with_all = ["layers", "search", "quick", "commands"])]
    sample: bool,
}

/// The largest factor by which instructions may grow when the input doubles. Sorting adds a logarithm to 2.
const MOST: f64 = 2.3;

pub(crate) fn limits(options: &Limits) -> Outcome {
    if let Some(seconds) = options.search {
        let Limits { seed, from, .. } = *options;
        let wanted = search::Wanted { only: &options.cases, seconds, seed, from };
        return search::search(&wanted, commands::Build::Release);
    }
    if options.sample {
        return commands::sample(&options.cases);
    }
    let mut ended = Ended::Well;
    if !options.commands && !options.quick {
        ended = layers::layers(&options.cases)?;
    }
    if !options.layers {
        let other = commands::commands(&options.cases, options.quick)?;
        ended = if ended == Ended::Well { other } else { ended };
    }
    Ok(ended)
}

/// Looks for expensive files for a short time, with the build of the tests.
pub(crate) fn search_for(seconds: u64, seed: Option<u64>) -> Outcome {
    search::search(&search::Wanted { only: &[], seconds, seed, from: 0 }, commands::Build::Tests)
}
