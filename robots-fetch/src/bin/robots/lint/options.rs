//! The options of `robots lint`.

use std::ffi::{OsStr, OsString};

use robots_match::lint::Severity;

use crate::arguments::Reading;
use crate::failure::{Failure, Result};
use crate::network::Network;
use crate::text::Text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Human,
    Json,
    Sarif,
    Github,
}

impl Format {
    pub(super) fn of(name: &OsStr) -> Result<Self> {
        match name.as_encoded_bytes() {
            b"human" => Ok(Self::Human),
            b"json" => Ok(Self::Json),
            b"sarif" => Ok(Self::Sarif),
            b"github" => Ok(Self::Github),
            other => Err(Failure::told(format!(
                "there is no format `{}`; there are human, json, sarif, github",
                Text(other)
            ))),
        }
    }
}

#[derive(Debug)]
pub(super) struct Options {
    pub(super) deny: Severity,
    pub(super) format: Format,
    pub(super) fix: bool,
    pub(super) url: Option<String>,
    pub(super) reading: Reading,
    pub(super) network: Network,
    pub(super) files: Vec<OsString>,
}
