//! The lock files that `.github/dependabot.yml` keeps up to date.

/// The path of the configuration from the root.
pub(crate) const CONFIGURATION: &str = ".github/dependabot.yml";

/// The files that pin dependencies, and the name that the configuration has for their kind.
const KINDS: [(&str, &str); 3] =
    [("Cargo.lock", "cargo"), ("package-lock.json", "npm"), ("requirements.txt", "pip")];

/// Finds files that pin dependencies in folders that the configuration does not have.
pub(crate) fn updates<'a>(files: impl IntoIterator<Item = &'a str>, configuration: &str) -> Vec<String> {
    let is_listed = |kind: &str, folder: &str| {
        configuration.contains(&format!("package-ecosystem: {kind}\n    directory: /{folder}\n"))
    };
    files
        .into_iter()
        .filter_map(|path| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let (_, kind) = KINDS.iter().find(|(file, _)| *file == name)?;
            (!is_listed(kind, folder)).then(|| format!("{path}: add /{folder} ({kind}) to {CONFIGURATION}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lock_file_is_in_the_configuration() {
        let configuration = "  - package-ecosystem: cargo\n    directory: /\n  - package-ecosystem: npm\n    directory: /a/b\n";
        assert_eq!(updates(["Cargo.lock", "a/b/package-lock.json", "a/Cargo.toml"], configuration), [""; 0]);
        let missing = updates(["a/Cargo.lock", "a/b/requirements.txt"], configuration);
        assert_eq!(missing[0], "a/Cargo.lock: add /a (cargo) to .github/dependabot.yml");
        assert_eq!(missing.len(), 2);
    }
}
