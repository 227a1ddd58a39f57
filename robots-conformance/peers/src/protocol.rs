//! The lines between the driver and those who answer; README.md has their form.

use serde::{Deserialize, Serialize};

/// The implementation that answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Hello {
    pub(crate) version: String,
    /// The documents it says it follows.
    pub(crate) claims: Vec<String>,
}

/// A row.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Question {
    /// In hexadecimal digits.
    pub(crate) body: String,
    pub(crate) agents: Vec<String>,
    pub(crate) together: bool,
    pub(crate) path: Option<String>,
    pub(crate) url: Option<String>,
}

/// Its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    Allowed(bool),
    Error(String),
    Unasked(String),
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn unhex(digits: &str) -> Option<Vec<u8>> {
    digits
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}
