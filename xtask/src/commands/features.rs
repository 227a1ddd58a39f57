//! `cargo xtask features`

use clap::Args;

use crate::help::ending;
use crate::manifest::{features as features_of, manifest, profiles};
use crate::process::{Cargo, Ended, Outcome, printed, say, skipped, well};
use crate::workspace::{LOWER, MEMBERS, check_target, empty_folder, root, text, write};

/// Checks each crate without features, with each feature by itself, and without an operating system.
///
/// It also checks that no feature changes the clients that a program makes by itself.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("features"))]
pub(crate) struct Features {}

/// The target without an operating system for which the lower crates are checked.
const BARE: &str = "thumbv7m-none-eabi";

pub(crate) fn features() -> Outcome {
    let mut all = true;
    for member in MEMBERS {
        all &= check(member, &["--no-default-features"])?;
        for feature in features_of(&manifest(member)?) {
            all &= check(member, &["--no-default-features", "--features", feature])?;
        }
    }
    for features in ALONE {
        all &= alone(features)?;
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

/// Features of robots-fetch with which a program makes its own client of reqwest. No feature may change what happens then.
const ALONE: &[&str] = &["hickory, redis, reqwest-middleware, tower", "blocking, reqwest-rustls"];

/// A program whose reqwest has no TLS, beside clients of robots-fetch. It needs no provider, and finds none installed.
const ALONE_MAIN: &str = "use robots_fetch::client::{ClientOptions, reqwest::Client};

fn main() {
    reqwest::Client::builder().build().unwrap();
    let options = ClientOptions::new(\"ExampleBot/1.0\").unwrap();
    Client::new(&options).unwrap();
    Client::with_builder(reqwest::Client::builder(), &options).unwrap();
    reqwest::Client::builder().build().unwrap();
    assert!(rustls::crypto::CryptoProvider::get_default().is_none());
}
";

/// Builds and runs a package of its own, so that only its features and those of robots-fetch count.
fn alone(features: &str) -> Result<bool, String> {
    let folder = check_target().join("alone");
    empty_folder(&folder)?;
    let names: Vec<_> = features.split(", ").map(|name| format!("\"{name}\"")).collect();
    let manifest = format!(
        "[package]\nname = \"alone\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         reqwest = {{ version = \"0.13\", default-features = false }}\n\
         robots-fetch = {{ path = {:?}, features = [{}] }}\n\
         rustls = {{ version = \"0.23\", default-features = false, features = [\"std\"] }}\n{}",
        root().join("robots-fetch"),
        names.join(", "),
        // It runs too briefly to be optimized.
        profiles(&|table| !table.contains(".package."))?
    );
    write(&folder.join("Cargo.toml"), &manifest)?;
    write(&folder.join("Cargo.lock"), &text(&root().join("Cargo.lock"))?)?;
    write(&folder.join("src/main.rs"), ALONE_MAIN)?;
    let ended = Cargo::new(["run", "--quiet"]).in_folder(&folder).checking().run()?;
    let passed = ended == Ended::Well;
    say(&format!(
        "{} a program with its own reqwest, beside {features}",
        if passed { "ok     " } else { "failed:" }
    ));
    Ok(passed)
}

fn check(member: &str, arguments: &[&str]) -> Result<bool, String> {
    let ended =
        Cargo::new(["check", "--quiet", "--package", member]).arguments(arguments).checking().run()?;
    let passed = ended == Ended::Well;
    say(&format!("{} {member} {}", if passed { "ok     " } else { "failed:" }, arguments.join(" ")));
    Ok(passed)
}
