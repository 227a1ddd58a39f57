//! The arguments of `robots expect`.

use std::ffi::OsString;

use clap::Args;

use crate::arguments::{CatalogueFile, NamedProfile, OneOf};
use crate::network::RequestArguments;

/// Checks that crawlers may access what they should, and nothing else
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The robots.txt: URLs of sites, files, git:REV:PATH, or `-` for standard input [default: those that the file of wanted access
    /// names]. A first argument that ends in .toml or .csv is the file of wanted access [default: robots.expect.toml]
    #[arg(value_name = "FILE-OR-URL")]
    pub(super) inputs: Vec<OsString>,

    /// The environment of the inputs, such as staging [default: the one for which the file names the input]
    #[arg(short, long, value_name = "NAME")]
    pub(super) environment: Option<String>,

    #[command(flatten)]
    _catalogue_file: CatalogueFile,

    /// Also show what is as it should be
    #[arg(long)]
    pub(super) all: bool,

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
The file of wanted access is TOML:

  [environments]
  production = ['https://www.example.com']
  staging = ['https://staging.example.com']

  [[expect]]
  purposes = ['search']
  patterns = ['/shop/']
  urls = ['/', 'https://www.example.com/page']
  access = 'allowed'
  environments = ['production']
  reason = 'The shop has to be found'

  [[expect]]
  crawlers = ['*', 'GPTBot']
  patterns = ['/']
  access = 'disallowed'
  environments = ['staging']

`crawlers` are names, `*` for all that no group names; `purposes` are those of
`robots crawlers`. `urls` are checked one by one. `patterns` are written as in
rules, and it is proved that all URLs that they match are allowed, or
disallowed; otherwise a shortest path is shown that is not. A whole URL is
checked only for its site, and in files. Without `environments`, an entry holds
for all. The names of files below [environments] begin in the folder of the
file.

The same file as CSV has the columns crawler, purpose, url, pattern, access,
environment and reason, in any order and separated by commas, semicolons or
tabs. Each line has one crawler or purpose, and one URL or pattern.

The format json is described by robots-fetch/schema/expect.json; junit is XML
for test reports; github writes workflow commands; sarif is SARIF 2.1.0.

Exit status:
  0  everything is as it should be
  1  something is not
  2  an error occurred: an input could not be read or is not a robots.txt file,
     such as an HTML page, a site gave no answer, or nothing is known about an
     entry; the others are checked

Examples:
  robots expect robots.txt --environment production
  robots expect https://www.example.com
  robots expect wanted.csv --format junit robots.txt > report.xml
";

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Human,
    Json,
    Junit,
    Github,
    Sarif,
}

impl Format {
    fn parser() -> OneOf<Self> {
        OneOf::new([
            ("human", Self::Human),
            ("json", Self::Json),
            ("junit", Self::Junit),
            ("github", Self::Github),
            ("sarif", Self::Sarif),
        ])
    }
}
