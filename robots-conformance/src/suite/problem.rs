//! Problems of the files of this crate, and rows that are known to fail.

use core::fmt;
use core::ops::Range;

use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A problem of a file, with its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// The file, relative to the folder that holds robots-conformance.
    pub file: String,
    /// The line, from 1; 0 for the whole file.
    pub line: usize,
    /// The message: one line, without a full stop.
    pub what: String,
}

impl Problem {
    /// Creates a problem.
    #[must_use]
    pub fn new(file: &str, line: usize, what: impl Into<String>) -> Self {
        let what: String = what.into();
        Self { file: file.to_owned(), line, what: what.split_whitespace().collect::<Vec<_>>().join(" ") }
    }

    /// Creates a problem from an error of the TOML parser.
    pub(crate) fn of_toml(file: &str, text: &str, error: &toml::de::Error) -> Self {
        let line = error.span().map_or(0, |span| line_of(text, &span));
        Self::new(file, line, error.message())
    }
}

/// Writes `file:line: what`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.what),
            line => write!(f, "{}:{line}: {}", self.file, self.what),
        }
    }
}

/// Returns the line in which `span` starts, from 1.
pub(crate) fn line_of(text: &str, span: &Range<usize>) -> usize {
    text.get(..span.start).unwrap_or(text).matches('\n').count() + 1
}

/// A row that is known to fail under a profile, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exception {
    /// `document/table/row`.
    pub row: String,
    /// The profile under which it fails.
    pub profile: String,
    /// The reason.
    pub reason: String,
    /// The line in exceptions.toml.
    pub line: usize,
}

impl Exception {
    pub(crate) fn read(file: &str, text: &str, problems: &mut Vec<Problem>) -> Vec<Self> {
        let written: File = match toml::from_str(text) {
            Ok(written) => written,
            Err(error) => {
                problems.push(Problem::of_toml(file, text, &error));
                return Vec::new();
            }
        };
        let mut exceptions: Vec<Self> = Vec::new();
        for spanned in written.exception {
            let line = line_of(text, &spanned.span());
            let Written { row, profile, reason } = spanned.into_inner();
            if reason.trim().is_empty() {
                problems.push(Problem::new(file, line, format!("the exception for `{row}` has no reason")));
            }
            if exceptions.iter().any(|other| other.row == row && other.profile == profile) {
                problems.push(Problem::new(
                    file,
                    line,
                    format!("`{row}` has two exceptions under {profile}"),
                ));
            }
            exceptions.push(Self { row, profile, reason, line });
        }
        exceptions
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    exception: Vec<Spanned<Written>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    row: String,
    profile: String,
    reason: String,
}
