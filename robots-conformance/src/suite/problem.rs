//! What is wrong with a file of this crate, and where.

use core::fmt;
use core::ops::Range;

/// Something wrong, with its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Problem {
    /// The file, relative to the folder that holds robots-conformance.
    pub file: String,
    /// The line, from 1; 0 where the whole file is meant.
    pub line: usize,
    /// What is wrong: one line, without a full stop.
    pub what: String,
}

impl Problem {
    /// `what`, in `line` of `file`.
    #[must_use]
    pub fn new(file: &str, line: usize, what: impl Into<String>) -> Self {
        let what: String = what.into();
        Self { file: file.to_owned(), line, what: what.split_whitespace().collect::<Vec<_>>().join(" ") }
    }

    /// Of a text that is no TOML, or not the TOML that is asked for.
    pub(crate) fn of_toml(file: &str, text: &str, error: &toml::de::Error) -> Self {
        let line = error.span().map_or(0, |span| line_of(text, &span));
        Self::new(file, line, error.message())
    }
}

/// `file:line: what`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.what),
            line => write!(f, "{}:{line}: {}", self.file, self.what),
        }
    }
}

/// The number of the line in which `span` starts, from 1.
pub(crate) fn line_of(text: &str, span: &Range<usize>) -> usize {
    let before = text.as_bytes().get(..span.start).unwrap_or(text.as_bytes());
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}
