//! `cargo xtask test`

use std::time::Instant;

use clap::Args;

use super::tables;
use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome, say};
use crate::test_run::{Built, processor_seconds};

/// Runs all tests of the workspace, the examples in the documentation, and the conformance tables.
///
/// Test binaries run side by side. The slowest tests and binaries are printed at the end.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("test --package robots-match"))]
pub(crate) struct Test {
    /// Only the tests and examples of this package; may be repeated
    #[arg(short, long = "package", value_name = "PACKAGE")]
    packages: Vec<String>,
}

impl Test {
    /// Tests everything.
    pub(crate) const ALL: Self = Self { packages: Vec::new() };

    /// Prepares `cargo test`. Incremental compilation would take more time and space than it saves, because nothing is built twice.
    fn cargo(&self) -> Cargo {
        let packages: Vec<&str> = match &*self.packages {
            [] => vec!["--workspace"],
            some => some.iter().flat_map(|package| ["--package", package]).collect(),
        };
        let cargo = Cargo::new(["test", "--all-features"]).arguments(&packages);
        cargo.with("CARGO_INCREMENTAL", "0").with("INSTA_UPDATE", "no")
    }
}

/// Builds all tests and programs of the workspace; nothing is done where they are up to date. The programs serve other checks, so
/// that nothing is built with other features for them.
///
/// # Errors
///
/// If the build fails; cargo prints why.
pub(crate) fn build() -> Result<Built, String> {
    Built::new(Test::ALL.cargo())?.ok_or_else(|| "the tests could not be built".to_owned())
}

pub(crate) fn test(options: &Test) -> Outcome {
    let start = Instant::now();
    let Some(built) = Built::new(options.cargo())? else { return Ok(Ended::Badly) };
    let building = start.elapsed();
    let mut tests = built.run(&[])?;
    let running = start.elapsed() - building;
    let examples = options.cargo().arguments(&["--doc", "--no-fail-fast"]).run()?;
    let rows = match &*options.packages {
        [] => tables::run_built(&built, &["conformance"])?,
        _ => Ended::Well,
    };
    tests.print();
    let used = processor_seconds().map(|used| format!("; {used:.0} s of processors")).unwrap_or_default();
    say(&format!(
        "\ntest: {:.0} s: {:.0} s to build and {:.0} s to run the tests, then examples and rows{used}",
        start.elapsed().as_secs_f64(),
        building.as_secs_f64(),
        running.as_secs_f64(),
    ));
    let passed = tests.failed.is_empty() && examples == Ended::Well;
    Ok(if passed { rows } else { Ended::Badly })
}
