//! The arguments of `robots lint`.

use std::ffi::OsString;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use robots_match::lint::Severity;

use crate::arguments::{NamedProfile, OneOf};
use crate::network::{RequestArguments, utf8};

/// Finds mistakes in robots.txt files
#[derive(Debug, Args)]
#[command(after_help = HELP, override_usage = USAGE)]
pub(crate) struct Arguments {
    /// Files, `-` for standard input, or URLs of sites
    #[arg(value_name = "FILE-OR-URL", required_unless_present_any = ["explain", "list"])]
    pub(super) files: Vec<OsString>,

    /// The least severity for which the exit status is 1
    #[arg(long, value_name = "LEVEL", value_parser = severities(), default_value = "warning")]
    pub(super) deny: Severity,

    /// The output format
    #[arg(long, value_name = "NAME", value_parser = Format::parser(), default_value = "human")]
    pub(super) format: Format,

    /// Make the corrections that change no verdict for any crawler, URL and profile
    #[arg(long)]
    pub(super) fix: bool,

    /// The URL of the file, for findings about URLs of the same origin
    #[arg(long, value_name = "URL", value_parser = OsStringValueParser::new().try_map(utf8))]
    pub(super) url: Option<String>,

    /// The document by which files are read, where a finding does not depend on it
    #[arg(short, long, value_name = "NAME", value_parser = NamedProfile::parser(), default_value = NamedProfile::default_name())]
    pub(super) profile: NamedProfile,

    /// Print the page about a code
    #[arg(long, value_name = "CODE")]
    pub(super) explain: Option<OsString>,

    /// Print all codes
    #[arg(long)]
    pub(super) list: bool,

    #[command(flatten)]
    pub(super) requests: RequestArguments,
}

const USAGE: &str = "\
robots lint [OPTIONS] <FILE-OR-URL>...
       robots lint --explain <CODE>
       robots lint --list";

const HELP: &str = "\
An argument that begins with http://, https:// or ftp:// is a URL of a site. The
site is asked for its robots.txt each time.

The format json is described by robots-fetch/schema/lint.json, sarif is SARIF
2.1.0, and github writes workflow commands of GitHub Actions.

Exit status:
  0  nothing was found at the level of --deny or above
  1  something was found at that level or above
  2  an error occurred; other files are checked

Examples:
  robots lint robots.txt
  robots lint https://example.com
  robots lint --deny error --format sarif robots.txt > robots.sarif
  robots lint --explain missing-colon
";

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Human,
    Json,
    Sarif,
    Github,
}

impl Format {
    fn parser() -> OneOf<Self> {
        let formats =
            [("human", Self::Human), ("json", Self::Json), ("sarif", Self::Sarif), ("github", Self::Github)];
        OneOf::new(formats)
    }
}

fn severities() -> OneOf<Severity> {
    OneOf::new(Severity::ALL.map(|severity| (severity.name(), severity)))
}
