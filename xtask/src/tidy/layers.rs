//! The direction of dependencies between layers.

use std::path::Path;

use crate::process::Cargo;
use crate::workspace::{MEMBERS, folder, keys, text};

/// Finds dependencies of members on other members than the layer below.
pub(crate) fn direction(root: &Path) -> Result<Vec<String>, String> {
    let below: [(&str, &[&str]); 7] = [
        ("robots-syntax", &[]),
        ("robots-groups", &["robots-syntax"]),
        ("robots-match", &["robots-groups"]),
        ("robots-fetch", &["robots-match"]),
        ("robots-command", &["robots-match", "robots-fetch"]),
        ("robots-conformance", &["robots-fetch"]),
        ("xtask", &[]),
    ];
    let mut found = Vec::new();
    for (member, allowed) in below {
        let manifest = text(&root.join(folder(member)).join("Cargo.toml"))?;
        found.extend(forbidden(member, &manifest, allowed));
    }
    Ok(found)
}

fn forbidden(member: &str, manifest: &str, allowed: &[&str]) -> Vec<String> {
    keys(manifest, "dependencies")
        .into_iter()
        .filter(|dependency| MEMBERS.contains(dependency) && !allowed.contains(dependency))
        .map(|dependency| format!("{member}/Cargo.toml: {dependency} is not the layer below"))
        .collect()
}

/// Finds dependencies of the lowest layer other than nom and memchr.
pub(crate) fn lowest() -> Result<Vec<String>, String> {
    let tree = Cargo::new(["tree", "--quiet", "--package", "robots-syntax", "--all-features"])
        .arguments(&["--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .output()?
        .ok_or("cargo tree failed")?;
    Ok(others(&tree))
}

fn others(tree: &str) -> Vec<String> {
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    let others = names.filter(|name| !["robots-syntax", "nom", "memchr"].contains(name));
    others.map(|name| format!("robots-syntax/Cargo.toml: robots-syntax depends on {name}")).collect()
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
            ["robots-groups/Cargo.toml: robots-match is not the layer below"]
        );
    }

    #[test]
    fn the_lowest_layer_has_two_dependencies() {
        assert!(others("robots-syntax v1\nmemchr v2\nnom v8\n").is_empty());
        assert_eq!(others("robots-syntax v1\nserde v1\n").len(), 1);
    }
}
