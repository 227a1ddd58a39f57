//! `cargo xtask msrv`

use std::collections::BTreeMap;
use std::env;

use clap::Args;
use serde_json::Value;

use crate::help::ending;
use crate::manifest::{features, field, manifest};
use crate::process::{Cargo, Ended, Outcome, printed, say, skipped, well};
use crate::workspace::{PUBLISHED, target};

/// Checks that each published crate builds with the Rust version that its manifest declares.
///
/// A feature that needs a later version is listed in [package.metadata.rust-version] of the manifest,
/// and is checked with that version. Versions come from rustup; /usr/bin/rustc and the program in
/// MSRV_RUSTC are used if they have the right version.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("msrv"))]
pub(crate) struct Msrv {}

pub(crate) fn msrv() -> Outcome {
    let mut passed = true;
    for member in PUBLISHED {
        for (version, features) in promises(&manifest(member)?) {
            passed &= kept(member, version, &features)?;
        }
    }
    well(passed)
}

/// Returns what a manifest declares: Rust versions with the features that build with them. Features without an entry of their own build
/// with the version of the crate.
fn promises(manifest: &Value) -> BTreeMap<&str, Vec<&str>> {
    let later = manifest.pointer("/metadata/rust-version");
    let declared = field(manifest, "rust_version");
    let mut promises = BTreeMap::from([(declared, Vec::new())]);
    for feature in features(manifest) {
        let own = later.and_then(|later| later.get(feature)?.as_str());
        promises.entry(own.unwrap_or(declared)).or_default().push(feature);
    }
    promises
}

/// Checks the library of a crate with a version and features.
fn kept(member: &str, version: &str, features: &[&str]) -> Result<bool, String> {
    let features = features.join(",");
    let check = ["check", "--quiet", "--lib", "--package", member, "--features", &features];
    let Some(cargo) = cargo(version, check) else {
        let why = format!("it is not installed (rustup toolchain install {version} --profile minimal)");
        skipped(&format!("{member} with Rust {version}"), &why);
        return Ok(true);
    };
    let passed = cargo.with("CARGO_TARGET_DIR", target().join("msrv")).run()? == Ended::Well;
    let shown = if features.is_empty() { String::new() } else { format!(" with {features}") };
    say(&format!("{} {member}{shown}, Rust {version}", if passed { "ok     " } else { "failed:" }));
    Ok(passed)
}

/// Prepares a run of cargo with an installed compiler of `version`, such as `1.85`.
fn cargo<const N: usize>(version: &str, arguments: [&str; N]) -> Option<Cargo> {
    let installed = printed("rustup", &["toolchain", "list"]).unwrap_or_default();
    let mut names = installed.lines().filter_map(|line| line.split_whitespace().next());
    // A toolchain named without its patch version is one that rustup has installed under that name.
    if let Some(name) = names.find(|name| is_version(name, version)) {
        return Some(Cargo::of_toolchain(name, arguments));
    }
    let mut programs = env::var("MSRV_RUSTC").ok().into_iter().chain(["/usr/bin/rustc".to_owned()]);
    let is_right = |program: &String| {
        let shown = printed(program, &["--version"]);
        shown.is_some_and(|shown| {
            shown.split_whitespace().nth(1).is_some_and(|name| is_version(name, version))
        })
    };
    programs.find(is_right).map(|program| Cargo::new(arguments).with("RUSTC", program))
}

/// Whether `1.85`, `1.85.1` or `1.85-x86_64-...` is of `version`.
fn is_version(name: &str, version: &str) -> bool {
    name.strip_prefix(version).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn features_are_checked_with_their_own_version() {
        let manifest = json!({
            "rust_version": "1.85",
            "features": {"a": [], "b": [], "c": []},
            "metadata": {"rust-version": {"b": "1.90"}},
        });
        assert_eq!(promises(&manifest), BTreeMap::from([("1.85", vec!["a", "c"]), ("1.90", vec!["b"])]));
    }

    #[test]
    fn versions_are_compared_whole() {
        assert!(is_version("1.85.1", "1.85") && is_version("1.85-x86_64", "1.85"));
        assert!(!is_version("1.850", "1.85") && !is_version("stable", "1.85"));
    }
}
