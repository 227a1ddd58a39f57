//! The folder of a site: copies of its file, and a log with a line for each run.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tempfile::TempPath;

use crate::arguments::OneOf;
use crate::failure::{Failure, Result, reason};
use crate::replace_file::create_file;
use crate::source::{open_unlinked, read_unlinked};
use crate::text::Text;

/// The name of the log.
const LOG: &str = "log.jsonl";

/// The most bytes of a log.
const MOST: u64 = 64 << 20;

/// The most bytes of a copy.
const LARGEST: usize = 64 << 20;

/// What a site answered in one run, and what changed since the run before.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct Run {
    /// The time in UTC, such as `2026-11-20T18:04:05Z`.
    pub(super) time: String,
    /// The status of the last answer; null without an answer.
    pub(super) status: Option<u16>,
    /// The access of crawlers: `rules`, `everything` or `nothing`.
    pub(super) access: String,
    /// Why no rules apply, or what is odd about the file.
    pub(super) note: Option<String>,
    /// Whether the answer does not say what crawlers may access.
    pub(super) unknown: bool,
    /// The URL of the file after all redirects.
    pub(super) url: Option<String>,
    /// The number of bytes of the file.
    pub(super) bytes: Option<usize>,
    /// The name of the copy in the folder of the site, if rules apply.
    pub(super) file: Option<String>,
    pub(super) severity: Severity,
    /// What changed since the last run.
    pub(super) changes: Vec<Change>,
    /// How the answer differs now from the one of the named site, for its variants and for an address of --resolve.
    #[serde(default)]
    pub(super) unlike: Vec<Change>,
}

/// A change for some crawlers.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct Change {
    /// `newly-disallowed`, `newly-allowed`, `undecided`, `status` or `text`.
    pub(super) change: String,
    /// The crawlers.
    pub(super) crawlers: Vec<String>,
    /// A shortest path that changes.
    pub(super) path: Option<String>,
    /// What decided before, and what decides now.
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

/// A copy that no run in the log names yet. It is removed with this value, so that no copy stays without a run.
pub(super) struct NewCopy {
    pub(super) name: String,
    path: TempPath,
}

/// The folder of one site.
pub(super) struct Records {
    folder: PathBuf,
}

impl Records {
    /// Opens the folder of a site, and creates it if it does not exist.
    pub(super) fn open(folder: &Path, site: &str) -> Result<Self> {
        let name: String = site
            .chars()
            .map(|char| if char.is_ascii_alphanumeric() || ".-".contains(char) { char } else { '_' })
            .collect();
        let folder = folder.join(name);
        fs::create_dir_all(&folder).map_err(|error| failed("create", &folder, &reason(&error)))?;
        Ok(Self { folder })
    }

    /// Returns all runs of the log, the oldest first.
    ///
    /// # Errors
    ///
    /// The log can't be read. A new one would hide what has changed.
    pub(super) fn runs(&self) -> Result<Vec<Run>> {
        let path = self.folder.join(LOG);
        let bytes = match path.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed("read", &path, &reason(&error))),
            Ok(found) if found.len() > MOST => {
                return Err(failed("read", &path, "it is larger than 64 MiB; move it away"));
            }
            Ok(_) => {
                let most = usize::try_from(MOST).unwrap_or(usize::MAX);
                let read = read_unlinked(&path, most);
                read.map_err(|error| failed("read", &path, &reason(&error)))?
            }
        };
        if bytes.trim_ascii().is_empty() && self.has_copies() {
            let why = "it has no run, and there are copies beside it; restore it, or move the copies away";
            return Err(failed("read", &path, why));
        }
        let lines =
            bytes.split(|&byte| byte == b'\n').zip(1..).filter(|(line, _)| !line.trim_ascii().is_empty());
        let read = lines.map(|(line, number)| {
            serde_json::from_slice(line).map_err(|error| {
                let why = format!(
                    "line {number} is not a run ({}); remove the line",
                    Text(error.to_string().as_bytes())
                );
                failed("read", &path, &why)
            })
        });
        read.collect()
    }

    /// Returns whether the folder has a copy.
    fn has_copies(&self) -> bool {
        let Ok(entries) = fs::read_dir(&self.folder) else { return false };
        entries
            .flatten()
            .any(|entry| Path::new(&entry.file_name()).extension().is_some_and(|end| end == "txt"))
    }

    /// Returns the content of a copy.
    pub(super) fn copy(&self, name: &str) -> Result<Vec<u8>> {
        // A name leads to no other folder.
        let path = self.folder.join(Path::new(name).file_name().unwrap_or_default());
        read_unlinked(&path, LARGEST).map_err(|error| failed("read", &path, &reason(&error)))
    }

    /// Writes a copy, which stays if a run is added with it.
    pub(super) fn keep(&self, time: &str, body: &[u8]) -> Result<NewCopy> {
        let stem = time.replace(':', "-");
        for suffix in 0..100 {
            let name = if suffix == 0 { format!("{stem}.txt") } else { format!("{stem}-{suffix}.txt") };
            let path = self.folder.join(&name);
            match create_file(&path, body).and_then(|()| TempPath::try_from_path(&path)) {
                Ok(path) => return Ok(NewCopy { name, path }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed("write", &path, &reason(&error))),
            }
        }
        Err(failed("write", &self.folder.join(stem), "there are too many copies of this second"))
    }

    /// Adds a run to the log, with the copy that it names, if that is new.
    pub(super) fn add(&self, run: &Run, new: Option<NewCopy>) -> Result<()> {
        let path = self.folder.join(LOG);
        let line = crate::output::json::line(run)?.into_text();
        append(&path, line.as_bytes()).map_err(|error| failed("write", &path, &reason(&error)))?;
        if let Some(copy) = new {
            copy.path.keep().map_err(|error| failed("write", &path, &reason(&error.error)))?;
        }
        Ok(())
    }
}

/// Appends to a file, or leaves it as it is.
fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = open_unlinked(path, OpenOptions::new().append(true).create(true))?;
    let before = file.metadata()?.len();
    file.write_all(bytes).inspect_err(|_| {
        // A part of a line would make the log unreadable.
        let _ = file.set_len(before);
    })
}

fn failed(what: &str, path: &Path, why: &str) -> Failure {
    Failure::new(format!("can't {what} {}: {why}", Text(path.as_os_str().as_encoded_bytes())))
}

/// How much a change matters, the least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Severity {
    /// Nothing has changed.
    #[default]
    None,
    /// Only the text of the file has changed.
    Low,
    /// URLs are newly allowed, or the status is another one.
    Medium,
    /// URLs are newly disallowed, the site gave no answer, or its answer is not a robots.txt file.
    High,
    /// A crawler may not access `/` any more.
    Critical,
}

impl Severity {
    pub(super) fn parser() -> OneOf<Self> {
        OneOf::new([Self::Low, Self::Medium, Self::High, Self::Critical].map(|level| (level.name(), level)))
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}
