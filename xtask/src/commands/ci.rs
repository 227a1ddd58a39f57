//! `cargo xtask ci`

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use std::{env, thread};

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::{
    api, features, fuzz, instructions, msrv, notices, package, page, python, schemas, suite, tables, test,
};
use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome, ended, found, printed, say, skipped, well};
use crate::test_run::processor_seconds;
use crate::tidy;
use crate::workspace::{LOWER, root, target};

/// Runs everything that is checked before a change is merged.
///
/// Two steps run at a time: one that builds and runs programs, and one that checks. The output of a
/// step is printed when it ends. Continues after a step that fails; at the end, prints the last
/// lines of the failed steps again, and the time of each step. The steps are:
/// test, coverage, dialects, agree, suite, package, schemas, page, python, instructions, bench,
/// fmt, clippy, doc, tidy, typos, features, api, msrv, deny, notices, fuzz, miri
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

/// The steps that use the folder of programs, one after another, because cargo locks a folder.
const PROGRAMS: &[Step] = &[
    Step { name: "test", run: || test::test(&test::Test::ALL) },
    Step { name: "coverage", run: || tables_of_test(&["coverage", "--check"]) },
    Step { name: "dialects", run: || tables_of_test(&["dialects", "--check"]) },
    Step { name: "agree", run: agree },
    Step { name: "suite", run: suite::suite },
    Step { name: "package", run: || package::package(&package::Package { archives_only: false }) },
    Step { name: "schemas", run: schemas::schemas },
    Step { name: "page", run: page::page_if_possible },
    Step { name: "python", run: || python::python(&python::Python::of_ci()) },
    Step { name: "instructions", run: || instructions::instructions(false) },
    Step { name: "bench", run: bench },
];

/// The steps that use the folder of checks or one of their own. The last ones are samples that are limited by time.
const CHECKS: &[Step] = &[
    Step { name: "fmt", run: || Cargo::new(["fmt", "--all", "--check"]).run() },
    Step { name: "clippy", run: clippy },
    Step { name: "doc", run: doc },
    Step { name: "tidy", run: tidy::tidy },
    Step { name: "typos", run: typos },
    Step { name: "features", run: features::features },
    Step { name: "api", run: || api::api(&api::Api { check: true }) },
    Step { name: "msrv", run: msrv::msrv },
    Step { name: "deny", run: deny },
    Step { name: "notices", run: || notices::notices(&notices::Notices { out: None }) },
    Step { name: "fuzz", run: || fuzz::fuzz(&fuzz::Fuzz::all(5)) },
    Step { name: "miri", run: miri },
];

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(PROGRAMS.iter().chain(CHECKS).map(|step| step.name))
}

/// The lines of a failed step that are printed again at the end.
const LAST_LINES: usize = 80;

/// The end of a step.
struct Done {
    name: &'static str,
    passed: bool,
    seconds: f64,
}

