//! The arguments of `robots lint`.

use std::ffi::OsString;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use robots_match::Document;
use robots_match::lint::{Lint, Severity};

use crate::arguments::{NamedProfile, OneOf};
use crate::network::{RequestArguments, utf8};

/// Finds mistakes in robots.txt files
#[derive(Debug, Args)]
#[command(after_help = HELP, override_usage = USAGE)]
pub(crate) struct Arguments {
    /// Files, `-` for standard input, or URLs of sites
    #[arg(value_name = "FILE-OR-URL", required_unless_present_any = ["explain", "list"])]
    pub(super) files: Vec<OsString>,

    /// The least severity for which the exit status is 1 [default: warning], and codes for which it is 1 at any severity
    #[arg(long, value_name = "LEVEL|CODES", value_delimiter = ',', value_parser = denied)]
    pub(super) deny: Vec<Denied>,

    /// Report everything, also what is off by default: style, and what concerns other parsers only
    #[arg(long)]
    pub(super) all: bool,

    /// Report only these codes, also those that are off by default
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = codes(), hide_possible_values = true)]
    pub(super) select: Vec<Lint>,

    /// Do not report these codes
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = codes(), hide_possible_values = true)]
    pub(super) ignore: Vec<Lint>,

    /// The documents whose readers matter; findings about others are left out, or notes with --all [default: rfc9309,google]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = Parsers::parser())]
    pub(super) parsers: Vec<Parsers>,

    /// The configuration file [default: .robots-lint.toml, if it exists]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<OsString>,

    /// Let the checked files and their folder switch nothing off: ignore .robots-lint.toml and comments of files
    #[arg(long)]
    pub(super) isolated: bool,

    /// A file of known findings, which are not reported
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<OsString>,

    /// Write all findings to a file for --baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub(super) write_baseline: Option<OsString>,

    /// A file of wanted access (see `robots expect --help`); what it wants to be blocked is no finding [default: robots.expect.toml,
    /// if it exists]
    #[arg(long, value_name = "FILE")]
    pub(super) expect: Option<OsString>,

    /// The environment of the files in the file of wanted access, such as staging [default: the one for which it names the file]
    #[arg(short, long, value_name = "NAME")]
    pub(super) environment: Option<String>,

    /// The output format
    #[arg(long, value_name = "NAME", value_parser = Format::parser(), default_value = "human")]
    pub(super) format: Format,

    /// Make the corrections that change no verdict for any crawler, URL and profile
    #[arg(long)]
    pub(super) fix: bool,

    /// The URL of the file, for findings about URLs of the same origin
    #[arg(long, value_name = "URL", value_parser = OsStringValueParser::new().try_map(utf8))]
    pub(super) url: Option<String>,

    /// Known pages of the site, for findings about rules that block more than was meant: a file with a URL, a path or a line of an
    /// access log on each line, a sitemap, `-` for standard input, or the URL of a sitemap
    #[arg(long, value_name = "FILE-OR-URL")]
    pub(super) urls: Option<OsString>,

    /// The document by which files are read, where a finding does not depend on it; auto is rfc9309. Findings name the documents whose
    /// crawlers they are about
    #[arg(short, long, value_name = "NAME", value_parser = NamedProfile::parser_for_crawlers(), default_value = NamedProfile::auto_name())]
    pub(super) profile: NamedProfile,

    /// Print the page about a code
    #[arg(long, value_name = "CODE", exclusive = true)]
    pub(super) explain: Option<OsString>,

    /// Print all codes
    #[arg(long, exclusive = true)]
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

A configuration file has the keys deny, select, ignore, parsers, baseline and
expect, such as:
  deny = 'error'
  ignore = ['trailing-star']
In a robots.txt file, `# robots-lint: ignore CODE` leaves out a code in its line
or in the next one, and `# robots-lint: ignore-file CODE` in the whole file.

With --isolated, neither of these counts, and no robots.expect.toml of the
folder: in a pull request, its author writes them. --config and --expect name
files that do count.

A baseline has the paths of files from its own folder, so it matches however a
path is written, and from any folder. URLs are as they are.

The format json is described by robots-fetch/schema/lint.json, sarif is SARIF
2.1.0, and github writes workflow commands of GitHub Actions.

Exit status:
  0  nothing was found at the level of --deny or above; a site without a
     robots.txt has the note no-robots-txt
  1  something was found at that level or above, or with a code of --deny
  2  an error occurred; other files are checked

Examples:
  robots lint robots.txt
  robots lint https://example.com
  robots lint --deny warning,no-robots-txt https://example.com
  robots lint --deny error --format sarif robots.txt > robots.sarif
  robots lint --ignore trailing-star,optional-key robots.txt
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

/// Documents whose readers matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parsers(pub(super) &'static [Document]);

impl Parsers {
    fn parser() -> OneOf<Self> {
        static ALL: [Document; Document::ALL.len()] = Document::ALL;
        let each = ALL.iter().map(|document| (document.name(), Self(core::slice::from_ref(document))));
        OneOf::new(each.chain([("all", Self(&ALL))]))
    }
}

fn codes() -> OneOf<Lint> {
    OneOf::new(Lint::ALL.iter().map(|lint| (lint.name(), *lint)))
}

/// Findings for which the exit status is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Denied {
    /// Those of this severity or above.
    Level(Severity),
    /// Those of a lint.
    Code(Lint),
}

fn denied(text: &str) -> Result<Denied, String> {
    let level = Severity::ALL.into_iter().find(|level| level.name() == text).map(Denied::Level);
    level
        .or_else(|| Lint::from_name(text).map(Denied::Code))
        .ok_or_else(|| "expected note, warning, error, or a code of `robots lint --list`".to_owned())
}
