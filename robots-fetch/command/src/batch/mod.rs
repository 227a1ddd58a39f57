//! `robots batch`: verdicts on many files, crawlers and URLs, one line of output for each line of input.
//!
//! `answer` answers lines. With `--warc`, `archives` decides about the captures of archives.

pub(crate) mod answer;
mod archives;
mod visible;

use core::num::NonZeroUsize;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::PathBuf;
use std::thread;

use robots_match::Profile;

use self::answer::{Broken, Reading, answer_on};
use self::visible::Visible;
use crate::arguments::{CatalogueFile, NamedProfile};
use crate::failure::{FAILED, Failure, Result, reason};
use crate::source::{self, Admitted};
use crate::text::Text;

/// Checks many files, crawlers and URLs, line by line
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The document by which files are read; with auto, Google's crawlers are read as google, and all others as rfc9309
    #[arg(short, long, value_name = "NAME", value_parser = NamedProfile::parser_for_crawlers(), default_value = NamedProfile::auto_name())]
    profile: NamedProfile,

    /// Compare the bytes of URLs as they are written, and take names as they are, without the habits of known crawlers
    #[arg(long)]
    as_written: bool,

    #[command(flatten)]
    _catalogue_file: CatalogueFile,

    #[command(flatten)]
    archives: archives::Archives,
}

const HELP: &str = "\
Each line of standard input is FILE<TAB>AGENT<TAB>URL. The URL is the rest of
the line; lines end with LF or CR LF. The answers are in the same order:
  allowed<TAB>LINE      LINE is the number of the deciding line, or 0
  disallowed<TAB>LINE
  error<TAB>MESSAGE     this line can't be used; the following lines can
After LINE, <TAB>NOTE,NOTE follows if there is something to know: the kind of a
FILE that is not a robots.txt file, and allows everything because of it (html,
json, xml, code, text, name, binary or empty), or html-with-rules; and, if the
bytes of URL as they are written have another verdict than what a client
requests for it, allowed-as-written or disallowed-as-written.

A URL is what a client requests, as in `robots check`: `..` is resolved, and
characters that clients encode are percent-encoded. For URLs from the log of a
server, or to compare with other parsers, use --as-written.

The lines may have any order. Files and compiled rules are kept, in about 64 to
128 MiB of memory. If they need more, lines sorted by file are faster. A file
that changes meanwhile may be read again or not. All processors are used. AGENT
is the name of a crawler, a User-Agent header, or * for a crawler that no group
names. Lines may contain any bytes, up to 1 MiB. Answers are written whenever
no more input is available.

With --warc, each capture of a robots.txt in WARC files is checked instead, for
each agent and URL. The captures are those with a status of 2xx, and resources.
A line of output has these fields, with tabs between them:
  URL of the capture, agent, URL
  allowed or disallowed, and LINE, as above
  the groups that apply: named, wildcard or none
  rule, no-rule, no-group or robots-txt
  notes, with commas between them, or -: the kind of the body, as above,
  accidental-group, cut, not-utf8, joined-records (records on one line)
A damaged record, or a body that is cut or can't be decoded, gives a line
error<TAB>FILE:OFFSET: MESSAGE; reading continues.
The files may consist of gzip members. They are read as streams; - is standard
input.

Exit status:
  0  each line or capture has a verdict
  2  an error occurred, there is no line, or a line or capture has the answer
     error; the others have theirs

Examples:
  printf 'robots.txt\\tExampleBot\\t/private\\n' | robots batch
  robots batch --profile google --as-written < rows.tsv > verdicts.tsv
  robots batch --agent GPTBot --agent CCBot --url / --warc robots.warc.gz
";

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<u8> {
    let reading = Reading::by(arguments.profile);
    let reading = if arguments.as_written { reading.as_written() } else { reading };
    if let Some(files) = &arguments.archives.warc {
        return archives::run(files, &arguments.archives, &reading);
    }
    let profile = &arguments.profile.rules;
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let out = Visible::new(io::stdout());
    let input = without_mark(io::stdin())
        .map_err(|error| Failure::new(format!("can't read standard input: {}", reason(&error))))?
        .ok_or_else(|| {
            Failure::new(
                "standard input has no line; write FILE, AGENT and URL with tabs between them on each line",
            )
        })?;
    match answer_on(threads, input, out, &reading, |path| open(path, profile)) {
        Ok(errors) => Ok(if errors == 0 { 0 } else { FAILED }),
        Err(broken @ Broken::Thread(_)) => Err(Failure::new(broken.to_string())),
        Err(Broken::Output(error)) => Err(Failure::of_answers(&error)),
        Err(Broken::Input(error)) => {
            Err(Failure::new(format!("can't read standard input: {}", reason(&error))))
        }
    }
}

/// Returns a source without the byte order mark that some programs write first, or `None` if there is nothing else. Reads no more
/// than a byte after it, because a program may wait for the answer to a short line.
fn without_mark(mut input: impl Read) -> io::Result<Option<impl Read>> {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    let (mut start, mut byte) = (Vec::new(), [0]);
    while start.len() < MARK.len() && MARK.starts_with(&start) && input.read(&mut byte)? > 0 {
        start.extend_from_slice(&byte);
    }
    if start == MARK {
        start.clear();
        if input.read(&mut byte)? > 0 {
            start.extend_from_slice(&byte);
        }
    }
    Ok((!start.is_empty()).then(|| io::Cursor::new(start).chain(input)))
}

/// Returns the bytes of the file at this path, or why it can't be read.
fn open(path: &[u8], profile: &Profile) -> core::result::Result<Vec<u8>, String> {
    let unreadable = |why: &str| format!("can't read {}: {why}", Text(path));
    let os_path = os_path(path).ok_or_else(|| unreadable("no file has such a name"))?;
    source::read_file(&os_path, Admitted::Regular, profile).map_err(|error| unreadable(&reason(&error)))
}

/// Returns the path with these bytes, if the system has such paths.
#[cfg(unix)]
fn os_path(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(PathBuf::from(OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn os_path(bytes: &[u8]) -> Option<PathBuf> {
    core::str::from_utf8(bytes).ok().map(|text| PathBuf::from(OsStr::new(text)))
}
