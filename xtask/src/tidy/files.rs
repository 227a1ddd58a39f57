//! Sizes and copies of files, and paths in them.

use std::path::Path;
use std::{env, fs};

use super::source::Source;
use crate::workspace::{PUBLISHED, folder};

/// The number of lines after which a file is more than one idea.
const MOST: usize = 1_000;

/// Finds source files with more than `MOST` lines.
pub(super) fn long(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    (lines > MOST)
        .then(|| format!("{}: {lines} lines: split the file by idea", source.name))
        .into_iter()
        .collect()
}

/// Returns the starts of paths that are valid on one machine only: this folder and home folders.
pub(super) fn of_this_machine(root: &Path) -> Vec<String> {
    let own = [root.to_str().map(str::to_owned), env::var("HOME").ok().map(|home| format!("{home}/"))];
    let own = own.into_iter().flatten().filter(|path| path.len() > 5);
    [concat!("/ho", "me/"), concat!("/Us", "ers/")].into_iter().map(str::to_owned).chain(own).collect()
}

/// Finds lines with one of these paths, other than the home folder of an example.
pub(super) fn with_paths(name: &str, text: &str, paths: &[String]) -> Vec<String> {
    let has_one = |line: &str| {
        let line = line.replace(concat!("/ho", "me/example/"), "");
        paths.iter().any(|path| line.contains(path.as_str()))
    };
    let lines = (1..).zip(text.lines()).filter(|(_, line)| has_one(line));
    lines.map(|(line, _)| format!("{name}:{line}: a path that is valid on one machine only")).collect()
}

/// Finds published crates without a copy of each licence text in the root folder.
pub(super) fn licences(root: &Path) -> Vec<String> {
    let copies =
        ["LICENSE-MIT", "LICENSE-APACHE"].into_iter().flat_map(|file| PUBLISHED.map(|member| (file, member)));
    copies
        .filter(|(file, member)| {
            let copy = fs::read(root.join(folder(member)).join(file)).ok();
            copy.is_none() || copy != fs::read(root.join(file)).ok()
        })
        .map(|(file, member)| format!("{}/{file}: copy the file from the root folder", folder(member)))
        .collect()
}

/// Finds files that pin dependencies in folders that `.github/dependabot.yml` does not have.
pub(super) fn updates(path: &str, configuration: &str) -> Vec<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let kind = match name {
        "Cargo.lock" => "cargo",
        "package-lock.json" => "npm",
        "requirements.txt" => "pip",
        _ => return Vec::new(),
    };
    let entry = format!("package-ecosystem: {kind}\n    directory: /{folder}\n");
    let is_missing = !configuration.contains(&entry);
    is_missing
        .then(|| format!("{path}: add /{folder} ({kind}) to .github/dependabot.yml"))
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::root;

    #[test]
    fn long_files_are_found() {
        assert_eq!(long(&Source::new("a.rs", &"x\n".repeat(1_001))).len(), 1);
        assert_eq!(long(&Source::new("a.rs", &"x\n".repeat(1_000))).len(), 0);
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        let paths = of_this_machine(&root());
        let text = format!("x\ncd {}me\n", concat!("/ho", "me/"));
        assert_eq!(with_paths("a", &text, &paths), ["a:2: a path that is valid on one machine only"]);
    }

    #[test]
    fn each_lock_file_is_in_the_configuration() {
        let configuration = "  - package-ecosystem: cargo\n    directory: /\n  - package-ecosystem: npm\n    directory: /a/b\n";
        for (path, count) in
            [("Cargo.lock", 0), ("a/b/package-lock.json", 0), ("a/Cargo.toml", 0), ("a/Cargo.lock", 1)]
        {
            assert_eq!(updates(path, configuration).len(), count, "{path}");
        }
    }
}
