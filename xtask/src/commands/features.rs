//! `cargo xtask features`

use clap::Args;

use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome, printed, say, skipped, well};
use crate::workspace::{LOWER, MEMBERS, folder, keys, root, text};

/// Checks each crate without features, with each feature by itself, and without an operating system.
#[derive(Args)]
#[command(after_help = ending!("features"))]
pub(crate) struct Features {}

/// The target without an operating system for which the lower crates are checked.
const BARE: &str = "thumbv7m-none-eabi";

pub(crate) fn features() -> Outcome {
    let mut all = true;
    for member in MEMBERS {
        all &= check(member, &["--no-default-features"])?;
        for feature in features_of(member)? {
            all &= check(member, &["--no-default-features", "--features", &feature])?;
        }
    }
    let installed = printed("rustup", &["target", "list", "--installed"]).unwrap_or_default();
    if installed.lines().any(|target| target.trim() == BARE) {
        for member in LOWER {
            all &= check(member, &["--no-default-features", "--target", BARE])?;
        }
    } else {
        skipped(BARE, &format!("the target is not installed (rustup target add {BARE})"));
    }
    well(all)
}

/// Returns the features of a member.
fn features_of(member: &str) -> Result<Vec<String>, String> {
    let manifest = text(&root().join(folder(member)).join("Cargo.toml"))?;
    Ok(keys(&manifest, "features").into_iter().filter(|key| *key != "default").map(str::to_owned).collect())
}

fn check(member: &str, arguments: &[&str]) -> Result<bool, String> {
    let ended =
        Cargo::new(["check", "--quiet", "--package", member]).arguments(arguments).checking().run()?;
    let passed = ended == Ended::Well;
    say(&format!("{} {member} {}", if passed { "ok     " } else { "failed:" }, arguments.join(" ")));
    Ok(passed)
}
