//! What manifests promise: the direction of dependencies, and the facts that READMEs repeat.

use std::path::Path;

use serde_json::Value;

use crate::manifest::{features, field, manifest};
use crate::process::Cargo;
use crate::workspace::{MEMBERS, PUBLISHED, folder, text};

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
pub(super) fn layers() -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for (member, allowed) in BELOW {
        found.extend(forbidden(&manifest(member)?, allowed));
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

fn forbidden(manifest: &Value, allowed: &[&str]) -> Vec<String> {
    let dependencies = manifest.get("dependencies").and_then(Value::as_array).into_iter().flatten();
    dependencies
        .filter(|dependency| dependency.get("kind").is_none_or(Value::is_null))
        .map(|dependency| field(dependency, "name"))
        .filter(|name| MEMBERS.contains(name) && !allowed.contains(name))
        .map(|name| format!("{}: {name} is not the layer below", field(manifest, "name")))
        .collect()
}

/// Finds READMEs of published crates whose table of features or Rust version differs from the manifest.
pub(super) fn readmes(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for member in PUBLISHED {
        let readme = text(&root.join(folder(member)).join("README.md"))?;
        let differences = differences(&manifest(member)?, &readme);
        found.extend(differences.into_iter().map(|what| format!("{member}/README.md: {what}")));
    }
    Ok(found)
}

fn differences(manifest: &Value, readme: &str) -> Vec<String> {
    let mut found = Vec::new();
    let rust = field(manifest, "rust_version");
    let words: Vec<&str> = readme.split_whitespace().collect();
    if !words.join(" ").contains(&format!("needs Rust {rust}")) {
        found.push(format!("expected `needs Rust {rust}`, as in the manifest"));
    }
    let mut features = features(manifest);
    features.retain(|name| !name.starts_with('_'));
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
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_layer_below_is_allowed() {
        let manifest = |name: &str| {
            let dependencies =
                json!([{"name": "url"}, {"name": "robots-match"}, {"name": "xtask", "kind": "dev"}]);
            json!({"name": name, "dependencies": dependencies})
        };
        assert!(forbidden(&manifest("robots-fetch"), &["robots-match"]).is_empty());
        assert_eq!(
            forbidden(&manifest("robots-groups"), &["robots-syntax"]),
            ["robots-groups: robots-match is not the layer below"]
        );
    }

    #[test]
    fn a_readme_has_each_feature_once() {
        let manifest = json!({"rust_version": "1.85", "features": {"url": [], "_own": []}});
        let found =
            |rows: &str| differences(&manifest, &format!("needs\nRust 1.85\n| feature |\n| --- |\n{rows}"));
        assert!(found("| `url` | |\n").is_empty());
        assert_eq!(found("| `url` |\n| `lint` | |\n"), ["the crate has no feature `lint`"]);
        assert_eq!(found("").len(), 1);
        assert_eq!(differences(&json!({"rust_version": "1.85"}), "").len(), 1);
    }
}
