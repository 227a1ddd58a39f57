//! The subcommands that need the conformance tables. The program `robots-conformance` does their work, and has their options.

use std::env;
use std::ffi::OsString;
use std::process::Command;

use clap::Args;

use crate::process::{Cargo, Outcome, ended};
use crate::test_run::Built;
use crate::workspace::root;

/// The arguments of a subcommand, which the program reads.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Options {
    /// Options; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    _arguments: Vec<OsString>,
}

impl Options {
    /// Builds the program with the features that it needs, and runs a subcommand in the current folder.
    pub(crate) fn run(subcommand: &str) -> Outcome {
        let manifest = root().join("Cargo.toml");
        // As they were written: a parser drops a first `--`.
        let arguments: Vec<OsString> = env::args_os().skip(2).collect();
        Cargo::new(["run", "--quiet", "--manifest-path", &manifest.to_string_lossy()])
            .arguments(&["--package", "robots-conformance", "--bin", "robots-conformance", "--", subcommand])
            .arguments(&arguments)
            .in_place()
            .run()
    }
}

/// Runs a subcommand with the program of a build of all tests, which saves the build with other features.
pub(crate) fn run_built(built: &Built, arguments: &[&str]) -> Outcome {
    let program = built.program("robots-conformance")?;
    ended(Command::new(program).args(arguments).current_dir(root()))
}
