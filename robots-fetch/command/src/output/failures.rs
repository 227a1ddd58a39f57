//! Inputs that could not be read, beside the answers about the others.

use std::ffi::OsStr;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Style, complain};
use crate::failure::{Failure, Result};
use crate::text::Text;

/// The inputs that could not be read. Each is reported when it is noted, and the command goes on with the others.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Failures(Vec<Failed>);

/// An input that could not be read: a file, a site, a URL or a page.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Failed {
    /// The input, as it was given.
    pub(crate) input: String,
    pub(crate) message: String,
}

impl Failures {
    /// Returns what was read of an input. A failure is noted.
    ///
    /// # Errors
    ///
    /// The output was closed.
    pub(crate) fn read<T>(&mut self, input: &OsStr, result: Result<T>) -> Result<Option<T>> {
        match result {
            Ok(read) => Ok(Some(read)),
            Err(failure) => self.note(Text(input.as_encoded_bytes()).to_string(), failure).map(|()| None),
        }
    }

    /// Reports and keeps the failure of an input.
    ///
    /// # Errors
    ///
    /// The output was closed.
    pub(crate) fn note(&mut self, input: String, failure: Failure) -> Result<()> {
        match failure {
            Failure::Closed => Err(Failure::Closed),
            Failure::Message(message) => {
                complain("error", Style::Error, &message);
                self.0.push(Failed { input, message });
                Ok(())
            }
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> core::slice::Iter<'_, Failed> {
        self.0.iter()
    }
}
