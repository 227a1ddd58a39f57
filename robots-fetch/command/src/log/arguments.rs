//! The arguments of `robots log`.

use std::ffi::OsString;

use clap::Args;

use super::dns::NameServers;
use crate::arguments::{CatalogueFile, NamedProfile, OneOf};
use crate::names::CatalogueArguments;

/// Shows which crawlers request what a robots.txt disallows, by access logs
#[derive(Clone, Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Access logs: files, folders of them, or `-` for standard input, which is the default. They may be compressed with gzip
    /// or zstd
    #[arg(value_name = "LOG")]
    pub(super) logs: Vec<OsString>,

    /// The robots.txt: a file, `-`, or git:REV:PATH. TIME is the date or the time of RFC 3339 from which it was served; HOST is
    /// its host in logs of several. Give one for each version and host
    #[arg(long, value_name = "[HOST=][TIME=]FILE")]
    pub(super) robots: Vec<OsString>,

    /// All versions of a file in the Git repository of this folder, each from the time of its commit on
    #[arg(long, value_name = "[HOST=]git:PATH")]
    pub(super) history: Vec<OsString>,

    /// The time from a commit until it is served, such as `10m`
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = duration, requires = "history")]
    pub(super) served_after: u64,

    /// The time for which crawlers may use the version before (RFC 9309, section 2.4)
    #[arg(long, value_name = "DURATION", default_value = "24h", value_parser = duration)]
    pub(super) grace: u64,

    /// The max-age with which robots.txt was served: Google's crawlers may use a version so long
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = duration)]
    pub(super) max_age: u64,

    /// The published ranges of a crawler, or of all crawlers of an operator: `operator:OpenAI=FILE`. A folder has a file
    /// NAME.json or NAME.txt for each
    #[arg(long, value_name = "[NAME=]FILE")]
    pub(super) ranges: Vec<OsString>,

    /// Also verify crawlers by the names of their addresses, where the catalogue has the domains of their operators: the name of an
    /// address is looked up, and the addresses of that name. The name servers of the system are asked, or the one at an address.
    /// Logs are read twice
    #[arg(
        long,
        value_name = "ADDRESS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "system",
        value_parser = NameServers::parse
    )]
    pub(super) dns: Option<NameServers>,

    /// Where the address of the client is: `remote`, `forwarded:N` (the Nth of X-Forwarded-For from the right), or the name of a
    /// JSON field
    #[arg(long, value_name = "FIELD", default_value = "remote")]
    pub(super) address: String,

    /// The format: combined, vhost, w3c, cloudfront, alb, json, envoy, s3, proxy-manager, bunny, or a format string of Apache or
    /// nginx. It is recognized if this is not given
    #[arg(long, value_name = "NAME")]
    pub(super) log_format: Option<String>,

    /// The name of a field of JSON logs: time, address, host, target, method, status or agent, and the name in the log
    #[arg(long, value_name = "NAME=FIELD")]
    pub(super) fields: Vec<String>,

    /// The offset of times that have none, such as `+01:00`. Without it, they are in UTC
    #[arg(long, value_name = "OFFSET", allow_hyphen_values = true)]
    pub(super) time_zone: Option<String>,

    /// The log has only a sample of the requests: leaves out what depends on their order
    #[arg(long)]
    pub(super) sampled: bool,

    /// Only requests from this date or time on
    #[arg(long, value_name = "TIME")]
    pub(super) since: Option<String>,

    /// Only requests before this date or time
    #[arg(long, value_name = "TIME")]
    pub(super) until: Option<String>,

    /// Only this crawler. Give several for several crawlers
    #[arg(short, long = "agent", value_name = "NAME")]
    pub(super) agents: Vec<String>,

    #[command(flatten)]
    pub(super) catalogue: CatalogueArguments,

    #[command(flatten)]
    _catalogue_file: CatalogueFile,

    /// The document by which files are read; with auto, Google's crawlers are read as google, and all others as rfc9309
    #[arg(short, long, value_name = "NAME", value_parser = NamedProfile::parser_for_crawlers(), default_value = NamedProfile::auto_name())]
    pub(super) profile: NamedProfile,

    /// Also crawlers without a disallowed request, and each unlisted one
    #[arg(long)]
    pub(super) all: bool,

    /// The most paths of each crawler
    #[arg(long, value_name = "N", default_value = "5")]
    pub(super) top: usize,

    /// Show queries of paths. They may contain what people typed
    #[arg(long)]
    pub(super) queries: bool,

    /// Show the networks of crawlers, or with `--addresses=full` their addresses: those with the most requests
    #[arg(
        long,
        value_name = "KIND",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "networks",
        value_parser = Addresses::parser()
    )]
    pub(super) addresses: Option<Addresses>,

    /// What gives status 1: disallowed, claimed, unread, delay, unverified or none. Give several for several
    #[arg(long, value_name = "KIND", value_parser = Deny::parser(), default_value = "disallowed")]
    pub(super) deny: Vec<Deny>,

    /// How many threads judge lines
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) threads: u16,

    /// The output format
    #[arg(long, value_name = "NAME", value_parser = Format::parser(), default_value = "human")]
    pub(super) format: Format,
}

