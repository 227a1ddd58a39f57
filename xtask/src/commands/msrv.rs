//! `cargo xtask msrv`

use std::env;

use clap::Args;

use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome, printed, say, skipped, well};
use crate::workspace::{PUBLISHED, folder, root, section, target, text, value};

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
    let workspace = text(&root().join("Cargo.toml"))?;
    for member in PUBLISHED {
        let manifest = text(&root().join(folder(member)).join("Cargo.toml"))?;
        for promise in promises(&manifest, &workspace)? {
            passed &= kept(member, &promise)?;
        }
    }
    well(passed)
}

/// A Rust version, and the features that build with it.
#[derive(Debug, PartialEq, Eq)]
struct Promise {
    version: String,
    features: Vec<String>,
}

/// Returns what a manifest declares: the version for all features without an entry of their own, then each later
/// version with the features that it adds.
fn promises(manifest: &str, workspace: &str) -> Result<Vec<Promise>, String> {
    let declared = value(manifest, "package", "rust-version")
        .or_else(|| value(workspace, "workspace.package", "rust-version"))
        .ok_or("a manifest has no rust-version")?;
    let later: Vec<(&str, &str)> = section(manifest, "package.metadata.rust-version")
        .into_iter()
        .filter_map(|line| line.split_once('='))
        .map(|(feature, version)| (feature.trim(), version.trim().trim_matches('"')))
        .collect();
    let names = section(manifest, "features").into_iter().filter_map(|line| line.split_once('='));
    let features = names
        .map(|(name, _)| name.trim())
        .filter(|name| !later.iter().any(|(feature, _)| feature == name))
        .map(str::to_owned)
        .collect();
    let mut promises = vec![Promise { version: declared.to_owned(), features }];
    for (feature, version) in later {
        match promises.iter_mut().skip(1).find(|promise| promise.version == version) {
            Some(promise) => promise.features.push(feature.to_owned()),
            None => {
                promises.push(Promise { version: version.to_owned(), features: vec![feature.to_owned()] });
            }
        }
    }
    Ok(promises)
}

/// Checks the library of a crate with the version and features of a promise.
fn kept(member: &str, promise: &Promise) -> Result<bool, String> {
    let Promise { version, features } = promise;
    let Some(compiler) = compiler(version) else {
        let why = format!("it is not installed (rustup toolchain install {version} --profile minimal)");
        skipped(&format!("{member} with Rust {version}"), &why);
        return Ok(true);
    };
    let features = features.join(",");
    let check = ["check", "--quiet", "--lib", "--package", member];
    // A toolchain named without its patch version is one that rustup has installed under that name.
    let cargo = match &compiler {
        Compiler::Toolchain(name) => Cargo::of_toolchain(name, check),
        Compiler::Program(path) => Cargo::new(check).with("RUSTC", path),
    };
    let cargo = if features.is_empty() { cargo } else { cargo.arguments(&["--features", &features]) };
    let ended = cargo.with("CARGO_TARGET_DIR", target().join("msrv")).run()?;
    let passed = ended == Ended::Well;
    let shown = if features.is_empty() { String::new() } else { format!(" with {features}") };
    say(&format!("{} {member}{shown}, Rust {version}", if passed { "ok     " } else { "failed:" }));
    Ok(passed)
}

enum Compiler {
    /// A toolchain of rustup.
    Toolchain(String),
    /// The path of a `rustc`.
    Program(String),
}

/// Finds an installed compiler of `version`, such as `1.85`.
fn compiler(version: &str) -> Option<Compiler> {
    let installed = printed("rustup", &["toolchain", "list"]).unwrap_or_default();
    let names = installed.lines().filter_map(|line| line.split_whitespace().next());
    if let Some(name) = names.into_iter().find(|name| is_version(name, version)) {
        return Some(Compiler::Toolchain(name.to_owned()));
    }
    let programs = env::var("MSRV_RUSTC").ok().into_iter().chain(["/usr/bin/rustc".to_owned()]);
    programs
        .into_iter()
        .find(|program| {
            printed(program, &["--version"]).is_some_and(|shown| {
                shown.split_whitespace().nth(1).is_some_and(|name| is_version(name, version))
            })
        })
        .map(Compiler::Program)
}

/// Whether `1.85`, `1.85.1` or `1.85-x86_64-...` is of `version`.
fn is_version(name: &str, version: &str) -> bool {
    name.strip_prefix(version).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_checked_with_their_own_version() {
        let manifest = "[package]\nrust-version = \"1.85\"\n[features]\na = []\nb = []\nc = []\n\n\
                        [package.metadata.rust-version]\nb = \"1.90\"\n";
        let expected = [
            Promise { version: "1.85".to_owned(), features: vec!["a".to_owned(), "c".to_owned()] },
            Promise { version: "1.90".to_owned(), features: vec!["b".to_owned()] },
        ];
        assert_eq!(promises(manifest, "").unwrap(), expected);
    }

    #[test]
    fn versions_are_compared_whole() {
        assert!(is_version("1.85.1", "1.85") && is_version("1.85-x86_64", "1.85"));
        assert!(!is_version("1.850", "1.85") && !is_version("stable", "1.85"));
    }
}
