//! All that is checked before a change is taken.

use std::path::Path;

use crate::commands::{features, fuzz, schemas};
use crate::process::{Cargo, Ended, LOWER, Outcome, printed, root, say, text};
use crate::{tables, tidy};

/// A step of `cargo xtask ci`.
struct Step {
    name: &'static str,
    run: fn() -> Outcome,
}

const STEPS: &[Step] = &[
    Step { name: "fmt", run: || Cargo::new(["fmt", "--all", "--check"]).run() },
    Step { name: "clippy", run: clippy },
    Step {
        name: "doc",
        run: || {
            Cargo::new(["doc", "--quiet", "--workspace", "--no-deps", "--all-features"])
                .with("RUSTDOCFLAGS", "-D warnings")
                .run()
        },
    },
    Step { name: "test", run: test },
    Step { name: "coverage", run: || tables("coverage", &["--check".to_owned()]) },
    Step { name: "dialects", run: || tables("dialects", &["--check".to_owned()]) },
    Step { name: "schemas", run: schemas::schemas },
    Step { name: "tidy", run: tidy::tidy },
    Step { name: "features", run: features::features },
    Step { name: "msrv", run: msrv },
    Step { name: "fuzz", run: || fuzz::fuzz(&["--seconds".to_owned(), "10".to_owned()]) },
    Step { name: "agree", run: agree },
    Step { name: "deny", run: deny },
    Step { name: "miri", run: miri },
];

/// Runs all steps but those that `--except STEP` names, and goes on where one fails.
pub(crate) fn ci(arguments: &[String]) -> Outcome {
    let mut except = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let name = match &**argument {
            "--except" => rest.next().ok_or("--except needs the name of a step")?,
            other => return Err(format!("`{other}` is not understood: [--except STEP]...")),
        };
        if !STEPS.iter().any(|step| step.name == name) {
            let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
            return Err(format!("there is no step `{name}`: {} are", names.join(", ")));
        }
        except.push(&**name);
    }
    let mut failed = Vec::new();
    for step in STEPS.iter().filter(|step| !except.contains(&step.name)) {
        say(&format!("\n=== {}", step.name));
        match (step.run)() {
            Ok(Ended::Well) => {}
            Ok(_) => failed.push(step.name),
            Err(what) => {
                say(&format!("error: {what}"));
                failed.push(step.name);
            }
        }
    }
    let run = STEPS.len() - except.len();
    if failed.is_empty() {
        say(&format!("\nci: all {run} steps passed"));
        Ok(Ended::Well)
    } else {
        say(&format!("\nci: {} of {run} steps failed: {}", failed.len(), failed.join(", ")));
        Ok(Ended::Badly)
    }
}

/// All tests of the workspace, those in the documentation too, and the rows of the tables.
pub(crate) fn test() -> Outcome {
    let tests = Cargo::new(["test", "--workspace", "--all-features", "--no-fail-fast"])
        .with("INSTA_UPDATE", "no")
        .run()?;
    let rows = tables("conformance", &[])?;
    Ok(if tests == Ended::Well { rows } else { tests })
}

