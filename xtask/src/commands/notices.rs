//! `cargo xtask notices`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use crate::help::ending;
use crate::process::{Cargo, Outcome, say, well};
use crate::workspace::{MEMBERS, root, target, text, write};

/// Writes the licences of the packages that the `robots` command contains, for its binary archives.
///
/// Fails if a package has neither a licence file nor a licence that the file can quote.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = ending!("notices --out target/THIRD-PARTY.txt"))]
pub(crate) struct Notices {
    /// The file to write (target/notices/THIRD-PARTY.txt if absent)
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// A package that the command contains.
#[derive(Debug)]
struct Contained {
    /// Name and version.
    name: String,
    /// The licence expression of its manifest.
    licence: String,
    repository: String,
    /// The texts of its licence files.
    texts: Vec<String>,
}

pub(crate) fn notices(options: &Notices) -> Outcome {
    let command = Program { name: "The `robots` command", package: "robots-command", folder: &root() };
    let collected = command.notices()?;
    for package in &collected.missing {
        say(&format!("no licence text: {package}"));
    }
    let file = options.out.clone().unwrap_or_else(|| target().join("notices").join("THIRD-PARTY.txt"));
    collected.write(&file)?;
    say(&format!(
        "notices: {} packages, {} without a text; {}",
        collected.packages,
        collected.missing.len(),
        file.display()
    ));
    well(collected.missing.is_empty())
}

/// A program of this repository that others receive.
pub(crate) struct Program<'p> {
    /// The name at the beginning of a sentence.
    pub(crate) name: &'p str,
    pub(crate) package: &'p str,
    /// The folder of its workspace.
    pub(crate) folder: &'p Path,
}

/// The licences of the packages in a program.
pub(crate) struct Collected {
    pub(crate) text: String,
    packages: usize,
    /// The packages without a licence text.
    pub(crate) missing: Vec<String>,
}

impl Collected {
    /// Writes the licences to a file, with those of data of others that our crates contain.
    pub(crate) fn write(&self, file: &Path) -> Result<(), String> {
        let notice = text(&root().join("robots-match").join("NOTICE"))?;
        write(file, &format!("{}\n{}\nrobots-match\n\n{}\n", self.text, "-".repeat(80), notice.trim()))
    }
}

impl Program<'_> {
    /// Collects the licences of the packages that the program contains on some system.
    pub(crate) fn notices(&self) -> Result<Collected, String> {
        let tree = Cargo::new(["tree", "--quiet", "--locked", "--package", self.package])
            .arguments(&["--edges", "normal,no-proc-macro", "--target", "all", "--prefix", "none"])
            .arguments(&["--format", "{p}"])
            .in_folder(self.folder)
            .output()?
            .ok_or("cargo tree failed")?;
        let metadata =
            Cargo::new(["metadata", "--quiet", "--locked", "--format-version", "1", "--all-features"])
                .in_folder(self.folder)
                .output()?
                .ok_or("cargo metadata failed")?;
        let mut packages = described(&metadata, &from_tree(&tree))?;
        add_missing_texts(&mut packages, &text(&root().join("LICENSE-APACHE"))?);
        let without_text = packages.iter().filter(|package| package.texts.is_empty());
        let missing = without_text.map(|package| format!("{}: {}", package.name, package.licence)).collect();
        Ok(Collected { text: page(self.name, &packages), packages: packages.len(), missing })
    }
}

/// Gives texts to packages that name their licences, but have no copy of them: those of a package of the same
/// repository with the same licences, otherwise the text of the Apache License if it may be chosen.
fn add_missing_texts(packages: &mut [Contained], apache: &str) {
    let known: BTreeMap<(String, String), Vec<String>> = packages
        .iter()
        .filter(|package| !package.texts.is_empty() && !package.repository.is_empty())
        .map(|package| ((package.repository.clone(), package.licence.clone()), package.texts.clone()))
        .collect();
    for package in packages.iter_mut().filter(|package| package.texts.is_empty()) {
        if let Some(texts) = known.get(&(package.repository.clone(), package.licence.clone())) {
            package.texts.clone_from(texts);
        } else if package.licence.contains("Apache-2.0") {
            package.texts.push(apache.to_owned());
        }
    }
}

