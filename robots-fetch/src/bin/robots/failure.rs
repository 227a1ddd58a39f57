//! Why a command ends early.

use std::io;

/// What a command gives.
pub(crate) type Result<T> = core::result::Result<T, Failure>;

/// Why a command can't go on.
#[derive(Debug)]
pub(crate) enum Failure {
    /// For this reason, in one line.
    Told(String),
    /// Nobody reads its output any more.
    Closed,
}

impl Failure {
    /// The failure that is told in `message`.
    pub(crate) fn told(message: impl Into<String>) -> Self {
        Self::Told(message.into())
    }

    /// The failure of writing output.
    pub(crate) fn of_output(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::told(format!("can't write output: {}", reason(error))),
        }
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        // Options may hold any characters; a message is one line.
        Self::told(crate::text::Text(error.to_string().as_bytes()).to_string())
    }
}

/// The reason the system gives, in lower case and without its number.
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
