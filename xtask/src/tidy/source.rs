//! The files of the repository, and the code of source files.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::workspace::{MEMBERS, folder, text};

/// A source file of a member.
pub(crate) struct Source {
    /// The path from the root, with `/`.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Source {
    #[cfg(test)]
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.to_owned() }
    }

    /// Returns the lines of code with their numbers, up to the unit tests at the end. Line comments are removed; strings stay.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().take_while(|line| line.trim_start() != "#[cfg(test)]");
        (1..).zip(lines.map(uncommented)).filter(|(_, code)| !code.trim().is_empty())
    }

    /// Returns the message of a finding in a line.
    pub(crate) fn finding(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.name)
    }

    /// Whether the path ends with one of these names.
    pub(crate) fn is_named(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.name.ends_with(name))
    }
}

/// Returns a line without its comment. The `//` of a URL is not one.
fn uncommented(line: &str) -> &str {
    let starts = line.match_indices("//").map(|(at, _)| at);
    let before = starts.map(|at| line.get(..at).unwrap_or_default());
    before.into_iter().find(|before| !before.ends_with([':', '/', '"'])).unwrap_or(line)
}

/// Returns the sources of all members, their tests included, without those of other workspaces within a member.
pub(crate) fn sources(root: &Path) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    for path in files(root)? {
        let name = relative(root, &path);
        let is_of = |member: &str, inner: &str| name.starts_with(&format!("{}/{inner}/", folder(member)));
        let is_member = MEMBERS
            .iter()
            .any(|member| ["src", "tests", "examples", "benches"].iter().any(|inner| is_of(member, inner)));
        if is_member && path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(Source { text: text(&path)?, name });
        }
    }
    Ok(sources)
}

/// Returns all files except build output and the folder of git.
pub(crate) fn files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |error: io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            let name = entry.file_name();
            if kind.is_dir() && name != "target" && name != ".git" && name != "node_modules" {
                folders.push(entry.path());
            } else if kind.is_file() && name != ".git" {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the path from the root, with `/`.
pub(crate) fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_removed_and_strings_stay() {
        let found = |text: &str| {
            Source::new("a.rs", text).code().map(|(_, code)| code.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(
            found("/// Says.\nlet a = \"https://x\"; // why\n#[cfg(test)]\nb\n"),
            ["let a = \"https://x\"; "]
        );
    }
}
