//! The subcommands that need the conformance tables. The binary `robots-conformance` does their work.

use std::path::PathBuf;

use clap::Args;

use crate::help::ending;
use crate::process::{Cargo, Outcome};
use crate::workspace::root;

/// Runs the conformance tables against all layers together.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("conformance --document rfc9309 --profile google"))]
pub(crate) struct Conformance {
    /// Only tables of this document, such as rfc9309
    #[arg(long, value_name = "D")]
    document: Option<String>,
    /// Only this profile, such as google
    #[arg(long, value_name = "P")]
    profile: Option<String>,
    /// Only the table with this name
    #[arg(long, value_name = "T")]
    table: Option<String>,
    /// Only the row with this name
    #[arg(long, value_name = "C")]
    case: Option<String>,
    /// Format of the report
    #[arg(long, value_parser = ["human", "json", "junit"])]
    format: Option<String>,
    /// Also write the result as one page of HTML
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Conformance {
    pub(crate) fn run(self) -> Outcome {
        Runner::new("conformance")
            .option("--document", self.document)
            .option("--profile", self.profile)
            .option("--table", self.table)
            .option("--case", self.case)
            .option("--format", self.format)
            .option("--html", self.html.map(|file| file.to_string_lossy().into_owned()))
            .run()
    }
}

/// Writes COVERAGE.md: how many rows test each statement of the documents.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("coverage --check"))]
pub(crate) struct Coverage {
    /// Check that the file is up to date instead of writing it
    #[arg(long)]
    pub(crate) check: bool,
}

impl Coverage {
    pub(crate) fn run(self) -> Outcome {
        Runner::new("coverage").switch("--check", self.check).run()
    }
}

/// Writes DIALECTS.md: where the documents differ, policy by policy and row by row.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("dialects --check"))]
pub(crate) struct Dialects {
    /// Check that the file is up to date instead of writing it
    #[arg(long)]
    pub(crate) check: bool,
}

impl Dialects {
    pub(crate) fn run(self) -> Outcome {
        Runner::new("dialects").switch("--check", self.check).run()
    }
}

/// Compares verdicts with the recorded verdicts of Google's parser.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("agree --corpus DIR"))]
pub(crate) struct Agree {
    /// Folder with the recorded verdicts (google-verdicts.tsv.gz) and their files
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: PathBuf,
}

impl Agree {
    pub(crate) fn run(self) -> Outcome {
        Runner::new("agree").option("--corpus", Some(self.corpus.to_string_lossy().into_owned())).run()
    }
}

/// Asks another implementation the verdict rows of the tables.
///
/// The arguments of PROGRAM may contain %robots% (path of the file), %agent% and %url%. Exit status
/// 0 of PROGRAM means allowed and 1 disallowed, unless --allowed or --disallowed is given.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("compare --timeout 5 -- my-checker %robots% %agent% %url%"))]
pub(crate) struct Compare {
    /// Profile whose rows are asked (rfc9309 if absent)
    #[arg(long, value_name = "P")]
    profile: Option<String>,
    /// Output that matches this pattern means allowed
    #[arg(long, value_name = "REGEX")]
    allowed: Option<String>,
    /// Output that matches this pattern means disallowed
    #[arg(long, value_name = "REGEX")]
    disallowed: Option<String>,
    /// Longest time for one answer, in seconds
    #[arg(long, value_name = "S")]
    timeout: Option<String>,
    /// The other implementation and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

impl Compare {
    pub(crate) fn run(self) -> Outcome {
        let mut runner = Runner::new("compare")
            .option("--profile", self.profile)
            .option("--allowed", self.allowed)
            .option("--disallowed", self.disallowed)
            .option("--timeout", self.timeout);
        runner.arguments.push("--".to_owned());
        runner.arguments.extend(self.program);
        runner.run()
    }
}

/// A run of the binary `robots-conformance`.
struct Runner {
    arguments: Vec<String>,
}

impl Runner {
    fn new(command: &str) -> Self {
        Self { arguments: vec![command.to_owned()] }
    }

    fn option(mut self, name: &str, value: Option<String>) -> Self {
        self.arguments.extend(value.map(|value| format!("{name}={value}")));
        self
    }

    fn switch(mut self, name: &str, given: bool) -> Self {
        self.arguments.extend(given.then(|| name.to_owned()));
        self
    }

    fn run(self) -> Outcome {
        let manifest = root().join("Cargo.toml");
        Cargo::new(["run", "--quiet", "--manifest-path", &manifest.to_string_lossy()])
            .arguments(&["--package", "robots-conformance", "--bin", "robots-conformance", "--"])
            .arguments(&self.arguments)
            .in_place()
            .run()
    }
}

/// Runs all rows.
pub(crate) fn all_rows() -> Outcome {
    Runner::new("conformance").run()
}
