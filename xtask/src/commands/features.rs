//! Each crate and each feature alone.

use crate::process::{Cargo, Ended, LOWER, MEMBERS, Outcome, keys, printed, root, say, text, well};

/// The target without an operating system for which the lower crates are checked.
const BARE: &str = "thumbv7m-none-eabi";

/// Checks each crate without features and with each of its features alone, and the lower crates for [`BARE`] where it is
/// installed.
pub(crate) fn features() -> Outcome {
    let mut all = true;
    for member in MEMBERS {
        all &= check(member, &["--no-default-features"])?;
        for feature in of(member)? {
            all &= check(member, &["--no-default-features", "--features", &feature])?;
        }
    }
    let installed = printed("rustup", &["target", "list", "--installed"]).unwrap_or_default();
    if installed.lines().any(|target| target.trim() == BARE) {
        for member in LOWER {
            all &= check(member, &["--no-default-features", "--target", BARE])?;
        }
    } else {
        say(&format!("skipped: {BARE} is not installed (rustup target add {BARE})"));
    }
    well(all)
}

/// The features of a member.
fn of(member: &str) -> Result<Vec<String>, String> {
    let manifest = text(&root().join(member).join("Cargo.toml"))?;
    Ok(keys(&manifest, "features").into_iter().filter(|key| *key != "default").map(str::to_owned).collect())
}

fn check(member: &str, arguments: &[&str]) -> Result<bool, String> {
    let ended = Cargo::new(["check", "--quiet", "--package", member]).arguments(arguments).run()?;
    let is = ended == Ended::Well;
    say(&format!("{} {member} {}", if is { "ok     " } else { "failed:" }, arguments.join(" ")));
    Ok(is)
}