const HELP: &str = "\
Compares each request of a crawler with the robots.txt that was in force. A
disallowed request is one that the file disallows, also if bytes are compared
as they are written; others are disputed. In the grace time after a change, a
crawler may still use the version before. Requests only say by their
User-Agent header who they are of, unless --ranges or --dns is given. An
address for which no name server answers is neither verified nor unverified:
this is an error, and the report has the rest. The addresses of an old log may
be those of others by now.

No addresses, queries or referrers are shown, unless they are asked for, and
nothing is stored or sent. With --dns, name servers see the addresses.

Of zstd, windows of up to 8 MiB are read, and 128 MiB in all logs of the same
time. `zstd --long` and `zstd --ultra` need more for a log that is larger:
decompress it first, as with `zstd -d --long=31`.

The format json is described by robots-fetch/schema/log.json. The format html
is one page without scripts.

Exit status:
  0  crawlers obey, or only what --deny does not name was found
  1  a crawler made a disallowed request after the grace time; with --ranges or
     --dns, one from an address of the crawler. People's fetchers do not count
  2  an error occurred; other logs are reported
Kinds of --deny:
  disallowed  disallowed requests; with --ranges or --dns, only verified ones
  claimed     also disallowed requests of crawlers whose addresses can't be
              verified, because there are no ranges or domains for them
  unread      crawlers that do not ask for robots.txt for a day
  delay       gaps that are too short, of crawlers that read Crawl-delay
  unverified  requests from addresses that are not the crawler's
  none        nothing

Examples:
  robots log --robots robots.txt access.log
  robots log --robots robots.txt access.log access.log.1 access.log.2.gz
  robots log --robots 2025-11-01=old.txt --robots 2025-11-10=new.txt logs/
  robots log --history git:static/robots.txt --ranges ranges/ logs/
  robots log --robots robots.txt --dns access.log
  robots log --robots a.example=a.txt --robots b.example=b.txt vhosts.log
  robots log --robots robots.txt --format html logs/ > report.html
";

/// How figures are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Human,
    Json,
    Jsonl,
    Csv,
    Html,
}

impl Format {
    fn parser() -> OneOf<Self> {
        OneOf::new([
            ("human", Self::Human),
            ("json", Self::Json),
            ("jsonl", Self::Jsonl),
            ("csv", Self::Csv),
            ("html", Self::Html),
        ])
    }
}

/// What is shown of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Addresses {
    Networks,
    Full,
}

impl Addresses {
    fn parser() -> OneOf<Self> {
        OneOf::new([("networks", Self::Networks), ("full", Self::Full)])
    }
}

/// What gives the exit status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deny {
    Disallowed,
    Claimed,
    Unread,
    Delay,
    Unverified,
    None,
}

impl Deny {
    fn parser() -> OneOf<Self> {
        OneOf::new([
            ("disallowed", Self::Disallowed),
            ("claimed", Self::Claimed),
            ("unread", Self::Unread),
            ("delay", Self::Delay),
            ("unverified", Self::Unverified),
            ("none", Self::None),
        ])
    }
}

/// Reads a duration such as `90s`, `10m`, `24h` and `7d`, in seconds.
fn duration(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.as_bytes().last() {
        Some(b's') => (text.strip_suffix('s'), 1),
        Some(b'm') => (text.strip_suffix('m'), 60),
        Some(b'h') => (text.strip_suffix('h'), 3600),
        Some(b'd') => (text.strip_suffix('d'), 86_400),
        // Hours and seconds differ too much to guess.
        Some(b'0'..=b'9')
            if text.bytes().all(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte != b'0') =>
        {
            return Err(format!(
                "a number without a unit; write `{text}h` for hours, or `{text}s` for seconds"
            ));
        }
        _ => (Some(text), 1),
    };
    let number = number.and_then(|number| number.parse::<u64>().ok());
    let seconds =
        number.and_then(|number| number.checked_mul(unit)).filter(|seconds| *seconds <= 1_000_000_000);
    seconds.ok_or_else(|| "expected a duration such as 90s, 10m, 24h or 7d".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!((duration("90s"), duration("0")), (Ok(90), Ok(0)));
        for text in ["24", "20", "3600"] {
            assert!(duration(text).unwrap_err().contains(&format!("`{text}h`")), "{text}");
        }
        assert_eq!(duration("24h"), Ok(86_400));
        assert_eq!(duration("7d"), Ok(604_800));
        for text in ["", "h", "-1", "1w", "99999999999999999999", "é"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