pub(crate) fn ci(options: &Ci) -> Outcome {
    let is_chosen = |step: &&Step| {
        let named = |names: &[String]| names.iter().any(|name| name == step.name);
        (options.only.is_empty() || named(&options.only)) && !named(&options.except)
    };
    let chosen = |steps: &'static [Step]| steps.iter().filter(is_chosen).collect::<Vec<&Step>>();
    let (programs, checks) = (chosen(PROGRAMS), chosen(CHECKS));
    // The runs below have one step each.
    if let ([step], []) | ([], [step]) = (&*programs, &*checks) {
        return (step.run)();
    }
    let start = Instant::now();
    let folder = target().join("ci");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let done = Mutex::new(Vec::new());
    let in_turn = |steps: &[&Step], is_nice: bool| {
        for step in steps {
            let end = run_apart(step.name, &folder, is_nice, &done);
            done.lock().unwrap_or_else(PoisonError::into_inner).push(end);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| in_turn(&programs, false));
        // Tests measure time, so checks give way to them.
        in_turn(&checks, true);
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Where only the end of a long output is kept, it still shows why a step failed.
    for step in done.iter().filter(|step| !step.passed) {
        let output = fs::read(log_of(step.name, &folder)).unwrap_or_default();
        say(&format!("\n=== {} failed; its last lines:", step.name));
        say(&last_lines(&String::from_utf8_lossy(&output), LAST_LINES));
    }
    say("");
    for step in &done {
        say(&format!("{:6.0} s  {}{}", step.seconds, step.name, if step.passed { "" } else { ": failed" }));
    }
    let failed: Vec<&str> = done.iter().filter(|step| !step.passed).map(|step| step.name).collect();
    let used = processor_seconds().map(|used| format!(", {used:.0} s of processors")).unwrap_or_default();
    let took = format!("{:.0} s{used}", start.elapsed().as_secs_f64());
    match &*failed {
        [] => say(&format!("ci: all {} steps passed in {took}", done.len())),
        some => {
            say(&format!("ci: {} of {} steps failed in {took}: {}", some.len(), done.len(), some.join(", ")));
        }
    }
    well(failed.is_empty())
}

/// Runs a step in a process of its own, so that its output can be printed whole when it ends.
fn run_apart(name: &'static str, folder: &Path, is_nice: bool, printing: &Mutex<Vec<Done>>) -> Done {
    let start = Instant::now();
    let log = log_of(name, folder);
    let run = || -> Outcome {
        let failed = |error: std::io::Error| format!("{}: {error}", log.display());
        let own = env::current_exe().map_err(failed)?;
        let mut command = match found(&["nice"]).filter(|_| is_nice) {
            Some(nice) => {
                let mut command = Command::new(nice);
                command.args(["-n", "10"]).arg(own);
                command
            }
            None => Command::new(own),
        };
        let file = File::create(&log).map_err(failed)?;
        command.args(["ci", "--only", name]).stdin(Stdio::null());
        ended(command.stdout(file.try_clone().map_err(failed)?).stderr(file))
    };
    let outcome = run();
    let seconds = start.elapsed().as_secs_f64();
    let output = fs::read(&log).unwrap_or_default();
    let printing = printing.lock().unwrap_or_else(PoisonError::into_inner);
    say(&format!("\n=== {name}: {seconds:.0} s"));
    say(String::from_utf8_lossy(&output).trim_end());
    if let Err(error) = &outcome {
        say(&format!("error: {error}"));
    }
    drop(printing);
    Done { name, passed: outcome == Ok(Ended::Well), seconds }
}

/// Returns the file with the output of a step.
fn log_of(name: &str, folder: &Path) -> PathBuf {
    folder.join(format!("{name}.txt"))
}

/// Returns at most so many lines of the end of a text.
fn last_lines(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines.get(lines.len().saturating_sub(most)..).unwrap_or_default().join("\n")
}

/// Runs a subcommand of the tables with the program that the step `test` has built.
fn tables_of_test(arguments: &[&str]) -> Outcome {
    tables::run_built(&test::build()?, arguments)
}

/// Builds the documentation as docs.rs does, with labels of feature-gated items.
fn doc() -> Outcome {
    Cargo::new(["doc", "--quiet", "--workspace", "--no-deps", "--all-features"])
        .with("RUSTDOCFLAGS", "-D warnings --cfg docsrs")
        .checking()
        .run()
}

/// Checks the workspace, then each lower crate without other members, whose features could hide unused items.
fn clippy() -> Outcome {
    let all = ["clippy", "--quiet", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    let mut ended = Cargo::new(all).checking().run()?;
    for member in LOWER {
        let own = Cargo::new(["clippy", "--quiet", "--package", member, "--no-default-features"])
            .arguments(&["--", "-D", "warnings"])
            .checking()
            .run()?;
        ended = if ended == Ended::Well { own } else { ended };
    }
    Ok(ended)
}

/// Looks for misspelt words. `_typos.toml` lists words and files that are spelt on purpose.
fn typos() -> Outcome {
    let own = target().join("venv").join("bin").join("typos");
    let Some(typos) = found(&["typos", &own.to_string_lossy()]) else {
        skipped("typos", "it is not installed (cargo install typos-cli --locked)");
        return Ok(Ended::Well);
    };
    ended(Command::new(typos).current_dir(root()))
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
    let verdicts = tables_of_test(&["agree", "--corpus", &corpus.to_string_lossy()])?;
    if verdicts != Ended::Well {
        return Ok(verdicts);
    }
    // No suggestion of a lint changes more than the finding shows.
    let sites = corpus.join("sites");
    let example =
        ["run", "--quiet", "--package", "robots-conformance", "--example", "lint_suggestions", "--"];
    Cargo::new(example).arguments(&[&*sites.to_string_lossy()]).run()
}

/// Checks licences and sources of dependencies, and advisories where their database can be reached.
fn deny() -> Outcome {
    if printed("cargo", &["deny", "--version"]).is_none() {
        skipped(
            "licences, sources and advisories",
            "cargo-deny is not installed (cargo install cargo-deny --locked)",
        );
        return Ok(Ended::Well);
    }
    // cargo-deny also reads the manifests of crates for other systems.
    let fetched = Cargo::new(["fetch", "--locked", "--quiet"]).run()?;
    if fetched != Ended::Well {
        return Ok(fetched);
    }
    let mut checks = vec!["licenses", "bans", "sources"];
    if Cargo::new(["deny", "--log-level", "error", "fetch", "db"]).silently()? == Ended::Well {
        checks.push("advisories");
    } else {
        skipped(
            "advisories",
            "their database could not be reached, so known vulnerabilities of dependencies were not looked up",
        );
    }
    say(&format!("cargo-deny checks {}", checks.join(", ")));
    Cargo::new(["deny", "--offline", "--log-level", "error", "check"]).arguments(&checks).run()
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
        let names: Vec<&str> = PROGRAMS.iter().chain(CHECKS).map(|step| step.name).collect();
        assert!(help.replace(",\n", ", ").contains(&names.join(", ")), "{help}");
    }

    #[test]
    fn the_end_of_an_output_is_cut_at_lines() {
        assert_eq!(last_lines("a\nb\nc\n", 2), "b\nc");
        assert_eq!(last_lines("a\nb\n\n", 3), "a\nb");
        assert_eq!(last_lines("", 3), "");
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
