//! The versions of robots.txt files, from files and from Git.

use alloc::collections::BTreeMap;
use core::net::{IpAddr, SocketAddr};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use robots_fetch::log::{LogTime, rfc3339};
use robots_match::{History, Robots};

use super::arguments::Arguments;
use crate::arguments::{NamedProfile, is_url, read_git, read_git_if_present};
use crate::body::{Body, joined_notes};
use crate::failure::{Failure, Result, reason};
use crate::output::{self, Style};
use crate::source::{self, Admitted};
use crate::text::{Text, input_name};

/// The most versions of all files.
const MOST_VERSIONS: usize = 10_000;

/// The most bytes of all versions.
const MOST_BYTES: usize = 64 << 20;

/// Reads the files that the arguments name, and returns a history for each host.
pub(super) fn histories(arguments: &Arguments) -> Result<Vec<(Option<String>, History)>> {
    let mut versions: BTreeMap<Option<String>, Vec<(i64, Robots)>> = BTreeMap::new();
    let profile = &arguments.profile;
    for argument in &arguments.robots {
        let (host, time, file) = parts(argument.as_encoded_bytes())?;
        let body = read(file, profile)?;
        let robots = Robots::from_boxed(body.into_boxed_slice(), profile.rules);
        let read = Body::of(&robots);
        // A version with a time may be a page that was served for a while.
        if time.is_none() && !read.kind.is_robots_txt() {
            let name = input_name(source::os(file)?);
            return Err(Failure::new(format!("{name} is {}, not a robots.txt file", read.kind)));
        }
        for note in read.note().into_iter().chain(joined_notes(&robots)) {
            output::complain("note", Style::Note, &format!("{}: {note}", input_name(source::os(file)?)));
        }
        versions.entry(host).or_default().push((time.unwrap_or(History::BEGINNING), robots));
    }
    for argument in &arguments.history {
        let (host, _, file) = parts(argument.as_encoded_bytes())?;
        let Some(path) = file.strip_prefix(b"git:") else {
            return Err(Failure::new(format!("expected git:PATH after --history, and not `{}`", Text(file))));
        };
        let served_after = i64::try_from(arguments.served_after).unwrap_or(i64::MAX);
        let found = commits(path, profile)?;
        versions
            .entry(host)
            .or_default()
            .extend(found.into_iter().map(|(time, robots)| (time.saturating_add(served_after), robots)));
    }
    if versions.is_empty() {
        return Err(Failure::new(
            "no robots.txt is given; name it with `--robots FILE` or `--history git:PATH`",
        ));
    }
    if versions.values().map(Vec::len).sum::<usize>() > MOST_VERSIONS {
        return Err(Failure::new(format!(
            "there are more than {MOST_VERSIONS} versions; name fewer with `--robots TIME=FILE`"
        )));
    }
    let bytes: usize = versions.values().flatten().map(|(_, robots)| robots.body().len()).sum();
    if bytes > MOST_BYTES {
        return Err(Failure::new(
            "all versions together have more than 64 MiB; name fewer with `--robots TIME=FILE`",
        ));
    }
    let history = |(host, versions): (Option<String>, Vec<(i64, Robots)>)| {
        let of_host =
            host.as_deref().map(|host| format!(" of {}", Text(host.as_bytes()))).unwrap_or_default();
        let history = History::new(versions).map_err(|error| {
            let time = match error.time {
                History::BEGINNING => "no time; write `--robots TIME=FILE`".to_owned(),
                time => format!("the time {}", rfc3339(time.saturating_mul(1000))),
            };
            Failure::new(format!("two files{of_host} have {time}"))
        })?;
        Ok((host, history))
    };
    versions.into_iter().map(history).collect()
}

/// Checks that standard input is at most one of the files and logs.
///
/// # Errors
///
/// It is several of them.
pub(super) fn require_one_standard_input(arguments: &Arguments) -> Result<()> {
    let standard = OsString::from("-");
    let files = arguments.robots.iter().filter(|argument| {
        let argument = argument.as_encoded_bytes();
        argument == b"-" || argument.ends_with(b"=-")
    });
    let logs = arguments.logs.iter().filter(|log| **log == standard).count();
    let logs = if arguments.logs.is_empty() { 1 } else { logs };
    source::require_one_standard_input(core::iter::repeat_n(&standard, files.count() + logs))
}

