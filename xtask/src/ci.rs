//! All that is checked before a change is taken.

use crate::run::{Cargo, Ended, LOWER, Outcome, printed, root, say, text};
use crate::{features, fuzz, tables, tidy};

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
    Step { name: "tidy", run: tidy::tidy },
    Step { name: "features", run: features::features },
    Step { name: "msrv", run: msrv },
    Step { name: "fuzz", run: || fuzz::fuzz(&["--seconds".to_owned(), "10".to_owned()]) },
    Step { name: "agree", run: agree },
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
