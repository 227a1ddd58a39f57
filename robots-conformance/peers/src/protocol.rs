//! The lines between the driver and those who answer; README.md has their form.

use serde::{Deserialize, Serialize};

/// Who answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hello {
    pub version: String,
    /// The documents it says it follows.
    pub claims: Vec<String>,
}

/// A row.
#[derive(Debug, Serialize, Deserialize)]
pub struct Question {
    /// In hexadecimal digits.
    pub body: String,
    pub agents: Vec<String>,
    pub together: bool,
    pub path: Option<String>,
    pub url: Option<String>,
}

/// What it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    Allowed(bool),
    Error(String),
    Unasked(String),
}

pub fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

pub fn unhex(digits: &str) -> Option<Vec<u8>> {
    digits
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}
