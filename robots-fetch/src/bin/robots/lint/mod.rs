//! `robots lint`: what in files is most likely not as it was meant.

mod checked_file;
mod github;
mod human;
mod json;
mod options;
mod replace_file;
mod sarif;

use core::fmt::Write as _;
use std::ffi::OsStr;

use lexopt::{Arg, Parser, ValueExt as _};
use robots_match::lint::{Code, Severity};
use serde_json::json;

use self::checked_file::{Checked, is_url};
use self::options::{Format, Options};
use crate::arguments::Reading;
use crate::failure::{Failure, Result};
use crate::network::Network;
use crate::output;
use crate::text::Text;

pub(crate) const HELP: &str = concat!(
    "\
What in robots.txt files has no effect, is not read by all alike, or is most likely not as it was meant.

Usage: robots lint [OPTION]... FILE-OR-URL...
       robots lint --explain CODE
       robots lint --list

Options:
      --deny LEVEL        the least severity for which the exit status is 1: note, warning (default), error
      --format NAME       human (default), json (robots-fetch/schema/lint.json describes it), sarif (2.1.0), github
      --fix               write those corrections into the files that change no verdict for any crawler, URL and profile
      --url URL           the URL of the file, for findings about URLs of its own origin
  -p, --profile NAME      how the file is read where profiles need not be told apart: rfc9309 (default), google,
                          draft-koster-rep-00, koster-1996
      --explain CODE      the page of documentation of a code
      --list              all codes
  -h, --help              this help

Options for sites that are asked:
",
    crate::network::requests_help!(),
    "
`-` reads standard input. What begins with http://, https:// or ftp:// is a site: any URL of it will do. It is asked for
its robots.txt each time, so that it is the one of this moment.

Exit status: 0 if nothing is found at or above the level, 1 if something is, 2 if something is wrong.

Examples:
  robots lint robots.txt
  robots lint https://example.com
  robots lint --deny error --format sarif robots.txt > robots.sarif
  robots lint --explain missing-colon
"
);

/// The command, from its arguments on.
pub(crate) fn run(mut parser: Parser) -> Result<u8> {
    let mut options = Options {
        deny: Severity::Warning,
        format: Format::Human,
        fix: false,
        url: None,
        reading: Reading::default(),
        network: Network::keeping_nothing(),
        files: Vec::new(),
    };
    while let Some(arg) = parser.next()? {
        if let Some(option) = Network::request_option(&arg) {
            options.network.set(option, &mut parser)?;
            continue;
        }
        match arg {
            Arg::Short('h') | Arg::Long("help") => return crate::help(HELP),
            Arg::Long("explain") => return explain(&parser.value()?),
            Arg::Long("list") => return list(),
            Arg::Long("deny") => options.deny = severity(&parser.value()?)?,
            Arg::Long("format") => options.format = Format::of(&parser.value()?)?,
            Arg::Long("fix") => options.fix = true,
            Arg::Long("url") => options.url = Some(parser.value()?.string()?),
            Arg::Short('p') | Arg::Long("profile") => options.reading = Reading::of(&parser.value()?)?,
            Arg::Value(file) => options.files.push(file),
            other => return Err(other.unexpected().into()),
        }
    }
    if options.files.is_empty() {
        return Err(Failure::told("neither a file nor a URL is given"));
    }
    if options.fix && options.files.iter().any(|file| file == "-") {
        return Err(Failure::told("standard input can't be corrected; name a file"));
    }
    if options.fix && options.files.iter().any(|file| is_url(file)) {
        return Err(Failure::told("what a site answers can't be corrected there; name a file"));
    }
    let mut checked = Vec::new();
    let mut is_denied = false;
    for path in &options.files {
        let file = Checked::of(path, &options)?;
        is_denied |= file.report.severest().is_some_and(|severity| severity >= options.deny);
        checked.push(file);
        // What people read, and machines that read line by line, is written as it comes.
        if matches!(options.format, Format::Human | Format::Github) {
            let text = checked.iter().map(|file| {
                if options.format == Format::Human { human::human(file) } else { github::github(file) }
            });
            match output::print(&text.collect::<String>()) {
                Ok(()) | Err(Failure::Closed) => checked.clear(),
                Err(failure) => return Err(failure),
            }
        }
    }
    let printed = match options.format {
        Format::Human | Format::Github => Ok(()),
        Format::Json => crate::json::print(&json!({
            "version": 1,
            "profile": options.reading.name,
            "files": checked.iter().map(json::json).collect::<Vec<_>>(),
        })),
        Format::Sarif => crate::json::print(&sarif::sarif(&checked)),
    };
    match printed {
        Ok(()) | Err(Failure::Closed) => Ok(u8::from(is_denied)),
        Err(failure) => Err(failure),
    }
}

fn severity(name: &OsStr) -> Result<Severity> {
    Severity::ALL.into_iter().find(|severity| name == severity.name()).ok_or_else(|| {
        let name = Text(name.as_encoded_bytes());
        Failure::told(format!("there is no level `{name}`; there are note, warning, error"))
    })
}

fn explain(name: &OsStr) -> Result<u8> {
    let code = name.to_str().and_then(Code::named).ok_or_else(|| {
        let name = Text(name.as_encoded_bytes());
        Failure::told(format!("there is no code `{name}`; `robots lint --list` lists them"))
    })?;
    output::print(code.page())?;
    Ok(0)
}

fn list() -> Result<u8> {
    let mut text = String::new();
    for code in Code::ALL {
        let _ = writeln!(text, "{:<22} {:<8} {}", code.name(), code.severity().name(), code.title());
    }
    output::print(&text)?;
    Ok(0)
}
