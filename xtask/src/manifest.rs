//! The manifests of the members, as cargo reads them.

use std::sync::OnceLock;

use serde_json::Value;

use crate::process::{cargo, printed};
use crate::workspace::{root, text};

/// Returns what cargo says about a member of this workspace: its manifest, with what that inherits.
///
/// # Errors
///
/// If cargo fails, or does not know the member.
pub(crate) fn manifest(member: &str) -> Result<Value, String> {
    static METADATA: OnceLock<Option<Value>> = OnceLock::new();
    let read = || {
        let arguments = ["metadata", "--quiet", "--no-deps", "--offline", "--format-version", "1"];
        serde_json::from_str(&printed(&cargo().to_string_lossy(), &arguments)?).ok()
    };
    let metadata = METADATA.get_or_init(read).as_ref().ok_or("cargo metadata failed")?;
    let mut packages = metadata.get("packages").and_then(Value::as_array).into_iter().flatten();
    let found = packages.find(|package| package.get("name").is_some_and(|name| name == member));
    found.cloned().ok_or_else(|| format!("the workspace has no package {member}"))
}

/// Returns a text of a manifest, such as `version`; empty if it has none.
pub(crate) fn field<'m>(manifest: &'m Value, name: &str) -> &'m str {
    manifest.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the features of a manifest, without `default`.
pub(crate) fn features(manifest: &Value) -> Vec<&str> {
    let features = manifest.get("features").and_then(Value::as_object).into_iter().flatten();
    features.map(|(name, _)| &**name).filter(|name| *name != "default").collect()
}

/// Returns the profiles for development of the workspace, of the tables that are wanted, for the manifest of another workspace: with
/// other profiles, dependencies and macros would be built again.
///
/// # Errors
///
/// If the manifest cannot be read.
pub(crate) fn profiles(is_wanted: &dyn Fn(&str) -> bool) -> Result<String, String> {
    Ok(profiles_of(&text(&root().join("Cargo.toml"))?, is_wanted))
}

fn profiles_of(manifest: &str, is_wanted: &dyn Fn(&str) -> bool) -> String {
    let tables = manifest.split("\n[").filter(|table| table.starts_with("profile.dev") && is_wanted(table));
    tables.map(|table| format!("\n[{table}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{MEMBERS, PUBLISHED, folder};

    #[test]
    fn profiles_for_development_are_found() {
        let manifest = "[workspace]\n\n[profile.dev]\na = 1\n[profile.dev.package.b]\nc = 1\n\n[profile.release]\nd = 1\n";
        let found = "\n[profile.dev]\na = 1\n[profile.dev.package.b]\nc = 1\n";
        assert_eq!(profiles_of(manifest, &|_| true), found);
        assert_eq!(profiles_of(manifest, &|table| !table.contains(".b]")), "\n[profile.dev]\na = 1");
    }

    #[test]
    fn members_match_the_manifest() {
        for member in MEMBERS {
            let manifest = manifest(member).unwrap();
            assert!(field(&manifest, "manifest_path").ends_with(&format!("/{}/Cargo.toml", folder(member))));
            let is_published = manifest.get("publish").is_some_and(Value::is_null);
            assert_eq!(is_published, PUBLISHED.contains(&member), "{member}");
        }
        let written = text(&root().join("Cargo.toml")).unwrap();
        let members = written.split_once("members = [").unwrap().1.split_once(']').unwrap().0;
        assert_eq!(members.matches('"').count(), 2 * MEMBERS.len());
    }
}