/// Returns host, time and file of `[HOST=][TIME=]FILE`.
fn parts(argument: &[u8]) -> Result<(Option<String>, Option<i64>, &[u8])> {
    let mut host = None;
    let mut time = None;
    let mut rest = argument;
    while let Some(at) = rest.iter().position(|&byte| byte == b'=') {
        let (text, after) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        let after = after.get(1..).unwrap_or_default();
        let is_host = text.iter().all(|&byte| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'.' | b'-' | b'_' | b':' | b'[' | b']')
                || byte >= 0x80
        });
        if let Some(found) = LogTime::parse_iso(text, 0).filter(|_| time.is_none()) {
            time = Some(found.millis.div_euclid(1000));
        } else if is_host
            && !text.is_empty()
            && host.is_none()
            && time.is_none()
            && !text.starts_with(b"git:")
        {
            let text = core::str::from_utf8(text).map_err(|_| Failure::new("a host is not UTF-8"))?;
            let plain = text.trim_matches(['[', ']']);
            let is_address = plain.parse::<IpAddr>().is_ok() || text.parse::<SocketAddr>().is_ok();
            let is_like_date = text.bytes().all(|byte| byte.is_ascii_digit() || b"-.:TZ".contains(&byte));
            if is_like_date && !is_address {
                return Err(Failure::new(format!(
                    "`{}` is neither a host nor a date such as 2025-11-10 or 2025-11-10T10:00:00Z",
                    Text(text.as_bytes())
                )));
            }
            if !text.contains(['.', ':']) && text != "localhost" {
                let name = Text(text.as_bytes());
                let note = format!("`{name}` is read as the name of a host; a date is written as 2025-11-10");
                output::complain("note", Style::Note, &note);
            }
            host = Some(text.to_owned());
        } else {
            break;
        }
        rest = after;
    }
    if rest.is_empty() {
        return Err(Failure::new(format!("`{}` names no file", Text(argument))));
    }
    Ok((host, time, rest))
}

fn read(file: &[u8], profile: &NamedProfile) -> Result<Vec<u8>> {
    if let Some(object) = file.strip_prefix(b"git:") {
        return read_git(object, &profile.rules);
    }
    if file == b"-" {
        return source::standard_input(&profile.rules);
    }
    if is_url(source::os(file)?) {
        return Err(Failure::new(format!(
            "`--robots` takes a file, and `{0}` is a URL; write it to one with `robots fetch --output FILE {0}`",
            Text(file)
        )));
    }
    let name = source::os(file)?;
    source::read_file(Path::new(name), Admitted::Any, &profile.rules).map_err(|error| {
        Failure::new(format!("can't read {}: {}", Text(file), source::reason_of(name, &error)))
    })
}

/// Returns the versions of a file in the history of the current branch, each with the time of its commit. Of a merge, only the first
/// parent counts, because that is the branch that is served.
fn commits(path: &[u8], profile: &NamedProfile) -> Result<Vec<(i64, Robots)>> {
    let name = Text(path).to_string();
    let failed = |why: &str| Failure::new(format!("can't read the history of git:{name}: {why}"));
    if path.starts_with(b"-") || path.is_empty() {
        return Err(failed("it is not a path"));
    }
    // Changes of the file that a link leads to are not in the history of the link.
    let listed = Command::new("git")
        .args(["--literal-pathspecs", "ls-tree", "HEAD", "--"])
        .arg(source::os(path)?)
        .stdin(Stdio::null())
        .output();
    if listed.is_ok_and(|listed| listed.stdout.starts_with(b"120000 ")) {
        return Err(failed("it is a link; name the file that it leads to"));
    }
    let output = Command::new("git")
        .args(["log", "--first-parent", "--format=%H %ct", "--"])
        .arg(source::os(path)?)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(&format!("git: {}", reason(&error))))?;
    if !output.status.success() {
        let message = output.stderr.split(|&byte| byte == b'\n').next().unwrap_or_default();
        return Err(failed(&format!("git: {}", Text(message.strip_prefix(b"fatal: ").unwrap_or(message)))));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut versions: Vec<(i64, Robots)> = Vec::new();
    let mut misdated = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let (commit, time) = line.split_once(' ').unwrap_or((line, ""));
        // Without this version, others would seem to be in force.
        let time: i64 = time.parse().map_err(|_| {
            failed(&format!(
                "the time of the commit {commit} can't be read; name the versions with `--robots TIME=git:REV:{name}`"
            ))
        })?;
        if number >= MOST_VERSIONS {
            return Err(failed(&format!("it has more than {MOST_VERSIONS} versions")));
        }
        // A commit may remove the file, which then disallows nothing.
        let file = read_git_if_present(commit.as_bytes(), &[b"./", path].concat(), &profile.rules)?;
        let body = file.unwrap_or_default();
        let robots = Robots::from_boxed(body.into_boxed_slice(), profile.rules);
        // Of commits of one second, the last one was served. They come first here.
        match versions.last() {
            Some((newer, _)) if time == *newer => {}
            Some((newer, _)) if time > *newer => misdated.push(commit),
            _ => versions.push((time, robots)),
        }
    }
    if versions.is_empty() {
        return Err(failed("no commit changes it"));
    }
    if let Some(last) = misdated.first() {
        let note = format!(
            "git:{name}: a later commit has an earlier time than {last}; versions left out for that: {}",
            misdated.len()
        );
        output::complain("note", Style::Note, &note);
    }
    Ok(versions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_have_host_time_and_file() {
        let read = |text: &'static str| parts(text.as_bytes()).unwrap();
        assert_eq!(read("robots.txt"), (None, None, &b"robots.txt"[..]));
        assert_eq!(read("1970-01-02=a=b"), (None, Some(86_400), &b"a=b"[..]));
        assert_eq!(
            read("a.example=1970-01-01T00:00:01Z=f"),
            (Some("a.example".to_owned()), Some(1), &b"f"[..])
        );
        assert_eq!(read("git:HEAD:a=b"), (None, None, &b"git:HEAD:a=b"[..]));
    }
}