/// Each crate by itself as well, for features of one must not hide what another leaves unused.
fn clippy() -> Outcome {
    let all = ["clippy", "--quiet", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    let mut ended = Cargo::new(all).run()?;
    for member in LOWER {
        let alone = Cargo::new([
            "clippy",
            "--quiet",
            "--package",
            member,
            "--no-default-features",
            "--",
            "-D",
            "warnings",
        ])
        .run()?;
        ended = if ended == Ended::Well { alone } else { ended };
    }
    Ok(ended)
}

/// The oldest compiler that the lower crates promise to be built by, where it is installed.
const PACKAGED_RUSTC: &str = "/usr/bin/rustc";

fn msrv() -> Outcome {
    let manifest = text(&root().join("Cargo.toml"))?;
    let promised = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'))
        .ok_or("the manifest of the workspace has no rust-version")?;
    let installed = printed("rustup", &["toolchain", "list"]).unwrap_or_default();
    let toolchain = installed.lines().filter_map(|line| line.split_whitespace().next()).find(|name| {
        *name == promised
            || name.starts_with(&format!("{promised}-"))
            || name.starts_with(&format!("{promised}."))
    });
    // Debian's package of a compiler for the web brings the one that is promised.
    let packaged = printed(PACKAGED_RUSTC, &["--version"])
        .is_some_and(|version| version.starts_with(&format!("rustc {promised}.")));
    if toolchain.is_none() && !packaged {
        say(&format!(
            "skipped: Rust {promised} is not installed (rustup toolchain install {promised} --profile minimal)"
        ));
        return Ok(Ended::Well);
    }
    let target = root().join("target").join("msrv");
    for member in LOWER {
        let check = ["check", "--quiet", "--lib", "--package", member];
        let cargo = match toolchain {
            Some(toolchain) => Cargo::of_toolchain(toolchain, check),
            None => Cargo::new(check).with("RUSTC", PACKAGED_RUSTC),
        };
        let ended = cargo.with("CARGO_TARGET_DIR", &target.to_string_lossy()).run()?;
        if ended != Ended::Well {
            say(&format!("failed: {member} with Rust {promised}"));
            return Ok(ended);
        }
        say(&format!("ok      {member} with Rust {promised}"));
    }
    Ok(Ended::Well)
}

/// The recorded verdicts, where they lie beside the workspace.
fn agree() -> Outcome {
    let corpus = root().join("..").join("shared").join("corpus");
    if !corpus.join("google-verdicts.tsv.gz").is_file() {
        say("skipped: there are no recorded verdicts beside this workspace");
        return Ok(Ended::Well);
    }
    tables("agree", &["--corpus".to_owned(), corpus.to_string_lossy().into_owned()])
}

/// Licences and sources of dependencies, where the tool for them is. Advisories need their database, and a network.
fn deny() -> Outcome {
    if printed("cargo", &["deny", "--version"]).is_none() {
        say("skipped: cargo-deny is not installed (cargo install cargo-deny --locked)");
        return Ok(Ended::Well);
    }
    // It reads the manifests of crates for other systems, too.
    match Cargo::new(["fetch", "--locked", "--quiet"]).run()? {
        Ended::Well => {}
        other => return Ok(other),
    }
    say("advisories are not looked at: `cargo deny check advisories` does that");
    Cargo::new(["deny", "--offline", "--log-level", "error", "check", "licenses", "bans", "sources"]).run()
}

/// Tests that take Miri minutes, for their inputs are large or their cases many.
const LARGE: [&str; 7] = [
    "a_line_may_be_longer_than_a_format_is_wide",
    "a_file_is_never_too_large_to_be_read",
    "matches_as_the_oracle_says",
    "every_octet_that_changes_is_suspect",
    "octets_are_told_from_each_other",
    "every_value_has_an_answer",
    "places_agree_with_the_groups",
];

/// The unit tests of the lower crates under Miri, where the nightly toolchain has it.
fn miri() -> Outcome {
    let target = root().join("target").join("miri");
    let target = target.to_string_lossy();
    let ready = printed("rustup", &["run", "nightly", "cargo-miri", "miri", "--version"]).is_some()
        && printed("rustup", &["run", "nightly", "rustc", "--print", "sysroot"]).is_some_and(|sysroot| {
            Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file()
        });
    if !ready {
        say("skipped: Miri is not installed (rustup component add miri rust-src --toolchain nightly)");
        return Ok(Ended::Well);
    }
    let skips: Vec<&str> = LARGE.iter().flat_map(|name| ["--skip", name]).collect();
    let mut ended = Ended::Well;
    for member in LOWER {
        let tests = Cargo::of_toolchain("nightly", ["miri", "test", "--quiet", "--lib", "--all-features"])
            .arguments(&["--package", member, "--"])
            .arguments(&skips)
            .with("CARGO_TARGET_DIR", &target)
            .with("MIRIFLAGS", "-Zmiri-disable-isolation")
            .run()?;
        ended = if ended == Ended::Well { tests } else { ended };
    }
    Ok(ended)
}
