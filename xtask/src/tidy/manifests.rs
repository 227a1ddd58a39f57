//! What manifests promise: the direction of dependencies, and the facts that READMEs repeat.

use std::path::Path;

use crate::process::Cargo;
use crate::workspace::{MEMBERS, PUBLISHED, folder, keys, text, value};

/// The members that each member may depend on.
const BELOW: [(&str, &[&str]); 8] = [
    ("robots-syntax", &[]),
    ("robots-groups", &["robots-syntax"]),
    ("robots-match", &["robots-groups"]),
    ("robots-page", &["robots-match"]),
    ("robots-fetch", &["robots-match", "robots-page"]),
    ("robots-command", &["robots-match", "robots-fetch"]),
    ("robots-conformance", &["robots-fetch", "robots-page"]),
    ("xtask", &[]),
];

/// Finds dependencies of members on other members than the layer below, and other dependencies of the lowest layer than nom,
/// memchr and serde.
pub(super) fn layers(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for (member, allowed) in BELOW {
        let manifest = text(&root.join(folder(member)).join("Cargo.toml"))?;
        found.extend(forbidden(member, &manifest, allowed));
    }
    let tree = Cargo::new(["tree", "--quiet", "--package", "robots-syntax", "--all-features"])
        .arguments(&["--edges", "normal,build,no-proc-macro", "--prefix", "none", "--format", "{p}"])
        .output()?
        .ok_or("cargo tree failed")?;
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    let others =
        names.filter(|name| !["robots-syntax", "nom", "memchr", "serde", "serde_core"].contains(name));
    found.extend(others.map(|name| format!("robots-syntax depends on {name}")));
    Ok(found)
}

fn forbidden(member: &str, manifest: &str, allowed: &[&str]) -> Vec<String> {
    keys(manifest, "dependencies")
        .into_iter()
        .filter(|dependency| MEMBERS.contains(dependency) && !allowed.contains(dependency))
        .map(|dependency| format!("{member}: {dependency} is not the layer below"))
        .collect()
}

/// Finds READMEs of published crates whose table of features or Rust version differs from the manifest.
pub(super) fn readmes(root: &Path) -> Result<Vec<String>, String> {
    let workspace = text(&root.join("Cargo.toml"))?;
    let mut found = Vec::new();
    for member in PUBLISHED {
        let folder = root.join(folder(member));
        let (manifest, readme) = (text(&folder.join("Cargo.toml"))?, text(&folder.join("README.md"))?);
        let rust = value(&manifest, "package", "rust-version")
            .or_else(|| value(&workspace, "workspace.package", "rust-version"))
            .unwrap_or_default();
        let features = differences(&manifest, &readme, rust);
        found.extend(features.into_iter().map(|what| format!("{member}/README.md: {what}")));
    }
    Ok(found)
}

fn differences(manifest: &str, readme: &str, rust: &str) -> Vec<String> {
    let mut found = Vec::new();
    let words: Vec<&str> = readme.split_whitespace().collect();
    if !words.join(" ").contains(&format!("needs Rust {rust}")) {
        found.push(format!("expected `needs Rust {rust}`, as in the manifest"));
    }
    let is_named = |name: &&str| *name != "default" && !name.starts_with('_');
    let features: Vec<&str> = keys(manifest, "features").into_iter().filter(is_named).collect();
    let rows = readme.lines().skip_while(|line| !line.starts_with("| feature |"));
    let rows = rows.take_while(|line| line.starts_with('|'));
    let rows: Vec<&str> =
        rows.filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0)).collect();
    let missing = features.iter().filter(|name| !rows.contains(name));
    found.extend(missing.map(|name| format!("the table has no row for the feature `{name}`")));
    let unknown = rows.iter().filter(|name| !features.contains(name));
    found.extend(unknown.map(|name| format!("the crate has no feature `{name}`")));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_layer_below_is_allowed() {
        let manifest = "[dependencies]\nurl.workspace = true\nrobots-match.workspace = true\n";
        assert!(forbidden("robots-fetch", manifest, &["robots-match"]).is_empty());
        assert_eq!(
            forbidden("robots-groups", manifest, &["robots-syntax"]),
            ["robots-groups: robots-match is not the layer below"]
        );
    }

    #[test]
    fn a_readme_has_each_feature_once() {
        let manifest = "[features]\nurl = []\n_own = []\n\n[dependencies]\n";
        let found = |rows: &str| {
            differences(manifest, &format!("needs\nRust 1.85\n| feature |\n| --- |\n{rows}"), "1.85")
        };
        assert!(found("| `url` | |\n").is_empty());
        assert_eq!(found("| `url` |\n| `lint` | |\n"), ["the crate has no feature `lint`"]);
        assert_eq!(found("").len(), 1);
        assert_eq!(differences("", "", "1.85").len(), 1);
    }
}
