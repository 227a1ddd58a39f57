//! The folders, members and manifests of this workspace.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

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

/// Returns the lines of a section of a manifest, such as `features`, without comments and blank lines.
pub(crate) fn section<'a>(manifest: &'a str, name: &str) -> Vec<&'a str> {
    let header = format!("[{name}]");
    let lines = manifest.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines
        .skip_while(|line| *line != header)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.is_empty())
        .collect()
}

/// Returns the keys of a section of a manifest; `a.workspace = true` has the key `a`.
pub(crate) fn keys<'a>(manifest: &'a str, name: &str) -> Vec<&'a str> {
    let key = |line: &'a str| {
        let (key, _) = line.split_once('=')?;
        Some(key.trim().split('.').next().unwrap_or_default())
    };
    section(manifest, name).into_iter().filter_map(key).collect()
}

/// Returns the value of a key whose value is a string, such as `version` of `package`.
pub(crate) fn value<'a>(manifest: &'a str, name: &str, key: &str) -> Option<&'a str> {
    section(manifest, name).into_iter().find_map(|line| {
        let (found, value) = line.split_once('=')?;
        (found.trim() == key).then(|| value.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"a\"\n[features]\n# a comment\ncli = [\n]\nx = []\n\n\
                            [dependencies]\nb.workspace = true\nc = { workspace = true }\n";

    #[test]
    fn keys_belong_to_their_section() {
        assert_eq!(keys(MANIFEST, "features"), ["cli", "x"]);
        assert_eq!(keys(MANIFEST, "dependencies"), ["b", "c"]);
        assert!(keys(MANIFEST, "dev-dependencies").is_empty());
    }

    #[test]
    fn values_belong_to_their_section() {
        assert_eq!(value(MANIFEST, "package", "name"), Some("a"));
        assert_eq!(value(MANIFEST, "features", "name"), None);
    }

    #[test]
    fn members_match_the_manifest() {
        let manifest = text(&root().join("Cargo.toml")).unwrap();
        let members = section(&manifest, "workspace").into_iter().find(|line| line.starts_with("members"));
        for member in MEMBERS {
            assert!(members.unwrap().contains(&format!("\"{}\"", folder(member))), "{member}");
        }
        assert_eq!(members.unwrap().matches('"').count(), 2 * MEMBERS.len());
    }
}
