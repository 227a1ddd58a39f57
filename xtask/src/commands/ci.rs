//! `cargo xtask ci`

use std::path::Path;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::{
    api, features, fuzz, instructions, msrv, mutants, notices, package, page, python, schemas, tables, test,
};
use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome, printed, say, skipped};
use crate::tidy;
use crate::workspace::{LOWER, documentation_target, root, target};

/// Runs everything that is checked before a change is merged.
///
/// Continues after a step that fails, and lists the failed steps at the end. The steps are:
/// fmt, clippy, doc, test, coverage, dialects, schemas, page, python, tidy, features, msrv,
/// api, package, notices, fuzz, mutants, agree, instructions, bench, deny, miri
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("ci --except fuzz --except package"))]
pub(crate) struct Ci {
    /// Leave out this step; may be repeated
    #[arg(long, value_name = "STEP", value_parser = names(), hide_possible_values = true)]
    except: Vec<String>,
    /// Run only this step; may be repeated
    #[arg(long, value_name = "STEP", value_parser = names(), hide_possible_values = true)]
    #[arg(conflicts_with = "except")]
    only: Vec<String>,
}

/// A step of `cargo xtask ci`.
struct Step {
    name: &'static str,
    run: fn() -> Outcome,
}

const STEPS: &[Step] = &[
    Step { name: "fmt", run: || Cargo::new(["fmt", "--all", "--check"]).run() },
    Step { name: "clippy", run: clippy },
    Step { name: "doc", run: doc },
    Step { name: "test", run: || test::test(&test::Test::ALL) },
    Step { name: "coverage", run: || tables_of_test(&["coverage", "--check"]) },
    Step { name: "dialects", run: || tables_of_test(&["dialects", "--check"]) },
    Step { name: "schemas", run: schemas::schemas },
    Step { name: "page", run: || page::page(&page::Page { test: true, screenshots: false }) },
    Step { name: "python", run: || python::python(&python::Python::of_ci()) },
    Step { name: "tidy", run: tidy::tidy },
    Step { name: "features", run: features::features },
    Step { name: "msrv", run: msrv::msrv },
    Step { name: "api", run: || api::api(&api::Api { check: true }) },
    Step { name: "package", run: || package::package(&package::Package { archives_only: false }) },
    Step { name: "notices", run: || notices::notices(&notices::Notices { out: None }) },
    Step { name: "fuzz", run: || fuzz::fuzz(&fuzz::Fuzz::all(10)) },
    Step { name: "mutants", run: || mutants::mutants(&mutants::Mutants::for_minutes(5)) },
    Step { name: "agree", run: agree },
    Step { name: "instructions", run: || instructions::instructions(false) },
    Step { name: "bench", run: bench },
    Step { name: "deny", run: deny },
    Step { name: "miri", run: miri },
];

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(STEPS.iter().map(|step| step.name))
}

