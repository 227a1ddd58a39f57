//! The folders and members of this workspace.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The members of the workspace, lower layers first.
pub(crate) const MEMBERS: [&str; 8] = [
    "robots-syntax",
    "robots-groups",
    "robots-match",
    "robots-page",
    "robots-fetch",
    "robots-command",
    "robots-conformance",
    "xtask",
];

/// The crates that are published, lower layers first, which is the order of publication.
pub(crate) const PUBLISHED: [&str; 6] =
    ["robots-syntax", "robots-groups", "robots-match", "robots-page", "robots-fetch", "robots-command"];

/// The published crates whose public API is recorded. That of the command is its options.
pub(crate) const LIBRARIES: [&str; 5] =
    ["robots-syntax", "robots-groups", "robots-match", "robots-page", "robots-fetch"];

/// The crates that need no standard library.
pub(crate) const LOWER: [&str; 4] = ["robots-syntax", "robots-groups", "robots-match", "robots-page"];

/// Returns the root folder of the workspace.
pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// Returns the folder of a member, from the root folder.
pub(crate) fn folder(member: &str) -> &str {
    match member {
        "robots-command" => "robots-fetch/command",
        "robots-page" => "robots-match/page",
        member => member,
    }
}

/// Returns the folder that cargo builds into.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into)
}

/// Returns the folder of checks without a program to run: clippy, documentation, features and the public API, which share the
/// dependencies that they build.
pub(crate) fn check_target() -> PathBuf {
    target().join("check")
}

/// Returns the text of a file.
///
/// # Errors
///
/// If the file cannot be read or is not UTF-8; the message names the path.
pub(crate) fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a file, and the folders it needs.
///
/// # Errors
///
/// If the file cannot be written; the message names the path.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Removes what an earlier run left in a folder, and makes the folder again.
///
/// # Errors
///
/// If the folder cannot be removed or made; the message names the path.
pub(crate) fn empty_folder(folder: &Path) -> Result<(), String> {
    let removed = if folder.exists() { fs::remove_dir_all(folder) } else { Ok(()) };
    removed
        .and_then(|()| fs::create_dir_all(folder))
        .map_err(|error| format!("{}: {error}", folder.display()))
}
