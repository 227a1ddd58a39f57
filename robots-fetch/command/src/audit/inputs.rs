//! The inputs of an audit: files, folders, sites, and lists of them.

use core::cmp::Ordering;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use robots_match::Profile;
use robots_match::syntax::BodyKind;

use super::arguments::Arguments;
use robots_fetch::sitemap::LONGEST_URL;

use super::list::{Cell, cells};
use crate::arguments::{is_url, meant_site, origin, too_long};
use crate::failure::{Failure, Result, reason};
use crate::source::{self, Admitted};
use crate::text::{Text, input_name};

/// The largest list of inputs in bytes.
const MAX_SIZE: usize = 64 << 20;

/// The most files of a folder. A list of others may name a folder such as `/`.
const MOST_FILES: usize = 100_000;

/// The number of folders that may be inside of each other.
const DEEPEST: usize = 16;

/// A robots.txt to read, or why there is none.
#[derive(Debug)]
pub(super) enum Input {
    /// An argument as other commands read it, and the kinds of files that it may name.
    Argument(OsString, Admitted),
    /// An input that could not be found: its name and a message.
    Failed(String, String),
}

/// Returns the inputs in the order of the arguments. Files of folders are sorted.
pub(super) fn inputs(arguments: &Arguments) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for argument in &arguments.inputs {
        add(argument.clone(), Admitted::Any, &mut inputs);
    }
    for list in &arguments.lists {
        source::require_name(list)?;
        let mut wide = Profile::default();
        wide.syntax.max_size = Some(MAX_SIZE);
        let bytes = match list.as_encoded_bytes() {
            b"-" => source::read(io::stdin().lock(), &wide),
            _ => source::read_file(Path::new(list), Admitted::Any, &wide),
        };
        let failed =
            |why: &str| Failure::new(format!("can't read the list {}: {why}", Text(list.as_encoded_bytes())));
        let bytes = bytes.map_err(|error| failed(&source::reason_of(list, &error)))?;
        if bytes.len() > MAX_SIZE {
            return Err(failed(&format!("more than {} MiB", MAX_SIZE >> 20)));
        }
        if matches!(bytes.get(..2), Some(b"\xFF\xFE" | b"\xFE\xFF")) {
            return Err(failed("it is in UTF-16; save it in UTF-8, as CSV UTF-8 in a spreadsheet"));
        }
        if bytes.starts_with(b"PK\x03\x04") {
            return Err(failed(
                "it is a ZIP archive, such as a workbook; save it as CSV UTF-8 in a spreadsheet",
            ));
        }
        if let Some(kind) = other_kind(&bytes) {
            return Err(failed(&format!("it is {kind}, not a list of files and sites")));
        }
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        let cells = match arguments.column.is_some() || source::is_table(list) {
            true => cells(text, arguments.column.as_deref()).map_err(|why| failed(&why))?,
            false => {
                let lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
                // Only rows of tables are named by their line.
                lines.map(|line| (0, Some(line.trim_ascii().to_vec()))).collect()
            }
        };
        let is_input =
            |(_, line): &&Cell| line.as_ref().is_none_or(|line| !line.is_empty() && !line.starts_with(b"#"));
        let mut lines = cells.iter().filter(is_input).peekable();
        if lines.peek().is_none() {
            return Err(Failure::new(format!(
                "the list {} names no input; write a file or a site on each line",
                Text(list.as_encoded_bytes())
            )));
        }
        for (number, line) in lines {
            let Some(line) = line else {
                let why = "the cell is empty; write a file or a site in it, or remove the row";
                inputs.push(Input::Failed(format!("{}:{number}", input_name(list)), why.to_owned()));
                continue;
            };
            match line.len() {
                // A list may be made by others, so it names no file that could make the command wait.
                ..=LONGEST_URL => add(of_line(line), Admitted::Regular, &mut inputs),
                _ => inputs.push(Input::Failed(Text(line).short(), too_long())),
            }
        }
    }
    let mut sites = HashSet::new();
    inputs.retain(|input| match input {
        Input::Argument(argument, _) if is_url(argument) => {
            origin(argument).map_or(true, |origin| sites.insert(origin))
        }
        _ => true,
    });
    Ok(inputs)
}

