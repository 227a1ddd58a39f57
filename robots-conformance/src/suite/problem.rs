//! Problems of the files of this crate.

use core::fmt;
use core::ops::Range;

/// A problem of a file, with its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    let before = text.as_bytes().get(..span.start).unwrap_or(text.as_bytes());
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}
