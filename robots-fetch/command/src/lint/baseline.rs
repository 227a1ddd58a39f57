//! A file of findings that are known, so that only new ones are reported.

use alloc::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{self, Component, Path, PathBuf};

use robots_match::lint::LintReport;
use serde::Deserialize;
use serde_json::json;

use super::fingerprint::fingerprints;
use crate::failure::{Failure, Result, reason};
use crate::replace_file::write_file;
use crate::source::{self, Admitted};
use crate::text::Text;

/// The size of the largest baseline, in bytes.
const MAX_SIZE: usize = 16 << 20;

/// The findings that are known.
pub(super) struct Baseline {
    /// The folder of the baseline, from which the names of files begin.
    folder: PathBuf,
    /// The name of a file, and the fingerprint of a finding.
    findings: BTreeSet<(String, String)>,
    /// The name of a file and a code, and how many findings a report did not list.
    left_out: BTreeMap<(String, String), usize>,
}

impl Baseline {
    /// Reads the file that [`write()`] has written.
    pub(super) fn read(path: &OsStr, admitted: Admitted) -> Result<Self> {
        source::require_name(path)?;
        let failure =
            |problem: &str| Failure::new(format!("can't read {}: {problem}", Text(path.as_encoded_bytes())));
        let bytes = source::read_within(Path::new(path), admitted, MAX_SIZE);
        let bytes = bytes.map_err(|error| failure(&reason(&error)))?;
        if bytes.len() > MAX_SIZE {
            let most = MAX_SIZE >> 20;
            return Err(failure(&format!("larger than {most} MiB; write one for each part of the files")));
        }
        Self::of_bytes(folder(Path::new(path)), &bytes).map_err(failure)
    }

    /// Reads the content of a baseline in a folder.
    fn of_bytes(folder: PathBuf, bytes: &[u8]) -> core::result::Result<Self, &'static str> {
        let read: Written = serde_json::from_slice(bytes).map_err(|error| match error.is_data() {
            true => "not a baseline; write the file with --write-baseline",
            false => "not JSON; write the file with --write-baseline",
        })?;
        if read.version != VERSION {
            return Err("not a baseline; write the file with --write-baseline");
        }
        let findings = read.findings.into_iter().map(|known| (known.file, known.fingerprint)).collect();
        let left_out =
            read.left_out.into_iter().map(|known| ((known.file, known.code), known.count)).collect();
        Ok(Self { folder, findings, left_out })
    }

    /// Returns the number of findings in the content of a baseline.
    pub(super) fn count(bytes: &[u8]) -> Result<usize> {
        let read = Self::of_bytes(PathBuf::new(), bytes).map_err(Failure::new)?;
        Ok(read.findings.len() + read.left_out.len())
    }

    /// Takes the findings that are known out of a report.
    pub(super) fn hide(&self, place: &FileName<'_>, report: &mut LintReport, body: &[u8]) {
        let name = place.name(&self.folder);
        let mut prints = fingerprints(report, body).into_iter();
        report.findings.retain(|_| {
            let print = prints.next().unwrap_or_default();
            !self.findings.contains(&(name.clone(), print))
        });
        report.left_out.retain(|(lint, _), count| {
            let known = self.left_out.get(&(name.clone(), lint.name().to_owned()));
            known.is_none_or(|known| *known < *count)
        });
    }
}

/// The version of baselines.
const VERSION: u64 = 1;

/// A baseline as it is written.
#[derive(Deserialize)]
struct Written {
    version: u64,
    findings: Vec<WrittenFinding>,
    left_out: Vec<WrittenCount>,
}

#[derive(Deserialize)]
struct WrittenFinding {
    file: String,
    fingerprint: String,
}

#[derive(Deserialize)]
struct WrittenCount {
    file: String,
    code: String,
    count: usize,
}

/// Where a file is.
pub(super) enum FileName<'p> {
    Path(&'p OsStr),
    /// A URL, or standard input.
    Other(String),
}

/// A file with findings, for a baseline.
pub(super) struct Known<'f> {
    pub(super) place: FileName<'f>,
    pub(super) report: &'f LintReport,
    pub(super) body: &'f [u8],
}

/// Checks that writing a baseline to `path` loses nothing: no other file has this name, and none of the `inputs`.
///
/// Arguments in the wrong order would otherwise replace a robots.txt.
pub(super) fn require_writable(path: &OsStr, inputs: &[OsString]) -> Result<()> {
    source::require_name(path)?;
    let shown = Text(path.as_encoded_bytes());
    let real = |path: &OsStr| fs::canonicalize(path).ok();
    let own = real(path);
    if own.is_some() && inputs.iter().any(|input| real(input) == own) {
        return Err(Failure::new(format!(
            "{shown} is a file to check, and --write-baseline would replace it; name another file for the baseline"
        )));
    }
    // A pipe or a device keeps nothing that could be lost, and an empty file has nothing.
    let is_kept = fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
    if is_kept && Baseline::read(path, Admitted::Regular).is_err() {
        return Err(Failure::new(format!(
            "{shown} exists and is not a baseline, and --write-baseline would replace it; name another file, or remove this one"
        )));
    }
    Ok(())
}

/// Writes all findings of `files` to a file.
pub(super) fn write(path: &OsStr, files: &[Known<'_>]) -> Result<()> {
    let folder = folder(Path::new(path));
    let findings = files.iter().flat_map(|file| {
        let prints = fingerprints(file.report, file.body);
        let name = file.place.name(&folder);
        file.report.findings.iter().zip(prints).map(move |(finding, print)| {
            json!({ "file": name, "code": finding.lint.name(), "fingerprint": print })
        })
    });
    let left_out = files.iter().flat_map(|file| {
        let name = file.place.name(&folder);
        file.report
            .left_out
            .iter()
            .map(move |((lint, _), count)| json!({ "file": name, "code": lint.name(), "count": count }))
    });
    let value = json!({
        "version": VERSION,
        "findings": findings.collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
    });
    write_file(path, format!("{value:#}\n").as_bytes())
}

/// The folder of a baseline, without links.
fn folder(baseline: &Path) -> PathBuf {
    // The parent of a plain name is empty.
    let parent = path::absolute(baseline).ok().and_then(|path| path.parent().map(Path::to_owned));
    let parent = parent.unwrap_or_default();
    fs::canonicalize(&parent).unwrap_or(parent)
}

impl FileName<'_> {
    /// The name of a file in a baseline in a folder. The name of a path is the way to it from the folder, with `/` between its
    /// parts: it does not depend on how the path is written, or on the current folder.
    fn name(&self, folder: &Path) -> String {
        let argument = match self {
            Self::Path(path) => Path::new(path),
            Self::Other(name) => return name.clone(),
        };
        let path = path::absolute(argument).unwrap_or_else(|_| argument.to_owned());
        // The file itself may be a link; then its own name counts.
        let real = match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => fs::canonicalize(parent).map(|parent| parent.join(name)),
            _ => fs::canonicalize(&path),
        };
        let path = real.unwrap_or(path);
        let same = path.components().zip(folder.components()).take_while(|(one, other)| one == other).count();
        if same == 0 {
            // Another drive.
            return Text(path.as_os_str().as_encoded_bytes()).to_string();
        }
        let up = folder.components().skip(same).map(|_| OsStr::new(".."));
        let down = path.components().skip(same).map(Component::as_os_str);
        let parts: Vec<String> =
            up.chain(down).map(|part| Text(part.as_encoded_bytes()).to_string()).collect();
        parts.join("/")
    }
}
