//! The tasks that developers of this workspace run: `cargo xtask help` lists them.

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "xtask is not built for a target without a standard library"
)]

mod commands;
mod help;
mod manifest;
mod process;
mod test_run;
mod tidy;
mod valgrind;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use commands::{
    api, bench, ci, features, fuzz, limits, man, msrv, mutants, notices, package, page, python, schemas,
    suite, tables, test, wire,
};
use help::ending;
use process::{Ended, Outcome};

/// Runs the tasks of developers: tests, checks, measurements and generated files.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", subcommand_required = true)]
#[command(arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = help::GENERAL)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

/// The subcommands. A new one is a variant here, an arm in `run`, a file in `commands/` and a line in CONTRIBUTING.md.
#[derive(Subcommand)]
enum Task {
    /// Runs the conformance tables against all layers together
    #[command(after_help = ending!("conformance allow-wins --profile google"))]
    Conformance(tables::Options),
    /// Writes COVERAGE.md: how many rows test each statement of the documents
    #[command(after_help = ending!("coverage --check"))]
    Coverage(tables::Options),
    /// Writes DIALECTS.md: where the documents differ, policy by policy and row by row
    #[command(after_help = ending!("dialects --check"))]
    Dialects(tables::Options),
    /// Compares verdicts with the recorded verdicts of Google's parser
    #[command(after_help = ending!("agree --corpus DIR"))]
    Agree(tables::Options),
    /// Compares the quotes of statements with the texts of the documents
    #[command(after_help = ending!("quotes --texts DIR"))]
    Quotes(tables::Options),
    /// Writes the tables as plain data for other implementations
    #[command(after_help = ending!("suite --out target/suite"))]
    Suite(tables::Options),
    Test(test::Test),
    Tidy(tidy::Tidy),
    Features(features::Features),
    Msrv(msrv::Msrv),
    Api(api::Api),
    Package(package::Package),
    Wire(wire::Wire),
    Fuzz(fuzz::Fuzz),
    Mutants(mutants::Mutants),
    Limits(limits::Limits),
    Bench(bench::Bench),
    Page(page::Page),
    Peers(suite::Peers),
    Python(python::Python),
    Schemas(schemas::Schemas),
    Man(man::Man),
    Notices(notices::Notices),
    Ci(ci::Ci),
}

impl Task {
    fn run(self) -> Outcome {
        match self {
            Self::Conformance(_) => tables::Options::run("conformance"),
            Self::Coverage(_) => tables::Options::run("coverage"),
            Self::Dialects(_) => tables::Options::run("dialects"),
            Self::Agree(_) => tables::Options::run("agree"),
            Self::Quotes(_) => tables::Options::run("quotes"),
            Self::Suite(_) => tables::Options::run("suite"),
            Self::Test(options) => test::test(&options),
            Self::Tidy(_) => tidy::tidy(),
            Self::Features(_) => features::features(),
            Self::Msrv(_) => msrv::msrv(),
            Self::Api(options) => api::api(&options),
            Self::Package(options) => package::package(&options),
            Self::Wire(options) => wire::wire(&options),
            Self::Fuzz(options) => fuzz::fuzz(&options),
            Self::Mutants(options) => mutants::mutants(&options),
            Self::Limits(options) => limits::limits(&options),
            Self::Bench(options) => bench::bench(&options),
            Self::Page(options) => page::page(&options),
            Self::Peers(options) => suite::peers(&options),
            Self::Python(options) => python::python(&options),
            Self::Schemas(_) => schemas::schemas(),
            Self::Man(options) => man::man(&options),
            Self::Notices(options) => notices::notices(&options),
            Self::Ci(options) => ci::ci(&options),
        }
    }
}

fn main() -> ExitCode {
    match Arguments::parse().task.run() {
        Ok(Ended::Well) => ExitCode::SUCCESS,
        Ok(Ended::Badly) => ExitCode::FAILURE,
        Ok(Ended::With(code)) => ExitCode::from(code),
        Err(what) => {
            process::complain(&what);
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use clap::error::ErrorKind;

    use super::*;
    use crate::workspace::{root, text};

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn each_help_text_has_exit_statuses_and_an_example_within_100_columns() {
        for mut command in Arguments::command().get_subcommands().cloned() {
            let name = command.get_name().to_owned();
            let help = command.render_long_help().to_string();
            assert!(help.contains("Exit status:"), "{name}");
            assert!(help.contains(&format!("cargo xtask {name}")), "{name} has no example:\n{help}");
            for line in help.lines() {
                assert!(line.chars().count() <= 100, "{name}: {line}");
            }
        }
    }

    #[test]
    fn contributing_names_each_subcommand() {
        let contributing = text(&root().join("CONTRIBUTING.md")).unwrap();
        for command in Arguments::command().get_subcommands() {
            let name = command.get_name();
            assert!(
                contributing.contains(&format!("`cargo xtask {name}")),
                "{name} is not in CONTRIBUTING.md"
            );
        }
    }

    #[test]
    fn options_of_the_tables_are_left_to_their_program() {
        for arguments in [&["--case", "a", "--help"][..], &["--", "a", "%url%"], &[]] {
            let parsed = Arguments::try_parse_from([&["xtask", "suite"], arguments].concat());
            assert!(parsed.is_ok(), "{arguments:?}");
        }
    }

    #[test]
    fn a_mistyped_name_gets_a_suggestion() {
        let refused = |arguments: [&str; 3]| match Arguments::try_parse_from(arguments) {
            Err(error) => error,
            Ok(_) => panic!("{arguments:?} is accepted"),
        };
        let subcommand = refused(["xtask", "conformence", "--check"]);
        assert_eq!(subcommand.kind(), ErrorKind::InvalidSubcommand);
        assert!(subcommand.to_string().contains("'conformance'"), "{subcommand}");
        let option = refused(["xtask", "api", "--chek"]);
        assert_eq!(option.kind(), ErrorKind::UnknownArgument);
        assert!(option.to_string().contains("'--check'"), "{option}");
    }
}
