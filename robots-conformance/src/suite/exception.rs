//! Rows that are known to fail.

use serde::Deserialize;
use toml::Spanned;

use crate::suite::problem::{Problem, line_of};

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
