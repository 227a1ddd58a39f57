//! Facts of the manifests that pages repeat: features, dependencies and Rust versions.

use std::path::Path;

use serde_json::Value;

use crate::process::Cargo;
use crate::workspace::{PUBLISHED, folder, text};

/// The facts of a published crate, as `cargo metadata` prints them.
#[derive(Debug, Default)]
struct Package {
    name: String,
    rust_version: String,
    /// Dependencies other than crates of this workspace.
    always: Vec<String>,
    optional: Vec<String>,
    /// Features that users can name.
    features: Vec<String>,
    /// Features that need a later Rust version, and that version.
    later: Vec<(String, String)>,
}

/// Finds pages that differ from the manifests.
pub(crate) fn facts(root: &Path) -> Result<Vec<String>, String> {
    let metadata = Cargo::new(["metadata", "--no-deps", "--format-version", "1", "--quiet"])
        .output()?
        .ok_or("cargo metadata failed")?;
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = packages(&metadata);
    if packages.len() != PUBLISHED.len() {
        return Err("cargo metadata does not list the published crates".to_owned());
    }
    let mut found = Vec::new();
    found.extend(missing(
        "SECURITY.md",
        &text(&root.join("SECURITY.md"))?,
        packages.iter().map(dependencies),
    ));
    found.extend(missing("README.md", &text(&root.join("README.md"))?, packages.iter().map(version)));
    for package in &packages {
        for page in ["README.md", "src/lib.rs"] {
            let name = format!("{}/{page}", folder(&package.name));
            let text = text(&root.join(&name))?.replace("//! ", "");
            // Only READMEs need the table.
            if page == "README.md" || text.contains("| feature |") {
                found.extend(features(&name, &text, package));
            }
        }
        let name = format!("{}/README.md", folder(&package.name));
        let line = format!("needs Rust {}", package.rust_version);
        let words = text(&root.join(&name))?.split_whitespace().collect::<Vec<_>>().join(" ");
        found.extend(missing(&name, &words, [line].into_iter()));
    }
    Ok(found)
}

fn packages(metadata: &Value) -> Vec<Package> {
    let listed =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let string =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let package = |value: &Value| {
        let mut package = Package {
            name: string(value, "name"),
            rust_version: string(value, "rust_version"),
            ..Package::default()
        };
        for dependency in listed(value, "dependencies") {
            let name = string(&dependency, "name");
            let is_normal = dependency.get("kind").is_none_or(Value::is_null);
            if is_normal && !PUBLISHED.contains(&&*name) {
                let is_optional = dependency.get("optional").and_then(Value::as_bool) == Some(true);
                if is_optional { package.optional.push(name) } else { package.always.push(name) }
            }
        }
        package.always.sort();
        package.optional.sort();
        if let Some(features) = value.get("features").and_then(Value::as_object) {
            let is_named = |name: &&String| *name != "default" && !name.starts_with('_');
            package.features = features.keys().filter(is_named).cloned().collect();
        }
        if let Some(later) = value.pointer("/metadata/rust-version").and_then(Value::as_object) {
            let text = |version: &Value| version.as_str().unwrap_or_default().to_owned();
            package.later = later.iter().map(|(feature, version)| (feature.clone(), text(version))).collect();
        }
        package
    };
    let all = listed(metadata, "packages");
    let of = |name: &&str| all.iter().find(|package| string(package, "name") == **name).map(package);
    PUBLISHED.iter().filter_map(of).collect()
}

/// Returns the row of a crate in the table of dependencies.
fn dependencies(package: &Package) -> String {
    let names =
        |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let cells = [format!("`{}`", package.name), names(&package.always), names(&package.optional)];
    let cell = |cell: &String| if cell.is_empty() { " |".to_owned() } else { format!(" {cell} |") };
    format!("|{}\n", cells.iter().map(cell).collect::<String>())
}

/// Returns the last cells of a crate's row in the table of crates.
fn version(package: &Package) -> String {
    format!("| [`{}`]({}) | {} |\n", package.name, folder(&package.name), package.rust_version)
}

/// Finds texts that a page has to contain.
fn missing(page: &str, text: &str, expected: impl Iterator<Item = String>) -> Vec<String> {
    let missing = expected.filter(|expected| !text.contains(expected.as_str()));
    missing
        .map(|expected| format!("{page}: expected `{}`, as in the manifest", expected.trim_end()))
        .collect()
}

/// Finds differences between a table of features and the manifest.
fn features(page: &str, text: &str, package: &Package) -> Vec<String> {
    if package.features.is_empty() {
        return missing(page, text, ["The crate has no features.".to_owned()].into_iter());
    }
    let table = text.lines().skip_while(|line| !line.starts_with("| feature |"));
    let rows = table.take_while(|line| line.starts_with('|')).filter_map(|line| {
        let name = line.strip_prefix("| `")?.split_once('`')?.0;
        Some((name, line))
    });
    let rows: Vec<(&str, &str)> = rows.collect();
    let mut found = Vec::new();
    for feature in &package.features {
        if !rows.iter().any(|(name, _)| name == feature) {
            found.push(format!("{page}: the table has no row for the feature `{feature}`"));
        }
    }
    for (name, line) in rows {
        if !package.features.iter().any(|feature| feature == name) {
            found.push(format!("{page}: the crate has no feature `{name}`"));
        }
        let later = package.later.iter().find(|(feature, _)| feature == name);
        if let Some((_, version)) = later.filter(|(_, version)| !line.ends_with(&format!("| {version} |"))) {
            found.push(format!("{page}: the feature `{name}` needs Rust {version}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package() -> Package {
        let metadata = r#"{"packages": [{
            "name": "robots-match", "rust_version": "1.85",
            "dependencies": [
                {"name": "robots-groups", "kind": null, "optional": false},
                {"name": "memchr", "kind": null, "optional": false},
                {"name": "url", "kind": null, "optional": true},
                {"name": "insta", "kind": "dev", "optional": false}
            ],
            "features": {"default": [], "_internal": [], "url": ["dep:url"]},
            "metadata": {"rust-version": {"url": "1.90"}}
        }]}"#;
        packages(&serde_json::from_str(metadata).unwrap()).remove(0)
    }

    #[test]
    fn the_table_of_dependencies_has_those_of_users() {
        assert_eq!(dependencies(&package()), "| `robots-match` | `memchr` | `url` |\n");
        assert_eq!(dependencies(&Package { name: "a".to_owned(), ..Package::default() }), "| `a` | | |\n");
        assert_eq!(missing("a.md", "b", ["c\n".to_owned()].into_iter()).len(), 1);
    }

    #[test]
    fn a_table_has_each_feature_once() {
        let found =
            |rows: &str| features("a.md", &format!("| feature | Rust |\n| --- | --- |\n{rows}"), &package());
        assert!(found("| `url` | 1.90 |\n").is_empty());
        assert_eq!(found("| `url` | |\n"), ["a.md: the feature `url` needs Rust 1.90"]);
        assert_eq!(found("| `url` | 1.90 |\n| `lint` | |\n"), ["a.md: the crate has no feature `lint`"]);
        assert_eq!(found(""), ["a.md: the table has no row for the feature `url`"]);
    }
}
