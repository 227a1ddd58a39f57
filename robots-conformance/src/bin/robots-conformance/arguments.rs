//! The arguments of the runner.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use robots_conformance::{DOCUMENTS, Suite, all_profiles};

/// Runs the conformance tables, and writes what is generated from them.
///
/// `cargo xtask` passes these subcommands on, so its name is in the help texts.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Returns the exit statuses, which are the same for all subcommands, with an example.
macro_rules! ending {
    ($example:literal) => {
        concat!(
            "Exit status:\n",
            "  0  everything holds\n",
            "  1  something does not hold\n",
            "  2  the arguments are wrong, or the work could not be done\n",
            "\nExample:\n  cargo xtask ",
            $example
        )
    };
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Runs the rows of the tables, each under every profile it names.
    #[command(after_help = ending!("conformance allow-wins --profile google"))]
    Conformance(Conformance),
    /// Writes COVERAGE.md: how many rows cite each statement.
    #[command(after_help = ending!("coverage --check"))]
    Coverage(Generated),
    /// Writes DIALECTS.md: the knobs of each profile, and the rows on which profiles differ.
    #[command(after_help = ending!("dialects --check"))]
    Dialects(Generated),
    /// Compares verdicts of the profile `google` with recorded verdicts of Google's parser.
    #[command(after_help = ending!("agree --corpus DIR"))]
    Agree(Agree),
    /// Compares the quotes of statements with the texts of the documents.
    #[command(after_help = ending!("quotes --texts DIR"))]
    Quotes(Quotes),
    /// Writes the tables as plain data for other implementations: suite.json, verdicts.tsv and the files.
    #[command(after_help = ending!("suite --out target/suite"))]
    Suite(Release),
    /// Answers questions of the suite on standard input, as suite/PROTOCOL.md describes.
    #[command(hide = true)]
    Answer(Answer),
}

#[derive(Debug, Args)]
pub(crate) struct Conformance {
    /// Runs only the rows whose DOCUMENT/TABLE/NAME contains this text.
    #[arg(value_name = "FILTER")]
    pub(crate) part: Option<String>,
    /// Lists the rows and their profiles instead of running them.
    #[arg(long)]
    pub(crate) list: bool,
    /// Runs only the tables of this document.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(DOCUMENTS))]
    pub(crate) document: Option<String>,
    /// Runs rows only under this profile.
    #[arg(long, value_name = "NAME", value_parser = profile_names())]
    pub(crate) profile: Option<String>,
    /// Runs only this table, given as `NAME` or `DOCUMENT/NAME`.
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
    /// Runs only the rows with this name.
    #[arg(long, value_name = "NAME")]
    pub(crate) case: Option<String>,
    /// Selects the format of the report on standard output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// Also writes the report as one HTML page to FILE.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) tables: Tables,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Text for people.
    Human,
    /// One JSON object.
    Json,
    /// JUnit XML.
    Junit,
}

#[derive(Debug, Args)]
pub(crate) struct Generated {
    /// Writes nothing; fails if the file is out of date.
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) tables: Tables,
}

#[derive(Debug, Args)]
pub(crate) struct Agree {
    /// The folder with `google-verdicts.tsv.gz`, and with the files in `sites/`.
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Quotes {
    /// The folder with the texts that `source` of each file of statements names.
    #[arg(long, value_name = "DIR", value_parser = folder)]
    pub(crate) texts: PathBuf,
    #[command(flatten)]
    pub(crate) tables: Tables,
}

#[derive(Debug, Args)]
pub(crate) struct Release {
    /// The folder to write to. It is made if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "target/suite")]
    pub(crate) out: PathBuf,
    /// Writes nothing; fails if ids.tsv does not agree with the tables.
    #[arg(long, conflicts_with = "record")]
    pub(crate) check: bool,
    /// Adds new questions to ids.tsv.
    #[arg(long)]
    pub(crate) record: bool,
    #[command(flatten)]
    pub(crate) tables: Tables,
}

#[derive(Debug, Args)]
pub(crate) struct Answer {
    /// The profile that answers.
    #[arg(long, value_name = "NAME", default_value = "rfc9309", value_parser = profile_names())]
    pub(crate) profile: String,
}

#[derive(Debug, Args)]
pub(crate) struct Tables {
    /// The folder with `statements/` and `tables/` [default: $ROBOTS_TABLES, or the folder of this crate].
    #[arg(long = "tables", value_name = "DIR", value_parser = folder)]
    folder: Option<PathBuf>,
}

impl Tables {
    pub(crate) fn load(self) -> Suite {
        Suite::load(&self.folder())
    }

    pub(crate) fn folder(self) -> PathBuf {
        self.folder.unwrap_or_else(Suite::folder)
    }
}

fn profile_names() -> PossibleValuesParser {
    PossibleValuesParser::new(all_profiles())
}

fn folder(path: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    if path.is_dir() { Ok(path) } else { Err("this folder does not exist".to_owned()) }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for (arguments, expected) in [
            (&["conformance", "--profile", "rfc9308"][..], "rfc9309"),
            (&["conformance", "--tables", "/no/such/folder"], "this folder does not exist"),
            (&["conformance", "--formt", "json"], "--format"),
            (&["quotes"], "--texts"),
            (&["suite", "--check", "--record"], "--record"),
            (&["agree"], "--corpus"),
        ] {
            let all = [&["robots-conformance"], arguments].concat();
            let error = Arguments::try_parse_from(all).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
            assert_eq!(error.exit_code(), 2);
        }
    }
}
