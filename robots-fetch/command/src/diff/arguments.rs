//! The arguments of `robots diff`.

use std::ffi::OsString;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use robots_match::Difference;

use super::compare::Direction;
use crate::arguments::{CatalogueFile, NamedProfile, OneOf};
use crate::names::CatalogueArguments;
use crate::network::{RequestArguments, SITES, utf8};

/// Shows which URLs two robots.txt treat differently, with proof
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The robots.txt before: a file, `-` for standard input, git:REV:PATH, or the URL of a site
    pub(super) old: OsString,

    /// The robots.txt after, in the same forms
    #[arg(required_unless_present_any = ["against", "user_agent_new"])]
    pub(super) new: Option<OsString>,

    /// The crawler; NAME,NAME is one crawler that tries its names in this order. Give several for several crawlers [default: `*`
    /// and those that the files name]
    #[arg(short, long = "agent", value_name = "NAME")]
    pub(super) agents: Vec<OsString>,

    /// Also compare for all crawlers of the catalogue
    #[arg(long = "catalogue")]
    pub(super) all: bool,

    #[command(flatten)]
    pub(super) catalogue: CatalogueArguments,

    #[command(flatten)]
    _catalogue_file: CatalogueFile,

    /// Also compare the URLs of this list: a file with a URL, a path or a line of an access log on each line, a sitemap, `-` for
    /// standard input, or the URL of a sitemap
    #[arg(long, value_name = "FILE-OR-URL")]
    pub(super) urls: Option<OsString>,

    /// The changes for which the exit status is 1: newly-disallowed, newly-allowed or any. Give several for several changes
    /// [default: any]
    #[arg(long, value_name = "CHANGE", value_parser = denied(), hide_possible_values = true)]
    pub(super) deny: Vec<Vec<Direction>>,

    /// The document by which files and answers are read; with auto, Google's crawlers are read as google, and all others as rfc9309
    #[arg(short, long, value_name = "NAME", value_parser = NamedProfile::parser_for_crawlers(), default_value = NamedProfile::auto_name())]
    pub(super) profile: NamedProfile,

    /// Read NEW, or OLD if NEW is not given, by this document
    #[arg(long, value_name = "NAME", value_parser = NamedProfile::parser())]
    pub(super) against: Option<NamedProfile>,

    /// The number of states after which a search ends undecided
    #[arg(long, value_name = "NUMBER", default_value_t = Difference::MAX_STATES)]
    pub(super) max_states: usize,

    /// The output format
    #[arg(long, value_name = "NAME", value_parser = Format::parser(), default_value = "human")]
    pub(super) format: Format,

    #[command(flatten)]
    pub(super) requests: RequestArguments,

    /// The User-Agent header of requests for OLD
    #[arg(long, value_name = "TEXT", help_heading = SITES, value_parser = OsStringValueParser::new().try_map(utf8))]
    pub(super) user_agent_old: Option<String>,

    /// The User-Agent header of requests for NEW
    #[arg(long, value_name = "TEXT", help_heading = SITES, value_parser = OsStringValueParser::new().try_map(utf8))]
    pub(super) user_agent_new: Option<String>,
}

const HELP: &str = "\
Compares answers, not text. For each crawler and direction, a shortest path is
shown that changes, with the line that decides before and after, and the rule
that causes the change; then a path for each other rule that causes one, up to
20. If nothing changes, this is proved: no path is treated differently. Where
other rules may change paths, too, the output says so.

A site that has no robots.txt (404) allows everything; the output says so. A
site that gives no answer is an error, because nothing can be said about its
rules. So is a failure that is not the site's, such as one of a proxy.

The format json is described by robots-fetch/schema/diff.json; github writes
workflow commands of GitHub Actions.

Exit status:
  0  nothing changes, or only what --deny does not name
  1  a path changes
  2  an error occurred, a site gave no answer, a file is not a robots.txt file,
     or a line or a sitemap of --urls could not be read; the others are compared
  3  no change was found, but the search reached --max-states

Examples:
  robots diff git:HEAD:robots.txt robots.txt
  robots diff --deny newly-disallowed https://example.com robots.txt
  robots diff --urls access.log old.txt new.txt
  robots diff --profile google --against rfc9309 robots.txt
  robots diff --user-agent-new Googlebot/2.1 https://example.com
";

/// How changes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Human,
    Github,
    Json,
}

impl Format {
    fn parser() -> OneOf<Self> {
        OneOf::new([("human", Self::Human), ("github", Self::Github), ("json", Self::Json)])
    }
}

fn denied() -> OneOf<Vec<Direction>> {
    let single = Direction::ALL.map(|direction| (direction.name(), vec![direction]));
    OneOf::new(single.into_iter().chain([("any", Direction::ALL.to_vec())]))
}
