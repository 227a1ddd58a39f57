//! `robots batch`: verdicts on many files, crawlers and URLs, a line in and a line out.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;

use lexopt::{Arg, Parser};
use robots_fetch::batch::{Broken, answer};
use robots_match::Profile;

use crate::arguments::Reading;
use crate::failure::{Failure, Result, reason};
use crate::source::{self, Admitted};
use crate::text::Text;

pub(crate) const HELP: &str = "\
Verdicts on many files, crawlers and URLs: for each line of standard input one line of output, in the same order.

Usage: robots batch [OPTION]... < LINES

A line is FILE<TAB>AGENT<TAB>URL, where the URL is all of the rest; CR LF ends lines as LF does. Its answer is
  allowed<TAB>LINE      LINE is the number of the deciding line, 0 if none decides
  disallowed<TAB>LINE
  error<TAB>what        the line can't be used; the next ones are

A file and an agent are read and compiled once for a run of lines that name them: sort lines by file and agent. An
agent that is no product token is named by no group, so that groups for `*` apply. Lines may hold any octets, up to
1 MiB. Answers are written whenever no input is at hand.

Options:
  -p, --profile NAME   how files are read: rfc9309 (default), google, draft-koster-rep-00, koster-1996
  -h, --help           this help

Exit status: 0 if every line got its answer, errors among them; 2 if something else is wrong.

Example:
  printf 'robots.txt\\tExampleBot\\thttps://example.com/private\\n' | robots batch
";

/// The command, from its arguments on.
pub(crate) fn run(mut parser: Parser) -> Result<u8> {
    let mut reading = Reading::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return crate::help(HELP),
            Arg::Short('p') | Arg::Long("profile") => reading = Reading::of(&parser.value()?)?,
            other => return Err(other.unexpected().into()),
        }
    }
    let profile = &reading.profile;
    match answer(io::stdin().lock(), io::stdout().lock(), profile, |path| open(path, profile)) {
        Ok(()) => Ok(0),
        Err(Broken::Output(error)) => Err(Failure::of_output(&error)),
        Err(Broken::Input(error)) => {
            Err(Failure::told(format!("can't read standard input: {}", reason(&error))))
        }
        Err(other) => Err(Failure::told(other.to_string())),
    }
}

/// The octets of the file at this path, or why there are none.
fn open(path: &[u8], profile: &Profile) -> core::result::Result<Vec<u8>, String> {
    let unreadable = |why: &str| format!("can't read {}: {why}", Text(path));
    let os_path = os_path(path).ok_or_else(|| unreadable("no file has such a name"))?;
    source::read_file(&os_path, Admitted::Regular, profile).map_err(|error| unreadable(&reason(&error)))
}

/// The path with these octets, as far as the system has such.
#[cfg(unix)]
fn os_path(octets: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(PathBuf::from(OsStr::from_bytes(octets)))
}

#[cfg(not(unix))]
fn os_path(octets: &[u8]) -> Option<PathBuf> {
    core::str::from_utf8(octets).ok().map(|text| PathBuf::from(OsStr::new(text)))
}
