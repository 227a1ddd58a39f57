//! The arguments of `robots crawlers`.

use std::ffi::OsString;

use clap::Args;

use crate::arguments::{CatalogueFile, NamedProfile, OneOf};
use crate::extent::Extent;
use crate::names::CatalogueArguments;
use crate::network::RequestArguments;
use crate::output::csv::CsvArguments;

/// Shows which crawlers may access a site, and which lines decide
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Files, `-` for standard input, git:REV:PATH, or URLs of sites
    #[arg(value_name = "FILE-OR-URL", required = true)]
    pub(super) files: Vec<OsString>,

    /// Only this crawler; NAME,NAME is one crawler that tries its names in this order. Give several for several crawlers
    #[arg(short, long = "agent", value_name = "NAME")]
    pub(super) agents: Vec<OsString>,

    #[command(flatten)]
    pub(super) catalogue: CatalogueArguments,

    #[command(flatten)]
    _catalogue_file: CatalogueFile,

    /// Only crawlers that the file names
    #[arg(long, conflicts_with = "agents")]
    pub(super) named: bool,

    /// Only crawlers with this access: all, parts, nothing or undecided. Give several for several kinds of access
    #[arg(long, value_name = "ACCESS", value_parser = access(), hide_possible_values = true)]
    pub(super) access: Vec<Extent>,

    /// The document by which files and answers are read; with auto, Google's crawlers are read as google, and all others as rfc9309
    #[arg(short, long, value_name = "NAME", value_parser = NamedProfile::parser_for_crawlers(), default_value = NamedProfile::auto_name())]
    pub(super) profile: NamedProfile,

    /// The output format
    #[arg(long, value_name = "NAME", value_parser = Format::parser(), default_value = "human")]
    pub(super) format: Format,

    #[command(flatten)]
    pub(super) csv: CsvArguments,

    #[command(flatten)]
    pub(super) requests: RequestArguments,
}

const HELP: &str = "\
Lists the crawlers of a catalogue and those that the file names: purpose, the
group that applies with its line, the access, and the line that decides. The
access is proved:
  all      everything is allowed
  parts    a path is allowed and another is not; the shortest disallowed path
           is shown
  nothing  everything except /robots.txt is disallowed
Crawlers that may ignore robots.txt are marked: their operators say so, or a
person triggers them and the operator does not say otherwise. The formats json
and csv have what the operator says, and where an entry of the catalogue comes
from.

The format json is described by robots-fetch/schema/crawlers.json. The format
html is one page.

Exit status:
  0  the crawlers of every file are listed
  2  an error occurred, a site gave no answer, or a file is not a robots.txt
     file; other files are listed

Examples:
  robots crawlers robots.txt
  robots crawlers --purpose ai https://example.com
  robots crawlers --named --format csv robots.txt
  robots crawlers --agent Googlebot-Image,Googlebot robots.txt
";

/// How crawlers are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Human,
    Json,
    Csv,
    Html,
}

impl Format {
    fn parser() -> OneOf<Self> {
        OneOf::new([("human", Self::Human), ("json", Self::Json), ("csv", Self::Csv), ("html", Self::Html)])
    }
}

fn access() -> OneOf<Extent> {
    OneOf::new(Extent::ALL.map(|extent| (extent.name(), extent)))
}
