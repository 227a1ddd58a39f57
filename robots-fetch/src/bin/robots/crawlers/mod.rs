//! `robots crawlers`: which crawlers may access a site, and which lines decide.

mod formats;
mod rows;

use std::ffi::OsString;

use clap::Args;
use serde_json::{Value, json};

use self::rows::Listed;
use crate::arguments::{NamedProfile, OneOf, crawlers};
use crate::failure::{Failure, Result};
use crate::names::CatalogueArguments;
use crate::network::{Network, RequestArguments};
use crate::output::{self, Style};
use crate::subject::{Subject, sites_of};
use crate::text::Text;

/// Shows which crawlers may access a site, and which lines decide
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Files, `-` for standard input, git:REV:PATH, or URLs of sites
    #[arg(value_name = "FILE-OR-URL", required = true)]
    files: Vec<OsString>,

    /// Only this crawler; NAME,NAME is one crawler that tries its names in this order. Give several for several crawlers
    #[arg(short, long = "agent", value_name = "NAME", conflicts_with = "purpose")]
    agents: Vec<OsString>,

    #[command(flatten)]
    catalogue: CatalogueArguments,

    /// Only crawlers that the file names
    #[arg(long, conflicts_with = "agents")]
    named: bool,

    /// The document by which files and answers are read
    #[arg(short, long, value_name = "NAME", value_parser = NamedProfile::parser(), default_value = NamedProfile::default_name())]
    profile: NamedProfile,

    /// The output format
    #[arg(long, value_name = "NAME", value_parser = Format::parser(), default_value = "human")]
    format: Format,

    #[command(flatten)]
    requests: RequestArguments,
}

const HELP: &str = "\
Lists the crawlers of a catalogue and those that the file names: purpose, the
group that applies with its line, the access, and the line that decides. The
access is proved:
  all      everything is allowed
  parts    a path is allowed and another is not; the shortest disallowed path
           is shown
  nothing  everything except /robots.txt is disallowed
A crawler may ignore robots.txt. The formats json and csv have what the operator
says, and where an entry of the catalogue comes from.

The format json is described by robots-fetch/schema/crawlers.json. The format
html is one page.

Exit status:
  0  the crawlers of every file are listed
  2  an error occurred; other files are listed

Examples:
  robots crawlers robots.txt
  robots crawlers --purpose ai https://example.com
  robots crawlers --named --format csv robots.txt
  robots crawlers --agent Googlebot-Image,Googlebot robots.txt
";

/// How crawlers are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
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

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let chosen = crawlers(&arguments.agents, &arguments.profile)?;
    let network = Network::without_cache(&arguments.requests);
    let mut lists = Vec::new();
    let mut failed: Vec<Value> = Vec::new();
    for file in &arguments.files {
        match Subject::read(file, &arguments.profile, || sites_of(&network, &arguments.profile)) {
            Ok(subject) => lists.push(Listed::new(subject, &chosen, arguments)),
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(Failure::Message(message)) => {
                output::complain("error", Style::Error, &message);
                failed.push(json!({ "file": Text(file.as_encoded_bytes()).to_string(), "message": message }));
            }
        }
    }
    let printed = match arguments.format {
        Format::Human => output::print(&formats::human(&lists)),
        Format::Csv => output::print(&formats::csv(&lists)?),
        Format::Html => output::print(&formats::html(&lists)),
        Format::Json => crate::json::print(&json!({
            "version": 1,
            "profile": arguments.profile.name,
            "files": lists.iter().map(formats::json).collect::<Vec<_>>(),
            "failed": failed,
        })),
    };
    match printed {
        // The exit status is correct even if the output is not read.
        Ok(()) | Err(Failure::Closed) => Ok(if failed.is_empty() { 0 } else { crate::FAILED }),
        Err(failure) => Err(failure),
    }
}