pub(crate) fn ci(options: &Ci) -> Outcome {
    let chosen = |step: &&Step| {
        let named = |names: &[String]| names.iter().any(|name| name == step.name);
        (options.only.is_empty() || named(&options.only)) && !named(&options.except)
    };
    let mut run = 0;
    let mut failed = Vec::new();
    for step in STEPS.iter().filter(chosen) {
        run += 1;
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
    if failed.is_empty() {
        say(&format!("\nci: all {run} steps passed"));
        Ok(Ended::Well)
    } else {
        say(&format!("\nci: {} of {run} steps failed: {}", failed.len(), failed.join(", ")));
        Ok(Ended::Badly)
    }
}

/// Runs a subcommand of the tables with the program that the step `test` has built.
fn tables_of_test(arguments: &[&str]) -> Outcome {
    match test::build()? {
        Some(built) => tables::run_built(&built, arguments),
        None => Ok(Ended::Badly),
    }
}

/// Builds the documentation as docs.rs does. Labels of feature-gated items need a flag of nightly, which
/// `RUSTC_BOOTSTRAP` allows on any toolchain.
fn doc() -> Outcome {
    Cargo::new(["doc", "--quiet", "--workspace", "--no-deps", "--all-features"])
        .with("RUSTDOCFLAGS", "-D warnings --cfg docsrs")
        .with("RUSTC_BOOTSTRAP", "1")
        .with("CARGO_TARGET_DIR", documentation_target())
        .run()
}

/// Checks the workspace, then each lower crate without other members, whose features could hide unused items.
fn clippy() -> Outcome {
    let all = ["clippy", "--quiet", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    let mut ended = Cargo::new(all).run()?;
    for member in LOWER {
        let own = Cargo::new(["clippy", "--quiet", "--package", member, "--no-default-features"])
            .arguments(&["--", "-D", "warnings"])
            .run()?;
        ended = if ended == Ended::Well { own } else { ended };
    }
    Ok(ended)
}

/// Builds the benchmark, whose figures depend on the load of the machine, and tests its parts.
fn bench() -> Outcome {
    let manifest = root().join("robots-conformance/bench/Cargo.toml");
    Cargo::new(["test", "--quiet", "--locked", "--manifest-path", &manifest.to_string_lossy()]).run()
}

/// Compares with the recorded verdicts, if they are in a folder beside the workspace.
fn agree() -> Outcome {
    let corpus = root().join("..").join("shared").join("corpus");
    if !corpus.join("google-verdicts.tsv.gz").is_file() {
        skipped("recorded verdicts", "the folder with them is not beside this workspace");
        return Ok(Ended::Well);
    }
    tables_of_test(&["agree", "--corpus", &corpus.to_string_lossy()])
}

/// Checks licences and sources of dependencies. Advisories need a database from the network, so they are left out.
fn deny() -> Outcome {
    if printed("cargo", &["deny", "--version"]).is_none() {
        skipped("licences and sources", "cargo-deny is not installed (cargo install cargo-deny --locked)");
        return Ok(Ended::Well);
    }
    // cargo-deny also reads the manifests of crates for other systems.
    match Cargo::new(["fetch", "--locked", "--quiet"]).run()? {
        Ended::Well => {}
        other => return Ok(other),
    }
    skipped("advisories", "they need the network (cargo deny check advisories)");
    Cargo::new(["deny", "--offline", "--log-level", "error", "check", "licenses", "bans", "sources"]).run()
}

/// Tests that take Miri minutes, because they have large inputs or many cases.
const LARGE: [&str; 7] = [
    "a_line_may_be_longer_than_a_format_is_wide",
    "a_file_is_never_too_large_to_be_read",
    "every_short_pattern_matches_like_the_oracle",
    "every_byte_that_changes_is_in_the_byte_set",
    "common_bytes_share_no_bits",
    "every_value_is_read_or_has_a_problem",
    "places_agree_with_the_groups",
];

/// Runs the unit tests of the lower crates under Miri.
fn miri() -> Outcome {
    let ready = printed("rustup", &["run", "nightly", "cargo-miri", "miri", "--version"]).is_some()
        && printed("rustup", &["run", "nightly", "rustc", "--print", "sysroot"]).is_some_and(|sysroot| {
            Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file()
        });
    if !ready {
        skipped("Miri", "it is not installed (rustup component add miri rust-src --toolchain nightly)");
        return Ok(Ended::Well);
    }
    let skips: Vec<&str> = LARGE.iter().flat_map(|name| ["--skip", name]).collect();
    let mut ended = Ended::Well;
    for member in LOWER {
        let tests = Cargo::of_toolchain("nightly", ["miri", "test", "--quiet", "--lib", "--all-features"])
            .arguments(&["--package", member, "--"])
            .arguments(&skips)
            .with("CARGO_TARGET_DIR", target().join("miri"))
            .with("MIRIFLAGS", "-Zmiri-disable-isolation")
            .run()?;
        ended = if ended == Ended::Well { tests } else { ended };
    }
    Ok(ended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source::sources;

    #[test]
    fn the_help_text_lists_all_steps_in_order() {
        let help = Ci::augment_args(clap::Command::new("ci")).render_long_help().to_string();
        let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        assert!(help.replace(",\n", ", ").contains(&names.join(", ")), "{help}");
    }

    #[test]
    fn tests_left_out_of_miri_exist() {
        let sources = sources(&root()).unwrap();
        for name in LARGE {
            let test = format!("fn {name}(");
            assert!(sources.iter().any(|source| source.text.contains(&test)), "missing test `{name}`");
        }
    }
}
