//! Names of documents, folders and files.

use robots_fetch::Profile;

/// What tables are about: the documents, whose names are those of profiles, and lints.
pub const DOCUMENTS: [&str; 5] = {
    let [(a, _), (b, _), (c, _), (d, _)] = Profile::NAMED;
    [a, b, c, d, LINT]
};

/// The folder of tables of lints, and what their ids begin with.
pub(crate) const LINT: &str = "lint";

pub(crate) const EXCEPTIONS: &str = "robots-conformance/exceptions.toml";
pub(crate) const READINGS: &str = "READINGS.md";
