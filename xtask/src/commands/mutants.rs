//! `cargo xtask mutants`

use std::ffi::OsString;

use clap::Args;

use crate::help::ending;
use crate::process::{Cargo, Ended, Outcome, printed, say, skipped, well};
use crate::workspace::{root, target};

/// Changes the code in one place at a time, and checks that a row of the conformance tables fails.
///
/// Runs cargo-mutants with .cargo/mutants.toml, which lists the files, and the mutants that no row can
/// notice. All mutants take hours: `--shard` divides them, and `--iterate` leaves out those that an
/// earlier run has caught. Results are in target/mutants.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("mutants -- --shard 2/8 --iterate"))]
pub(crate) struct Mutants {
    /// Options of cargo-mutants
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<OsString>,
}

/// The most time to build a mutant, and for its rows, which take seconds.
const SECONDS: &str = "600";

/// The exit statuses of cargo-mutants if mutants were missed, and if some did not end. Those that do not end are noticed.
const MISSED: u8 = 2;
const TIMEOUT: u8 = 3;

pub(crate) fn mutants(options: &Mutants) -> Outcome {
    if printed("cargo", &["mutants", "--version"]).is_none() {
        skipped("mutants", "cargo-mutants is not installed (cargo install cargo-mutants --locked)");
        return Ok(Ended::Well);
    }
    // cargo-mutants would first run the tests of the package that is changed, and those have no rows.
    if Cargo::new(["test", "--quiet", "--package", "robots-conformance", "--test", "rows"]).run()?
        != Ended::Well
    {
        return Ok(Ended::Badly);
    }
    let (root, output) = (root(), target());
    let mut cargo = Cargo::new(["mutants", "--colors", "never", "--dir"]).arguments(&[&root]);
    cargo = cargo.arguments(&["--output".as_ref(), output.as_os_str()]);
    // A constant may be without end, and so may the rows.
    cargo = cargo.arguments(&["--baseline", "skip", "--timeout", SECONDS, "--build-timeout", SECONDS]);
    match cargo.arguments(&options.options).run()? {
        Ended::Well | Ended::With(TIMEOUT) => Ok(Ended::Well),
        Ended::With(MISSED) => {
            say("add a row for each missed mutant, or explain it in .cargo/mutants.toml");
            well(false)
        }
        other => Ok(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::text;

    /// Folders that are renamed must not fall out of the mutation tests.
    #[test]
    fn folders_of_the_configuration_exist() {
        let configuration = text(&root().join(".cargo/mutants.toml")).unwrap();
        let globs = configuration.split_once("examine_globs = [").unwrap().1.split_once(']').unwrap().0;
        let globs: Vec<&str> = globs.split('"').skip(1).step_by(2).collect();
        assert!(globs.len() > 5);
        for glob in globs {
            let folder = glob.split('*').next().unwrap().trim_end_matches('/');
            assert!(root().join(folder).is_dir(), "{glob}");
        }
    }
}
