//! `robots fetch`: what a site answers for its robots.txt, what that means, and how long it holds.

mod changes;
mod human;
mod json;
mod time;

use std::time::SystemTime;

use lexopt::{Arg, Parser};
use robots_fetch::Access;
use serde_json::{Value, json};

pub(crate) use self::human::human;
pub(crate) use self::json::json;
use crate::arguments::{self, Format, Reading};
use crate::failure::{Failure, Result};
use crate::network::Network;
use crate::output;

pub(crate) const HELP: &str = concat!(
    "\
What a site answers for its robots.txt: the requests and redirects, the status, how long it holds, what crawlers may do
now and what would change that.

Usage: robots fetch [OPTION]... URL

Options:
  -p, --profile NAME      what answers mean: rfc9309 (default), google, draft-koster-rep-00, koster-1996
      --format NAME       human (default) or json, which robots-fetch/schema/fetch.json describes
",
    crate::network::help!(),
    "  -h, --help              this help

Any URL of the site will do, by http, https or ftp. The site is asked, whatever is kept; what is kept of it tells what to ask for, and since
when there is an outage, and is renewed.

Exit status: 0 if crawlers may do something: what the rules let them, or everything; 1 if nothing; 2 if something is
wrong.

Examples:
  robots fetch https://example.com
  robots fetch --profile google --format json https://www.example.com/page
"
);

/// The command, from its arguments on.
pub(crate) fn run(mut parser: Parser) -> Result<u8> {
    let mut network = Network::default();
    let mut reading = Reading::default();
    let mut format = Format::Human;
    let mut url = None;
    while let Some(arg) = parser.next()? {
        if let Some(option) = Network::option(&arg) {
            network.set(option, &mut parser)?;
            continue;
        }
        match arg {
            Arg::Short('h') | Arg::Long("help") => return crate::help(HELP),
            Arg::Short('p') | Arg::Long("profile") => reading = Reading::of(&parser.value()?)?,
            Arg::Long("format") => format = Format::of(&parser.value()?)?,
            Arg::Value(value) if url.is_none() => url = Some(value),
            other => return Err(other.unexpected().into()),
        }
    }
    let Some(url) = url else { return Err(Failure::told("no URL is given")) };
    let origin = arguments::origin(&url)?;
    let entry = network.sites(reading.access())?.refresh(&origin);
    let now = SystemTime::now();
    let printed = match format {
        Format::Human => output::print(&human(&origin, &entry, now)),
        Format::Json => {
            let mut value = json!({ "version": 1, "profile": reading.name });
            if let (Some(fields), Value::Object(site)) = (value.as_object_mut(), json(&origin, &entry, now)) {
                fields.extend(site);
            }
            crate::json::print(&value)
        }
    };
    match printed {
        // The status is an answer of its own.
        Ok(()) | Err(Failure::Closed) => Ok(u8::from(matches!(entry.access(now), Access::Nothing(_)))),
        Err(failure) => Err(failure),
    }
}
