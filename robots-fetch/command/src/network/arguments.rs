//! The arguments of commands that ask sites.

use core::time::Duration;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};

use super::resolve::Resolve;
use super::sites::Sites;
use crate::output::{self, Style};

/// The heading of these options in the help.
pub(crate) const SITES: &str = "Options for sites";

/// How requests are sent.
#[derive(Debug, Args)]
pub(crate) struct RequestArguments {
    /// The User-Agent header of requests [default: robots/VERSION]
    #[arg(long, value_name = "TEXT", help_heading = SITES, value_parser = OsStringValueParser::new().try_map(utf8))]
    pub(super) user_agent: Option<String>,

    /// The most time for a site, with all redirects and sitemaps
    #[arg(
        long,
        value_name = "SECONDS",
        help_heading = SITES,
        allow_negative_numbers = true,
        default_value = "30",
        value_parser = OsStringValueParser::new().try_map(|text| seconds(&text)),
    )]
    pub(super) timeout: Duration,

    /// Do not connect to loopback, private and other special addresses
    #[arg(long, help_heading = SITES, conflicts_with = "private_redirects")]
    pub(super) public_only: bool,

    /// Send the requests for this host and port to this address, such as www.example.com:443:192.0.2.7, to see what a server
    /// answers without the CDN that is before it. Give several for several hosts
    #[arg(long, value_name = "HOST:PORT:ADDRESS", help_heading = SITES, value_parser = OsStringValueParser::new().try_map(|text| utf8(text)?.parse::<Resolve>()))]
    pub(super) resolve: Vec<Resolve>,

    /// Follow redirects from public hosts, and sitemaps that files name, to private addresses, too
    #[arg(long, help_heading = SITES)]
    pub(super) private_redirects: bool,

    /// Ask sites through this proxy, in place of those of the environment
    #[arg(long, value_name = "URL", help_heading = SITES, value_parser = OsStringValueParser::new().try_map(utf8))]
    pub(super) proxy: Option<String>,

    /// Ask these hosts without a proxy (as NO_PROXY), or all hosts
    #[arg(
        long,
        value_name = "HOSTS",
        help_heading = SITES,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "*",
        value_parser = OsStringValueParser::new().try_map(utf8),
    )]
    pub(super) no_proxy: Option<String>,

    /// Trust the certificates in this file, too (PEM)
    #[arg(long, value_name = "FILE", help_heading = SITES)]
    pub(super) ca: Option<PathBuf>,
}

impl RequestArguments {
    /// Returns the addresses that are named for hosts.
    pub(crate) fn resolve(&self) -> &[Resolve] {
        &self.resolve
    }
}

impl Drop for RequestArguments {
    /// When the command has ended, it is known which addresses were used.
    fn drop(&mut self) {
        self.resolve.iter().for_each(Resolve::note_if_unused);
    }
}

/// Where robots.txt files are kept.
#[derive(Debug, Args)]
pub(crate) struct CacheArguments {
    /// The folder for robots.txt files [default: robots in your cache folder]
    #[arg(long, value_name = "DIR", help_heading = SITES, overrides_with = "no_cache")]
    pub(super) cache: Option<PathBuf>,

    /// Do not use files that were kept, and do not keep any
    #[arg(long, help_heading = SITES, overrides_with = "cache")]
    pub(super) no_cache: bool,
}

/// Returns the options about sites that the user gave, other than `--resolve`, which has its own note, and `--no-cache`, which
/// holds where nothing is asked.
pub(crate) fn given_options(command: &Command, matches: &ArgMatches) -> Vec<String> {
    let Some((name, matches)) = matches.subcommand() else { return Vec::new() };
    let arguments = command.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
    let is_given = |argument: &&Arg| {
        argument.get_help_heading() == Some(SITES)
            && !["resolve", "no_cache"].contains(&argument.get_id().as_str())
            && matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine)
    };
    arguments
        .filter(is_given)
        .filter_map(|given| given.get_long())
        .map(|name| format!("`--{name}`"))
        .collect()
}

/// Says so if options about sites were given to a command that asked no site.
pub(crate) fn note_without_effect(given: &[String]) {
    if !given.is_empty() && !Sites::was_any_asked() {
        let (names, has) = (given.join(", "), if given.len() == 1 { "has" } else { "have" });
        output::complain("note", Style::Note, &format!("{names} {has} no effect, because no site was asked"));
    }
}

/// Returns `text` as UTF-8.
pub(crate) fn utf8(text: OsString) -> Result<String, &'static str> {
    text.into_string().map_err(|_| "expected UTF-8")
}

/// Returns the duration of a number of seconds: more than 0, and at most a day.
fn seconds(text: &OsStr) -> Result<Duration, &'static str> {
    let number = text.to_str().and_then(|text| text.parse().ok());
    let duration = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration
        .filter(|time| !time.is_zero() && *time <= Duration::from_secs(24 * 60 * 60))
        .ok_or("expected a number of seconds, more than 0 and at most 86400")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_more_than_0_and_at_most_a_day() {
        assert_eq!(seconds("0.25".as_ref()), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("86400".as_ref()), Ok(Duration::from_secs(86_400)));
        for text in ["0", "-1", "86401", "inf", "NaN", "1e300", "", "ten", "\u{202E}"] {
            assert!(seconds(text.as_ref()).is_err(), "{text}");
        }
    }
}
