//! `cargo xtask test`

use clap::Args;

use super::tables;
use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome};

/// Runs all tests of the workspace, the examples in the documentation, and the conformance tables.
#[derive(Args)]
#[command(after_help = ending!("test"))]
pub(crate) struct Test {}

pub(crate) fn test() -> Outcome {
    let tests = Cargo::new(["test", "--workspace", "--all-features", "--no-fail-fast"])
        .with("INSTA_UPDATE", "no")
        .run()?;
    let rows = tables::all_rows()?;
    Ok(if tests == Ended::Well { rows } else { tests })
}
