//! `robots fetch`: what a site answers for its robots.txt, what the answer means, and how long it is fresh.

mod changes;
mod human;
mod json;
mod time;

use std::ffi::{OsStr, OsString};
use std::time::SystemTime;

use robots_fetch::{Access, Entry, Origin};
use robots_match::Crawler;

pub(crate) use self::human::human;
pub(crate) use self::json::{Output, SiteDocument};
pub(crate) use self::time::time;
use crate::arguments::{Format, SiteArguments, access_help, origin};
use crate::failure::{Failure, Result, status};
use crate::output;
use crate::replace_file::write_file;
use crate::source::require_name;
use crate::subject::site_answer;
use crate::text::Text;
use crate::verdict::is_unanswered;

/// Fetches the robots.txt of a site, and shows what the answer means
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Any URL of the site, by http, https or ftp
    url: OsString,

    /// Write the file that the site sent to this file, byte by byte, or to standard output (`-`) in place of the report
    #[arg(long, value_name = "FILE")]
    output: Option<OsString>,

    #[command(flatten)]
    site: SiteArguments,
}

const HELP: &str = concat!(
    "\
Shows the requests and redirects, the status, how long the answer is fresh, what
crawlers may do now, and what would change that. The site is asked each time. A
file that was kept makes the request conditional, shows since when the site is
unreachable, and is replaced.

The format json is described by robots-fetch/schema/fetch.json.

",
    access_help!(),
    "
Exit status:
  0  crawlers may access what the rules allow, or everything
  1  crawlers may access nothing
  2  an error occurred, or the site gave no answer

Examples:
  robots fetch https://example.com
  robots fetch --profile google --format json https://www.example.com/page
  robots fetch --access outage=file-at-once https://example.com
  robots fetch --output robots.txt https://example.com
"
);

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let Arguments { url, output, site } = arguments;
    let origin = origin(url)?;
    let entry = site.network().sites(site.site_profile(), Crawler::unnamed())?.refresh(&origin);
    let now = SystemTime::now();
    if let Some(path) = output {
        write(path, &origin, &entry)?;
    }
    let printed = match site.format {
        _ if output.as_ref().is_some_and(|path| path == "-") => Ok(()),
        Format::Human => output::print(human(&origin, &entry, now)),
        Format::Json => output::json::print(&Output {
            version: 1,
            profile: site.profile.document,
            site: SiteDocument::new(&origin, &entry, now),
        }),
    };
    let has_no_answer = site_answer(&entry, now).is_some_and(|answer| is_unanswered(&answer));
    output::ended(printed, status(has_no_answer, matches!(entry.access(now), Access::Nothing(..))))
}

/// Writes the file that the site sent.
///
/// # Errors
///
/// The last answer has no file: an older one, or an empty one, would look like what the site has.
fn write(path: &OsStr, origin: &Origin, entry: &Entry) -> Result<()> {
    require_name(path)?;
    let site = Text(origin.as_str().as_bytes());
    let file = entry.good_file().filter(|_| entry.cause().is_none()).ok_or_else(|| {
        let cause = entry.cause().map(ToString::to_string).unwrap_or_default();
        Failure::new(format!("{site} sent no robots.txt ({}), so nothing is written", Text(cause.as_bytes())))
    })?;
    // What is edited and put back must not lack lines.
    if file.dropped() > 0 {
        return Err(Failure::new(format!(
            "the robots.txt of {site} is over the size limit of crawlers, and only {} bytes were kept, so nothing is written",
            file.robots.body().len()
        )));
    }
    if path == "-" {
        return output::print_bytes(file.robots.body());
    }
    write_file(path, file.robots.body())
}