/// Returns name and version of each line such as `url v2.5.7`, without members of the workspace.
fn from_tree(tree: &str) -> Vec<(String, String)> {
    let mut names: Vec<(String, String)> = tree
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
            let is_own =
                MEMBERS.contains(&name) || name == "robots-wasm" || name.starts_with("robots-exclusion");
            (!is_own).then(|| (name.to_owned(), version.to_owned()))
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Looks up the packages in metadata, and reads their licence files.
fn described(metadata: &str, names: &[(String, String)]) -> Result<Vec<Contained>, String> {
    let metadata: Value = serde_json::from_str(metadata).map_err(|error| format!("metadata: {error}"))?;
    let all = metadata.get("packages").and_then(Value::as_array).ok_or("the metadata has no packages")?;
    let field = |package: &Value, name: &str| {
        package.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let mut packages = Vec::new();
    for (name, version) in names {
        let package = all
            .iter()
            .find(|package| field(package, "name") == *name && field(package, "version") == *version)
            .ok_or_else(|| format!("the metadata has no package {name} {version}"))?;
        let manifest = PathBuf::from(field(package, "manifest_path"));
        let folder = manifest.parent().unwrap_or(&manifest);
        packages.push(Contained {
            name: format!("{name} {version}"),
            licence: field(package, "license"),
            repository: field(package, "repository"),
            texts: licence_texts(folder)?,
        });
    }
    Ok(packages)
}

/// Reads the files of a folder whose names are those of licences or notices, in the order of their names.
fn licence_texts(folder: &Path) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_licence(&name) && entry.path().is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    files.iter().map(|file| text(file).map(|text| text.replace("\r\n", "\n").trim().to_owned())).collect()
}

fn is_licence(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"]
        .iter()
        .any(|word| name.starts_with(word))
        && !name.ends_with(".RS")
}

/// Returns the text of the file: each different text once, after the packages that it belongs to.
fn page(name: &str, packages: &[Contained]) -> String {
    let mut page = format!(
        "{name} contains the Rust standard library (MIT OR Apache-2.0, The Rust Project contributors;\n\
         https://www.rust-lang.org) and the packages listed here with their licences.\n\n"
    );
    let mut texts: BTreeMap<&str, Vec<&Contained>> = BTreeMap::new();
    for package in packages {
        let Contained { name, licence, repository, .. } = package;
        let _ = writeln!(page, "{name}: {licence} {repository}");
        for text in &package.texts {
            texts.entry(text).or_default().push(package);
        }
    }
    for (text, packages) in texts {
        let names: Vec<&str> = packages.iter().map(|package| &*package.name).collect();
        let _ = write!(page, "\n{}\n{}\n\n{text}\n", "-".repeat(80), names.join(", "));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_the_tree() {
        let tree = "robots-fetch v0.1.0 (/x)\nurl v2.5.7\nmemchr v2.7.6\nurl v2.5.7 (*)\n";
        let expected = [("memchr", "2.7.6"), ("url", "2.5.7")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(from_tree(tree), expected);
    }

    #[test]
    fn licence_files_are_known_by_their_names() {
        assert!(["LICENSE-MIT", "license.txt", "COPYING", "NOTICE"].into_iter().all(is_licence));
        assert!(["README.md", "Cargo.toml", "license.rs"].into_iter().all(|name| !is_licence(name)));
    }

    fn package(name: &str, licence: &str, repository: &str, text: &str) -> Contained {
        Contained {
            name: format!("{name} 1.0.0"),
            licence: licence.to_owned(),
            repository: repository.to_owned(),
            texts: Some(text.to_owned()).filter(|text| !text.is_empty()).into_iter().collect(),
        }
    }

    #[test]
    fn missing_texts_come_from_the_same_repository_or_are_the_apache_license() {
        let mut packages = [
            package("a", "BSD-3-Clause", "https://a.test", "Redistribution"),
            package("b", "BSD-3-Clause", "https://a.test", ""),
            package("c", "MIT OR Apache-2.0", "https://c.test", ""),
            package("d", "BSD-3-Clause", "https://d.test", ""),
        ];
        add_missing_texts(&mut packages, "Apache License");
        let texts = packages.map(|package| package.texts.concat());
        assert_eq!(texts, ["Redistribution", "Redistribution", "Apache License", ""]);
    }

    #[test]
    fn a_text_that_packages_share_is_printed_once() {
        let package = |name: &str| package(name, "MIT", "", "Permission is granted");
        let page = page("It", &[package("a"), package("b")]);
        assert_eq!(page.matches("Permission is granted").count(), 1);
        assert!(page.contains("\na 1.0.0, b 1.0.0\n"));
    }
}
