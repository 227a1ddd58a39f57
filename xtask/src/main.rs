//! What developers run: `cargo xtask help`.

mod commands;
mod process;
mod tidy;

use std::env;
use std::process::ExitCode;

use commands::{bench, ci, features, fuzz, limits, peers, schemas};
use process::{Cargo, Ended, Outcome};

/// A command of `cargo xtask`.
struct Command {
    name: &'static str,
    arguments: &'static str,
    does: &'static str,
    run: fn(&[String]) -> Outcome,
}

/// All of them. A new one is a line here and a function.
const COMMANDS: &[Command] = &[
    Command {
        name: "conformance",
        arguments: "[--document D] [--profile P] [--table T] [--case C] [--format human|json|junit] [--html FILE]",
        does: "run the rows of the tables against the composed stack",
        run: |arguments| tables("conformance", arguments),
    },
    Command {
        name: "coverage",
        arguments: "[--check]",
        does: "write COVERAGE.md: how many rows show each statement",
        run: |arguments| tables("coverage", arguments),
    },
    Command {
        name: "dialects",
        arguments: "[--check]",
        does: "write DIALECTS.md: where the profiles differ",
        run: |arguments| tables("dialects", arguments),
    },
    Command {
        name: "agree",
        arguments: "--corpus DIR",
        does: "compare with the recorded verdicts of Google's parser in DIR",
        run: |arguments| tables("agree", arguments),
    },
    Command {
        name: "compare",
        arguments: "[--profile P] [--allowed REGEX] [--disallowed REGEX] [--timeout S] -- PROGRAM ARGS...",
        does: "ask another implementation the verdict rows; ARGS hold %robots%, %agent% and %url%",
        run: |arguments| tables("compare", arguments),
    },
    Command {
        name: "test",
        arguments: "",
        does: "all tests, those in the documentation and the rows of the tables too",
        run: |arguments| none(arguments).and_then(|()| ci::test()),
    },
    Command {
        name: "tidy",
        arguments: "",
        does: "what no compiler checks: where dialects are named, which way crates depend, ...",
        run: |arguments| none(arguments).and_then(|()| tidy::tidy()),
    },
    Command {
        name: "features",
        arguments: "",
        does: "each crate alone and each feature alone; the lower crates without an operating system",
        run: |arguments| none(arguments).and_then(|()| features::features()),
    },
    Command {
        name: "fuzz",
        arguments: "[TARGET] [--seconds N]",
        does: "run the fuzz targets, each for so many seconds",
        run: fuzz::fuzz,
    },
    Command {
        name: "limits",
        arguments: "[CASE]...",
        does: "count the memory that files made to hurt cost, and the instructions at three sizes",
        run: limits::limits,
    },
    Command {
        name: "bench",
        arguments: "[--layers | --instructions | --corpus DIR --json FILE --rounds N --only WORKLOAD]",
        does: "measure this stack beside other crates, or each call of its layers",
        run: bench::bench,
    },
    Command {
        name: "peers",
        arguments: "",
        does: "write PEERS.md: how other implementations fare with the tables",
        run: |arguments| none(arguments).and_then(|()| peers::peers()).map(|()| Ended::Well),
    },
    Command {
        name: "schemas",
        arguments: "",
        does: "hold what the command writes for programs against its schemas and that of SARIF",
        run: |arguments| none(arguments).and_then(|()| schemas::schemas()),
    },
    Command {
        name: "ci",
        arguments: "[--except STEP]...",
        does: "all that is checked before a change is taken, in its order",
        run: ci::ci,
    },
    Command { name: "help", arguments: "", does: "this list", run: |_| help() },
];

fn main() -> ExitCode {
    let arguments: Result<Vec<String>, _> =
        env::args_os().skip(1).map(std::ffi::OsString::into_string).collect();
    let outcome = match arguments.as_deref() {
        Err(argument) => Err(format!("{} is not UTF-8", argument.to_string_lossy())),
        Ok([]) => help(),
        Ok([name, arguments @ ..]) => {
            let name = if matches!(&**name, "--help" | "-h") { "help" } else { name };
            match COMMANDS.iter().find(|command| command.name == name) {
                Some(command) => (command.run)(arguments),
                None => {
                    Err(format!("there is no command `{name}`: `cargo xtask help` lists those there are"))
                }
            }
        }
    };
    match outcome {
        Ok(Ended::Well) => ExitCode::SUCCESS,
        Ok(Ended::Badly) => ExitCode::FAILURE,
        Ok(Ended::With(code)) => ExitCode::from(code),
        Err(what) => {
            process::complain(&what);
            ExitCode::from(2)
        }
    }
}

fn help() -> Outcome {
    process::say("usage: cargo xtask COMMAND\n");
    for command in COMMANDS {
        process::say(format!("  {} {}", command.name, command.arguments).trim_end());
        process::say(&format!("      {}", command.does));
    }
    Ok(Ended::Well)
}

/// A command of the runner of the tables.
fn tables(command: &str, arguments: &[String]) -> Outcome {
    let manifest = process::root().join("Cargo.toml");
    Cargo::new(["run", "--quiet", "--manifest-path", &manifest.to_string_lossy()])
        .arguments(&["--package", "robots-conformance", "--bin", "robots-conformance", "--", command])
        .arguments(arguments)
        .in_place()
        .run()
}

fn none(arguments: &[String]) -> Result<(), String> {
    match arguments {
        [] => Ok(()),
        [argument, ..] => Err(format!("`{argument}` is one argument too many")),
    }
}
