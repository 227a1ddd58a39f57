//! The arguments of `robots watch`.

use std::ffi::OsString;

use clap::Args;

use super::records::Severity;
use crate::arguments::{CatalogueFile, NamedProfile, OneOf};
use crate::names::CatalogueArguments;
use crate::network::RequestArguments;

/// Keeps copies of the robots.txt of sites, and shows what has changed since the last run
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The folder for copies; it is created if it does not exist
    pub(super) folder: OsString,

    /// The URLs of sites
    #[arg(value_name = "SITE", required = true)]
    pub(super) sites: Vec<OsString>,

    /// Also ask the other sites of the same name: http and https, with www. and without. What differs from the named site is shown
    #[arg(long)]
    pub(super) variants: bool,

    /// The crawler; NAME,NAME is one crawler that tries its names in this order. Give several for several crawlers [default: `*`
    /// and those that the files name]
    #[arg(short, long = "agent", value_name = "NAME")]
    pub(super) agents: Vec<OsString>,

    #[command(flatten)]
    pub(super) catalogue: CatalogueArguments,

    #[command(flatten)]
    _catalogue_file: CatalogueFile,

    /// The least severity for which the exit status is 1: low, medium, high or critical
    #[arg(long, value_name = "SEVERITY", value_parser = Severity::parser(), default_value = "high", hide_possible_values = true)]
    pub(super) deny: Severity,

    /// Also write the history of the sites to this file, as one page of HTML
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<OsString>,

    /// The document by which files and answers are read; with auto, Google's crawlers are read as google, and all others as rfc9309
    #[arg(short, long, value_name = "NAME", value_parser = NamedProfile::parser_for_crawlers(), default_value = NamedProfile::auto_name())]
    pub(super) profile: NamedProfile,

    /// The output format
    #[arg(long, value_name = "NAME", value_parser = Format::parser(), default_value = "human")]
    pub(super) format: Format,

    #[command(flatten)]
    pub(super) requests: RequestArguments,
}

const HELP: &str = "\
Asks each site once, so a scheduler such as cron runs it as often as wanted. The
folder has a folder for each site: a copy of each version of the file, named by
the time, and log.jsonl with the answer and the changes of each run.

What changes is compared as `robots diff` does, so other comments are a change
of the text and of nothing else. The severities:
  none      nothing has changed, or this is the first run
  low       only the text of the file, or the site still has no robots.txt file
            but another one
  medium    URLs are newly allowed, or the status is another one
  high      URLs are newly disallowed, it is undecided whether some are, the
            file is gone, the site gave no answer or refused access, or its
            answer is not a robots.txt file, such as an HTML page; also in
            the first run
  critical  a crawler that had access to `/` may not access it any more

With --resolve, a site is asked as its name says, which may be a CDN, and at the
address. Both have their copies, and what differs between them is shown. A
difference that was not there in the last run has the severity medium.

Two runs must not use the same folder at the same time.

The format json is described by robots-fetch/schema/watch.json.

Exit status:
  0  no change is as severe as --deny
  1  a change is
  2  an error occurred, or nothing is known about a site; the others are
     compared

Examples:
  robots watch history https://example.com
  robots watch --variants --deny medium history https://example.com
  robots watch --resolve example.com:443:192.0.2.7 history https://example.com
  robots watch --purpose search --html history.html history https://example.com
";

/// How changes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Human,
    Json,
}

impl Format {
    fn parser() -> OneOf<Self> {
        OneOf::new([("human", Self::Human), ("json", Self::Json)])
    }
}
