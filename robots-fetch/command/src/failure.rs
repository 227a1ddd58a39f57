//! Why a command ends early.

use core::fmt;
use std::io;

use crate::in_order::NoThread;

/// The result of a step of a command.
pub(crate) type Result<T> = core::result::Result<T, Failure>;

/// The exit status of a command that failed. The lower ones are answers.
pub(crate) const FAILED: u8 = 2;

/// Returns the exit status of all commands that ask sites or read files. Findings do not count if a part of the question
/// has no answer.
///
/// | state | status |
/// | --- | --- |
/// | rules were read, or a file that was kept applies | 0, or 1 for findings |
/// | the site has no robots.txt, refuses access to it, or sends something else in its place: by its answer, it is open or closed | 0, or 1 |
/// | the site gives no answer: its host is not found, the connection fails, its server has an error or limits requests | 2 |
/// | a file that was named can't be read, or is not a robots.txt file | 2 |
pub(crate) const fn status(is_unanswered: bool, is_found: bool) -> u8 {
    match (is_unanswered, is_found) {
        (true, _) => FAILED,
        (false, true) => 1,
        (false, false) => 0,
    }
}

/// Why a command can't continue.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A message for standard error, on one line.
    Message(String),
    /// Standard output was closed by its reader.
    Closed,
}

impl Failure {
    /// A failure with this message.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Message(message.into())
    }

    /// The failure of writing output.
    pub(crate) fn of_output(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::new(format!("can't write output: {}", reason(error))),
        }
    }

    /// The failure of writing answers about an input that is read at the same time: without a reader, the rest has none.
    pub(crate) fn of_answers(error: &io::Error) -> Self {
        match Self::of_output(error) {
            Self::Closed => Self::new("the output was closed, so the rest of the input was not read"),
            failure => failure,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => f.write_str(message),
            Self::Closed => f.write_str("the output was closed"),
        }
    }
}

impl From<NoThread> for Failure {
    fn from(NoThread(error): NoThread) -> Self {
        Self::new(format!("can't start a thread: {}", reason(&error)))
    }
}

/// Returns the reason that the system gives, in lower case and without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        // `I/O error` stays as it is.
        (Some(first), Some(second)) if second.is_ascii_lowercase() => {
            first.to_lowercase().chain([second]).chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}
