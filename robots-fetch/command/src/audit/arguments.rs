//! The arguments of `robots audit`.

use std::ffi::OsString;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::arguments::{CatalogueFile, NamedProfile, OneOf};
use crate::names::CatalogueArguments;
use crate::network::{RequestArguments, SITES};
use crate::output::csv::CsvArguments;

/// Checks many sites for many crawlers and URLs
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Files, folders of files, URLs of sites, git:REV:PATH, or `-` for a file from standard input
    #[arg(value_name = "INPUT", required_unless_present = "lists")]
    pub(super) inputs: Vec<OsString>,

    /// A file with an input on each line, or `-` for standard input; a line such as example.com is a site by https. In a list whose
    /// name ends in .csv or .tsv, each line has the input in one of its columns. Give several for several lists
    #[arg(long = "list", value_name = "FILE")]
    pub(super) lists: Vec<OsString>,

    /// The column of the lists that has the inputs: its name in the first line, or its number from 1 [default: the one named site,
    /// url, website, domain, host, origin or robots, or else the first one with a URL or a host]
    #[arg(long, value_name = "COLUMN", requires = "lists")]
    pub(super) column: Option<String>,

    /// The crawler; NAME,NAME is one crawler that tries its names in this order. Give several for several crawlers [default: `*`]
    #[arg(short, long = "agent", value_name = "NAME")]
    pub(super) agents: Vec<OsString>,

    #[command(flatten)]
    pub(super) catalogue: CatalogueArguments,

    #[command(flatten)]
    _catalogue_file: CatalogueFile,

    /// Check the URLs of this list: a file with a URL, a path or a line of an access log on each line, a sitemap, `-` for standard
    /// input, or the URL of a sitemap. A whole URL is checked only for its site; files are those of any site
    #[arg(long, value_name = "FILE-OR-URL")]
    pub(super) urls: Option<OsString>,

    /// Also check the URLs of the sitemaps that each robots.txt names, and report those that are disallowed
    #[arg(long)]
    pub(super) sitemaps: bool,

    /// Also fetch the pages at the URLs of --urls and --sitemaps that a crawler may fetch, and report whether they may be indexed, and
    /// their problems (see `robots page --help`)
    #[arg(long)]
    pub(super) pages: bool,

    /// The most pages of a site [default: 500]. Pages beyond this number are left out; beyond the default, that is an error
    #[arg(long, value_name = "NUMBER", requires = "pages", allow_negative_numbers = true, value_parser = number(1_000_000))]
    pub(super) max_pages: Option<usize>,

    /// Check that crawlers have the access that this file describes (see `robots expect --help`), and do not report what it wants to
    /// be blocked. Without --agent, the crawlers are `*` and those that the file names
    #[arg(long, value_name = "FILE")]
    pub(super) expect: Option<OsString>,

    /// The environment of the inputs in the file of --expect, such as staging [default: the one for which the file names the input]
    #[arg(short, long, value_name = "NAME", requires = "expect")]
    pub(super) environment: Option<String>,

    /// The most URLs of the sitemaps of a site [default: 50000]. URLs beyond this number are left out; beyond the default, that is an
    /// error
    #[arg(long, value_name = "NUMBER", requires = "sitemaps", allow_negative_numbers = true, value_parser = number(1_000_000))]
    pub(super) max_urls: Option<usize>,

    /// The document by which files and answers are read; with auto, Google's crawlers are read as google, and all others as rfc9309
    #[arg(short, long, value_name = "NAME", value_parser = NamedProfile::parser_for_crawlers(), default_value = NamedProfile::auto_name())]
    pub(super) profile: NamedProfile,

    /// The output format
    #[arg(long, value_name = "NAME", value_parser = Format::parser(), default_value = "human")]
    pub(super) format: Format,

    #[command(flatten)]
    pub(super) csv: CsvArguments,

    /// The title of the format html [default: Access of crawlers]
    #[arg(long, value_name = "TEXT")]
    pub(super) title: Option<String>,

    /// For whom the page of the format html is
    #[arg(long, value_name = "TEXT")]
    pub(super) client: Option<String>,

    /// The most inputs that are checked at a time
    #[arg(long, value_name = "NUMBER", help_heading = SITES, default_value = "16", allow_negative_numbers = true, value_parser = number(256))]
    pub(super) jobs: usize,

    #[command(flatten)]
    pub(super) requests: RequestArguments,
}