/// Returns what the bytes of a list are, if they are plainly something else.
fn other_kind(bytes: &[u8]) -> Option<BodyKind> {
    let kind = BodyKind::of(bytes, &Profile::default().syntax);
    // A name in quotation marks is JSON, too.
    let is_json = || matches!(bytes.trim_ascii_start().first(), Some(b'[' | b'{'));
    let is_other = match kind {
        BodyKind::Html | BodyKind::Xml | BodyKind::Binary(_) => true,
        BodyKind::Json => is_json(),
        kind => kind.has_rules(),
    };
    is_other.then_some(kind)
}

/// Returns the argument that a line of a list stands for: hosts are sites by https, and addresses and `localhost` by http.
pub(super) fn of_line(line: &[u8]) -> OsString {
    match core::str::from_utf8(line) {
        // The name of a file may look like a host.
        Ok(line) if !line.contains(['/', '\\', ' ']) && !line.starts_with("git:") => {
            meant_site(line.as_ref()).map_or_else(|| line.into(), OsString::from)
        }
        Ok(line) => line.into(),
        Err(_) => name_of(line),
    }
}

/// Returns the name of a file that is not UTF-8.
#[cfg(unix)]
fn name_of(line: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(line.to_vec())
}

/// Returns a name with other characters in place of bytes that are not UTF-8: names of other systems have characters.
#[cfg(not(unix))]
fn name_of(line: &[u8]) -> OsString {
    String::from_utf8_lossy(line).into_owned().into()
}

fn add(argument: OsString, admitted: Admitted, inputs: &mut Vec<Input>) {
    if is_url(&argument) || argument == "-" || argument.as_encoded_bytes().starts_with(b"git:") {
        inputs.push(Input::Argument(argument, admitted));
        return;
    }
    if Path::new(&argument).is_dir() {
        let before = inputs.len();
        add_folder(Path::new(&argument), DEEPEST, before + MOST_FILES, inputs);
        if inputs.len() == before {
            inputs.push(Input::Failed(
                Text(argument.as_encoded_bytes()).to_string(),
                "the folder has no file to read; hidden files and folders are left out".to_owned(),
            ));
        }
    } else {
        inputs.push(Input::Argument(argument, admitted));
    }
}

/// Adds the files of a folder and of its folders, except hidden ones, such as those of `.git`.
fn add_folder(folder: &Path, depth: usize, most: usize, inputs: &mut Vec<Input>) {
    let failed = |why: &str| {
        Input::Failed(
            Text(folder.as_os_str().as_encoded_bytes()).to_string(),
            format!("can't read the folder: {why}"),
        )
    };
    if depth == 0 {
        inputs.push(failed("too many folders are inside of each other"));
        return;
    }
    let entries: io::Result<Vec<PathBuf>> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            inputs.push(failed(&reason(&error)));
            return;
        }
    };
    entries.sort();
    for entry in entries {
        if entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
            continue;
        }
        match inputs.len().cmp(&most) {
            Ordering::Less => {}
            Ordering::Equal => {
                inputs.push(failed(&format!("there are more than {MOST_FILES} files")));
                return;
            }
            Ordering::Greater => return,
        }
        // A link may lead to a folder that contains it.
        let is_folder = fs::symlink_metadata(&entry).is_ok_and(|found| found.is_dir());
        if is_folder {
            add_folder(&entry, depth - 1, most, inputs);
        } else if fs::metadata(&entry).map_or(true, |found| found.is_file()) {
            // Links to folders are left out, and so is what may never end or never begin: pipes, sockets and devices. Why a
            // file can't be read is reported when it is read.
            inputs.push(Input::Argument(entry.into(), Admitted::Regular));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_lists_are_sites_or_files() {
        for (line, expected) in [
            ("example.com", "https://example.com"),
            ("example.com:8080", "https://example.com:8080"),
            ("127.0.0.1:8000", "http://127.0.0.1:8000"),
            ("localhost", "http://localhost"),
            ("http://example.com", "http://example.com"),
            ("folder/robots.txt", "folder/robots.txt"),
            ("Cargo.toml", "Cargo.toml"),
            ("git:HEAD:robots.txt", "git:HEAD:robots.txt"),
            ("robots", "robots"),
            ("none.txt", "none.txt"),
        ] {
            assert_eq!(of_line(line.as_bytes()), expected, "{line}");
        }
    }
}
