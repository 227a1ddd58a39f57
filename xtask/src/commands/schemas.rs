//! `cargo xtask schemas`

use clap::Args;

use super::test;
use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome, skipped};
use crate::workspace::{root, target};

/// Checks JSON and SARIF output, and the documents of the feature `serde`, against their schemas.
#[derive(Args)]
#[command(after_help = ending!("schemas"))]
pub(crate) struct Schemas {}

/// The exit status of `robots-conformance/schemas` if the published schema of SARIF is not available.
const SKIPPED: u8 = 3;

pub(crate) fn schemas() -> Outcome {
    let root = root();
    let manifest = root.join("robots-conformance").join("schemas").join("Cargo.toml");
    let manifest = manifest.to_string_lossy();
    if Cargo::new(["fetch", "--quiet", "--locked", "--manifest-path", &manifest]).run()? != Ended::Well {
        skipped("schemas", "the packages of robots-conformance/schemas could not be downloaded");
        return Ok(Ended::Well);
    }
    let built = test::build()?;
    let ended = Cargo::new(["run", "--quiet", "--locked", "--manifest-path", &manifest])
        .arguments(&["--target-dir".as_ref(), target().join("schemas").as_os_str(), "--".as_ref()])
        .arguments(&[built.program("robots")?, built.program("documents")?, &root])
        .run()?;
    Ok(if ended == Ended::With(SKIPPED) { Ended::Well } else { ended })
}