/// Accepts the numbers from 1 to `most`.
fn number(most: usize) -> impl TypedValueParser<Value = usize> {
    OsStringValueParser::new().try_map(move |text| {
        let number = text.to_str().and_then(|text| text.parse().ok());
        number
            .filter(|number| (1..=most).contains(number))
            .ok_or_else(|| format!("expected a number from 1 to {most}"))
    })
}

const HELP: &str = "\
Without --urls, there is a row for each input and crawler: whether everything is
allowed, parts, or nothing. With --urls, there is a row for each input, crawler
and URL. An input that fails is a row, too, and so is an input without a URL of
the list. Lines without a URL, and URLs that belong to no input, are counted. If
no URL of the list belongs to an input, that is an error.

With --expect, there is also a row for each URL and pattern of the file that a
crawler may access and should not, or the other way round. A crawler that is
blocked as the file wants is no finding.

With --pages, there is also a row for each page and crawler: indexable;
not-indexable, with the rule of the page that prevents it; url-only, because
robots.txt disallows the page; or unknown. Its flags are problems of the page,
which `robots lint --explain CODE` explains. Pages of a site are requested one
by one, with its Crawl-delay between them (at most 10 seconds), or else a
quarter of a second. --timeout holds for each page, with all redirects. After 3
pages in a row without an answer, no more pages of the site are requested.

With --sitemaps, the format human shows 20 or more disallowed URLs of a site by
the lines that decide, with numbers and samples; csv and jsonl have each URL.

A folder stands for all files in it and in its folders, whatever their names.
Files and folders whose names begin with a dot are left out, and so are pipes,
devices and links to folders. A folder without such a file, and an empty list,
are errors.

The flags html, not-utf8, cut (at the size limit), accidental-group and
joined-records (on one line) mark files that crawlers may read in another way
than their owners mean; see `robots batch --help`.

A site that is named twice, such as with and without a slash at the end, is
asked once.

Rows are written in the order of the inputs. The format jsonl has an object on
each line, described by robots-fetch/schema/audit.json; sarif is SARIF 2.1.0;
html is one page that needs no network, with a summary, a table of sites by
crawlers, and the rules that block, each with the number of its URLs.

Exit status:
  0  every URL is allowed; with --expect, or as it should be
  1  a URL is disallowed, a page may not be indexed, or a crawler may access
     nothing; with --expect, also if access is not as it should be, and not if
     it is blocked as it should be
  2  an error occurred: an input, a page or a sitemap could not be read, a site
     gave no answer, or URLs of a sitemap could not be checked; the others are
     reported

Examples:
  robots audit robots.txt https://example.com
  robots audit --list sites.txt --agent Googlebot --agent GPTBot
  robots audit --urls urls.txt --format csv https://example.com > audit.csv
  robots audit --sitemaps --agent Googlebot https://example.com
  robots audit --sitemaps --pages --agent Googlebot https://example.com
  robots audit --purpose ai --format html robots/ > report.html
  robots audit --list clients.csv --column website --format html > report.html
  robots audit --expect robots.expect.toml https://www.example.com
";

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Human,
    Csv,
    JsonLines,
    Sarif,
    Html,
}

impl Format {
    fn parser() -> OneOf<Self> {
        OneOf::new([
            ("human", Self::Human),
            ("csv", Self::Csv),
            ("jsonl", Self::JsonLines),
            ("sarif", Self::Sarif),
            ("html", Self::Html),
        ])
    }
}
