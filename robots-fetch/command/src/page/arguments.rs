//! The arguments of `robots page`.

use std::ffi::OsString;

use clap::Args;
use robots_fetch::page::{PageDocument, Question};

use crate::arguments::{CatalogueFile, OneOf, SiteArguments, access_help};
use crate::network::SITES;

/// Shows whether pages may be indexed, quoted and used, and what prevents it
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// URLs of pages, files of HTML, or `-` for standard input
    #[arg(value_name = "URL|FILE", required = true)]
    pub(super) inputs: Vec<OsString>,

    /// The name of a crawler; give several for several [default: Googlebot, bingbot, YandexBot, GPTBot]
    #[arg(short = 'a', long = "agent", value_name = "NAME")]
    pub(super) agents: Vec<OsString>,

    /// A file with the response fields of the files, one `Name: value` a line, such as `curl -I` writes; the last response counts
    #[arg(long, value_name = "FILE")]
    pub(super) headers: Option<OsString>,

    /// The document by which all crawlers are read [default: that of each crawler's operator]
    #[arg(long, value_name = "NAME", value_parser = documents())]
    pub(super) document: Option<PageDocument>,

    /// Exit with status 1 if this is prevented or limited, or the page may not be fetched; give several for several [default: index]
    #[arg(long, value_name = "USE", value_parser = questions())]
    pub(super) deny: Vec<Question>,

    /// Fetch pages, too, that the crawlers may not fetch, to find rules that they can't see
    #[arg(long, help_heading = SITES)]
    pub(super) look_anyway: bool,

    #[command(flatten)]
    _catalogue_file: CatalogueFile,

    #[command(flatten)]
    pub(super) site: SiteArguments,
}

fn questions() -> OneOf<Question> {
    let limiting = Question::ALL.iter().filter(|question| **question != Question::UnavailableAfter);
    OneOf::new(limiting.map(|question| (question.name(), *question)))
}

fn documents() -> OneOf<PageDocument> {
    OneOf::new(PageDocument::ALL.iter().map(|document| (document.name(), *document)))
}

const HELP: &str = concat!(
    "\
The site is asked for its robots.txt first. A page that a crawler may not fetch
has rules that the crawler can't see: its URL may still be listed. Redirects are
followed, and each hop is checked. Each crawler is read by the document of its
operator, or else by draft-illyes-repext-03. A file is read as if it may be
fetched.

A preference about training, answers or search is unknown if nothing states it;
that prevents nothing. Parts of a page with `data-nosnippet` are noted, and do
not limit `--deny snippet`: the rest of the page may be quoted. Notes also name
what may bring another page into the index: a canonical URL, a refresh.

",
    access_help!(),
    "
Exit status:
  0  nothing prevents or limits the uses of --deny
  1  something does
  2  an error occurred, a site did not answer with its robots.txt or the page,
     what it sent is not an HTML page although it should be one, or its rules
     could not be read to their end

Examples:
  robots page https://example.com/report
  robots page --agent Googlebot --format json https://example.com/report
  robots page --headers response.txt page.html
"
);
