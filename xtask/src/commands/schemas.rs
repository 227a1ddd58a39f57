//! What the command writes for programs, held against schemas: `cargo xtask schemas`.

use crate::process::{Cargo, Ended, Outcome, root, say};

/// What `robots-conformance/schemas` ends with where it can't have the published schema.
const SKIPPED: u8 = 3;

/// Builds the command and `robots-conformance/schemas`, which runs it. Where no registry answers, that is skipped.
pub(crate) fn schemas() -> Outcome {
    let root = root();
    let folder = root.join("robots-conformance").join("schemas");
    let manifest = folder.join("Cargo.toml");
    let manifest = manifest.to_string_lossy();
    if Cargo::new(["fetch", "--quiet", "--locked", "--manifest-path", &manifest]).run()? != Ended::Well {
        say("skipped: the packages of robots-conformance/schemas can't be had");
        return Ok(Ended::Well);
    }
    let ended =
        Cargo::new(["build", "--quiet", "--package", "robots-fetch", "--features", "cli", "--bin", "robots"])
            .run()?;
    if ended != Ended::Well {
        return Ok(ended);
    }
    let built = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let robots = built.join("debug").join(format!("robots{}", std::env::consts::EXE_SUFFIX));
    let target = built.join("schemas");
    let ended = Cargo::new(["run", "--quiet", "--locked", "--manifest-path", &manifest])
        .arguments(&["--target-dir", &target.to_string_lossy(), "--"])
        .arguments(&[robots.to_string_lossy(), root.to_string_lossy()])
        .run()?;
    Ok(if ended == Ended::With(SKIPPED) { Ended::Well } else { ended })
}
