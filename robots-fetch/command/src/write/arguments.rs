//! The arguments of `robots write`.

use std::ffi::OsString;

use clap::Args;

use crate::arguments::{CatalogueFile, NamedProfile, OneOf};
use crate::network::{RequestArguments, utf8};
use clap::builder::{OsStringValueParser, TypedValueParser as _};

/// Writes rules that block or allow kinds of crawlers, and proves what changes
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Crawlers that may access nothing: a purpose, such as ai-training, a name, or `*` for all that are not named. Give several,
    /// or a list with commas, for several kinds
    #[arg(
        long,
        value_name = "PURPOSE-OR-NAME",
        required_unless_present_any = ["allow", "content_signal", "content_usage"],
        value_parser = OsStringValueParser::new().try_map(utf8),
    )]
    pub(super) block: Vec<String>,

    /// Crawlers that may access the site: a purpose, such as search, a name, or `*`. Give several, or a list with commas, for
    /// several kinds
    #[arg(long, value_name = "PURPOSE-OR-NAME", value_parser = OsStringValueParser::new().try_map(utf8))]
    pub(super) allow: Vec<String>,

    /// Also write a Content-Signal line into each group, such as "search=yes, ai-train=no"
    #[arg(long, value_name = "SIGNALS", value_parser = OsStringValueParser::new().try_map(utf8))]
    pub(super) content_signal: Option<String>,

    /// Also write a Content-Usage line into each group, such as train-ai=n
    #[arg(long, value_name = "PREFERENCES", value_parser = OsStringValueParser::new().try_map(utf8))]
    pub(super) content_usage: Option<String>,

    /// The robots.txt into which the rules are written: a file, `-` for standard input, git:REV:PATH, or the URL of a site
    /// [default: a new file]
    #[arg(long, value_name = "FILE-OR-URL")]
    pub(super) into: Option<OsString>,

    /// Replace the file of --into; otherwise the result is printed
    #[arg(long, requires = "into")]
    pub(super) in_place: bool,

    #[command(flatten)]
    _catalogue_file: CatalogueFile,

    /// The document by which the file is read, and what changes is proved; with auto, Google's crawlers are read as google, and all
    /// others as rfc9309
    #[arg(short, long, value_name = "NAME", value_parser = NamedProfile::parser_for_crawlers(), default_value = NamedProfile::auto_name())]
    pub(super) profile: NamedProfile,

    /// The output format: the file, with the report on standard error; or the file and the report as JSON
    #[arg(long, value_name = "NAME", value_parser = Format::parser(), default_value = "text")]
    pub(super) format: Format,

    #[command(flatten)]
    pub(super) requests: RequestArguments,
}

const HELP: &str = "\
A crawler that is blocked gets the rule `Disallow: /`. One that is allowed, and
may not access `/` at present, keeps its other rules: only those that disallow
`/` are left out. If none are left, it gets the rules for `*`. One that may
access `/` keeps all its rules, and no group is written for it. A crawler of the
catalogue that would have other rules because of a new group, such as one that
also obeys groups for Googlebot, gets a group with the rules that it had, also
those for `*`.

All other lines stay, with their comments; the report lists those that are
removed. Where a group is for several crawlers, only the names that change are
taken out of it. Nothing is written unless it is proved that each crawler has
the access that it should have, and that nothing changes for all others: those
of the catalogue, those that the file names, and `*`.

Purposes are those of `robots crawlers`; ai is every purpose of AI products. A
name counts more than a purpose, and a purpose more than ai.

Content-Signal and Content-Usage lines are written only if they are asked for,
into each group that the file has, because a crawler obeys only its own one.
They change no access. A new group for a crawler that keeps or gets access has
the lines that applied to it before; the group of a blocked one has what they
refuse, without what they permit.

A robots.txt is a request: it keeps out only crawlers that obey it. The report
names those that may ignore it. It states a preference, and is not legal advice.

The format json is described by robots-fetch/schema/write.json.

Exit status:
  0  the file is written, also if nothing had to change
  2  an error occurred, or the result could not be proved; nothing is written

Examples:
  robots write --block ai-training --allow search
  robots write --block ai-training --into robots.txt --in-place
  robots write --block ai --allow OAI-SearchBot --into https://example.com
  robots write --block '*' --allow search --into robots.txt
";

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
}

impl Format {
    fn parser() -> OneOf<Self> {
        OneOf::new([("text", Self::Text), ("json", Self::Json)])
    }
}
