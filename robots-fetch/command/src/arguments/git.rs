//! Files as Git keeps them.

use std::ffi::OsStr;
use std::io::{Read as _, Seek as _};
use std::process::{Command, Stdio};

use robots_match::Profile;

use crate::failure::{Failure, Result, reason};
use crate::output::{self, Style};
use crate::source;
use crate::text::Text;

/// Reads a file by `REV:PATH`, such as `HEAD~1:static/robots.txt`, from the repository of the current folder. Without `REV`, it is
/// the file that the next commit will have. Where a revision does not have a file that `HEAD` or the next commit has, and before the
/// first commit, it is empty.
pub(crate) fn read(object: &[u8], profile: &Profile) -> Result<Vec<u8>> {
    let is_object = !object.starts_with(b"-")
        && object.iter().position(|&byte| byte == b':').is_some_and(|at| at + 1 < object.len());
    let name = core::str::from_utf8(object).ok().filter(|_| is_object);
    let Some(name) = name else {
        return Err(Failure::new(format!(
            "expected git:REV:PATH, such as git:HEAD~1:robots.txt, and not `git:{}`",
            Text(object)
        )));
    };
    let failed = |why: &str| Failure::new(format!("can't read git:{}: {why}", Text(object)));
    // Not a pipe: Git would wait for a reader of a full one.
    let mut messages = tempfile::tempfile().map_err(|error| failed(&reason(&error)))?;
    let mut child = Command::new("git")
        .args([OsStr::new("cat-file"), OsStr::new("blob"), OsStr::new(name)])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(messages.try_clone().map_err(|error| failed(&reason(&error)))?)
        .spawn()
        .map_err(|error| failed(&format!("git: {}", reason(&error))))?;
    let read = child.stdout.take().map(|out| source::read(out, profile)).transpose();
    // A file that is larger than the limit is not read to its end, so Git may not end by itself.
    let bytes = read.map_err(|error| failed(&reason(&error)))?.unwrap_or_default();
    let most = profile.syntax.max_size.unwrap_or(usize::MAX);
    if bytes.len() > most {
        let _ = child.kill();
        let _ = child.wait();
        return Ok(bytes);
    }
    let status = child.wait().map_err(|error| failed(&reason(&error)))?;
    if status.success() {
        return Ok(bytes);
    }
    if is_folder(name) {
        return Err(failed("it is a folder; name a file in it"));
    }
    if name.starts_with("HEAD:") && is_without_commit() {
        output::complain(
            "note",
            Style::Note,
            "the repository has no commit yet; its file is read as an empty one",
        );
        return Ok(Vec::new());
    }
    if let Some((revision, path)) =
        name.split_once(':').filter(|(revision, path)| is_elsewhere(revision, path))
    {
        let note = format!(
            "{} has no {}; it is read as an empty file",
            Text(revision.as_bytes()),
            Text(path.as_bytes())
        );
        output::complain("note", Style::Note, &note);
        return Ok(Vec::new());
    }
    let mut message = Vec::new();
    let read = messages.rewind().and_then(|()| messages.take(LONGEST_MESSAGE).read_to_end(&mut message));
    read.map_err(|error| failed(&reason(&error)))?;
    Err(failed(&said(&message)))
}

/// Returns whether Git keeps a folder by this name. Its messages would depend on the language of the user.
fn is_folder(name: &str) -> bool {
    let kind = || {
        // Not a pipe, as for messages.
        let mut kind = tempfile::tempfile().ok()?;
        let mut git = Command::new("git");
        git.args(["cat-file", "-t", name]).stdin(Stdio::null()).stderr(Stdio::null());
        git.stdout(kind.try_clone().ok()?).status().ok()?;
        let mut text = Vec::new();
        kind.rewind().and_then(|()| kind.take(LONGEST_MESSAGE).read_to_end(&mut text)).ok()?;
        Some(text)
    };
    kind().is_some_and(|kind| kind.trim_ascii() == b"tree")
}

/// Returns whether there is a repository without a commit.
fn is_without_commit() -> bool {
    succeeds(&["rev-parse", "--git-dir"]) && !succeeds(&["rev-parse", "--verify", "--quiet", "HEAD"])
}

/// Returns whether a file that a revision does not have is in `HEAD`, or will be in the next commit.
fn is_elsewhere(revision: &str, path: &str) -> bool {
    !revision.is_empty()
        && succeeds(&["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])
        && [format!("HEAD:{path}"), format!(":{path}")].iter().any(|name| succeeds(&["cat-file", "-e", name]))
}

/// Runs Git without its output.
fn succeeds(arguments: &[&str]) -> bool {
    let mut git = Command::new("git");
    git.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    git.status().is_ok_and(|status| status.success())
}

/// The most bytes of a message of Git that are read.
const LONGEST_MESSAGE: u64 = 4096;

/// Returns what Git says about an object that it can't find, in one line.
fn said(message: &[u8]) -> String {
    let line = message.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = line.strip_prefix(b"fatal: ").unwrap_or(line);
    if line.is_empty() { "git has no such file".to_owned() } else { format!("git: {}", Text(line)) }
}
