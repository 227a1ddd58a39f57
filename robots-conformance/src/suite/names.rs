//! Names of documents, folders and files.

use robots_fetch::Profile;

/// The folders of tables: the documents, which have the names of profiles, and `lint`.
pub const DOCUMENTS: [&str; 5] = {
    let [(a, _), (b, _), (c, _), (d, _)] = Profile::NAMED;
    [a, b, c, d, LINT]
};

/// The folder of the tables of lints, and the start of their ids.
pub(crate) const LINT: &str = "lint";

pub(crate) const EXCEPTIONS: &str = "robots-conformance/exceptions.toml";
pub(crate) const READINGS: &str = "READINGS.md";
